"""Equations (17) and (18) hold for some constant c_0, though not for the number that the proof first calls c_0.

`clock_exceeds_logarithm`: The constant -(1 + u_0(0) + e^{u_0(0)}) / 2 will do, with |beta_*| = 1: it follows from
`leading_value_outgrows_time` and u_0 <= e^{u_0} - 1. Both sides agree to first order where u_0(0) = 0 and the others
are near.

`leading_value_outgrows_time`: For any K, u_0 + e^{u_0} >= u_0(0) + e^{u_0(0)} + K t / p, since du_0/dt = gamma K s_0
with s_0 >= 1/p and gamma >= 1/(1 + e^{u_0}). Both hold because index 0 leads.

`clock_exceeds_leading_value`: For any K, int_0^t gamma >= (u_0(t) - u_0(0)) / K. The defect is the growth of the other
projections, K tau - (u_0 - u_0(0)) = sum_{j>=1} (u_j - u_j(0)).

`leading_value_speed`: For any K, gamma K / p <= du_0/dt <= gamma K: index 0 leads, so 1/p <= s_0 <= 1 and m <= u_0.

`leading_value_lower_bound`: False if c_0 is one number throughout the proof. From u_0 + e^{u_0} >= t/p - c_0 and u_0 <=
e^{u_0} follows log(t/(2p) - c_0/2); with c_0 in place of c_0/2 the bound fails at small t whenever u_0(0) > 0.
"""

from claims.polarization.setting.scores import ASSUMPTION_3_1, comonotone, leader_dominates, two_scores, unit_target
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exp, exp_difference
from dynamics.training.value_softmax import LogisticFlow

section = Section(__name__, system=LogisticFlow)


# u <= e^u - 1 is an equality at u = 0, and s_0 >= 1/p where all scores are equal: near both the bound is nearly attained.
def values_near_zero(draws):
    """Up to four value projections between 0 and -3/2048, or any."""
    small = {"values near zero": 1, "any values": 1024}[draws.choice(("values near zero", "any values"))]
    u = -(abs(draws.dyadic(draws.integer(2, 4), size=2)) + 1) * small / 2048
    u[..., 0] = u[..., 0] * (small - 1) / small
    K = 0 * u[..., 0] + 1
    return LogisticFlow(u=u, a=0 * u, K=K, t=draws.dyadic(), tau=draws.dyadic())


# For Theta(log t) the paper needs just some constant; with this one (17) is true from t = 0 on.
clock_exceeds_logarithm = section.claim(
    where="equations (17) and (18), for some constant",
    refs=("C-17", "C-18"),
    statement="int_0^t gamma(h) dh >= u_0(t) - u_0(0) >= log(t/(2p) - c_0) - u_0(0).",
    origin=Origin.PRINTED,
    assumptions=(*ASSUMPTION_3_1, unit_target),
    draw=values_near_zero,
)


# The exponential of the bound: its logarithm has no value where t/(2p) is below c_0, and nothing is claimed there.
@clock_exceeds_logarithm.rate("> 0", horizon=lambda start: 4)
def leading_value_above_logarithm(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """2 e^{u_0(t)} - t/p - (1 + u_0(0) + e^{u_0(0)})."""
    u_0 = start.u[:1]
    return 2 * exp(now.u[:1]) - rate * (now.t - start.t) / len(now.a) - (1 + u_0 + exp(u_0))


leading_value_outgrows_time = section.claim(
    where="proof of Theorem 3.3, before equation (17)",
    refs=("C-17", "C-gam"),
    statement="t <= p [u_0(t) - u_0(0) + exp(u_0(t)) - exp(u_0(0))]",
    origin=Origin.PRINTED,
    assumptions=ASSUMPTION_3_1,
)


@leading_value_outgrows_time.rate("> 0", horizon=lambda start: 4, name="leading_value_outgrows_time")
def leading_value_less_time(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """(u_0 + e^{u_0}) - (u_0(0) + e^{u_0(0)}) - K t / p."""
    u, u_0 = now.u[:1], start.u[:1]
    return (u - u_0) + exp_difference(u, u_0) - rate * now.K * (now.t - start.t) / len(now.a)


# 1 + e^{u_0} over 1 + e^m is the quotient of two gammas: at least 1, because u_0 is at least the mean m.
@leading_value_outgrows_time.state(">= 0", assuming=(two_scores, comonotone))
def leading_value_rate(f: LogisticFlow, *, rate=1):
    """(1 + e^{u_0}) du_0/dtau - (K/p) (1 + e^m), at every state ordered alike in u and a."""
    rise = (1 + exp(f.u[..., 0])) * f.du_dtau()[..., 0]
    return rise - rate * f.K / f.a.shape[-1] * (1 + exp(f.m))


# A loser 2^12 below loses nearly all weight in the first moments; from then on du_0 = K dtau almost exactly.
def far_leader(draws):
    """Two to four scores with any values; or two, u_0(0) at most 1 and the other 2^12 and more below it."""
    far = draws.choice(("any values", "far leader")) == "far leader"
    u = draws.dyadic(2 if far else draws.integer(2, 4))
    if far:
        u[..., 0], u[..., 1] = u[..., 0] / 4, -abs(u[..., 1]) - 2**12
    K = abs(draws.dyadic()) + (0 * u[..., 0] + 1) / 16
    return LogisticFlow(u=u, a=0 * u, K=K, t=draws.dyadic(), tau=draws.dyadic())


clock_exceeds_leading_value = section.claim(
    where="equation (18), first inequality",
    refs=("C-18", "M2(a)"),
    statement="int_0^t gamma(h) dh >= u_0(t) - u_0(0)",
    origin=Origin.PRINTED,
    assumptions=ASSUMPTION_3_1,
    draw=far_leader,
)


@clock_exceeds_leading_value.rate("> 0", horizon=lambda start: 4)
def clock_exceeds_growth(now: LogisticFlow, start: LogisticFlow, *, most=1):
    """K tau - (u_0 - u_0(0))."""
    return most * now.K * (now.tau - start.tau) - (now.u[:1] - start.u[:1])


# The defect of (18) in one line: the sum of all u_j grows at K, so what u_0 does not gain the others do.
@clock_exceeds_leading_value.identity(assuming=())
def total_growth(f: LogisticFlow, *, K_factor=1):
    """sum_i du_i/dtau - K."""
    return f.du_dtau().sum(axis=-1) - K_factor * f.K


leading_value_speed = section.claim(
    where="proof of Theorem 3.3",
    refs=("C-gam",),
    statement=(
        "gamma >= 1 / (1 + exp(u_0)) ... du_0 = gamma s_0 dt = gamma (1/Q) dt >= (gamma/p) dt ... du_0 = "
        "(gamma/Q) dt <= gamma dt"
    ),
    origin=Origin.PRINTED,
    assumptions=(two_scores, leader_dominates),
)


# Divided by e^m, so that 1/gamma is compared with 1/gamma without a difference of large numbers.
@leading_value_speed.state("> 0")
def gradient_weight_lower_bound(f: LogisticFlow, *, weight=1):
    """1/gamma at the largest margin u_0 minus 1/gamma at m, over e^m: e^{u_0 - m} - 1."""
    return weight * exp(f.u[..., 0] - f.m) - 1


@leading_value_speed.state(">= 0")
def speed_lower_bound(f: LogisticFlow, *, least=1):
    """p du_0/dtau - K."""
    return f.a.shape[-1] * f.du_dtau()[..., 0] - least * f.K


@leading_value_speed.state("> 0")
def speed_upper_bound(f: LogisticFlow, *, most=1):
    """K - du_0/dtau."""
    return most * f.K - f.du_dtau()[..., 0]


leading_value_lower_bound = section.claim(
    where="equation (17), with the first number that its proof calls c_0",
    refs=("C-17", "C-18"),
    note=(
        "The line before gives c_0 / 2 where c_0 is printed: for u(0) = (1, 0) the bound is log(1 + e) = "
        "1.31 at t = 0, above u_0(0) = 1. With some other constant it holds."
    ),
    statement="u_0(t) >= log(t/(2p) - c_0), c_0 = -(u_0(0) + e^{u_0(0)}), |beta_*| = 1.",
    assumptions=(*ASSUMPTION_3_1, unit_target),
    corrected_by="polarization.clock_exceeds_logarithm",
)


# Small times suffice: at t = 0 it reads e^{u_0(0)} >= u_0(0) + e^{u_0(0)}, which is false for every u_0(0) > 0.
@leading_value_lower_bound.rate(">= 0", horizon=lambda start: 1, name="leading_value_above_logarithm")
def leading_value_above_first_logarithm(now: LogisticFlow, start: LogisticFlow):
    """e^{u_0(t)} - (t/(2p) - c_0); where t/(2p) - c_0 <= 0 the bound says nothing and this is positive."""
    u_0 = start.u[:1]
    return exp_difference(now.u[:1], u_0) - u_0 - (now.t - start.t) / (2 * len(now.a))
