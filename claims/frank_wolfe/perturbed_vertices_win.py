"""After any small enough change of all tokens, targets are still near the vertices they were, for all times of the flow.

What is true of `cl: stab.cell` (frank_wolfe FW-12), with an explicit size: if every coordinate moves by at most eps, a
gap <B x_i, v_i - x_j> to a token that is not at v_i falls by at most eps (|B^T(v_i - x_j)|_1 + 2 |B x_i|_1) + 2 eps^2
|B|_1. Nothing is said of hulls: tokens on the border of K may become vertices that do not own their cells, and still
have the targets they had. So near a start with (1) and (2) the flow is as in Theorem `thm: ode` though (1) and (2) may
fail, and continuity holds there in all directions.
"""

import numpy as np

from claims.frank_wolfe.cells import own_vertex_cells, tokens_in_one_cell
from claims.frank_wolfe.runs import step_with_own_cells, where_unmet
from claims.statement import FRANK_WOLFE, Claim
from dynamics.arithmetic import Array, exact
from dynamics.hardmax import HardmaxStep

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="claim cl:stab.cell, proof of Theorem thm: ode, for points",
    refs=("FW-12", "Q11"),
    printed="If tokens move by at most eps each, those near v_sigma(i) keep beating for token i all others.",
    system=HardmaxStep,
    assumptions=(where_unmet(own_vertex_cells), where_unmet(tokens_in_one_cell)),
    draw=step_with_own_cells,
)


@claim.step("> 0", exact_only=True)
def least_lead(f: HardmaxStep, *, parts=4):
    """<B x_i', v_i' - x_j'>, worst signs of moves by eps = gap/(4 (|B^T(v_i-x_j)|_1 + 2 |B x_i|_1 + gap + |B|_1))."""
    x, y, B = (np.asarray(array) for array in (f.x, f.targets(), f.B))
    slacks = []
    for here, vertex in zip(x, y, strict=True):
        for other in (point for point in x if (point != vertex).any()):
            image, edge = B @ here, B.T @ (vertex - other)
            gap, slope, whole = image @ (vertex - other), abs(edge).sum() + 2 * abs(image).sum(), abs(B).sum()
            eps = gap / (parts * (slope + gap + whole))
            down, across = eps * _signs(edge), eps * _signs(image)
            slacks.append((B @ (here - down)) @ ((vertex - across) - (other + across)))
    return exact(slacks)


def _signs(row: Array) -> Array:
    return np.array([1 if entry > 0 else -1 for entry in row])
