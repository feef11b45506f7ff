"""With V frozen the losing scores decay exactly like one over the clock: s_j tau -> 1 / (p (u_0 - u_j)).

The sharp form of `frozen_values_also_polarise` (polarization E10), for p scores that start equal. With w_k = u_0 - u_k,
(s_0 / s_k - 1) / w_k is the same z for every k, and dz/dtau = p s_0^2. So p tau = int_0^z (1 + sum_k 1 / (1 + w_k y))^2 dy
exceeds z by at most sum_k (2 log(1 + w_k z) + p - 1) / w_k, and is at least z / s_0^2: p w_j tau s_j - 1 lies between
-s_j / s_0 and a bound of order log(tau) / tau. As tau / t -> gamma_inf = 1 / (1 + e^{u_0}), s_j t -> 1 / (p w_j gamma_inf).
"""

import numpy as np
from flint import fmpq

from claims.polarization.clock_exceeds_leading_value import far_leader
from claims.polarization.setting.scores import leading_value, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.training.frozen_values import FrozenValuesFlow


def _far_leader(draws):
    start = far_leader(draws)
    return FrozenValuesFlow(u=start.u, a=start.a, K=start.K, t=start.t, tau=start.tau)


claim = Claim(
    __name__,
    where="section 3.1, on joint training, sharpened",
    refs=("C-joint", "E10"),
    statement="If only a is trained, from a(0) = 0, p (u_0 - u_j) tau s_j -> 1 for j != 0.",
    origin=Origin.OURS,
    system=FrozenValuesFlow,
    assumptions=(two_scores, zero_scores, leading_value),
    draw=_far_leader,
)


@claim.rate("> 0", horizon=lambda start: fmpq(8))
def product_tends_to_one(now: FrozenValuesFlow, start: FrozenValuesFlow, *, slope=1):
    """x_j - 1 + s_j / s_0 and s_j w_j sum_k (2 log(s_0 / s_k) + p - 1) / w_k - (x_j - 1), where x_j = p w_j tau s_j."""
    p, gaps, leads = len(start.u), start.u[:1] - start.u[1:], now.a[:1] - now.a[1:]
    scores = now.s[1:]
    product = slope * p * gaps * (now.tau - start.tau) * scores
    remainder = scores * gaps * ((2 * leads + (p - 1)) / gaps).sum(axis=-1, keepdims=True)
    return np.stack([product - 1 + exp(-leads), remainder - product + 1])
