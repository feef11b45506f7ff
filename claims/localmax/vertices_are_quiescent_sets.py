"""Each vertex of the limiting polytope is the limit of a set of tokens that eventually attend only to one another.

localmax LM-6 (abstract: quiescent sets near vertices; reconstructed). Around a vertex there is, at large times, a ring
without tokens; those inside attend to one another alone. The sensitivity must not vanish; nothing is asked of A.
"""

from claims.localmax.setting.end_hypotheses import lasting_sensitivity, open_step_sizes
from claims.localmax.setting.ends import after_schedule, corners, margins, quiescent_sets, settled
from claims.localmax.setting.starts import scheduled_start
from claims.statement import Claim, Origin
from dynamics.tokens.schedules import ScheduledLocalmax

claim = Claim(
    __name__,
    where="abstract, quiescent sets (reconstructed)",
    refs=("LM-6", "LM-7"),
    statement="For every vertex v of Kinf there is I_v with C_i(z^k) = I_v for all i in I_v and k >= k0, sets of different "
    "vertices are disjoint, every such set is one of a vertex, z_i -> v for i in I_v, and <Av, v - y> >= limsup delta_k "
    "for limit points y of other tokens.",
    origin=Origin.REPORTED,
    system=ScheduledLocalmax,
    assumptions=(open_step_sizes, lasting_sensitivity),
    draw=scheduled_start,
)


def quiescent_ends(f: ScheduledLocalmax):
    """The limits, and the sets Q with C_i = Q on Q once neighbours are final."""
    end = settled(after_schedule(f))
    return end.final.limits, quiescent_sets(end.states[-1])


@claim.orbit("== 0", exact_only=True)
def quiescent_sets_are_the_vertices(f: ScheduledLocalmax):
    """Sets minus vertices; for each set how many of its tokens have a limit that is not the vertex of that set."""
    s, sets = quiescent_ends(f)
    places = {tuple(v) for v in corners(s)}
    strays = [len({tuple(s[i]) for i in Q} - places) for Q in sets]
    return margins([len(sets) - len(places), *strays, len({tuple(s[Q[0]]) for Q in sets}) - len(sets)])


@claim.orbit(">= 0", exact_only=True)
def others_end_unheard(f: ScheduledLocalmax, *, room=1):
    """<Av, v - y> - delta for every vertex v and the limits y of tokens outside its set."""
    s, sets = quiescent_ends(f)
    delta = room * f.delta[-1]
    return margins([s[Q[0]] @ f.A.T @ (s[Q[0]] - s[j]) - delta for Q in sets for j in range(len(s)) if j not in Q])
