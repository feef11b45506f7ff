"""Hypotheses that the papers share: each can be met by construction, decided exactly, and broken alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from flint import fmpq

from claims.stating.matrices import (
    asymmetric,
    definite,
    eye_like,
    is_positive_definite,
    is_positive_semidefinite,
    is_symmetric,
    squared,
)
from claims.stating.statement import Assumption, Draws
from dynamics.arithmetic import Array, indicator, sign


def _is_identity(matrix: Array) -> bool:
    return bool((matrix == eye_like(matrix)).all())


def _anything_but(name: str, is_met: Callable[[Array], bool]) -> Callable[[Any, Draws], Any]:
    """A violation that draws the matrix `name` freely; if the draw meets the assumption, twice it plus a corner entry."""

    def violate(system: Any, draws: Draws) -> Any:
        d = getattr(system, name).shape[-1]
        matrix = draws.dyadic(d, d, size=2)
        if is_met(matrix):
            # Twice, and one entry more: no multiple of the identity, not symmetric, and for d = 1 another number.
            matrix = 2 * matrix + indicator(np.eye(d, k=d - 1, dtype=bool), matrix)
        return system.replace(**{name: matrix})

    return violate


# ---------------------------------------------------------------------------------------------------------------------
# Sizes


def length(f: Any, axis: str) -> int:
    """How long an axis of a system is, such as "n" or "d"; of scores, whatever their axis is called, where it is "p"."""
    if axis == "p":
        return int(f.a.shape[-1])
    field, name = next((field, name) for name, field in f.fields().items() if axis in field.axes)
    return int(getattr(f, name).shape[field.axes.index(axis) - len(field.axes)])


def first_along(f: Any, axis: str, most: int) -> Any:
    """The system with the first `most` places along an axis, in all of its arrays."""
    cut: dict[str, Array] = {}
    for name, field in f.fields().items():
        where = tuple(slice(most if one == axis else None) for one in field.axes)
        cut |= {name: getattr(f, name)[(..., *where)]} if axis in field.axes else {}
    return f.replace(**cut)


def with_entries(f: Any, name: str, place: Any, value: Any) -> Any:
    """The system with other entries at an index of one of its arrays."""
    array = getattr(f, name).copy()
    array[place] = value
    return f.replace(**{name: array})


def size(name: str, axis: str, least: int = 1, most: int | None = None, **made: Any) -> Assumption:
    """That an axis has a length, at least one or at most one: "d = 1", "n >= 2", "n <= 3".

    What is longer is cut; where it may be too short as well, `restrict` is given.
    """
    if most is None:
        return Assumption(name, f"{axis} >= {least}", satisfies=lambda f: length(f, axis) >= least, **made)
    words = f"{axis} {'=' if least == most else '<='} {most}"
    cut = {"restrict": lambda f: first_along(f, axis, most)}
    return Assumption(name, words, satisfies=lambda f: least <= length(f, axis) <= most, **(cut | made))


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

semidefinite_scores = Assumption(
    "semidefinite_scores",
    "B is symmetric positive semidefinite",
    satisfies=lambda f: is_positive_semidefinite(f.B),
    restrict=lambda f: f.replace(B=squared(f.B)),
    # Minus B may be 0, which meets the hypothesis; less the identity it is negative definite.
    violate=lambda f, draws: f.replace(B=-f.B - eye_like(f.B)),
)

step_size_at_most_one = Assumption(
    "step_size_at_most_one",
    "0 <= gamma <= 1",
    satisfies=lambda f: 0 <= f.gamma.item() <= 1,
    # On both sides of what is allowed, the plainest first: choices shrink towards it.
    violate=lambda f, draws: f.replace(gamma=draws.choice((fmpq(3, 2), fmpq(-1), fmpq(2)))),
)


# ---------------------------------------------------------------------------------------------------------------------
# Polytopes of the attention chain


def certainly_at_most(x: Any, bound: Any) -> bool | None:
    """Whether x <= bound, at the working precision; None where the balls do not decide it."""
    order = sign(bound - x)
    return None if order is None else order >= 0


def certainly_positive(x: Any) -> bool | None:
    """Whether x > 0, at the working precision; None where the ball does not decide it."""
    order = sign(x)
    return None if order is None else order == 1


# False before None: one hypothesis that is broken for certain decides, however open the others are.
def certainly_all(answers: Iterable[bool | None]) -> bool | None:
    """False where one answer is, else None where one is open, else True."""
    found = list(answers)
    return False if False in found else None if None in found else True
