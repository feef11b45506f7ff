"""Hardmax reaches no fixed point in finite time; localmax does from special starts, but not with at most three tokens.

`no_hardmax_step_ends_at_rest`: Of the tokens that move, the longest attends only to copies of itself and to tokens at
rest. So z_i' = (1 - g) z_i + g c with 0 < g < 1 and c the mean of those at rest. At a fixed point (z_i - z_i', c -
z_i')_A is at least 0, but it equals -g (1 - g) |c - z_i|_A^2 (HM-9). A must be positive definite: under A = -1 the
tokens 1, -1 meet at 0 and stop.

`no_step_ends_at_rest`: False in R^3, if the abstract's sentence is meant for every start (LM-14). Four tokens attend
only to themselves, and a fifth steps onto their mean, where it attends to all and rests. The four may be moved a
little; only the fifth has to be placed exactly.

`quiescent_tokens_converge_at_a_rate`: All tokens of an eventually quiescent set move towards one mean, which stays
where it is. So a vertex with tokens at different places is approached but never reached, while hardmax leaders are
there after finitely many steps (LM-14 (a)).

`no_planar_step_ends_at_rest`: False with four tokens in the plane (OQ-3). Two of them stay; the others step onto two
places between these, where they rest. The step maps w and 2 u + v - 2 w to the same places for every w, which happens
only for special gamma: (1 - gamma) I + gamma W is singular at gamma = 4/5.

`no_step_of_three_tokens_ends_at_rest`: It holds in any dimension; on a line it also holds for four tokens. For two
tokens the proof is by hand. For three, no pattern of who attends to whom before and after the step has a solution:
these are linear systems, in docs/final_neighbours.md.
"""

import numpy as np

from claims.localmax.setting.configurations import about_to_rest, about_to_rest_in_the_plane
from claims.localmax.setting.end_hypotheses import at_most_three_tokens
from claims.localmax.setting.ends import quiescent_sets, settled
from claims.localmax.setting.hypotheses import (
    additive_rule,
    definite_matrix,
    hardmax,
    open_step_size,
    planar,
    positive_sensitivity,
    where,
)
from claims.localmax.setting.starts import lattice_or_pair, lattice_start
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import at_most, numbers
from dynamics.orbits.exact import orbit
from dynamics.tokens.localmax import LocalmaxStep

section = Section(__name__, system=LocalmaxStep)

no_hardmax_step_ends_at_rest = section.claim(
    where="2509.15958, abstract, no finite-time convergence, for hardmax",
    refs=("HM-9", "LM-14"),
    statement="If A is symmetric positive definite, 0 < gamma < 1 and z^{k+1} is a fixed point, then z^k already is.",
    origin=Origin.CARRIED_OVER,
    assumptions=(definite_matrix, hardmax, open_step_size),
    draw=about_to_rest,
)


# In the sum norm: zero only at a fixed point.
def moved(f: LocalmaxStep):
    """sum_i |z_i' - z_i|_1, shape (...)."""
    return numbers(abs(f.step().z - f.z).sum(axis=(-2, -1)))


# Where the first step moves a token: else z^k is at rest already, and nothing is claimed.
@no_hardmax_step_ends_at_rest.step("> 0")
def next_step_moves_too(f: LocalmaxStep):
    """sum_i |z_i'' - z_i'|_1 where the first step moves a token."""
    now = moved(f)
    return where(~at_most(now, 0 * now), moved(f.step()))


no_step_ends_at_rest = section.claim(
    where="abstract, no finite-time convergence, in its universal reading",
    refs=("LM-14", "OQ-3"),
    note=(
        "With delta = 4/5 and gamma = 1/2 the token (1, 9/8, 0) among (-1, 3, 0), (3, 0, 0), (1, 1, -2), (1, 1, 2) steps"
        " to (1, 5/4, 0), the mean of all five, where it attends to all and rests. Of at most three tokens, and under"
        " hardmax, no step ends at rest unless it began there."
    ),
    statement="If A is symmetric positive definite, 0 < gamma < 1, delta > 0 and z^{k+1} is a fixed point, so is z^k.",
    origin=Origin.REPORTED,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    corrected_by="localmax.no_step_of_three_tokens_ends_at_rest",
    draw=about_to_rest,
    defect=Defect(
        Kind.CASE,
        quotation=r"We further show that localmax dynamics does not exhibit finite-time convergence.",
        context=(
            r"The sentence is from your abstract, the model is our reconstruction: $z_i^{k+1} = (1 - \gamma) z_i^k + "
            r"\gamma \cdot \mathrm{mean}\{z_j^k : j \in C_i\}$, $C_i = \{j : \langle A z_i, z_j \rangle \ge \max_l "
            r"\langle A z_i, z_l \rangle - \delta\}$, $i$ itself among them if it qualifies; $A > 0$ symmetric, $0 < "
            r"\gamma < 1$, $\delta > 0$ constant."
        ),
        wrong=r"From special starts one step leads to a fixed point.",
        correction=(
            r"No step ends at rest, unless it began there, if there are at most three tokens, or if $\delta = 0$ (hardmax)."
        ),
        consequences=(
            Consequence(
                "no finite-time convergence inside quiescent sets",
                why=(
                    r"Tokens of a set whose members attend exactly to the set, for ever, approach its mean by the factor "
                    r"$1 - \gamma$ in every step, and reach it only if they start there."
                ),
                shown_by="localmax.quiescent_tokens_converge_at_a_rate",
            ),
            Consequence("localmax with at most three tokens", why=r"There it holds for every start."),
        ),
        reading=(
            r"We take the sentence universally, for every start; if it is meant for almost every start, please read this "
            r"as an exception. The same example works with $>$ for $\ge$, with $i$ always in $C_i$, and with $\delta$ "
            r"taken as a part of the best product ($\tfrac{4}{15}$ of it) or of $\|z_i\|_A$ ($\tfrac12$ of it)."
        ),
    ),
)

no_step_ends_at_rest.step("> 0")(next_step_moves_too)


@no_step_ends_at_rest.by_hand(
    z=[[-1, 3, 0], [3, 0, 0], [1, 1, -2], [1, 1, 2], [1, "9/8", 0]],
    A=[[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    gamma="1/2",
    delta="4/5",
)
def a_step_onto_the_mean(f: LocalmaxStep):
    """The last token moves to the mean of all five."""
    after = f.step()
    last, centre = f.z[4], after.z[4]
    yield (
        r"Take $A = I$, $\gamma = \tfrac12$, $\delta = \tfrac45$, the tokens $(-1, 3, 0)$, $(3, 0, 0)$, $(1, 1, -2)$,"
        rf" $(1, 1, 2)$, which attend to themselves alone, and $x = {tex([*last])}$."
    )
    yield (
        rf"The products of $x$ with the five are ${tex(f.z @ last)}$: within $\tfrac45$ of $3$ are the first, the second "
        rf"and its own. The mean of these three tokens is ${tex([*(2 * centre - last)])}$."
    )
    yield (
        rf"So $x$ moves to ${tex([*centre])}$, the mean of all five, where the products are ${tex(after.z @ centre)}$: all"
        r" are within $\tfrac45$ of $3$, it attends to all, and rests."
    )


# No hypothesis on A: inside a set that attends to itself the step is linear.
quiescent_tokens_converge_at_a_rate = section.claim(
    where="abstract, no finite-time convergence, in its safest reading",
    refs=("LM-14", "LM-6"),
    statement="Inside an eventually quiescent set the spread is multiplied by exactly 1 - gamma each step and never "
    "vanishes: z_i^k - v = (1-gamma)^{k-k0} (z_i^{k0} - v).",
    origin=Origin.REPORTED,
    assumptions=(additive_rule, open_step_size, positive_sensitivity),
    draw=lattice_start,
)


@quiescent_tokens_converge_at_a_rate.orbit("== 0", exact_only=True)
def tails_of_quiescent_tokens(f: LocalmaxStep, *, share=1):
    """z_i^k - v - (1-gamma)^k (z_i^0 - v), k up to 3, once neighbours are final, for tokens of quiescent sets."""
    end = settled(f)
    last, v = end.states[-1], end.final.limits
    members, keep = [i for Q in quiescent_sets(last) for i in Q], 1 - share * f.gamma.item()
    return np.stack([(now.z - v - keep**k * (last.z - v))[members] for k, now in enumerate(orbit(last, 3))])


# The rule stands in the statement: the example is tight, and another reading of C_i may break it.
no_planar_step_ends_at_rest = section.claim(
    refs=("OQ-3", "LM-14"),
    note=(
        "With delta = 71/5 and gamma = 4/5 the tokens (-5, 8) and (-3, 10) between (-8, 8) and (5, 12) step to"
        " (-27/5, 44/5) and (-14/5, 48/5), where they rest. Of at most three tokens, and under hardmax, no step ends at"
        " rest unless it began there."
    ),
    statement=(
        "If d <= 2, A is positive definite, 0 < gamma < 1, delta > 0, a token attends to those within delta of its best "
        "score, to itself only if it is one of them, and z^{k+1} is a fixed point, so is z^k."
    ),
    assumptions=(planar, additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    corrected_by="localmax.no_step_of_three_tokens_ends_at_rest",
    draw=about_to_rest_in_the_plane,
)

no_planar_step_ends_at_rest.step("> 0")(next_step_moves_too)

# One step is enough: a fixed point that is reached at all is reached by a last step that moves a token.
no_step_of_three_tokens_ends_at_rest = section.claim(
    refs=("OQ-3", "LM-14"),
    statement="If n <= 3, A is positive definite, 0 < gamma < 1, delta > 0 and z^{k+1} is a fixed point, so is z^k.",
    assumptions=(at_most_three_tokens, additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    draw=lattice_or_pair,
)

no_step_of_three_tokens_ends_at_rest.step("> 0")(next_step_moves_too)
