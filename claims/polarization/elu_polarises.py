"""Under elu + 1 (1 + x for x >= 0, e^x for x < 0), normalised, two scores become one-hot: s_1 ~ 2 / (K tau^2).

After section 3 (polarization S9, C-nf-C1). From a(0) = 0 the leader is on the upper branch and the loser on the lower
for ever, so the flow is analytic. Both limits follow once index 0 leads. a_0 grows only like 2 sqrt(log tau),
and s_1 w^2 / (2K) -> 1, w = u_0 - u_1, as slowly.
"""

import numpy as np

from claims.polarization.setting.scores import ordered_values, two_scores_only, zero_scores
from claims.statement import Claim, Origin
from dynamics.limits.traps import MapEnd, normalised_map_trap
from dynamics.training.score_maps import EluFlow

claim = Claim(
    __name__,
    where="section 3, elu + 1",
    refs=("S9", "C-nf-C1"),
    statement="The normalised map of elu + 1 polarises.",
    origin=Origin.OURS,
    system=EluFlow,
    assumptions=(two_scores_only, zero_scores, ordered_values),
)


@claim.trajectory("> 0", horizon=lambda start: 4 * start.time_unit())
def scores_stay_on_their_branches(now: EluFlow, start: EluFlow):
    """a_0 and -a_1."""
    return np.concatenate([now.a[:1], -now.a[1:]])


def _late(start: EluFlow):
    return start.time_unit() / 4, 4 * start.time_unit()


@claim.limit("== 0", times=_late, trap=normalised_map_trap)
def scores_become_one_hot(limit: MapEnd, start: EluFlow, *, share=1):
    """s_0 - 1 and s_j at the limit."""
    return np.concatenate([limit.weights[:1] - share, limit.weights[1:]])


@claim.limit("== 0", times=_late, trap=normalised_map_trap)
def loser_falls_like_inverse_square(limit: MapEnd, start: EluFlow, *, K_factor=2):
    """The limit of s_j w_j^2 / K, w_j = u_0 - u_j ~ K tau, minus 2."""
    return limit.power - K_factor
