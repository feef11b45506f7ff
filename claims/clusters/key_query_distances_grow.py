"""Distances between tokens in the form of the scores never shrink.

The correct generalisation of Lemma `l:distnondec` (clusters L1): with V = I and B = Q^T K symmetric,
<B (x_i - x_j), x_i - x_j> is nondecreasing. Its rate is twice KL(P_i|P_j) + KL(P_j|P_i), because <x_i - x_j, B x_k> is
log(P_ik / P_jk) up to a constant. It is a squared distance when B > 0; the inequality needs symmetry only.
"""

import numpy as np

from claims.assumptions import identity_value, symmetric_key_query
from claims.statement import Claim, Origin
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Lemma l:distnondec, generalised",
    refs=("L1",),
    statement="If V = I and B = Q^T K is symmetric then t -> <B (x_i - x_j), x_i - x_j> is nondecreasing for all i, j.",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(identity_value, symmetric_key_query),
    equivalent={
        "key_query_separation_rate: f.B + f.B.swapaxes(-1, -2) => f.B": "B = B^T: a factor 2 of the whole slack.",
        "key_query_separation_rate: f.B + f.B.swapaxes(-1, -2) => f.B.swapaxes(-1, -2)": (
            "B = B^T: a factor 2 of the whole slack."
        ),
    },
)


@claim.state(">= 0")
def key_query_separation_rate(f: SelfAttentionFlow):
    """d/dt <B (x_i - x_j), x_i - x_j> for every pair i < j, by the product rule."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    v = f.drift()
    gap, rate = f.x[..., i, :] - f.x[..., j, :], v[..., i, :] - v[..., j, :]
    return (rate @ (f.B + f.B.swapaxes(-1, -2)) * gap).sum(axis=-1)
