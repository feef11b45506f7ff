"""Quotients of sums of exponentials of rationals, in Fractions: what the checker decides an exact zero by.

Written apart from what decided first, and simpler: one numerator over one denominator, each a table {q: c} that stands for
the sum of the c e^q. By Lindemann and Weierstrass such a sum is zero if and only if its table is empty, so that no number
made here is zero: what is zero is the rational 0. A sign is found in intervals. Logarithms, roots and exponentials of
anything but rationals are intervals, and so is a number of too many terms.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from numbers import Integral
from typing import Any

from mpmath.libmp import mpf_sign

from dynamics.arithmetic import precisions
from dynamics.checker.flint_stand_in import arb, arb_series, ctx, fmpq, operation
from dynamics.checker.intervals import interval_precision
from dynamics.choices import ClosedForm, closed_numbers

MOST_TERMS = 4000
"""Terms that a product may have before it is collected."""

LOWEST_BITS, MOST_BITS = 64, 1 << 17
"""Bits of the intervals in which a sign is looked for."""

Sum = dict[Fraction, Fraction]
"""The coefficients, none of them zero, by the exponents."""

ONE: Sum = {Fraction(0): Fraction(1)}


def _plus(x: Sum, y: Sum) -> Sum:
    total = dict(x)
    for q, c in y.items():
        total[q] = total.get(q, Fraction(0)) + c
    return {q: c for q, c in total.items() if c}


def _times(x: Sum, y: Sum) -> Sum:
    total: Sum = {}
    for q, c in x.items():
        for r, d in y.items():
            total[q + r] = total.get(q + r, Fraction(0)) + c * d
    return {q: c for q, c in total.items() if c}


def _multiple(x: Sum, y: Sum) -> Sum | None:
    """The single term of which x is y times it; None if there is none."""
    if len(x) != len(y):
        return None
    # A multiple moves all exponents by as much: the largest of one belongs to the largest of the other.
    q, r = max(x), max(y)
    term = {q - r: x[q] / y[r]}
    return term if _times(y, term) == x else None


def _interval(x: Sum) -> arb:
    return sum((arb(fmpq(q)).exp() * fmpq(c) for q, c in x.items()), arb(0))


def quotient(top: Sum, bottom: Sum) -> Any:
    """The number: a rational where it is one at sight, for certain where it is zero."""
    # By Lindemann and Weierstrass nothing but an empty table is zero.
    if not top:
        return fmpq(0)
    # Multiples of one another give one term: else the terms of sums of quotients pile up beyond MOST_TERMS.
    term = _multiple(top, bottom)
    if term is not None:
        top, bottom = term, ONE
    elif len(bottom) == 1:
        ((q, c),) = bottom.items()
        top, bottom = _times(top, {-q: 1 / c}), ONE
    if bottom == ONE and list(top) == [0]:
        return fmpq(top[Fraction(0)])
    return Quotient(top, bottom)


def _sums(number: Any) -> tuple[Sum, Sum]:
    if isinstance(number, Quotient):
        return number.top, number.bottom
    value = Fraction(number)
    return ({Fraction(0): value} if value else {}), ONE


def _add(x: Any, y: Any) -> Any:
    (a, b), (c, d) = _sums(x), _sums(y)
    return quotient(_plus(a, c), b) if b == d else quotient(_plus(_times(a, d), _times(c, b)), _times(b, d))


def _subtract(x: Any, y: Any) -> Any:
    return _add(x, -y)


def _multiply(x: Any, y: Any) -> Any:
    (a, b), (c, d) = _sums(x), _sums(y)
    return quotient(_times(a, c), _times(b, d))


def _divide(x: Any, y: Any) -> Any:
    (a, b), (c, d) = _sums(x), _sums(y)
    if not c:
        raise ZeroDivisionError("division by zero")
    return quotient(_times(a, d), _times(b, c))


def _operation(of_tables: Callable[[Any, Any], Any], of_intervals: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    """The operator and its reflection: of intervals where one is an interval or the terms are too many."""

    def apply(x: Any, y: Any) -> Any:
        if all(isinstance(one, Quotient | fmpq) for one in (x, y)):
            # Beyond so many terms a table costs more than an interval, which will not show a zero any more.
            sizes = [len(part) for one in (x, y) for part in _sums(one)]
            if (sizes[0] + sizes[1]) * (sizes[2] + sizes[3]) <= MOST_TERMS:
                return of_tables(x, y)
        return of_intervals(*(one.plain if isinstance(one, Quotient) else one for one in (x, y)))

    return operation(_exact, apply)


def _exact(other: Any) -> Any:
    """A rational, a number in closed form, an interval or a series; None for anything else."""
    if isinstance(other, Quotient | arb | arb_series):
        return other
    return fmpq(other) if isinstance(other, Fraction | Integral) else None


def _comparison(holds: Callable[[Any, Any], Any]) -> Any:
    def compare(x: Quotient, y: Any) -> Any:
        difference = x - y
        return holds(difference.settled() if isinstance(difference, Quotient) else difference, 0)

    return operation(_exact, compare)[0]


class Quotient(ClosedForm):
    """A number that is not zero: one sum of exponentials over another."""

    __slots__ = ("bottom", "top")
    __hash__ = ClosedForm.__hash__  # which it refuses

    def __init__(self, top: Sum, bottom: Sum) -> None:
        self.top, self.bottom = top, bottom

    @property
    def plain(self) -> Any:
        """An interval around the number."""
        return _interval(self.top) / _interval(self.bottom)

    def settled(self) -> Any:
        """An interval around the number that does not hold zero, or the last one tried."""
        # From the precision of the moment on: with fewer bits the formula ran already.
        for bits in precisions(max(LOWEST_BITS, ctx.prec), MOST_BITS):
            with interval_precision(bits):
                value = self.plain
                if mpf_sign(value.ends[0]) * mpf_sign(value.ends[1]) > 0:
                    break
        return value

    __add__, __radd__ = _operation(_add, operator.add)
    __sub__, __rsub__ = _operation(_subtract, operator.sub)
    __mul__, __rmul__ = _operation(_multiply, operator.mul)
    __truediv__, __rtruediv__ = _operation(_divide, operator.truediv)
    __lt__, __le__ = _comparison(operator.lt), _comparison(operator.le)
    __gt__, __ge__ = _comparison(operator.gt), _comparison(operator.ge)
    __eq__, __ne__ = _comparison(operator.eq), _comparison(operator.ne)

    def __neg__(self) -> Quotient:
        return Quotient({q: -c for q, c in self.top.items()}, self.bottom)

    def __abs__(self) -> Any:
        # No such number is zero, so that its sign is found, given bits.
        return self if self > 0 else -self

    def __pow__(self, exponent: Any) -> Any:
        # Whole powers stay in closed form; others go through a logarithm, which has none.
        if not isinstance(exponent, Integral):
            return self.plain**exponent
        power: Any = fmpq(1)
        for _ in range(abs(int(exponent))):
            power = power * self
        return power if int(exponent) >= 0 else 1 / power

    def __rpow__(self, other: Any) -> Any:
        return other**self.plain


class Functions:
    """The functions of rationals, of which the exponential is in closed form."""

    def exp(self, q: fmpq) -> Any:
        """e^q."""
        return quotient({Fraction(q): Fraction(1)}, ONE)

    def log(self, q: fmpq) -> arb:
        """An interval around log q."""
        return arb(q).log()

    def sqrt(self, q: fmpq) -> arb:
        """An interval around the square root of q."""
        return arb(q).sqrt()


@contextmanager
def closed_forms() -> Iterator[None]:
    """Inside, exponentials of rationals are in closed form."""
    with closed_numbers(Functions()):
        yield
