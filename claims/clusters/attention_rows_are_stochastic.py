"""The rows of the attention matrix are positive and sum to one.

Proof of Theorem 1 on the slides (clusters M1), for any Q, K, V and tokens; the limit is of its own, in
`rows_of_unbounded_tokens_end_at_the_outer_ones`. Weights as small as e^-1000 are positive.
"""

import numpy as np

from claims.statement import Claim, Origin
from dynamics.arithmetic import indicator
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="slide 'WLOG particles are ordered', proof of Theorem 1",
    refs=("M1",),
    statement="Since P(t) stochastic, P_{in}(t) = 1 - sum_{j=1}^{n-1} P_{ij}(t) -> 1.",
    origin=Origin.PRINTED,
    system=SelfAttentionFlow,
)


@claim.identity()
def sums_less_one(f: SelfAttentionFlow, *, total=1):
    """sum_j P_ij - 1."""
    P = f.attention()
    return P.sum(axis=-1) - total * indicator(np.ones(P.shape[:-1], dtype=bool), P)


@claim.state("> 0")
def weights_are_positive(f: SelfAttentionFlow):
    """P_ij."""
    return f.attention()
