"""-phi'(m) = m^{-(k+1)}: K tau ~ (K (k+2) t)^{1/(k+2)} and s_j ~ (2K/p) (K (k+2) t)^{-2/(k+2)}; the linear loss is k = -1.

Rates of the loss-free theorem (polarization S2): t = int m^{k+1} dtau with m = K tau + C + o(1), and q_j tau^2 -> 2 /
(p K). Heavier tails of the loss make scores one-hot as fast as a power of t, against 1/log^2 t for the logistic loss.
"""

from itertools import pairwise

import numpy as np
from flint import fmpq

from claims.assumptions import leading_index, positive_margin
from claims.statement import POLARIZATION, Claim
from dynamics.arithmetic import exp, log, peak
from dynamics.slow_clocks import SlowPowerFlow, decades

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Theorem 3.3, rates for other losses",
    refs=("S2", "H5", "C-reg5"),
    printed="s_j ~ (2K/p) (K (k+2) t)^{-2/(k+2)} for phi' ~ -m^{-(k+1)}; 2 / (p K t^2) for the linear loss.",
    system=SlowPowerFlow,
    assumptions=(leading_index, positive_margin),
)


@claim.limit(">= 0", times=lambda start: decades(7, 9))
def rates_settle(states, start, *, limit=1, order=2):
    """max_j |s_j / rate - 1| shrinks like tau^{-2/p}, |K tau / (K (k+2) t)^{1/(k+2)} - 1| like 1/tau, times 1.05."""
    p, K, k = start.p, start.K, int(start.k.item())
    slacks = []
    for earlier, later in pairwise(states):
        errors = []
        for f in (earlier, later):
            # (K (k+2) t)^{1/(k+2)} / T
            growth = exp(log(K * (k + 2) * f.scaled_time) / (k + 2))
            scores = f.weights * f.s[0] * growth * growth * p / (2 * K)
            errors.append((peak(abs(scores - limit)), abs(K * f.tau / (f.T * growth) - limit)))
        decay = earlier.sigma - later.sigma
        rates = (fmpq(order, p), fmpq(1))[: 1 if k == -1 else 2]  # t = tau for the linear loss
        for before, after, rate in zip(*errors, rates, strict=False):
            slacks.append((fmpq(21, 20) * exp(rate * decay) * before - after).item())
    return np.array(slacks)
