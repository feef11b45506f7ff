"""It is open whether Theorems 2 and 4 hold for almost every Q^T K and start.

Section 12 of the paper asks for Theorems 3.1 and 5.2 without Q^T K > 0.

`tokens_converge_to_vertices_under_any_scores`: Decided start by start. Lemma B2 of docs/flow_limits.md uses neither
symmetry nor the sign of Q^T K: from random starts tokens tend to vertices, each of which attends to itself. No open set of
other starts is known.

`tokens_converge_to_a_polytope_and_a_subspace_under_any_scores`: Beside a slower direction no invariant region is known
unless the scores on F are symmetric. The value at t = 2 is evidence, not a verdict.
"""

from flint import fmpq

from claims.clusters.setting.hypotheses import half_value_beside_the_plane
from claims.clusters.setting.starts_of_flows import any_scores_start, skew_block_start
from claims.stating.assumptions import identity_value
from claims.stating.statement import Section, Standing
from dynamics.arithmetic import exact, peak
from dynamics.limits import LedEnd, leader_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

section = Section(__name__, system=RescaledFlow, standing=Standing.OPEN)

tokens_converge_to_vertices_under_any_scores = section.claim(
    where="section 12, generic Q^T K",
    refs=("O4",),
    statement="V = I, any Q^T K: for almost every start every z_i tends to a vertex of K, and rank P* = m.",
    assumptions=(identity_value,),
    draw=any_scores_start,
)


@tokens_converge_to_vertices_under_any_scores.limit("== 0", times=settling_times(leader_trap), trap=leader_trap)
def every_limit_is_a_vertex(end: LedEnd, start: RescaledFlow, *, each=1):
    """How many different limits there are, minus m."""
    return exact([end.number_of_limits - each * end.number_of_vertices])


@tokens_converge_to_vertices_under_any_scores.limit("== 0", times=settling_times(leader_trap), trap=leader_trap)
def rank_is_the_number_of_vertices(end: LedEnd, start: RescaledFlow, *, each=1):
    """rank P* - m."""
    return exact([end.rank - each * end.number_of_vertices])


tokens_converge_to_a_polytope_and_a_subspace_under_any_scores = section.claim(
    where="section 12, Theorem 5.2 for generic Q^T K",
    refs=("O4", "T4"),
    statement=(
        "V = diag(1, 1, 1/2), F the plane of the first two axes, y_i = pi_F z_i: for almost every Q^T K and start "
        "max_j <y_i, B (y_j - y_i)> -> 0 for every i."
    ),
    assumptions=(half_value_beside_the_plane,),
    draw=skew_block_start,
)


@tokens_converge_to_a_polytope_and_a_subspace_under_any_scores.limit(">= 0", times=lambda start: [fmpq(2)])
def small_head_start(states: list[RescaledFlow], start: RescaledFlow, *, room=1):
    """room - 2 max_j <y_i, B (y_j - y_i)> at t = 2."""
    y, B = states[-1].z[..., :2], start.B[..., :2, :2]
    scores = y @ B @ y.swapaxes(-1, -2)
    return room - 2 * (peak(scores)[..., 0] - scores.diagonal(axis1=-2, axis2=-1))
