"""The scores become one-hot, the leading value projection diverges, and the values keep their order.

Figure 2 (polarization C-F2, X1): u_0 >= u_0(0) + K tau / p because s_0 >= 1/p, while the others stay bounded
(`losing_values_stay_bounded`). Order is Theorem 3.2(a) (`order_is_preserved`).
"""

import math

import numpy as np
from flint import fmpq

from claims.assumptions import leading_value, two_scores, zero_scores
from claims.statement import POLARIZATION, Claim, Reading
from dynamics.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="figure 2 and its caption, for u_0",
    refs=("C-F2", "X1"),
    printed="Scores go to one-hot, u_0 diverges and the order of u is preserved.",
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, leading_value),
)


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def leading_value_outgrows_clock(now: LogisticFlow, start: LogisticFlow, *, rate=1):
    """p du_0/dtau - K at every t > 0; integrated it is p (u_0 - u_0(0)) > K tau."""
    return len(now.a) * now.du_dtau()[:1] - rate * now.K


RATE, SIZE, SEED = 0.1, 8, 123
PRINTED = {100: "0.1327", 1_000: "0.232", 10_000: "0.875", 100_000: "0.953", 1_000_000: "0.975"}


@claim.experiment()
def figure_2(steps):
    """Gradient descent in the setting of figure 2: the largest score after 10^2, ..., 10^6 steps, and u_0 - log t.

    The step moves V by a multiple of beta_* s^T, so u = V^T beta_* and a are all that has to be followed.
    """
    rng = np.random.RandomState(SEED)
    V = 0.1 * rng.randn(SIZE, SIZE)
    a = 0 * rng.randn(SIZE)
    beta_star = rng.randn(SIZE)
    u = V.T @ (beta_star / np.linalg.norm(beta_star))
    order = np.argsort(u)
    s, change = np.empty(SIZE), np.empty(SIZE)
    readings = []
    for step in range(1, min(steps, max(PRINTED)) + 1):
        np.exp(a, out=s)
        m = s.dot(u) / (total := float(np.add.reduce(s)))
        s *= RATE / (total * (1 + math.exp(m)))  # gamma s times the step
        np.subtract(u, m, out=change)
        change *= s
        a += change
        u += s
        if step in PRINTED:
            weights = np.exp(a)
            readings.append(Reading(f"s_0 at {step}", float(weights.max() / weights.sum()), PRINTED[step]))
            readings.append(Reading(f"ranks changed at {step}", float((np.argsort(u) != order).sum()), "0"))
        if step == max(PRINTED):
            readings.append(Reading("u_0 - log t", float(u.max() - np.log(RATE * step)), "0.214"))
    return readings
