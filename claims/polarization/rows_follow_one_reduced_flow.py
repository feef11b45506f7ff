"""Row-wise attention: the flow of u = V beta_* and of the rows of A; equal rows stay equal.

Section 4.1 (polarization C-4.1, M3), beta = softmax_rows(A) V and loss (1/T) sum_i log(1 + exp(-<beta_*, beta[i]>)). Each
row pulls u by its own softmax, du/dt = (K/T) sum_i gamma_i S_i and dA_i/dt = (gamma_i/T) J(S_i) u. Rows that are equal
stay equal and follow one row; in u/T that is the reduced flow of the one-query model (`rows_polarize_together`).
"""

import numpy as np

from claims.polarization.setting.rows import equal_rows
from claims.statement import Claim, Origin
from dynamics.training.row_attention import EqualRowsFlow, FullRowAttentionFlow

claim = Claim(
    __name__,
    where="section 4.1",
    refs=("C-4.1", "M3", "E22"),
    statement="Equal rows of A stay equal, and u and each row then move like the one-query model's u and a.",
    origin=Origin.OURS,
    system=FullRowAttentionFlow,
    equivalent={
        "equal_rows_move_alike: dA[..., :1, :] => dA[..., 1:2, :]": (
            "That all rows move like row 1 says the same as that all move like row 0."
        ),
        "equal_rows_follow_one_row: f.gamma[..., :1] => f.gamma[..., 1:2]": (
            "Equal rows have equal margins, and so the same gamma."
        ),
    },
)


def _velocity(f):
    """u' and A' from the gradient flow of (V, A)."""
    dV, dA = f.velocity()
    return (dV * f.beta_star[..., None, :]).sum(axis=-1), dA


@claim.identity()
def margins_are_weighted_values(f: FullRowAttentionFlow, *, share=1):
    """<beta_*, beta[i]> - <S_i, V beta_*>."""
    return f.m - share * (f.S * f.u[..., None, :]).sum(axis=-1)


@claim.identity()
def velocity_is_reduced(f: FullRowAttentionFlow, *, K_factor=1):
    """u' - (K/T) sum_i gamma_i S_i, and A_i' - (gamma_i/T) J(S_i) u, along the gradient flow of (V, A)."""
    du, dA = _velocity(f)
    S, gamma, T = f.S, f.gamma[..., None], f.V.shape[-2]
    pull = gamma * S / T
    weighted = (S * f.u[..., None, :]).sum(axis=-1, keepdims=True)
    rows = dA - K_factor * pull * (f.u[..., None, :] - weighted)
    values = du - K_factor * f.K[..., None] * pull.sum(axis=-2)
    return np.concatenate([values[..., None, :], rows], axis=-2)


@claim.identity(assuming=(equal_rows,))
def equal_rows_move_alike(f: FullRowAttentionFlow, *, share=1):
    """A_i' - A_0'."""
    _, dA = _velocity(f)
    return dA - share * dA[..., :1, :]


@claim.identity(assuming=(equal_rows,))
def equal_rows_follow_one_row(f: FullRowAttentionFlow, *, K_factor=1):
    """u' - gamma K s and A_0' - (gamma/T) J(s) u."""
    du, dA = _velocity(f)
    one = EqualRowsFlow(u=f.u, a=f.A[..., 0, :], K=K_factor * f.K, tau=0 * f.K)
    gamma = f.gamma[..., :1]
    return np.stack([du - gamma * one.du_dtau(), dA[..., 0, :] - gamma * one.da_dtau()], axis=-2)
