"""FALSE: for constant delta > 0 a token may oscillate for ever: a 2-cycle in the limit.

localmax LM-13; standing found here. At delta = 7/2 and gamma = 1/2 (3,-4,0), (3,4,0) and (2,-1,+-3) attend to only
themselves, and a token from (2,0,0) tends to alternate between (8/3,-1/3,0) and (25/9,-2/9,0). Attending to the first
two it moves to where it attends to the others as well; these pull it back to where it does not. Each of them is attended to
less the nearer the token comes to their mean, for they lie on different sides of the way; one token alone, attended to at
times, cannot cause a to and fro of two steps. The tokens of quiescent sets do converge.
"""

from claims.localmax.setting.ends import limit_phases
from claims.localmax.setting.hypotheses import (
    additive_rule,
    definite_matrix,
    distinct_tokens,
    open_step_size,
    positive_sensitivity,
)
from claims.localmax.setting.starts import cycling_start
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LM-13", "OQ-1"),
    note=(
        "With delta = 17/4 and gamma = 1/2 the last of (4, 4, 0), (4, -5, 0), (3, 2, 8), (3, 2, -8), (4, 0, 0) ends "
        "in a 2-cycle between (34/9, 1/18, 0) and (11/3, 1/3, 0): at one place it attends to the first two tokens"
        " and itself, at the other to all. The tokens of quiescent sets do converge, each step leaving exactly "
        "the part 1 - gamma of their spread."
    ),
    statement="For constant delta > 0 and A symmetric positive definite every token converges.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity, distinct_tokens),
    standing=Standing.FALSE,
    corrected_by="localmax.quiescent_tokens_converge_at_a_rate",
    draw=cycling_start,
)


@claim.orbit("== 0", exact_only=True)
def limit_points_differ(f: LocalmaxStep, *, share=1):
    """The limit points of each token, less the first of them."""
    phases = limit_phases(f)
    return phases - share * phases[0]
