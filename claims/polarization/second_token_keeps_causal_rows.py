"""Causal rows that token 1 holds stay with it for ever, although row 0 feeds token 0 alone.

Section 4.1 under a causal mask (polarization S10, O6), any T >= 3. Say that token 1 holds the later rows when
u_1 > u_0, u_1 >= u_j, A_i1 >= A_ij for i >= 1, and sum_{i>=1} (S_i1 - S_i0) > 1. The leads grow as for any leading token,
and so does the sum; and where u_1 = u_0 every row i >= 1 has gamma_i >= gamma_0, so that
d(u_1 - u_0) ~ sum_{i>=1} gamma_i (S_i1 - S_i0) - gamma_0 > 0. None of the four can fail first: the later rows never
turn to token 0.
"""

import numpy as np

from claims.polarization.setting.rows import (
    causal_rows,
    held_by_second_token,
    second_value_leads,
    three_rows,
    tied_first_values,
)
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, indicator, numbers
from dynamics.training.row_attention import RowAttentionFlow

HELD = (three_rows, causal_rows, second_value_leads, held_by_second_token)

claim = Claim(
    __name__,
    where="section 4.1 under a causal mask",
    refs=("S10", "O6"),
    statement="If u_1 > u_0, u_1 >= u_j, A_i1 >= A_ij and sum_{i>=1} (S_i1 - S_i0) > 1, this stays so for ever.",
    origin=Origin.OURS,
    system=RowAttentionFlow,
    assumptions=HELD,
)


def _seen(T):
    """The pairs (i, j) of a later row and a token other than 1 that it sees, as places among the later rows."""
    i, j = np.nonzero(np.tril(np.ones((T, T), dtype=bool))[1:])
    return i[j != 1], j[j != 1]


def leads(f: RowAttentionFlow):
    """u_1 - u_j for j >= 2, and A_i1 - A_ij for i >= 1 and the other tokens j that row i sees."""
    i, j = _seen(f.u.shape[-1])
    return np.concatenate([f.u[..., 1:2] - f.u[..., 2:], (f.A[..., 1:, 1:2] - f.A[..., 1:, :])[..., i, j]], axis=-1)


def hold(f: RowAttentionFlow):
    """sum_{i>=1} (S_i1 - S_i0): how much more token 1 than token 0 gets from the later rows."""
    return (f.S[..., 1:, 1] - f.S[..., 1:, 0]).sum(axis=-1)


def _ratios(f):
    """q_ij = S_ij / S_i1 of the later rows, shape (..., T - 1, T)."""
    return exp(f.A[..., 1:, :] - f.A[..., 1:, 1:2]) * indicator(f.visible[1:] == 1, f.A)


def _score_lead_rates(f):
    """d(A_i1 - A_ij)/dtau of the later rows, a sum of terms >= 0, shape (..., T - 1, T)."""
    q, S = _ratios(f), f.S[..., 1:, :]
    lead = (f.u[..., 1:2] - f.u)[..., None, :]
    behind = (S * lead).sum(axis=-1, keepdims=True)
    return (f.share[..., 1:] * S[..., 1])[..., None] * ((1 - q) * behind + q * lead)


@claim.state(">= 0")
def leads_grow(f: RowAttentionFlow):
    """d(u_1 - u_j)/dtau over K for j >= 2, and d(A_i1 - A_ij)/dtau for i >= 1, as sums of terms of one sign."""
    i, j = _seen(f.u.shape[-1])
    pull = (f.share[..., 1:] * f.S[..., 1:, 1])[..., None]
    values = (pull * (1 - _ratios(f)[..., 2:])).sum(axis=-2)
    return np.concatenate([values, _score_lead_rates(f)[..., i, j]], axis=-1)


@claim.state(">= 0")
def hold_grows(f: RowAttentionFlow):
    """d/dtau of sum_{i>=1} (S_i1 - S_i0), as a sum of terms of one sign."""
    q, S, rates = _ratios(f)[..., 0], f.S[..., 1:, :], _score_lead_rates(f)
    return (S[..., 1] * ((1 - q) * (S * rates).sum(axis=-1) + q * rates[..., 0])).sum(axis=-1)


@claim.identity()
def rates_formula(f: RowAttentionFlow, *, K_factor=1):
    """What `leads_grow` and `hold_grows` say the rates are, minus the rates."""
    du, dA, S = f.du_dtau(), f.dA_dtau(), f.S
    i, j = _seen(f.u.shape[-1])
    dS = S * (dA - (S * dA).sum(axis=-1, keepdims=True))
    moved = np.concatenate(
        [(du[..., 1:2] - du[..., 2:]) / f.K[..., None], (dA[..., 1:, 1:2] - dA[..., 1:, :])[..., i, j]], -1
    )
    held = numbers((dS[..., 1:, 1] - dS[..., 1:, 0]).sum(axis=-1))
    said = np.concatenate([leads_grow(f), numbers(hold_grows(f))[..., None]], axis=-1)
    return K_factor * said - np.concatenate([moved, held[..., None]], axis=-1)


@claim.state("> 0", assuming=(*HELD, tied_first_values))
def second_value_escapes_first(f: RowAttentionFlow, *, feed=1):
    """d(u_1 - u_0)/dtau where u_1 = u_0."""
    du = f.du_dtau()
    return du[..., 1] - feed * du[..., 0]
