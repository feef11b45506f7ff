"""Score ratios to the leader decay at least like one over the clock.

Theorem 3.3(b) (polarization C-3.3b): with delta = min_{i<j} (u_i - u_j)(0), q_j = s_j / s_0 satisfies
q_j <= 1 / (1 + (delta/p) tau), tau = int_0^t gamma, for j != 0. In rates: d(1/q_j)/dtau >= w_j / p with w_j = u_0 - u_j.
"""

from flint import fmpq

from claims.polarization.setting.scores import comonotone, ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="Theorem 3.3(b)",
    refs=("C-3.3b", "M2(f)", "H3", "T1"),
    statement=(
        "Decay of non-maximal scores. For any j != 0 and any t > 0, s_j(t)/s_0(t) <= 1 / (1 + (delta/p) int_0^t "
        "gamma(beta(s)) ds)."
    ),
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
)


def inverse_ratio_speed(f):
    """d(1/q_j)/dtau = e^{a_0 - a_j} (a_0 - a_j)'."""
    a, da = f.a, f.da_dtau()
    return exp(a[..., :1] - a[..., 1:]) * (da[..., :1] - da[..., 1:])


@claim.state(">= 0", assuming=(two_scores, comonotone))
def inverse_ratio_rate(f: LogisticFlow, *, rate=1):
    """p d(1/q_j)/dtau - w_j, at every state ordered alike in u and a."""
    return f.a.shape[-1] * inverse_ratio_speed(f) - rate * (f.u[..., :1] - f.u[..., 1:])


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def inverse_ratio_outgrows_clock(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """d(1/q_j)/dtau - delta/p at every t > 0; integrated from q_j(0) = 1 it is the printed bound."""
    delta = min(start.u[:-1] - start.u[1:])
    return inverse_ratio_speed(now) - rate * delta / len(now.a)
