"""On a line x_i e^{-t} tends to a number other than 0, the same for all tokens of one side.

Lemma `l:exactasymptotic` says the first half (clusters L4); that tokens of one side share the number is ours. So
rescaled tokens end in at most two points, and 0 where a token is bounded. Lemma A' of docs/flow_limits.md.
"""

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting import distinct_tokens, on_the_line
from claims.clusters.setting.starts_for_limits import rescaled_line_start
from claims.statement import CLUSTERS, Claim, Origin
from dynamics.arithmetic import exact
from dynamics.limits import ThresholdEnd, settling_times, threshold_trap
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="Lemma l:exactasymptotic",
    refs=("L4",),
    statement=(
        "d = 1, Q^T K > 0, V = 1, distinct tokens: if x_i is unbounded, x_i e^{-t} -> gamma_i != 0; gamma_i is the same"
        " for all tokens that run off to one side."
    ),
    origin=Origin.REPORTED,
    system=RescaledFlow,
    assumptions=(on_the_line, identity_value, definite_key_query, distinct_tokens),
    draw=rescaled_line_start,
)


@claim.limit("> 0", times=settling_times(threshold_trap), trap=threshold_trap)
def limit_on_the_own_side(end: ThresholdEnd, start: RescaledFlow):
    """gamma_i times the side of x_i."""
    return end.limits[:, 0] * end.sides


@claim.limit("== 0", times=settling_times(threshold_trap), trap=threshold_trap)
def as_many_limits_as_sides(end: ThresholdEnd, start: RescaledFlow, *, each=1):
    """The number of different gamma_i less the number of sides."""
    return exact([end.number_of_limits - each * len(set(end.sides.tolist()))])
