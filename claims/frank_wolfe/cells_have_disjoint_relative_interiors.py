"""Two cells meet in a set of lower dimension than the polytope, flat polytopes included.

The useful form of Lemma `lem: cells` (ii) (frank_wolfe FW-7): for K of lower dimension the lemma says
nothing. Were <Bx, v_i - v_j> = 0 on all of K, then at v_i and at v_j, and <B(v_i - v_j), v_i - v_j> = 0. Here B > 0 is
needed, not only B(v_i - v_j) != 0: for B = [[0, 1], [1, 0]] both cells of the segment [-1, 1] x {0} are all of it.
"""

from itertools import combinations

from claims.frank_wolfe.setting.cells import definite_or_isotropic, held, polytope_with_ties
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.polytopes import dimension
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Lemma lem: cells (ii), relative to the affine hull of K",
    refs=("FW-7",),
    statement="For B > 0 and a polytope K, the intersection of C_i and C_j has lower dimension than K for i != j.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(definite_or_isotropic,),
    draw=polytope_with_ties,
)


@claim.state(">= 0", exact_only=True)
def codimension_of_common_tokens(f: HardmaxStep, *, codimension=1):
    """dim K - 1 - dim(tokens in C_i and C_j) for each pair of vertices; no tokens have dimension -1."""
    D = dimension(f.x) - codimension
    return exact([D - dimension(f.x[C_i & C_j]) for C_i, C_j in combinations(held(f).T, 2)])
