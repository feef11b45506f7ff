"""Some token moves unless all are at 0, for Q^T K > 0 and invertible V.

Lemma `l:stationary` (clusters T5), printed for V = -I, Q^T K = I: sum_j P_ij x_j = 0 for all i makes every token a
minimiser of sum_j e^<y, Bx_j>, which is strictly convex on the span of the tokens.
"""

from claims.assumptions import definite_key_query
from claims.clusters.setting import invertible_value, some_token, squared_norms
from claims.statement import Claim, Origin
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Lemma l:stationary",
    refs=("T5",),
    statement="If Q^T K > 0 and V is invertible then the only stationary configuration is x_1 = ... = x_n = 0.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
    assumptions=(definite_key_query, invertible_value, some_token),
)


@claim.state("> 0")
def total_squared_speed(f: SelfAttentionFlow):
    """sum_i |x_i'|^2."""
    return squared_norms(f.drift()).sum(axis=-1)
