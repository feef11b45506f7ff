"""Causal rows from A(0) = 0 and small u(0) all go to token 0: open for general T, certified start by start.

Section 4.1 under a causal mask (polarization S10, O6): what may be left of `first_token_wins_causal_rows`. From u(0) = 0
token 0 leads at once, since later tokens are seen by fewer rows. How far from 0, in units of sqrt(K), this persists is not
known. A start is decided once token 0 leads the values and every row (`leading_token_captures_every_row`), or token 1 holds
the later rows (`second_token_keeps_causal_rows`): neither ends.
"""

from flint import fmpq

from claims.polarization.setting.rows import causal_rows, small_values, two_rows, zero_row_scores
from claims.polarization.setting.scores import unit_target
from claims.statement import Claim, Origin, Standing
from dynamics.limits.traps import RowEnds, causal_rows_trap
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    where="section 4.1 under a causal mask, small values",
    refs=("S10", "O6"),
    statement="With a causal mask, A(0) = 0 and |u_j(0)| <= 1/8, every row of softmax_rows(A) tends to e_0.",
    origin=Origin.OURS,
    system=RowAttentionFlow,
    assumptions=(two_rows, causal_rows, zero_row_scores, small_values(fmpq(1, 8)), unit_target),
    standing=Standing.OPEN,
)


@claim.limit("> 0", times=lambda start: (fmpq(2), fmpq(4), fmpq(8), fmpq(16)), trap=causal_rows_trap)
def rows_tend_to_first_token(limit: RowEnds, start: RowAttentionFlow):
    """1 for each row that tends to e_0, -1 for each that does not."""
    return limit.ends[:, 0]
