"""Two cells meet in a set of lower dimension than the polytope.

Lemma `lem: cells` (ii) (frank_wolfe FW-7), in the sharper form with the interior relative to K, which says something of
flat polytopes, too (not printed). On C_i and C_j both <Bx, v_i - v_j> = 0. Were this so on all of K, then at v_i and at
v_j, and <B(v_i - v_j), v_i - v_j> = 0: here B > 0 is used.
"""

from itertools import combinations

from claims.assumptions import definite_key_query
from claims.frank_wolfe.cells import held, polytope
from claims.statement import FRANK_WOLFE, Claim
from dynamics.arithmetic import exact
from dynamics.hardmax import HardmaxStep
from dynamics.polytopes import dimension

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="Lemma lem: cells (ii), section 4.1, relative to the affine hull",
    refs=("FW-7",),
    printed="For B > 0 and a polytope K, int(C_i and C_j) is empty for i != j.",
    system=HardmaxStep,
    assumptions=(definite_key_query,),
    draw=polytope,
)


@claim.state(">= 0", exact_only=True)
def codimension_of_common_tokens(f: HardmaxStep, *, codimension=1):
    """dim K - dim(tokens in C_i and C_j) - 1 for each pair of vertices; no tokens have dimension -1."""
    D, cells = dimension(f.x), held(f).T
    return exact([D - codimension - dimension(f.x[C_i & C_j]) for C_i, C_j in combinations(cells, 2)])
