"""K has at most as many vertices as tokens lead themselves at the start: open.

A count that the slides ask for, "convergence to vertices (and count them!)" (clusters O1). s_0 is the number of tokens
with |Ax_i|^2 >= max_j <Ax_i, Ax_j> at time 0. Decided start by start through Lemma B2 of docs/flow_limits.md.
"""

import numpy as np

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.setting.starts_for_limits import untied_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import LedEnd, leader_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slide 'Results are still incomplete', count them",
    refs=("O1",),
    statement=("V = I, Q^T K > 0: m is at most the number of tokens with |Ax_i|^2 >= max_j <Ax_i, Ax_j> at time 0."),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(identity_value, definite_key_query),
    draw=untied_start,
    standing=Standing.OPEN,
)


@claim.limit(">= 0", times=settling_times(leader_trap), trap=leader_trap)
def leaders_at_the_start_less_vertices(end: LedEnd, start: RescaledFlow, *, each=1):
    """s_0 - m, tokens at one place counted once."""
    places = np.array(sorted({tuple(row) for row in start.z}), dtype=object)
    scores = places @ start.B @ places.T
    own = np.diagonal(scores)[:, None]
    return exact([int((scores <= own).all(axis=1).sum()) - each * end.number_of_vertices])
