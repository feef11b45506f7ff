"""A point in several cells lies in two adjacent ones: the vertices whose cells hold it are connected by edges.

Hypothesis (2) of Theorem 4.2 speaks of adjacent cells only (frank_wolfe FW-8; that this is enough is not printed). The
vertices that lead at x are those of a face of K, and the edges of a polytope connect its vertices. True for every B.
"""

from claims.frank_wolfe.cells import corners, held, polytope_with_ties
from claims.statement import FRANK_WOLFE, Claim
from dynamics.arithmetic import exact
from dynamics.hardmax import HardmaxStep
from dynamics.polytopes import edges

claim = Claim(
    __name__,
    paper=FRANK_WOLFE,
    where="not printed: hypothesis (2) of Theorem 4.2 (thm: exp.fast.polytope)",
    refs=("FW-8",),
    printed="A point that lies in two cells lies in two cells whose vertices are joined by an edge of K.",
    system=HardmaxStep,
    draw=polytope_with_ties,
)


@claim.state(">= 0", exact_only=True)
def edges_among_tied_vertices(f: HardmaxStep, *, spare=1):
    """The edges of K among the m vertices that lead at a token, less m - 1: as many as connect them. For m > 1."""
    v = corners(f)
    joined = list(edges(v)) if len(v) > 1 else []
    tied = [set(row.nonzero()[0].tolist()) for row in held(f)]
    return exact([sum({i, j} <= leading for i, j in joined) - len(leading) + spare for leading in tied if len(leading) > 1])
