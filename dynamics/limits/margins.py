"""Strict inequalities in balls, and the few functions that the regions of flows are made of.

Nothing here proposes, and nothing has a tolerance: a margin is certainly positive or the state is not caught.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from typing import Any, TypeVar

import numpy as np
from flint import arb

from dynamics.arithmetic import Array, UndecidedError, elementwise, numbers, rational, sign
from dynamics.choices import SUITE

T = TypeVar("T")


class NotTrappedError(UndecidedError):
    """The state is not in the region: more bits do not help, a later time may."""

    precision_helps = False


class NoLemmaError(NotTrappedError):
    """The flow is not one that the lemma is about: neither more bits nor a later time helps."""


def about(flow: Any, *models: type) -> None:
    """Raise NoLemmaError unless the flow is one of these models: a subclass made elsewhere may move in any other way."""
    if not isinstance(flow, models) or not type(flow).__module__.startswith(SUITE):
        names = " and ".join(model.__name__ for model in models)
        raise NoLemmaError(f"{type(flow).__name__}: the lemma is about {names}")


def inside(margins: dict[str, Any]) -> None:
    """Nothing where all margins, numbers or arrays of them, are certainly positive.

    Raises NotTrappedError where one of them certainly is not, else UndecidedError where one is open.
    """
    # All signs before any is judged: that one margin is certainly not positive tells more than that another is open.
    signs = {name: [sign(margin) for margin in numbers(values).flat] for name, values in margins.items()}
    for name, found in signs.items():
        if any(value is not None and value <= 0 for value in found):
            raise NotTrappedError(f"not {name}")
    for name, found in signs.items():
        if None in found:
            raise UndecidedError(f"{name} is open")


def first_caught(candidates: Iterable[Callable[[], T]]) -> T:
    """What the first candidate that catches returns. Raises what tells most: an open one before one that does not catch."""
    failure: UndecidedError | None = None
    for candidate in candidates:
        try:
            return candidate()
        except UndecidedError as error:
            # Of an open margin more bits may tell, of one that failed nothing but a later time.
            if failure is None or (error.precision_helps and not failure.precision_helps):
                failure = error
    raise failure or NotTrappedError("there is nothing to lead")


def entries(values: Iterable[Any]) -> Array:
    """The values as an array of one axis, put in one by one: NumPy would take a power series for a list of numbers."""
    found = list(values)
    return numbers(np.fromiter(found, dtype=object, count=len(found)))


def greatest(values: Iterable[arb]) -> arb:
    """A ball that holds the largest of the numbers; 0 where there is none."""
    found = list(values)
    return reduce(lambda x, y: x.max(y), found) if found else arb(0)


def least(values: Iterable[arb]) -> arb:
    """A ball that holds the least of at least one number."""
    return reduce(lambda x, y: x.min(y), values)


def total(values: Iterable[arb]) -> arb:
    """The sum."""
    return sum(values, arb(0))


def dot(x: Iterable[Any], y: Iterable[Any]) -> arb:
    """<x, y>."""
    return total(a * b for a, b in zip(x, y, strict=True))


def root(x: arb) -> arb:
    """The root of a number that is known to be >= 0, of which a ball may hold negative ones too."""
    return x.sqrt() if x > 0 else arb(x.upper()).sqrt().union(arb(0))


def gap_constant(n: int) -> arb:
    """omega_n = W((n - 1) / e): softmax over n scores averages them to at least the largest less omega_n."""
    # Worst are n - 1 scores at one gap g below the largest, which lose (n - 1) g/(e^g + n - 1): most where g = 1 + omega.
    return ((arb(n) - 1) / arb(1).exp()).lambertw()


def integral_bound(x: arb) -> arb:
    """e^-x log(1 + 1/x), which is at least E_1(x) = int_x^infinity e^-s / s ds for x > 0."""
    return (-x).exp() * (1 / x).log1p()


def around(values: Array, distance: arb) -> Array:
    """Balls with all numbers within a distance, a ball >= 0, of the values."""
    reach = (-distance).union(distance)
    return numbers(values + numbers(reach))


def unit_rows(targets: list[int], n: int) -> Array:
    """Rows e_target, shape (len(targets), n), exact."""
    rows = np.zeros((len(targets), n), dtype=int)
    rows[np.arange(len(targets)), targets] = 1
    return elementwise(rational, rows.astype(object))
