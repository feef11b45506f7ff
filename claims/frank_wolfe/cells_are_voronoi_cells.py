"""Cells are Voronoi cells in the norm of B where all vertices have the same norm.

Proposition 4.5 (`prop: voronoi`, frank_wolfe FW-11): |x - v_j|_B^2 - |x - v_i|_B^2 = 2 <Bx, v_i - v_j> then. Only the
symmetry of B is used.
"""

from claims.assumptions import definite_key_query
from claims.frank_wolfe.setting.cells import corners, equal_norm_vertices, gaps, held, polytope_with_ties
from claims.statement import Claim, Origin
from dynamics.polytopes import voronoi_gaps
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Proposition 4.5 (prop: voronoi)",
    refs=("FW-11",),
    statement="If B > 0 and J(v_i) = c > 0 for all i, then C_i = {x in K: |x - v_i|_B <= |x - v_j|_B for all j}.",
    origin=Origin.REPORTED,
    system=HardmaxStep,
    assumptions=(definite_key_query, equal_norm_vertices),
    draw=polytope_with_ties,
    equivalent={
        ("voronoi_cell_is_in_cell: voronoi_gaps(f.x, corners(f), f.B) >= 0 => voronoi_gaps(f.x, corners(f), f.B) > 0"): (
            "The statement of fewer tokens: of those inside the Voronoi cell."
        ),
    },
)


@claim.state(">= 0", exact_only=True)
def cell_is_in_voronoi_cell(f: HardmaxStep):
    """|x - v_j|_B^2 - |x - v_i|_B^2 for j != i and each token x in the cell of v_i."""
    return voronoi_gaps(f.x, corners(f), f.B)[held(f)]


@claim.state(">= 0", exact_only=True)
def voronoi_cell_is_in_cell(f: HardmaxStep):
    """<Bx, v_i - v_j> for j != i and each token x in the Voronoi cell of v_i."""
    return gaps(f, f.x)[(voronoi_gaps(f.x, corners(f), f.B) >= 0).all(axis=-1)]
