"""The energy sum_ij e^<x_i, Bx_j> falls for every V with <BVy, y> <= 0.

Clusters T5, generalised from V = -I: L' = 2 sum_i Z_i <m_i, BVm_i> with m_i the softmax mean, x_i' = V m_i. So
|A x_i|^2 <= log L(0) for ever.
"""

from claims.assumptions import definite_key_query
from claims.clusters.interaction_energy_falls import energy, top
from claims.clusters.setting import dissipative_value
from claims.statement import Claim, Origin
from dynamics.differentiation import time_derivative
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Theorem 8.5, generalised",
    refs=("T5",),
    statement="If Q^T K > 0 and <BVy, y> <= 0 for all y then sum_ij e^{<x_i, Bx_j>} is nonincreasing.",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(definite_key_query, dissipative_value),
)


@claim.state(">= 0")
def fall(f: SelfAttentionFlow):
    """-L' divided by the largest e^<x_i, Bx_j>."""
    shift = top(f)
    return -time_derivative(lambda g: energy(g, shift), f)
