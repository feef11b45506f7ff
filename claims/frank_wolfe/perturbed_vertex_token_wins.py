"""After any small change of all tokens, the token at its vertex still wins: false where two tokens share a vertex.

Internal claim `cl: stab.cell` (frank_wolfe FW-12, Part 3 of the proof of `thm: ode`), under (1) and (2) of Theorem 4.2,
read as it stands: for every token i the perturbation of the token at v_sigma(i) has a larger score than every other
perturbed token. By index that needs a gap > 0 to every other token. A second token at the same vertex has the gap 0, and
wins when it is moved a little along B x_i. Nothing in (1) and (2) forbids that; among points it is true.
"""

import numpy as np

from claims.frank_wolfe.setting.cells import own_vertex_cells, tokens_in_one_cell
from claims.frank_wolfe.setting.runs import step_with_shared_vertices, where_unmet
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.polytopes import vertices
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="claim cl:stab.cell, proof of Theorem thm: ode",
    refs=("FW-12",),
    note=(
        "Where two tokens share the vertex 1 there is no gap between them: the second beats the first as soon as "
        "it is moved outward a little. It is true of points: after small moves the tokens near v_sigma(i) still "
        "beat all others."
    ),
    statement="The perturbation of the vertex token beats every other perturbed token.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(where_unmet(own_vertex_cells), where_unmet(tokens_in_one_cell)),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.perturbed_vertices_win",
    draw=step_with_shared_vertices,
)


@claim.step(">= 0", exact_only=True)
def lead_after_a_change(f: HardmaxStep):
    """<B x_i, v_i - x_j'> for the token at v_i and any other j, moved along B x_i by half of its gap, or a little."""
    slacks = []
    x, y = np.asarray(f.x), np.asarray(f.targets())
    image = x @ np.asarray(f.B).T
    for i, vertex in enumerate(y):
        token = next(k for k in vertices(x) if (x[k] == vertex).all())
        size = image[i] @ image[i]
        gaps = [image[i] @ (vertex - x[j]) for j in range(len(x)) if j != token]
        slacks += [gap / 2 if gap > 0 else gap - size / 1024 for gap in gaps]
    return exact(slacks)
