"""The vertices induce a Voronoi diagram: false where they have different norms.

The abstract of version 1 names no norms (frank_wolfe FW-11, FW-16). K = [-1, 2] and B = 1: x = 1/4 lies in the cell of 2,
and is nearer to -1. Cells are power cells, and Proposition 4.5 has the hypothesis under which these are Voronoi cells.
"""

from claims.assumptions import definite_key_query
from claims.frank_wolfe.cells import polytope
from claims.frank_wolfe.cells_are_voronoi_cells import cell_is_in_voronoi_cell, voronoi_cell_is_in_cell
from claims.statement import FRANK_WOLFE, Claim, Standing
from dynamics.hardmax import HardmaxStep

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="abstract of version 1",
    refs=("FW-11", "FW-16"),
    statement="For B > 0 the cells are the Voronoi diagram of the vertices.",
    system=HardmaxStep,
    assumptions=(definite_key_query,),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.cells_are_power_cells",
    draw=polytope,
)

claim.state(">= 0", exact_only=True)(cell_is_in_voronoi_cell)
claim.state(">= 0", exact_only=True)(voronoi_cell_is_in_cell)
