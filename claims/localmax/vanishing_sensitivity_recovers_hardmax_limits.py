"""FALSE, so understood: where the sensitivity vanishes, tokens tend to the limits that hardmax has from the same start.

localmax LM-8 (abstract: "recovers hardmax limits"). What happens while the sensitivity lasts is not undone: tokens 1, 1/2
with delta = 1, 0, ... and gamma = 1/2 step to 7/8, 5/8 and tend to 7/8, under hardmax to 1. What is recovered is the
description of the limits.
"""

from claims.localmax.setting.end_hypotheses import open_step_sizes, vanishing_sensitivity
from claims.localmax.setting.ends import after_schedule, limits
from claims.localmax.setting.hypotheses import definite_matrix
from claims.localmax.setting.starts import scheduled_start
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.schedules import ScheduledLocalmax

claim = Claim(
    __name__,
    where="abstract, vanishing sensitivity, read literally",
    refs=("LM-8",),
    note=(
        "Of 1 and 1/2 with gamma = 1/2, and delta = 1 at the first step alone, both attend to both in that step and are "
        "at 7/8 and 5/8 after it; hardmax then takes both to 7/8, but from the start to 1. What is recovered is where "
        "limits lie: in S = {x in Kinf : "
        "|x|_A^2 = max_{Kinf} <Ax, y>}, for their own Kinf."
    ),
    statement="If delta_k -> 0, every token tends to its hardmax limit.",
    origin=Origin.OURS,
    system=ScheduledLocalmax,
    assumptions=(definite_matrix, open_step_sizes, vanishing_sensitivity),
    standing=Standing.FALSE,
    corrected_by="localmax.vanishing_sensitivity_gives_alignment",
    draw=scheduled_start,
)


@claim.orbit("== 0", exact_only=True)
def distance_of_limits(f: ScheduledLocalmax):
    """The limit minus that of the same start with the sensitivity zero at every step."""
    return limits(after_schedule(f)) - limits(after_schedule(f.replace(delta=0 * f.delta)))
