"""s_j log^2 t -> 2 K / p for every j >= 1, and u_0 - log(K t) ~ 2 K (p - 1) / (p log t): values up to log t = 1e7 and more.

The sharp form of Lemma B.1(b) (polarization S1, C-B1b): s_j tau^2 -> 2 / (p K) and K tau = log(K t) - C + o(1), where m -
log(K t) is so small that u_0 - log(K t) is u_0 - m. The paper's proof of the upper bound fails (E9);
`one_hot_bound_in_time` is explicit. The limits follow once index 0 leads in u and a (docs/limits_of_training.md). An
error may pass through zero, so it is compared with a bound that does not.
"""

from itertools import pairwise

import numpy as np
from flint import fmpq

from claims.polarization.setting.clocks import leading_index, moderate_start
from claims.statement import POLARIZATION, Claim, Origin
from dynamics.arithmetic import exp, log
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.slow_clocks import (
    SlowFlow,
    clock_before,
    late_decades,
    later_distance,
    log_time_beyond_margin,
    margin_offset,
)

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Lemma B.1(b), sharp",
    refs=("S1", "C-B1b", "C-3.3c", "E9"),
    statement=(
        "s_j = O(1/log^2 t) for j >= 1; sharp: s_j log^2 t -> 2 |beta_*|^2 / p, u_0 - log(K t) ~ 2K(p-1) / (p log t)."
    ),
    origin=Origin.OURS,
    system=SlowFlow,
    assumptions=(leading_index, moderate_start),
)


def _times(start):
    """Each of the decades preceded by the window from which time is recovered."""
    return [clock for end in late_decades(max(start.p, 4)) for clock in (clock_before(end, start.K.item()), end)]


@claim.limit("== 0", times=lambda start: (fmpq(1, 4), fmpq(1), fmpq(3)), trap=approach_trap)
def scores_tend_to_limit(limit: Approach, start: SlowFlow, *, constant=2):
    """p / K times the limits of s_j log^2 t and of (u_0 - log(K t)) log t, minus 2 and 2 (p - 1)."""
    p, K = start.p, start.K.item()
    found = limit.scores_in_time, limit.lead_in_time
    return np.array([p * x / K - constant * y for x, y in zip(found, (1, p - 1), strict=True)])


@claim.limit(">= 0", times=_times)
def scores_settle(states, start, *, limit=1, order=2):
    """Readings of |s_j log^2 t p/(2K) - 1|, |(u_0 - log(K t)) log t p/(2K(p-1)) - 1|: as the decade before allows."""
    p, K, slacks = start.p, start.K, []
    windows, ends = states[2::2], states[1::2]
    for (earlier, now), before in zip(pairwise(ends), windows, strict=True):
        beyond = log_time_beyond_margin(before, now, start.m.item())
        log_t = now.m + beyond - log(K)
        # |log t - K tau| and what is between q_j T^2 and s_j tau^2, relative to K tau; m - log(K t) is below 1/log^2 t.
        by_clock = (4 * (margin_offset(now, start) + abs(log(K)) + 1) / K + 3) / now.tau
        most = exp(later_distance(earlier, now, order) + by_clock) - 1
        scores = now.s[1:] * log_t**2 * p / (2 * K)
        value = (now.depth - beyond)[None] * log_t * p / (2 * K * (p - 1))
        slacks += [most - abs(scores - limit), most + 2 / (K * K * now.tau) - abs(value - limit)]
    return np.concatenate(slacks)
