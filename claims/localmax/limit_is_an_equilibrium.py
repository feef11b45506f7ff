"""Under hardmax the limit need not be a fixed point of the step, against the abstract's "clustered equilibrium".

`limit_is_an_equilibrium`: False (HM-8): the step is discontinuous at ties, and a token that attends to a tied pair may
find a third token at the same score in its limit. Each limit does have its largest score with itself.

`limit_is_an_equilibrium_of_points`: False also if C_i is a set of points. Distinct tokens stay distinct under hardmax,
so both readings take the same steps; they part only at the limit.

`readings_agree_on_distinct_tokens`: C_i is a set of indices in the code, and a set of points in one place of the
Frank-Wolfe paper. The two differ only where tokens coincide.
"""

import numpy as np
from flint import fmpq

from claims.localmax.setting.end_hypotheses import nonzero_tokens
from claims.localmax.setting.ends import limits
from claims.localmax.setting.hypotheses import (
    additive_rule,
    averages_over_points,
    definite_matrix,
    distinct_tokens,
    hardmax,
    open_step_size,
)
from claims.localmax.setting.starts import STEP_SIZES, mirrored_pair
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Draws, Origin, Section
from dynamics.arithmetic import exact
from dynamics.tokens.localmax import ADDITIVE, POINTS, LocalmaxStep

section = Section(__name__, refs=("HM-8",), system=LocalmaxStep)

limit_is_an_equilibrium = section.claim(
    where="hardmax 2407.01602, abstract",
    note=(
        "Of (2, 0), (0, 1), (0, 2), (1, 1) with gamma = 1/2 the second tends to (0, 2), where the last begins to "
        "attend to it as well: a step from the limit moves (1, 1) to (7/8, 9/8). Limits lie in the finite set S ="
        " {x in K : |x|_A^2 = max_{y in K} <Ax, y>}, but the map is not continuous there."
    ),
    statement="Tokens converge to a clustered equilibrium.",
    origin=Origin.REPORTED,
    assumptions=(additive_rule, definite_matrix, hardmax, open_step_size, distinct_tokens, nonzero_tokens),
    corrected_by="localmax.hardmax_limits_lie_in_alignment_set",
    draw=mirrored_pair,
    defect=Defect(
        Kind.CASE,
        quotation=r"Tokens converge to a clustered equilibrium.",
        context=(
            r"This is from the abstract of arXiv 2407.01602, not of your paper. Hardmax with $A > 0$ symmetric, $0 < "
            r"\gamma < 1$ and distinct nonzero tokens: $z_i^{k+1} = (1 - \gamma) z_i^k + \gamma \cdot \mathrm{mean}\{z_j^k "
            r": j \in C_i^k\}$, $C_i^k$ the tokens $j$ that maximize $\langle A z_i^k, z_j^k \rangle$, $i$ "
            r"itself among them if it does."
        ),
        wrong=(
            r"The step is not continuous where products tie, so a limit of an orbit need not be a fixed point: a "
            r"token may attend, at the limit, to one more token than at every time before."
        ),
        correction=(
            r"Limits lie in the finite set $S = \{x \in K : \|x\|_A^2 = \max_{y \in K} \langle A x, y \rangle\}$, where "
            r"$K$ is the hull of all limits. They are a fixed point if each token attends, at the limit, to the same "
            r"tokens as at all late steps."
        ),
        consequences=(
            Consequence(
                "convergence, and the description of limits by $S$",
                why="Only the word equilibrium fails, and only where a tie arises in the limit.",
            ),
        ),
        reading=(
            r"We take an equilibrium to be a fixed point of the step, and $C_i^k$ to be a set of indices. If it is a set "
            r"of points, tokens $(2, 0, 3)$, $(-2, 0, 3)$, $(0, 4, 3)$, $(0, -1, 2)$ show the same."
        ),
    ),
)


# A step of all limits together: a tie that exists in the limit alone gives a token one more neighbour there.
@limit_is_an_equilibrium.orbit("== 0", exact_only=True)
def step_of_the_limit(f: LocalmaxStep):
    """How far a step moves the limits."""
    end = f.replace(z=limits(f))
    return end.step().z - end.z


@limit_is_an_equilibrium.by_hand(
    by_argument=True, z=[[2, 0], [0, 1], [0, 2], [1, 1]], A=[[1, 0], [0, 1]], gamma="1/2", delta=0
)
def a_fourth_vote_at_the_limit(f: LocalmaxStep):
    """(1, 1) rests while (0, 1) is on its way, and moves at the limit."""
    scores = f.z @ f.z[3]
    limit = f.replace(z=np.array([f.z[0], f.z[2], f.z[2], f.z[3]]))
    after = limit.step().z
    yield r"Take $A = I$, $\gamma = \tfrac12$, $z_1 = (2, 0)$, $z_2 = (0, 1)$, $z_3 = (0, 2)$, $z_4 = (1, 1)$."
    yield (
        rf"$z_1$ and $z_3$ attend to themselves alone. The products of $z_4$ with the four are ${tex(scores)}$: it attends "
        r"to $z_1$, $z_3$ and itself, whose mean is $(1, 1)$. All three rest."
    )
    yield (
        r"$z_2$ attends to $z_3$ alone: it is $(0, 2 - 2^{-k})$ at step $k$, and its product with $z_4$ is $2 - 2^{-k} < "
        r"2$, at every step."
    )
    yield (
        rf"At the limit $(2, 0), (0, 2), (0, 2), (1, 1)$ the last attends to all four, whose mean is $(\tfrac34, "
        rf"\tfrac54)$, and moves to ${tex([*after[3]])}$."
    )


# As in the source (HM-8 (b)): the third point is as high as the pair, and the token leans away from it on its way up.
def third_beside_the_pair(draws: Draws) -> LocalmaxStep:
    """Two mirror images, a third point at their height, and a token on its way up between the two, from the other side."""
    side, height, beyond = (1 + draws.integer(0, 2) for _ in range(3))
    share = fmpq(1 + draws.integer(0, 2), 4)
    third = [0, beyond, height] if draws.integer(0, 3) else [0, beyond, fmpq(height, 2)]
    z = [[side, 0, height], [-side, 0, height], third, [0, -share * beyond / 2, share * height]]
    return LocalmaxStep.instance(z=exact(z), gamma=draws.choice(STEP_SIZES), rule=POINTS)


limit_is_an_equilibrium_of_points = section.claim(
    where="hardmax 2407.01602, abstract, with sets of points for sets of indices",
    note=(
        "Of (2, 0, 3), (-2, 0, 3), (0, 4, 3), (0, -1, 2) with gamma = 1/2 the last attends to the first two at "
        "all times and tends to (0, 0, 3), where the third scores as well as they do: a step from there goes to (0, "
        "1/2, 3). Limits lie in the finite set S = {x in K : |x|_A^2 = max_{y in K} <Ax, y>}."
    ),
    statement="Tokens converge to a clustered equilibrium, C_i a set of points.",
    origin=Origin.REPORTED,
    assumptions=(averages_over_points, definite_matrix, hardmax, open_step_size, distinct_tokens, nonzero_tokens),
    corrected_by="localmax.hardmax_limits_lie_in_alignment_set",
    draw=third_beside_the_pair,
    defect="localmax.limit_is_an_equilibrium",
)


# Limits are computed over indices, for distinct tokens take the same steps under both readings.
@limit_is_an_equilibrium_of_points.orbit("== 0", exact_only=True, name="step_of_the_limit")
def step_of_the_limit_of_points(f: LocalmaxStep):
    """How far a step over points moves the limits, which are those of the step over indices."""
    end = f.replace(z=limits(f.replace(rule=np.array(ADDITIVE))))
    return end.step().z - end.z


readings_agree_on_distinct_tokens = section.claim(
    refs=("HM-8", "OQ-10"),
    statement="If the tokens are distinct, the mean over C_i as a set of indices is the mean over C_i as a set of points.",
    assumptions=(distinct_tokens,),
)


# Distinct tokens: each point is then one index, and the weights agree.
@readings_agree_on_distinct_tokens.identity()
def difference_of_readings(f: LocalmaxStep, *, share=1):
    """c_i over indices minus c_i over points."""
    indices, points = (f.replace(rule=np.array(rule)).targets() for rule in (ADDITIVE, POINTS))
    return indices - share * points
