"""OPEN: under hardmax a token whose limit is no vertex, too, closes in on it by the factor 1 - gamma from some step on.

hardmax HM-10 and its open question OQ-6 (not printed). A token that hears several points for ever is A-orthogonal to their
differences, so their average would have to stay the projection of the origin while some of them still move.
"""

from claims.localmax.endings import hardmax_start, tail_errors
from claims.localmax.hypotheses import definite_matrix, hardmax, open_step_size
from claims.statement import LOCALMAX, Claim, Standing
from dynamics.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
    where="not printed",
    refs=("OQ-6", "HM-10"),
    printed="For each token there is k0 with z_i^k - s_i = (1-gamma)^{k-k0} (z_i^{k0} - s_i) for k >= k0.",
    system=LocalmaxStep,
    assumptions=(definite_matrix, hardmax, open_step_size),
    standing=Standing.OPEN,
    draw=hardmax_start,
)


@claim.orbit("== 0", exact_only=True)
def tails(f: LocalmaxStep, *, share=1):
    """z_i^k - s_i - (1-gamma)^k (z_i^0 - s_i), k = 1, 2, 3, once neighbours are final, for every token."""
    return tail_errors(f, lambda s, end: True, share)
