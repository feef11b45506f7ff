"""Hypotheses of the clusters paper that other papers do not share, about tokens x or z and the matrices B and V."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq

from claims.clusters.setting.notation import tokens_of
from claims.matrices import (
    definite,
    eye_like,
    invertible,
    is_invertible,
    is_positive_definite,
    is_positive_semidefinite,
    is_symmetric,
    squared,
    turning,
)
from claims.statement import Assumption, Draws
from dynamics.arithmetic import Array, indicator, inverse, transposed


def _with_tokens(f: Any, x: Array) -> Any:
    return f.replace(**{"z" if "z" in f.fields() else "x": x})


def _small(like: Array) -> Any:
    return 2.0**-12 if like.dtype != object else fmpq(1, 1 << 12)


# ---------------------------------------------------------------------------------------------------------------------
# Tokens


def _first_coordinates(f: Any) -> Any:
    return _with_tokens(f, tokens_of(f)[..., :1]).replace(B=f.B[..., :1, :1], V=f.V[..., :1, :1])


def _with_a_plane(f: Any, draws: Draws) -> Any:
    x = tokens_of(f)
    plane = np.concatenate([x[..., :1], draws.dyadic(len(x), 1, size=2)], axis=-1)
    eye = indicator(np.eye(2, dtype=bool), x)
    return _with_tokens(f, plane).replace(B=f.B[0, 0] * eye, V=f.V[0, 0] * eye)


on_the_line = Assumption(
    "on_the_line",
    "d = 1",
    satisfies=lambda f: tokens_of(f).shape[-1] == 1,
    restrict=_first_coordinates,
    violate=_with_a_plane,
)


def _with_first(x: Array, first: Array) -> Array:
    return np.asarray(np.concatenate([first[..., None], x[..., 1:]], axis=-1))


def _ascending(x: Array) -> Array:
    """The tokens with their first coordinates sorted, then moved apart by 2^-12."""
    steps = np.arange(x.shape[-2]).astype(x.dtype) * _small(x)
    return _with_first(x, np.asarray(np.sort(x[..., 0], axis=-1) + steps))


def _first_two_swapped(f: Any, draws: Draws) -> Any:
    x = tokens_of(f).copy()
    if len(x) > 1:
        x[[0, 1]] = x[[1, 0]]
    return _with_tokens(f, x)


ordered_tokens = Assumption(
    "ordered_tokens",
    "x_1 < ... < x_n in the first coordinate",
    satisfies=lambda f: all(a < b for a, b in pairwise(tokens_of(f)[:, 0])),
    restrict=lambda f: _with_tokens(f, _ascending(tokens_of(f))),
    violate=_first_two_swapped,
)

nonnegative_tokens = Assumption(
    "nonnegative_tokens",
    "x_i >= 0 for every i, in the first coordinate",
    satisfies=lambda f: bool((tokens_of(f)[:, 0] >= 0).all()),
    restrict=lambda f: _with_tokens(f, _with_first(tokens_of(f), abs(tokens_of(f)[..., 0]))),
    violate=lambda f, draws: _with_tokens(
        f, tokens_of(f) - tokens_of(f)[:, :1].max() / draws.choice((2, 1)) - fmpq(1, 1 << 12)
    ),
)


def _are_distinct(x: Array) -> bool:
    i, j = np.triu_indices(len(x), 1)
    return bool((x[i] != x[j]).any(axis=-1).all())


def _last_on_first(f: Any, draws: Draws) -> Any:
    x = tokens_of(f).copy()
    x[-1] = x[0]
    return _with_tokens(f, x)


distinct_tokens = Assumption(
    "distinct_tokens",
    "x_i != x_j for i != j",
    satisfies=lambda f: _are_distinct(tokens_of(f)),
    restrict=lambda f: _with_tokens(f, _ascending(tokens_of(f))),
    violate=_last_on_first,
)

some_token = Assumption(
    "some_token",
    "the tokens are not all 0",
    satisfies=lambda f: bool((tokens_of(f) != 0).any()),
    restrict=lambda f: _with_tokens(
        f, tokens_of(f) + indicator((tokens_of(f) == 0).all(axis=(-2, -1)), tokens_of(f))[..., None, None]
    ),
    violate=lambda f, draws: _with_tokens(f, 0 * tokens_of(f)),
)

# ---------------------------------------------------------------------------------------------------------------------
# Values


definite_value = Assumption(
    "definite_value",
    "V is symmetric positive definite",
    satisfies=lambda f: is_positive_definite(f.V),
    restrict=lambda f: f.replace(V=definite(f.V)),
    violate=lambda f, draws: f.replace(V=-f.V),
)

invertible_value = Assumption(
    "invertible_value",
    "V is invertible",
    satisfies=lambda f: is_invertible(f.V),
    restrict=lambda f: f.replace(V=invertible(f.V)),
    violate=lambda f, draws: f.replace(V=f.V - f.V[..., :1] * indicator(np.arange(len(f.V)) == 0, f.V)),
)


def _is_minus_identity(V: Array) -> bool:
    return bool((-eye_like(V) == V).all())


def _not_minus_identity(f: Any, draws: Draws) -> Any:
    V = draws.dyadic(*f.V.shape, size=2)
    return f.replace(V=eye_like(V) if _is_minus_identity(V) else V)


minus_identity_value = Assumption(
    "minus_identity_value",
    "V = -I",
    satisfies=lambda f: _is_minus_identity(f.V),
    restrict=lambda f: f.replace(V=-eye_like(f.V)),
    violate=_not_minus_identity,
)


def _first(V: Array) -> Array:
    return indicator(np.arange(V.shape[-1]) == 0, V)


def _other_entries(V: Array) -> Array:
    """V without what V_1j, j > 1, add to the rate of the first coordinate."""
    first = _first(V)
    return np.asarray(V * (1 - first[:, None] * (1 - first)))


def _mixed_in(f: Any, draws: Draws) -> Any:
    first = _first(f.V)
    return f.replace(V=f.V + (1 + abs(draws.dyadic(size=2))) * first[:, None] * (1 - first))


first_coordinate_is_eigen = Assumption(
    "first_coordinate_is_eigen",
    "phi is the first coordinate: V_1j = 0 for j > 1",
    satisfies=lambda f: bool((f.V[0, 1:] == 0).all()),
    restrict=lambda f: f.replace(V=_other_entries(f.V)),
    violate=_mixed_in,
)


def _corner(V: Array) -> Array:
    first = _first(V)
    return np.asarray(first[:, None] * first)


def _with_rate(f: Any, rate: Array) -> Any:
    return f.replace(V=f.V + (rate - f.V[..., :1, :1]) * _corner(f.V))


nonnegative_eigenvalue = Assumption(
    "nonnegative_eigenvalue",
    "lambda = V_11 >= 0",
    satisfies=lambda f: bool(f.V[0, 0] >= 0),
    restrict=lambda f: _with_rate(f, abs(f.V[..., :1, :1])),
    violate=lambda f, draws: _with_rate(f, -abs(f.V[:1, :1]) - fmpq(1, 4)),
)

positive_eigenvalue = Assumption(
    "positive_eigenvalue",
    "lambda = V_11 > 0",
    satisfies=lambda f: bool(f.V[0, 0] > 0),
    restrict=lambda f: _with_rate(f, abs(f.V[..., :1, :1]) + 256 * _small(f.V)),
    violate=lambda f, draws: _with_rate(f, -abs(f.V[:1, :1]) - fmpq(1, 4)),
)

diagonal_value = Assumption(
    "diagonal_value",
    "V is diagonal: coordinates are those of an eigenbasis",
    satisfies=lambda f: bool((f.V * eye_like(f.V) == f.V).all()),
    restrict=lambda f: f.replace(V=f.V * eye_like(f.V)),
    violate=lambda f, draws: f.replace(
        V=f.V + (1 + abs(draws.dyadic(size=2))) * indicator(np.eye(len(f.V), k=1, dtype=bool), f.V)
    ),
)


def _with_diagonal(f: Any, values: Array) -> Any:
    eye = eye_like(f.V)
    return f.replace(V=f.V * (1 - eye) + values * eye)


nonnegative_rates = Assumption(
    "nonnegative_rates",
    "V_kk >= 0",
    satisfies=lambda f: bool((f.V.diagonal() >= 0).all()),
    restrict=lambda f: _with_diagonal(f, abs(f.V)),
    violate=lambda f, draws: _with_diagonal(f, -abs(f.V) - fmpq(1, 4)),
)


def _block(V: Array, k: int) -> tuple[Array, Array]:
    """The masks of F x F and of G x G for F of the first k coordinates, as numbers (d, d)."""
    of_F = indicator(np.arange(V.shape[-1]) < k, V)
    return of_F[:, None] * of_F, (1 - of_F)[:, None] * (1 - of_F)


def _is_block(f: Any) -> bool:
    F, G = _block(f.V, int(f.k))
    rate = f.V[0, 0]
    return bool((rate * F * eye_like(f.V) == f.V * (1 - G)).all() and rate > 0)


def _blocks(f: Any) -> Any:
    F, G = _block(f.V, int(f.k))
    rate = abs(f.V[..., :1, :1]) + 256 * _small(f.V)
    return f.replace(V=f.V * G + rate * F * eye_like(f.V))


def _mixed_blocks(f: Any, draws: Draws) -> Any:
    F, G = _block(f.V, int(f.k))
    rate = 1 + abs(draws.dyadic(size=2))
    return f.replace(V=f.V + rate * ((1 - F) * (1 - G) if int(f.k) < len(f.V) else -3 * f.V))


block_value = Assumption(
    "block_value",
    "V maps F and G to themselves and is lambda I on F, lambda > 0",
    satisfies=_is_block,
    restrict=_blocks,
    violate=_mixed_blocks,
)


def _dissipates(f: Any) -> bool:
    gained = f.B @ f.V
    return is_positive_semidefinite(-gained - gained.T)


def _dissipating(f: Any) -> Any:
    loss = definite(f.V) + f.V - transposed(f.V)
    return f.replace(V=-inverse(f.B) @ loss)


dissipative_value = Assumption(
    "dissipative_value",
    "<BVy, y> <= 0 for every y",
    satisfies=_dissipates,
    restrict=_dissipating,
    violate=lambda f, draws: f.replace(V=eye_like(f.V) - f.V),
)


# ---------------------------------------------------------------------------------------------------------------------
# Scores


def _is_symmetric_up_to_values(f: Any) -> bool:
    return is_invertible(f.V) and is_symmetric(f.B @ inverse(f.V))


def _turned_scores(f: Any, draws: Draws) -> Any:
    turn = turning(f.V, 1 + abs(draws.dyadic(size=2)))
    return f.replace(B=f.B + turn @ f.V)


symmetric_up_to_values = Assumption(
    "symmetric_up_to_values",
    "B = M V with M symmetric and V invertible",
    satisfies=_is_symmetric_up_to_values,
    restrict=lambda f: f.replace(V=invertible(f.V), B=(f.B + transposed(f.B)) @ invertible(f.V)),
    violate=_turned_scores,
)

positive_first_score = Assumption(
    "positive_first_score",
    "c = B_11 > 0",
    satisfies=lambda f: bool(f.B[0, 0] > 0),
    restrict=lambda f: f.replace(B=f.B + (abs(f.B[..., :1, :1]) + 256 * _small(f.B) - f.B[..., :1, :1]) * _corner(f.B)),
    violate=lambda f, draws: f.replace(B=f.B - (2 * f.B[0, 0] + fmpq(1, 4)) * _corner(f.B)),
)

# ---------------------------------------------------------------------------------------------------------------------
# Steps


positive_step = Assumption(
    "positive_step",
    "dt > 0",
    satisfies=lambda f: bool(f.dt.item() > 0),
    restrict=lambda f: f.replace(dt=abs(f.dt) + 256 * _small(f.V)),
    violate=lambda f, draws: f.replace(dt=-fmpq(draws.choice((1, 1, 3)), draws.choice((2, 4)))),
)


def _growth(f: Any) -> Array:
    return np.asarray(eye_like(f.V) + f.dt[..., None, None] * f.V)


invertible_growth = Assumption(
    "invertible_growth",
    "R = I + dt V is invertible",
    satisfies=lambda f: is_invertible(_growth(f)),
    # With dt > 0 no eigenvalue of a matrix A A^T + ... is below 0.
    restrict=lambda f: f.replace(V=squared(f.V) + f.V - transposed(f.V)),
    violate=lambda f, draws: f.replace(V=-eye_like(f.V) / f.dt.item()),
)
