"""The losing scores decay like 1/log^2 t, as Lemma B.1(b) says, though not by the printed proof.

`losing_scores_decay_quadratically`: With explicit constants, q_j <= 1 / R(xi). In the clock xi = int s_0 dtau = (u_0 -
u_0(0)) / K, w_j = u_0 - u_j moves by w_j' = K (1 - q_j) and 1/q_j by at least w_j. So 1/q_j stays above the solution R
of R'' = K (1 - 1/R), R(0) = 1, R'(0) = delta_j = w_j(0), and R >= 1 + delta_j xi gives the closed bound (S5)

    R >= 1 + delta_j xi + K (xi^2/2 - ((1 + delta_j xi) log(1 + delta_j xi) - delta_j xi) / delta_j^2).

It grows like K xi^2/2, and xi like log t by `leading_value_outgrows_time`. The derivative of the bound is checked, and
that 1/q_j grows faster at every time.

`losing_scores_decay_quadratically_by_printed_chain`: False (E9): the chain integrates a lower bound on dq_j and
reverses the sign in its last line. For two scores its first line holds in the clock tau with everything explicit: q [q w +
(1-q)(u_0 - m)] / Q <= 2 q^2 w and w <= delta + K tau, so dq >= -2 q^2 (delta + K tau) dtau and q >= 1 / (1 + 2 delta
tau + K tau^2). The last line claims <=.

`one_hot_bound_in_time`: An explicit bound in t, checked up to log t near 50. Equation (17) gives K xi >= log(K t /
(2p)) - u_0(0) where u_0(0) >= 0. Since xi >= 0 and R_j rises from R_j(0) = 1 (below 0 it may have no value), s_j <= 1 /
R_j(max(0, log(K t / (2p)) - u_0(0)) / K). Of 1/q_j >= R_j(xi) the derivative in xi is checked, as both sides begin at 1
with the same slope.
"""

from claims.polarization.one_hot_limit import inverse_ratio_speed
from claims.polarization.setting.clocks import leading_index, level_scores, positive_margin
from claims.polarization.setting.scores import leader_dominates, leading_value, two_scores, two_scores_only, zero_scores
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exp, log
from dynamics.differentiation import time_derivative
from dynamics.training.slow_clocks import SlowLogisticFlow, clock_at
from dynamics.training.value_softmax import LogisticFlow

section = Section(__name__, system=LogisticFlow)

losing_scores_decay_quadratically = section.claim(
    where="Lemma B.1(b)",
    refs=("C-B1b", "E9", "S5", "M2(l)"),
    statement="The attention scores for i != 0 satisy s_i = O(1 / log^2(t)).",
    origin=Origin.PRINTED,
    assumptions=(two_scores, zero_scores, leading_value),
)


# At a gap of zero `lost` would be 0/0. Its limit is xi^2/2, which cancels: the two comparisons make the bound 1 there.
def least_inverse_ratio(K, gap, xi):
    """The closed lower bound on R(xi) above, for each gap; 1 for a gap of zero."""
    grown = 1 + gap * xi
    lost = (grown * log(grown) - gap * xi) / (gap * gap + (gap == 0))
    return grown + K * ((gap != 0) * xi * xi / 2 - lost)


# Multiplied by delta_j, by which the derivative of the bound divides its logarithm.
@losing_scores_decay_quadratically.rate("> 0", horizon=lambda start: 4)
def inverse_ratio_speeds_up(now: LogisticFlow, start: LogisticFlow, *, K_factor=1):
    """delta_j (d(1/q_j)/dxi - delta_j - K xi) + K log(1 + delta_j xi) at every t > 0, the derivative of the bound."""
    gap, xi = start.u[:1] - start.u[1:], (now.u[:1] - start.u[:1]) / now.K
    excess = inverse_ratio_speed(now) / now.s[:1] - gap
    return gap * excess - K_factor * now.K * (gap * xi - log(1 + gap * xi))


# The numbers of the identity are drawn as scores and values; their squares are >= 0, as xi and delta are.
@losing_scores_decay_quadratically.identity(assuming=(two_scores,))
def bound_speeds_up(f: LogisticFlow, *, K_factor=1):
    """delta (dR/dxi - delta - K xi) + K log(1 + delta xi) for the closed bound, at xi = a_0^2 and delta = (u_0 - u_j)^2."""
    gap, xi = (f.u[..., :1] - f.u[..., 1:]) ** 2, f.a[..., :1] ** 2
    K = f.K[..., None]
    # d/dxi along a_0 alone, by the chain rule.
    rate = time_derivative(lambda g: least_inverse_ratio(g.K[..., None], gap, g.a[..., :1] ** 2), f)
    moved = time_derivative(lambda g: g.a[..., :1] ** 2, f)
    return gap * (rate - moved * (gap + K_factor * K * xi)) + moved * K * log(1 + gap * xi)


# For two scores alone: there the chain has no sum over other losers, and its constant c is explicit.
losing_scores_decay_quadratically_by_printed_chain = section.claim(
    where="proof of Lemma B.1(b), last line of the chain read with the c of the lines before",
    refs=("C-B1b", "E9"),
    note=(
        "The last line reverses the inequality: a lower bound for dq_j bounds q_j from below, and from u(0)"
        " = (2, 0) the ratio q_1 is 1/17.9 at tau = 4, where the last line allows 1/33. That s_j = O(1/log^2 t) "
        "is true, for other reasons."
    ),
    statement="With c from dq_j >= -c q_j^2 (log t / t) dt, q_j <= 1 / (1 + c log^2 t / 2).",
    assumptions=(two_scores_only, zero_scores, leading_value),
    corrected_by="polarization.losing_scores_decay_quadratically",
)


@losing_scores_decay_quadratically_by_printed_chain.state(">= 0", assuming=(two_scores_only, leader_dominates))
def first_line(f: LogisticFlow, *, most=2):
    """2 w - d(1/q)/dtau with w = u_0 - u_1: the line that the last one should follow from, and this one holds."""
    return most * (f.u[..., :1] - f.u[..., 1:]) - inverse_ratio_speed(f)


@losing_scores_decay_quadratically_by_printed_chain.rate(">= 0", horizon=lambda start: 4)
def last_line(now: LogisticFlow, start: LogisticFlow):
    """1/q - (1 + 2 delta tau + K tau^2)."""
    tau, delta = now.tau - start.tau, start.u[:1] - start.u[1:]
    return exp(now.a[:1] - now.a[1:]) - 1 - 2 * delta * tau - now.K * tau * tau


# In the slow clock log(1 + tau): log t near 50 means tau near 50 / K, far beyond the horizons in tau.
one_hot_bound_in_time = section.claim(
    where="Lemma B.1(b), explicit",
    refs=("S5", "C-B1b", "C-17", "E9"),
    statement="s_j(t) = O(1 / log^2 t) for j >= 1; explicitly s_j <= 1 / R_j(max(0, log(K t / (2p)) - u_0(0)) / K).",
    system=SlowLogisticFlow,
    assumptions=(leading_index, level_scores, positive_margin),
)


@one_hot_bound_in_time.rate("> 0", horizon=lambda start: clock_at(50 / start.K.item()))
def inverse_ratio_outruns_bound(now: SlowLogisticFlow, start: SlowLogisticFlow, *, growth=1):
    """q_j delta_j (d(1/q_j)/dxi - dR_j/dxi), with d(1/q_j)/dxi = w_j + (1/q_j - 1) D, at every time up to log t near 50."""
    gaps, xi = start.gaps, growth * (now.u_0 - start.u_0) / now.K
    excess = now.q * (now.w - gaps - now.K * xi) + (1 - now.q) * now.depth
    return gaps * excess + now.q * now.K * log(1 + gaps * xi)


# z = t e^{-m} is what the slow flow carries: t itself is near e^50.
@one_hot_bound_in_time.rate("> 0", horizon=lambda start: clock_at(50 / start.K.item()))
def leading_value_outgrows_time(now: SlowLogisticFlow, start: SlowLogisticFlow, *, growth=1):
    """1 - (K t / (2p)) e^{-u_0}, at every time up to log t near 50."""
    elapsed = now.z - start.z * exp(start.m - now.m)
    return (1 - growth * now.K * elapsed * exp(-now.depth) / (2 * now.p))[None]
