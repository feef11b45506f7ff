"""The clock int_0^t gamma grows like log t, and the scores become one-hot (Theorem 3.3(c)).

The paper proves only the lower bound (E8). Both follow, with constants, from m(0) + K tau / p <= m <= u_0(0) + K tau
and dt/dtau = 1 + e^m, tau = int_0^t gamma:

    tau + (p/K) e^{m(0)} (e^{K tau / p} - 1)  <=  t  <=  tau + (1/K) e^{u_0(0)} (e^{K tau} - 1).

The first is nearly attained for near ties, the second for a far leader. Since tau grows without bound,
`score_ratios_decay` sends the scores to e_0.
"""

from claims.polarization.clock_bounds import far_leader
from claims.polarization.setting.scores import ASSUMPTION_3_1
from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.training.value_softmax import LogisticFlow


# Each half has its own extreme: near ties m rises at K/p, the slowest; a far leader takes all weight, m rises at K.
def _any_values_or_extreme(draws):
    """Any values, near ties, or a far leader."""
    kind = draws.choice(("any values", "near ties", "far leader"))
    if kind == "far leader":
        return far_leader(draws)
    K = abs(draws.dyadic()) + 1
    u = draws.dyadic(draws.integer(2, 4)) / (256 if kind == "near ties" else 1)
    return LogisticFlow(u=u, a=0 * u, K=K, t=draws.dyadic(), tau=draws.dyadic())


claim = Claim(
    __name__,
    where="Theorem 3.3(c)",
    refs=("C-3.3c", "E8", "T5"),
    statement=(
        "The polarization coefficient int_0^t gamma(beta(s)) ds = Theta(log t), and consequently the attention "
        "scores converge to a one-hot vector, i.e, lim s_0(t) = 1, and lim s_j(t) = 0, for j != 0."
    ),
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=ASSUMPTION_3_1,
    draw=_any_values_or_extreme,
)


# In closed form: dt/dtau = 1 + e^m <= 1 + e^{u_0(0) + K tau}, integrated.
@claim.rate("> 0", horizon=lambda start: 6)
def clock_is_at_least_logarithmic(now: LogisticFlow, start: LogisticFlow, *, speed=1):
    """tau + e^{u_0(0)} (e^{K tau} - 1) / K - t."""
    tau, t = now.tau - start.tau, now.t - start.t
    return tau + exp(start.u[:1]) * (exp(speed * now.K * tau) - 1) / now.K - t


# dm/dtau >= K |s|^2 >= K/p at every state, `margin_rate` of loss_vanishes: a(0) = 0 and the order are not needed here.
@claim.rate("> 0", horizon=lambda start: 6)
def clock_is_at_most_logarithmic(now: LogisticFlow, start: LogisticFlow, *, speed=1):
    """m - m(0) - K tau / p; as dt/dtau = 1 + e^m, integrated it is t >= tau + (p/K) e^{m(0)} (e^{K tau / p} - 1)."""
    return now.m - start.m - speed * now.K * (now.tau - start.tau) / len(now.a)
