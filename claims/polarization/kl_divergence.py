"""The loss -<p_*, log(V s)> makes the scores one-hot; with softmax(V^T s) for V s it behaves like regression.

`kl_of_logits_is_like_regression`: With r = p_* - q, q = softmax(V^T s), the loss falls at |s|^2 |r|^2 + |J(s) V r|^2,
at least |r|^2 / p, and KL(p_* | q) <= sum_i r_i^2 / q_i. As the loss never rises, q stays away from 0. So the loss
tends to its minimum exponentially, in finite total motion of V and a, and finite scores are not one-hot.

`kl_of_values_is_like_regression`: False for the loss as written (E18). Nothing keeps V s on the simplex, so the loss
has no minimum: on V = sqrt(p_*) u^T it is -log m up to a constant, gamma = 1/m, and int gamma diverges.

`kl_of_values_polarises_fully`: With beta_* = sqrt(p_*), |beta_*| = 1, the flow is that of Theorem 3.2 with gamma = 1/m.
So m >= m(0) + tau / p grows without bound, and t <= u_0(0) tau + tau^2 / 2. Hence tau is unbounded, and q_j <= 1 / (1 +
delta tau / p) tends to 0.

`kl_of_values_stays_aligned`: With beta_* = sqrt(p_*), K = sum p_* = 1, beta = beta_* m / K and r = p_* / beta = (K / m)
beta_*. So du/dt = gamma K s and da/dt = gamma J(s) u with gamma = K/m.
"""

import numpy as np
from flint import fmpq

from claims.polarization.one_hot_limit import inverse_ratio_rate
from claims.polarization.setting.maps import positive_model, positive_values
from claims.polarization.setting.scores import (
    aligned_values,
    comonotone,
    logits_at_the_target_or_any,
    ordered_values,
    two_scores,
    unit_target,
    zero_scores,
)
from claims.stating.experiments import Reading
from claims.stating.statement import Origin, Section
from dynamics.differentiation import time_derivative
from dynamics.training.kl_loss import FullValuesKLFlow, LogitsKLFlow, ValuesKLFlow

section = Section(__name__)

kl_of_logits_is_like_regression = section.claim(
    where="section 3.2, KL divergence, with the loss of figure 10",
    refs=("C-KL", "E18", "X4"),
    statement=(
        "The resulting gradient-flow dynamics are analogous to the regression case, and we again observe "
        "polarization, albeit with diminishing strength compared to the case of classification (Figure 10)."
    ),
    origin=Origin.PRINTED,
    system=LogitsKLFlow,
    draw=logits_at_the_target_or_any,
)


# The loss less the entropy of p_*, its least value: so it is exactly zero at the target and nowhere negative.
def _divergence(f):
    """KL(p_* | q), which is the loss less its least value."""
    return (f.target * f.log_ratio()).sum(axis=-1)


@kl_of_logits_is_like_regression.identity()
def loss_rate_formula(f: LogitsKLFlow, *, share=1):
    """-dl/dt - |s|^2 |r|^2 - |J(s) V r|^2."""
    (_, da), s, r = f.velocity(), f.s, f.residual()
    rest = share * (s * s).sum(axis=-1) * (r * r).sum(axis=-1) + (da * da).sum(axis=-1)
    return time_derivative(_divergence, f) + rest


# |s|^2 >= 1/p, and the rest of the rate is a square.
@kl_of_logits_is_like_regression.state(">= 0")
def loss_decay_rate(f: LogitsKLFlow, *, rate=1):
    """-p dl/dt - |p_* - q|^2."""
    r = f.residual()
    return -f.a.shape[-1] * time_derivative(_divergence, f) - rate * (r * r).sum(axis=-1)


# log x <= x - 1 under the sum: with the rate above it makes the decay exponential, as long as q stays away from 0.
@kl_of_logits_is_like_regression.state(">= 0")
def divergence_is_at_most_chi_square(f: LogitsKLFlow, *, most=1):
    """sum_i (p_i - q_i)^2 / q_i - sum_i p_i log(p_i / q_i)."""
    r = f.residual()
    return most * (r * r / f.q).sum(axis=-1) - _divergence(f)


@kl_of_logits_is_like_regression.experiment()
def figure_10(steps):
    """Figure 10: V (10 x 10) = 0.1 randn, a = 0, p_* = softmax(10 rand(10)), seed 123, lr 0.1 (digits of a re-run)."""
    rng = np.random.RandomState(123)
    V = 0.1 * rng.randn(10, 10)
    a = 0 * rng.randn(10)
    target = np.exp(10 * rng.rand(10))
    target /= target.sum()
    printed = {1_000: ("0.388", None), 10_000: ("0.937", None), 100_000: (None, "1.2e-5")}
    readings = []
    for step in range(1, max((c for c in printed if c <= steps), default=0) + 1):
        e = np.exp(a - a.max())
        s = e / e.sum()
        z = np.exp(s @ V)
        q = z / z.sum()
        r = target - q
        pulled = V @ r
        V += np.multiply.outer(0.1 * s, r)
        a = a + 0.1 * s * (pulled - s @ pulled)
        if step in printed:
            share, gap = printed[step]
            if share:
                e = np.exp(a - a.max())
                readings.append(Reading(f"{step} steps: max s", float(e.max() / e.sum()), share))
            if gap:
                excess = float((target * np.log(target / q)).sum())
                readings.append(Reading(f"{step} steps: KL(p_* | q)", excess, gap))
    return readings


# With V = sqrt(p_*) u^T, K = 1: only u is left of V, and m > 0 keeps the logarithm defined.
kl_of_values_is_like_regression = section.claim(
    where="section 3.2, regression, asked of the KL divergence as it is written",
    refs=("C-KL", "E18"),
    note=(
        "The loss as written has no lower bound, and its clock no upper one: from u(0) = (2, 1) the integral of gamma is "
        "2.55 at t = 6, above 1/|s(0)|^2 = 2. It tends to infinity, and s tends to e_0."
    ),
    statement="For l(beta) = -<p_*, log beta>, as for regression, int_0^infinity gamma = Theta(1), below 1/|s(0)|^2.",
    origin=Origin.CARRIED_OVER,
    system=ValuesKLFlow,
    assumptions=(two_scores, unit_target, zero_scores, positive_values, ordered_values),
    corrected_by="polarization.kl_of_values_polarises_fully",
)


# t <= u_0(0) tau + tau^2 / 2, so tau passes p = 1/|s(0)|^2 within this time.
@kl_of_values_is_like_regression.rate("> 0", horizon=lambda start: (start.u[0] + fmpq(len(start.u), 2)) * len(start.u))
def clock_stays_below_limit(now: ValuesKLFlow, start: ValuesKLFlow):
    """1/|s(0)|^2 - tau at every time t of a horizon that suffices to exceed it."""
    return 1 / (start.s * start.s).sum(axis=-1) - (now.tau - start.tau)


kl_of_values_polarises_fully = section.claim(
    where="section 3.2, KL divergence as it is written",
    refs=("C-KL", "E18", "S2"),
    statement="On V(0) = sqrt(p_*) u(0)^T with u(0) > 0 the loss -<p_*, log(V s)> tends to minus infinity and s -> e_0.",
    system=ValuesKLFlow,
    assumptions=(two_scores, unit_target, zero_scores, positive_values, ordered_values),
)


# dt/dtau = m <= u_0 <= u_0(0) + tau, integrated: t = O(tau^2), so tau is unbounded.
@kl_of_values_polarises_fully.rate("> 0", horizon=lambda start: 12)
def clock_outgrows_root_of_time(now: ValuesKLFlow, start: ValuesKLFlow, *, speed=1):
    """u_0(0) tau + tau^2 / 2 - t, in the clock t."""
    tau = now.tau - start.tau
    return start.u[:1] * tau + tau * tau / 2 - speed * (now.t - start.t)


@kl_of_values_polarises_fully.state(">= 0", assuming=())
def margin_rate(f: ValuesKLFlow, *, rate=1):
    """dm/dtau - K/p, at any state whatever: m is unbounded, and the loss with it."""
    return f.dm_dtau() - rate * f.K / f.a.shape[-1]


# The rates in tau know no loss: the inequality of Theorem 3.3(b) as it stands.
@kl_of_values_polarises_fully.state(">= 0", assuming=(two_scores, comonotone))
def score_ratio_rate(f: ValuesKLFlow, *, rate=1):
    """p d(1/q_j)/dtau - (u_0 - u_j), as in Theorem 3.3(b)."""
    return inverse_ratio_rate(f, rate=rate)


kl_of_values_stays_aligned = section.claim(
    where="section 3.2, KL divergence as it is written",
    refs=("C-KL", "E18"),
    statement="V(0) = sqrt(p_*) u(0)^T > 0 stays of this form, du/dt = gamma s and da/dt = gamma J(s) u with gamma = 1/m.",
    system=FullValuesKLFlow,
    assumptions=(positive_model, aligned_values),
)


@kl_of_values_stays_aligned.identity()
def velocity_is_reduced(f: FullValuesKLFlow, *, power=1):
    """V' - gamma beta_* s^T and a' - gamma J(s) u, along the gradient flow of (V, a)."""
    dV, da = f.velocity()
    s, u, gamma = f.s, f.u, (f.K / f.m**power)[..., None]
    m = (s * u).sum(axis=-1, keepdims=True)
    dV_printed = gamma[..., None] * f.beta_star[..., :, None] * s[..., None, :]
    return np.concatenate([dV - dV_printed, (da - gamma * s * (u - m))[..., None, :]], axis=-2)
