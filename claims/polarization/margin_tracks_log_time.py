"""m - log(K t) -> 0, K t gamma -> 1, K t L -> 1: time is the exponential of the margin, with no free constant.

Theorem 3.3(a), (c) in sharp form (polarization S1, C-B1c): dm/dtau = lambda with lambda - K = o(1/tau^2), as K (|s|^2 -
1) ~ -4 (p-1) / (p tau^2) and |J(s) u|^2 cancel, so t e^{-m} -> 1/K faster than 1/log^2 t. The limits follow once index 0
leads in u and a (docs/limits_of_training.md); beside them a reading at log t near 200, t counted from the start. (The
remainder times log^2 t may still rise there before it falls, so its size is stated, not its fall.)
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.clocks import at_most_eight_scores, leading_index, moderate_start
from claims.statement import POLARIZATION, Claim, Origin
from dynamics.arithmetic import elementwise, exp, log, numbers
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.slow_clocks import SlowLogisticFlow, clock_at

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Theorem 3.3(a), (c), Lemma B.1, sharp",
    refs=("S1", "C-3.3a", "C-3.3c", "C-B1c"),
    statement="m - log(K t) -> 0 faster than 1/log^2 t, K t gamma -> 1, K t L -> 1.",
    origin=Origin.OURS,
    system=SlowLogisticFlow,
    assumptions=(at_most_eight_scores, leading_index, moderate_start),
)


@claim.limit("== 0", times=lambda start: (fmpq(1, 4), fmpq(1), fmpq(3)), trap=approach_trap)
def time_is_exponential_of_margin(limit: Approach, start: SlowLogisticFlow, *, constant=1):
    """The limit of K t e^{-m}, so of K t gamma and K t L, minus 1."""
    return numbers(limit.time_share - constant)


@claim.limit(">= 0", times=lambda start: [clock_at(200 / start.K.item())])
def time_settles(states, start, *, K_factor=1, order=2):
    """A reading: 1/4 - |error| log^2 t at log t near 200, for K t gamma, log(K t) - m, K t L; K (|s|^2 - 1) gives 2."""
    (late,) = [state.since(start) for state in states]
    share = K_factor * late.K * late.z
    vanishing = exp(-late.m)
    loss = elementwise(lambda v: v.log1p(), vanishing) / vanishing
    errors = (share / (1 + vanishing) - 1, log(share), share * loss - 1)
    return np.array([fmpq(1, 4) - (abs(error) * late.log_t**order).item() for error in errors])
