"""A rational constant in the text of a mutant, compatible with every kind of number that a formula runs on."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from dynamics.arithmetic import exact


class Ratio:
    """p / q, for `Ratio(21, 10) * x`: x may be a float, a rational, a ball, a series, an array of them or a batch.

    Only products and quotients by whole numbers are used, which each of these has; with a whole number it stays a rational.
    """

    __array_ufunc__ = None  # an array leaves the operation to this class

    def __init__(self, p: int, q: int = 1) -> None:
        self.value = Fraction(p, q)

    def __mul__(self, other: Any) -> Any:
        return _exact(other) * self.value.numerator / self.value.denominator

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __add__(self, other: Any) -> Any:
        return (_exact(other) * self.value.denominator + self.value.numerator) / self.value.denominator

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __neg__(self) -> Ratio:
        return Ratio(-self.value.numerator, self.value.denominator)

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __truediv__(self, other: Any) -> Any:
        return self.value.numerator / (_exact(other) * self.value.denominator)

    def __rtruediv__(self, other: Any) -> Any:
        return Ratio(self.value.denominator, self.value.numerator) * other

    def __pow__(self, exponent: Any) -> Any:
        return fmpq(self.value.numerator, self.value.denominator) ** int(exponent)


def _exact(other: Any) -> Any:
    # Whole numbers, Python's and NumPy's, would divide in float64; rationals do not.
    if isinstance(other, Ratio):
        return fmpq(other.value.numerator, other.value.denominator)
    is_array = isinstance(other, np.ndarray)
    return exact(other) if (other.dtype.kind in "iu" if is_array else isinstance(other, int | np.integer)) else other
