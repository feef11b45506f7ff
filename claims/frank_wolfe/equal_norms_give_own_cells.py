"""Vertices of equal norm own their cells, with c_0 half the least squared distance.

Not printed: hypothesis (iii) of Theorem 5.2 (frank_wolfe FW-14) follows from (ii), since |v_i|^2 - <v_i, v_l> =
|v_i - v_l|^2/2 + (|v_i|^2 - |v_l|^2)/2.
"""

import numpy as np

from claims.assumptions import equal_norms
from claims.frank_wolfe.finite_temperature import free_tokens_deep_in_cells
from claims.frank_wolfe.polytopes import chain_near_vertices
from claims.statement import FRANK_WOLFE, Claim
from dynamics.arithmetic import numbers
from dynamics.attention_chain import AttentionChain

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="not printed; hypotheses (ii) and (iii) of Theorem 5.2 (eq: hypothesis.voronoi, bound.max)",
    refs=("FW-14", "FW-11"),
    printed="If all |v_i| are equal then <v_i, v_i> >= <v_i, v_l> + c_0 with c_0 = min |v_i - v_l|^2 / 2.",
    system=AttentionChain,
    assumptions=(equal_norms,),
    draw=lambda draws: draws.choice((chain_near_vertices, free_tokens_deep_in_cells))(draws),
)


@claim.identity()
def c_0_is_half_the_least_squared_distance(f: AttentionChain, *, share=1):
    """2 c_0 - min |v_i - v_l|^2."""
    i, j = np.triu_indices(len(f.v), 1)
    return numbers(2 * f.c_0 - share * min(((f.v[i] - f.v[j]) ** 2).sum(axis=-1)))
