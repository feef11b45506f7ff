"""If the neighbour relation is symmetric at all late times, every token converges.

This is a standard theorem on products of type-symmetric stochastic matrices with positive diagonals (Lorenz 2005,
LY-5). Where neighbours are final, sum_i |C_i| z_i is conserved over each connected set of tokens, and these meet at
that weighted mean. Without symmetry a token may oscillate.
"""

import numpy as np

from claims.localmax.every_token_converges import limit_points_differ
from claims.localmax.setting.end_hypotheses import symmetric_in_the_end
from claims.localmax.setting.ends import margins, settled
from claims.localmax.setting.hypotheses import additive_rule, open_step_size
from claims.localmax.setting.starts import lattice_start
from claims.stating.statement import Claim
from dynamics.arithmetic import exact
from dynamics.orbits.final_neighbours import NotSettledError
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LY-5",),
    statement="If j in C_i <=> i in C_j for all large k, every token converges: where neighbours are final, to the mean of "
    "those joined to it, by weights |C_j|.",
    system=LocalmaxStep,
    assumptions=(additive_rule, open_step_size, symmetric_in_the_end),
    draw=lattice_start,
)

claim.orbit("== 0", exact_only=True)(limit_points_differ)


# sum_i |C_i| z_i is kept over each connected part, at whose limit all of its tokens are at one place.
@claim.orbit("== 0", exact_only=True)
def limits_are_weighted_means(f: LocalmaxStep, *, share=1):
    """s_i - sum_j |C_j| z_j / sum_j |C_j| over the tokens j joined to i, once neighbours are final; none in a cycle."""
    try:
        end = settled(f)
    except NotSettledError:
        return margins([])
    last, s = end.states[-1], end.final.limits
    attended = last.neighbours()
    size = exact(attended.sum(axis=-1))
    # A power of the relation has its paths; neighbours are mutual here, so these are its connected parts.
    joined = np.linalg.matrix_power(attended + np.eye(len(attended), dtype=int), len(attended)) > 0
    return s - np.stack([size[row] @ last.z[row] / size[row].sum() * share for row in joined])
