"""A token near its vertex rarely picks a token of another group, at every state.

Internal claim `cl: group.cluster.bound` in the proof of Theorem 5.4 (frank_wolfe FW-15), with R = max |v_i|: if every
token is within r of its vertex and 4 R r + 2 r^2 <= c_0 / 2, then sum_{j not in group(i)} a_ij <= n e^{-beta c_0 / 2}.
The gap of scores to any such j is at least c_0 - 4 R r - r^2, and at least 1.06 c_0/2: for c = <v_i, v_i - v_j> and
D = |v_i - v_j| by c - r (D + 2 |v_i|) - r^2/4 and r <= c_0/(8 R) where D + 2 |v_i| <= 3.7 R, and by c_0 - 4 R r + 2 r^2
(`group_jumps_cost_the_gap`) elsewhere, for there c >= 1.3 R^2.
"""

import numpy as np

from claims.frank_wolfe.setting.polytopes import chain_near_vertices_at_any_temperature
from claims.frank_wolfe.setting.tubes import own_cells, tokens_near_vertices
from claims.statement import Claim, Origin
from dynamics.arithmetic import log, numbers
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="claim cl:group.cluster.bound, proof of Theorem 5.4, with R for D(K)",
    refs=("FW-15",),
    statement="If tokens are within r of their vertices, 4 R r + 2 r^2 <= c_0/2, other groups get <= n e^{-beta c_0/2}.",
    origin=Origin.OURS,
    system=AttentionChain,
    assumptions=(own_cells, tokens_near_vertices),
    draw=chain_near_vertices_at_any_temperature,
    equivalent={
        "share_of_other_groups: cost = 1 => 21/20": (
            "The gap of scores is at least 1.06 c_0/2, as the module's text derives."
        ),
    },
)


@claim.state(">= 0")
def share_of_other_groups(f: AttentionChain, *, cost=1):
    """log(n e^{-beta c_0 / 2}) - log sum_{j not in group(i)} a_ij for every token i that has other groups."""
    others = f.group[:, None] != f.group[None, :]
    rows = others.any(axis=-1)
    shares = (f.attention() * others)[rows].sum(axis=-1)
    bound = log(numbers(f.beta * 0 + len(f.x))) - cost * f.beta * f.c_0 / 2
    return bound - log(np.asarray(shares))
