"""Floats that remember how large the terms were that they were last summed from.

A slack runs to zero where everything shrinks, which says nothing. The slack over the size of its terms does not: it is
-1 to 1, the same in every unit, and as near to zero as the inequality is to an equality. Formulas run on these numbers as
they run on balls, one instance at a time. Only the last sum counts: that of (x - y)(u - v) + w has the terms
(x - y)(u - v) and w, however near x is to y.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from flint import fmpq

from claims.statement import Conclusion
from dynamics.arithmetic import Array, numbers
from dynamics.system import System


class Terms(float):
    """A float with the size of the terms it was summed from, at least its absolute value."""

    __slots__ = ("is_sum", "size")

    size: float
    is_sum: bool

    def _part(self) -> float:
        return self.size if self.is_sum else abs(float(self))

    def __add__(self, other: Any) -> Any:
        x = _terms(other)
        return NotImplemented if x is None else _made(float(self) + float(x), self._part() + x._part(), True)

    def __sub__(self, other: Any) -> Any:
        x = _terms(other)
        return NotImplemented if x is None else _made(float(self) - float(x), self._part() + x._part(), True)

    def __rsub__(self, other: Any) -> Any:
        x = _terms(other)
        return NotImplemented if x is None else _made(float(x) - float(self), self._part() + x._part(), True)

    def __mul__(self, other: Any) -> Any:
        x = _terms(other)
        return NotImplemented if x is None else _made(float(self) * float(x), self.size * x.size, False)

    def __truediv__(self, other: Any) -> Any:
        x = _terms(other)
        return NotImplemented if x is None else _quotient(self, x)

    def __rtruediv__(self, other: Any) -> Any:
        x = _terms(other)
        return NotImplemented if x is None else _quotient(x, self)

    def __neg__(self) -> Terms:
        return _made(-float(self), self.size, self.is_sum)

    def __abs__(self) -> Terms:
        return _made(abs(float(self)), self.size, self.is_sum)

    def __pow__(self, exponent: Any, modulus: None = None) -> Terms:
        return _made(float(self) ** float(exponent), self.size ** float(exponent), False)

    __radd__ = __add__
    __rmul__ = __mul__

    def exp(self) -> Terms:
        """The exponential; it has no terms of its own."""
        return _single(math.exp(float(self)) if self < 700 else math.inf)

    def log(self) -> Terms:
        """The logarithm: beside 1, so that a logarithm near zero is small."""
        value = math.log(float(self)) if self > 0 else math.nan
        return _made(value, max(abs(value), 1.0), False)

    def sqrt(self) -> Terms:
        """The square root."""
        return _made(math.sqrt(float(self)) if self >= 0 else math.nan, math.sqrt(self.size), False)


def _made(value: float, size: float, is_sum: bool) -> Terms:
    made = Terms(value)
    made.size, made.is_sum = size, is_sum
    return made


def _single(value: float) -> Terms:
    return _made(value, abs(value), False)


def _quotient(x: Terms, y: Terms) -> Terms:
    below = float(y)
    return _made(float(x) / below, x.size / abs(below), False) if below else _made(math.nan, math.nan, False)


def _terms(value: Any) -> Terms | None:
    if isinstance(value, Terms):
        return value
    if isinstance(value, fmpq):
        return _single(int(value.p) / int(value.q))
    return _single(float(value)) if isinstance(value, int | float | np.number) else None


_each: Callable[[Any], Any] = np.frompyfunc(lambda value: _single(float(value)), 1, 1)


def in_terms(conclusion: Conclusion, systems: System, index: int) -> tuple[Array, Array] | None:
    """The slacks of one member of a float64 batch and the sizes of their terms, each (k,).

    None where the formula has no value or leaves these numbers. A size may be zero: then so is the slack.
    """
    fields = systems.fields()
    one = {}
    for name, array in systems.arrays().items():
        entry = array[index] if array.ndim > len(fields[name].axes) else array
        one[name] = entry if fields[name].integer else numbers(_each(np.asarray(entry)))
    try:
        with np.errstate(all="ignore"):
            values = [_terms(value) for value in numbers(conclusion.slack(systems.replace(**one))).flat]
    except (ArithmeticError, IndexError, ValueError, TypeError, AttributeError):
        return None
    if any(value is None for value in values):
        return None
    return np.array([float(v) for v in values if v is not None]), np.array([v.size for v in values if v is not None])
