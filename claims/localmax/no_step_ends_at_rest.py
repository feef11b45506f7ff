"""A trajectory that does not start at a fixed point never reaches one, for delta > 0: false.

localmax LM-14, third reading of "no finite-time convergence" (the abstract's wording; this reading is not printed). With
delta = 13/8 and gamma = 1/2 the tokens (-1,5,-1), (5,0,1), (2,2,3), (2,2,-3) attend only to themselves. (2,17/8,0) attends
to the first two and itself and steps onto the mean of the four, (2,9/4,0), where it attends to all and rests. The four may
be moved a little; only the fifth has to be placed. At delta = 0 it is true.
"""

from claims.localmax.no_hardmax_step_ends_at_rest import next_step_moves_too
from claims.localmax.setting.configurations import about_to_rest
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.statement import LOCALMAX, Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
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
)

claim.step("> 0")(next_step_moves_too)
