"""The hulls shrink to the hull of the limits of the tokens, a polytope with at most n vertices.

hardmax HM-2 (recalled), localmax LM-2. Nested compact sets meet in the hull of any limit point of the configurations. It
holds for any averages and any A, so it says nothing about attention.
"""

from claims.assumptions import step_size_at_most_one
from claims.localmax.endings import corners, lattice_start, margins, settled
from claims.statement import LOCALMAX, Claim
from dynamics.geometry import probing_directions
from dynamics.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
    where="hardmax 2407.01602, limit of the hulls (recalled); localmax abstract",
    refs=("HM-2", "LM-2"),
    printed="K^k tends to Kinf, the intersection of all K^k, a convex polytope with at most n vertices.",
    system=LocalmaxStep,
    assumptions=(step_size_at_most_one,),
    draw=lattice_start,
)


@claim.orbit(">= 0", exact_only=True)
def vertices_are_at_most_tokens(f: LocalmaxStep, *, share=1):
    """n minus the number of vertices of Kinf."""
    return margins([share * len(f.z) - len(corners(settled(f).final.limits))])


@claim.orbit(">= 0", exact_only=True)
def limit_hull_lies_in_every_hull(f: LocalmaxStep):
    """max_j <u, z_j^k> - max_j <u, s_j> for the limits s_j, probing directions u and every k until neighbours are final."""
    end = settled(f)
    directions = probing_directions(f.z)
    tops = [max(state.z @ u) - max(end.final.limits @ u) for state in end.states for u in directions]
    return margins(tops)
