"""The leading value projection outgrows time: u_0 + e^{u_0} >= u_0(0) + e^{u_0(0)} + K t / p.

The correct form of equation (17) (polarization C-17), for any K = |beta_*|^2: du_0/dt = gamma K s_0 with s_0 >= 1/p and
gamma >= 1/(1 + e^{u_0}), both because index 0 leads.
"""

from flint import fmpq

from claims.polarization.setting.scores import comonotone, ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, exp_difference
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="proof of Theorem 3.3, before equation (17)",
    refs=("C-17", "C-gam"),
    statement="t <= p [u_0(t) - u_0(0) + exp(u_0(t)) - exp(u_0(0))]",
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
)


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def leading_value_outgrows_time(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """(u_0 + e^{u_0}) - (u_0(0) + e^{u_0(0)}) - K t / p."""
    u, u_0 = now.u[:1], start.u[:1]
    return (u - u_0) + exp_difference(u, u_0) - rate * now.K * (now.t - start.t) / len(now.a)


@claim.state(">= 0", assuming=(two_scores, comonotone))
def leading_value_rate(f: LogisticFlow, *, rate=1):
    """(1 + e^{u_0}) du_0/dtau - (K/p) (1 + e^m), at every state ordered alike in u and a."""
    rise = (1 + exp(f.u[..., 0])) * f.du_dtau()[..., 0]
    return rise - rate * f.K / f.a.shape[-1] * (1 + exp(f.m))
