"""Two cells meet in an empty interior for semidefinite scores: false where B does not see the difference of two vertices.

Lemma `lem: cells` (ii) says B > 0, the abstract "positive semidefinite" (frank_wolfe FW-7). If
B(v_i - v_j) = 0 then C_i = C_j: for B = diag(1, 0) and K = [-1, 1]^2 two vertices share the half of K with x_1 >= 0.
"""

from claims.assumptions import semidefinite_scores
from claims.frank_wolfe.cells_have_disjoint_interiors import tokens_in_two_cells_are_flat
from claims.frank_wolfe.setting.cells import blind_along_an_edge, some_scores
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Lemma lem: cells (ii), for semidefinite B",
    refs=("FW-7", "FW-16"),
    note=(
        "For B = diag(0, 1) the vertices (0, 1) and (1, 1) of the triangle with (0, 0) have the same cell, all of"
        " the triangle, as B does not see their difference. For B > 0 the interiors of different cells are "
        "disjoint."
    ),
    statement="For positive semidefinite B, not zero, the cells of a polytope have disjoint interiors.",
    origin=Origin.CARRIED_OVER,
    system=HardmaxStep,
    assumptions=(semidefinite_scores, some_scores),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.cells_have_disjoint_interiors",
    draw=blind_along_an_edge,
)


claim.state(">= 0", exact_only=True)(tokens_in_two_cells_are_flat)
