"""If the sensitivity recurs at bounded intervals, each vertex keeps its tokens; with growing intervals it need not.

`quiescent_sets_hear_all_at_every_step`: False: at a step with delta = 0 the tokens near a vertex attend only to the
best of them. What remains is that they attend to no others.

`quiescent_sets_recur_with_the_sensitivity`: At each step with large delta a ring around the vertex v contains no token.
A token near v was near v one step before, and so was all that it attended to; over a bounded number of steps the
distances grow by a bounded factor. So no token enters between two such steps, and the tokens near v only become fewer.
They attend to no others at any step, and to all of their set where delta is not near zero (OQ-4, any A).

`rare_sensitivity_keeps_vertex_tokens`: False for growing gaps. Take tokens p > z > 0 > -W on a line, with delta_k =
delta at some steps and 0 at all others. At delta = 0 the token z tends to p. The step with delta is taken just before z
is so near that it scores as well as p: then p does not attend to -W, but z does and is thrown back. Each visit costs p
a multiple of p - z, and its lead over the score at which it would attend to -W shrinks like p - z. So the next visit
must be nearer by a factor, and comes later by a number of steps: the gaps grow linearly. p falls to v > 0 with a v (v +
W) = delta, and z is near v and away from it infinitely often.

`rare_sensitivity_lets_a_token_go`: This is the proof, by induction over the visits. After one step with delta, and as
many without as are needed, the next visit is like the last. In between z was at least gamma (q + W)/3 from p, and p - z
falls by a factor from visit to visit.
"""

from claims.localmax.setting.end_hypotheses import open_step_sizes
from claims.localmax.setting.ends import corners, margins, quiescent_sets
from claims.localmax.setting.hypotheses import definite_matrix, open_step_size, positive_sensitivity
from claims.localmax.setting.recurring import (
    Visit,
    a_visit,
    end_of,
    is_visit,
    recurring_sensitivity,
    recurring_start,
    tend_to,
    two_against_one,
    visit_or_calm,
    visiting_start,
)
from claims.stating.statement import Section
from dynamics.orbits.final_neighbours import NotSettledError
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.periodic_schedules import PeriodicLocalmax

section = Section(__name__, refs=("OQ-4", "LM-6"))

quiescent_sets_hear_all_at_every_step = section.claim(
    note=(
        "Of 1 and 0 with gamma = 1/2 and delta = 0, 1, 0, 1, ... both tend to one vertex, but at each step with "
        "delta = 0 both attend to the larger one alone. What is true is that the tokens of a vertex attend to no "
        "others at late steps, and to all of their own where delta_k > 0."
    ),
    statement="If limsup delta_k > 0, each vertex v of Kinf has an I_v with C_i(z^k) = I_v for all i in I_v and k >= k0.",
    system=PeriodicLocalmax,
    assumptions=(definite_matrix, open_step_sizes, recurring_sensitivity),
    corrected_by="localmax.quiescent_sets_recur_with_the_sensitivity",
    draw=recurring_start,
)


# In each state of the last turn: "for all k >= k0" means every phase.
@quiescent_sets_hear_all_at_every_step.orbit("== 0", exact_only=True)
def unheard_of_the_own_set(f: PeriodicLocalmax):
    """Pairs of tokens that tend to one vertex of which one does not attend to the other, at each step of the last turn."""
    end = end_of(f)
    sets = [sorted(tend_to(f, v, end.limits)) for v in corners(end.limits[0])]
    return margins([sum(not now.neighbours()[i, j] for I in sets for i in I for j in I) for now in end.states])


quiescent_sets_recur_with_the_sensitivity = section.claim(
    statement="If delta_k recurs and is not always 0: for each vertex v of Kinf the tokens I_v that tend to v have C_i "
    "within I_v for all large k, C_i = I_v where delta_k > 0, no other set is quiescent then, and <Av, v - y> >= delta_k.",
    system=PeriodicLocalmax,
    assumptions=(open_step_sizes, recurring_sensitivity),
    draw=recurring_start,
)


# From the least positive delta on: at a step with delta = 0 a set attends to the best of its own tokens alone.
@quiescent_sets_recur_with_the_sensitivity.orbit("== 0", exact_only=True)
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


# At each phase with its own delta, since limit points of other tokens may change from phase to phase.
@quiescent_sets_recur_with_the_sensitivity.orbit(">= 0", exact_only=True)
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


rare_sensitivity_keeps_vertex_tokens = section.claim(
    note=(
        "With delta = 21 at ever rarer steps, 0 at all others, and gamma = 1/2, of 769/256, 767/256, -4 the second comes as"
        " near to the first as one likes, and is thrown back by more than 1.16 at the end of each gap, for it attends to -4"
        " and the first does not. Where the sensitivity recurs with bounded gaps the sets are constant in the end."
    ),
    statement=(
        "If limsup delta_k > 0 = liminf delta_k, the sets I_v of tokens near vertices of Kinf are constant in the end."
    ),
    system=LocalmaxStep,
    assumptions=(two_against_one, definite_matrix, open_step_size, positive_sensitivity),
    corrected_by="localmax.quiescent_sets_recur_with_the_sensitivity",
    draw=visit_or_calm,
)


@rare_sensitivity_keeps_vertex_tokens.orbit(">= 0", exact_only=True)
def tokens_near_a_vertex_stay(f: LocalmaxStep):
    """p - z before a step with delta minus p - z after it, at three visits, each at the end of a longer gap without delta.

    A negative entry refutes only where the visits are certain to repeat; elsewhere it is UNDECIDED.
    """
    visits, never_ends = [Visit(f)], is_visit(f)
    for _ in range(2 if never_ends else 0):
        visits.append(visits[-1].next())
    kept = margins([visit.kept for visit in visits])
    if not never_ends and min(kept) < 0:
        raise NotSettledError("z is thrown back, and whether it comes near again infinitely often is not known")
    return kept


rare_sensitivity_lets_a_token_go = section.claim(
    refs=("OQ-4",),
    statement="p > z > 0 > -W with 0 < g = a p(p+W) - delta < a (p+W)(p-z), g small: after a step with delta and T without "
    "the same is true, with smaller g and p - z, and meanwhile p - z was gamma (q + W)/3 or more.",
    system=LocalmaxStep,
    assumptions=(a_visit,),
    draw=visiting_start,
)


# The induction step: the margins hold again, and g has fallen, so that visits go on with ever smaller g.
@rare_sensitivity_lets_a_token_go.orbit("> 0", exact_only=True)
def next_visit_is_like_this(f: LocalmaxStep):
    """The margins of what a visit is, at the next one; and g - g'."""
    after = Visit(f).next()
    return margins([*after.margins(), Visit(f).room - after.room])


# Between visits z is away from p by a fixed amount: it does not converge to v.
@rare_sensitivity_lets_a_token_go.orbit(">= 0", exact_only=True)
def token_was_away(f: LocalmaxStep, *, parts=1):
    """p' - z' - gamma (q + W)/3 after the step with delta."""
    p, z, _ = f.step().z[:, 0]
    return margins([p - z - parts * Visit(f).retreat])
