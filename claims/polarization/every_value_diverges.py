"""Every value projection diverges: false, only the leading one does.

The caption of figure 2, "the value projections u diverge, preserving their order", read of every coordinate, against the
paper's own Lemma B.1(a) (polarization C-F2, C-B1a). Once index 0 leads in u and a it does so for ever, and every other u_j
converges. For p = 1, and for tied leaders, every value does diverge.
"""

from flint import fmpq

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin, Standing
from dynamics.limits.traps import OneHot, leader_trap
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="caption of figure 2, read of every coordinate",
    refs=("C-F2", "C-B1a"),
    note=("From u(0) = (1, 0) only u_0 diverges, and u_1 stays bounded. So it is of all u_j but the leader's."),
    statement="The value projections u_0, ..., u_{p-1} diverge, each of them.",
    origin=Origin.OURS,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    standing=Standing.FALSE,
    corrected_by="polarization.only_leading_value_diverges",
)


@claim.limit(">= 0", times=lambda start: (fmpq(1), fmpq(4), fmpq(16)), trap=leader_trap)
def every_value_diverges(limit: OneHot, start: LogisticFlow):
    """The number of value projections that diverge, minus p."""
    return fmpq(limit.diverging - len(start.u))
