"""Cells are Voronoi cells in the norm of B if all vertices have the same norm, and power cells otherwise.

`cells_are_voronoi_cells`: Proposition 4.5. For equal norms |x - v_j|_B^2 - |x - v_i|_B^2 = 2 <Bx, v_i - v_j>. Only the
symmetry of B is used.

`cells_are_voronoi_cells_for_any_norms`: The abstract of version 1 says "induces a Voronoi diagram" and does not mention
equal norms.

`cells_are_power_cells`: The correct reading of "Voronoi diagram" for any norms: expand the squares. All walls pass through
0. True for symmetric B, definite or not, and for any points instead of vertices.

`cells_are_voronoi_cells_of_all_points`: Proposition 4.5 as one source reports version 1, with "for all y in K" where
another quotes "for all j".

`equal_norms_give_own_cells`: <Bv_i, v_i - v_j> = |v_i - v_j|_B^2 / 2 > 0 for equal norms and B > 0. So
hypothesis (1) of Theorem 4.2 holds for every polytope with all its vertices on one ellipsoid |x|_B = const.
"""

import numpy as np

from claims.frank_wolfe.setting.cells import corners, equal_norm_vertices, gaps, held, polytope, polytope_with_ties
from claims.stating.assumptions import definite_key_query, symmetric_key_query
from claims.stating.statement import Origin, Section
from dynamics.geometry import squared_distances
from dynamics.polytopes import cell_gaps, power_gaps, voronoi_gaps
from dynamics.tokens.hardmax import HardmaxStep

section = Section(__name__, refs=("FW-11",), system=HardmaxStep, assumptions=(definite_key_query, equal_norm_vertices))

cells_are_voronoi_cells = section.claim(
    where="Proposition 4.5 (prop: voronoi)",
    statement="If B > 0 and J(v_i) = c > 0 for all i, then C_i = {x in K: |x - v_i|_B <= |x - v_j|_B for all j}.",
    origin=Origin.REPORTED,
    draw=polytope_with_ties,
)


# Two inclusions, for a token in one cell and not in the other tells which half of the proposition fails.
@cells_are_voronoi_cells.state(">= 0", exact_only=True)
def cell_is_in_voronoi_cell(f: HardmaxStep):
    """|x - v_j|_B^2 - |x - v_i|_B^2 for j != i and each token x in the cell of v_i."""
    return voronoi_gaps(f.x, corners(f), f.B)[held(f)]


@cells_are_voronoi_cells.state(">= 0", exact_only=True)
def voronoi_cell_is_in_cell(f: HardmaxStep):
    """<Bx, v_i - v_j> for j != i and each token x in the Voronoi cell of v_i."""
    return gaps(f, f.x)[(voronoi_gaps(f.x, corners(f), f.B) >= 0).all(axis=-1)]


cells_are_voronoi_cells_for_any_norms = section.claim(
    where="Proposition 4.5 (prop: voronoi) without equal norms",
    refs=("FW-11", "FW-16"),
    note=(
        "For tokens 1 and 2 with B = 1 the first scores higher with 2 than with itself, so it lies in the cell of 2, "
        "although 1 is nearer. For vertices of different norms cells are power cells: |x - v_i|_B^2 - |v_i|_B^2 is least "
        "for the vertex of the cell."
    ),
    statement="For B > 0 the cells are the Voronoi cells of the vertices in the norm of B, whatever their norms.",
    origin=Origin.CARRIED_OVER,
    assumptions=(definite_key_query,),
    corrected_by="frank_wolfe.cells_are_power_cells",
    draw=polytope,
)

cells_are_voronoi_cells_for_any_norms.state(">= 0", exact_only=True)(cell_is_in_voronoi_cell)

cells_are_voronoi_cells_for_any_norms.state(">= 0", exact_only=True)(voronoi_cell_is_in_cell)

cells_are_power_cells = section.claim(
    where="Proposition 4.5 without equal norms",
    statement="C_i = {x in K: |x - v_i|_B^2 - |v_i|_B^2 <= |x - v_j|_B^2 - |v_j|_B^2 for all j}.",
    assumptions=(symmetric_key_query,),
)


@cells_are_power_cells.identity()
def power_less_score_gaps(f: HardmaxStep, *, scale=2):
    """|x - y_j|_B^2 - |y_j|_B^2 - |x - y_i|_B^2 + |y_i|_B^2 - 2 <Bx, y_i - y_j> for tokens x, y_i and y_j, j != i."""
    return power_gaps(f.x, f.x, f.B) - scale * cell_gaps(f.x, f.x, f.B)


cells_are_voronoi_cells_of_all_points = section.claim(
    where="Proposition 4.5 (prop: voronoi), as one source reports it",
    note=(
        "For tokens 1, -1, 0 with B = 1 the token 0 lies in the cell of 1, but is nearer to itself, a point of K, than to "
        "1. The cell of v_i is where v_i is the nearest of all vertices, not of all points of K."
    ),
    statement="If B > 0 and J(v_i) = c > 0 for all i, then C_i = {x in K: |x - v_i|_B <= |x - y|_B for all y in K}.",
    corrected_by="frank_wolfe.cells_are_voronoi_cells",
    draw=polytope,
)


# The token x itself is one of the points y: then the slack is -|x - v_i|^2, unless x is the vertex.
@cells_are_voronoi_cells_of_all_points.state(">= 0", exact_only=True)
def vertex_is_nearest_of_all(f: HardmaxStep):
    """|x - y|_B^2 - |x - v_i|_B^2 for all tokens y and each token x in the cell of v_i."""
    to_tokens, to_corners = (squared_distances(f.x, points, f.B) for points in (f.x, corners(f)))
    return (to_tokens[:, None, :] - to_corners[:, :, None])[held(f)]


equal_norms_give_own_cells = section.claim(
    where="Proposition 4.5 gives hypothesis (1) of Theorem 4.2",
    refs=("FW-11", "FW-8"),
    statement="If B > 0 and J(v_i) = c for all i, then <Bv_i, v_i> > <Bv_i, v_j> for i != j.",
    draw=polytope,
)


@equal_norms_give_own_cells.state("> 0", exact_only=True)
def own_score_leads(f: HardmaxStep):
    """<Bv_i, v_i - v_j> for vertices i != j."""
    own = np.arange(len(corners(f)))
    return gaps(f, corners(f))[own, own]


# J(y_i) = J(y_j) for equal norms, which makes it the formula of the first conclusion.
@equal_norms_give_own_cells.identity(assuming=(definite_key_query,))
def lead_of_any_token(f: HardmaxStep, *, share=1):
    """<By_i, y_i - y_j> - |y_i - y_j|_B^2 / 2 - J(y_i) + J(y_j) for tokens y_i and y_j."""
    scores, J = f.scores(), squared_distances(0 * f.x[..., :1, :], f.x, f.B)[..., 0, :] / 2
    leads = np.diagonal(scores, axis1=-2, axis2=-1)[..., :, None] - scores
    return leads - share * squared_distances(f.x, f.x, f.B) / 2 - J[..., :, None] + J[..., None, :]
