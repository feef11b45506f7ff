"""On the line, within |x| <= R, two tokens part at a rate of at least e^{-2R^2}/(2n) times the cube of their distance.

Quantitative form of Lemma `l:distnondec` (clusters L1, L5), V = Q^T K = 1. It bounds how long two tokens can stay apart
and bounded.
"""

import numpy as np

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import on_the_line, ordered_tokens, sizes
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Lemma l:distnondec, its quantitative form",
    refs=("L1", "L5"),
    statement="If d = V = Q^T K = 1 and all |x_k| <= R then x_j' - x_i' >= e^{-2R^2}/(2n) (x_j - x_i)^3 for x_i <= x_j.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
    assumptions=(on_the_line, identity_value, identity_key_query, ordered_tokens),
)


@claim.state(">= 0")
def rate_less_cube(f: SelfAttentionFlow, *, room=2):
    """x_j' - x_i' - e^{-2R^2}/(2n) (x_j - x_i)^3 for i < j, with R the largest |x_k|."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    x, v = f.x[..., 0], f.drift()[..., 0]
    weight = exp(-2 * sizes(x**2)) / (room * x.shape[-1])
    return v[..., j] - v[..., i] - weight[..., None] * (x[..., j] - x[..., i]) ** 3
