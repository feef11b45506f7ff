"""The losing scores decay like one over log^2 t, with explicit constants: q_j <= 1 / R(xi), xi = (u_0 - u_0(0)) / K.

Lemma B.1(b) (polarization C-B1b), whose printed proof does not show it (E9). In the clock xi = int s_0 dtau the leader
gains exactly K xi, w_j = u_0 - u_j moves by w_j' = K (1 - q_j) and 1/q_j by at least w_j. So 1/q_j stays above the
solution R of R'' = K (1 - 1/R), R(0) = 1, R'(0) = delta_j = w_j(0), and R >= 1 + delta_j xi gives the closed bound

    R >= 1 + delta_j xi + K (xi^2/2 - ((1 + delta_j xi) log(1 + delta_j xi) - delta_j xi) / delta_j^2)    (S5).

It grows like K xi^2/2, and xi like log t by `leading_value_outgrows_time`. In particular q_j <= 1 / (1 + delta_j xi).
Checked are the derivative of the bound, and that 1/q_j grows faster at every time.
"""

from flint import fmpq

from claims.polarization.score_ratios_decay import inverse_ratio_speed
from claims.polarization.setting.scores import leading_value, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import log
from dynamics.differentiation import time_derivative
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="Lemma B.1(b)",
    refs=("C-B1b", "E9", "S5", "M2(l)"),
    statement="The attention scores for i != 0 satisy s_i = O(1 / log^2(t)).",
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, leading_value),
)


def least_inverse_ratio(K, gap, xi):
    """The closed lower bound on R(xi) above, for each gap; 1 for a gap of zero."""
    grown = 1 + gap * xi
    lost = (grown * log(grown) - gap * xi) / (gap * gap + (gap == 0))
    return grown + K * ((gap != 0) * xi * xi / 2 - lost)


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def inverse_ratio_speeds_up(now: LogisticFlow, start: LogisticFlow, *, K_factor=1):
    """delta_j (d(1/q_j)/dxi - delta_j - K xi) + K log(1 + delta_j xi) at every t > 0, the derivative of the bound."""
    gap, xi = start.u[:1] - start.u[1:], (now.u[:1] - start.u[:1]) / now.K
    excess = inverse_ratio_speed(now) / now.s[:1] - gap
    return gap * excess - K_factor * now.K * (gap * xi - log(1 + gap * xi))


@claim.identity(assuming=(two_scores,))
def bound_speeds_up(f: LogisticFlow, *, K_factor=1):
    """delta (dR/dxi - delta - K xi) + K log(1 + delta xi) for the closed bound, at xi = a_0^2 and delta = (u_0 - u_j)^2."""
    gap, xi = (f.u[..., :1] - f.u[..., 1:]) ** 2, f.a[..., :1] ** 2
    K = f.K[..., None]
    # d/dxi along a_0 alone, by the chain rule.
    rate = time_derivative(lambda g: least_inverse_ratio(g.K[..., None], gap, g.a[..., :1] ** 2), f)
    moved = time_derivative(lambda g: g.a[..., :1] ** 2, f)
    return gap * (rate - moved * (gap + K_factor * K * xi)) + moved * K * log(1 + gap * xi)
