"""Whether all tokens converge on a line and in the plane, for constant delta > 0, is open.

In R^3 they need not (OQ-1).

`tokens_converge_in_the_plane`: Open. The example in R^3 has a pair of vertices on both sides of the way of a token. In
the plane there is no room for it: from one place at most one vertex on either side is attended to.

`tokens_converge_on_a_line`: Open; the order is preserved, so we expect it. Up to four tokens do converge:
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
from claims.stating.statement import Section, Standing
from dynamics.tokens.localmax import LocalmaxStep

section = Section(__name__, refs=("OQ-1", "LM-13"), system=LocalmaxStep)

tokens_converge_in_the_plane = section.claim(
    statement="d = 2, A symmetric positive definite, constant delta > 0: every token converges.",
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity, two_dimensions),
    standing=Standing.OPEN,
    draw=plane_start,
)

tokens_converge_in_the_plane.orbit("== 0", exact_only=True)(limit_points_differ)

tokens_converge_on_a_line = section.claim(
    statement="d = 1, A > 0, constant delta > 0: every token converges.",
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity, one_dimension),
    standing=Standing.OPEN,
    draw=line_start,
)

tokens_converge_on_a_line.orbit("== 0", exact_only=True)(limit_points_differ)
