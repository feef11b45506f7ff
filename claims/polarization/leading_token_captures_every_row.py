"""Row-wise attention: a token that leads the values and every row keeps leading, and gains on the others in every row.

Section 4.1 (polarization C-4.1, H1, H4), from more starts than A(0) = 0: rows may differ, and a causal mask may hide later
tokens, as long as u_0 >= u_j and A_i0 >= A_ij. Row i gives token 0 the largest weight and, as u_0 >= m_i, the largest
score velocity; so both orders persist. With r_ij = S_i0 / S_ij and the clock of row i, dr_ij >= S_i0 (u_0 - u_j) >= 0:
no row tends to another token, and a row whose clock diverges tends to e_0 if u_0 > u_j.
"""

import numpy as np

from claims.polarization.setting.rows import earlier_tokens_visible, first_token_leads, two_rows
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, indicator
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    where="section 4.1, from any rows led by one token",
    refs=("C-4.1", "H1", "H4", "S10"),
    statement="If u_0 >= u_j and A_i0 >= A_ij for all i, j, this stays so and every S_i0 / S_ij grows.",
    origin=Origin.OURS,
    system=RowAttentionFlow,
    assumptions=(two_rows, earlier_tokens_visible, first_token_leads),
)


def _seen(f):
    """The pairs (i, j), j >= 1, where row i sees token j."""
    i, j = np.nonzero(f.visible[:, 1:])
    return i, j + 1


def _leading_share(f):
    """share_i S_i0, shape (..., T)."""
    return f.share * f.S[..., 0]


@claim.state(">= 0")
def value_lead_grows(f: RowAttentionFlow):
    """d(u_0 - u_j)/dtau over K, as sum_i share_i S_i0 (1 - S_ij / S_i0)."""
    q = exp(f.A - f.A[..., :1]) * indicator(f.visible == 1, f.A)
    return (_leading_share(f)[..., :, None] * (1 - q[..., 1:])).sum(axis=-2)


@claim.state(">= 0")
def inverse_ratio_rate(f: RowAttentionFlow, *, rate=1):
    """d(A_i0 - A_ij)/dtau - share_i S_ij (u_0 - u_j), as share_i S_i0 (1 - q_ij) (u_0 - m_i), q_ij = S_ij / S_i0."""
    i, j = _seen(f)
    lead = f.u[..., :1] - f.u
    q = exp(f.A[..., i, j] - f.A[..., i, 0])
    behind = (f.S * lead[..., None, :]).sum(axis=-1)
    return _leading_share(f)[..., i] * ((1 - q) * behind[..., i] + (1 - rate) * q * lead[..., j])


@claim.identity()
def lead_rates_formula(f: RowAttentionFlow, *, K_factor=1):
    """d(u_0 - u_j)/dtau and d(A_i0 - A_ij)/dtau minus the sums of terms of one sign above."""
    i, j = _seen(f)
    du, dA = f.du_dtau(), f.dA_dtau()
    values = du[..., :1] - du[..., 1:] - K_factor * f.K[..., None] * value_lead_grows(f)
    scores = dA[..., i, 0] - dA[..., i, j] - inverse_ratio_rate(f, rate=0)
    return np.concatenate([values, scores], axis=-1)
