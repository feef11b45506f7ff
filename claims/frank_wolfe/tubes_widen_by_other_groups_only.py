"""A pick within the group moves no token out of the group's hull; any other pick moves it by at most gamma D(K).

The deterministic part of the proof of Theorem 5.4 (frank_wolfe FW-15): leaving a tube of width eps takes more than
eps/(gamma D(K)) steps with a pick outside the group.
"""

import numpy as np

from claims.frank_wolfe.setting.polytopes import chain_near_vertices_in_any_order
from claims.frank_wolfe.setting.tubes import tokens_in_polytope
from claims.statement import Claim, Origin
from dynamics.arithmetic import numbers, sqrt
from dynamics.geometry import diameter_squared, probing_directions
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="proof of Theorem 5.4 (lem: metastab.1)",
    refs=("FW-15",),
    statement="Picks within a group keep its hull; a pick outside moves its farthest token by at most gamma D(K).",
    origin=Origin.REPORTED,
    system=AttentionChain,
    assumptions=(tokens_in_polytope,),
    draw=chain_near_vertices_in_any_order,
)


@claim.state(">= 0")
def widening(f: AttentionChain, *, cost=1):
    """h(l) + gamma D(K) |l| [j is no fellow of i] - <l, x_i + gamma (x_j - x_i)>, h of the group's hull, probing l."""
    directions = probing_directions(f.x)
    heights = f.x @ directions.T
    lengths = sqrt(diameter_squared(f.v) * numbers((directions**2).sum(axis=-1)))
    slacks = []
    for i, label in enumerate(f.group):
        support = np.array([max(column) for column in heights[f.group == label].T], dtype=object)
        for j, other in enumerate(f.group):
            room = support - heights[i] - f.gamma.item() * (heights[j] - heights[i])
            slacks.append(room if other == label else room + cost * f.gamma.item() * lengths)
    return numbers(np.stack(slacks))
