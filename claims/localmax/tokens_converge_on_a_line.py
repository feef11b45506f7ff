"""OPEN: on a line every token converges for constant delta > 0.

localmax OQ-1 (not printed; conjectured yes: order is preserved). In R^3 it is false. Up to four tokens do converge:
docs/tokens_on_a_line.md.
"""

from claims.localmax.every_token_converges import limit_points_differ
from claims.localmax.setting.hypotheses import (
    additive_rule,
    definite_matrix,
    one_dimension,
    open_step_size,
    positive_sensitivity,
)
from claims.localmax.setting.starts import line_start
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("OQ-1", "LM-13"),
    statement="d = 1, A > 0, constant delta > 0: every token converges.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity, one_dimension),
    standing=Standing.OPEN,
    draw=line_start,
)

claim.orbit("== 0", exact_only=True)(limit_points_differ)
