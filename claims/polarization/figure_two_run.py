"""The logistic run of figure 2: the leading score climbs towards one, and u_0 - log t falls towards zero.

Polarization X1: p = d = 8, gradient descent with step .1 from V = .1 randn, a = 0, a unit target, seed 123; the digits
are those of a re-run. Sharp asymptotics (S1) give u_0 - log t ~ 1.75 / log t. Gradient descent on (V, a) is gradient
descent on (u, a), M2(k); both are run, side by side at first.
"""

import numpy as np

from claims.experiments import Reading
from claims.statement import Claim, Origin
from dynamics.training.value_softmax import FullLogisticFlow

claim = Claim(
    __name__,
    where="figure 2, caption",
    refs=("X1", "C-F2", "M2(k)", "S1"),
    statement=(
        "As predicted, the attention scores converge to a one-hot vector (blue line goes to 1, others to 0) and "
        "the value projections u diverge, preserving their order."
    ),
    origin=Origin.PRINTED,
    system=FullLogisticFlow,
)

STEP, SIZE = 0.1, 8
LEADING_WEIGHT = {100: ".1327", 1000: ".232", 10_000: ".875", 100_000: ".953", 1_000_000: ".975"}
COMPARED = 2_000
"""Steps over which the full run is kept beside the reduced one."""


def _weights(a):
    powers = np.exp(a)
    return powers / powers.sum()


def _full_run(V, a, target, steps):
    """V^T beta_* and a after gradient descent on (V, a)."""
    V, a = V.copy(), a.copy()
    for _ in range(steps):
        s, u = _weights(a), target @ V
        m = s @ u
        gamma = 1 / (1 + np.exp(m))
        V, a = V + STEP * gamma * np.outer(target, s), a + STEP * gamma * s * (u - m)
    return target @ V, a


@claim.experiment()
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
