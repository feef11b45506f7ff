"""q_j <= p / (p + delta (log t - c_0)) with the c_0 of equation (17): false, the symbol denotes another constant there.

Proof of Theorem 3.3(c), "p / (p + delta (log(t) - c_0))", read with c_0 = -(u_0(0) + e^{u_0(0)}) of a few lines before
(polarization C-q). The constant must absorb log 2p and u_0(0) there; with the c_0 of (17) log t - c_0 is large from the
start when u_0(0) > 0. With a constant of its own the line is true (`score_ratios_decay_in_time`).
"""

from flint import fmpq

from claims.polarization.setting.scores import ordered_values, two_scores, unit_target, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exp, log
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="proof of Theorem 3.3(c), read with one constant throughout",
    refs=("C-q",),
    note=(
        "The symbol c_0 is reused with another value: with that of equation (17), -(1 + e) for u(0) = (1, 0), the"
        " bound is too small at tau = 1. With log(1 + K t/(1 + e^{u_0(0)}))/K in the place of log t - c_0 it "
        "holds."
    ),
    statement="q_j <= p / (p + delta (log t - c_0)), c_0 = -(u_0(0) + e^{u_0(0)}), |beta_*| = 1.",
    origin=Origin.OURS,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values, unit_target),
    standing=Standing.FALSE,
    corrected_by="polarization.score_ratios_decay_in_time",
)


@claim.rate(">= 0", horizon=lambda start: fmpq(1))
def inverse_ratio_outgrows_logarithm(now: LogisticFlow, start: LogisticFlow):
    """p/q_j - p - delta (log t - c_0), t counted from the start, at every time up to tau = 1."""
    delta, u_0 = min(start.u[:-1] - start.u[1:]), start.u[:1]
    return len(now.a) * (exp(now.a[:1] - now.a[1:]) - 1) - delta * (log(now.t - start.t) + u_0 + exp(u_0))
