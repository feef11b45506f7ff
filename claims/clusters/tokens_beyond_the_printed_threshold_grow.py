"""On the line a token with x^2 > W(n^2) moves away from 0.

Lemma `l:auxiliary` (clusters L2) with the paper's constant, the root A of A^2 = n^2 e^{-A^2}; as a state, from which the
explicit growth follows. It is about twice the sharp threshold.
"""

import numpy as np

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import on_the_line
from claims.statement import Claim, Origin
from dynamics.arithmetic import indicator, lambert_w
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Lemma l:auxiliary",
    refs=("L2",),
    statement="With d = V = Q^T K = 1 and A^2 = n^2 e^{-A^2}, a token beyond A escapes: x_i^2 - A^2 <= x_i x_i'.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
    assumptions=(on_the_line, identity_value, identity_key_query),
    equivalent={
        "growth_less_excess: squares = 1 => 19/20": (
            "x_i x_i' >= x_i^2 - W((n - 1)/e), and (n - 1)/e < 19 n^2/20, with W increasing."
        ),
        "growth_less_excess: squares = 1 => 999/1000": (
            "x_i x_i' >= x_i^2 - W((n - 1)/e), and (n - 1)/e < 19 n^2/20, with W increasing."
        ),
    },
)


@claim.state(">= 0")
def growth_less_excess(f: SelfAttentionFlow, *, squares=1):
    """x_i x_i' - x_i^2 + A^2, with A^2 = W(n^2)."""
    x, v, n = f.x[..., 0], f.drift()[..., 0], f.x.shape[-2]
    threshold = lambert_w(n * n * squares * indicator(np.ones((), dtype=bool), f.x))
    return x * v - x**2 + threshold
