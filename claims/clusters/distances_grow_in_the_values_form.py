"""Distances never shrink in the form M if Q^T K = M V with M symmetric.

The most general form of Lemma `l:distnondec` known here (clusters L1): <M(x_i - x_j), x_i' - x_j'> is
sum_k (P_ik - P_jk) <x_i - x_j, B x_k>, twice-KL as for V = I. With V = I it is the form of the scores, with Q^T K = I and V
symmetric that of V^{-1}.
"""

import numpy as np

from claims.clusters.setting import symmetric_up_to_values
from claims.statement import Claim, Origin
from dynamics.arithmetic import inverse
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Lemma l:distnondec, generalised",
    refs=("L1",),
    statement="If Q^T K = M V with M symmetric then t -> <M(x_i - x_j), x_i - x_j> is nondecreasing for all i, j.",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(symmetric_up_to_values,),
)


@claim.state(">= 0")
def separation_rate(f: SelfAttentionFlow):
    """d/dt <M(x_i - x_j), x_i - x_j> for every pair i < j, by the product rule, with M = B V^{-1}."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    v = f.drift()
    gap, rate = f.x[..., i, :] - f.x[..., j, :], v[..., i, :] - v[..., j, :]
    M = f.B @ inverse(f.V)
    return (rate @ (M + M.swapaxes(-1, -2)) * gap).sum(axis=-1)
