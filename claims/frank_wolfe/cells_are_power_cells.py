"""Cells are power cells: Voronoi cells for squared distances minus the squared norms of the vertices.

The correct reading of "Voronoi diagram" for vertices of any norms (frank_wolfe FW-11). Expand the squares: all
walls pass through 0. True for symmetric B, definite or not, and for any points in the place of the vertices.
"""

from claims.assumptions import symmetric_key_query
from claims.statement import Claim, Origin
from dynamics.polytopes import cell_gaps, power_gaps
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Proposition 4.5 without equal norms",
    refs=("FW-11",),
    statement="C_i = {x in K: |x - v_i|_B^2 - |v_i|_B^2 <= |x - v_j|_B^2 - |v_j|_B^2 for all j}.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(symmetric_key_query,),
)


@claim.identity()
def power_less_score_gaps(f: HardmaxStep, *, scale=2):
    """|x - y_j|_B^2 - |y_j|_B^2 - |x - y_i|_B^2 + |y_i|_B^2 - 2 <Bx, y_i - y_j> for tokens x, y_i and y_j, j != i."""
    return power_gaps(f.x, f.x, f.B) - scale * cell_gaps(f.x, f.x, f.B)
