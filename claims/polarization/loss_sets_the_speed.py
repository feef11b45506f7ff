"""-phi'(m) = m^{-(k+1)}: K tau ~ (K (k+2) t)^{1/(k+2)} and s_j ~ (2K/p) (K (k+2) t)^{-2/(k+2)}; the linear loss is k = -1.

Rates of the loss-free theorem (polarization S2): t = int m^{k+1} dtau with m = K tau + C + o(1), and q_j tau^2 -> 2 /
(p K). Heavier tails of the loss make scores one-hot as fast as a power of t, against 1/log^2 t for the logistic loss.
"""

from itertools import pairwise

import numpy as np
from flint import fmpq

from claims.assumptions import leading_index, moderate_start, positive_margin
from claims.statement import POLARIZATION, Claim
from dynamics.arithmetic import exp, log, peak
from dynamics.slow_clocks import SlowPowerFlow, decades, late_decades

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Theorem 3.3, rates for other losses",
    refs=("S2", "H5", "C-reg5"),
    printed="s_j ~ (2K/p) (K (k+2) t)^{-2/(k+2)} for phi' ~ -m^{-(k+1)}; 2 / (p K t^2) for the linear loss.",
    system=SlowPowerFlow,
    assumptions=(leading_index, positive_margin, moderate_start),
)


@claim.limit(">= 0", times=lambda start: (*decades(4, 5), *late_decades(start.p)))
def rates_settle(states, start, *, limit=1, order=2):
    """max_j |s_j / rate - 1| shrinks like tau^{-2/p}, |K tau / (K (k+2) t)^{1/(k+2)} - 1| like 1/tau, times 1.05."""
    p, K, k = start.p, start.K, int(start.k.item())

    def growth(f):
        """(K (k+2) t)^{1/(k+2)} / T."""
        return exp(log(K * (k + 2) * f.scaled_time) / (k + 2))

    def scores(f):
        return peak(abs(f.weights * f.s[0] * growth(f) ** 2 * p / (2 * K) - limit))

    def clock(f):
        return abs(K * f.tau / (f.T * growth(f)) - limit)

    pairs = [(scores, fmpq(order, p), pair) for pair in pairwise(states[2:])]
    if k > -1:  # t = tau for the linear loss
        pairs.append((clock, fmpq(1), states[:2]))
    return np.array(
        [
            (fmpq(21, 20) * exp(rate * (earlier.sigma - later.sigma)) * error(earlier) - error(later)).item()
            for error, rate, (earlier, later) in pairs
        ]
    )
