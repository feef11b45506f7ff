"""If the last row starts on its own token, all rows may turn from the leading token to it, so A(0) = 0 is needed.

Here u(0) decreases, and A(0) = 0 but for A_{T-1,T-1} = 5 (H4). The last row feeds u_{T-1} alone until it leads, and
then turns the other rows. Once token T - 1 leads the values and every row it keeps leading
(`leading_token_captures_every_row`, with the tokens relabelled). It leads by tau = 6 for T <= 8.
"""

from flint import fmpq

from claims.polarization.setting.rows import (
    at_most_eight_rows,
    every_token_visible,
    last_row_on_itself,
    small_values,
    two_rows,
)
from claims.polarization.setting.scores import ordered_values, unit_target
from claims.stating.statement import Claim
from dynamics.limits.traps import RowEnds, rows_trap
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    where="section 4.1, without A(0) = 0",
    refs=("H4", "O6"),
    statement="Some A(0) with u_0(0) > ... > u_{T-1}(0) let every row tend to e_{T-1}.",
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


# The statement needs one such A(0): every start that is drawn is shown to be one.
@claim.limit("> 0", times=lambda start: (6, 12), trap=rows_trap)
def rows_tend_to_last_token(limit: RowEnds, start: RowAttentionFlow):
    """1 for each row that tends to e_{T-1}, -1 for each that does not."""
    return limit.ends[:, -1]
