"""Whether tokens converge on a line and in the plane: open (localmax OQ-1).

`tokens_converge_in_the_plane`: OPEN: in the plane every token converges for constant delta > 0.

localmax OQ-1. In R^3 it is false, by a pair of tokens on both sides of the way of a third one. In the
plane such a pair has no room among vertices: from one place at most one of them is attended to on either side.

`tokens_converge_on_a_line`: OPEN: on a line every token converges for constant delta > 0.

localmax OQ-1 (not printed; conjectured yes: order is preserved). In R^3 it is false. Up to four tokens do converge:
docs/final_neighbours.md.
"""

from claims.localmax.every_token_converges import limit_points_differ
from claims.localmax.setting.end_hypotheses import two_dimensions
from claims.localmax.setting.hypotheses import (
    additive_rule,
    definite_matrix,
    one_dimension,
    open_step_size,
    positive_sensitivity,
)
from claims.localmax.setting.starts import line_start, plane_start
from claims.statement import Section, Standing
from dynamics.tokens.localmax import LocalmaxStep

section = Section(__name__, refs=("OQ-1", "LM-13"), system=LocalmaxStep)

tokens_converge_in_the_plane = section.claim(
    "tokens_converge_in_the_plane",
    statement="d = 2, A symmetric positive definite, constant delta > 0: every token converges.",
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity, two_dimensions),
    standing=Standing.OPEN,
    draw=plane_start,
)


tokens_converge_in_the_plane.orbit("== 0", exact_only=True)(limit_points_differ)


tokens_converge_on_a_line = section.claim(
    "tokens_converge_on_a_line",
    statement="d = 1, A > 0, constant delta > 0: every token converges.",
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity, one_dimension),
    standing=Standing.OPEN,
    draw=line_start,
)


tokens_converge_on_a_line.orbit("== 0", exact_only=True)(limit_points_differ)
