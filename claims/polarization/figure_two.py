"""In figure 2 the leading value diverges, the other values stay bounded, and the scores become one-hot.

`figure_two_run`: X1: p = d = 8, gradient descent with step .1 from V = .1 randn, a = 0, a unit target, seed 123; the
digits are those of a re-run. Sharp asymptotics (S1) give u_0 - log t ~ 1.75 / log t. Gradient descent on (V, a) is
gradient descent on (u, a), M2(k); both are run, side by side at first.

`every_value_diverges`: "The value projections u diverge", read of each of them, contradicts the paper's own Lemma B.1(a):
once index 0 leads in u and a, every other u_j converges. For p = 1, and where all indices are tied in u and a, every value
does diverge.

`only_leading_value_diverges`: What the caption predicts is true of u_0, since s_0 >= 1/p, and of the gaps to it. The
bounds are those of `score_ratios_decay_by_own_gap` and `losing_values_stay_bounded`.
"""

import numpy as np
from flint import fmpq

from claims.polarization.losing_values_stay_bounded import growth_stays_below_bound
from claims.polarization.one_hot_limit import inverse_ratio_outgrows_clock_by_own_gap
from claims.polarization.setting.scores import ASSUMPTION_3_1
from claims.stating.experiments import Reading
from claims.stating.statement import Origin, Section
from dynamics.limits.traps import OneHot, leader_trap
from dynamics.training.value_softmax import FullLogisticFlow, LogisticFlow

section = Section(__name__, system=LogisticFlow)

figure_two_run = section.claim(
    where="figure 2, caption",
    refs=("X1", "C-F2", "M2(k)", "S1"),
    statement=(
        "As predicted, the attention scores converge to a one-hot vector (blue line goes to 1, others to 0) and "
        "the value projections u diverge, preserving their order."
    ),
    origin=Origin.PRINTED,
    system=FullLogisticFlow,
)

# The paper prints the curves; the digits are of a re-run with the authors' seed, sizes and step.
STEP, SIZE = 0.1, 8

LEADING_WEIGHT = {100: ".1327", 1000: ".232", 10_000: ".875", 100_000: ".953", 1_000_000: ".975"}

COMPARED = 2_000

"""Steps over which the full run is kept beside the reduced one."""


def _weights(a):
    powers = np.exp(a)
    return powers / powers.sum()


# The reduced run is what reaches 10^6 steps; that it is the authors' run is shown by running both for a while.
def _full_run(V, a, target, steps):
    """V^T beta_* and a after gradient descent on (V, a)."""
    V, a = V.copy(), a.copy()
    for _ in range(steps):
        s, u = _weights(a), target @ V
        m = s @ u
        gamma = 1 / (1 + np.exp(m))
        V, a = V + STEP * gamma * np.outer(target, s), a + STEP * gamma * s * (u - m)
    return target @ V, a


@figure_two_run.experiment()
def figure_two(steps):
    """Gaps of u(0), the leading weight at 10^2, ..., 10^6 steps, order kept, u_0 - log t, and the two runs' difference."""
    rng = np.random.RandomState(123)
    V, a, target = 0.1 * rng.randn(SIZE, SIZE), 0 * rng.randn(SIZE), rng.randn(SIZE)
    target /= np.linalg.norm(target)
    u = target @ V
    order = np.argsort(-u)
    full = _full_run(V, a, target, min(steps, COMPARED))

    ordered = u[order]
    readings = [
        Reading("the leading index", float(order[0]), "6.0"),
        Reading("u_0(0) - u_1(0)", ordered[0] - ordered[1], ".01965"),
        Reading("least gap of u(0)", float(np.min(ordered[:-1] - ordered[1:])), ".00226"),
    ]
    # In place, since there are a million steps; |beta_*| = 1, so u moves by the rate times the weights.
    weights, pull = np.empty(SIZE), np.empty(SIZE)
    for n in range(1, steps + 1):
        np.exp(a, out=weights)
        weights /= weights.sum()
        m = weights.dot(u)
        rate = STEP / (1 + np.exp(m))
        np.subtract(u, m, out=pull)
        pull *= weights
        pull *= rate
        a += pull
        weights *= rate
        u += weights
        if n in LEADING_WEIGHT:
            readings.append(Reading(f"s_0 at {n} steps", _weights(a).max(), LEADING_WEIGHT[n]))
            swaps = max(np.diff(u[order]).max(), np.diff(a[order]).max())
            readings.append(Reading(f"pairs out of order at {n} steps", float(swaps > 0), "0.0"))
        if n == min(steps, COMPARED):
            difference = max(np.abs(full[0] - u).max(), np.abs(full[1] - a).max())
            readings.append(Reading(f"difference of the two runs at {n} steps", difference, "0e-11"))
        if n == 1_000_000:
            readings.append(Reading("u_0 - log t at 10^6 steps", u.max() - np.log(STEP * n), ".214"))
    return readings


every_value_diverges = section.claim(
    where="caption of figure 2, read of every coordinate",
    refs=("C-F2", "C-B1a"),
    note="From u(0) = (1, 0) only u_0 diverges. Every other u_j stays bounded.",
    statement="The value projections u_0, ..., u_{p-1} diverge, each of them.",
    assumptions=ASSUMPTION_3_1,
    corrected_by="polarization.only_leading_value_diverges",
)


# The trap counts the values that diverge: one, where the statement needs all p. So this is 1 - p, below 0 for p >= 2.
@every_value_diverges.limit(">= 0", times=lambda start: (1, 4, 16), trap=leader_trap, name="every_value_diverges")
def speed_of_every_value(limit: OneHot, start: LogisticFlow):
    """The number of value projections that diverge, minus p."""
    return fmpq(limit.diverging - len(start.u))


only_leading_value_diverges = section.claim(
    where="figure 2, caption, made precise",
    refs=("C-F2",),
    statement=(
        "The attention scores converge to a one-hot vector, u_0 diverges, every other u_j stays bounded, and the order "
        "of u is preserved."
    ),
    assumptions=ASSUMPTION_3_1,
)


# The rates are those of other claims, asked again here because the caption states them together.
@only_leading_value_diverges.rate("> 0", horizon=lambda start: 4)
def scores_outgrow_clock(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """p d(1/q_j)/dtau - (u_0 - u_j)(0) at every t > 0; integrated, q_j <= 1 / (1 + (u_0 - u_j)(0) tau / p)."""
    return inverse_ratio_outgrows_clock_by_own_gap(now, start, rate=rate)


@only_leading_value_diverges.rate("> 0", horizon=lambda start: 4)
def leading_value_outgrows_clock(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """p du_0/dtau - K at every t > 0; integrated it is p (u_0 - u_0(0)) > K tau."""
    return len(now.a) * now.du_dtau()[:1] - rate * now.K


@only_leading_value_diverges.rate("> 0", horizon=lambda start: 4)
def other_values_stay_bounded(now: LogisticFlow, start: LogisticFlow, *, most=1):
    """pi K - AGM(2 sqrt(K), delta_j) (u_j - u_j(0)) for j != 0, with delta_j = (u_0 - u_j)(0)."""
    return growth_stays_below_bound(now, start, most=most)


@only_leading_value_diverges.trajectory("> 0", horizon=lambda start: 4)
def order_is_kept(now: LogisticFlow, start: LogisticFlow):
    """u_i - u_{i+1}."""
    return now.u[:-1] - now.u[1:]
