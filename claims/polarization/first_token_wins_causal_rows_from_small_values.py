"""Causal rows from A(0) = 0 and small u(0) all go to token 0: open for general T, certified start by start.

Section 4.1 under a causal mask (polarization S10, O6): what may be left of `first_token_wins_causal_rows`. From u(0) = 0
token 0 leads at once, since later tokens are seen by fewer rows. How far from 0, in units of sqrt(K), this persists is not
known. Once token 0 leads the values and every row it stays so (`leading_token_captures_every_row`); certified at tau = 2.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import causal_rows, small_values, two_rows, unit_target, zero_row_scores
from claims.statement import POLARIZATION, Claim, Standing
from dynamics.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 4.1 under a causal mask, small values (conjectured, not printed)",
    refs=("S10", "O6"),
    statement="With a causal mask, A(0) = 0 and |u_j(0)| <= 1/8, every row of softmax_rows(A) tends to e_0.",
    system=RowAttentionFlow,
    assumptions=(two_rows, causal_rows, zero_row_scores, small_values(fmpq(1, 8)), unit_target),
    standing=Standing.OPEN,
)


@claim.limit("> 0", times=lambda start: (fmpq(2),))
def first_token_leads(states, start: RowAttentionFlow):
    """u_0 - u_j, and A_i0 - A_ij wherever row i sees token j."""
    (late,) = states
    i, j = np.nonzero(late.visible[:, 1:])
    return np.concatenate([late.u[:1] - late.u[1:], late.A[i, 0] - late.A[i, j + 1]])
