"""Under every rule each vertex of the limiting polytope has a set of tokens that eventually attend only to one another.

localmax LM-6 under all six readings of C_i. Its proof asks that maximisers are neighbours and that what delta allows at a
vertex v, tau(v), stays above zero: delta, or delta <Av, v> (D2), or delta |v|_A (D3). Nothing else is asked of the rule.
"""

from claims.localmax.setting.ends import corners, limit_phases, limits, margins, quiescent_sets, settled
from claims.localmax.setting.hypotheses import open_step_size
from claims.localmax.setting.starts import rule_start
from claims.matrices import eye_like
from claims.statement import Assumption, Claim, Origin
from dynamics.orbits.final_neighbours import NotSettledError
from dynamics.tokens.localmax import RELATIVE, WEIGHTED, LocalmaxStep


def _goes_round(f: LocalmaxStep) -> bool:
    """Whether some token is known to go round different places for ever."""
    try:
        phases = limit_phases(f)
    except NotSettledError:
        return False
    return bool((phases != phases[0]).any())


def _tolerance_lasts(f: LocalmaxStep) -> bool | None:
    """None where the tokens are not known to converge."""
    if f.delta.item() == 0:
        return False
    try:
        v = corners(limits(f))
    except NotSettledError:
        return False if _goes_round(f) else None
    return f.which not in (RELATIVE, WEIGHTED) or bool(((v @ f.A.T * v).sum(axis=-1) > 0).all())


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

claim = Claim(
    __name__,
    where="abstract, quiescent sets (reconstructed), for every reading of the neighbours",
    refs=("LM-6", "OQ-10"),
    statement="For every vertex v of Kinf there is I_v with C_i(z^k) = I_v for all i in I_v and k >= k0, every "
    "such set is one "
    "of a vertex, z_i -> v for i in I_v, and <Av, v - y> >= tau(v) for limits y of other tokens.",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(open_step_size, lasting_tolerance),
    draw=rule_start,
)


@claim.orbit("== 0", exact_only=True)
def quiescent_sets_are_the_vertices(f: LocalmaxStep, *, share=1):
    """Sets minus vertices; for each set how many of its tokens have a limit that is not the vertex of that set."""
    end = settled(f)
    s, sets = end.final.limits, quiescent_sets(end.states[-1])
    places = {tuple(v) for v in corners(s)}
    strays = [len({tuple(s[i]) for i in Q} - places) for Q in sets]
    return margins([len(sets) - share * len(places), *strays, len({tuple(s[Q[0]]) for Q in sets}) - len(sets)])


@claim.orbit(">= 0", exact_only=True)
def others_end_unheard(f: LocalmaxStep, *, room=1):
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
