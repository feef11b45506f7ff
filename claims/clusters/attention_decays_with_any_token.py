"""The chain P_ij <= e^{-x_i (x_n - x_j)} <= e^{-c x_i} at a token of either sign: false left of 0.

The slide's inequality (clusters L3) without the limit that makes x_i eventually positive. Only the second step fails:
P_ij <= e^{-c x_i} itself holds for every sign, for the right side exceeds 1 where x_i < 0.
"""

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.attention_decays_with_the_token import below_gap
from claims.clusters.setting import on_the_line, ordered_tokens
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="slide 'WLOG particles are ordered', read at every time",
    refs=("L3",),
    note=(
        "The second step needs x_i >= 0: of -1, 0, 1 the first token has x_1 (x_3 - x_1) = -2 and c x_1 = -1, so "
        "that e^2 <= e would follow. The chain holds for a token that runs off to infinity, and its ends hold for"
        " either sign."
    ),
    statement="If d = V = Q^T K = 1 then e^{-x_i (x_n - x_j)} <= e^{-c x_i} for every i and every j != n.",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(on_the_line, identity_value, identity_key_query, ordered_tokens),
    standing=Standing.FALSE,
    corrected_by="clusters.attention_decays_with_the_token",
)


@claim.state(">= 0")
def distance_below_gap(f: SelfAttentionFlow, *, gap=1):
    """x_i (x_n - x_j) - c x_i for j != n."""
    return below_gap(f.x[..., 0], f.x[..., 0], gap)
