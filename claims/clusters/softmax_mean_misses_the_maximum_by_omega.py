"""A softmax mean of n numbers is below their maximum by at most W((n - 1)/e).

The inequality behind every limit of the paper (clusters N1), here of the scores of a token; any B and tokens. With
u_j = max s - s_j the gap is sum_j u_j e^{-u_j} / sum_j e^{-u_j}, largest where all others have u = 1 + omega_n. Since
omega_n < log n it is sharper than the entropy bound.
"""

from claims.clusters.setting import extremal_flow, mean_scores, omega, scores, sizes
from claims.statement import Claim, Origin
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="sharpened from Step 2 of the proofs of Theorems 3.1 and 4.2",
    refs=("N1",),
    statement="sum_j P_ij s_ij >= max_j s_ij - omega_n for the scores s_ij = <x_i, B x_j>, omega_n = W((n - 1)/e).",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    draw=extremal_flow,
)


@claim.state(">= 0")
def mean_less_maximum(f: SelfAttentionFlow, *, gap=1):
    """sum_j P_ij s_ij - max_j s_ij + omega_n."""
    s = scores(f.x, f.B)
    return mean_scores(s, f.attention()) - sizes(s) + gap * omega(f.x.shape[-2], f.x)
