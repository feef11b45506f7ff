"""Runge-Kutta steps with attention frozen over each step converge with order one.

This is the integrator of the authors' code. With attention evaluated at every stage the order is four. An experiment with
eight seeded tokens in the plane, V = Q^T K = I, up to t = 1.
"""

import numpy as np

from claims.stating.experiments import Reading
from claims.stating.statement import Claim
from dynamics.tokens.self_attention import SelfAttentionFlow

TOKENS, COARSE, FINE, REFERENCE = 8, 16, 32, 256

claim = Claim(
    __name__,
    where="the authors' code, clustering-Tformers.py",
    refs=("section 11",),
    statement="RK4 with P frozen over each step has order 1, with P evaluated at each stage order 4.",
    system=SelfAttentionFlow,
)


def run(x, steps, frozen):
    """Tokens (n, d) at t = 1 after so many Runge-Kutta steps."""
    eye, h = np.eye(x.shape[-1]), 1 / steps

    def drift(y, P=None):
        return SelfAttentionFlow(x=y, B=eye, V=eye).drift() if P is None else P @ y

    for _ in range(steps):
        P = SelfAttentionFlow(x=x, B=eye, V=eye).attention() if frozen else None
        k_1 = drift(x, P)
        k_2 = drift(x + h / 2 * k_1, P)
        k_3 = drift(x + h / 2 * k_2, P)
        x = x + h / 6 * (k_1 + 2 * k_2 + 2 * k_3 + drift(x + h * k_3, P))
    return x


# The finest run stands for the solution: its own error, 16 or 8 times finer at fourth order, does not show in two digits.
@claim.experiment()
def orders_of_convergence(steps):
    """log_2 of the ratio of the errors at two step sizes."""
    x = np.random.default_rng(0).uniform(-1, 1, (TOKENS, 2))
    if steps < REFERENCE:
        return []
    end = run(x, REFERENCE, frozen=False)
    readings = []
    for name, frozen, printed in (("attention frozen", True, "1.0"), ("attention at every stage", False, "4.0")):
        coarse, fine = (np.abs(run(x, count, frozen) - end).max() for count in (COARSE, FINE))
        readings.append(Reading(name, float(np.log2(coarse / fine)), printed))
    return readings
