"""m - log(K t) -> 0, K t gamma -> 1, K t L -> 1: time is the exponential of the margin, with no free constant.

Theorem 3.3(a), (c) in sharp form (polarization S1, C-B1c): dm/dtau = lambda with lambda - K = o(1/tau^2), as K (|s|^2 -
1) ~ -4 (p-1) / (p tau^2) and |J(s) u|^2 cancel, so t e^{-m} -> 1/K faster than 1/log^2 t. The limits follow once index 0
leads in u and a (docs/limits_of_training.md).
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.clocks import leading_index
from claims.statement import Claim, Origin
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.slow_clocks import SlowLogisticFlow

claim = Claim(
    __name__,
    where="Theorem 3.3(a), (c), Lemma B.1, sharp",
    refs=("S1", "C-3.3a", "C-3.3c", "C-B1c"),
    statement="m - log(K t) -> 0 faster than 1/log^2 t, K t gamma -> 1, K t L -> 1.",
    origin=Origin.OURS,
    system=SlowLogisticFlow,
    assumptions=(leading_index,),
)


@claim.limit("== 0", times=lambda start: (fmpq(1, 4), fmpq(1), fmpq(3)), trap=approach_trap)
def time_is_exponential_of_margin(limit: Approach, start: SlowLogisticFlow, *, constant=1):
    """The limit of K t e^{-m}, so of K t gamma and K t L, minus 1; and that of (K t e^{-m} - 1) log^2 t."""
    return np.array([limit.time_share - constant, limit.time_error])
