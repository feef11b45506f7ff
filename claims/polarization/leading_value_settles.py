"""u_0 = K tau + C + 2 (p - 1) / (p tau) + o(1/tau) and m = K tau + C + o(1/tau); u_j converges like 1/tau.

Polarization S1. d(u_0 - K tau)/dtau = -K s_0 sum q_j ~ -2 (p - 1) / (p tau^2) and u_0 - m = s_0 sum q_j w_j ~ 2 (p - 1)
/ (p tau). C = sum_i u_i(0) - sum_{j>=1} u_j(infinity) drops out of differences between decades. What a coefficient may
still miss is compared with the distance to the one-hot limit a decade before, which tends to 0 (`score_ratios_settle`).
The limits follow once index 0 leads in u and a (docs/limits_of_training.md); besides, they are estimated at four decades.
"""

from itertools import pairwise

import numpy as np
from flint import fmpq

from claims.polarization.setting.clocks import leading_index, moderate_start
from claims.statement import POLARIZATION, Claim, Origin
from dynamics.arithmetic import exp
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.slow_clocks import SlowFlow, decades, distance_to_limit

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Theorem 3.3(c), Lemma B.1(a), sharp",
    refs=("S1", "C-3.3c", "C-B1a"),
    statement="u_0 = K tau + C + 2 (p-1) / (p tau) + o(1/tau), m = K tau + C + o(1/tau), u_j -> u_j(infinity) for j >= 1.",
    origin=Origin.OURS,
    system=SlowFlow,
    assumptions=(leading_index, moderate_start),
)


def _coefficients(f, g, value):
    """(value(g) - value(f)) / (1/T(g) - 1/T(f)), T = 1 + tau: the coefficient of 1/T, which is that of 1/tau."""
    return (value(g) - value(f)) * f.T * g.T / (f.T - g.T)


@claim.limit("== 0", times=lambda start: (fmpq(1, 4), fmpq(1), fmpq(3)), trap=approach_trap)
def values_settle_like_inverse_clock(limit: Approach, start: SlowFlow, *, share=1):
    """p times the coefficients of 1/tau in u_0 - K tau, m - K tau and u_j, minus 2 (p - 1), 0 and -2."""
    p = start.p
    found = [p * limit.leader, p * limit.margin, p * limit.loser]
    return np.array([x - share * y for x, y in zip(found, (2 * (p - 1), 0, -2), strict=True)])


@claim.limit(">= 0", times=lambda start: decades(2, 5))
def values_settle(states, start, *, share=1):
    """Readings: the coefficients of 1/tau in u_0, m and u_j against 2 (p-1)/p, 0 and -2/p, as near as the state allows."""
    p, slacks = start.p, []
    for f, g in pairwise(states):
        # u_0 and u_j move by -+ K s_0 sum_k q_k and K s_0 q_j: means of q_k T^2 over the decade. u_0 - m is (1/T) s_0 sum_k
        # q_k T^2 W_k, and 1/T(f) + 1/T(g) is less than 13/9 of their difference.
        x = distance_to_limit(f)
        most = exp(x * exp(2 * x)) - 1
        leader = abs(_coefficients(f, g, lambda h: h.offset[None]) - share * fmpq(2 * (p - 1), p))
        margin = abs(_coefficients(f, g, lambda h: (h.offset - h.depth)[None]))
        losers = abs(_coefficients(f, g, lambda h: h.u_0 - h.w) + share * fmpq(2, p))
        slacks += [fmpq(2 * (p - 1), p) * most - leader, fmpq(5 * (p - 1), p) * most - margin]
        if g is not states[-1]:  # there float64 searches would lose u_0 - w_j
            slacks.append(fmpq(2, p) * most - losers)
    return np.concatenate(slacks)
