"""Each vertex of the limit hull is the limit of a set of tokens that in the end attend only to one another.

`vertices_are_quiescent_sets`: At late times a ring around a vertex contains no token; those inside attend to one
another alone. The sensitivity must not vanish; A is arbitrary. The paper's own definition is not known: quiescent sets
are reconstructed (LM-6).

`vertices_are_quiescent_sets_under_every_rule`: The proof needs two properties of a rule: maximisers are neighbours, and
the tolerance tau(v) at a vertex v is positive: delta, or delta <Av, v> (D2), or delta |v|_A (D3).
"""

from claims.localmax.setting.end_hypotheses import lasting_sensitivity, open_step_sizes
from claims.localmax.setting.ends import after_schedule, corners, limit_phases, limits, margins, quiescent_sets, settled
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.localmax.setting.starts import near_the_edge, rule_start_or_rest, scheduled_start
from claims.stating.matrices import eye_like
from claims.stating.statement import Assumption, Origin, Section
from dynamics.orbits.final_neighbours import NotSettledError
from dynamics.tokens.localmax import RELATIVE, WEIGHTED, LocalmaxStep
from dynamics.tokens.schedules import ScheduledLocalmax

section = Section(__name__, system=LocalmaxStep)

vertices_are_quiescent_sets = section.claim(
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


# After the schedule: sets are those of the constant parameters that remain.
def quiescent_ends(f: ScheduledLocalmax):
    """The limits, and the sets Q with C_i = Q on Q once neighbours are final."""
    end = settled(after_schedule(f))
    return end.final.limits, quiescent_sets(end.states[-1])


@vertices_are_quiescent_sets.orbit("== 0", exact_only=True)
def quiescent_sets_are_the_vertices(f: ScheduledLocalmax):
    """Sets minus vertices; for each set how many of its tokens have a limit that is not the vertex of that set."""
    s, sets = quiescent_ends(f)
    places = {tuple(v) for v in corners(s)}
    strays = [len({tuple(s[i]) for i in Q} - places) for Q in sets]
    return margins([len(sets) - len(places), *strays, len({tuple(s[Q[0]]) for Q in sets}) - len(sets)])


# ">=": a limit may be at exactly delta, as tokens approach it without ever being there.
@vertices_are_quiescent_sets.orbit(">= 0", exact_only=True)
def others_end_unheard(f: ScheduledLocalmax, *, room=1):
    """<Av, v - y> - delta for every vertex v and the limits y of tokens outside its set."""
    s, sets = quiescent_ends(f)
    delta = room * f.delta[-1]
    return margins([s[Q[0]] @ f.A.T @ (s[Q[0]] - s[j]) - delta for Q in sets for j in range(len(s)) if j not in Q])


def _goes_round(f: LocalmaxStep) -> bool:
    """Whether some token is known to cycle through different places."""
    try:
        phases = limit_phases(f)
    except NotSettledError:
        return False
    return bool((phases != phases[0]).any())


# Relative and weighted tolerances vanish with <Av, v>: at a vertex at the origin they are no tolerance at all.
def _tolerance_lasts(f: LocalmaxStep) -> bool | None:
    """None where the tokens are not known to converge."""
    if f.delta.item() == 0:
        return False
    try:
        v = corners(limits(f))
    except NotSettledError:
        return False if _goes_round(f) else None
    return f.which not in (RELATIVE, WEIGHTED) or bool(((v @ f.A.T * v).sum(axis=-1) > 0).all())


# In this order, so that as much as possible of the start is kept.
def _lasting(f: LocalmaxStep) -> LocalmaxStep:
    """With a larger delta, under A = I, or else with all tokens at one point."""
    larger, eye = f.delta + 1, eye_like(f.A)
    others = (f.replace(delta=larger), f.replace(delta=larger, A=eye))
    met = next((g for g in (f, *others) if _tolerance_lasts(g)), None)
    return met or f.replace(z=0 * f.z + eye[:1], delta=larger, A=eye)


lasting_tolerance = Assumption(
    "lasting_tolerance",
    "every token converges, and tau(v) > 0 at the vertices v of Kinf",
    satisfies=_tolerance_lasts,
    restrict=_lasting,
    violate=lambda f, draws: f.replace(delta=0 * f.delta),
)

vertices_are_quiescent_sets_under_every_rule = section.claim(
    where="abstract, quiescent sets (reconstructed), for every reading of the neighbours",
    refs=("LM-6", "OQ-10"),
    statement="For every vertex v of Kinf there is I_v with C_i(z^k) = I_v for all i in I_v and k >= k0, every such set is "
    "one of a vertex, z_i -> v for i in I_v, and <Av, v - y> >= tau(v) for limits y of other tokens.",
    origin=Origin.REPORTED,
    assumptions=(open_step_size, lasting_tolerance),
    draw=rule_start_or_rest,
)


@vertices_are_quiescent_sets_under_every_rule.orbit("== 0", exact_only=True, name="quiescent_sets_are_the_vertices")
def sets_are_the_vertices_under_every_rule(f: LocalmaxStep, *, share=1):
    """Sets minus vertices; for each set how many of its tokens have a limit that is not the vertex of that set."""
    end = settled(f)
    s, sets = end.final.limits, quiescent_sets(end.states[-1])
    places = {tuple(v) for v in corners(s)}
    strays = [len({tuple(s[i]) for i in Q} - places) for Q in sets]
    return margins([len(sets) - share * len(places), *strays, len({tuple(s[Q[0]]) for Q in sets}) - len(sets)])


# Under D3 tau(v)^2 = delta^2 <Av, v> is rational and tau(v) is not: squares with sign are compared.
@vertices_are_quiescent_sets_under_every_rule.orbit(">= 0", exact_only=True, name="others_end_unheard")
def others_end_unheard_under_every_rule(f: LocalmaxStep, *, room=1):
    """g - tau(v), g = <A v, v - y>, for every vertex v and the limits y of tokens outside its set; D3: g |g| - tau(v)^2."""
    end = settled(f)
    s, delta = end.final.limits, room * f.delta.item()
    found = []
    for Q in quiescent_sets(end.states[-1]):
        v = s[Q[0]]
        top = (f.A @ v) @ v
        for y in (s[j] for j in range(len(s)) if j not in Q):
            g = (f.A @ v) @ (v - y)
            allowed = {RELATIVE: delta * top, WEIGHTED: delta * delta * top}.get(f.which, delta)
            found.append((g * abs(g) if f.which == WEIGHTED else g) - allowed)
    return margins(found)


quiescent_set_stays_quiescent = section.claim(
    where="abstract, quiescent sets read as invariant",
    refs=("LM-6",),
    note=(
        "Of 4 and 5 with delta = 3 and gamma = 1/2 the second attends to itself alone, at gap 5 from the other; "
        "one step later the other is at 9/2, at gap 5/2, and it attends to both. Blocks that are separated with "
        "room to spare never mix."
    ),
    statement="If C_i(z^k) = Q for every i in Q, then C_i(z^{k+1}) = Q for every i in Q.",
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    corrected_by="localmax.separated_blocks_never_mix",
    draw=near_the_edge,
)


@quiescent_set_stays_quiescent.step("> 0", exact_only=True)
def outsiders_stay_unheard(f: LocalmaxStep):
    """gap_i(z_j) - delta after the step, for i in a quiescent set and j outside it."""
    gaps = f.step().gaps()
    return margins(
        [gaps[i, j] - f.delta.item() for Q in quiescent_sets(f) for i in Q for j in range(len(gaps)) if j not in Q]
    )
