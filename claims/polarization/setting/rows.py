"""Hypotheses on row-wise attention: which tokens a row attends to, and which scores and values lead."""

from typing import Any

import numpy as np
from flint import fmpq

from claims.instances.builders import draw_system
from claims.polarization.setting.scores import descending, is_descending, strictly_descending, swap_first_two
from claims.stating.assumptions import certainly_positive, size, with_entries
from claims.stating.matrices import eye_like
from claims.stating.statement import Assumption, Draws
from dynamics.arithmetic import Array, fraction, indicator, working_precision
from dynamics.system import System
from dynamics.training.row_attention import EqualRowsFlow, RowAttentionFlow


def _with_rows(f: Any, least: int) -> Any:
    """The system with its tokens repeated until there are at least that many."""
    T = f.u.shape[-1]
    return f if least <= T else _chosen_tokens(f, np.arange(least) % T)


def _chosen_tokens(f: Any, chosen: Array) -> Any:
    return f.replace(u=f.u[..., chosen], A=f.A[..., chosen, :][..., chosen], visible=f.visible[chosen][:, chosen])


def _causal(f: Any) -> Array:
    return np.tril(np.ones_like(f.visible))


two_rows = size("two_rows", "T", least=2, restrict=lambda f: _with_rows(f, 2))

three_rows = size("three_rows", "T", least=3, restrict=lambda f: _with_rows(f, 3))

every_token_visible = Assumption(
    "every_token_visible",
    "every row sees every token",
    satisfies=lambda f: bool(f.visible.all()),
    restrict=lambda f: f.replace(visible=np.ones_like(f.visible)),
    violate=lambda f, draws: f.replace(visible=_causal(f)),
)

causal_rows = Assumption(
    "causal_rows",
    "row i sees tokens 0..i",
    satisfies=lambda f: bool((f.visible == _causal(f)).all()),
    restrict=lambda f: f.replace(visible=_causal(f)),
    violate=lambda f, draws: f.replace(visible=np.ones_like(f.visible)),
)

# Full rows and causal ones alike: the proof needs only that a token is seen by every row that sees a later one.
earlier_tokens_visible = Assumption(
    "earlier_tokens_visible",
    "a row that sees a token sees all earlier ones",
    satisfies=lambda f: bool((np.diff(f.visible, axis=-1) <= 0).all()),
    restrict=lambda f: f.replace(visible=np.maximum.accumulate(f.visible[:, ::-1], axis=-1)[:, ::-1]),
    violate=lambda f, draws: with_entries(f, "visible", (-1, 0), 0),
)


# If it is large it turns all rows: a row far on its own token feeds that token alone (H4).
def _last_row_on_itself(f: Any, draws: Draws) -> Any:
    return with_entries(f, "A", (..., -1, -1), f.A[..., -1, -1] + 3 + abs(draws.dyadic(size=3)))


zero_row_scores = Assumption(
    "zero_row_scores",
    "A(0) = 0",
    satisfies=lambda f: bool((f.A == 0).all()),
    restrict=lambda f: f.replace(A=0 * f.A),
    violate=_last_row_on_itself,
)

equal_rows = Assumption(
    "equal_rows",
    "all rows of A are equal and see every token",
    satisfies=lambda f: bool((f.A[:1] == f.A).all() and f.visible.all()),
    restrict=lambda f: f.replace(A=f.A[..., :1, :] + 0 * f.A, visible=np.ones_like(f.visible)),
    violate=_last_row_on_itself,
)

# Scores may tie and values may not: from A(0) = 0 the start is such a state as well as all that follow.
comonotone_rows = Assumption(
    "comonotone_rows",
    "u_0 > ... > u_{T-1} and A_i0 >= ... >= A_i,T-1 in every row",
    satisfies=lambda f: is_descending(f.u, strictly=True) and all(is_descending(row) for row in f.A),
    restrict=lambda f: f.replace(A=descending(f.A), u=strictly_descending(f.u)),
    violate=lambda f, draws: swap_first_two(f, "u"),
)


def _below(values: Array, leader: int) -> Array:
    """Values mirrored at the one in place `leader`, so that none exceeds it."""
    top = values[..., leader : leader + 1]
    return np.asarray(top - abs(values - top))


first_token_leads = Assumption(
    "first_token_leads",
    "u_0 >= u_j and A_i0 >= A_ij for all i, j",
    satisfies=lambda f: bool((f.u[:1] >= f.u).all() and (f.A[:, :1] >= f.A).all()),
    restrict=lambda f: f.replace(u=_below(f.u, 0), A=_below(f.A, 0)),
    violate=lambda f, draws: with_entries(f, "u", (..., 1), f.u[..., 0] + 1 + abs(draws.dyadic(size=2))),
)

# Token 0 is not ahead there: the states that decide whether it ever gets ahead.
second_value_leads = Assumption(
    "second_value_leads",
    "u_1 >= u_j for all j",
    satisfies=lambda f: len(f.u) >= 2 and bool((f.u[1] >= f.u).all()),
    restrict=lambda f: f.replace(u=_below(f.u, 1)),
    # Of two tokens the first is the only other one; else the last, so that the first two keep their order.
    violate=lambda f, draws: with_entries(f, "u", 0 if len(f.u) == 2 else -1, f.u[1] + 4),
)


def _hold(f: Any) -> Array:
    """sum_{i >= 1} (S_i1 - S_i0): how much more token 1 than token 0 gets from the rows after the first."""
    return (f.S[..., 1:, 1] - f.S[..., 1:, 0]).sum(axis=-1)


def _is_held(f: Any) -> bool | None:
    if len(f.visible) < 2:
        return False
    with working_precision(256):
        return bool((f.A[1:, 1:2] >= f.A[1:]).all()) and certainly_positive((_hold(f) - 1).item())


held_by_second_token = Assumption(
    "held_by_second_token",
    "A_i1 >= A_ij for i >= 1 and all j, and sum_{i >= 1} (S_i1 - S_i0) > 1",
    satisfies=_is_held,
    # The sum is least where token 1 is ahead of all others by one g. With x = e^g two later rows give it
    # (x - 1) / (x + 1) + (x - 1) / (x + 2), which is 1 at x = 1 + sqrt 6, just below e^{317/256}; more rows add to it.
    restrict=lambda f: f.replace(A=_below(f.A, 1) + 317 * eye_like(f.A)[..., 1:2, :] / 256),
    violate=lambda f, draws: f.replace(A=f.A - 8 * eye_like(f.A)[..., 1:2, :]),
)

only_two_rows = size("only_two_rows", "T", 2, 2, restrict=lambda f: _chosen_tokens(f, np.arange(2) % f.u.shape[-1]))

# The more rows, the later the last one has turned the others: for eight it is done by the times that are tried.
at_most_eight_rows = size("at_most_eight_rows", "T", most=8)

tied_first_values = Assumption(
    "tied_first_values",
    "u_0 = u_1",
    satisfies=lambda f: len(f.u) >= 2 and bool(f.u[0] == f.u[1]),
    restrict=lambda f: f.replace(u=f.u + eye_like(f.A)[..., 0] * (f.u[..., 1:2] - f.u[..., :1])),
)


# From u(0) = 0 token 0 leads at once under a causal mask, for fewer rows see a later token: near 0 it leads early.
def small_values(bound: fmpq) -> Assumption:
    """|u_j| <= bound: a start whose fate is decided early."""

    def scaled(values: Array) -> Array:
        # Divided by one number, more than their sum of moduli: ratios and signs stay, and no 0 is divided by.
        most = bound if values.dtype == object else float(fraction(bound))
        return np.asarray(values * (most / (1 + abs(values).sum(axis=-1, keepdims=True))))

    return Assumption(
        "small_values",
        f"|u_j| <= {bound}",
        satisfies=lambda f: bool((abs(f.u) <= bound).all()),
        restrict=lambda f: f.replace(u=scaled(f.u)),
    )


def _only_last_on_itself(f: Any) -> Array:
    last = np.zeros(f.visible.shape, dtype=bool)
    last[-1, -1] = True
    return np.asarray(indicator(last, f.A) + 0 * f.A)


# With 1 for 5 all rows may go to token 0, as in the source's run (H4): the number is part of the statement.
last_row_on_itself = Assumption(
    "last_row_on_itself",
    "A(0) = 0 but for A_{T-1,T-1} = 5",
    satisfies=lambda f: bool((5 * _only_last_on_itself(f) == f.A).all()),
    restrict=lambda f: f.replace(A=5 * _only_last_on_itself(f)),
    violate=lambda f, draws: f.replace(A=0 * f.A),
)

# V^T beta_* makes sense for T = d alone.
square_values = Assumption(
    "square_values",
    "T = d",
    satisfies=lambda f: f.V.shape[-1] == f.V.shape[-2],
    restrict=lambda f: _square(f, min(f.V.shape[-2:])),
)


def _square(f: Any, k: int) -> Any:
    return f.replace(V=f.V[..., :k, :k], A=f.A[..., :k, :k], beta_star=f.beta_star[..., :k], visible=f.visible[:k, :k])


def any_values_or_two_near_the_top(draws: Any) -> EqualRowsFlow:
    """Any values of two to four tokens; or two near the top and the others far below."""
    near = draws.choice(("any values", "two near the top")) == "two near the top"
    u, K = draws.dyadic(draws.integer(3 if near else 2, 4)), abs(draws.dyadic()) + 1
    if near:
        u[..., 2:] = u[..., 2:] / 4 - 6
        u[..., 1] = u[..., 0] - (0 * u[..., 0] + 1) / 64
    return EqualRowsFlow(u=u, a=0 * u, K=K, tau=draws.dyadic())


# Near ties of the two best values, which the usual draw of rows has by chance alone.
def any_rows_or_a_causal_mask(draws: Any) -> System:
    """Any rows, or values of which two may be near the top, under a causal mask."""
    if draws.choice(("any rows", "causal mask")) == "any rows":
        return draw_system(RowAttentionFlow, draws)
    f = any_values_or_two_near_the_top(draws)
    A = f.u[..., None] * f.u[..., None, :] * 0
    visible = np.tril(np.ones(A.shape[-2:], dtype=int))
    return RowAttentionFlow(u=f.u, A=A, K=f.K, tau=f.tau, visible=visible)
