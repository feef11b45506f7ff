"""int_0^t gamma >= (u_0(t) - u_0(0)) / K.

Equation (18) (polarization C-18): du_0/dtau = K s_0 <= K. The defect is the growth of the other projections,
K tau - (u_0 - u_0(0)) = sum_{j>=1} (u_j - u_j(0)), since sum_i du_i/dtau = K.
"""

from flint import fmpq

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.training.value_softmax import LogisticFlow


def far_leader(draws):
    """Two to four scores with any values; or two, u_0(0) at most 1 and the other 2^12 and more below it."""
    far = draws.choice(("any values", "far leader")) == "far leader"
    u = draws.dyadic(2 if far else draws.integer(2, 4))
    if far:
        u[..., 0], u[..., 1] = u[..., 0] / 4, -abs(u[..., 1]) - 2**12
    K = abs(draws.dyadic()) + (0 * u[..., 0] + 1) / 16
    return LogisticFlow(u=u, a=0 * u, K=K, t=draws.dyadic(), tau=draws.dyadic())


claim = Claim(
    __name__,
    where="equation (18), first inequality",
    refs=("C-18", "M2(a)"),
    statement="int_0^t gamma(h) dh >= u_0(t) - u_0(0)",
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    draw=far_leader,
)


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def clock_exceeds_growth(now: LogisticFlow, start: LogisticFlow, *, most=1):
    """K tau - (u_0 - u_0(0))."""
    return most * now.K * (now.tau - start.tau) - (now.u[:1] - start.u[:1])


@claim.identity(assuming=())
def total_growth(f: LogisticFlow, *, K_factor=1):
    """sum_i du_i/dtau - K."""
    return f.du_dtau().sum(axis=-1) - K_factor * f.K
