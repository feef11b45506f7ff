"""Gaussian vertices, for the softmax step of the mean-field part."""

from typing import Any

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.softmax_steps import dyadic
from claims.stating.statement import Assumption
from dynamics.arithmetic import Array, indicator, numbers
from dynamics.tokens.hardmax import HardmaxStep


def spectrum(f: HardmaxStep) -> Array:
    """The diagonal of B, shape (..., d): its eigenvalues where it is diagonal."""
    d = f.B.shape[-1]
    return numbers(f.B[..., range(d), range(d)])


def _diagonal(f: Any, entries: Array) -> Any:
    return f.replace(B=entries[..., None] * indicator(np.eye(f.B.shape[-1], dtype=bool), f.B))


def _is_positive_diagonal(f: Any) -> bool:
    off = ~np.eye(len(f.B), dtype=bool)
    return bool((f.B[off] == 0).all() and (spectrum(f) > 0).all())


positive_diagonal_key_query = Assumption(
    "positive_diagonal_key_query",
    "B is diagonal and positive definite; a rotation of N(0, I) makes any B > 0 so",
    satisfies=_is_positive_diagonal,
    restrict=lambda f: _diagonal(f, abs(spectrum(f)) + indicator(spectrum(f) == 0, f.B)),
    violate=lambda f, draws: _diagonal(f, spectrum(f) * (1 - 2 * indicator(np.arange(len(f.B)) == 0, f.B))),
)


# x = <Bv, v>/|Bv| is about |v|. Factors from 16 to 1/8192 bring it to both sides of 2, where one bound of Q takes over from
# the other, and next to 0.
def gaussian_vertices(draws: Any) -> HardmaxStep:
    """A few vertices of moderate size in an even dimension, some also far out or near 0, and a diagonal B."""
    kappa, d = draws.choice((2, 3, 5)), 2 * draws.choice((1, 2, 5, 10, 3))
    x = dyadic(draws, kappa, d, size=1 if d > 10 else 2, bits=3)
    x[0] = x[0] * (1, 4, 16, fmpq(1, 64), fmpq(1, 8192))[draws.integer(0, 4)]
    eigenvalues = abs(dyadic(draws, d, size=2, bits=3)) + fmpq(1, 8)
    return HardmaxStep.instance(x=x, B=eigenvalues * np.eye(d, dtype=int))


def vertices_of_any_dimension(draws: Any) -> HardmaxStep:
    """Two or three vertices in up to two hundred dimensions, odd ones included, the last almost the first or anywhere."""
    d = draws.integer(1, 40) * (1, 1, 5)[draws.integer(0, 2)]
    x = dyadic(draws, draws.choice((2, 3)), d, size=2, bits=3)
    if (near := (0, 64, 8192)[draws.integer(0, 2)]) > 0:
        x[-1] = x[0] + x[0] / near
    return HardmaxStep.instance(x=x)
