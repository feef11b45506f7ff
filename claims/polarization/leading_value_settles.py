"""u_0 = K tau + C + 2 (p - 1) / (p tau) + o(1/tau) and m = K tau + C + o(1/tau); u_j converges like 1/tau.

Polarization S1. d(u_0 - K tau)/dtau = -K s_0 sum q_j ~ -2 (p - 1) / (p tau^2) and u_0 - m = s_0 sum q_j w_j ~ 2 (p - 1)
/ (p tau); C = sum_i u_i(0) - sum_{j>=1} u_j(infinity). The limits follow once index 0 leads in u and a
(docs/limits_of_training.md).
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.clocks import leading_index
from claims.statement import Claim, Origin
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.slow_clocks import SlowFlow

claim = Claim(
    __name__,
    where="Theorem 3.3(c), Lemma B.1(a), sharp",
    refs=("S1", "C-3.3c", "C-B1a"),
    statement="u_0 = K tau + C + 2 (p-1) / (p tau) + o(1/tau), m = K tau + C + o(1/tau), u_j -> u_j(infinity) for j >= 1.",
    origin=Origin.OURS,
    system=SlowFlow,
    assumptions=(leading_index,),
)


@claim.limit("== 0", times=lambda start: (fmpq(1, 4), fmpq(1), fmpq(3)), trap=approach_trap)
def values_settle_like_inverse_clock(limit: Approach, start: SlowFlow, *, share=1):
    """p times the coefficients of 1/tau in u_0 - K tau, m - K tau and u_j, minus 2 (p - 1), 0 and -2."""
    p = start.p
    found = [p * limit.leader, p * limit.margin, p * limit.loser]
    return np.array([x - share * y for x, y in zip(found, (2 * (p - 1), 0, -2), strict=True)])
