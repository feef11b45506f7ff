"""Numbers with a slope: a derivative of a formula by running it on rationals, numbers in closed form and balls.

What power series to the first order are to flint's balls, these are to any numbers of this suite: nothing is rounded that
the numbers do not round.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from flint import arb_series, fmpq

from dynamics.arithmetic import exp, log, numbers, sqrt
from dynamics.choices import FUNCTIONS, Guarded, KinkError, Series, ball, hull, plain, refuse_choice


def _rule(value: Callable[[Any, Any], Any], slope: Callable[[Any, Any, Any], Any]) -> tuple[Any, Any]:
    """An operation and its reflection, from the value and, of both numbers and the value, its slope."""

    def apply(x: Moving, y: Moving) -> Moving:
        found = value(x.value, y.value)
        return Moving(found, slope(x, y, found))

    def forward(self: Moving, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else apply(self, _moving(other))

    def backward(self: Moving, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else apply(_moving(other), self)

    return forward, backward


def _moving(number: Any) -> Moving:
    if isinstance(number, Series):
        return Moving(*(ball(number.plain[k]) for k in range(2)))
    return number if isinstance(number, Moving) else Moving(number, fmpq(0))


def _comparison(compare: Callable[[Any, Any], Any]) -> Any:
    def compared(self: Moving, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        x, y = self.value, _moving(other).value
        # Equal here, the two may cross here: then the comparison has two answers nearby, and no derivative is that of the
        # formula.
        if other is not self and x == y:
            refuse_choice(KinkError("which of two equal numbers is larger, beside the point where a derivative is taken?"))
        return compare(x, y)

    return compared


class Moving(Guarded):
    """A number and its slope. It compares like the number, where that is the same nearby."""

    __slots__ = ("slope", "value")
    __hash__ = Guarded.__hash__  # which it refuses

    def __init__(self, value: Any, slope: Any) -> None:
        self.value, self.slope = value, slope

    @property
    def plain(self) -> arb_series:
        """The power series to the first order, of balls."""
        return arb_series([plain(self.value), plain(self.slope)], 2)

    __add__, __radd__ = _rule(operator.add, lambda x, y, _: x.slope + y.slope)
    __sub__, __rsub__ = _rule(operator.sub, lambda x, y, _: x.slope - y.slope)
    __mul__, __rmul__ = _rule(operator.mul, lambda x, y, _: x.slope * y.value + x.value * y.slope)
    __truediv__, __rtruediv__ = _rule(operator.truediv, lambda x, y, found: (x.slope - found * y.slope) / y.value)
    __lt__, __le__ = _comparison(operator.lt), _comparison(operator.le)
    __gt__, __ge__ = _comparison(operator.gt), _comparison(operator.ge)
    __eq__, __ne__ = _comparison(operator.eq), _comparison(operator.ne)

    def __neg__(self) -> Moving:
        return Moving(-self.value, -self.slope)

    def __abs__(self) -> Any:
        return self.max(-self)

    def __pow__(self, exponent: Any) -> Any:
        try:
            k = operator.index(exponent)
        except TypeError:
            return (exponent * self.log()).exp()
        return Moving(self.value**k, k * self.value ** (k - 1) * self.slope) if k else fmpq(1)

    def __rpow__(self, other: Any) -> Any:
        return (self * log(numbers(other)).item()).exp()

    def exp(self) -> Moving:
        """The exponential."""
        grown = exp(numbers(self.value)).item()
        return Moving(grown, grown * self.slope)

    def log(self) -> Moving:
        """The logarithm."""
        return Moving(log(numbers(self.value)).item(), self.slope / self.value)

    def sqrt(self) -> Moving:
        """The square root."""
        root = sqrt(numbers(self.value)).item()
        return Moving(root, self.slope / (2 * root))

    def max(self, other: Any) -> Any:
        """The larger of two numbers, with the slope of one of them."""
        return self._extreme(other, 1)

    def min(self, other: Any) -> Any:
        """The smaller of two numbers, with the slope of one of them."""
        return self._extreme(other, -1)

    def _extreme(self, other: Any, sign: int) -> Any:
        difference = (self.value - _moving(other).value) * sign
        # Both slopes are that of the maximum on one side: the hull holds whichever is meant.
        if difference == 0:
            return Moving(self.value, hull(self.slope, _moving(other).slope))
        return self if difference > 0 else other


def _function(name: str) -> Any:
    def apply(self: Moving) -> Moving:
        found = getattr(self.plain, name)()
        return Moving(ball(found[0]), ball(found[1]))

    apply.__name__, apply.__doc__ = name, f"flint's {name}, of balls."
    return apply


# These three are exact on closed forms and rationals; of all others flint's series to first order is the slope.
for _name in set(FUNCTIONS) - {"exp", "log", "sqrt"}:
    setattr(Moving, _name, _function(_name))
