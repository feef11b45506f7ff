"""Also if sensitivity and step size oscillate for ever, each vertex v of Kinf has the largest score with itself.

localmax LM-4 for schedules that recur. A token may have several limit points; the hull of those of one phase is Kinf at
every phase, and what comes near a vertex of it came from near that vertex.
"""

from claims.localmax.setting.end_hypotheses import open_step_sizes
from claims.localmax.setting.ends import margins, self_gaps
from claims.localmax.setting.recurring import end_of, recurring_start
from claims.statement import Claim, Origin
from dynamics.polytopes import vertices
from dynamics.tokens.periodic_schedules import PeriodicLocalmax

claim = Claim(
    __name__,
    where="abstract, maximal alignment set, for parameters that recur",
    refs=("LM-4",),
    statement="For any A and delta_k >= 0, gamma_k in (0,1) that recur: <Av, v> = max_{y in Kinf} <Av, y> for each "
    "vertex v of "
    "Kinf, the hull of the limit points at any phase.",
    origin=Origin.OURS,
    system=PeriodicLocalmax,
    assumptions=(open_step_sizes,),
    draw=recurring_start,
)


@claim.orbit("== 0", exact_only=True)
def self_gaps_of_vertices(f: PeriodicLocalmax, *, share=1):
    """max_l <Av, s_l> - <Av, v> for the vertices v among the limit points s_l of each phase."""
    phases = end_of(f).limits
    return margins([gap for s in phases for gap in self_gaps(s, f.A, share)[vertices(s)]])


@claim.orbit("== 0", exact_only=True)
def phases_have_one_hull(f: PeriodicLocalmax, *, share=1):
    """Vertices of the hull of all phases together minus those that one phase and the first have in common."""
    hulls = [{tuple(v) for v in s[vertices(s)]} for s in end_of(f).limits]
    return margins([len(hull | hulls[0]) - share * len(hull & hulls[0]) for hull in hulls])
