"""What claims assume of matrices, decided on rationals, and how they meet it: symmetry, definiteness, invertibility."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from claims.stating.statement import Draws
from dynamics.arithmetic import Array, determinant, indicator, transposed


def eye_like(A: Array) -> Array:
    """The identity in the arithmetic and the shape (..., d, d) of A."""
    return np.broadcast_to(indicator(np.eye(A.shape[-1], dtype=bool), A), A.shape)


def is_symmetric(A: Array) -> bool:
    """Whether A = A^T for a matrix (d, d)."""
    return bool((A == A.T).all())


def is_invertible(A: Array) -> bool:
    """Whether a rational matrix (d, d) has an inverse."""
    return bool(determinant(A) != 0)


def is_positive_definite(A: Array) -> bool:
    """Sylvester's criterion on a rational matrix (d, d): it is symmetric, and every leading minor is positive."""
    return is_symmetric(A) and all(_minor(A, range(k)) > 0 for k in range(1, len(A) + 1))


# All principal minors, not the leading ones alone: diag(0, -1) has leading minors 0 and 0.
def is_positive_semidefinite(A: Array) -> bool:
    """Whether a rational matrix (d, d) is symmetric with no principal minor below zero."""
    sets = (rows for size in range(1, len(A) + 1) for rows in combinations(range(len(A)), size))
    return is_symmetric(A) and all(_minor(A, rows) >= 0 for rows in sets)


def _minor(A: Array, rows: range | tuple[int, ...]) -> Any:
    return determinant(A[np.ix_(rows, rows)])


def squared(A: Array) -> Array:
    """A A^T: symmetric positive semidefinite, whatever A."""
    return np.asarray(A @ transposed(A))


# I/16 is exact in binary: the same matrix in float64 as in rationals.
def definite(A: Array) -> Array:
    """A A^T + I/16: symmetric positive definite, whatever A."""
    return np.asarray(squared(A) + eye_like(A) / 16)


# <Mx, x> = |A^T x|^2 + |x|^2/16: the skew part A - A^T adds nothing to it, so that no x != 0 is sent to 0.
def invertible(A: Array) -> Array:
    """A A^T + I/16 + A - A^T: a matrix M with <Mx, x> > 0 for x != 0, whatever A."""
    return np.asarray(definite(A) + A - transposed(A))


def turning(A: Array, by: object = 1) -> Array:
    """The skew matrix (d, d), d > 1, that turns the first axis to the last, times a number; 0 for d = 1."""
    d = A.shape[-1]
    corner = indicator(np.eye(d, k=d - 1, dtype=bool), A)
    return np.asarray((corner - corner.T) * by)


# 1 + |r| and not r: a draw of 0 would leave A as it is, and the hypothesis met.
def asymmetric(A: Array, draws: Draws) -> Array:
    """A with a skew matrix of a size of at least 1 added to it."""
    return np.asarray(A + turning(A, 1 + abs(draws.dyadic(size=4))))
