"""m - log(K t) -> 0, K t gamma -> 1, K t L -> 1: time is the margin's exponential, and no constant is free.

Theorem 3.3(a), (c) in sharp form (polarization S1, C-B1c): dm/dtau = lambda with lambda - K = o(1/tau^2), so t e^{-m}
-> 1/K faster than 1/log^2 t. Values up to log t = 200.
"""

from itertools import pairwise

import numpy as np

from claims.assumptions import leading_index
from claims.statement import POLARIZATION, Claim
from dynamics.arithmetic import elementwise, exp, log
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


@claim.limit(">= 0", times=lambda start: [clock_at(n / start.K.item()) for n in (50, 100, 200)])
def time_settles(states, start, *, K_factor=1, order=2):
    """|error| at the later time <= (log t / log t later)^2 |error|, for K t gamma - 1, m - log(K t) and K t L - 1."""
    slacks = []
    for earlier, later in pairwise(states):
        errors = []
        for f in (earlier, later):
            share = K_factor * f.K * f.z
            vanishing = exp(-f.m)
            loss = elementwise(lambda v: v.log1p(), vanishing) / vanishing
            errors.append([abs(share / (1 + vanishing) - 1), abs(log(share)), abs(share * loss - 1)])
        shrink = (earlier.log_t / later.log_t) ** order
        slacks += [(shrink * before - after).item() for before, after in zip(*errors, strict=True)]
    return np.array(slacks)
