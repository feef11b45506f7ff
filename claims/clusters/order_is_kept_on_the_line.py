"""On the line tokens keep their order and their least distance.

Consequence `e:infdist` of Lemma `l:distnondec` (clusters L1): tokens that start apart never collide.
"""

from flint import fmpq

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting import on_the_line, ordered_tokens
from claims.statement import Claim, Origin
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="equation (e:infdist), after Lemma l:distnondec",
    refs=("L1", "L3"),
    statement="If d = V = Q^T K = 1 and x_1(0) < ... < x_n(0), then x_{i+1}(t) - x_i(t) >= x_{i+1}(0) - x_i(0) > 0.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
    assumptions=(on_the_line, identity_value, identity_key_query, ordered_tokens),
)


@claim.trajectory("> 0", horizon=lambda start: fmpq(1))
def gaps_exceed_the_first_ones(now: SelfAttentionFlow, start: SelfAttentionFlow):
    """x_{i+1}(t) - x_i(t) less what it was at the start."""
    after, before = now.x[..., 0], start.x[..., 0]
    return (after[..., 1:] - after[..., :-1]) - (before[..., 1:] - before[..., :-1])
