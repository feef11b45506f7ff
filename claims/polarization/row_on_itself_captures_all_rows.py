"""Row-wise attention, the last row on its own token: all rows leave the leading token for it, so A(0) = 0 is needed.

Section 4.1 (polarization C-4.1, H4). u(0) decreases and A(0) = 0 but for A_{T-1,T-1} = 5. The last row feeds u_{T-1} alone
until it leads, and then turns the other rows. Certified at tau = 6, for T <= 8: token T - 1 leads the values and every
row. From there it leads for ever (`leading_token_captures_every_row`, with the tokens relabelled), and no row tends to
e_0.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import (
    at_most_eight_rows,
    every_token_visible,
    last_row_on_itself,
    ordered_values,
    small_values,
    two_rows,
    unit_target,
)
from claims.statement import POLARIZATION, Claim
from dynamics.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 4.1, without A(0) = 0 (not printed)",
    refs=("H4", "O6"),
    statement="Some A(0) with u_0(0) > ... > u_{T-1}(0) let token T - 1 lead every row for ever.",
    system=RowAttentionFlow,
    assumptions=(
        two_rows,
        at_most_eight_rows,
        every_token_visible,
        last_row_on_itself,
        small_values(fmpq(1, 8)),
        ordered_values,
        unit_target,
    ),
)


@claim.limit("> 0", times=lambda start: (fmpq(6),))
def last_token_leads(states, start: RowAttentionFlow):
    """u_{T-1} - u_j and A_i,T-1 - A_ij for j < T - 1 and every row i."""
    (late,) = states
    together = np.concatenate([late.u[None, :], late.A])
    return together[:, -1:] - together[:, :-1]
