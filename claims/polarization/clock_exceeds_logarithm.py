"""int_0^t gamma >= u_0(t) - u_0(0) >= log(t/(2p) - c_0) - u_0(0) for some constant c_0, -(1 + u_0(0) + e^{u_0(0)}) / 2.

Equations (17) and (18) (polarization C-17, C-18), |beta_*| = 1, for some constant: the proof never says which number
c_0 is, and with the first one that it stands for (17) is false, `leading_value_lower_bound`. By
`leading_value_outgrows_time` t/p <= u_0 + e^{u_0} - u_0(0) - e^{u_0(0)}, and u_0 <= e^{u_0} - 1. The first inequality
is `clock_exceeds_leading_value`. Both sides agree to first order where u_0(0) = 0 and the others are near.
"""

from flint import fmpq

from claims.polarization.setting.scores import ordered_values, two_scores, unit_target, zero_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.training.value_softmax import LogisticFlow


def values_near_zero(draws):
    """Up to four value projections between 0 and -3/2048, or any."""
    small = {"values near zero": 1, "any values": 1024}[draws.choice(("values near zero", "any values"))]
    u = -(abs(draws.dyadic(draws.integer(2, 4), size=2)) + 1) * small / 2048
    u[..., 0] = u[..., 0] * (small - 1) / small
    K = 0 * u[..., 0] + 1
    return LogisticFlow(u=u, a=0 * u, K=K, t=draws.dyadic(), tau=draws.dyadic())


claim = Claim(
    __name__,
    where="equations (17) and (18), for some constant c_0",
    refs=("C-17", "C-18"),
    statement="int_0^t gamma(h) dh >= u_0(t) - u_0(0) >= log(t/(2p) - c_0) - u_0(0).",
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values, unit_target),
    draw=values_near_zero,
)


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def leading_value_above_logarithm(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """2 e^{u_0(t)} - t/p - (1 + u_0(0) + e^{u_0(0)})."""
    u_0 = start.u[:1]
    return 2 * exp(now.u[:1]) - rate * (now.t - start.t) / len(now.a) - (1 + u_0 + exp(u_0))
