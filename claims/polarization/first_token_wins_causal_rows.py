"""Causal rows from A(0) = 0 all go to token 0, whatever the order of u(0): false for T = 3.

Section 4.1 under a causal mask (polarization S10, O6). Row 0 feeds token 0 alone, but rows 1 and 2 may both feed token 1.
When u_1(0) is far ahead they turn to it before u_0 catches up; then u_1 - u_0 tends to log 2 > 0, as two rows feed u_1 and
one feeds u_0, and they never return: `second_token_keeps_causal_rows`. True if token 0 leads, and for T = 2
(`first_of_two_causal_tokens_wins`).
"""

from functools import reduce

import numpy as np
from flint import arb, fmpq

from claims.assumptions import causal_rows, three_rows, unit_target, zero_row_scores
from claims.polarization.second_token_keeps_causal_rows import hold, leads
from claims.statement import POLARIZATION, Claim, Standing
from dynamics.arithmetic import numbers
from dynamics.row_attention import RowAttentionFlow


def _second_far_ahead(draws):
    """T = 3 and u(0) within 1/2 of (-8, 0, -8): most starts with u_1 less far ahead are held too, but later."""
    u = draws.dyadic(3, size=1) / 2
    u[..., ::2] = u[..., ::2] - 8
    zero = np.zeros((3, 3), dtype=object) + fmpq(0)
    visible = np.tril(np.ones((3, 3), dtype=int))
    return RowAttentionFlow(u=u, A=zero, K=numbers(fmpq(1)), tau=numbers(fmpq(0)), visible=visible)


claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 4.1 under a causal mask (conjectured, not printed)",
    refs=("S10", "O6"),
    statement="With a causal mask and A(0) = 0 every row of softmax_rows(A) tends to e_0, whatever the order of u(0).",
    system=RowAttentionFlow,
    assumptions=(three_rows, causal_rows, zero_row_scores, unit_target),
    standing=Standing.FALSE,
    corrected_by="polarization.leading_token_captures_every_row",
    draw=_second_far_ahead,
)


@claim.limit("> 0", times=lambda start: (fmpq(2),))
def second_token_does_not_hold(states, start: RowAttentionFlow):
    """Minus the least of u_1 - u_0, the hold less 1 and the leads of token 1: negative where it keeps the later rows."""
    (late,) = states
    margins = [*(late.u[1:2] - late.u[:1]), (hold(late) - 1).item(), *leads(late)]
    return numbers(-reduce(lambda x, y: x.min(y), (arb(margin) for margin in margins)))
