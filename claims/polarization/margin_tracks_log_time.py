"""m - log(K t) -> 0, K t gamma -> 1, K t L -> 1: time is the margin's exponential, and no constant is free.

Theorem 3.3(a), (c) in sharp form (polarization S1, C-B1c): dm/dtau = lambda with lambda - K = o(1/tau^2), so t e^{-m}
-> 1/K faster than 1/log^2 t. Values up to log t = 200.
"""

import numpy as np

from claims.assumptions import leading_index
from claims.statement import POLARIZATION, Claim
from dynamics.arithmetic import elementwise, exp, log, numbers, peak
from dynamics.slow_clocks import SlowLogisticFlow, clock_at

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Theorem 3.3(a), (c), Lemma B.1, sharp",
    refs=("S1", "C-3.3a", "C-3.3c", "C-B1c"),
    printed="m - log(K t) -> 0 faster than 1/log^2 t, K t gamma -> 1, K t L -> 1.",
    system=SlowLogisticFlow,
    assumptions=(leading_index,),
)


@claim.limit(">= 0", times=lambda start: [clock_at(n / start.K.item()) for n in (20, 50, 200)])
def time_settles(states, start, *, K_factor=1, order=2):
    """|error| log^2 t at log t near 200 is below half of its larger value at 20 and 50: K t gamma, log(K t) - m, K t L."""
    scaled = []
    for f in states:
        share = K_factor * f.K * f.z
        vanishing = exp(-f.m)
        loss = elementwise(lambda v: v.log1p(), vanishing) / vanishing
        errors = (share / (1 + vanishing) - 1, log(share), share * loss - 1)
        scaled.append(np.array([(abs(error) * f.log_t**order).item() for error in errors]))
    return np.array([peak(numbers(np.array(early))).item() for early in zip(*scaled[:2], strict=True)]) / 2 - scaled[2]
