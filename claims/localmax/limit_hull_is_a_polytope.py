"""The hulls shrink to a polytope with at most n vertices.

The hulls are nested compact sets, and their intersection is the hull of any limit point of the configurations, that is
of at most n points. It holds for any averages and any A, so it says nothing about attention (HM-2, LM-2). Checked where
the tokens converge.
"""

from claims.localmax.setting.ends import approach, margins, settled
from claims.localmax.setting.hypotheses import additive_rule
from claims.localmax.setting.starts import lattice_start
from claims.stating.assumptions import step_size_at_most_one
from claims.stating.statement import Claim, Origin
from dynamics.geometry import hull_excess, probing_directions
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="abstract, limit of the hulls (reconstructed); hardmax 2407.01602, limit of the hulls (recalled)",
    refs=("HM-2", "LM-2"),
    statement="K^k tends to Kinf, the intersection of all K^k, a convex polytope with at most n vertices.",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(additive_rule, step_size_at_most_one),
    draw=lattice_start,
)


# A check of the limits: offsets from the right ones shrink, and from wrong ones they would not.
@claim.orbit("> 0", exact_only=True)
def tokens_close_in_on_the_limit_hull(f: LocalmaxStep):
    """max_i |z_i^k - s_i| once neighbours are final, minus what it is n steps later, where it is positive."""
    return approach(f)


# Nested hulls: it is enough that the limit hull lies in the last one, and that supports fell until then.
@claim.orbit(">= 0", exact_only=True)
def limit_hull_lies_in_every_hull(f: LocalmaxStep):
    """max_j <u, z_j^k> - max_j <u, s_j>, s_j limits, u probing directions, until neighbours are final, then of hulls."""
    end = settled(f)
    directions = probing_directions(f.z)
    tops = [max(state.z @ u) - max(end.final.limits @ u) for state in end.states for u in directions]
    return margins([*tops, *hull_excess(end.states[-1].z, end.final.limits).flat])
