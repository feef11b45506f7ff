"""Under f = 1 + e^x, normalised, the scores become one-hot although f stays above 1: 1 - s_0 ~ 2 / (K tau^2).

After section 3 (polarization S9, C-nf-C1). d(e^{-a_j} - e^{-a_0})/dtau = (u_0 - u_j)/F, and sum_i (a_i - e^{-a_i}) is
conserved. That s becomes one-hot is decided for ever, and its power: s_j w_j^2 / K -> 2 / (p - 1), w_j = u_0 - u_j ~ K tau.
"""

import numpy as np

from claims.polarization.setting.scores import comonotone, ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.limits.traps import MapEnd, OneHot, normalised_map_trap
from dynamics.training.score_maps import OnePlusExponentialFlow

claim = Claim(
    __name__,
    where="section 3.2, f = 1 + e^x",
    refs=("S9", "C-nf-C1"),
    statement="The normalised map of f = 1 + e^x polarises.",
    origin=Origin.OURS,
    system=OnePlusExponentialFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
)


@claim.state("> 0", assuming=(two_scores, comonotone))
def leading_weight_rate(f: OnePlusExponentialFlow):
    """ds_0/dtau at every state ordered alike."""
    return f.ds_dtau()[..., :1]


@claim.limit("== 0", times=lambda start: (start.time_unit() / 4, 4 * start.time_unit()), trap=normalised_map_trap)
def scores_become_one_hot(limit: OneHot, start: OnePlusExponentialFlow, *, share=1):
    """s_0 - 1 and s_j at the limit."""
    return np.concatenate([limit.weights[:1] - share, limit.weights[1:]])


@claim.limit("== 0", times=lambda start: (start.time_unit() / 4, 4 * start.time_unit()), trap=normalised_map_trap)
def losers_fall_like_inverse_square(limit: MapEnd, start: OnePlusExponentialFlow, *, K_factor=2):
    """The limit of (p - 1) s_j w_j^2 / K, w_j = u_0 - u_j ~ K tau, minus 2."""
    return (len(start.a) - 1) * limit.power - K_factor
