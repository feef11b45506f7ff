"""It is open whether for almost every start all tokens tend to vertices of K.

The slides ask, beyond Theorem 2, for "convergence to vertices (and count them!) for positive measure set of initial
conditions".

`no_more_vertices_than_leaders_at_the_start`: A count: K has at most as many vertices as tokens whose largest score is with
themselves at time 0. Decided start by start by Lemma B2 of docs/flow_limits.md.

`tokens_converge_to_vertices`: The region of Lemma B2 of docs/flow_limits.md is open, so one start in it answers the printed
question: all starts of a neighbourhood end at vertices. Asked here of almost every start; random starts are decided,
symmetric ones need not be.
"""

import numpy as np

from claims.clusters.setting.hypotheses import distinct_tokens
from claims.clusters.setting.starts_of_flows import untied_start
from claims.stating.assumptions import definite_key_query, identity_value
from claims.stating.statement import Section, Standing
from dynamics.arithmetic import exact
from dynamics.limits import LedEnd, leader_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

section = Section(__name__, refs=("O1",), system=RescaledFlow, draw=untied_start, standing=Standing.OPEN)

no_more_vertices_than_leaders_at_the_start = section.claim(
    where="slide 'Results are still incomplete', count them",
    statement="V = I, Q^T K > 0: m is at most the number of tokens with |Ax_i|^2 >= max_j <Ax_i, Ax_j> at time 0.",
    assumptions=(identity_value, definite_key_query),
)


# Tokens in one place are one leader: K has one vertex there. Ties count as leading, which makes the bound weaker and the
# claim more likely.
@no_more_vertices_than_leaders_at_the_start.limit(">= 0", times=settling_times(leader_trap), trap=leader_trap)
def leaders_at_the_start_less_vertices(end: LedEnd, start: RescaledFlow, *, each=1):
    """s_0 - m, tokens at one place counted once."""
    places = np.array(sorted({tuple(row) for row in start.z}), dtype=object)
    scores = places @ start.B @ places.T
    own = np.diagonal(scores)[:, None]
    return exact([int((scores <= own).all(axis=1).sum()) - each * end.number_of_vertices])


tokens_converge_to_vertices = section.claim(
    where="slide 'Results are still incomplete', beyond Theorem 2",
    statement="V = I, Q^T K > 0: for almost every start every z_i tends to a vertex of K.",
    assumptions=(identity_value, definite_key_query, distinct_tokens),
)


# Tied tokens may end inside a face; the draw has no symmetries, and so asks of "almost every" start.
@tokens_converge_to_vertices.limit("== 0", times=settling_times(leader_trap), trap=leader_trap)
def every_limit_is_a_vertex(end: LedEnd, start: RescaledFlow, *, each=1):
    """How many different limits there are, minus m."""
    return exact([end.number_of_limits - each * end.number_of_vertices])
