"""Row-wise attention from A(0) = 0: values and scores keep their order in every row, with or without a causal mask.

Theorem 3.2 for section 4.1 (polarization C-4.1, S10). Wherever two scores of a row are equal the larger value pulls its
own up, d(e^{-A_ik} - e^{-A_ij}) ~ u_j - u_k. A row that sees token k sees every earlier j and weighs it more, so
d(u_j - u_k) >= 0. Hence under a causal mask token 0 takes every row when u(0) decreases; `first_token_wins_causal_rows`
shows that this is needed.
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.rows import comonotone_rows, earlier_tokens_visible, two_rows, zero_row_scores
from claims.polarization.setting.scores import ordered_values
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, indicator
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    where="Theorem 3.2(a), asked of the rows of section 4.1",
    refs=("C-4.1", "S10"),
    statement="From A(0) = 0 and u_0(0) > ... > u_{T-1}(0), u and each row of A keep this order, full or causal.",
    origin=Origin.CARRIED_OVER,
    system=RowAttentionFlow,
    assumptions=(two_rows, earlier_tokens_visible, zero_row_scores, ordered_values),
)


@claim.state(">= 0", assuming=(two_rows, earlier_tokens_visible, comonotone_rows))
def value_gap_rate(f: RowAttentionFlow):
    """d(u_j - u_{j+1})/dtau over K at states ordered alike in u and the rows: sum_i share_i S_ij (1 - S_i,j+1 / S_ij)."""
    q = exp(f.A[..., 1:] - f.A[..., :-1]) * indicator(f.visible[:, 1:] == 1, f.A)
    return (f.share[..., :, None] * f.S[..., :-1] * (1 - q)).sum(axis=-2)


@claim.identity()
def value_gap_rate_formula(f: RowAttentionFlow, *, K_factor=1):
    """d(u_j - u_{j+1})/dtau - K times the sum of terms of one sign above."""
    du = f.du_dtau()
    return du[..., :-1] - du[..., 1:] - K_factor * f.K[..., None] * value_gap_rate(f)


@claim.trajectory("> 0", horizon=lambda start: fmpq(2))
def order_is_kept(now: RowAttentionFlow, start: RowAttentionFlow):
    """u_j - u_{j+1}, and A_ij - A_i,j+1 wherever row i sees both."""
    i, j = np.nonzero(now.visible[:, 1:])
    return np.concatenate([now.u[:-1] - now.u[1:], now.A[i, j] - now.A[i, j + 1]])
