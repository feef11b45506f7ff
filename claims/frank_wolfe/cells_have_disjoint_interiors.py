"""Two cells of a polytope have disjoint interiors.

Lemma `lem: cells` (ii) (frank_wolfe FW-7). On C_i and C_j both <Bx, v_i - v_j> = <x, B^T (v_i - v_j)> = 0: a hyperplane,
since B^T (v_i - v_j) != 0. No more of B > 0 is used.
"""

from itertools import combinations

from claims.frank_wolfe.setting.cells import definite_or_blind, held, polytope
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.polytopes import dimension
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Lemma lem: cells (ii), section 4.1",
    refs=("FW-7",),
    statement="For B > 0 and a polytope K, int(C_i and C_j) is empty for i != j.",
    origin=Origin.REPORTED,
    system=HardmaxStep,
    assumptions=(definite_or_blind,),
    draw=polytope,
)


@claim.state(">= 0", exact_only=True)
def tokens_in_two_cells_are_flat(f: HardmaxStep, *, codimension=1):
    """d - 1 - dim(tokens in C_i and C_j) for each pair of vertices: below zero when they span a set with an interior."""
    d = f.x.shape[-1]
    return exact([d - codimension - dimension(f.x[C_i & C_j]) for C_i, C_j in combinations(held(f).T, 2)])
