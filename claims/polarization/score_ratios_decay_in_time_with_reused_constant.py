"""q_j <= p / (p + delta (log t - c_0)) with c_0 = -(u_0(0) + e^{u_0(0)}): false, the symbol c_0 is reused.

Proof of Theorem 3.3(c) (polarization C-q). The constant there absorbs log 2p and u_0(0) and is no longer the c_0 of
equation (17), which makes log t - c_0 large from the start when u_0(0) > 0.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import ordered_values, two_scores, unit_target, zero_scores
from claims.statement import POLARIZATION, Claim, Standing
from dynamics.arithmetic import exp, log
from dynamics.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="proof of Theorem 3.3(c)",
    refs=("C-q",),
    statement="q_j <= p / (p + delta (log t - c_0)), c_0 = -(u_0(0) + e^{u_0(0)}), |beta_*| = 1.",
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values, unit_target),
    standing=Standing.FALSE,
    corrected_by="polarization.score_ratios_decay_in_time",
)


@claim.limit(">= 0", times=lambda start: (fmpq(1, 4), fmpq(1)))
def inverse_ratio_outgrows_logarithm(states, start: LogisticFlow):
    """p/q_j - p - delta (log t - c_0) at tau = 1/4, 1."""
    delta, u_0 = min(start.u[:-1] - start.u[1:]), start.u[:1]
    margins = []
    for now in states:
        printed = delta * (log(now.t - start.t) + u_0 + exp(u_0))
        margins.append(len(now.a) * (exp(now.a[:1] - now.a[1:]) - 1) - printed)
    return np.concatenate(margins)
