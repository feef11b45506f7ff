"""Along the hardmax path a token's vertex beats any other token z by min(eta, c_0) |z - v_sigma| / D in its score.

A step of the proof of Theorem 5.2 (frank_wolfe FW-14; reconstructed). x_i stays on the segment to v_sigma, where
<v_sigma - v_j, .> is at least min(eta, c_0); z is a mixture of the vertices with weight at least |z - v_sigma| / D on
the others. Neither acute angles nor equal norms are used.
"""

import numpy as np

from claims.frank_wolfe.setting.first_phase import (
    free_tokens_in_polytope,
    hardmax_path,
    smallest_margin,
    tokens_in_cells,
    tokens_in_own_cells,
)
from claims.statement import Claim, Origin
from dynamics.arithmetic import numbers
from dynamics.geometry import diameter_squared
from dynamics.tokens.attention_chain import AttentionChain

claim = Claim(
    __name__,
    where="proof of Theorem 5.2 (lem: first.phase), reconstructed",
    refs=("FW-14",),
    statement="On the hardmax path <v_sigma(i) - z, x_i> >= min(eta, c_0) |z - v_sigma(i)| / D for every token z.",
    origin=Origin.REPORTED,
    system=AttentionChain,
    assumptions=(free_tokens_in_polytope, tokens_in_own_cells),
    draw=tokens_in_cells,
)


@claim.step(">= 0", exact_only=True)
def score_gap(f: AttentionChain, *, cost=1):
    """G |G| D^2 - min(eta, c_0)^2 |z - v_sigma(i)|^2 for G = <v_sigma(i) - z, x_i^t>, tokens i and z, t <= steps."""
    margin = cost * smallest_margin(f)
    slacks = []
    for t in range(int(f.steps.item()) + 1):
        x = hardmax_path(f, t).x
        away = f.v[f.group][:, None] - x[None]
        gap = (away * x[:, None]).sum(axis=-1)
        slacks.append(gap * abs(gap) * diameter_squared(f.v) - margin * abs(margin) * (away**2).sum(axis=-1))
    return numbers(np.stack(slacks))
