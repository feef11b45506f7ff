"""Causal rows from A(0) = 0 all go to token 0, whatever the order of u(0): false for T = 3.

Section 4.1 under a causal mask (polarization S10, O6). Row 0 feeds token 0 alone, but rows 1 and 2 may both feed token 1.
When u_1(0) is far ahead they turn to it before u_0 catches up; then u_1 - u_0 tends to log 2 > 0, as two rows feed u_1
and one feeds u_0, and they never return (`second_token_keeps_causal_rows`), which decides the limit. True if token 0
leads, and for T = 2 (`first_of_two_causal_tokens_wins`).
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.rows import causal_rows, three_rows, zero_row_scores
from claims.polarization.setting.scores import unit_target
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import numbers
from dynamics.limits.traps import RowEnds, causal_rows_trap
from dynamics.training.row_attention import RowAttentionFlow


def _second_far_ahead(draws):
    """T = 3 and u(0) within 1/2 of (-8, 0, -8): most starts with u_1 less far ahead are held too, but later."""
    u = draws.dyadic(3, size=1) / 2
    u[..., ::2] = u[..., ::2] - 8
    zero = np.zeros((3, 3), dtype=object) + fmpq(0)
    visible = np.tril(np.ones((3, 3), dtype=int))
    return RowAttentionFlow(u=u, A=zero, K=numbers(fmpq(1)), tau=numbers(fmpq(0)), visible=visible)


claim = Claim(
    __name__,
    where="section 4.1 under a causal mask",
    refs=("S10", "O6"),
    note=(
        "Under a causal mask two rows that prefer token 1 outweigh the one that feeds token 0: from u(0) = (-8, "
        "0, -8) with three rows the second turns to token 1 for ever. If token 0 leads in u and in all rows it "
        "goes on to do so, and every S_i0 / S_ij grows."
    ),
    statement="With a causal mask and A(0) = 0 every row of softmax_rows(A) tends to e_0, whatever the order of u(0).",
    origin=Origin.OURS,
    system=RowAttentionFlow,
    assumptions=(three_rows, causal_rows, zero_row_scores, unit_target),
    standing=Standing.FALSE,
    corrected_by="polarization.leading_token_captures_every_row",
    draw=_second_far_ahead,
)


@claim.limit("> 0", times=lambda start: (fmpq(2), fmpq(4), fmpq(8)), trap=causal_rows_trap)
def rows_tend_to_first_token(limit: RowEnds, start: RowAttentionFlow):
    """1 for each row that tends to e_0, -1 for each that does not: those that token 1 holds for ever."""
    return limit.ends[:, 0]
