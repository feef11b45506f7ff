"""-phi'(m) = m^{-(k+1)}: K tau ~ (K (k+2) t)^{1/(k+2)} and s_j ~ (2K/p) (K (k+2) t)^{-2/(k+2)}; the linear loss is k = -1.

Rates of the loss-free theorem (polarization S2): t = int m^{k+1} dtau, where m - K tau converges, and q_j tau^2 -> 2 /
(p K). Heavier tails of the loss make scores one-hot as fast as a power of t, against 1/log^2 t for the logistic loss.
Both limits follow once index 0 leads (docs/limits_of_training.md). Needed: k >= -1, that is t' = m^{k+1} does not fall; for
k <= -2 there is no such power of t.
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.clocks import leading_index, loss_not_too_steep, positive_margin
from claims.statement import Claim, Origin
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.slow_clocks import SlowPowerFlow

claim = Claim(
    __name__,
    where="Theorem 3.3, rates for other losses",
    refs=("S2", "H5", "C-reg5"),
    statement="s_j ~ (2K/p) (K (k+2) t)^{-2/(k+2)} for phi' ~ -m^{-(k+1)}; 2 / (p K t^2) for the linear loss.",
    origin=Origin.OURS,
    system=SlowPowerFlow,
    assumptions=(leading_index, positive_margin, loss_not_too_steep),
)


def _times(start):
    return fmpq(1, 4), fmpq(1), fmpq(3)


@claim.limit("== 0", times=_times, trap=approach_trap)
def scores_tend_to_rate(limit: Approach, start: SlowPowerFlow, *, constant=2):
    """p / K times the limit of s_j (K (k+2) t)^{2/(k+2)}, minus 2."""
    return start.p * start.K * limit.ratio / limit.power_clock**2 - constant


@claim.limit("== 0", times=_times, trap=approach_trap)
def clock_is_power_of_time(limit: Approach, start: SlowPowerFlow, *, share=1):
    """The limit of K tau / (K (k+2) t)^{1/(k+2)}, minus 1."""
    return np.array([limit.power_clock - share])
