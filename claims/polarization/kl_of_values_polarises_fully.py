"""The loss -<p_*, log(V s)> is unbounded below and makes the scores one-hot, on V = sqrt(p_*) u^T.

What is true of section 3.2 (polarization C-KL, E18). With beta_* = sqrt(p_*) and |beta_*| = 1 the flow is the reduced
flow of Theorem 3.2 with gamma = 1/m: m >= m(0) + tau / p grows without bound, the loss is -log m plus a constant, and
t <= u_0(0) tau + tau^2 / 2, so tau = int gamma is unbounded and q_j <= 1 / (1 + delta tau / p) tends to 0.
"""

from flint import fmpq

from claims.polarization.score_ratios_decay import inverse_ratio_rate
from claims.polarization.setting.maps import positive_values
from claims.polarization.setting.scores import comonotone, ordered_values, two_scores, unit_target, zero_scores
from claims.statement import Claim, Origin
from dynamics.training.kl_loss import ValuesKLFlow

claim = Claim(
    __name__,
    where="section 3.2, KL divergence as it is written",
    refs=("C-KL", "E18", "S2"),
    statement="On V(0) = sqrt(p_*) u(0)^T with u(0) > 0 the loss -<p_*, log(V s)> tends to minus infinity and s -> e_0.",
    origin=Origin.OURS,
    system=ValuesKLFlow,
    assumptions=(two_scores, unit_target, zero_scores, positive_values, ordered_values),
)


@claim.rate("> 0", horizon=lambda start: fmpq(12))
def clock_outgrows_root_of_time(now: ValuesKLFlow, start: ValuesKLFlow, *, speed=1):
    """u_0(0) tau + tau^2 / 2 - t, in the clock t."""
    tau = now.tau - start.tau
    return start.u[:1] * tau + tau * tau / 2 - speed * (now.t - start.t)


@claim.state(">= 0", assuming=())
def margin_rate(f: ValuesKLFlow, *, rate=1):
    """dm/dtau - K/p, at any state whatever: m is unbounded, and the loss with it."""
    return f.dm_dtau() - rate * f.K / f.a.shape[-1]


@claim.state(">= 0", assuming=(two_scores, comonotone))
def score_ratio_rate(f: ValuesKLFlow, *, rate=1):
    """p d(1/q_j)/dtau - (u_0 - u_j), as in Theorem 3.3(b)."""
    return inverse_ratio_rate(f, rate=rate)
