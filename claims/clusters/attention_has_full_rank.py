"""At every finite time P has rank n and real eigenvalues in (0, 1], for distinct tokens and Q^T K > 0.

What the slides ask, "What about rank P(t) in general?" (clusters C2, O3). P is similar to the symmetric matrix
[sqrt(P_ij P_ji)], a positive multiple of the strictly definite kernel e^<Ax_i, Ax_j> in rows and columns; I less it is
semidefinite with the eigenvalue 0 once. A rank counted with a tolerance is not the rank. V plays no part.
"""

import numpy as np

from claims.assumptions import definite_key_query
from claims.clusters.setting import distinct_tokens, pivots
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, indicator, numbers, sqrt, transposed
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="slide 'Corollary' after Theorem 2, at a finite time",
    refs=("C2", "O3"),
    statement="If Q^T K > 0 and tokens are distinct then rank P(t) = n, and the eigenvalues of P(t) are real in (0, 1].",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(definite_key_query, distinct_tokens),
)


def symmetrised(P: Array) -> Array:
    """[sqrt(P_ij P_ji)], shape (..., n, n)."""
    return sqrt(numbers(P * transposed(P)))


@claim.state("> 0")
def eigenvalues_are_positive(f: SelfAttentionFlow):
    """The pivots of [sqrt(P_ij P_ji)]."""
    return pivots(symmetrised(f.attention()))


@claim.state("> 0")
def eigenvalues_are_below_one(f: SelfAttentionFlow):
    """The first n - 1 pivots of I - [sqrt(P_ij P_ji)]; the last is 0."""
    P = f.attention()
    eye = indicator(np.eye(P.shape[-1], dtype=bool), P)
    others = ((1 - eye) * P).sum(axis=-1, keepdims=True)  # 1 - P_ii, without a difference
    return pivots(eye * others - (1 - eye) * symmetrised(P))[..., :-1]


@claim.identity()
def cycles_are_reversible(f: SelfAttentionFlow, *, share=1):
    """P_ij P_jk P_ki - P_ik P_kj P_ji: P is similar to [sqrt(P_ij P_ji)]."""
    P = f.attention()
    there = P[..., :, :, None] * P[..., None, :, :] * transposed(P)[..., :, None, :]
    back = transposed(P)[..., :, :, None] * transposed(P)[..., None, :, :] * P[..., :, None, :]
    return there - share * back
