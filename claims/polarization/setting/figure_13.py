"""The run of figure 13, logistic loss: d = p = 10, seed 42, lr 0.5, 10^5 steps, one map of scores after another.

The paper prints curves; the digits compared with are those of a re-run with the authors' seed and step counts.
"""

import numpy as np

from claims.stating.experiments import Reading


# As in the authors' code: the seed is set twice, so the first row of V is a multiple of beta_*; V and a move at once, a by
# the gradient at the old V; and 1e-10 is added to every sum.
def final_weights(value, slope, checkpoints, steps, normalised=True):
    """The weights after each checkpoint <= steps of plain gradient descent on V and a, by step."""
    beta_star = np.random.RandomState(42).randn(10)
    beta_star /= np.linalg.norm(beta_star)
    rng = np.random.RandomState(42)
    V, a = 0.1 * rng.randn(10, 10), 1 + 0.1 * rng.randn(10)
    found = {}
    for step in range(1, max((c for c in checkpoints if c <= steps), default=0) + 1):
        values = value(a)
        total = values.sum() + 1e-10 if normalised else 1.0
        s = values / total
        gradient = beta_star @ V
        m = gradient @ s
        gradient *= 1 / (1 + np.exp(m))
        centered = gradient - gradient @ s if normalised else gradient
        V += np.multiply.outer(beta_star, s * (0.5 / (1 + np.exp(m))))
        a = a + 0.5 * slope(a) * centered / total
        if step in checkpoints:
            weights = value(a)
            found[step] = weights / (weights.sum() + 1e-10) if normalised else weights
    return found


def polarized_maximum(name, value, slope, printed, steps):
    """Readings of the largest weight at the steps for which digits are printed."""
    found = final_weights(value, slope, printed, steps)
    return [Reading(f"{name}, {step} steps: max s", float(s.max()), printed[step]) for step, s in found.items()]
