"""Under a causal mask token 0 takes all rows if there are two; with three rows token 1 may keep the later ones.

`first_of_two_causal_tokens_wins`: Where x = u_1 - u_0 >= 0, row 0 has the smaller margin, so gamma_0 >= gamma_1 and
d(u_0 - u_1) ~ gamma_0 + gamma_1 (S_10 - S_11) >= 2 gamma_1 S_10. Row 1 turns to token 1 no faster than -x x' / K, in
all by x(0)^2 / (2K): S_10 stays above a constant, so u_0 catches up at a finite tau. Once ahead it stays ahead, and
then A_10 - A_11 grows. The limit itself is decided from small values, where token 0 leads early.

`first_token_wins_causal_rows`: False for T = 3 if u_1(0) is far ahead. Rows 1 and 2 turn to token 1 before u_0 catches
up. Then u_1 - u_0 tends to log 2 > 0, because two rows feed u_1 and one feeds u_0, and the rows never return.

`first_token_wins_causal_rows_from_small_values`: Open for general T; single starts are certified. From u(0) = 0 token 0
leads at once, because fewer rows see later tokens. How far from 0 this persists, in units of sqrt(K), is not known. A
start is decided once token 0 leads the values and every row, or token 1 the later rows
(`second_token_keeps_causal_rows`): neither state is ever left.

`second_token_keeps_causal_rows`: For any T >= 3. The leads of token 1 grow as for any leading token, and so does
sum_{i>=1} (S_i1 - S_i0). Where u_1 = u_0, every row i >= 1 has gamma_i >= gamma_0, so that d(u_1 - u_0) ~ sum_{i>=1}
gamma_i (S_i1 - S_i0) - gamma_0 > 0. So none of the four conditions can fail first, and the later rows never turn to
token 0, although row 0 feeds it alone.
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.rows import (
    causal_rows,
    held_by_second_token,
    only_two_rows,
    second_value_leads,
    small_values,
    three_rows,
    tied_first_values,
    two_rows,
    zero_row_scores,
)
from claims.polarization.setting.scores import ordered_values, unit_target
from claims.stating.statement import Section, Standing
from dynamics.arithmetic import exp, indicator, numbers
from dynamics.limits.traps import RowEnds, causal_rows_trap
from dynamics.training.row_attention import RowAttentionFlow

section = Section(__name__, refs=("S10", "O6"), system=RowAttentionFlow)

first_of_two_causal_tokens_wins = section.claim(
    where="section 4.1 under a causal mask, T = 2",
    statement="With a causal mask and T = 2, row 1 tends to e_0 from every start.",
    assumptions=(only_two_rows, causal_rows, zero_row_scores, small_values(fmpq(1, 4)), unit_target),
)


# m_0 = u_0 <= m_1 there, so gamma_0 >= gamma_1. Once u_0 leads, `second_row_turns_to_first` goes on.
@first_of_two_causal_tokens_wins.state("> 0", assuming=(only_two_rows, causal_rows, second_value_leads))
def first_value_catches_up(f: RowAttentionFlow, *, feed=1):
    """d(u_0 - u_1)/dtau where u_1 >= u_0."""
    du = f.du_dtau()
    return du[..., 0] - feed * du[..., 1]


# share_0 >= share_1 there, so both terms are >= 0. Integrated, -x x' / K gives x(0)^2 / (2K) at most.
@first_of_two_causal_tokens_wins.state(">= 0", assuming=(only_two_rows, causal_rows, second_value_leads))
def second_row_turns_little(f: RowAttentionFlow):
    """-x x' / K - d(A_11 - A_10)/dtau for x = u_1 - u_0 >= 0, as x (share_0 - share_1 + 2 share_1 S_10^2)."""
    x, share, S = f.u[..., 1] - f.u[..., 0], f.share, f.S
    return x * (share[..., 0] - share[..., 1] + 2 * share[..., 1] * S[..., 1, 0] ** 2)


@first_of_two_causal_tokens_wins.identity(assuming=(only_two_rows, causal_rows))
def turning_formula(f: RowAttentionFlow, *, turn=1):
    """The same from the rates of u and A, at any state."""
    x, du, dA = f.u[..., 1] - f.u[..., 0], f.du_dtau(), f.dA_dtau()
    fall = x * (du[..., 0] - du[..., 1]) / f.K
    return fall - turn * (dA[..., 1, 1] - dA[..., 1, 0]) - second_row_turns_little(f)


# The last stage: once u_0 leads, row 1 turns to token 0 as any row turns to the better of two values.
@first_of_two_causal_tokens_wins.state("> 0", assuming=(only_two_rows, causal_rows, ordered_values))
def second_row_turns_to_first(f: RowAttentionFlow):
    """d(A_10 - A_11)/dtau where u_0 > u_1."""
    dA = f.dA_dtau()
    return dA[..., 1, 0] - dA[..., 1, 1]


def _doubled_times(start):
    return 2, 4, 8, 16


@first_of_two_causal_tokens_wins.limit("> 0", times=_doubled_times, trap=causal_rows_trap)
def rows_tend_to_first_token(limit: RowEnds, start: RowAttentionFlow):
    """1 for each row that tends to e_0, -1 for each that does not."""
    return limit.ends[:, 0]


# Around the note's start, by 1/2 at most: token 1 is so far ahead that its rows are held early.
def _second_far_ahead(draws):
    """T = 3 and u(0) within 1/2 of (-8, 0, -8): most starts with u_1 less far ahead are held too, but later."""
    u = draws.dyadic(3, size=1) / 2
    u[..., ::2] = u[..., ::2] - 8
    zero = np.zeros((3, 3), dtype=object) + fmpq(0)
    visible = np.tril(np.ones((3, 3), dtype=int))
    return RowAttentionFlow(u=u, A=zero, K=numbers(fmpq(1)), tau=numbers(fmpq(0)), visible=visible)


first_token_wins_causal_rows = section.claim(
    where="section 4.1 under a causal mask",
    note=(
        "Under a causal mask two rows that prefer token 1 outweigh the one that feeds token 0: from u(0) = (-8, "
        "0, -8) with three rows the second stays with token 1. If token 0 leads in u and in all rows it keeps leading, and "
        "every S_i0 / S_ij grows."
    ),
    statement="With a causal mask and A(0) = 0 every row of softmax_rows(A) tends to e_0, whatever the order of u(0).",
    assumptions=(three_rows, causal_rows, zero_row_scores, unit_target),
    corrected_by="polarization.leading_token_captures_every_row",
    draw=_second_far_ahead,
)


@first_token_wins_causal_rows.limit(
    "> 0", times=lambda start: (2, 4, 8), trap=causal_rows_trap, name="rows_tend_to_first_token"
)
def every_row_tends_to_first_token(limit: RowEnds, start: RowAttentionFlow):
    """1 for each row that tends to e_0, -1 for each that does not: those that token 1 holds for ever."""
    return limit.ends[:, 0]


# 1/8 is small and not sharp; |beta_*| = 1 fixes the unit in which it is meant.
first_token_wins_causal_rows_from_small_values = section.claim(
    where="section 4.1 under a causal mask, small values",
    statement="With a causal mask, A(0) = 0 and |u_j(0)| <= 1/8, every row of softmax_rows(A) tends to e_0.",
    assumptions=(two_rows, causal_rows, zero_row_scores, small_values(fmpq(1, 8)), unit_target),
    standing=Standing.OPEN,
)

first_token_wins_causal_rows_from_small_values.limit("> 0", times=_doubled_times, trap=causal_rows_trap)(
    rows_tend_to_first_token
)

# Three rows at least: with two the sum is S_11 - S_10, which is below 1.
HELD = (three_rows, causal_rows, second_value_leads, held_by_second_token)

second_token_keeps_causal_rows = section.claim(
    where="section 4.1 under a causal mask",
    statement="If u_1 > u_0, u_1 >= u_j, A_i1 >= A_ij and sum_{i>=1} (S_i1 - S_i0) > 1, this stays so for ever.",
    assumptions=HELD,
)


# Places among the later rows: row 0 sees token 0 alone, and has no lead to keep.
def _seen(T):
    """The pairs (i, j) of a later row and a token other than 1 that it sees, as places among the later rows."""
    i, j = np.nonzero(np.tril(np.ones((T, T), dtype=bool))[1:])
    return i[j != 1], j[j != 1]


def _ratios(f):
    """q_ij = S_ij / S_i1 of the later rows, shape (..., T - 1, T)."""
    return exp(f.A[..., 1:, :] - f.A[..., 1:, 1:2]) * indicator(f.visible[1:] == 1, f.A)


def _score_lead_rates(f):
    """d(A_i1 - A_ij)/dtau of the later rows, a sum of terms >= 0, shape (..., T - 1, T)."""
    q, S = _ratios(f), f.S[..., 1:, :]
    lead = (f.u[..., 1:2] - f.u)[..., None, :]
    behind = (S * lead).sum(axis=-1, keepdims=True)
    return (f.share[..., 1:] * S[..., 1])[..., None] * ((1 - q) * behind + q * lead)


def _lead_rates(f):
    """d(u_1 - u_j)/dtau over K for j >= 2, and d(A_i1 - A_ij)/dtau for i >= 1, as sums of terms of one sign."""
    i, j = _seen(f.u.shape[-1])
    pull = (f.share[..., 1:] * f.S[..., 1:, 1])[..., None]
    values = (pull * (1 - _ratios(f)[..., 2:])).sum(axis=-2)
    return np.concatenate([values, _score_lead_rates(f)[..., i, j]], axis=-1)


# u_1 - u_0 is not among the leads: it may shrink, as to log 2 for T = 3. `hold_grows` is what keeps it positive.
@second_token_keeps_causal_rows.state(">= 0")
def leads_grow(f: RowAttentionFlow):
    """d(u_1 - u_j)/dtau over K for j >= 2, and d(A_i1 - A_ij)/dtau for i >= 1."""
    return _lead_rates(f)


@second_token_keeps_causal_rows.state(">= 0")
def hold_grows(f: RowAttentionFlow):
    """d/dtau of sum_{i>=1} (S_i1 - S_i0), as a sum of terms of one sign."""
    q, S, rates = _ratios(f)[..., 0], f.S[..., 1:, :], _score_lead_rates(f)
    return (S[..., 1] * ((1 - q) * (S * rates).sum(axis=-1) + q * rates[..., 0])).sum(axis=-1)


# du_1 - du_j has no part of row 0 for j >= 2; that is why u_0 needs an argument of its own.
@second_token_keeps_causal_rows.identity()
def rates_formula(f: RowAttentionFlow, *, K_factor=1):
    """What `leads_grow` and `hold_grows` say the rates are, minus the rates."""
    du, dA, S = f.du_dtau(), f.dA_dtau(), f.S
    i, j = _seen(f.u.shape[-1])
    dS = S * (dA - (S * dA).sum(axis=-1, keepdims=True))
    moved = np.concatenate(
        [(du[..., 1:2] - du[..., 2:]) / f.K[..., None], (dA[..., 1:, 1:2] - dA[..., 1:, :])[..., i, j]], -1
    )
    held = numbers((dS[..., 1:, 1] - dS[..., 1:, 0]).sum(axis=-1))
    said = np.concatenate([_lead_rates(f), numbers(hold_grows(f))[..., None]], axis=-1)
    return K_factor * said - np.concatenate([moved, held[..., None]], axis=-1)


# At the only place where the lead over token 0 could be lost: there all later rows have gamma_i >= gamma_0.
@second_token_keeps_causal_rows.state("> 0", assuming=(*HELD, tied_first_values))
def second_value_escapes_first(f: RowAttentionFlow, *, feed=1):
    """d(u_1 - u_0)/dtau where u_1 = u_0."""
    du = f.du_dtau()
    return du[..., 1] - feed * du[..., 0]
