"""f(x) = x^{3/2}, normalised: the losers reach 0 at finite tau, and s is then exactly one-hot.

After appendix D (polarization S9), for x^k with k = 3/2, 1 < k < 2, on positive scores x_i = b_i^2. R^2 = sum_i b_i^4 is
conserved and R^{3/2} <= F <= p^{1/4} R^{3/2}; the last of ordered scores has db_{p-1}/dtau <= -(3/4) W / (p F) with
W = u_0 - u_{p-1}, which grows, so it reaches 0; the others go on as a model with fewer scores. (The certified crossing
is for p = 2 and k = 3/2. There (b_0, b_1) -> (-b_1, -b_0) turns time around, so the path comes back as it went: if b_1 = 0
first at time z of the clock with dtau = F^2, then b_1 < 0 from z to 2 z at least.)
"""

import numpy as np
from flint import fmpq

from claims.assumptions import clear_leader, comonotone, positive_scores, two_scores, two_scores_only
from claims.polarization.linear_map_leaves_simplex import halved
from claims.statement import POLARIZATION, Claim
from dynamics.arithmetic import peak
from dynamics.score_maps import ThreeHalvesMapFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="appendix D, f(x) = x^k with 1 < k < 2",
    refs=("S9", "C-fx2"),
    printed="For f(x) = x^k with 1 < k < 2 losers reach 0 at finite tau and s is exactly one-hot.",
    system=ThreeHalvesMapFlow,
    assumptions=(two_scores_only, positive_scores, comonotone, clear_leader),
)


@claim.identity(assuming=())
def norm_rate(f: ThreeHalvesMapFlow, *, power=3):
    """F^2 sum_i b_i^3 db_i/dtau = (F^2 / 4) dR^2/dtau."""
    return (f.a**power * f.scaled_da()).sum(axis=-1)


@claim.state(">= 0", assuming=(two_scores, positive_scores, comonotone))
def last_score_falls(f: ThreeHalvesMapFlow, *, speed=1):
    """-(4/3) p F^2 db_{p-1}/dtau - F W."""
    W = f.u[..., 0] - f.u[..., -1]
    return -4 * f.a.shape[-1] * f.scaled_da()[..., -1] / 3 - speed * f.F * W


@claim.state(">= 0", assuming=(two_scores, positive_scores))
def total_is_bounded(f: ThreeHalvesMapFlow, *, most=1):
    """p R^6 - F^4."""
    F, norm = f.F, (f.a * f.a * f.a * f.a).sum(axis=-1)
    return most * f.a.shape[-1] * norm * norm * norm - F * F * F * F


def _times(start):
    """From (4/3) b_1 / (W b_0^3), when the last score is dead, to where it is alive: W <= W(0) + 4 K (b_0 + b_1)^6 t."""
    b, K, W = start.a, start.K.item(), start.u[0] - start.u[1]
    cube = abs(b).sum() ** 3  # at least R^{3/2}, and so any |b_j|^3
    return halved(fmpq(4, 3) * b[1] / (W * b[0] ** 3), lambda t: cube * (W * t + 2 * K * cube * cube * t * t) <= abs(b[1]))


@claim.limit("> 0", times=_times)
def last_score_reaches_zero(states, start: ThreeHalvesMapFlow):
    """-b_{p-1} at the best of times each half the next."""
    return peak(np.stack([-state.a[-1:] for state in states]).reshape(-1))
