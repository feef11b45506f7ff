"""Under a normalised sigmoid the scores become one-hot, s_j ~ 2 / (K tau^2) for j != 0, whatever the number of scores.

After section 3 (polarization S9, C-nf-C1). With G(x) = 2 x + e^x - e^{-x} = int 1/f', d(G_0 - G_j)/dtau = (u_0 - u_j)/F
with F < p, so every G_0 - G_j grows without bound: s becomes one-hot. In the gap w_j = u_0 - u_j ~ K tau,
s_j w_j^2 / (2K) -> 1. Both limits follow once index 0 leads in u and a.
"""

import numpy as np

from claims.polarization.setting.scores import comonotone, ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.limits.traps import MapEnd, normalised_map_trap
from dynamics.training.score_maps import NormalisedSigmoidFlow

claim = Claim(
    __name__,
    where="section 3, normalised sigmoid",
    refs=("S9", "C-nf-C1"),
    statement="The normalised sigmoid polarises; explicitly s_j ~ 2 / (K tau^2).",
    origin=Origin.OURS,
    system=NormalisedSigmoidFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
)


@claim.state("> 0", assuming=(two_scores, comonotone))
def dwell_gap_rate(f: NormalisedSigmoidFlow, *, rate=1):
    """p d(G(a_0) - G(a_j))/dtau - (u_0 - u_j), with dG = da / f'."""
    dG = f.da_dtau() / f.slopes
    return f.a.shape[-1] * (dG[..., :1] - dG[..., 1:]) - rate * (f.u[..., :1] - f.u[..., 1:])


def _late(start: NormalisedSigmoidFlow):
    return start.time_unit() / 4, 4 * start.time_unit()


@claim.limit("== 0", times=_late, trap=normalised_map_trap)
def scores_become_one_hot(limit: MapEnd, start: NormalisedSigmoidFlow, *, share=1):
    """s_0 - 1 and s_j at the limit."""
    return np.concatenate([limit.weights[:1] - share, limit.weights[1:]])


@claim.limit("== 0", times=_late, trap=normalised_map_trap)
def weights_fall_like_inverse_square(limit: MapEnd, start: NormalisedSigmoidFlow, *, K_factor=2):
    """The limit of s_j w_j^2 / K, w_j = u_0 - u_j ~ K tau, minus 2."""
    return limit.power - K_factor
