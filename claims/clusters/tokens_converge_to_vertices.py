"""For almost every start all tokens tend to vertices: open, and decided start by start.

"Beyond Theorem 2 (polytope): convergence to vertices (and count them!) for positive measure set of initial conditions?"
(clusters O1). The region of Lemma B2 of docs/flow_limits.md is open, so one caught start answers the question as printed:
a neighbourhood of it ends in vertices. Asked here of almost every start: random ones are caught, mirrored and opposite ones
need not be.
"""

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting import distinct_tokens
from claims.clusters.setting.starts_for_limits import untied_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import LedEnd, leader_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slide 'Results are still incomplete', beyond Theorem 2",
    refs=("O1",),
    statement="V = I, Q^T K > 0: for almost every start every z_i tends to a vertex of K.",
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(identity_value, definite_key_query, distinct_tokens),
    draw=untied_start,
    standing=Standing.OPEN,
)


@claim.limit("== 0", times=settling_times(leader_trap), trap=leader_trap)
def every_limit_is_a_vertex(end: LedEnd, start: RescaledFlow, *, each=1):
    """How many different limits there are, minus m."""
    return exact([end.number_of_limits - each * end.number_of_vertices])
