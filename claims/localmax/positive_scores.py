"""Under hardmax with A + A^T > 0, but A not symmetric, a token may move in a cycle and not converge.

`tokens_converge_in_space_under_positive_scores`: Open. In R^3 the tied pairs of the example in R^4 would have to share
the one direction off the plane of the cycle. On a line, and for symmetric A, tokens converge.

`tokens_converge_under_positive_scores`: False in R^4 (OQ-7). On its way to a single leader a token keeps attending to
it, but a tied pair may be lost on the way to its midpoint: A turns the token towards the next pair. Pairs that follow
each other need directions of their own off the plane of the cycle. All tokens are distinct and nonzero, and within its
plane the cycle attracts.
"""

from claims.localmax.every_token_converges import limit_points_differ
from claims.localmax.setting.end_hypotheses import positive_symmetric_part, three_dimensions
from claims.localmax.setting.hypotheses import additive_rule, hardmax, open_step_size
from claims.localmax.setting.starts import hardmax_start, pursuit_or_hardmax
from claims.stating.statement import Section, Standing
from dynamics.tokens.localmax import LocalmaxStep

section = Section(__name__, refs=("OQ-7", "HM-7"), system=LocalmaxStep)

# The source has no failure in 6000 random systems of the plane; a cycle of pairs needs two directions off its plane.
tokens_converge_in_space_under_positive_scores = section.claim(
    statement="d <= 3, A + A^T positive definite, hardmax: every token converges.",
    assumptions=(additive_rule, three_dimensions, positive_symmetric_part, hardmax, open_step_size),
    standing=Standing.OPEN,
    draw=hardmax_start,
)

tokens_converge_in_space_under_positive_scores.orbit("== 0", exact_only=True)(limit_points_differ)

tokens_converge_under_positive_scores = section.claim(
    note=(
        "A token that attends to a tied pair may turn it out of sight on its way: with A = [[1, -4], [4, 1]] on a"
        " plane, I beside it, and gamma = 1/2, the last of these nine tokens is at (6/5, -3/5), (3/5, 6/5), "
        "(-6/5, 3/5), (-3/5, -6/5) in turn. For a symmetric positive definite A every token converges."
    ),
    statement="A + A^T positive definite, hardmax: every token converges.",
    assumptions=(additive_rule, positive_symmetric_part, hardmax, open_step_size),
    corrected_by="localmax.hardmax_limits_lie_in_alignment_set",
    draw=pursuit_or_hardmax,
)

tokens_converge_under_positive_scores.orbit("== 0", exact_only=True)(limit_points_differ)
