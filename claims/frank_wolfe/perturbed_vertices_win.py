"""After any small enough change of all tokens, targets are still near the vertices that they were.

What is true of `cl: stab.cell` (frank_wolfe FW-12), with an explicit size: if every coordinate moves by at most eps, a
gap <B x_i, v_i - x_j> to a token that is not at v_i falls by at most eps (|B^T(v_i - x_j)|_1 + 2 |B x_i|_1) + 2 eps^2
|B|_1. Nothing is said of hulls: tokens on the border of K may become vertices that do not own their cells, and still
have the targets they had. Nor of the flow: of tokens that share a vertex either may become the target, and for indefinite
B both in turn. Tokens (1, 0), (1, 0), (-1, 0), (1/2, 0) with B = diag(1, -1) meet (1) and (2); with the first two at
(1, e) and (1, -e) and the last at (1/2, y), that one goes to (1, -e) for y > 0 and to (1, e) for y < 0.
"""

from itertools import product

import numpy as np

from claims.frank_wolfe.setting.cells import own_vertex_cells, tokens_in_one_cell
from claims.frank_wolfe.setting.runs import step_with_shared_vertices, where_unmet
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, UndecidedError, exact
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="claim cl:stab.cell, proof of Theorem thm: ode, for points",
    refs=("FW-12", "Q11"),
    statement="If tokens move by at most eps each, those near v_sigma(i) keep beating for token i all others.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(where_unmet(own_vertex_cells), where_unmet(tokens_in_one_cell)),
    draw=step_with_shared_vertices,
)


class TooManyMovesError(UndecidedError):
    """There are more moves than are tried."""

    precision_helps = False


@claim.step("> 0", exact_only=True)
def least_lead(f: HardmaxStep, *, parts=1):
    """Least <B x_i', v_i' - x_j'> after moves by eps = gap/(|B^T(v_i-x_j)|_1 + 2 |B x_i|_1 + gap + |B|_1).

    Each of the three points moves by at most eps in every coordinate, on its own: a bound where they are one token.
    Raises TooManyMovesError for d > 8.
    """
    x, y, B = (np.asarray(array) for array in (f.x, f.targets(), f.B))
    slacks = []
    for here, vertex in zip(x, y, strict=True):
        for other in (point for point in x if (point != vertex).any()):
            image, edge = B @ here, B.T @ (vertex - other)
            gap, slope, whole = image @ (vertex - other), abs(edge).sum() + 2 * abs(image).sum(), abs(B).sum()
            eps = gap / (parts * (slope + gap + whole))
            # For a given move of the difference, 2 eps times signs at its worst, the worst move of x_i' is linear.
            slacks.append(
                min(gap + 2 * eps * (image @ s) - eps * abs(edge + 2 * eps * (B.T @ s)).sum() for s in _signs(len(B)))
            )
    return exact(slacks)


def _signs(d: int) -> list[Array]:
    """All vectors (d,) of signs."""
    if d > 8:
        raise TooManyMovesError(f"2^{d} ways to move the difference of two points are too many")
    return [np.array(signs) for signs in product((1, -1), repeat=d)]
