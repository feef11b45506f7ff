"""The vertices induce a Voronoi diagram: false where they have different norms.

Proposition 4.5 without its hypothesis of equal norms, which the abstract of version 1 does not name ("induces a Voronoi
diagram"; frank_wolfe FW-11, FW-16). K = [-1, 2] and B = 1: x = 1/4 lies in the cell of 2, and is nearer to -1. Cells are
power cells, for any norms.
"""

from claims.assumptions import definite_key_query
from claims.frank_wolfe.cells_are_voronoi_cells import cell_is_in_voronoi_cell, voronoi_cell_is_in_cell
from claims.frank_wolfe.setting.cells import polytope
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Proposition 4.5 (prop: voronoi) without equal norms",
    refs=("FW-11", "FW-16"),
    note=(
        "Of tokens 1 and 2 with B = 1 the first scores higher with 2 than with itself, so that it lies in the "
        "cell of 2, although 1 is nearer. For vertices of different norms cells are power cells: |x - v_i|_B^2 - "
        "|v_i|_B^2 is least for the vertex of the cell."
    ),
    statement="For B > 0 the cells are the Voronoi cells of the vertices in the norm of B, whatever their norms.",
    origin=Origin.CARRIED_OVER,
    system=HardmaxStep,
    assumptions=(definite_key_query,),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.cells_are_power_cells",
    draw=polytope,
)

claim.state(">= 0", exact_only=True)(cell_is_in_voronoi_cell)
claim.state(">= 0", exact_only=True)(voronoi_cell_is_in_cell)
