"""If the sensitivity recurs at bounded intervals, each vertex of Kinf keeps its own tokens for ever.

localmax OQ-4, settled for bounded gaps; what is true of LM-6 there, for any A. At each step of large sensitivity there is
a ring without tokens around the vertex v. A token near v was near v a step before, and so were all that it attended to;
over a bounded number of steps near is near up to a factor. So no token enters between two such steps: those near v only
become fewer, and are I_v in the end. They attend to no others at any step, and all of I_v where the sensitivity is not near
zero. For gaps that grow it is false (`rare_sensitivity_keeps_vertex_tokens`).
"""

from claims.localmax.setting.end_hypotheses import open_step_sizes
from claims.localmax.setting.ends import corners, margins, quiescent_sets
from claims.localmax.setting.recurring import end_of, recurring_sensitivity, recurring_start, tend_to
from claims.statement import Claim, Origin
from dynamics.tokens.periodic_schedules import PeriodicLocalmax

claim = Claim(
    __name__,
    refs=("OQ-4", "LM-6"),
    statement="If delta_k recurs and is not always 0: for each vertex v of Kinf the tokens I_v that tend to v have C_i "
    "within I_v for all large k, C_i = I_v where delta_k > 0, no other set is quiescent then, and <Av, v - y> >= delta_k.",
    origin=Origin.OURS,
    system=PeriodicLocalmax,
    assumptions=(open_step_sizes, recurring_sensitivity),
    draw=recurring_start,
    equivalent={
        "vertices_have_their_sets: end.limits[0] => end.limits[1]": (
            "Hulls only shrink: those of the limits at all phases are one, Kinf."
        ),
    },
)


@claim.orbit("== 0", exact_only=True)
def vertices_have_their_sets(f: PeriodicLocalmax):
    """Where delta_k is not below its least positive value: sets quiescent or some I_v, not both; attention to others."""
    end, counts = end_of(f), []
    least = min((delta for delta in f.delta if delta > 0), default=0)
    sets = [tend_to(f, v, end.limits) for v in corners(end.limits[0])]
    for state in end.states:
        if state.sensitivity().item() >= least:
            counts.append(len({tuple(sorted(I)) for I in sets} ^ {tuple(Q) for Q in quiescent_sets(state.now())}))
        attended = state.neighbours()
        counts.append(sum(bool(attended[i, j]) for I in sets for i in I for j in range(len(f.z)) if j not in I))
    return margins(counts)


@claim.orbit(">= 0", exact_only=True)
def others_are_beyond(f: PeriodicLocalmax, *, room=1):
    """<Av, v - y> - delta for every vertex v and the limit points y, at each phase, of tokens that do not tend to v."""
    end = end_of(f)
    sets = [(v, tend_to(f, v, end.limits)) for v in corners(end.limits[0])]
    return margins(
        [
            v @ f.A.T @ (v - y) - room * now.sensitivity().item()
            for now, s in zip(end.states, end.limits, strict=True)
            for v, I in sets
            for j, y in enumerate(s)
            if j not in I
        ]
    )
