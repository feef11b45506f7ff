"""Each token of another group is picked with chance at most e^{-beta (c_0 - 4 R r - r^2)}, at every state.

The exact form of `cl: group.cluster.bound` (frank_wolfe FW-15): every token is within r of its vertex, and
<x_i, x_i - x_j> >= c_0 - 4 R r - r^2. Even r^2/4 does in place of r^2. Nothing is assumed of r or of the polytope.
"""

import numpy as np

from claims.frank_wolfe.setting.first_phase import tokens_in_cells
from claims.frank_wolfe.setting.polytopes import chain_near_vertices
from claims.statement import FRANK_WOLFE, Claim, Origin
from dynamics.arithmetic import log, numbers
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="claim cl:group.cluster.bound, proof of Theorem 5.4",
    refs=("FW-15",),
    statement="a_ij <= e^{-beta (c_0 - 4 R r - r^2)} for j not in group(i), r the largest distance from a vertex.",
    origin=Origin.OURS,
    system=AttentionChain,
    draw=lambda draws: draws.choice((chain_near_vertices, tokens_in_cells))(draws),
)


@claim.state(">= 0")
def chance_of_another_group(f: AttentionChain, *, cost=1):
    """-beta (c_0 - 4 R r - r^2) - log a_ij for tokens j outside the group of i."""
    others = f.group[:, None] != f.group[None, :]
    gap = f.c_0 - 4 * f.R * f.rho - f.rho**2
    return -cost * f.beta * gap - log(numbers(np.asarray(f.attention())[others]))
