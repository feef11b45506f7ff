"""Matrices of a given kind, built from draws in exact or float64 arithmetic: nothing is filtered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from claims.instances.numbers import draw_positive, last_bit
from claims.stating.matrices import eye_like, invertible, squared
from dynamics.arithmetic import Array, indicator, inverse, numbers, transposed


def _any(draws: Any, d: int) -> Array:
    return numbers(draws.dyadic(d, d, size=2))


def _symmetric(draws: Any, d: int) -> Array:
    A = _any(draws, d)
    return numbers(A + transposed(A))


def _skew(draws: Any, d: int) -> Array:
    A = _any(draws, d)
    return numbers(A - transposed(A))


def _semidefinite(draws: Any, d: int) -> Array:
    # Few bits, since those of a square are twice as many, and exact steps multiply them.
    return squared(numbers(draws.dyadic(d, d, size=2, bits=1)))


def _definite(draws: Any, d: int) -> Array:
    A = _semidefinite(draws, d)
    return numbers(A + draw_positive(draws, size=1, bits=2)[..., None, None] * eye_like(A))


def _invertible(draws: Any, d: int) -> Array:
    return invertible(_any(draws, d))


def _orthogonal(draws: Any, d: int) -> Array:
    # Cayley's map of a skew matrix S: I + S is never singular.
    A = numbers(draws.dyadic(d, d, size=2, bits=0))
    S = A - transposed(A)
    return numbers((eye_like(S) - S) @ inverse(eye_like(S) + S))


def _diagonal(values: Array) -> Array:
    return numbers(values[..., None] * indicator(np.eye(values.shape[-1], dtype=bool), values))


def _normal(draws: Any, d: int) -> Array:
    """Q D Q^T with Q orthogonal and D made of eigenvalues, two of them complex now and then."""
    Q, values = _orthogonal(draws, d), numbers(draws.dyadic(d, size=2, bits=1))
    D = _diagonal(values)
    if d > 1 and draws.integer(0, 1):
        corner = indicator(np.eye(d, k=1, dtype=bool) & (np.arange(d) == 0)[:, None], D)
        turn = numbers(draws.dyadic(size=2, bits=1))[..., None, None]
        same = indicator(np.arange(d) == 1, values) * (values[..., :1] - values)
        D = _diagonal(values + same) + turn * (corner - transposed(corner))
    return numbers(Q @ D @ transposed(Q))


def _leading(draws: Any, d: int) -> Array:
    """S D S^-1 with real eigenvalues, of which the first is positive and exceeds the size of every other."""
    values = numbers(draws.dyadic(d, size=1, bits=2))
    first = numbers(abs(values).sum(axis=-1) + last_bit(draws, 2))[..., None]
    place = indicator(np.arange(d) == 0, values)
    S = invertible(numbers(draws.dyadic(d, d, size=1, bits=0)))
    return numbers(S @ _diagonal(place * first + (1 - place) * values) @ inverse(S))


MATRICES: dict[str, Callable[[Any, int], Array]] = {
    "any": _any,
    "symmetric": _symmetric,
    "skew": _skew,
    "semidefinite": _semidefinite,
    "definite": _definite,
    "invertible": _invertible,
    "orthogonal": _orthogonal,
    "normal": _normal,
    "one positive leading eigenvalue": _leading,
}
"""Constructions of matrices (d, d) by what they are."""
