"""The limit of attention has as many independent rows as K has vertices, and one more where a token rests at 0.

The correct form of the corollary of Theorem 2 (clusters C2), for starts that Lemma B2 or D of docs/flow_limits.md catches:
a vertex belongs to a leader, whose row is its own; every other token that is not at 0 weighs the leaders that it is tied
with alike. Rows of tokens at 0 are uniform, and so independent of those of leaders.
"""

import numpy as np

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting.starts_for_limits import at_rest, rescaled_start
from claims.statement import CLUSTERS, Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="Theorem 2, corollary, with tokens at 0",
    refs=("C2",),
    statement="rank P* = m, or m + 1 if a token rests at 0 and another does not.",
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(identity_value, definite_key_query),
    draw=rescaled_start,
)


@claim.limit("== 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rank_is_m_without_a_token_at_the_origin(end: TokensEnd, start: RescaledFlow, *, each=1):
    """rank P* - m, less 1 if a token rests at 0 while others do not."""
    resting = at_rest(end, start)
    return exact([end.rank - each * end.number_of_vertices - int(resting.any() != resting.all())])


@claim.limit("== 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rows_are_stochastic_in_the_limit(end: TokensEnd, start: RescaledFlow, *, whole=1):
    """sum_j P*_ij - 1: no weight is lost."""
    return end.attention @ np.ones(len(end.attention), dtype=int) - whole
