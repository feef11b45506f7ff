"""Step sizes of one hardmax step: a number, a diagonal, or what averages the leaders."""

from typing import Any

import numpy as np

from claims.stating.matrices import eye_like
from claims.stating.statement import Assumption, Draws
from dynamics.arithmetic import Array, exact, indicator


# (1 + s)/(2 + s) is in [1/2, 1) and grows with s, so that different steps stay different.
def into_the_unit_interval(gamma: Array, inside: Array) -> Array:
    """The step sizes, and (1 + |gamma|) / (2 + |gamma|) for those that are not inside."""
    size = abs(gamma)
    return np.where(inside, gamma, (1 + size) / (2 + size))


def _is_scalar_step(f: Any) -> bool:
    gamma = f.P[0, 0]
    return bool((gamma * eye_like(f.P) == f.P).all()) and 0 <= gamma <= 1


def _scalar_step(f: Any) -> Any:
    # A step beyond 1 becomes its reciprocal, so that different ones stay different.
    size = abs(f.P[..., :1, :1])
    return f.replace(P=np.where(size <= 1, size, 1 / (size + indicator(size == 0, size))) * eye_like(f.P))


def _diagonal_step(f: Any, draws: Draws) -> Any:
    d = f.P.shape[-1]
    rates = abs(draws.dyadic(d, size=1, bits=3))
    if d == 1 or bool((rates == rates[0]).all()):
        rates = rates + exact(np.arange(d) + (d == 1))  # a single number breaks it by its size alone
    return f.replace(P=rates * eye_like(f.P))


scalar_step = Assumption(
    "scalar_step",
    "P = gamma I with 0 <= gamma <= 1",
    satisfies=_is_scalar_step,
    restrict=_scalar_step,
    violate=_diagonal_step,
)

averaged_leaders = Assumption(
    "averaged_leaders",
    "ties are averaged: all weights are 1",
    satisfies=lambda f: bool((f.selection == 1).all()),
    restrict=lambda f: f.replace(selection=0 * f.selection + 1),
    # Another 1 for the last token, or else the drawn weights might all be 0 and the selection stay as it is.
    violate=lambda f, draws: f.replace(
        selection=f.selection + abs(draws.dyadic(*f.selection.shape)) + eye_like(f.selection)[..., -1:, :]
    ),
)
