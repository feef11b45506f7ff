"""Without sensitivity tokens tend to the maximal alignment set, also for step sizes that oscillate for ever.

localmax LM-8 (reconstructed), which allows step sizes from a compact part of (0, 1], here for those that recur. Norms grow
in every step by 2 gamma_k times the self gap and more, so that self gaps vanish in the limit; S is finite.
"""

from claims.localmax.setting.end_hypotheses import open_step_sizes
from claims.localmax.setting.ends import margins, self_gaps
from claims.localmax.setting.hypotheses import definite_matrix
from claims.localmax.setting.recurring import end_of, no_sensitivity, recurring_start
from claims.statement import Claim, Origin
from dynamics.tokens.periodic_schedules import PeriodicLocalmax

claim = Claim(
    __name__,
    where="abstract, vanishing sensitivity (reconstructed)",
    refs=("LM-8",),
    statement="A symmetric positive definite, delta_k = 0, gamma_k recurs: every token converges to a point of S = "
    "{x in Kinf : |x|_A^2 = max_{Kinf} <Ax, y>}.",
    origin=Origin.REPORTED,
    system=PeriodicLocalmax,
    assumptions=(definite_matrix, open_step_sizes, no_sensitivity),
    draw=recurring_start,
    equivalent={
        "self_gaps_of_limits: limits[0] => limits[1]": (
            "The limits at the next phase, which by the other entries are the same."
        ),
    },
)


@claim.orbit("== 0", exact_only=True)
def self_gaps_of_limits(f: PeriodicLocalmax, *, share=1):
    """max_l <A s_i, s_l> - |s_i|_A^2 for the limits s_i at the first phase, and how many differ from those at another."""
    limits = end_of(f).limits
    gaps = self_gaps(limits[0], f.A, share)
    return margins([*gaps, *((s != limits[0]).any(axis=-1).sum() for s in limits[1:])])
