"""On the line a token at x_i >= 0 attends more to tokens farther right, one at x_i <= 0 to tokens farther left.

What is left of Lemmas `l:boundedxn` and `l:boundedother` at a single time (clusters L6, L7): if x_n >= 0 the last token
attends most to itself. The two halves are one inequality, x_i (P_ij - P_ik) >= 0 for j > k.
"""

from claims.assumptions import definite_key_query
from claims.clusters.setting import on_the_line, ordered_tokens
from claims.statement import Claim, Origin
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="Lemmas l:boundedxn and l:boundedother, at one time",
    refs=("L6", "L7"),
    statement="If d = 1, QK > 0 and x_1 < ... < x_n, then x_i (P_{i,j+1} - P_ij) >= 0.",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(on_the_line, definite_key_query, ordered_tokens),
)


@claim.state(">= 0")
def lean(f: SelfAttentionFlow):
    """x_i (P_{i,j+1} - P_ij)."""
    P = f.attention()
    return f.x * (P[..., 1:] - P[..., :-1])
