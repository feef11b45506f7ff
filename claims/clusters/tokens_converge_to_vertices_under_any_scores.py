"""For almost every start all tokens tend to vertices, for any Q^T K: open, and decided start by start.

"T2 and T4 for generic Q^T K", section 12 of the paper (clusters O4). Lemma B2 of docs/flow_limits.md uses neither symmetry
nor the sign of Q^T K: random starts end in vertices, each its own leader. No start of a set with an interior is known that
does not.
"""

from claims.assumptions import identity_value
from claims.clusters.setting.starts_for_limits import any_scores_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import LedEnd, leader_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="section 12, generic Q^T K",
    refs=("O4",),
    statement="V = I, any Q^T K: for almost every start every z_i tends to a vertex of K, and rank P* = m.",
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(identity_value,),
    draw=any_scores_start,
    standing=Standing.OPEN,
)


@claim.limit("== 0", times=settling_times(leader_trap), trap=leader_trap)
def every_limit_is_a_vertex(end: LedEnd, start: RescaledFlow, *, each=1):
    """How many different limits there are, minus m."""
    return exact([end.number_of_limits - each * end.number_of_vertices])


@claim.limit("== 0", times=settling_times(leader_trap), trap=leader_trap)
def rank_is_the_number_of_vertices(end: LedEnd, start: RescaledFlow, *, each=1):
    """rank P* - m."""
    return exact([end.rank - each * end.number_of_vertices])
