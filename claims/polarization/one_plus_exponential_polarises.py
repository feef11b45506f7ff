"""Under f = 1 + e^x, normalised, the scores become one-hot although f stays above 1: 1 - s_0 ~ 2 / (K tau^2).

After section 3 (polarization S9, C-nf-C1). d(e^{-a_j} - e^{-a_0})/dtau = (u_0 - u_j)/F, and sum_i (a_i - e^{-a_i}) is
conserved: that s becomes one-hot is decided for ever. In the gap to the second, w = u_0 - u_1 ~ K tau,
(1 - s_0) w^2 / (2K) -> 1: of this there is a reading, within a half.
"""

import numpy as np

from claims.polarization.setting.clocks import at_most_eight_scores
from claims.polarization.setting.maps import clear_leader, close_losing_values
from claims.polarization.setting.scores import comonotone, ordered_values, two_scores, zero_scores
from claims.statement import POLARIZATION, Claim, Origin
from dynamics.limits.traps import OneHot, normalised_map_trap
from dynamics.training.score_maps import OnePlusExponentialFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 3.2, f = 1 + e^x",
    refs=("S9", "C-nf-C1"),
    statement="The normalised map of f = 1 + e^x polarises.",
    origin=Origin.OURS,
    system=OnePlusExponentialFlow,
    assumptions=(at_most_eight_scores, two_scores, zero_scores, ordered_values, clear_leader, close_losing_values),
)


@claim.state("> 0", assuming=(two_scores, comonotone))
def leading_weight_rate(f: OnePlusExponentialFlow):
    """ds_0/dtau at every state ordered alike."""
    return f.ds_dtau()[..., :1]


@claim.limit("== 0", times=lambda start: (start.time_unit() / 4, 4 * start.time_unit()), trap=normalised_map_trap)
def scores_become_one_hot(limit: OneHot, start: OnePlusExponentialFlow, *, share=1):
    """s_0 - 1 and s_j at the limit."""
    return np.concatenate([limit.weights[:1] - share, limit.weights[1:]])


@claim.limit("> 0", times=lambda start: (12 * start.time_unit(),))
def rest_falls_like_inverse_square(states, start: OnePlusExponentialFlow, *, order=2, sharpness=2):
    """A reading: 1 - sharpness |x - 1| as two numbers, x = (1 - s_0) (w^2 - w(0)^2) / (2K), at sqrt(K) tau near 12."""
    (last,) = states
    w, w_0 = last.u[:1] - last.u[1:2], start.u[:1] - start.u[1:2]
    x = last.s[1:].sum(axis=-1, keepdims=True) * (w**order - w_0**order) / (2 * last.K)
    return np.stack([1 - sharpness * (x - 1), 1 + sharpness * (x - 1)])
