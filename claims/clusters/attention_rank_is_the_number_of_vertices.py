"""The limit of attention has as many independent rows as K has vertices, and one more where a token rests at 0: false.

Our own first correction of the corollary of Theorem 2 (clusters C2). A token in the middle of a face may rest there and
weigh the whole face, itself with it, for ever: (1, 0) between (1, 1) and (1, -1) has the row (1/3, 1/3, 1/3), the others
their own, so that rank P* = 3 with two vertices and no token at 0. By Lemmas D and K of docs/flow_limits.md the excess has
no bound: {-1, 1} x {-1, 0, 1} has rank 6 and four vertices.
"""

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting.starts_for_limits import at_rest, rescaled_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 2, corollary, with tokens at 0",
    refs=("C2",),
    note=(
        "From (1, 1), (1, -1), (1, 0) the last token stays, by symmetry, and weighs all three alike for ever: rank P* = "
        "3, and K has two vertices. True is m <= rank P* <= the number of limits of tokens."
    ),
    statement="V = I, Q^T K > 0: rank P* = m, or m + 1 if a token rests at 0 and another does not.",
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(identity_value, definite_key_query),
    draw=rescaled_start,
    standing=Standing.FALSE,
    corrected_by="clusters.attention_rank_is_at_most_the_number_of_limits",
)


@claim.limit("== 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rank_is_m_without_a_token_at_the_origin(end: TokensEnd, start: RescaledFlow):
    """rank P* - m, less 1 if a token rests at 0 while others do not."""
    resting = at_rest(end, start)
    return exact([end.rank - end.number_of_vertices - int(resting.any() != resting.all())])
