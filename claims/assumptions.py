"""Named hypotheses of the papers: how to meet each by construction, decide it exactly, and break it alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from claims.matrices import asymmetric, definite, eye_like, is_positive_definite, is_symmetric
from claims.statement import Assumption, Draws
from dynamics.arithmetic import Array, exact, exp, fraction, indicator, log, numbers, sign, working_precision
from dynamics.geometry import gram, membership
from dynamics.score_maps import MAPS, POSITIVE_MAPS


def _is_identity(matrix: Array) -> bool:
    return bool((matrix == eye_like(matrix)).all())


def _anything_but(name: str, is_met: Callable[[Array], bool]) -> Callable[[Any, Draws], Any]:
    """A violation that draws the matrix `name` freely; should the draw meet the assumption, twice it plus a corner."""

    def violate(system: Any, draws: Draws) -> Any:
        d = getattr(system, name).shape[-1]
        matrix = draws.dyadic(d, d, size=2)
        if is_met(matrix):
            matrix = 2 * matrix + indicator(np.eye(d, k=d - 1, dtype=bool), matrix)
        return system.replace(**{name: matrix})

    return violate


# ---------------------------------------------------------------------------------------------------------------------
# Matrices of attention

identity_value = Assumption(
    "identity_value",
    "V = I",
    satisfies=lambda f: _is_identity(f.V),
    restrict=lambda f: f.replace(V=eye_like(f.V)),
    violate=_anything_but("V", _is_identity),
)

identity_key_query = Assumption(
    "identity_key_query",
    "Q^T K = I",
    satisfies=lambda f: _is_identity(f.B),
    restrict=lambda f: f.replace(B=eye_like(f.B)),
    violate=_anything_but("B", _is_identity),
)


symmetric_key_query = Assumption(
    "symmetric_key_query",
    "B = B^T",
    satisfies=lambda f: is_symmetric(f.B),
    restrict=lambda f: f.replace(B=f.B + f.B.swapaxes(-1, -2)),
    violate=lambda f, draws: f.replace(B=asymmetric(f.B, draws)),
)

definite_key_query = Assumption(
    "definite_key_query",
    "Q^T K is symmetric positive definite",
    satisfies=lambda f: is_positive_definite(f.B),
    restrict=lambda f: f.replace(B=definite(f.B)),
    violate=lambda f, draws: f.replace(B=-f.B),
)


def _is_scalar_step(f: Any) -> bool:
    gamma = f.P[0, 0]
    return bool((gamma * eye_like(f.P) == f.P).all()) and 0 <= gamma <= 1


def _scalar_step(f: Any) -> Any:
    gamma = abs(f.P[..., :1, :1])
    return f.replace(P=gamma * eye_like(f.P))


def _diagonal_step(f: Any, draws: Draws) -> Any:
    d = f.P.shape[-1]
    rates = abs(draws.dyadic(d, size=1, bits=3))
    if d == 1 or bool((rates == rates[0]).all()):
        rates = rates + np.array([fmpq(k) + (fmpq(1) if d == 1 else fmpq(0)) for k in range(d)], dtype=object)
    return f.replace(P=rates * eye_like(f.P))


scalar_step = Assumption(
    "scalar_step",
    "P = gamma I with 0 <= gamma <= 1",
    satisfies=_is_scalar_step,
    restrict=_scalar_step,
    violate=_diagonal_step,
)


def _last_column(f: Any) -> Array:
    n = f.selection.shape[-1]
    return indicator(np.arange(n) == n - 1, f.selection)


averaged_leaders = Assumption(
    "averaged_leaders",
    "ties are averaged",
    satisfies=lambda f: bool((f.selection == 1).all()),
    restrict=lambda f: f.replace(selection=0 * f.selection + 1),
    violate=lambda f, draws: f.replace(selection=f.selection + abs(draws.dyadic(*f.selection.shape)) + _last_column(f)),
)

step_size_at_most_one = Assumption(
    "step_size_at_most_one",
    "0 <= gamma <= 1",
    satisfies=lambda f: 0 <= f.gamma.item() <= 1,
    violate=lambda f, draws: f.replace(gamma=draws.choice((fmpq(3, 2), fmpq(-1), fmpq(2)))),
)


# ---------------------------------------------------------------------------------------------------------------------
# Scores and value projections


def _descending(values: Array) -> Array:
    return np.asarray(np.sort(values, axis=-1)[..., ::-1])


def _ramp(values: Array) -> Array:
    """p - 1, ..., 1, 0 times 2^-12: added to sorted numbers it makes the order strict."""
    p = values.shape[-1]
    unit = 2.0**-12 if values.dtype != object else fmpq(1, 2**12)
    return np.asarray(np.arange(p - 1, -1, -1).astype(values.dtype) * unit)


def _strictly_descending(values: Array) -> Array:
    return np.asarray(_descending(values) + _ramp(values))


def _is_descending(values: Array, strictly: bool = False) -> bool:
    return all(x > y if strictly else x >= y for x, y in pairwise(values))


def _swap_first_two(f: Any, name: str) -> Any:
    values = getattr(f, name).copy()
    if values.shape[-1] < 2:
        return f  # one number is always in order
    values[..., [0, 1]] = values[..., [1, 0]]
    return f.replace(**{name: values})


def _doubled(f: Any) -> Any:
    if f.a.shape[-1] >= 2:
        return f
    return f.replace(u=np.concatenate([f.u, f.u], axis=-1), a=np.concatenate([f.a, f.a], axis=-1))


two_scores = Assumption(
    "two_scores",
    "p >= 2",
    satisfies=lambda f: f.a.shape[-1] >= 2,
    restrict=_doubled,
    violate=lambda f, draws: f.replace(u=f.u[..., :1], a=f.a[..., :1]),
    label="H7",
)

zero_scores = Assumption(
    "zero_scores",
    "a(0) = 0",
    satisfies=lambda f: bool((f.a == 0).all()),
    restrict=lambda f: f.replace(a=0 * f.a),
    violate=lambda f, draws: f.replace(a=np.sort(draws.dyadic(*f.a.shape, size=3), axis=-1) + _ramp(f.a)[..., ::-1]),
    label="A-3.1, H1",
)

ordered_values = Assumption(
    "ordered_values",
    "u_0(0) > ... > u_{p-1}(0)",
    satisfies=lambda f: _is_descending(f.u, strictly=True),
    restrict=lambda f: f.replace(u=_strictly_descending(f.u)),
    violate=lambda f, draws: _swap_first_two(f, "u"),
    label="A-3.1, H2",
)

unit_target = Assumption(
    "unit_target",
    "|beta_*| = 1",
    satisfies=lambda f: f.K.item() == 1,
    restrict=lambda f: f.replace(K=0 * f.K + 1),
    violate=lambda f, draws: f.replace(K=fmpq(draws.integer(2, 16))),
    label="H3",
)

comonotone = Assumption(
    "comonotone",
    "s_0 >= ... >= s_{p-1} and u_0 > ... > u_{p-1}",
    satisfies=lambda f: _is_descending(f.a) and _is_descending(f.u, strictly=True),
    restrict=lambda f: f.replace(a=_descending(f.a), u=_strictly_descending(f.u)),
    violate=lambda f, draws: _swap_first_two(f, "u"),
)

zero_values = Assumption(
    "zero_values",
    "V(0) = 0",
    satisfies=lambda f: bool((f.u == 0).all()),
    restrict=lambda f: f.replace(u=0 * f.u),
    violate=lambda f, draws: f.replace(u=draws.dyadic(*f.u.shape, size=4) + 3 * f.K),
    label="A-3.4",
)

ordered_scores = Assumption(
    "ordered_scores",
    "s_0(0) > ... > s_{p-1}(0)",
    satisfies=lambda f: _is_descending(f.a, strictly=True),
    restrict=lambda f: f.replace(a=_strictly_descending(f.a)),
    violate=lambda f, draws: _swap_first_two(f, "a"),
    label="A-3.4",
)


def _is_aligned(f: Any) -> bool:
    target = f.beta_star
    return bool((f.V[:, None, :] * target[None, :, None] == f.V[None, :, :] * target[:, None, None]).all())


aligned_values = Assumption(
    "aligned_values",
    "V = beta_* c^T for some c",
    satisfies=_is_aligned,
    restrict=lambda f: f.replace(V=f.beta_star[..., :, None] * f.V[..., :1, :]),
    violate=lambda f, draws: f.replace(V=f.V + eye_like(np.zeros((len(f.V),) * 2, dtype=object) + fmpq(0))[:, :1]),
)


# ---------------------------------------------------------------------------------------------------------------------
# Gradient descent


small_descent_step = Assumption(
    "small_descent_step",
    "rate (u_0 - u_{p-1}) <= 4",
    satisfies=lambda f: bool(f.rate.item() * (f.u[0] - f.u[-1]) <= 4),
    restrict=lambda f: f.replace(rate=4 * f.rate / (4 + f.rate * (f.u[..., 0] - f.u[..., -1]))),
    violate=lambda f, draws: f.replace(rate=f.rate + draws.integer(8, 256) / (f.u[0] - f.u[-1])),
)


# ---------------------------------------------------------------------------------------------------------------------
# Leaders and ties


def _unit_like(values: Array) -> Any:
    return 2.0**-12 if values.dtype != object else fmpq(1, 2**12)


def _first_raised(values: Array, by: Any) -> Array:
    """The same numbers with the first one replaced by their maximum plus `by`."""
    raised = values.copy()
    raised[..., 0] = values.max(axis=-1) + by
    return np.asarray(raised)


def _leader_first(values: Array, by: Any) -> Array:
    """The same numbers with the largest exchanged into first place and raised by `by`."""
    led, first, top = values.copy(), values[..., :1].copy(), values.argmax(axis=-1)[..., None]
    np.put_along_axis(led, top, first, axis=-1)
    led[..., 0] = values.max(axis=-1) + by
    return np.asarray(led)


leader_dominates = Assumption(
    "leader_dominates",
    "u_0 > u_j and a_0 >= a_j for j != 0",
    satisfies=lambda f: all(f.u[0] > x for x in f.u[1:]) and all(f.a[0] >= x for x in f.a[1:]),
    restrict=lambda f: f.replace(u=_leader_first(f.u, _unit_like(f.u)), a=_leader_first(f.a, 0)),
    violate=lambda f, draws: _swap_first_two(f, "u"),
)


leading_value = Assumption(
    "leading_value",
    "u_0 > u_j for j != 0",
    satisfies=lambda f: all(f.u[0] > x for x in f.u[1:]),
    restrict=lambda f: f.replace(u=_leader_first(f.u, _unit_like(f.u))),
    violate=lambda f, draws: _swap_first_two(f, "u"),
)


wide_lead = Assumption(
    "wide_lead",
    "u_0 >= u_j + 1 for j != 0",
    satisfies=lambda f: all(f.u[0] >= x + 1 for x in f.u[1:]),
    restrict=lambda f: f.replace(u=_leader_first(f.u, 1)),
    violate=lambda f, draws: _swap_first_two(f, "u"),
)


weakly_ordered_values = Assumption(
    "weakly_ordered_values",
    "u_0 >= ... >= u_{p-1}",
    satisfies=lambda f: _is_descending(f.u),
    restrict=lambda f: f.replace(u=_descending(f.u)),
    violate=lambda f, draws: f.replace(u=_strictly_descending(f.u)[..., ::-1]),
)


def _first_two_tied(values: Array) -> Array:
    tied = _leader_first(values, _unit_like(values))
    tied[..., 1] = tied[..., 0]
    return tied


def _is_tied_at_the_top(values: Array) -> bool:
    return bool(values[0] == values[1]) and all(values[0] >= x for x in values[2:])


tied_leaders = Assumption(
    "tied_leaders",
    "u_0 = u_1 > u_j and a_0 = a_1 >= a_j for j >= 2",
    satisfies=lambda f: (
        len(f.u) >= 2 and _is_tied_at_the_top(f.u) and all(f.u[0] > x for x in f.u[2:]) and _is_tied_at_the_top(f.a)
    ),
    restrict=lambda f: _doubled(f).replace(u=_first_two_tied(_doubled(f).u), a=_first_two_tied(_doubled(f).a)),
    violate=lambda f, draws: f.replace(u=_first_raised(f.u, 1)),
)


def _others_tied(values: Array) -> Array:
    tied = values.copy()
    tied[..., 1:] = values[..., 1:2]
    return tied


tied_losers = Assumption(
    "tied_losers",
    "u_1 = ... = u_{p-1} and a_1 = ... = a_{p-1}",
    satisfies=lambda f: all(f.u[1] == x for x in f.u[1:]) and all(f.a[1] == x for x in f.a[1:]),
    restrict=lambda f: f.replace(u=_others_tied(f.u), a=_others_tied(f.a)),
)


two_scores_only = Assumption(
    "two_scores_only",
    "p = 2",
    satisfies=lambda f: f.a.shape[-1] == 2,
    restrict=lambda f: _doubled(f.replace(u=f.u[..., :2], a=f.a[..., :2])),
)


halved_ratios = Assumption(
    "halved_ratios",
    "s_j <= s_0 / 2 for j != 0",
    satisfies=lambda f: certainly_all(certainly_at_most(log(exact(2)).item(), f.a[0] - x) for x in f.a[1:]),
    restrict=lambda f: f.replace(a=_first_raised(f.a, _unit_like(f.a) * 2840)),  # 2840 / 4096 is just above log 2
    violate=lambda f, draws: f.replace(a=0 * f.a),
)


def _leading_column(f: Any) -> Any:
    """The column of largest u exchanged into first place, and moved along beta_* until it leads by 1/4096 at least."""
    top = f.u.argmax(axis=-1)[..., None, None]
    V, first = f.V.copy(), f.V[..., :, :1].copy()
    rows = np.broadcast_to(top, first.shape)
    leading = np.take_along_axis(f.V, rows, axis=-1)
    np.put_along_axis(V, rows, first, axis=-1)
    V[..., 0] = leading[..., 0] + f.beta_star * (_unit_like(f.V) / f.K)[..., None]
    return f.replace(V=V)


def _columns_swapped(f: Any) -> Any:
    V = f.V.copy()
    V[..., [0, 1]] = V[..., [1, 0]]
    return f.replace(V=V)


leading_column = Assumption(
    "leading_column",
    "<beta_*, v_0> > <beta_*, v_j> for j != 0",
    satisfies=lambda f: all(f.u[0] > x for x in f.u[1:]),
    restrict=_leading_column,
    violate=lambda f, draws: _columns_swapped(f),
)


two_columns = Assumption(
    "two_columns",
    "p >= 2",
    satisfies=lambda f: f.a.shape[-1] >= 2,
    restrict=lambda f: (
        f
        if f.a.shape[-1] >= 2
        else f.replace(V=np.concatenate([f.V, -f.V], axis=-1), a=np.concatenate([f.a, f.a], axis=-1))
    ),
)


def _square_model(f: Any) -> Any:
    """As many rows as scores: the first of V, again from the start where there are too few."""
    rows = np.arange(f.V.shape[-1]) % f.V.shape[-2]
    return f.replace(V=f.V[..., rows, :], beta_star=f.beta_star[..., rows] + _unit_like(f.V))


def _with_first_again(values: Array) -> Array:
    return np.asarray(np.concatenate([values, values[..., :1]], axis=-1))


square_model = Assumption(
    "square_model",
    "V is p x p",
    satisfies=lambda f: f.V.shape[-1] == f.V.shape[-2],
    restrict=lambda f: f if f.V.shape[-1] == f.V.shape[-2] else _square_model(f),
    violate=lambda f, draws: f.replace(
        V=np.concatenate([f.V, f.V[..., :1]], -1), a=np.concatenate([f.a, f.a[..., :1]], -1)
    ),
    label="H7",
)


# ---------------------------------------------------------------------------------------------------------------------
# Slow clocks


def _three(f: Any) -> Any:
    missing = max(0, 3 - f.a.shape[-1])
    return f.replace(
        **{name: np.concatenate([getattr(f, name)] + missing * [getattr(f, name)[..., :1]], -1) for name in "ua"}
    )


three_scores = Assumption("three_scores", "p >= 3", satisfies=lambda f: f.a.shape[-1] >= 3, restrict=_three)


def _nearly_tied(f: Any) -> Any:
    leads = indicator(np.arange(f.u.shape[-1]) == 0, f.u)
    size = abs(f.u[..., -1:]) + 1
    # 2K / (1 + K) <= sqrt(K).
    ahead = size / (1 + size) * (2 * f.K / (1 + f.K))[..., None] * (2.0**-8 if f.u.dtype != object else fmpq(1, 2**8))
    return f.replace(u=f.u[..., :1] + ahead * leads)


def _is_nearly_tied(f: Any) -> bool:
    if len(f.u) < 2 or not (f.u[1:] == f.u[1]).all():
        return False
    delta = f.u[0] - f.u[1]
    return bool(delta > 0 and delta**2 * 2**16 <= f.K.item())


near_tie = Assumption(
    "near_tie",
    "u(0) = c + (delta, 0, ..., 0) with 0 < delta <= |beta_*| / 256",
    satisfies=_is_nearly_tied,
    restrict=_nearly_tied,
)


def _log_ratios(f: Any) -> Array:
    """log q_j at the start of a slow clock."""
    return np.concatenate([f.logs[..., :-1] + f.logs[..., -1:], f.logs[..., -1:]], axis=-1)


def _behind_leader(f: Any) -> Any:
    ratios = -abs(_log_ratios(f))
    logs = np.concatenate([ratios[..., :-1] - ratios[..., -1:], ratios[..., -1:]], axis=-1)
    return f.replace(gaps=abs(f.gaps) + 256 * _ramp(f.gaps) + _quarter(f.gaps), logs=logs)


def _quarter(values: Array) -> Any:
    return 0.25 if values.dtype != object else fmpq(1, 4)


leading_index = Assumption(
    "leading_index",
    "u_0(0) > u_j(0) and a_0(0) >= a_j(0) for all j >= 1",
    satisfies=lambda f: bool((f.gaps > 0).all() and (_log_ratios(f) <= 0).all()),
    restrict=_behind_leader,
)


def _is_moderate(f: Any) -> bool:
    return bool(
        fmpq(1, 4) <= f.K.item() <= 4
        and abs(f.offset.item()) <= 32
        and all(fmpq(1, 4) <= gap <= 4 for gap in f.gaps)
        and all(-2 <= ratio <= 2 for ratio in _log_ratios(f))
    )


def _moderate(f: Any) -> Any:
    ratios = _log_ratios(f)
    ratios = ratios * 2 / (2 + abs(ratios).max(axis=-1, keepdims=True))
    logs = np.concatenate([ratios[..., :-1] - ratios[..., -1:], ratios[..., -1:]], axis=-1)
    gaps = _quarter(f.gaps) + f.gaps * 3 / (3 + f.gaps.max(axis=-1, keepdims=True))
    offset = f.offset * 32 / (32 + abs(f.offset))
    return f.replace(gaps=gaps, logs=logs, offset=offset, K=_quarter(f.K) + f.K * 3 / (3 + f.K))


moderate_start = Assumption(
    "moderate_start",
    "1/4 <= K <= 4, |u_0(0)| <= 32, 1/4 <= u_0(0) - u_j(0) <= 4, |a_0(0) - a_j(0)| <= 2 (other starts only settle later)",
    satisfies=_is_moderate,
    restrict=_moderate,
)


def _first_eight(f: Any) -> Any:
    if not hasattr(f, "logs"):
        return f.replace(u=f.u[..., :8], a=f.a[..., :8])
    ratios = _log_ratios(f)[..., :7]
    logs = np.concatenate([ratios[..., :-1] - ratios[..., -1:], ratios[..., -1:]], axis=-1)
    return f.replace(gaps=f.gaps[..., :7], logs=logs)


at_most_eight_scores = Assumption(
    "at_most_eight_scores",
    "p <= 8 (more scores only take longer)",
    satisfies=lambda f: (f.gaps.shape[-1] + 1 if hasattr(f, "logs") else f.u.shape[-1]) <= 8,
    restrict=_first_eight,
)


loss_not_too_steep = Assumption(
    "loss_not_too_steep",
    "k >= -1: the loss is linear, or its slope m^{-(k+1)} falls",
    satisfies=lambda f: bool(f.k.item() >= -1),
    restrict=lambda f: f.replace(k=np.maximum(f.k, -1)),
    violate=lambda f, draws: f.replace(k=0 * f.k - draws.integer(3, 4)),
)


level_scores = Assumption(
    "level_scores",
    "a(0) = 0",
    satisfies=lambda f: bool((f.logs == 0).all()),
    restrict=lambda f: f.replace(logs=0 * f.logs),
)


positive_margin = Assumption(
    "positive_margin",
    "min_i u_i(0) > 0, so m > 0 at every time",
    satisfies=lambda f: all(f.offset.item() > gap for gap in f.gaps),
    restrict=lambda f: f.replace(offset=abs(f.offset) + _quarter(f.gaps) + f.gaps.sum(axis=-1)),
)


# ---------------------------------------------------------------------------------------------------------------------
# Square loss


margin_below_target = Assumption(
    "margin_below_target",
    "m(0) < K",
    satisfies=lambda f: certainly_positive(numbers(f.K - f.m).item()),
    restrict=lambda f: f.replace(u=f.u - f.u[..., :1] + f.K[..., None] / 2),
    violate=lambda f, draws: f.replace(u=f.u - f.u[..., -1:] + f.K[..., None] + 1),
)


margin_above_target = Assumption(
    "margin_above_target",
    "m(0) > K",
    satisfies=lambda f: certainly_positive(numbers(f.m - f.K).item()),
    restrict=lambda f: f.replace(u=f.u - f.u[..., -1:] + f.K[..., None] + 1),
    violate=lambda f, draws: f.replace(u=f.u - f.u[..., :1] + f.K[..., None] / 2),
)


def _near_uniform(f: Any) -> bool:
    return bool((abs(f.a) <= fmpq(1, 2**16)).all()) and f.K.item() <= 4


near_uniform_scores = Assumption(
    "near_uniform_scores",
    "|a_i(0)| <= 2^-16 and K <= 4",
    satisfies=_near_uniform,
    restrict=lambda f: f.replace(a=f.a / 2**20, K=f.K / 4),
)


small_target = Assumption(
    "small_target",
    "K <= 2^-6",
    satisfies=lambda f: f.K.item() <= fmpq(1, 64),
    restrict=lambda f: f.replace(K=f.K / 2**10),
)


large_target = Assumption(
    "large_target",
    "K >= 256",
    satisfies=lambda f: f.K.item() >= 256,
    restrict=lambda f: f.replace(K=256 + 16 * f.K),
)


moderate_lead = Assumption(
    "moderate_lead",
    "p <= 6 and the largest a_j(0) exceeds the others by 1/2 to 2 (elsewhere the remainder has a larger constant)",
    satisfies=lambda f: len(f.a) <= 6 and all(fmpq(1, 2) <= max(f.a) - x <= 2 for x in _descending(f.a)[1:]),
)


def _copied(values: Array) -> Array:
    return np.asarray(values[..., :1, :] + 0 * values)


same_start = Assumption(
    "same_start",
    "all copies have the same b, V(0) = 0 and a(0), with a_0(0) > ... > a_{p-1}(0)",
    satisfies=lambda f: (
        bool((f.V == 0).all())
        and all(bool((x == x[:1]).all()) for x in (f.a, f.b))
        and _is_descending(f.a[0], strictly=True)
    ),
    restrict=lambda f: f.replace(V=0 * f.V, a=_copied(_strictly_descending(f.a)), b=_copied(f.b)),
)


def _first_copied(values: Array) -> Array:
    return np.asarray(values[..., :1] + 0 * values)


def _conditions(f: Any) -> list[Any]:
    return [max(values) / min(values) for values in f.X]


def _by_condition(f: Any) -> Any:
    order = np.argsort(-f.X.min(axis=-1), axis=-1)
    return f.replace(X=np.take_along_axis(np.asarray(f.X), order[..., None], axis=-2))


conditioned_in_order = Assumption(
    "conditioned_in_order",
    "the largest singular value is 1 and kappa does not fall from copy to copy; the losses have the same factor",
    satisfies=lambda f: (
        bool((f.weight == f.weight[:1]).all())
        and all(max(values) == 1 for values in f.X)
        and all(x <= y for x, y in pairwise(_conditions(f)))
    ),
    restrict=lambda f: _by_condition(f.replace(weight=0 * f.weight + 1)),
)


def _level_field(values: Array) -> Array:
    """The same order with the first ahead of all others together by e^4, and these within a quarter of each other."""
    ordered = _strictly_descending(values)
    behind = ordered[..., 1:2] - ordered[..., 1:]
    doublings = (values.shape[-1] - 2).bit_length()  # 2^doublings >= p - 1, and e^{3/4} > 2
    ahead: Any = 4 + 0.75 * doublings if values.dtype != object else 4 + fmpq(3 * doublings, 4)
    return np.concatenate([ordered[..., :1] + ahead, ordered[..., 1:2] - behind / (4 + 4 * behind[..., -1:])], axis=-1)


def _is_far_ahead(f: Any) -> bool | None:
    others = f.a[1:] - f.a[:1] + 4
    if not all(x <= 0 and abs(x - y) <= fmpq(1, 4) for x in others for y in others):
        return False
    with working_precision(256):
        return certainly_at_most(exp(others).sum(axis=-1).item(), 1)


def _against_many(f: Any, draws: Draws) -> Any:
    """Twelve scores at least, all others equal and e^4 below the first: together they weigh a fifth of it."""
    p = max(12, f.a.shape[-1])
    return f.replace(
        u=np.concatenate([f.u[..., :1]] * p, axis=-1),
        a=np.concatenate([f.a[..., :1]] + [f.a[..., :1] - 4] * (p - 1), axis=-1),
    )


leading_score_ahead = Assumption(
    "leading_score_ahead",
    "s_0(0) >= e^4 (s_1(0) + ... + s_{p-1}(0)), the others nearly level, s_j(0) <= e^{1/4} s_k(0) (else it takes longer)",
    satisfies=_is_far_ahead,
    restrict=lambda f: f.replace(a=_level_field(f.a)),
    violate=_against_many,
)


least_singular_values = Assumption(
    "least_singular_values",
    "X is the least singular value alone, along which b lies, and does not grow from copy to copy; losses have one factor",
    satisfies=lambda f: f.X.shape[-1] == 1 and _is_descending(f.X[:, 0]) and bool((f.weight == f.weight[:1]).all()),
)


gap_alone = Assumption(
    "gap_alone",
    "the gap starts at 1, D and x at 0",
    satisfies=lambda f: f.gap.item() == 1 and bool((f.D == 0).all() and (f.x == 0).all()),
    restrict=lambda f: f.replace(gap=0 * f.gap + 1, D=0 * f.D, x=0 * f.x),
    violate=lambda f, draws: f.replace(D=-f.w),
)


def _last_copy_larger(f: Any, draws: Draws) -> Any:
    X = f.X.copy()
    X[..., -1, :] = X[..., 0, :] + draws.choice((fmpq(1), fmpq(1, 2)))
    return f.replace(X=X)


falling_singular_values = Assumption(
    "falling_singular_values",
    "in one basis, no singular value grows from copy to copy; the losses have the same factor",
    satisfies=lambda f: bool((f.weight == f.weight[:1]).all() and (f.X[1:] <= f.X[:-1]).all()),
    restrict=lambda f: f.replace(X=_descending(f.X.swapaxes(-1, -2)).swapaxes(-1, -2), weight=_first_copied(f.weight)),
    violate=_last_copy_larger,
)


# ---------------------------------------------------------------------------------------------------------------------
# Other maps of scores


def _lifted(values: Array) -> Array:
    """Positive numbers from any: |x| + 1/16."""
    unit: Any = 2.0**-4 if values.dtype != object else fmpq(1, 16)
    return np.asarray(abs(values) + unit)


def _shifted_below_zero(f: Any, name: str) -> Any:
    values = getattr(f, name)
    return f.replace(**{name: values - max(values) - 1})


positive_scores = Assumption(
    "positive_scores",
    "a_i(0) > 0",
    satisfies=lambda f: bool((f.a > 0).all()),
    restrict=lambda f: f.replace(a=_lifted(f.a)),
    violate=lambda f, draws: _shifted_below_zero(f, "a"),
)


positive_values = Assumption(
    "positive_values",
    "u_i(0) > 0",
    satisfies=lambda f: bool((f.u > 0).all()),
    restrict=lambda f: f.replace(u=_lifted(f.u)),
    violate=lambda f, draws: _shifted_below_zero(f, "u"),
)


equal_scores = Assumption(
    "equal_scores",
    "a_0(0) = ... = a_{p-1}(0)",
    satisfies=lambda f: bool((f.a == f.a[0]).all()),
    restrict=lambda f: f.replace(a=0 * f.a + f.a[..., :1]),
    violate=lambda f, draws: f.replace(a=f.a + _ramp(f.a)[..., ::-1] * 2**13),
)


unit_scores = Assumption(
    "unit_scores",
    "a(0) = (1, ..., 1), any equal start for a homogeneous map",
    satisfies=lambda f: bool((f.a == 1).all()),
    restrict=lambda f: f.replace(a=0 * f.a + 1),
    violate=lambda f, draws: f.replace(a=0 * f.a + draws.choice((fmpq(2), fmpq(1, 2)))),
)


def _with_clear_leader(f: Any) -> Any:
    u = f.u.copy()
    u[..., 0] = u[..., 0] + 1 + f.K
    return f.replace(u=u)


def _has_clear_leader(f: Any) -> bool:
    u = _descending(f.u)
    return len(u) < 2 or (u[0] - u[1]) ** 2 >= 4 * f.K.item()


clear_leader = Assumption(
    "clear_leader",
    "the largest u_j(0) exceeds the next by at least 2 |beta_*| (a smaller lead only takes longer)",
    satisfies=_has_clear_leader,
    restrict=_with_clear_leader,
)


def _with_close_losers(f: Any) -> Any:
    u = _descending(f.u)
    behind = u[..., 1:2] - u[..., 1:]
    # 4K / (1 + K) <= 2 sqrt(K), and the last is as far behind as any.
    u[..., 1:] = u[..., 1:2] - behind * (4 * f.K / (1 + f.K))[..., None] / (1 + behind[..., -1:])
    return f.replace(u=u)


close_losing_values = Assumption(
    "close_losing_values",
    "the u_j(0) but the largest are within 4 |beta_*| of each other (a wider spread only takes longer)",
    satisfies=lambda f: len(f.u) < 2 or (_descending(f.u)[1] - _descending(f.u)[-1]) ** 2 <= 16 * f.K.item(),
    restrict=_with_close_losers,
)


def _with_given_values(f: Any) -> Any:
    given = [fmpq(1), fmpq(2, 5), fmpq(-3, 10), fmpq(-1, 2)]
    zero = 0 * f.a[..., :1]
    u = np.concatenate([zero + (q if f.a.dtype == object else float(fraction(q))) for q in given], axis=-1)
    return f.replace(u=u, a=np.concatenate([zero] * 4, axis=-1), K=0 * f.K + 1)


four_given_values = Assumption(
    "four_given_values",
    "u(0) = (1, 2/5, -3/10, -1/2) and |beta_*| = 1",
    satisfies=lambda f: f.u.tolist() == [fmpq(1), fmpq(2, 5), fmpq(-3, 10), fmpq(-1, 2)] and f.K.item() == 1,
    restrict=_with_given_values,
)


def _is_increasing_and_positive(f: Any) -> bool:
    return int(f.map) < POSITIVE_MAPS or bool((f.a > 0).all())


positive_map = Assumption(
    "positive_map",
    "f > 0 and f' > 0 at the scores",
    satisfies=_is_increasing_and_positive,
    restrict=lambda f: f if int(f.map.flat[0]) < POSITIVE_MAPS else f.replace(a=_lifted(f.a)),
)


power_map = Assumption(
    "power_map",
    "f(x) = x^k on positive scores",
    satisfies=lambda f: int(f.map) >= POSITIVE_MAPS and bool((f.a > 0).all()),
    restrict=lambda f: f.replace(a=_lifted(f.a), map=POSITIVE_MAPS + f.map % (len(MAPS) - POSITIVE_MAPS)),
)


positive_map_on_the_line = Assumption(
    "positive_map_on_the_line",
    "f > 0 and f' > 0 on the whole line",
    satisfies=lambda f: int(f.map) < POSITIVE_MAPS,
    restrict=lambda f: f.replace(map=f.map % POSITIVE_MAPS),
)


def _positive_model(f: Any) -> Any:
    return f.replace(V=_lifted(f.V), beta_star=_lifted(f.beta_star))


positive_model = Assumption(
    "positive_model",
    "V and beta_* are positive in every entry",
    satisfies=lambda f: bool((f.V > 0).all() and (f.beta_star > 0).all()),
    restrict=_positive_model,
)


# ---------------------------------------------------------------------------------------------------------------------
# Rows of scores


def _with_rows(f: Any, least: int) -> Any:
    """The system with its tokens repeated until there are at least that many."""
    T = f.u.shape[-1]
    return f if least <= T else _chosen_tokens(f, np.arange(least) % T)


def _chosen_tokens(f: Any, chosen: Array) -> Any:
    return f.replace(u=f.u[..., chosen], A=f.A[..., chosen, :][..., chosen], visible=f.visible[chosen][:, chosen])


def _causal(f: Any) -> Array:
    return np.tril(np.ones_like(f.visible))


def _hide_first_token(f: Any) -> Any:
    visible = f.visible.copy()
    visible[-1, 0] = 0
    return f.replace(visible=visible)


two_rows = Assumption("two_rows", "T >= 2", satisfies=lambda f: len(f.visible) >= 2, restrict=lambda f: _with_rows(f, 2))


three_rows = Assumption(
    "three_rows", "T >= 3", satisfies=lambda f: len(f.visible) >= 3, restrict=lambda f: _with_rows(f, 3)
)


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


earlier_tokens_visible = Assumption(
    "earlier_tokens_visible",
    "a row that sees a token sees all earlier ones",
    satisfies=lambda f: bool((np.diff(f.visible, axis=-1) <= 0).all()),
    restrict=lambda f: f.replace(visible=np.maximum.accumulate(f.visible[:, ::-1], axis=-1)[:, ::-1]),
    violate=lambda f, draws: _hide_first_token(f),
)


def _last_row_on_itself(f: Any, draws: Draws) -> Any:
    A = f.A.copy()
    A[..., -1, -1] = A[..., -1, -1] + 3 + abs(draws.dyadic(size=3))
    return f.replace(A=A)


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


comonotone_rows = Assumption(
    "comonotone_rows",
    "u_0 > ... > u_{T-1} and A_i0 >= ... >= A_i,T-1 in every row",
    satisfies=lambda f: _is_descending(f.u, strictly=True) and all(_is_descending(row) for row in f.A),
    restrict=lambda f: f.replace(A=_descending(f.A), u=_strictly_descending(f.u)),
    violate=lambda f, draws: _swap_first_two(f, "u"),
)


def _below(values: Array, leader: int) -> Array:
    """Values mirrored at the one in place `leader`, so that none exceeds it."""
    top = values[..., leader : leader + 1]
    return np.asarray(top - abs(values - top))


def _second_leads_first(f: Any, draws: Draws) -> Any:
    u = f.u.copy()
    u[..., 1] = u[..., 0] + 1 + abs(draws.dyadic(size=2))
    return f.replace(u=u)


first_token_leads = Assumption(
    "first_token_leads",
    "u_0 >= u_j and A_i0 >= A_ij for all i, j",
    satisfies=lambda f: bool((f.u[:1] >= f.u).all() and (f.A[:, :1] >= f.A).all()),
    restrict=lambda f: f.replace(u=_below(f.u, 0), A=_below(f.A, 0)),
    violate=_second_leads_first,
)


def _raised(f: Any, token: int) -> Any:
    u = f.u.copy()
    u[..., token] = u[..., 1] + 4
    return f.replace(u=u)


second_value_leads = Assumption(
    "second_value_leads",
    "u_1 >= u_j for all j",
    satisfies=lambda f: bool((f.u[1:2] >= f.u).all()),
    restrict=lambda f: f.replace(u=_below(f.u, 1)),
    violate=lambda f, draws: _raised(f, 0 if f.u.shape[-1] == 2 else f.u.shape[-1] - 1),
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
    # Token 1 two ahead has a weight above 1/2 more than token 0 in each row, and there are at least two rows.
    restrict=lambda f: f.replace(A=_below(f.A, 1) + 2 * eye_like(f.A)[..., 1:2, :]),
    violate=lambda f, draws: f.replace(A=f.A - 8 * eye_like(f.A)[..., 1:2, :]),
)


only_two_rows = Assumption(
    "only_two_rows",
    "T = 2",
    satisfies=lambda f: len(f.visible) == 2,
    restrict=lambda f: _chosen_tokens(f, np.arange(2) % f.u.shape[-1]),
)


at_most_eight_rows = Assumption(
    "at_most_eight_rows",
    "T <= 8",
    satisfies=lambda f: len(f.visible) <= 8,
    restrict=lambda f: _chosen_tokens(f, np.arange(min(f.u.shape[-1], 8))),
)


tied_first_values = Assumption(
    "tied_first_values",
    "u_0 = u_1",
    satisfies=lambda f: len(f.u) >= 2 and bool(f.u[0] == f.u[1]),
    restrict=lambda f: f.replace(u=f.u + eye_like(f.A)[..., 0] * (f.u[..., 1:2] - f.u[..., :1])),
)


def _scaled_to(values: Array, bound: fmpq) -> Array:
    """Values divided by a common number so that none exceeds the bound."""
    size = bound if values.dtype == object else float(bound.p) / float(bound.q)
    return np.asarray(values * (size / (1 + abs(values).sum(axis=-1, keepdims=True))))


def small_values(bound: fmpq) -> Assumption:
    """|u_j| <= bound: a start whose fate is decided early."""
    return Assumption(
        "small_values",
        f"|u_j| <= {bound}",
        satisfies=lambda f: bool((abs(f.u) <= bound).all()),
        restrict=lambda f: f.replace(u=_scaled_to(f.u, bound)),
    )


values_an_eighth_apart = Assumption(
    "values_an_eighth_apart",
    "u_j - u_{j+1} >= 1/8",
    satisfies=lambda f: all(x - y >= fmpq(1, 8) for x, y in pairwise(f.u)),
    restrict=lambda f: f.replace(u=_descending(f.u) + 512 * _ramp(f.u)),
)


def _only_last_on_itself(f: Any) -> Array:
    last = np.zeros(f.visible.shape, dtype=bool)
    last[-1, -1] = True
    return np.asarray(indicator(last, f.A) + 0 * f.A)


last_row_on_itself = Assumption(
    "last_row_on_itself",
    "A(0) = 0 but for A_{T-1,T-1} = 5",
    satisfies=lambda f: bool((5 * _only_last_on_itself(f) == f.A).all()),
    restrict=lambda f: f.replace(A=5 * _only_last_on_itself(f)),
    violate=lambda f, draws: f.replace(A=0 * f.A),
)


square_values = Assumption(
    "square_values",
    "T = d",
    satisfies=lambda f: f.V.shape[-1] == f.V.shape[-2],
    restrict=lambda f: _square(f, min(f.V.shape[-2:])),
)


def _square(f: Any, k: int) -> Any:
    return f.replace(V=f.V[..., :k, :k], A=f.A[..., :k, :k], beta_star=f.beta_star[..., :k], visible=f.visible[:k, :k])


# ---------------------------------------------------------------------------------------------------------------------
# Polytopes of the attention chain


def certainly_at_most(x: Any, bound: Any) -> bool | None:
    """Whether x <= bound, at the working precision; None where x or bound is a ball that does not tell."""
    order = sign(bound - x)
    return None if order is None else order >= 0


def certainly_positive(x: Any) -> bool | None:
    """Whether x > 0, at the working precision; None where x is a ball that does not tell."""
    order = sign(x)
    return None if order is None else order == 1


def certainly_all(answers: Iterable[bool | None]) -> bool | None:
    """False where one answer is, else None where one is open, else True."""
    found = list(answers)
    return False if False in found else None if None in found else True


def _all_acute(f: Any) -> bool:
    scores = gram(f.v)
    scale = fmpq_mat(scores.tolist()).numer_denom()[1]
    whole = [int((entry * scale).p) for entry in scores.flat]
    small = max(map(abs, whole)) < 2**60  # sums of four stay within 64 bits: the same integers, faster
    scores = np.array(whole, dtype=np.int64 if small else object).reshape(scores.shape)
    for i in range(len(scores)):
        angles = scores - scores[i][:, None] - scores[i][None, :] + scores[i, i]
        others = np.arange(len(scores)) != i
        if not (angles[others][:, others] > 0).all():
            return False
    return True


acute_vertices = Assumption(
    "acute_vertices", "every angle of K at a vertex is acute", satisfies=_all_acute, label="hypothesis.polytope"
)


def _off_centre(f: Any, draws: Draws) -> Any:
    """K and the tokens, moved together a little along the first vertex, and the tokens a little nearer to their vertices.

    The move makes c_0 smaller, and with it every distance that is measured by c_0.
    """
    shift = f.v[0] / draws.choice((1024, 4096))
    own = f.v[f.group]
    return f.replace(v=f.v + shift, x=own + shift + (f.x - own) * fmpq(255, 256))


equal_norms = Assumption(
    "equal_norms",
    "|v_1| = ... = |v_kappa|",
    satisfies=lambda f: len({str(value) for value in (f.v * f.v).sum(axis=-1)}) == 1,
    violate=_off_centre,
    label="hypothesis.voronoi",
)

own_cells = Assumption(
    "own_cells", "<v_i, v_i> >= <v_i, v_l> + c_0 with c_0 > 0", satisfies=lambda f: f.c_0 > 0, label="bound.max"
)


def _first_token_at(f: Any, place: Array) -> Any:
    x = f.x.copy()
    x[0] = place
    return f.replace(x=x)


def _halfway(f: Any, draws: Draws) -> Any:
    """The first token halfway from its vertex to another one."""
    own = int(f.group[0])
    other = (own + 1) % len(f.v)
    return _first_token_at(f, (f.v[own] + f.v[other]) / 2)


def _beyond_its_vertex(f: Any, draws: Draws) -> Any:
    """The first token a little farther out than its vertex: outside K, since no other vertex is as far out."""
    vertex = f.v[int(f.group[0])]
    return _first_token_at(f, vertex * (1 + f.c_0 / (draws.choice((64, 512)) * (f.v * f.v).sum(axis=-1).max())))


def tube_radius_allowed(f: Any, size: Any, width: Any) -> bool | None:
    """Whether 4 size r + 2 r^2 <= c_0 / 2 for r = rho + width; None where 256 bits do not tell."""
    with working_precision(256):
        r = f.rho.item() + width
        return certainly_at_most(4 * size * r + 2 * r * r, f.c_0 / 2)


tokens_near_vertices = Assumption(
    "tokens_near_vertices",
    "every token is within r of its vertex, 4 R r + 2 r^2 <= c_0 / 2",
    satisfies=lambda f: tube_radius_allowed(f, f.R.item(), 0),
    violate=_halfway,
)

tokens_near_vertices_by_diameter = Assumption(
    "tokens_near_vertices_by_diameter",
    "every token is within r of its vertex, 4 D(K) r + 2 r^2 <= c_0 / 2",
    satisfies=lambda f: tube_radius_allowed(f, f.diameter.item(), 0),
    violate=_halfway,
)


def _wide_tube(f: Any, draws: Draws) -> Any:
    factor = draws.choice((4, 2))
    return f.replace(eps=f.eps * factor, gamma=f.gamma * factor)


narrow_tube = Assumption(
    "narrow_tube",
    "4 R r + 2 r^2 <= c_0 / 2 for r = rho + eps, rho the start's distance from the vertices (this makes eps_* explicit)",
    satisfies=lambda f: tube_radius_allowed(f, f.R.item(), f.eps.item()),
    violate=_wide_tube,
)

small_step = Assumption(
    "small_step",
    "eps / gamma >= 2 D(K)",
    satisfies=lambda f: certainly_at_most(2 * f.diameter.item(), f.eps.item() / f.gamma.item()),
    violate=lambda f, draws: f.replace(gamma=4 * f.gamma),
)


def _in_hull(f: Any) -> bool:
    return all(membership(token, f.v).inside for token in f.x)


tokens_in_polytope = Assumption("tokens_in_polytope", "x_i in K", satisfies=_in_hull, violate=_beyond_its_vertex)
