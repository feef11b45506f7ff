"""Under elu + 1 (1 + x for x >= 0, e^x for x < 0), normalised, two scores become one-hot: s_1 ~ 2 / (K tau^2).

After section 3 (polarization S9, C-nf-C1). From a(0) = 0 the leader is on the upper branch and the loser on the lower
for ever, so the flow is analytic. That s becomes one-hot is decided for ever. a_0 grows only like 2 sqrt(log tau), and
s_1 w^2 / (2K) -> 1, w = u_0 - u_1, as slowly: of this there is a reading, within a quarter, where u_0 leads by 2 |beta_*|.
"""

import numpy as np

from claims.assumptions import clear_leader, ordered_values, two_scores_only, zero_scores
from claims.statement import POLARIZATION, Claim, Origin
from dynamics.score_maps import EluFlow
from dynamics.traps import OneHot, normalised_map_trap

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 3, elu + 1",
    refs=("S9", "C-nf-C1"),
    statement="The normalised map of elu + 1 polarises.",
    origin=Origin.OURS,
    system=EluFlow,
    assumptions=(two_scores_only, zero_scores, ordered_values, clear_leader),
)


@claim.trajectory("> 0", horizon=lambda start: 4 * start.time_unit())
def scores_stay_on_their_branches(now: EluFlow, start: EluFlow):
    """a_0 and -a_1."""
    return np.concatenate([now.a[:1], -now.a[1:]])


@claim.limit("> 0", times=lambda start: (start.time_unit() / 4, 4 * start.time_unit()), trap=normalised_map_trap)
def scores_become_one_hot(limit: OneHot, start: EluFlow):
    """s_0 - s_1 at the limit."""
    return limit.weights[:1] - limit.weights[1:]


@claim.limit("> 0", times=lambda start: (16 * start.time_unit(),))
def loser_falls_like_inverse_square(states, start: EluFlow, *, order=2, sharpness=4):
    """A reading: 1 - sharpness |x - 1| as two numbers, x = s_1 (w^2 - w(0)^2) / (2K), at sqrt(K) tau near 16."""
    (last,) = states
    w, w_0 = last.u[:1] - last.u[1:], start.u[:1] - start.u[1:]
    x = last.s[1:] * (w**order - w_0**order) / (2 * last.K)
    return np.stack([1 - sharpness * (x - 1), 1 + sharpness * (x - 1)])
