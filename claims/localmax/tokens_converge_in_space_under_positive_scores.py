"""OPEN: in at most three dimensions hardmax with A + A^T positive definite makes every token converge.

localmax OQ-7, what is left of it. In R^4 a token may follow the midpoints of tied pairs for ever. On a line
and for A symmetric tokens converge; in R^3 such pairs would have to share the one direction off the plane of the pursuit.
"""

from claims.localmax.every_token_converges import limit_points_differ
from claims.localmax.setting.end_hypotheses import positive_symmetric_part, three_dimensions
from claims.localmax.setting.hypotheses import additive_rule, hardmax, open_step_size
from claims.localmax.setting.starts import hardmax_start
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("OQ-7", "HM-7"),
    statement="d <= 3, A + A^T positive definite, hardmax: every token converges.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, three_dimensions, positive_symmetric_part, hardmax, open_step_size),
    standing=Standing.OPEN,
    draw=hardmax_start,
)

claim.orbit("== 0", exact_only=True)(limit_points_differ)
