"""FALSE as printed: under hardmax the limit need not be a fixed point of the map.

hardmax HM-8 ("converge to a clustered equilibrium", abstract). The map is discontinuous: a token that attends to a tied
pair may have in its limit a third one at the same score. Of (1,1), (1,-1), (1/2,1/2), (1/2,0) the last tends to (1,0), and
attends to all four there. True is that every limit point has no self gap.
"""

import numpy as np

from claims.defects import Consequence, Defect, Kind, tex
from claims.localmax.setting.end_hypotheses import nonzero_tokens
from claims.localmax.setting.ends import limits
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, distinct_tokens, hardmax, open_step_size
from claims.localmax.setting.starts import mirrored_pair
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="hardmax 2407.01602, abstract",
    refs=("HM-8",),
    note=(
        "Of (2, 0), (0, 1), (0, 2), (1, 1) with gamma = 1/2 the second tends to (0, 2), where the last begins to "
        "attend to it as well: a step from the limit moves (1, 1) to (7/8, 9/8). Limits lie in the finite set S ="
        " {x in K : |x|_A^2 = max_{y in K} <Ax, y>}, but the map is not continuous there."
    ),
    statement="Tokens converge to a clustered equilibrium.",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, hardmax, open_step_size, distinct_tokens, nonzero_tokens),
    standing=Standing.FALSE,
    corrected_by="localmax.hardmax_limits_lie_in_alignment_set",
    draw=mirrored_pair,
    defect=Defect(
        Kind.CASE,
        quotation=r"Tokens converge to a clustered equilibrium.",
        context=(
            r"Hardmax with $A > 0$ symmetric: $z_i^{k+1} = (1 - \gamma) z_i^k + \gamma \cdot \mathrm{mean}\{z_j^k "
            r": j \in C_i^k\}$, $C_i^k$ the tokens $j$ that maximize $\langle A z_i^k, z_j^k \rangle$, $i$ "
            r"itself among them if it does; an equilibrium is a fixed point of the step."
        ),
        wrong=(
            r"The step is not continuous where scores tie, so a limit of an orbit need not be a fixed point: a "
            r"token may attend, at the limit, to one more token than at every time before."
        ),
        correction=(
            r"Limits lie in the finite set $S = \{x \in K : \|x\|_A^2 = \max_{y \in K} \langle A x, y \rangle\}$, where "
            r"$K$ is the hull of all limits."
        ),
        consequences=(
            Consequence(
                "convergence, and the description of limits by $S$",
                survives=True,
                why="Only the word equilibrium fails, where a tie arises in the limit.",
                shown_by="localmax.hardmax_limits_lie_in_alignment_set",
            ),
        ),
        reading=(
            r"$C_i^k$ is a set of indices here. If it is a set of points, tokens $(2, 0, 3)$, $(-2, 0, 3)$, $(0, 4, 3)$, "
            r"$(0, -1, 2)$ show the same."
        ),
    ),
)


@claim.orbit("== 0", exact_only=True)
def step_of_the_limit(f: LocalmaxStep):
    """How far a step moves the limits."""
    end = f.replace(z=limits(f))
    return end.step().z - end.z


@claim.by_hand(by_argument=True, z=[[2, 0], [0, 1], [0, 2], [1, 1]], A=[[1, 0], [0, 1]], gamma="1/2", delta=0)
def a_fourth_vote_at_the_limit(f: LocalmaxStep):
    """(1, 1) rests while (0, 1) is on its way, and moves at the limit."""
    scores = f.z @ f.z[3]
    limit = f.replace(z=np.array([f.z[0], f.z[2], f.z[2], f.z[3]]))
    after = limit.step().z
    yield r"Take $A = I$, $\gamma = \tfrac12$, tokens $(2, 0)$, $(0, 1)$, $(0, 2)$, $(1, 1)$."
    yield (
        rf"$(1, 1)$ scores ${tex(scores)}$ with them: it attends to $(2, 0)$, $(0, 2)$ and itself, whose mean is "
        rf"$(1, 1)$, and rests."
    )
    yield (
        r"$(0, 1)$ attends to $(0, 2)$ alone: it is $(0, 2 - 2^{-k})$ at step $k$, and $(1, 1)$ scores $2 - "
        r"2^{-k} < 2$ with it, at every step."
    )
    yield (
        rf"At the limit $(2, 0), (0, 2), (0, 2), (1, 1)$ the last attends to all four, whose mean is $(\tfrac34, "
        rf"\tfrac54)$, and moves to ${tex([*after[3]])}$."
    )
