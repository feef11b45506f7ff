"""P(t) converges, and the rank of its limit is at most the number of vertices of K: false where a token rests at 0.

The corollary of Theorem 2 on the slides (clusters C2). From -1, 0, 1 on the line with Q^T K = V = 1 the token at 0 stays
there and weighs all alike for ever, whatever the others do: P* has the rows (1, 0, 0), (1/3, 1/3, 1/3), (0, 0, 1), so rank
3, while no polytope on a line has more than two vertices. Nor is 0 the only such point: a token in the middle of a face may
have a row of its own, too (`attention_rank_is_the_number_of_vertices`). Limits of tokens bound the rank, not vertices
(`attention_rank_is_at_most_the_number_of_limits`).
"""

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting.starts_for_limits import start_with_a_token_at_0
from claims.statement import CLUSTERS, Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="Theorem 2, corollary",
    refs=("C2",),
    note=(
        "From -1, 0, 1 the token at 0 stays and weighs all alike for ever: P* has the rows (1, 0, 0), (1/3, 1/3, "
        "1/3), (0, 0, 1) and rank 3, and K has two vertices. The rank is at least m, and at most the number of limits of "
        "tokens."
    ),
    statement="V = I_d. Suppose Q^T K > 0. lim_{t -> infinity} P(t) = P*, with rank P* <= m.",
    origin=Origin.PRINTED,
    system=RescaledFlow,
    assumptions=(identity_value, definite_key_query),
    draw=start_with_a_token_at_0,
    standing=Standing.FALSE,
    corrected_by="clusters.attention_rank_is_at_most_the_number_of_limits",
)


@claim.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rank_is_at_most_m(end: TokensEnd, start: RescaledFlow):
    """m - rank P*."""
    return exact([end.number_of_vertices - end.rank])
