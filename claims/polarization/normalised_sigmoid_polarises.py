"""Under a normalised sigmoid the scores become one-hot, s_j ~ 2 / (K tau^2) for j != 0, whatever the number of scores.

After section 3 (polarization S9, C-nf-C1). With G(x) = 2 x + e^x - e^{-x} = int 1/f', d(G_0 - G_j)/dtau = (u_0 - u_j)/F
with F < p, so every G_0 - G_j grows without bound: that s becomes one-hot is decided for ever. In the gap
w_j = u_0 - u_j ~ K tau, s_j w_j^2 / (2K) -> 1: of this there is a reading, within a quarter.
"""

import numpy as np

from claims.assumptions import (
    at_most_eight_scores,
    clear_leader,
    close_losing_values,
    comonotone,
    ordered_values,
    two_scores,
    zero_scores,
)
from claims.statement import POLARIZATION, Claim, Origin
from dynamics.score_maps import NormalisedSigmoidFlow
from dynamics.traps import OneHot, normalised_map_trap

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 3, normalised sigmoid",
    refs=("S9", "C-nf-C1"),
    statement="The normalised sigmoid polarises; explicitly s_j ~ 2 / (K tau^2).",
    origin=Origin.OURS,
    system=NormalisedSigmoidFlow,
    assumptions=(at_most_eight_scores, two_scores, zero_scores, ordered_values, clear_leader, close_losing_values),
)


@claim.state("> 0", assuming=(two_scores, comonotone))
def dwell_gap_rate(f: NormalisedSigmoidFlow, *, rate=1):
    """p d(G(a_0) - G(a_j))/dtau - (u_0 - u_j), with dG = da / f'."""
    dG = f.da_dtau() / f.slopes
    return f.a.shape[-1] * (dG[..., :1] - dG[..., 1:]) - rate * (f.u[..., :1] - f.u[..., 1:])


@claim.limit("> 0", times=lambda start: (start.time_unit() / 4, 4 * start.time_unit()), trap=normalised_map_trap)
def scores_become_one_hot(limit: OneHot, start: NormalisedSigmoidFlow):
    """s_0 - s_j at the limit."""
    return limit.weights[:1] - limit.weights[1:]


@claim.limit("> 0", times=lambda start: (8 * len(start.a) * start.time_unit(),))
def weights_fall_like_inverse_square(states, start: NormalisedSigmoidFlow, *, order=2, sharpness=4):
    """A reading: 1 - sharpness |x - 1| as two numbers, x = s_j (w_j^2 - w_j(0)^2) / (2K), at sqrt(K) tau near 8 p."""
    (last,) = states
    w, w_0 = last.u[:1] - last.u[1:], start.u[:1] - start.u[1:]
    x = last.s[1:] * (w**order - w_0**order) / (2 * last.K)
    return np.stack([1 - sharpness * (x - 1), 1 + sharpness * (x - 1)])
