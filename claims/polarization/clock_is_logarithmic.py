"""The clock int_0^t gamma grows like log t, and the scores become one-hot.

Theorem 3.3(c) (polarization C-3.3c), with explicit constants on both sides (the paper proves only the lower one):

    (1/K) log(1 + K t / (1 + e^{u_0(0)}))  <=  tau  <=  (p/K) log(1 + K t e^{-m(0)} / p),    tau = int_0^t gamma.

Since tau grows without bound, `score_ratios_decay` sends the scores to e_0.
"""

from flint import fmpq

from claims.assumptions import ordered_values, two_scores, zero_scores
from claims.statement import POLARIZATION, Claim, Origin
from dynamics.arithmetic import exp
from dynamics.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Theorem 3.3(c)",
    refs=("C-3.3c", "E8", "T5"),
    statement=(
        "The polarization coefficient int_0^t gamma(beta(s)) ds = Theta(log t), and consequently the attention "
        "scores converge to a one-hot vector, i.e, lim s_0(t) = 1, and lim s_j(t) = 0, for j != 0."
    ),
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
)


@claim.rate("> 0", horizon=lambda start: fmpq(6))
def clock_is_at_least_logarithmic(now: LogisticFlow, start: LogisticFlow, *, speed=1):
    """(1 + e^{u_0(0)}) (e^{K tau} - 1) / K - t."""
    tau, t = now.tau - start.tau, now.t - start.t
    return (1 + exp(start.u[:1])) * (exp(speed * now.K * tau) - 1) / now.K - t


@claim.rate("> 0", horizon=lambda start: fmpq(6))
def clock_is_at_most_logarithmic(now: LogisticFlow, start: LogisticFlow, *, speed=1):
    """t - (p/K) e^{m(0)} (e^{K tau / p} - 1)."""
    p, tau, t = len(now.a), now.tau - start.tau, now.t - start.t
    return t - p / now.K * exp(start.m) * (exp(speed * now.K * tau / p) - 1)
