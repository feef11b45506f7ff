"""P(t) converges for every start, in every dimension: open, decided start by start.

For V = I and Q^T K > 0 (clusters N8); printed only as the corollary of Theorem 2. Lemmas B2 and D of
docs/flow_limits.md give P*; of a start whose tokens tend to a point inside a face without a symmetry nothing is known.
"""

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting.starts_for_limits import rescaled_start
from claims.statement import Claim, Origin, Standing
from dynamics.limits import TokensEnd, settling_times, tokens_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 2, corollary, existence of P*",
    refs=("N8", "C2"),
    statement=("V = I, Q^T K > 0, any d and any start: lim P(t) exists."),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(identity_value, definite_key_query),
    draw=rescaled_start,
    standing=Standing.OPEN,
)


@claim.limit("== 0", times=settling_times(tokens_trap), trap=tokens_trap)
def weight_lost_in_the_limit(end: TokensEnd, start: RescaledFlow, *, whole=1):
    """1 - sum_j P*_ij."""
    return whole - end.attention.sum(axis=1)
