"""f(x) = x^3, normalised, drives the scores to one-hot, like a power of the clock: s_j ~ (3 K tau^2 / (2 R^2))^{-3}.

After appendix D (polarization S9), for x^k with k = 3 on positive scores: R = |a| is conserved, d(1/a_j - 1/a_0)/dtau =
3 (u_0 - u_j)/F with F <= R^3, and u_0 - u_j ~ K tau, so a_j ~ 2 R^3 / (3 K tau^2). Once
index 0 leads in u and a it leads for ever, and both limits follow.
"""

import numpy as np

from claims.polarization.setting.maps import positive_scores, unit_scores
from claims.polarization.setting.scores import comonotone, ordered_values, two_scores
from claims.statement import Claim, Origin
from dynamics.limits.traps import MapEnd, normalised_map_trap
from dynamics.training.score_maps import CubeMapFlow

claim = Claim(
    __name__,
    where="appendix D, f(x) = x^k with k > 2",
    refs=("S9", "C-fx2"),
    statement="For f(x) = x^k with k > 2, s_j ~ [k (k-2) K tau^2 / (2 R^2)]^{-k/(k-2)}.",
    origin=Origin.OURS,
    system=CubeMapFlow,
    assumptions=(two_scores, unit_scores, ordered_values),
)


@claim.identity(assuming=(two_scores, positive_scores))
def inverse_score_gap_rate(f: CubeMapFlow, *, speed=3):
    """F d(1/a_j - 1/a_0)/dtau - 3 (u_0 - u_j)."""
    fall = -f.F[..., None] * f.da_dtau() / (f.a * f.a)
    return (fall[..., 1:] - fall[..., :1]) - speed * (f.u[..., :1] - f.u[..., 1:])


@claim.state("> 0", assuming=(two_scores, positive_scores, comonotone))
def total_is_bounded(f: CubeMapFlow, *, most=1):
    """R^6 - F^2."""
    return most * (f.a * f.a).sum(axis=-1) ** 3 - f.F * f.F


def _late(start: CubeMapFlow):
    return start.time_unit() / 4, 4 * start.time_unit()


@claim.limit("== 0", times=_late, trap=normalised_map_trap)
def scores_become_one_hot(limit: MapEnd, start: CubeMapFlow, *, share=1):
    """s_0 - 1 and s_j at the limit."""
    return np.concatenate([limit.weights[:1] - share, limit.weights[1:]])


@claim.limit("== 0", times=_late, trap=normalised_map_trap)
def losers_fall_like_power(limit: MapEnd, start: CubeMapFlow, *, K_factor=1):
    """The limit of 3 a_j w_j^2 / (2 a_0 K R^2), w_j = u_0 - u_j, minus 1; w_j ~ K tau."""
    return 3 * limit.power / 2 - K_factor
