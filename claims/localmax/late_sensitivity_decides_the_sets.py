"""Sensitivities with a limit delta* > 0 may leave other quiescent sets than constant delta*.

The claim that the sets are the same is false (OQ-8): tokens that merge early stay merged, whatever the later
sensitivity, for open sets of starts.
"""

from claims.localmax.setting.end_hypotheses import lasting_sensitivity, open_step_sizes
from claims.localmax.setting.ends import after_schedule, margins, quiescent_sets, settled
from claims.localmax.setting.hypotheses import definite_matrix
from claims.localmax.setting.starts import scheduled_start
from claims.stating.statement import Claim
from dynamics.tokens.schedules import ScheduledLocalmax

claim = Claim(
    __name__,
    refs=("OQ-8",),
    note=(
        "What merges early stays merged: of -1 and 1 with gamma = 1/2, delta = 2 at the first step and 1 ever "
        "after, both tokens meet, while delta = 1 from the first step on leaves each alone. The sets are those of"
        " the vertices of their own limit hull."
    ),
    statement="delta_k -> delta* > 0 gives the same eventually quiescent sets as constant delta*.",
    system=ScheduledLocalmax,
    assumptions=(definite_matrix, open_step_sizes, lasting_sensitivity),
    corrected_by="localmax.vertices_are_quiescent_sets",
    draw=scheduled_start,
)


# As sets of indices, for two schedules may leave equally many sets that are not the same.
def late_sets(f: ScheduledLocalmax):
    """The quiescent sets once neighbours are final."""
    return {tuple(Q) for Q in quiescent_sets(settled(after_schedule(f)).states[-1])}


@claim.orbit("== 0", exact_only=True)
def sets_differ(f: ScheduledLocalmax):
    """How many sets are quiescent in the end under one of the two only."""
    return margins([len(late_sets(f) ^ late_sets(f.replace(delta=0 * f.delta + f.delta[-1])))])
