"""The value projections u diverge, all of them: false, only the leading one does.

Caption of figure 2 read literally (polarization C-F2). If u_j diverges it passes every bound B. Checked with the B
that `losing_values_stay_bounded` gives u_j(t) - u_j(0) for ever, at a time by which u_0 has certainly grown by more
than B + 1.
"""

from flint import fmpq

from claims.assumptions import two_scores, wide_lead, zero_scores
from claims.polarization.losing_values_stay_bounded import PI, mean_of_gap
from claims.statement import POLARIZATION, Claim, Standing
from dynamics.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="caption of figure 2",
    refs=("C-F2", "C-B1a"),
    statement="The value projections u_0, ..., u_{p-1} diverge.",
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, wide_lead),
    standing=Standing.FALSE,
    corrected_by="polarization.only_leading_value_diverges",
)


def _mean(start):
    """AGM(2 sqrt(K), delta_j) for the projection j that starts farthest behind, and j."""
    last = min(range(len(start.u)), key=lambda j: start.u[j])
    return mean_of_gap(start.K, start.u[:1] - start.u[last : last + 1]), last


def _late(start):
    """p (B + 1) / K for a rational B >= pi K / AGM: the mean is at least min(delta_j, 2 sqrt(K)), sqrt(K) >= 2K/(1+K)."""
    K, gap = start.K.item(), start.u[0] - min(start.u)
    least = min(4 * K / (1 + K), gap)
    growth = fmpq(22, 7) * K / least if least > 0 else 0
    return ((growth + 1) * len(start.u) / K,)


@claim.limit("> 0", times=_late)
def trailing_value_passes_bound(states, start: LogisticFlow):
    """AGM(2 sqrt(K), delta_j) (u_j - u_j(0)) - pi K for the projection j that starts farthest behind."""
    mean, last = _mean(start)
    return mean * (states[-1].u - start.u)[last : last + 1] - PI * start.K
