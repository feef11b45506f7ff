"""Hypotheses of what the paper leaves open: two growing rates, a larger modulus, perceptrons, several heads."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq

from claims.assumptions import size
from claims.clusters.setting.notation import tokens_of
from claims.matrices import is_positive_definite
from claims.statement import Assumption, Draws
from dynamics.arithmetic import Array, indicator


def _positive(values: Array) -> Array:
    """Positive numbers unchanged, others replaced by their modulus plus 1/16."""
    small: Any = 2.0**-4 if values.dtype != object else fmpq(1, 16)
    return np.where(values > 0, values, abs(values) + small)


def _is_diagonal(V: Array) -> bool:
    return all(V[i, j] == 0 for i in range(len(V)) for j in range(len(V)) if i != j)


def _with_rates(f: Any, *rates: Array) -> Any:
    """V diagonal with these rates (..., 1, 1)."""
    axes = np.eye(len(rates), dtype=int)
    return f.replace(V=sum(rate * np.diag(axis) for rate, axis in zip(rates, axes, strict=True)))


different_growing_rates = Assumption(
    "different_growing_rates",
    "d = 2, V = diag(lambda_1, lambda_2) with lambda_1 > lambda_2 > 0",
    satisfies=lambda f: len(f.V) == 2 and _is_diagonal(f.V) and bool(f.V[0, 0] > f.V[1, 1] > 0),
    restrict=lambda f: _with_rates(
        f, _positive(f.V[..., :1, :1]) + _positive(f.V[..., 1:2, 1:2]), _positive(f.V[..., 1:2, 1:2])
    ),
)

simple_growing_rate = Assumption(
    "simple_growing_rate",
    "V is diagonal, lambda_1 > 0 and lambda_1 > lambda_k for all others, |lambda_k| of any size",
    satisfies=lambda f: (
        _is_diagonal(f.V) and bool(f.V[0, 0] > 0) and all(f.V[0, 0] > f.V[k, k] for k in range(1, len(f.V)))
    ),
)

positive_first_self_score = Assumption(
    "positive_first_self_score",
    "<Q phi_1, K phi_1> = B_11 > 0",
    satisfies=lambda f: bool(f.B[0, 0] > 0),
)


def _diagonal_part(M: Array) -> Array:
    return np.asarray(M * np.eye(M.shape[-1], dtype=int))


nonnegative_perceptron = Assumption(
    "nonnegative_perceptron",
    "V and W are diagonal, their entries >= 0",
    satisfies=lambda f: _is_diagonal(f.V) and _is_diagonal(f.W) and bool((f.V >= 0).all() and (f.W >= 0).all()),
    restrict=lambda f: f.replace(V=abs(_diagonal_part(f.V)), W=abs(_diagonal_part(f.W))),
    violate=lambda f, draws: f.replace(W=-f.W - indicator(np.eye(len(f.W), dtype=bool), f.W)),
)


def _unit_output(f: Any) -> Any:
    return f.replace(W=0 * f.W + indicator(np.eye(f.W.shape[-1], dtype=bool), f.W))


identity_output = Assumption(
    "identity_output",
    "W = I",
    satisfies=lambda f: bool((indicator(np.eye(len(f.W), dtype=bool), f.W) == f.W).all()),
    restrict=_unit_output,
)


def _second_value_turned(f: Any, draws: Draws) -> Any:
    V = f.V.copy()
    V[-1] = -2 * V[-1]
    return f.replace(V=V)


positive_heads = Assumption(
    "positive_heads",
    "d = 1, V_h > 0 and Q_h^T K_h > 0 for every head, dt > 0",
    satisfies=lambda f: f.x.shape[-1] == 1 and bool((f.V > 0).all() and (f.B > 0).all() and f.dt > 0),
    restrict=lambda f: f.replace(
        x=f.x[..., :1], V=_positive(f.V[..., :1, :1]), B=_positive(f.B[..., :1, :1]), dt=_positive(f.dt)
    ),
    violate=_second_value_turned,
)


def _is_turning(V: Array) -> bool:
    return V.shape == (2, 2) and bool(V[0, 0] == V[1, 1] == 1 and V[0, 1] == -V[1, 0])


definite_symmetric_part = Assumption(
    "definite_symmetric_part",
    "Q^T K and its transpose have a positive definite sum",
    satisfies=lambda f: is_positive_definite(f.B + f.B.swapaxes(-1, -2)),
)


turning_value = Assumption(
    "turning_value",
    "d = 2, V = I + omega J, J the rotation by a right angle",
    satisfies=lambda f: _is_turning(f.V),
)


def _pair_of_tokens(f: Any) -> Any:
    x = tokens_of(f)
    pair = x[..., :2, :] if x.shape[-2] > 1 else np.concatenate([x, 0 * x], axis=-2)
    return f.replace(**{"z" if "z" in f.fields() else "x": pair})


def _third_token(f: Any, draws: Draws) -> Any:
    x = tokens_of(f)
    return f.replace(
        **{"z" if "z" in f.fields() else "x": np.concatenate([x, draws.dyadic(1, x.shape[-1], size=2)], axis=-2)}
    )


pair_of_tokens = size("pair_of_tokens", "n", 2, 2, restrict=_pair_of_tokens, violate=_third_token)

falling_second_rate = Assumption(
    "falling_second_rate",
    "d = 2, V = diag(lambda, -mu) with lambda, mu > 0",
    satisfies=lambda f: len(f.V) == 2 and _is_diagonal(f.V) and bool(f.V[0, 0] > 0 > f.V[1, 1]),
)

CURVE = fmpq(513, 1000)
"""A little more than the largest |x_1| found for a bounded first token of two."""


def _before_the_curve(f: Any, draws: Draws) -> Any:
    x = f.x.copy()
    x[0, 0], x[1, 0] = -fmpq(512, 1000), fmpq(13, 10)
    return f.replace(x=x)


beyond_the_curve = Assumption(
    "beyond_the_curve",
    "n = 2, d = 1, x_1 <= -513/1000 and x_2 > 0",
    satisfies=lambda f: f.x.shape == (2, 1) and bool(f.x[0, 0] <= -CURVE and f.x[1, 0] > 0),
    violate=_before_the_curve,
)

half_value_beside_the_plane = Assumption(
    "half_value_beside_the_plane",
    "V = diag(1, 1, 1/2)",
    satisfies=lambda f: _is_diagonal(f.V) and [2 * f.V[k, k] for k in range(len(f.V))] == [2, 2, 1],
)
