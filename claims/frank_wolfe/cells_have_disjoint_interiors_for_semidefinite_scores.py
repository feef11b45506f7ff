"""Two cells meet in an empty interior for semidefinite scores: false where B does not see the difference of two vertices.

The abstracts of both versions say "positive semidefinite", Lemma `lem: cells` (ii) says B > 0 (frank_wolfe FW-7). If
B(v_i - v_j) = 0 then C_i = C_j: for B = diag(1, 0) and K = [-1, 1]^2 two vertices share the half of K with x_1 >= 0.
"""

from itertools import combinations

from claims.frank_wolfe.cells import blind_along_an_edge, held, semidefinite_scores
from claims.statement import FRANK_WOLFE, Claim, Standing
from dynamics.arithmetic import exact
from dynamics.hardmax import HardmaxStep
from dynamics.polytopes import dimension

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="abstract, read with Lemma lem: cells (ii)",
    refs=("FW-7", "FW-16"),
    printed="For positive semidefinite B the cells of a polytope have disjoint interiors.",
    system=HardmaxStep,
    assumptions=(semidefinite_scores,),
    standing=Standing.FALSE,
    corrected_by="frank_wolfe.cells_have_disjoint_interiors",
    draw=blind_along_an_edge,
)


@claim.state(">= 0", exact_only=True)
def tokens_in_two_cells_are_flat(f: HardmaxStep):
    """d - 1 - dim(tokens in C_i and C_j) for each pair of vertices: below zero when they span a set with an interior."""
    d = f.x.shape[-1]
    return exact([d - 1 - dimension(f.x[C_i & C_j]) for C_i, C_j in combinations(held(f).T, 2)])
