"""In time score ratios decay by q_j <= p / (p + (delta/K) log(1 + K t / (1 + e^{u_0(0)}))).

`score_ratios_decay_in_time`: The step after equation (18), with its constant: q_j <= p / (p + delta tau) and the lower
half of `clock_is_logarithmic`. For |beta_*| = 1 it is at most p / (p + delta (log t - c)) with c = log(1 +
e^{u_0(0)}), once the denominator is positive.

`score_ratios_decay_in_time_with_reused_constant`: False if "p / (p + delta (log(t) - c_0))" has the c_0 = -(u_0(0) +
e^{u_0(0)}) of a few lines before: then log t - c_0 is large from the start when u_0(0) > 0. The constant here must
absorb log 2p and u_0(0).
"""

from claims.polarization.setting.scores import ASSUMPTION_3_1, unit_target
from claims.stating.statement import Section
from dynamics.arithmetic import exp, log
from dynamics.training.value_softmax import LogisticFlow

section = Section(__name__, refs=("C-q",), system=LogisticFlow)

score_ratios_decay_in_time = section.claim(
    where="proof of Theorem 3.3(c), with the right constant",
    statement="q_j <= p / (p + (delta/K) log(1 + K t / (1 + e^{u_0(0)}))) for j != 0.",
    assumptions=ASSUMPTION_3_1,
)


# Rewritten so that both sides are 0 at the start and no logarithm stands in a denominator.
@score_ratios_decay_in_time.rate("> 0", horizon=lambda start: 4)
def inverse_ratio_outgrows_logarithm(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """p/q_j - p - (delta/K) log(1 + K t / (1 + e^{u_0(0)})), at every time up to tau = 4."""
    delta = min(start.u[:-1] - start.u[1:])
    logarithm = log(1 + now.K * (now.t - start.t) / (1 + exp(start.u[:1])))
    return len(now.a) * (exp(now.a[:1] - now.a[1:]) - 1) - rate * delta / now.K * logarithm


score_ratios_decay_in_time_with_reused_constant = section.claim(
    where="proof of Theorem 3.3(c), read with one constant throughout",
    note=(
        "The symbol c_0 is reused with another value: with that of equation (17), -(1 + e) for u(0) = (1, 0), the"
        " bound is too small at tau = 1. With log(1 + K t/(1 + e^{u_0(0)}))/K in place of log t - c_0 it holds."
    ),
    statement="q_j <= p / (p + delta (log t - c_0)), c_0 = -(u_0(0) + e^{u_0(0)}), |beta_*| = 1.",
    assumptions=(*ASSUMPTION_3_1, unit_target),
    corrected_by="polarization.score_ratios_decay_in_time",
)


# Where log t - c_0 is below -p/delta the printed bound is negative or undefined; this slack is then positive.
@score_ratios_decay_in_time_with_reused_constant.rate(
    ">= 0", horizon=lambda start: 1, name="inverse_ratio_outgrows_logarithm"
)
def inverse_ratio_outgrows_reused_logarithm(now: LogisticFlow, start: LogisticFlow):
    """p/q_j - p - delta (log t - c_0), t counted from the start, at every time up to tau = 1."""
    delta, u_0 = min(start.u[:-1] - start.u[1:]), start.u[:1]
    return len(now.a) * (exp(now.a[:1] - now.a[1:]) - 1) - delta * (log(now.t - start.t) + u_0 + exp(u_0))
