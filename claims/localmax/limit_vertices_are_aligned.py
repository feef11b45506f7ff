"""Every vertex v of the limiting polytope has the largest score with itself: <Av, v> = max over Kinf of <Av, y>.

localmax LM-4 (not printed in this form), true for any A and any sensitivities. A token that comes near v came from near v,
with all that it attends to, and the best of these is its maximiser.
"""

from claims.localmax.setting.end_hypotheses import open_step_sizes
from claims.localmax.setting.ends import after_schedule, limits, self_gaps
from claims.localmax.setting.starts import scheduled_start
from claims.statement import Claim, Origin
from dynamics.polytopes import vertices
from dynamics.tokens.schedules import ScheduledLocalmax

claim = Claim(
    __name__,
    where="the abstract's maximal alignment set",
    refs=("LM-4",),
    statement="For any A, any delta_k >= 0 and gamma_k in a compact part of (0,1): <Av, v> = max_{y in Kinf} <Av, y> "
    "for each vertex v of Kinf.",
    origin=Origin.OURS,
    system=ScheduledLocalmax,
    assumptions=(open_step_sizes,),
    draw=scheduled_start,
)


@claim.orbit("== 0", exact_only=True)
def self_gaps_of_vertices(f: ScheduledLocalmax, *, share=1):
    """max_l <Av, s_l> - <Av, v> for the vertices v among the limits s_l."""
    end = limits(after_schedule(f))
    return self_gaps(end, f.A, share)[vertices(end)]
