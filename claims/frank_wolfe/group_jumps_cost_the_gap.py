"""Each token of another group is picked with probability at most e^{-beta (c_0 - 4 R r - r^2)}, at every state.

The exact form of `cl: group.cluster.bound` (frank_wolfe FW-15): every token is within r of its vertex, and
<x_i, x_i - x_j> >= c_0 - 4 R r - r^2. Nothing is assumed of r or of the polytope. Even +2 r^2 does in place of -r^2 for
r <= 2R/3: the least over x_j is c_0 + <a, 2 v_i - v_j> + |a|^2 - r |v_i + a| with a = x_i - v_i, and that is least for
a and v_j opposite to v_i, where it falls until |a| = r. For larger r the bound is above 1, as c_0 <= 2 R^2.
"""

import numpy as np

from claims.frank_wolfe.setting.first_phase import tokens_in_cells
from claims.frank_wolfe.setting.polytopes import chain_leaning_inwards, chain_near_vertices
from claims.statement import Claim, Origin
from dynamics.arithmetic import log, numbers
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="claim cl:group.cluster.bound, proof of Theorem 5.4",
    refs=("FW-15",),
    statement="a_ij <= e^{-beta (c_0 - 4 R r - r^2)} for j not in group(i), r the largest distance from a vertex.",
    origin=Origin.OURS,
    system=AttentionChain,
    draw=lambda draws: draws.choice((chain_near_vertices, tokens_in_cells, chain_leaning_inwards))(draws),
    equivalent={
        "chance_of_another_group: f.c_0 - 4 * f.R * f.rho - f.rho ** 2 => f.c_0 - 4 * f.R * f.rho + f.rho ** 2": (
            "The gap is at least c_0 - 4 R r + 2 r^2 for r <= 2R/3, as above; for larger r the bound is above 1."
        ),
        "chance_of_another_group: f.c_0 - 4 * f.R * f.rho - f.rho ** 2 => f.c_0 - 4 * f.R * f.rho": (
            "The gap is at least c_0 - 4 R r + 2 r^2 for r <= 2R/3, as above; for larger r the bound is above 1."
        ),
        "chance_of_another_group: f.rho ** 2 => f.rho ** 3": (
            "The gap is at least c_0 - 4 R r for r <= 2R/3, as above; for larger r the bound is above 1."
        ),
    },
)


@claim.state(">= 0")
def chance_of_another_group(f: AttentionChain, *, cost=1):
    """-beta (c_0 - 4 R r - r^2) - log a_ij for tokens j outside the group of i."""
    others = f.group[:, None] != f.group[None, :]
    gap = f.c_0 - 4 * f.R * f.rho - f.rho**2
    return -cost * f.beta * gap - log(numbers(np.asarray(f.attention())[others]))
