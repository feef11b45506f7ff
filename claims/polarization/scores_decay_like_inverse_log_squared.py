"""s_j log^2 t -> 2 K / p for every j >= 1, and u_0 - log(K t) ~ 2 K (p - 1) / (p log t): values up to log t = 1e7 and more.

The sharp form of Lemma B.1(b) (polarization S1, C-B1b): s_j tau^2 -> 2 / (p K) and K tau = log(K t) - C + o(1), where m
- log(K t) is so small that u_0 - log(K t) is u_0 - m. The paper's proof of the upper bound fails (E9);
`one_hot_bound_in_time` is explicit.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import leading_index, moderate_start
from claims.statement import POLARIZATION, Claim
from dynamics.arithmetic import exp, log, peak
from dynamics.slow_clocks import SlowFlow, clock_before, late_decades, log_time_beyond_margin

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Lemma B.1(b), sharp",
    refs=("S1", "C-B1b", "C-3.3c", "E9"),
    printed="s_j = O(1/log^2 t) for j >= 1; sharp: s_j log^2 t -> 2 |beta_*|^2 / p, u_0 - log(K t) ~ 2K(p-1) / (p log t).",
    system=SlowFlow,
    assumptions=(leading_index, moderate_start),
)


def _times(start):
    """Each of the decades preceded by the window from which time is recovered."""
    return [clock for end in late_decades(max(start.p, 4)) for clock in (clock_before(end, start.K.item()), end)]


@claim.limit(">= 0", times=_times)
def scores_settle(states, start, *, limit=1, order=2):
    """max_j |s_j log^2 t p/(2K) - 1| and |(u_0 - log(K t)) log t p/(2K(p-1)) - 1| shrink: (log t)^{-2/p}, 7/10 a decade."""
    p, K = start.p, start.K
    logs, scores, values = [], [], []
    for before, now in zip(states[::2], states[1::2], strict=True):
        beyond = log_time_beyond_margin(before, now, start.m.item())
        log_t = now.m + beyond - log(K)
        logs.append(log_t)
        scores.append(peak(abs(now.s[1:] * log_t**2 * p / (2 * K) - limit)))
        values.append(abs((now.depth - beyond) * log_t * p / (2 * K * (p - 1)) - limit))
    slacks = []
    for k in range(len(logs) - 1):
        shrink = log(logs[k + 1] / logs[k]) * fmpq(-order, p)
        slacks.append((fmpq(21, 20) * exp(shrink) * scores[k] - scores[k + 1]).item())
        slacks.append((fmpq(7, 10) * values[k] - values[k + 1]).item())
    return np.array(slacks)
