"""Distances between tokens in the norm of the scores never shrink.

The correct generalisation of Lemma `l:distnondec` (clusters L1): with V = I and B = Q^T K symmetric positive definite,
|x_i - x_j|_B is nondecreasing, because in y = B^{1/2} x the flow is that of B = I.
"""

import numpy as np

from claims.assumptions import definite_key_query, identity_value
from claims.statement import CLUSTERS, Claim
from dynamics.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="Lemma l:distnondec, generalised",
    refs=("L1",),
    printed="If V = I and B = Q^T K > 0 then t -> <B (x_i - x_j), x_i - x_j> is nondecreasing for all i, j.",
    system=SelfAttentionFlow,
    assumptions=(identity_value, definite_key_query),
)


@claim.state(">= 0")
def key_query_separation_rate(f: SelfAttentionFlow):
    """<B (x_i' - x_j'), x_i - x_j> for every pair i < j."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    v = f.drift() @ f.B.swapaxes(-1, -2)
    return ((v[..., i, :] - v[..., j, :]) * (f.x[..., i, :] - f.x[..., j, :])).sum(axis=-1)
