"""The leading value moves at speed between gamma K / p and gamma K, with gamma >= 1 / (1 + e^{u_0}).

Proof of Theorem 3.3 (polarization C-gam): du_0/dt = gamma K s_0, where 1/p <= s_0 <= 1 and m <= u_0 because index 0
leads.
"""

from claims.polarization.setting.scores import leader_dominates, two_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="proof of Theorem 3.3",
    refs=("C-gam",),
    statement=(
        "gamma >= 1 / (1 + exp(u_0)) ... du_0 = gamma s_0 dt = gamma (1/Q) dt >= (gamma/p) dt ... du_0 = "
        "(gamma/Q) dt <= gamma dt"
    ),
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, leader_dominates),
)


@claim.state("> 0")
def gradient_weight_lower_bound(f: LogisticFlow, *, weight=1):
    """1/gamma at the largest margin u_0 minus 1/gamma at m, over e^m: e^{u_0 - m} - 1."""
    return weight * exp(f.u[..., 0] - f.m) - 1


@claim.state(">= 0")
def speed_lower_bound(f: LogisticFlow, *, least=1):
    """p du_0/dtau - K."""
    return f.a.shape[-1] * f.du_dtau()[..., 0] - least * f.K


@claim.state("> 0")
def speed_upper_bound(f: LogisticFlow, *, most=1):
    """K - du_0/dtau."""
    return most * f.K - f.du_dtau()[..., 0]
