"""A vertex lies in its own cell and no other iff it beats its neighbours in its own score.

The repaired form of Remark `prop: polytope.condition` (frank_wolfe FW-10). <Bv, .> is linear, and a vertex that beats all
its neighbours beats the cone they span from it, which contains K. Neither B > 0 nor v != 0 is needed.
"""

import numpy as np

from claims.frank_wolfe.setting.cells import corners, gaps, polytope
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.polytopes import edge_gaps
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="Remark prop: polytope.condition, section 4.1, with strict inequalities on both sides",
    refs=("FW-10",),
    statement="v_i is in C_i and in no other cell iff <Bv_i, w - v_i> < 0 for every neighbour w of v_i.",
    origin=Origin.OURS,
    system=HardmaxStep,
    draw=polytope,
    equivalent={
        (
            "who_beats_neighbours_beats_all: (to_all for near, to_all in _both(f) if (near > 0).all()) => (near for "
            "near, to_all in _both(f) if (near > 0).all())"
        ): ("Who beats the neighbours beats the neighbours: true of itself."),
        "who_beats_neighbours_beats_all: near > 0 => to_all > 0": (
            "Who beats all others beats all others: true of itself."
        ),
        (
            "who_beats_all_beats_neighbours: (near for near, to_all in _both(f) if (to_all > 0).all()) => (to_all for"
            " near, to_all in _both(f) if (to_all > 0).all())"
        ): ("Who beats all others beats all others: true of itself."),
        "who_beats_all_beats_neighbours: to_all > 0 => near > 0": (
            "Who beats the neighbours beats the neighbours: true of itself."
        ),
    },
)


def _both(f):
    """For each vertex its gaps to the neighbours, and to all other vertices."""
    v = corners(f)
    to_all = gaps(f, v)
    return [(edge_gaps(v, i, f.B), to_all[i, i]) for i in range(len(v))]


@claim.state("> 0", exact_only=True)
def who_beats_neighbours_beats_all(f: HardmaxStep):
    """<Bv, v - v_j> for all other vertices v_j, at each vertex v with <Bv, v - w> > 0 for its neighbours w."""
    return exact(np.concatenate([[], *(to_all for near, to_all in _both(f) if (near > 0).all())]))


@claim.state("> 0", exact_only=True)
def who_beats_all_beats_neighbours(f: HardmaxStep):
    """<Bv, v - w> for the neighbours w of each vertex v that is in no other cell."""
    return exact(np.concatenate([[], *(near for near, to_all in _both(f) if (to_all > 0).all())]))
