"""FALSE: who comes as near as you like to a vertex of Kinf tends to it, if the sensitivity does not tend to zero.

localmax OQ-4 for gaps that grow; standing found here. Tokens p > z > 0 > -W on a line, delta_k = delta at some steps and 0
at all others. Without sensitivity z tends to p. Just before it is so near that it scores as well as p the step with delta
is taken: p does not hear -W, z does, and is thrown back. p pays a multiple of p - z each time, and its lead over the score
at which it would hear -W shrinks like p - z. So the next visit must be nearer by a factor and comes later by a number of
steps: gaps grow linearly, p falls to v > 0 with a v (v + W) = delta, and z is near v and away from it for ever. Where
gaps are bounded this is not possible.
"""

from claims.localmax.endings import margins
from claims.localmax.hypotheses import definite_matrix, open_step_size, positive_sensitivity
from claims.localmax.recurring import Visit, is_visit, visiting_start
from claims.statement import LOCALMAX, Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
    refs=("OQ-4", "LM-6"),
    statement=(
        "If limsup delta_k > 0 = liminf delta_k, the sets I_v of tokens near vertices of Kinf are constant in the end."
    ),
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(definite_matrix, open_step_size, positive_sensitivity),
    standing=Standing.FALSE,
    corrected_by="localmax.quiescent_sets_recur_with_the_sensitivity",
    draw=visiting_start,
)


@claim.orbit(">= 0", exact_only=True)
def tokens_near_a_vertex_stay(f: LocalmaxStep):
    """Minus the distance to which z goes away after each of its visits, where these are certain never to end."""
    return margins([-Visit(f).retreat]) if is_visit(f) else exact([])
