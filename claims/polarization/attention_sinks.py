"""From A(0) = 0 every row of attention becomes one-hot at the leading token, at an explicit rate (section 4.1).

The model is beta = softmax_rows(A) V with the loss (1/T) sum_i log(1 + exp(-<beta_*, beta[i]>)).

`rows_polarize_together`: The rows stay equal, and (u/T, a) follows the reduced flow of the one-query model with K/T in
place of K: the mean over rows slows a, not u. So the bound of Theorem 3.3(b) becomes q_j <= 1 / (1 + (delta/T^2) tau).

`rows_keep_order`: Theorem 3.2 holds for the rows, with or without a causal mask. Where two scores of a row are equal,
the one with the larger value gains: d(e^{-A_ik} - e^{-A_ij}) ~ u_j - u_k. A row that sees token k sees every earlier j
and weighs it more, so d(u_j - u_k) >= 0. Hence under a causal mask token 0 takes every row if u(0) decreases; it need
not otherwise (`first_token_wins_causal_rows`).

`leading_token_captures_every_row`: Rows may differ at the start, and a causal mask may hide later tokens. Row i gives
token 0 the largest weight and, since u_0 >= m_i, the largest score velocity; so both orders persist. With r_ij = S_i0 /
S_ij and the clock of row i, dr_ij >= S_i0 (u_0 - u_j) >= 0. So no row tends to another token, and a row whose clock
diverges tends to e_0 if u_0 > u_j.

`row_ratios_have_sharp_order`: In time s_j log^2 t -> 2K, whatever the number of rows. The one-query order 2 / (T K
tau^2) holds with K/T in place of K, and tau ~ log(t) / K. The limit is decided once token 0 leads.

`rows_follow_one_reduced_flow`: Each row pulls u by its own softmax: du/dt = (K/T) sum_i gamma_i S_i and dA_i/dt =
(gamma_i/T) J(S_i) u, with u = V beta_*.
"""

import numpy as np

from claims.polarization.setting.rows import (
    any_rows_or_a_causal_mask,
    any_values_or_two_near_the_top,
    comonotone_rows,
    earlier_tokens_visible,
    equal_rows,
    first_token_leads,
    two_rows,
    zero_row_scores,
)
from claims.polarization.setting.scores import ASSUMPTION_3_1, ordered_values
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exp, indicator
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.row_attention import EqualRowsFlow, FullRowAttentionFlow, RowAttentionFlow
from dynamics.training.value_softmax import LogisticFlow

section = Section(__name__)

rows_polarize_together = section.claim(
    where="section 4.1, attention sinks",
    refs=("C-4.1", "M3"),
    statement=(
        "Under Assumption 3.1 this coordinate is 0 for all rows, so sigma(A[t,:]) -> e_0 for every t, yielding an"
        " attention sink at token 0."
    ),
    origin=Origin.PRINTED,
    system=EqualRowsFlow,
    assumptions=ASSUMPTION_3_1,
    draw=any_values_or_two_near_the_top,
)


# The mean over T rows has the factor 1/T in both gradients; T equal rows add up in that of u alone, so it cancels there.
@rows_polarize_together.identity(assuming=())
def scaled_flow_is_reduced(f: EqualRowsFlow, *, K_factor=1):
    """(u/T)' and a' minus the reduced flow of (u/T, a) with K/T."""
    T, zero = f.a.shape[-1], 0 * f.K
    one = LogisticFlow(u=f.u / T, a=f.a, K=K_factor * f.K / T, t=zero, tau=zero)
    return np.stack([f.du_dtau() / T - one.du_dtau(), f.da_dtau() - one.da_dtau()], axis=-2)


# At tau = 0, where s_0 = 1/T, both sides agree if u_0 - u_1 is the least gap: 1/T^2 cannot be improved.
@rows_polarize_together.rate("> 0", horizon=lambda start: 4)
def inverse_ratio_outgrows_clock(now: EqualRowsFlow, start: EqualRowsFlow, *, rate=1):
    """T^2 d(1/q_j)/dtau - delta at every t > 0; integrated from 1 it gives q_j <= 1 / (1 + (delta/T^2) tau)."""
    delta = min(start.u[:-1] - start.u[1:])
    da = now.da_dtau()
    return len(now.a) ** 2 * exp(now.a[:1] - now.a[1:]) * (da[:1] - da[1:]) - rate * delta


rows_keep_order = section.claim(
    where="Theorem 3.2(a), asked of the rows of section 4.1",
    refs=("C-4.1", "S10"),
    statement="From A(0) = 0 and u_0(0) > ... > u_{T-1}(0), u and each row of A keep this order, full or causal.",
    origin=Origin.CARRIED_OVER,
    system=RowAttentionFlow,
    assumptions=(two_rows, earlier_tokens_visible, zero_row_scores, ordered_values),
    draw=any_rows_or_a_causal_mask,
)


# By the ratio 1 - q and not by S_ij - S_i,j+1: where scores tie, it is exactly zero, and balls do not straddle it.
@rows_keep_order.state(">= 0", assuming=(two_rows, earlier_tokens_visible, comonotone_rows))
def value_gap_rate(f: RowAttentionFlow):
    """d(u_j - u_{j+1})/dtau over K at states ordered alike in u and the rows: sum_i share_i S_ij (1 - S_i,j+1 / S_ij)."""
    q = exp(f.A[..., 1:] - f.A[..., :-1]) * indicator(f.visible[:, 1:] == 1, f.A)
    return (f.share[..., :, None] * f.S[..., :-1] * (1 - q)).sum(axis=-2)


# The inequality above is about a formula; this says that the formula is the rate.
@rows_keep_order.identity()
def value_gap_rate_formula(f: RowAttentionFlow, *, K_factor=1):
    """d(u_j - u_{j+1})/dtau - K times the sum of terms of one sign above."""
    du = f.du_dtau()
    return du[..., :-1] - du[..., 1:] - K_factor * f.K[..., None] * value_gap_rate(f)


# A score that the mask hides does not move: its gaps to others are left out.
@rows_keep_order.trajectory("> 0", horizon=lambda start: 2)
def order_is_kept(now: RowAttentionFlow, start: RowAttentionFlow):
    """u_j - u_{j+1}, and A_ij - A_i,j+1 wherever row i sees both."""
    i, j = np.nonzero(now.visible[:, 1:])
    return np.concatenate([now.u[:-1] - now.u[1:], now.A[i, j] - now.A[i, j + 1]])


leading_token_captures_every_row = section.claim(
    where="section 4.1, from any rows led by one token",
    refs=("C-4.1", "H1", "H4", "S10"),
    statement="If u_0 >= u_j and A_i0 >= A_ij for all i, j, this stays so and every S_i0 / S_ij grows.",
    system=RowAttentionFlow,
    assumptions=(two_rows, earlier_tokens_visible, first_token_leads),
)


# A hidden token has weight 0 whatever its score: of its ratio to the leader nothing is claimed.
def _seen(f):
    """The pairs (i, j), j >= 1, where row i sees token j."""
    i, j = np.nonzero(f.visible[:, 1:])
    return i, j + 1


def _leading_share(f):
    """share_i S_i0, shape (..., T)."""
    return f.share * f.S[..., 0]


# No order among the others is used: only that none has more weight in any row than token 0.
@leading_token_captures_every_row.state(">= 0")
def value_lead_grows(f: RowAttentionFlow):
    """d(u_0 - u_j)/dtau over K, as sum_i share_i S_i0 (1 - S_ij / S_i0)."""
    q = exp(f.A - f.A[..., :1]) * indicator(f.visible == 1, f.A)
    return (_leading_share(f)[..., :, None] * (1 - q[..., 1:])).sum(axis=-2)


@leading_token_captures_every_row.state(">= 0")
def inverse_ratio_rate(f: RowAttentionFlow, *, rate=1):
    """d(A_i0 - A_ij)/dtau - share_i S_ij (u_0 - u_j), as share_i S_i0 (1 - q_ij) (u_0 - m_i), q_ij = S_ij / S_i0."""
    i, j = _seen(f)
    lead = f.u[..., :1] - f.u
    q = exp(f.A[..., i, j] - f.A[..., i, 0])
    behind = (f.S * lead[..., None, :]).sum(axis=-1)
    return _leading_share(f)[..., i] * ((1 - q) * behind[..., i] + (1 - rate) * q * lead[..., j])


# Both inequalities are of formulas whose terms have one sign; that these are the rates is said here, at any state.
@leading_token_captures_every_row.identity()
def lead_rates_formula(f: RowAttentionFlow, *, K_factor=1):
    """d(u_0 - u_j)/dtau and d(A_i0 - A_ij)/dtau - share_i S_ij (u_0 - u_j) minus the sums of terms of one sign above."""
    i, j = _seen(f)
    du, dA = f.du_dtau(), f.dA_dtau()
    values = du[..., :1] - du[..., 1:] - K_factor * f.K[..., None] * value_lead_grows(f)
    least = f.share[..., i] * f.S[..., i, j] * (f.u[..., :1] - f.u[..., j])
    scores = dA[..., i, 0] - dA[..., i, j] - least - inverse_ratio_rate(f)
    return np.concatenate([values, scores], axis=-1)


row_ratios_have_sharp_order = section.claim(
    where="section 4.1, the rate",
    refs=("C-4.1", "S1"),
    statement="From A(0) = 0, q_ij K tau^2 -> 2 for every j != 0 in every row i.",
    system=EqualRowsFlow,
    assumptions=ASSUMPTION_3_1,
)


# The limit 2 / (p K) of one query, with K/T for K and p = T: the number of rows cancels.
@row_ratios_have_sharp_order.limit("== 0", times=lambda start: (1, 4, 16), trap=approach_trap)
def ratios_tend_to_sharp_order(limit: Approach, start: EqualRowsFlow, *, order=2):
    """The limit of K q_j tau^2, minus 2."""
    return start.K * limit.ratio - order


rows_follow_one_reduced_flow = section.claim(
    where="section 4.1",
    refs=("C-4.1", "M3", "E22"),
    statement="Equal rows of A stay equal, and u and each row then move like the one-query model's u and a.",
    system=FullRowAttentionFlow,
)


def _velocity(f):
    """u' and A' from the gradient flow of (V, A)."""
    dV, dA = f.velocity()
    return (dV * f.beta_star[..., None, :]).sum(axis=-1), dA


@rows_follow_one_reduced_flow.identity()
def margins_are_weighted_values(f: FullRowAttentionFlow, *, share=1):
    """<beta_*, beta[i]> - <S_i, V beta_*>."""
    return f.m - share * (f.S * f.u[..., None, :]).sum(axis=-1)


@rows_follow_one_reduced_flow.identity()
def velocity_is_reduced(f: FullRowAttentionFlow, *, K_factor=1):
    """u' - (K/T) sum_i gamma_i S_i, and A_i' - (gamma_i/T) J(S_i) u, along the gradient flow of (V, A)."""
    du, dA = _velocity(f)
    S, gamma, T = f.S, f.gamma[..., None], f.V.shape[-2]
    pull = gamma * S / T
    weighted = (S * f.u[..., None, :]).sum(axis=-1, keepdims=True)
    rows = dA - K_factor * pull * (f.u[..., None, :] - weighted)
    values = du - K_factor * f.K[..., None] * pull.sum(axis=-2)
    return np.concatenate([values[..., None, :], rows], axis=-2)


# All rows are asked to see every token: under a mask equal scores give different softmax rows.
@rows_follow_one_reduced_flow.identity(assuming=(equal_rows,))
def equal_rows_move_alike(f: FullRowAttentionFlow, *, share=1):
    """A_i' - A_0'."""
    _, dA = _velocity(f)
    return dA - share * dA[..., :1, :]


@rows_follow_one_reduced_flow.identity(assuming=(equal_rows,))
def equal_rows_follow_one_row(f: FullRowAttentionFlow, *, K_factor=1):
    """u' - gamma K s and A_0' - (gamma/T) J(s) u."""
    du, dA = _velocity(f)
    one = EqualRowsFlow(u=f.u, a=f.A[..., 0, :], K=K_factor * f.K, tau=0 * f.K)
    gamma = f.gamma[..., :1]
    return np.stack([du - gamma * one.du_dtau(), dA[..., 0, :] - gamma * one.da_dtau()], axis=-2)
