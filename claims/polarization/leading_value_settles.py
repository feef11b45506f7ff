"""u_0 = K tau + C + 2 (p - 1) / (p tau) + o(1/tau) and m = K tau + C + o(1/tau); u_j converges like 1/tau.

Polarization S1. d(u_0 - K tau)/dtau = -K s_0 sum q_j ~ -2 (p - 1) / (p tau^2) and u_0 - m = s_0 sum q_j w_j ~ 2 (p - 1)
/ (p tau). C = sum_i u_i(0) - sum_{j>=1} u_j(infinity) drops out of differences between decades.
"""

from itertools import pairwise

import numpy as np
from flint import fmpq

from claims.assumptions import leading_index, moderate_start
from claims.statement import POLARIZATION, Claim
from dynamics.arithmetic import numbers, peak
from dynamics.slow_clocks import SlowFlow, decades

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Theorem 3.3(c), Lemma B.1(a), sharp",
    refs=("S1", "C-3.3c", "C-B1a"),
    printed="u_0 = K tau + C + 2 (p-1) / (p tau) + o(1/tau), m = K tau + C + o(1/tau), u_j -> u_j(infinity) for j >= 1.",
    system=SlowFlow,
    assumptions=(leading_index, moderate_start),
)


def _per_inverse_time(f, g, value):
    """(value(g) - value(f)) / (1/tau(g) - 1/tau(f)): the coefficient of 1/tau."""
    return (value(g) - value(f)) * f.tau * g.tau / (f.tau - g.tau)


def _error_falls(states, error):
    """The error of the last decade <= 7/10 of the largest before: it may pass through zero once."""
    *before, last = (error(f, g).item() for f, g in pairwise(states))
    return fmpq(7, 10) * peak(numbers(np.array(before))).item() - last


@claim.limit(">= 0", times=lambda start: decades(2, 5))
def values_settle(states, start, *, share=1):
    """The coefficients of 1/tau in u_0, m and u_j, j >= 1, approach 2 (p-1)/p, 0 and -2/p."""
    p = start.p

    def leader(f, g):
        return abs(_per_inverse_time(f, g, lambda h: h.offset) - share * fmpq(2 * (p - 1), p))

    def margin(f, g):
        return abs(_per_inverse_time(f, g, lambda h: h.offset - h.depth))

    def losers(f, g):
        return peak(abs(_per_inverse_time(f, g, lambda h: h.u_0 - h.w) + share * fmpq(2, p)))

    return np.array([_error_falls(states, leader), _error_falls(states, margin), _error_falls(states[:-1], losers)])
