"""On the line a token farther right attends farther right: rows of P increase stochastically.

Holds at every time (clusters T1), for the scores x_i x_j are supermodular; it is why the row of a bounded token lies
between those of the tokens that go to minus and to plus infinity.
"""

import numpy as np

from claims.assumptions import definite_key_query
from claims.clusters.setting import on_the_line, ordered_tokens
from claims.statement import Claim, Origin
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Theorem 2.1, at one time",
    refs=("T1",),
    statement="If d = 1, QK > 0 and x_1 < ... < x_n, then sum_{j <= m} P_ij is nonincreasing in i for every m.",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(on_the_line, definite_key_query, ordered_tokens),
)


@claim.state("> 0")
def lower_sums_fall(f: SelfAttentionFlow):
    """sum_{j <= m} (P_ij - P_{i+1,j}) for m < n; what is beyond m in one row and up to m in the other, multiplied."""
    P = f.attention()
    upper, lower = P[..., 1:, :], P[..., :-1, :]
    m = P.shape[-1]
    # a b' - a' b for the parts up to m and beyond it, so that nothing cancels against 1.
    parts = [
        lower[..., : k + 1].sum(axis=-1) * upper[..., k + 1 :].sum(axis=-1)
        - upper[..., : k + 1].sum(axis=-1) * lower[..., k + 1 :].sum(axis=-1)
        for k in range(m - 1)
    ]
    return np.stack(parts, axis=-1) if parts else P[..., :0, :0]
