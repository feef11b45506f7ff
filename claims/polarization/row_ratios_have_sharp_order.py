"""Row-wise attention from A(0) = 0: q_j ~ 2 / (K tau^2), that is s_j log^2 t -> 2K, whatever the number of rows.

Section 4.1 (polarization C-4.1, S1). By `rows_polarize_together` the one-query order 2 / (T K tau^2) holds with K/T in
place of K, and tau ~ log(t) / K: the 2K/T of the one-query model becomes 2K. The limit follows once token 0 leads.
"""

from flint import fmpq

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.row_attention import EqualRowsFlow

claim = Claim(
    __name__,
    where="section 4.1, the rate",
    refs=("C-4.1", "S1"),
    statement="From A(0) = 0, q_ij K tau^2 -> 2 for every j != 0 in every row i.",
    origin=Origin.OURS,
    system=EqualRowsFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
)


@claim.limit("== 0", times=lambda start: (fmpq(1), fmpq(4), fmpq(16)), trap=approach_trap)
def ratios_tend_to_sharp_order(limit: Approach, start: EqualRowsFlow, *, order=2):
    """The limit of K q_j tau^2, minus 2."""
    return start.K * limit.ratio - order
