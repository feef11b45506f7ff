"""Score ratios in time: q_j <= p / (p + (delta/K) log(1 + K t / (1 + e^{u_0(0)}))).

What the step after equation (18) proves (polarization C-q) with its constant worked out: q_j <= p / (p + delta tau)
and the lower half of `clock_is_logarithmic`. For |beta_*| = 1 it is p / (p + delta (log t - c)) with c = log(1 +
e^{u_0(0)}).
"""

from flint import fmpq

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, log
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="proof of Theorem 3.3(c), with the right constant",
    refs=("C-q",),
    statement="q_j <= p / (p + (delta/K) log(1 + K t / (1 + e^{u_0(0)}))) for j != 0.",
    origin=Origin.OURS,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
)


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def inverse_ratio_outgrows_logarithm(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """p/q_j - p - (delta/K) log(1 + K t / (1 + e^{u_0(0)})), at every time up to tau = 4."""
    delta = min(start.u[:-1] - start.u[1:])
    logarithm = log(1 + now.K * (now.t - start.t) / (1 + exp(start.u[:1])))
    return len(now.a) * (exp(now.a[:1] - now.a[1:]) - 1) - rate * delta / now.K * logarithm
