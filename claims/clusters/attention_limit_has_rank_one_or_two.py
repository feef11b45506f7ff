"""On a line attention tends to a matrix of rank 1 or 2, for almost every start.

The claim after Theorem 2.1 (clusters T1, E-T1b). By Lemma A' of docs/flow_limits.md a caught start has a row of P* for each
side to which tokens run off, so that its rank is the number of sides. The trap never catches a start with a bounded token,
a null set; there the rank may be 3.
"""

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting import distinct_tokens, on_the_line
from claims.clusters.setting.starts_for_limits import line_start
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import ThresholdEnd, settling_times, threshold_trap
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="after Theorem 2.1",
    refs=("T1", "E-T1b"),
    statement="d = 1, Q^T K > 0, V = 1, distinct tokens: for almost every start P(t) tends to a matrix of rank 1 or 2.",
    origin=Origin.REPORTED,
    system=SelfAttentionFlow,
    assumptions=(on_the_line, identity_value, definite_key_query, distinct_tokens),
    draw=line_start,
)


@claim.limit(">= 0", times=settling_times(threshold_trap), trap=threshold_trap)
def rank_is_at_most_two(end: ThresholdEnd, start: SelfAttentionFlow, *, most=2):
    """2 - rank P*."""
    return exact([most - end.rank])


@claim.limit("== 0", times=settling_times(threshold_trap), trap=threshold_trap)
def rank_is_the_number_of_sides(end: ThresholdEnd, start: SelfAttentionFlow, *, each=1):
    """rank P* minus the number of sides to which tokens run off."""
    return exact([end.rank - each * len(set(end.sides.tolist()))])
