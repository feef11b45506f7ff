"""-phi'(m) = m^{-(k+1)}: K tau ~ (K (k+2) t)^{1/(k+2)} and s_j ~ (2K/p) (K (k+2) t)^{-2/(k+2)}; the linear loss is k = -1.

Rates of the loss-free theorem (polarization S2): t = int m^{k+1} dtau with m = K tau + C + o(1), and q_j tau^2 -> 2 /
(p K). Heavier tails of the loss make scores one-hot as fast as a power of t, against 1/log^2 t for the logistic loss.
An error may pass through zero, so it is compared with a bound that does not (docs/slow_clocks.md). The clock's bound
holds at every time: |m - K tau| <= C gives (K tau - C)^{k+2} <= K (k+2) t <= (K tau + C)^{k+2}, with t counted from the
start. The limit of s_j tau^2 follows once index 0 leads; the other two conclusions are
readings at decades of tau. Needed: k >= -1, that is t' = m^{k+1} does not fall; for k <= -2 there is no such power of t.
"""

from itertools import pairwise

import numpy as np
from flint import fmpq

from claims.polarization.setting.clocks import leading_index, loss_not_too_steep, moderate_start, positive_margin
from claims.statement import POLARIZATION, Claim, Origin
from dynamics.arithmetic import exp, log
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.slow_clocks import SlowPowerFlow, decades, late_decades, later_distance, margin_offset

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Theorem 3.3, rates for other losses",
    refs=("S2", "H5", "C-reg5"),
    statement="s_j ~ (2K/p) (K (k+2) t)^{-2/(k+2)} for phi' ~ -m^{-(k+1)}; 2 / (p K t^2) for the linear loss.",
    origin=Origin.OURS,
    system=SlowPowerFlow,
    assumptions=(leading_index, positive_margin, moderate_start, loss_not_too_steep),
)


def _root(f, start):
    """(K (k+2) (t - t(0)))^{1/(k+2)} / T."""
    power = int(f.k.item()) + 2
    return exp(log(f.K * power * f.since(start).scaled_time) / power)


@claim.limit("== 0", times=lambda start: (fmpq(1, 4), fmpq(1), fmpq(3)), trap=approach_trap)
def scores_tend_to_rate(limit: Approach, start: SlowPowerFlow, *, constant=2):
    """The limit of p K s_j tau^2, minus 2; as m - K tau converges, K tau over the power of t tends to 1."""
    return start.p * start.K * limit.ratio - constant


@claim.limit(">= 0", times=lambda start: late_decades(start.p))
def scores_settle(states, start, *, limit=1, order=2):
    """Readings: max_j |s_j / rate - 1| at a decade is at most what the state a decade before allows, like tau^{-2/p}."""
    p, K = start.p, start.K
    slacks = []
    for before, now in pairwise(states):
        # s_j tau^2 against s_j T^2 and q_j T^2, and K tau against the power of t, differ by a relative O(1/tau).
        by_clock = (4 * margin_offset(now, start) / K + 3) / now.tau
        most = exp(later_distance(before, now, order) + by_clock) - 1
        scores = now.weights * now.s[0] * _root(now, start) ** 2 * p / (2 * K)
        slacks.append(most - abs(scores - limit))
    return np.concatenate(slacks)


@claim.limit(">= 0", times=lambda start: (fmpq(1), *decades(1, 5)))
def clock_is_power_of_time(states, start, *, limit=1):
    """Readings: C - |K tau - (K (k+2) t)^{1/(k+2)}|, C = max(u_0(0), |m(0) - 2 (rise of the losing values)|)."""
    roots = [(abs(start.K * now.tau - limit * now.T * _root(now, start)), margin_offset(now, start)) for now in states]
    return np.concatenate([most - error for error, most in roots])
