"""The rank that a tolerance counts falls far below the rank of attention, which is n at every finite time.

The paper's figures show the rank of P(t) as NumPy counts it (clusters, numerical section). For 20 tokens uniform in
[-5, 5]^2, Q^T K = V = I, it is 20 at all times by `attention_has_full_rank`; NumPy counts 5 at t = 3, and 12 at the
start if the tokens are a hundredth as large. An experiment.
"""

import numpy as np

from claims.experiments import Reading
from claims.statement import Claim, Origin
from dynamics.tokens.self_attention import RescaledFlow

TOKENS, SCALE, END, PER_UNIT = 20, 5, 3, 64

claim = Claim(
    __name__,
    where="figures on the rank of P(t)",
    refs=("C2", "O3"),
    statement="For 20 tokens uniform in [-5, 5]^2 (seed 0) NumPy counts rank P(3) = 5, and 12 at t = 0 for tokens / 100.",
    origin=Origin.OURS,
    system=RescaledFlow,
)


def flow(z, t=0.0):
    """The rescaled flow of tokens (n, d) at a time."""
    return RescaledFlow(z=z, B=np.eye(2), V=np.eye(2), t=np.asarray(t))


def run(z):
    """The tokens at t = END by Runge-Kutta steps."""
    h = 1 / PER_UNIT
    for step in range(END * PER_UNIT):
        t = step * h
        k_1 = flow(z, t).drift()
        k_2 = flow(z + h / 2 * k_1, t + h / 2).drift()
        k_3 = flow(z + h / 2 * k_2, t + h / 2).drift()
        z = z + h / 6 * (k_1 + 2 * k_2 + 2 * k_3 + flow(z + h * k_3, t + h).drift())
    return z


@claim.experiment()
def counted_ranks(steps):
    """numpy.linalg.matrix_rank of P for the tokens at t = 3, and for tokens a hundredth as large at the start."""
    if steps < END * PER_UNIT:
        return []
    z = np.random.default_rng(0).uniform(-SCALE, SCALE, (TOKENS, 2))
    late, small = flow(run(z), END), flow(z / 100)
    return [
        Reading("rank P(3)", float(np.linalg.matrix_rank(late.attention())), "5"),
        Reading("rank P(0), tokens / 100", float(np.linalg.matrix_rank(small.attention())), "12"),
    ]
