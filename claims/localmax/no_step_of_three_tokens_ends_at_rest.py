"""No step of at most three tokens ends at a fixed point unless it began there, in any dimension.

localmax OQ-3 and LM-14, as far as it is true: in the plane four tokens step to rest (`no_planar_step_ends_at_rest`), on a
line none of four do. By hand of two tokens; of three no pattern of who attends to whom before and after the step has a
solution, by linear systems: docs/tokens_on_a_line.md.
"""

from claims.localmax.no_hardmax_step_ends_at_rest import next_step_moves_too
from claims.localmax.setting.end_hypotheses import at_most_three_tokens
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.localmax.setting.starts import lattice_or_pair
from claims.statement import Claim, Origin
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("OQ-3", "LM-14"),
    statement="If n <= 3, A is positive definite, 0 < gamma < 1, delta > 0 and z^{k+1} is a fixed point, so is z^k.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(at_most_three_tokens, additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    draw=lattice_or_pair,
)

claim.step("> 0")(next_step_moves_too)
