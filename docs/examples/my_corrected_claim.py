"""The two tokens farthest apart as the scores measure it never approach each other when Q^T K is positive definite."""

import numpy as np

from claims import Assumption, Claim, Standing
from claims.stating.assumptions import definite_key_query, identity_value
from dynamics import summits
from dynamics.tokens.self_attention import SelfAttentionFlow


def with_a_second_token(f):
    """The same system, with the mirror image of a token that is alone."""
    return f if f.x.shape[-2] >= 2 else f.replace(x=np.concatenate([f.x, -f.x], axis=-2))


two_tokens = Assumption(
    "two_tokens",
    "n >= 2",
    satisfies=lambda f: f.x.shape[-2] >= 2,
    restrict=with_a_second_token,
)

claim = Claim(
    __name__,
    statement=(
        "If V = I and B = Q^T K > 0 then two tokens whose <B (x - y), x - y> is greatest never approach in this norm."
    ),
    system=SelfAttentionFlow,
    standing=Standing.TRUE,
    assumptions=(two_tokens, identity_value, definite_key_query),
)


@claim.state(">= 0")
def farthest_pair_recedes(f: SelfAttentionFlow):
    """<B (x_i' - x_j'), x_i - x_j> for a pair of tokens i < j whose distance in the scores' norm is greatest."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    v = f.drift()
    gap, rate = f.x[..., i, :] - f.x[..., j, :], v[..., i, :] - v[..., j, :]
    farthest = summits((gap @ f.B * gap).sum(axis=-1))[..., None]
    return np.take_along_axis((rate @ f.B * gap).sum(axis=-1), farthest, axis=-1)
