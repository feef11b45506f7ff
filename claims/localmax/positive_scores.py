"""Hardmax with A + A^T > 0, A not symmetric (localmax OQ-7).

`tokens_converge_in_space_under_positive_scores`: OPEN: in at most three dimensions hardmax with A + A^T positive definite
makes every token converge.

localmax OQ-7, what is left of it. In R^4 a token may follow the midpoints of tied pairs for ever. On a line
and for A symmetric tokens converge; in R^3 such pairs would have to share the one direction off the plane of the pursuit.

`tokens_converge_under_positive_scores`: FALSE: under hardmax with a matrix whose symmetric part is positive definite a
token may move in a cycle for ever.

localmax OQ-7, hardmax HM-7 without symmetry (open there; standing found here). A token that attends to one leader
keeps attending to it on the way there, but it need not keep attending to a pair. With A = [[1, -4], [4, 1]] on the first
plane, I beside it, and gamma = 1/2 the tokens (+-1, 0, +-2, 0) and (0, +-1, 0, +-2) attend only to themselves. From (2/5,
-1/5, 0, 0) both tokens of each pair score the same: it moves to the midpoint (0, 1, 0, 0) of a pair, which A turns out
of its sight, then for (-1, 0, 0, 0), and is back after four steps. All tokens are distinct and nonzero, and in its plane
the cycle attracts. Pairs that follow each other need directions of their own off that plane: d <= 3 stays open. For
symmetric A every token converges.
"""

from claims.localmax.every_token_converges import limit_points_differ
from claims.localmax.setting.end_hypotheses import positive_symmetric_part, three_dimensions
from claims.localmax.setting.hypotheses import additive_rule, hardmax, open_step_size
from claims.localmax.setting.starts import hardmax_start, pursuit_or_hardmax
from claims.statement import Section, Standing
from dynamics.tokens.localmax import LocalmaxStep

section = Section(__name__, refs=("OQ-7", "HM-7"), system=LocalmaxStep)

tokens_converge_in_space_under_positive_scores = section.claim(
    "tokens_converge_in_space_under_positive_scores",
    statement="d <= 3, A + A^T positive definite, hardmax: every token converges.",
    assumptions=(additive_rule, three_dimensions, positive_symmetric_part, hardmax, open_step_size),
    standing=Standing.OPEN,
    draw=hardmax_start,
)


tokens_converge_in_space_under_positive_scores.orbit("== 0", exact_only=True)(limit_points_differ)


tokens_converge_under_positive_scores = section.claim(
    "tokens_converge_under_positive_scores",
    note=(
        "A token that attends to a tied pair may turn it out of sight on its way: with A = [[1, -4], [4, 1]] on a"
        " plane, I beside it, and gamma = 1/2, the last of these nine tokens is at (6/5, -3/5), (3/5, 6/5), "
        "(-6/5, 3/5), (-3/5, -6/5) in turn. For a symmetric positive definite A every token converges."
    ),
    statement="A + A^T positive definite, hardmax: every token converges.",
    assumptions=(additive_rule, positive_symmetric_part, hardmax, open_step_size),
    standing=Standing.FALSE,
    corrected_by="localmax.hardmax_limits_lie_in_alignment_set",
    draw=pursuit_or_hardmax,
)


tokens_converge_under_positive_scores.orbit("== 0", exact_only=True)(limit_points_differ)
