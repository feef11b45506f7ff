"""Where the sensitivity vanishes every token converges into the maximal alignment set of its own limiting polytope.

localmax LM-8 (abstract: hardmax limits are recovered; reconstructed), here for sensitivities that are zero from some step
on. A must be positive definite, tokens may coincide or be zero. Kinf itself depends on the whole sequence.
"""

from claims.localmax.setting.end_hypotheses import positive_step_sizes, vanishing_sensitivity
from claims.localmax.setting.ends import after_schedule, limits, self_gaps
from claims.localmax.setting.hypotheses import definite_matrix
from claims.localmax.setting.starts import scheduled_start
from claims.statement import Claim, Origin
from dynamics.tokens.schedules import ScheduledLocalmax

claim = Claim(
    __name__,
    where="abstract, vanishing sensitivity (reconstructed)",
    refs=("LM-8",),
    statement="A symmetric positive definite, delta_k -> 0: every token converges to a point of S = {x in Kinf : |x|_A^2 = "
    "max_{Kinf} <Ax, y>}.",
    origin=Origin.REPORTED,
    system=ScheduledLocalmax,
    assumptions=(definite_matrix, positive_step_sizes, vanishing_sensitivity),
    draw=scheduled_start,
)


@claim.orbit("== 0", exact_only=True)
def self_gaps_of_limits(f: ScheduledLocalmax, *, share=1):
    """max_l <A s_i, s_l> - |s_i|_A^2 for the limits s_i."""
    return self_gaps(limits(after_schedule(f)), f.A, share)
