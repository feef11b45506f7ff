"""OPEN: under hardmax with a matrix whose symmetric part is positive definite every token converges.

localmax OQ-7, hardmax HM-7 without symmetry (not printed). Norms need not grow any more; but a token that hears a leader
keeps hearing it on the way there.
"""

from claims.localmax.endings import hardmax_start, positive_symmetric_part
from claims.localmax.every_token_converges import limit_points_differ
from claims.localmax.hypotheses import hardmax, open_step_size
from claims.statement import LOCALMAX, Claim, Standing
from dynamics.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
    where="not printed",
    refs=("OQ-7", "HM-7"),
    printed="A + A^T positive definite, hardmax: every token converges.",
    system=LocalmaxStep,
    assumptions=(positive_symmetric_part, hardmax, open_step_size),
    standing=Standing.OPEN,
    draw=hardmax_start,
)

claim.orbit("== 0", exact_only=True)(limit_points_differ)
