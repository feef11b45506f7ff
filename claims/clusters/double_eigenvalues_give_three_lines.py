"""Theorem 3 without "simple": false, seven tokens near a circle end at seven vertices.

For V = Q^T K = I in the plane (clusters T3). A line meets at most two vertices of a convex polygon, so three parallel
lines hold at most six. Lemma B2 of docs/flow_limits.md.
"""

from claims.assumptions import identity_key_query, identity_value
from claims.clusters.setting.hypotheses_for_limits import in_the_plane
from claims.clusters.setting.starts_with_rates import circle_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import LedEnd, leader_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Theorem 3, lambda_1 not simple",
    refs=("T3",),
    note=(
        "Seven tokens near a circle end at the seven vertices of a convex polygon, and three parallel lines hold "
        "at most six of them, two each. If lambda_1 is simple there are such lines, at most three."
    ),
    statement=("d = 2, V = Q^T K = I: there are three parallel lines such that every z_i tends to one of them."),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(in_the_plane, identity_value, identity_key_query),
    draw=circle_start,
    standing=Standing.FALSE,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


@claim.limit(">= 0", times=settling_times(leader_trap), trap=leader_trap)
def places_on_three_lines_less_vertices(end: LedEnd, start: RescaledFlow):
    """6 - m."""
    return exact([6 - end.number_of_vertices])
