"""A point in several cells lies in two adjacent ones: the vertices whose cells hold it are connected by edges.

Hypothesis (2) of Theorem 4.2 speaks of adjacent cells only (frank_wolfe FW-8; that this is enough is ours). The
vertices that lead at x are those of a face of K, and the edges of a polytope connect its vertices. True for every B.
"""

import numpy as np
import scipy  # its parts are loaded when they are used

from claims.frank_wolfe.setting.cells import corners, held, polytope_with_ties
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.polytopes import edges
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="hypothesis (2) of Theorem 4.2 (thm: exp.fast.polytope)",
    refs=("FW-8",),
    statement="A point that lies in two cells lies in two cells whose vertices are joined by an edge of K.",
    origin=Origin.OURS,
    system=HardmaxStep,
    draw=polytope_with_ties,
)


@claim.state("== 0", exact_only=True)
def parts_of_tied_vertices(f: HardmaxStep, *, one=1):
    """In how many parts the edges of K join the vertices that lead at a token, less one. Where more than one leads."""
    v = corners(f)
    joined = np.zeros((len(v), len(v)), dtype=bool)
    for i, j in edges(v) if len(v) > 1 else ():
        joined[i, j] = True
    parts = scipy.sparse.csgraph.connected_components
    tied = [np.flatnonzero(row) for row in held(f)]
    return exact([int(parts(joined[np.ix_(led, led)])[0]) - one for led in tied if len(led) > 1])
