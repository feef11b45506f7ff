"""FALSE: a token that comes arbitrarily near a vertex of Kinf tends to it, if the sensitivity does not tend to zero.

localmax OQ-4 for gaps that grow; standing found here. Tokens p > z > 0 > -W on a line, delta_k = delta at some steps and 0
at all others. Without sensitivity z tends to p. Just before it is so near that it scores as well as p the step with delta
is taken: p does not attend to -W, z does, and is thrown back. p pays a multiple of p - z each time, and its lead over the
score at which it would attend to -W shrinks like p - z. So the next visit must be nearer by a factor and comes later by a
number of steps: gaps grow linearly, p falls to v > 0 with a v (v + W) = delta, and z is near v and away from it for ever.
Where gaps are bounded this is not possible.
"""

from claims.localmax.setting.ends import margins
from claims.localmax.setting.hypotheses import definite_matrix, open_step_size, positive_sensitivity
from claims.localmax.setting.recurring import Visit, is_visit, two_against_one, visit_or_calm
from claims.statement import Claim, Origin, Standing
from dynamics.orbits.final_neighbours import NotSettledError
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("OQ-4", "LM-6"),
    note=(
        "With delta = 21 at ever rarer steps, 0 at all others, and gamma = 1/2, of 769/256, 767/256, -4 the "
        "second comes as near to the first as one likes, and is thrown back by more than 1.16 at the end of each "
        "gap, for it attends to -4 and the first does not. Where the sensitivity recurs with bounded gaps the "
        "sets are constant in the end."
    ),
    statement=(
        "If limsup delta_k > 0 = liminf delta_k, the sets I_v of tokens near vertices of Kinf are constant in the end."
    ),
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(two_against_one, definite_matrix, open_step_size, positive_sensitivity),
    standing=Standing.FALSE,
    corrected_by="localmax.quiescent_sets_recur_with_the_sensitivity",
    draw=visit_or_calm,
)


@claim.orbit(">= 0", exact_only=True)
def tokens_near_a_vertex_stay(f: LocalmaxStep):
    """p - z before a step with delta minus p - z after it, at three visits, each at the end of a longer gap without delta.

    It is for ever what it is now only where the visits are certain to repeat: else UNDECIDED where z is thrown back.
    """
    visits, never_ends = [Visit(f)], is_visit(f)
    for _ in range(2 if never_ends else 0):
        visits.append(visits[-1].next())
    kept = margins([visit.kept for visit in visits])
    if not never_ends and min(kept) < 0:
        raise NotSettledError("z is thrown back, and whether it comes near again for ever is not known")
    return kept
