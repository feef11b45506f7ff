"""q_j tau^2 -> 2 / (p K) for every j >= 1: all losing scores decay alike, and q_j / q_k - 1 = O(tau^{-2/p}).

The sharp form of Theorem 3.3(b) and Lemma B.1(b) (polarization S1). Balance of the flow in sigma = log tau: with
u_0 - u_j ~ K tau, E_j = q_j tau^2 rests where 2 = K (E_j + sum_k E_k); the slowest error dies out like e^{-2 sigma / p}.
The limits follow once index 0 leads in u and a (docs/limits_of_training.md); besides, they are estimated at three decades.
"""

from itertools import pairwise

import numpy as np
from flint import fmpq

from claims.polarization.setting.clocks import leading_index, moderate_start
from claims.statement import POLARIZATION, Claim, Origin
from dynamics.arithmetic import exp, numbers, peak
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.slow_clocks import SlowFlow, late_decades

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Theorem 3.3(b), Lemma B.1(b), sharp",
    refs=("S1", "C-3.3b", "C-B1b"),
    statement="q_j tau^2 -> 2 / (p |beta_*|^2), q_j / q_k - 1 = O(tau^{-2/p}) for all j, k >= 1.",
    origin=Origin.OURS,
    system=SlowFlow,
    assumptions=(leading_index, moderate_start),
)


def _shrinks(earlier, later, error, order):
    """What T^order error may be at the later time, 5/4 of what it was or 1/4 where that was tiny, minus what it is.

    The coefficient of the leading order may be small at a start, and the next order then still shows.
    """
    before, after = (exp(order * f.sigma) * error(f) for f in (earlier, later))
    return fmpq(5, 4) * peak(np.concatenate([before, 0 * before + fmpq(1, 5)], axis=-1)) - after


def _spread(f):
    """max_jk q_j / q_k - 1."""
    logs = numbers(np.concatenate([f.logs[:-1], 0 * f.K[None]]))
    return exp(peak(logs) + peak(-logs)) - 1


@claim.limit("== 0", times=lambda start: (fmpq(1, 4), fmpq(1), fmpq(3)), trap=approach_trap)
def ratios_tend_to_limit(limit: Approach, start: SlowFlow, *, constant=2):
    """The limit of p K q_j tau^2, minus 2."""
    return start.p * start.K * limit.ratio - constant


@claim.limit(">= 0", times=lambda start: late_decades(start.p))
def ratios_settle(states, start, *, limit=1, order=2):
    """Readings: max_j |q_j tau^2 p K / 2 - 1| falls like tau^{-2/p}, so does max q_j / q_k - 1, from decade to decade."""
    p = start.p

    def distance(f):
        return peak(abs(f.weights * (f.tau / f.T) ** 2 * p * f.K / 2 - limit))

    rate = fmpq(order, p)
    return np.array([_shrinks(*pair, error, rate).item() for pair in pairwise(states) for error in (distance, _spread)])
