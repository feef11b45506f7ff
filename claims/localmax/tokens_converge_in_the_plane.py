"""OPEN: in the plane every token converges for constant delta > 0.

localmax OQ-1. In R^3 it is false, by a pair of tokens on both sides of the way of a third one. In the
plane such a pair has no room among vertices: from one place at most one of them is attended to on either side.
"""

from claims.localmax.every_token_converges import limit_points_differ
from claims.localmax.setting.end_hypotheses import two_dimensions
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.localmax.setting.starts import plane_start
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("OQ-1", "LM-13"),
    statement="d = 2, A symmetric positive definite, constant delta > 0: every token converges.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity, two_dimensions),
    standing=Standing.OPEN,
    draw=plane_start,
)

claim.orbit("== 0", exact_only=True)(limit_points_differ)
