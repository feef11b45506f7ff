"""FALSE for delta > 0: a configuration to which the tokens converge need not be a fixed point.

localmax LM-9. A token that comes down the axis between two vertices may have in its limit a third one at gap
exactly delta: of (3,8), (3,-8), (-4,0), (4,0) at delta = 21 the last tends to (3,0), where it attends to all four.
"""

from claims.localmax.setting.ends import limits
from claims.localmax.setting.hypotheses import (
    additive_rule,
    definite_matrix,
    distinct_tokens,
    open_step_size,
    positive_sensitivity,
)
from claims.localmax.setting.starts import third_at_the_brink
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LM-9",),
    note=(
        "Of (0, 2), (0, 0), (2, 0) with delta = 2 and gamma = 1/2 the second tends to (1, 1), where its gap is "
        "exactly delta and the others begin to attend to it: a step from the limit moves (0, 2) to (1/4, 7/4). "
        "What is true is that a limit has a gap of at most delta to the best score."
    ),
    statement="If all tokens converge, their limits are a fixed point.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity, distinct_tokens),
    standing=Standing.FALSE,
    corrected_by="localmax.limits_have_small_self_gaps",
    draw=third_at_the_brink,
)


@claim.orbit("== 0", exact_only=True)
def step_of_the_limit(f: LocalmaxStep):
    """How far a step moves the limits."""
    end = f.replace(z=limits(f))
    return end.step().z - end.z
