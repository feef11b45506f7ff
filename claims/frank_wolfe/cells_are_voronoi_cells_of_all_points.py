"""The cell of a vertex is the set where it is nearer than every point of K: false, each point is nearest to itself.

Proposition 4.5 (`prop: voronoi`, frank_wolfe FW-11) as one source reports version 1, with "for all y in K" where another
quotes "for all j". Tokens 1, -1 and 1/2 with B = 1: the token 1/2 is in the cell of 1, and nearer to y = 1/2.
"""

from claims.assumptions import definite_key_query
from claims.frank_wolfe.setting.cells import corners, equal_norm_vertices, held, polytope
from claims.statement import Claim, Origin, Standing
from dynamics.geometry import squared_distances
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Proposition 4.5 (prop: voronoi), as one source reports it",
    refs=("FW-11",),
    note=(
        "With tokens 1, -1, 0 and B = 1 the token 0 lies in the cell of 1, and is nearer to itself, a point of K,"
        " than to 1. The cell of v_i is where it is nearest of all vertices, not of all points of K."
    ),
    statement="If B > 0 and J(v_i) = c > 0 for all i, then C_i = {x in K: |x - v_i|_B <= |x - y|_B for all y in K}.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(definite_key_query, equal_norm_vertices),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.cells_are_voronoi_cells",
    draw=polytope,
)


@claim.state(">= 0", exact_only=True)
def vertex_is_nearest_of_all(f: HardmaxStep):
    """|x - y|_B^2 - |x - v_i|_B^2 for all tokens y and each token x in the cell of v_i."""
    to_tokens, to_corners = (squared_distances(f.x, points, f.B) for points in (f.x, corners(f)))
    return (to_tokens[:, None, :] - to_corners[:, :, None])[held(f)]
