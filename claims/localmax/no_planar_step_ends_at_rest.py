"""In the plane and on the line no trajectory with delta > 0 reaches a fixed point in finite time: open.

localmax OQ-3, with LM-14. In three dimensions it is false. Here no counterexample is known: an optimiser
over up to six tokens at rest and one that steps onto the mean of some of them found none. Several arrivals in one step,
coincident tokens at rest, and tokens at rest that attend to others are not covered. Of up to three tokens it is proved, in
any dimension, by hand of two and with Z3 of three: docs/tokens_on_a_line.md.
"""

from claims.localmax.no_hardmax_step_ends_at_rest import next_step_moves_too
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, planar, positive_sensitivity
from claims.statement import LOCALMAX, Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
    refs=("OQ-3", "LM-14"),
    statement="If d <= 2, A is positive definite, 0 < gamma < 1, delta > 0 and z^{k+1} is a fixed point, so is z^k.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(planar, additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    standing=Standing.OPEN,
)

claim.step("> 0")(next_step_moves_too)
