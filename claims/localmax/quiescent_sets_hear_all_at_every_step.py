"""FALSE: if the sensitivity is sometimes zero, the sets of LM-6 need not have their property at every late step.

localmax OQ-4, in the words of LM-6. At a step without sensitivity tokens near a vertex attend to the one among them that
scores best, not all. What remains is that they attend to no others.
"""

from claims.localmax.setting.end_hypotheses import open_step_sizes
from claims.localmax.setting.ends import corners, margins
from claims.localmax.setting.hypotheses import definite_matrix
from claims.localmax.setting.recurring import end_of, recurring_sensitivity, recurring_start, tend_to
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.periodic_schedules import PeriodicLocalmax

claim = Claim(
    __name__,
    refs=("OQ-4", "LM-6"),
    note=(
        "Of 1 and 0 with gamma = 1/2 and delta = 0, 1, 0, 1, ... both tend to one vertex, but at each step with "
        "delta = 0 both attend to the larger one alone. What is true is that the tokens of a vertex attend to no "
        "others at late steps, and to all of their own where delta_k > 0."
    ),
    statement="If limsup delta_k > 0, each vertex v of Kinf has an I_v with C_i(z^k) = I_v for all i in I_v and k >= k0.",
    origin=Origin.OURS,
    system=PeriodicLocalmax,
    assumptions=(definite_matrix, open_step_sizes, recurring_sensitivity),
    standing=Standing.FALSE,
    corrected_by="localmax.quiescent_sets_recur_with_the_sensitivity",
    draw=recurring_start,
)


@claim.orbit("== 0", exact_only=True)
def unheard_of_the_own_set(f: PeriodicLocalmax):
    """Pairs of tokens that tend to one vertex of which one does not attend to the other, at each step of the last turn."""
    end = end_of(f)
    sets = [sorted(tend_to(f, v, end.limits)) for v in corners(end.limits[0])]
    return margins([sum(not now.neighbours()[i, j] for I in sets for i in I for j in I) for now in end.states])
