"""Two causal tokens: token 0 takes row 1 whatever the start.

Section 4.1 under a causal mask (polarization S10, O6), T = 2. Where u_1 >= u_0 row 0 is the worse off, gamma_0 >= gamma_1,
and d(u_0 - u_1) ~ gamma_0 + gamma_1 (S_10 - S_11) >= 2 gamma_1 S_10. With x = u_1 - u_0 >= 0 row 1 turns to token 1 no
faster than -x x' / K, in all by x(0)^2 / (2K): S_10 stays above a constant, so u_0 catches up at a finite tau. Once ahead
it stays ahead, and then A_10 - A_11 grows. The limit itself is decided from small values, where token 0 leads early. With
three tokens the claim fails (`first_token_wins_causal_rows`).
"""

from flint import fmpq

from claims.polarization.setting.rows import causal_rows, only_two_rows, second_value_leads, small_values, zero_row_scores
from claims.polarization.setting.scores import ordered_values, unit_target
from claims.statement import Claim, Origin
from dynamics.limits.traps import RowEnds, causal_rows_trap
from dynamics.training.row_attention import RowAttentionFlow

claim = Claim(
    __name__,
    where="section 4.1 under a causal mask, T = 2",
    refs=("S10", "O6"),
    statement="With a causal mask and T = 2, row 1 tends to e_0 from every start.",
    origin=Origin.OURS,
    system=RowAttentionFlow,
    assumptions=(only_two_rows, causal_rows, zero_row_scores, small_values(fmpq(1, 4)), unit_target),
)


@claim.state("> 0", assuming=(only_two_rows, causal_rows, second_value_leads))
def first_value_catches_up(f: RowAttentionFlow, *, feed=1):
    """d(u_0 - u_1)/dtau where u_1 >= u_0."""
    du = f.du_dtau()
    return du[..., 0] - feed * du[..., 1]


@claim.state(">= 0", assuming=(only_two_rows, causal_rows, second_value_leads))
def second_row_turns_little(f: RowAttentionFlow):
    """-x x' / K - d(A_11 - A_10)/dtau for x = u_1 - u_0 >= 0, as x (share_0 - share_1 + 2 share_1 S_10^2)."""
    x, share, S = f.u[..., 1] - f.u[..., 0], f.share, f.S
    return x * (share[..., 0] - share[..., 1] + 2 * share[..., 1] * S[..., 1, 0] ** 2)


@claim.identity(assuming=(only_two_rows, causal_rows))
def turning_formula(f: RowAttentionFlow, *, turn=1):
    """The same from the rates of u and A, at any state."""
    x, du, dA = f.u[..., 1] - f.u[..., 0], f.du_dtau(), f.dA_dtau()
    fall = x * (du[..., 0] - du[..., 1]) / f.K
    return fall - turn * (dA[..., 1, 1] - dA[..., 1, 0]) - second_row_turns_little(f)


@claim.state("> 0", assuming=(only_two_rows, causal_rows, ordered_values))
def second_row_turns_to_first(f: RowAttentionFlow):
    """d(A_10 - A_11)/dtau where u_0 > u_1."""
    dA = f.dA_dtau()
    return dA[..., 1, 0] - dA[..., 1, 1]


@claim.limit("> 0", times=lambda start: (fmpq(2), fmpq(4), fmpq(8), fmpq(16)), trap=causal_rows_trap)
def rows_tend_to_first_token(limit: RowEnds, start: RowAttentionFlow):
    """1 for each row that tends to e_0, -1 for each that does not."""
    return limit.ends[:, 0]
