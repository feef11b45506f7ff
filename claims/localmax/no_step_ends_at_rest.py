"""A trajectory that does not start at a fixed point never reaches one, for delta > 0: false.

localmax LM-14, third reading of "no finite-time convergence" (the abstract's wording; this reading is not printed). With
delta = 13/8 and gamma = 1/2 the tokens (-1,5,-1), (5,0,1), (2,2,3), (2,2,-3) attend only to themselves. (2,17/8,0) attends
to the first two and itself and steps onto the mean of the four, (2,9/4,0), where it attends to all and rests. The four may
be moved a little; only the fifth has to be placed. At delta = 0 it is true.
"""

from claims.defects import Consequence, Defect, Kind, tex
from claims.localmax.no_hardmax_step_ends_at_rest import next_step_moves_too
from claims.localmax.setting.configurations import about_to_rest
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="abstract, no finite-time convergence, in its universal reading",
    refs=("LM-14", "OQ-3"),
    note=(
        "With delta = 5/3 and gamma = 1/2 the token (2, 17/8, 0) among (-1, 5, 1), (5, 0, -1), (2, 2, -3), (2, 2,"
        " 3) steps to (2, 9/4, 0), the mean of all five, where it attends to all and rests. Under hardmax no step"
        " ends at rest unless it began there."
    ),
    statement="If A is symmetric positive definite, 0 < gamma < 1, delta > 0 and z^{k+1} is a fixed point, so is z^k.",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    standing=Standing.FALSE,
    corrected_by="localmax.no_hardmax_step_ends_at_rest",
    draw=about_to_rest,
    defect=Defect(
        Kind.CASE,
        quotation=r"We further show that localmax dynamics does not exhibit finite-time convergence.",
        context=(
            r"$z_i^{k+1} = (1 - \gamma) z_i^k + \gamma \cdot \mathrm{mean}\{z_j^k : j \in C_i\}$, $C_i = \{j : "
            r"\langle A z_i, z_j \rangle \ge \max_l \langle A z_i, z_l \rangle - \delta\}$, $i$ itself among "
            r"them if it qualifies; $A > 0$ symmetric, $0 < \gamma < 1$, $\delta > 0$."
        ),
        wrong=r"From special starts one step leads to a fixed point.",
        correction=(
            r"Under hardmax, $\delta = 0$, no step ends at rest unless it began there; for $\delta > 0$ none does "
            r"with at most three tokens."
        ),
        consequences=(
            Consequence(
                "localmax with at most three tokens",
                survives=True,
                why=r"There it holds for every start.",
                shown_by="localmax.no_step_of_three_tokens_ends_at_rest",
            ),
        ),
        reading=(
            r"We take the sentence universally, for every start. If it is meant for almost every start, please "
            r"read this as an exception."
        ),
    ),
)

claim.step("> 0")(next_step_moves_too)


@claim.by_hand(
    z=[[-1, 5, 1], [5, 0, -1], [2, 2, -3], [2, 2, 3], [2, "17/8", 0]],
    A=[[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    gamma="1/2",
    delta="8/5",
)
def a_step_onto_the_mean(f: LocalmaxStep):
    """The last token moves to the mean of all five."""
    after = f.step()
    last, centre = f.z[4], after.z[4]
    yield (
        r"Take $A = I$, $\gamma = \tfrac12$, $\delta = \tfrac85$, the tokens $(-1, 5, 1)$, $(5, 0, -1)$, $(2, 2, -3)$,"
        rf" $(2, 2, 3)$, which attend to themselves alone, and $x = {tex([*last])}$."
    )
    yield (
        rf"$x$ scores ${tex(f.z @ last)}$ with the five: within $\tfrac85$ of $10$ are the first, the second and its own,"
        rf" whose mean is ${tex([*(2 * centre - last)])}$."
    )
    yield (
        rf"So $x$ moves to ${tex([*centre])}$, the mean of all five, where it scores ${tex(after.z @ centre)}$: all are"
        r" within $\tfrac85$ of $10$, it attends to all, and rests."
    )
