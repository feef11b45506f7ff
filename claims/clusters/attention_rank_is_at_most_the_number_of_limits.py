"""The rank of the limit of attention lies between the number of vertices of K and that of the limits of tokens.

The corollary of Theorem 2 (clusters C2) with one word changed: limits for vertices. They are points of S, the finite
set of Theorem 2. z_i' tends to sum_j P*_ij z_j* - z_i*, which is therefore 0: the row of a token that tends to a vertex
keeps to the tokens that tend there, and rows of different vertices share no column, so rank P* >= m, the printed bound
turned round. That tokens with one limit have one row is what Lemmas B2, D and K of docs/flow_limits.md show of the
starts that they are about. For almost every start every limit should be a vertex, and rank P* = m, which is open
(`tokens_converge_to_vertices_under_any_scores`).
"""

import numpy as np

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting.starts_for_limits import rescaled_start
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 2, corollary, of the limits",
    refs=("C2",),
    statement=(
        "V = I, Q^T K > 0, and P(t) -> P*: m <= rank P* <= the number of different limits of z_1, ..., z_n, and P* keeps "
        "these limits."
    ),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(identity_value, definite_key_query),
    draw=rescaled_start,
)


@claim.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def limits_less_rank(end: TokensEnd, start: RescaledFlow, *, each=1):
    """How many different limits z_1, ..., z_n have, less rank P*."""
    return exact([each * end.number_of_limits - end.rank])


@claim.limit(">= 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rank_less_vertices(end: TokensEnd, start: RescaledFlow, *, each=1):
    """rank P* - m."""
    return exact([end.rank - each * end.number_of_vertices])


@claim.limit("== 0", times=settling_times(tokens_trap), trap=tokens_trap)
def rows_are_stochastic_in_the_limit(end: TokensEnd, start: RescaledFlow, *, whole=1):
    """sum_j P*_ij - 1: no weight is lost."""
    return end.attention @ np.ones(len(end.attention), dtype=int) - whole
