"""FALSE: also if C_i is a set of points, the limit of hardmax need not be a fixed point of the map.

hardmax HM-8 (b), the abstract's "clustered equilibrium" under the other reading of the neighbours. Distinct tokens stay
distinct, so that both readings take the same steps; they part at the limit. Of (1,0,1), (-1,0,1), (0,1,1), (0,-1/4,1/2) the
last attends to the first two for ever and tends to (0,0,1), where the third scores as well: a step there leaves it.
"""

import numpy as np
from flint import fmpq

from claims.localmax.setting.end_hypotheses import nonzero_tokens
from claims.localmax.setting.ends import limits
from claims.localmax.setting.hypotheses import (
    averages_over_points,
    definite_matrix,
    distinct_tokens,
    hardmax,
    open_step_size,
)
from claims.localmax.setting.starts import STEP_SIZES
from claims.statement import Claim, Draws, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.tokens.localmax import ADDITIVE, POINTS, LocalmaxStep


def third_beside_the_pair(draws: Draws) -> LocalmaxStep:
    """Two mirror images, a third point at their height, and a token on its way up between the two, from the other side."""
    side, height, beyond = (1 + draws.integer(0, 2) for _ in range(3))
    share = fmpq(1 + draws.integer(0, 2), 4)
    third = [0, beyond, height] if draws.integer(0, 3) else [0, beyond, fmpq(height, 2)]
    z = [[side, 0, height], [-side, 0, height], third, [0, -share * beyond / 2, share * height]]
    return LocalmaxStep.instance(z=exact(z), gamma=draws.choice(STEP_SIZES), rule=POINTS)


claim = Claim(
    __name__,
    where="hardmax 2407.01602, abstract, with sets of points for sets of indices",
    refs=("HM-8",),
    note=(
        "Of (2, 0, 3), (-2, 0, 3), (0, 4, 3), (0, -1, 2) with gamma = 1/2 the last attends to the first two for "
        "ever and tends to (0, 0, 3), where the third scores as well as they do: a step from there goes to (0, "
        "1/2, 3). Limits lie in the finite set S = {x in K : |x|_A^2 = max_{y in K} <Ax, y>}."
    ),
    statement="Tokens converge to a clustered equilibrium, C_i a set of points.",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(averages_over_points, definite_matrix, hardmax, open_step_size, distinct_tokens, nonzero_tokens),
    standing=Standing.FALSE,
    corrected_by="localmax.hardmax_limits_lie_in_alignment_set",
    draw=third_beside_the_pair,
    defect="localmax.limit_is_an_equilibrium",
)


@claim.orbit("== 0", exact_only=True)
def step_of_the_limit(f: LocalmaxStep):
    """How far a step over points moves the limits, which are those of the step over indices."""
    end = f.replace(z=limits(f.replace(rule=np.array(ADDITIVE))))
    return end.step().z - end.z
