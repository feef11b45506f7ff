"""Batches of floats that remember the size of the terms of their last sum.

A slack tends to zero where everything shrinks, which means nothing. The slack over the size of its terms does not: it is
-1 to 1, the same in every unit, and as near to zero as the inequality is to an equality. Formulas run on these numbers as
they run on columns, one number for all members of a batch. Only the last sum counts: that of (x - y)(u - v) + w has the
terms (x - y)(u - v) and w, however near x is to y.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from claims.hunting.margins import parted
from claims.stating.statement import Conclusion
from dynamics.arithmetic import Array, Column
from dynamics.integrate import in_float64, members
from dynamics.system import System

MOST_GROUPS = 16  # of members that part ways at comparisons: with more of them columns gain nothing


def _operator(made: Callable[[Terms, Terms], Terms]) -> Any:
    def operator(self: Terms, other: Any) -> Any:
        x = _terms(other)
        return NotImplemented if x is None else made(self, x)

    return operator


def _sum(x: Terms, y: Terms) -> Terms:
    return Terms(x.values + y.values, x.part() + y.part(), True)


def _product(x: Terms, y: Terms) -> Terms:
    """Of two sums the one that is the farther from zero counts: the other is mostly a distance, small without meaning."""
    values = x.values * y.values
    if x.own_size is None and y.own_size is None:
        return Terms(values)
    of_x, of_y = x.size * abs(y.values), y.size * abs(x.values)
    if x.own_size is None or y.own_size is None:
        return Terms(values, np.maximum(of_x, of_y))
    plain = abs(values)
    both = (of_x > plain) & (of_y > plain)
    return Terms(values, np.where(both, np.minimum(of_x, of_y), np.maximum(of_x, of_y)))


def _quotient(x: Terms, y: Terms) -> Terms:
    return Terms(x.values / y.values, None if x.own_size is None else x.own_size / abs(y.values))


class Terms(Column):
    """A column with the sizes of the terms it was summed from, at least its absolute values; None if equal to these."""

    __slots__ = ("is_sum", "own_size")

    def __init__(self, values: Array, size: Array | None = None, is_sum: bool = False) -> None:
        self.values, self.own_size, self.is_sum = values, size, is_sum

    @property
    def size(self) -> Array:
        """Of the terms, shape (batch,)."""
        return abs(self.values) if self.own_size is None else self.own_size

    def part(self) -> Array:
        """What it adds to the size of a sum: its own terms where it is one, for they may cancel with what follows."""
        return self.own_size if self.is_sum and self.own_size is not None else abs(self.values)

    # Beside a column Python asks terms first only where they have operators of their own.
    __add__ = __radd__ = _operator(_sum)
    __sub__ = _operator(lambda x, y: _sum(x, -y))
    __rsub__ = _operator(lambda x, y: _sum(y, -x))
    __mul__ = __rmul__ = _operator(_product)
    __truediv__ = _operator(_quotient)
    __rtruediv__ = _operator(lambda x, y: _quotient(y, x))

    def __neg__(self) -> Terms:
        return Terms(-self.values, self.own_size, self.is_sum)

    def __abs__(self) -> Terms:
        return Terms(abs(self.values), self.own_size, self.is_sum)

    def __pow__(self, exponent: Any) -> Terms:
        size = None if self.own_size is None else self.own_size ** float(exponent)
        return Terms(self.values ** float(exponent), size)

    def exp(self) -> Terms:
        """The exponential; it has no terms of its own."""
        return Terms(np.exp(self.values))

    def log(self) -> Terms:
        """The logarithm: beside 1, so that a logarithm near zero is small."""
        values = np.log(self.values)
        return Terms(values, np.maximum(abs(values), 1.0))

    def log1p(self) -> Terms:
        """log(1 + x), beside 1 as the logarithm is."""
        values = np.log1p(self.values)
        return Terms(values, np.maximum(abs(values), 1.0))

    def sqrt(self) -> Terms:
        """The square root."""
        return Terms(np.sqrt(self.values), np.sqrt(self.size))


def _terms(value: Any) -> Terms | None:
    """The number as terms, or None for what a column does not compute with."""
    if isinstance(value, Terms):
        return value
    known = value if isinstance(value, Column) else _NOTHING + value
    return Terms(known.values) if isinstance(known, Column) else None


_NOTHING = Column(np.zeros(1))


def in_terms(conclusion: Conclusion, systems: System) -> tuple[Array, Array] | None:
    """The slacks of a float64 batch and the sizes of their terms, each (batch, k): NaN where there is no value.

    None where no member has one, and where members part ways at comparisons into too many groups. A size may be zero: then
    so is the slack.
    """
    systems = in_float64(systems)
    batch = members(systems)
    with np.errstate(all="ignore"):
        found = []
        for group, values in parted(conclusion.slack, (systems,), batch, Terms, _terms, 2 * MOST_GROUPS) or []:
            known = [one for one in values or () if one is not None]
            if known and values is not None and len(known) == len(values):
                slacks = np.array([np.broadcast_to(one.values, len(group)) for one in known])
                found.append((group, slacks.T, np.array([np.broadcast_to(one.size, len(group)) for one in known]).T))
    if not found:
        return None
    slack, size = np.full((2, batch, max(part.shape[1] for _, part, _ in found)), np.nan)
    for group, part, of_part in found:
        slack[group, : part.shape[1]], size[group, : part.shape[1]] = part, of_part
    return slack, size
