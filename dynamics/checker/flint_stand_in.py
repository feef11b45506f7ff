"""The part of python-flint that formulas use, on `fractions.Fraction` and mpmath's intervals alone.

A slack, an assumption and a flow are written once and run on whatever numbers the arrays hold. Put in the place of
flint by :func:`stand_in_for_flint`, these numbers decide the same formulas again without a line of flint's code:

==============  ============================================================================================
:class:`fmpq`   a Fraction whose arithmetic stays in it; floats are refused
:class:`arb`    a closed interval with ends of `iv.prec` bits, rounded outward; an infinite end says nothing
``arb_series``  truncated power series of intervals
``fmpq_mat``    rational matrices by elimination
``arb_mat``     interval matrices, for the matrix exponential
==============  ============================================================================================

Ends are rounded outward by mpmath's interval functions. `+ - * /` and square roots are correctly rounded there, and a
square root is squared again to see it; exponentials and logarithms, whose last digit mpmath does not promise, are made
wider by four units in the last place. A comparison is true only where it is certain; :func:`open_comparisons` counts
the others.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from numbers import Integral
from types import ModuleType
from typing import Any, ClassVar

from mpmath import iv, libmp, mp
from mpmath.libmp import fninf, fone, from_int, fzero, mpf_add, mpf_le, mpf_lt, mpf_mul, mpf_neg, mpf_sub

from dynamics.checker.intervals import EXPONENT_CAP, exponential

finf, fnan = libmp.finf, libmp.fnan
FLOOR, CEILING = "f", "c"

Ends = tuple[Any, Any]
"""The two ends of an interval as mpmath's raw numbers."""


class Context:
    """The working precision in bits, that of `mpmath.iv`, and the length `cap` that power series are cut at."""

    cap = 10

    @property
    def prec(self) -> int:
        """Bits of every rounded operation."""
        return int(iv.prec)

    @prec.setter
    def prec(self, bits: int) -> None:
        iv.prec = bits


ctx = Context()
_open_comparisons = 0


def open_comparisons() -> int:
    """The number of comparisons that were open so far: between two equal counts every comparison was certain."""
    return _open_comparisons


def _doubt() -> bool:
    global _open_comparisons
    _open_comparisons += 1
    return False


def operation(parts: Callable[[Any], Any], formula: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    """An operator and its reflection: a formula of the parts of both numbers; not implemented where the other has none."""

    def forward(self: Any, other: object) -> Any:
        theirs = parts(other)
        return NotImplemented if theirs is None else formula(parts(self), theirs)

    def backward(self: Any, other: object) -> Any:
        theirs = parts(other)
        return NotImplemented if theirs is None else formula(theirs, parts(self))

    return forward, backward


# ---------------------------------------------------------------------------------------------------------------------
# Rationals


def _whole_operation(formula: Callable[[int, int], Any]) -> tuple[Any, Any]:
    def exactly(a: int, b: int) -> Any:
        value = formula(a, b)
        return fmpz(value) if type(value) is int else value

    return operation(lambda value: int(value) if isinstance(value, int) else None, exactly)


class fmpz(int):  # noqa: N801 -- flint's name
    """An integer with flint's integer square root, never a float."""

    def isqrt(self) -> fmpz:
        """The floor of the square root. Raises ValueError for a negative number."""
        return fmpz(math.isqrt(self))

    # Integers stay what they are, and no quotient or power is a float.
    __add__, __radd__ = _whole_operation(operator.add)
    __sub__, __rsub__ = _whole_operation(operator.sub)
    __mul__, __rmul__ = _whole_operation(operator.mul)
    __floordiv__, __rfloordiv__ = _whole_operation(operator.floordiv)
    __mod__, __rmod__ = _whole_operation(operator.mod)
    __truediv__, __rtruediv__ = _whole_operation(lambda a, b: _reduced(*_quotient(a, 1, b, 1)))
    __pow__, __rpow__ = _whole_operation(lambda a, k: a**k if k >= 0 else fmpq(a) ** k)

    def __neg__(self) -> fmpz:
        return fmpz(-int(self))

    def __abs__(self) -> fmpz:
        return fmpz(abs(int(self)))


_slots = operator.attrgetter("_numerator", "_denominator")
"""Where a Fraction keeps them: its properties cost as much as the arithmetic."""


def _ratio(value: object) -> tuple[int, int] | None:
    """Numerator and denominator of an exact number, else None."""
    if type(value) is fmpq:
        pair: tuple[int, int] = _slots(value)
        return pair
    if isinstance(value, Fraction):
        return value.numerator, value.denominator
    if isinstance(value, int):
        return int(value), 1
    return (int(value), 1) if isinstance(value, Integral) else None


def _reduced(p: int, q: int, kind: type[fmpq] | None = None) -> fmpq:
    # Most rationals of an instance are whole: no common divisor is looked for.
    divisor = 1 if q == 1 else math.gcd(p, q)
    if q < 0:
        divisor = -divisor
    made: fmpq = object.__new__(kind or fmpq)
    # The slots of Fraction: its own constructor would reduce again.
    object.__setattr__(made, "_numerator", p if divisor == 1 else p // divisor)
    object.__setattr__(made, "_denominator", q if divisor == 1 else q // divisor)
    return made


def _rational_operation(formula: Callable[[int, int, int, int], tuple[int, int]]) -> tuple[Any, Any]:
    return operation(_ratio, lambda x, y: _reduced(*formula(*x, *y)))


def _rational_comparison(compare: Callable[[int, int], bool]) -> Any:
    # Multiplied out, for denominators are positive.
    return operation(_ratio, lambda x, y: compare(x[0] * y[1], y[0] * x[1]))[0]


def _quotient(a: int, b: int, c: int, d: int) -> tuple[int, int]:
    if c == 0:
        raise ZeroDivisionError("division by the rational zero")
    return a * d, b * c


class fmpq(Fraction):  # noqa: N801 -- flint's name
    """An exact rational. Raises TypeError for floats, ZeroDivisionError for a zero denominator."""

    __slots__ = ()

    def __new__(cls, p: Any = 0, q: Any = 1) -> fmpq:  # noqa: D102, PYI034 -- a rational is built in one place
        above, below = _ratio(p), _ratio(q)
        if above is None or below is None:
            raise TypeError(f"an exact rational is made of integers and rationals, not of {p!r} and {q!r}")
        return _reduced(*_quotient(*above, *below), cls)

    @property
    def p(self) -> fmpz:
        """The numerator."""
        return fmpz(self.numerator)

    @property
    def q(self) -> fmpz:
        """The denominator, positive."""
        return fmpz(self.denominator)

    __add__, __radd__ = _rational_operation(lambda a, b, c, d: (a * d + c * b, b * d))
    __sub__, __rsub__ = _rational_operation(lambda a, b, c, d: (a * d - c * b, b * d))
    __mul__, __rmul__ = _rational_operation(lambda a, b, c, d: (a * c, b * d))
    __truediv__, __rtruediv__ = _rational_operation(_quotient)
    __floordiv__, __rfloordiv__ = _rational_operation(lambda a, b, c, d: ((a * d) // (b * c), 1))
    __mod__, __rmod__ = _rational_operation(lambda a, b, c, d: ((a * d) % (c * b), b * d))
    __lt__, __le__ = _rational_comparison(operator.lt), _rational_comparison(operator.le)
    __gt__, __ge__ = _rational_comparison(operator.gt), _rational_comparison(operator.ge)
    __eq__, __ne__ = _rational_comparison(operator.eq), _rational_comparison(operator.ne)
    __hash__ = Fraction.__hash__

    def __neg__(self) -> fmpq:
        return _reduced(-self.numerator, self.denominator)

    def __pos__(self) -> fmpq:
        return self

    def __abs__(self) -> fmpq:
        return _reduced(abs(self.numerator), self.denominator)

    def __pow__(self, exponent: Any) -> Any:
        # A root need not be rational: the other operand must know what to do, or nobody does.
        if not isinstance(exponent, Integral):
            return NotImplemented
        k = int(exponent)
        base = self if k >= 0 else 1 / self
        return _reduced(base.numerator ** abs(k), base.denominator ** abs(k))

    def __rpow__(self, other: Any) -> Any:
        return NotImplemented

    def floor(self) -> fmpz:
        """The largest integer that is not above."""
        return fmpz(self.numerator // self.denominator)

    def ceil(self) -> fmpz:
        """The smallest integer that is not below."""
        return fmpz(-(-self.numerator // self.denominator))


# ---------------------------------------------------------------------------------------------------------------------
# Intervals

WHOLE: Ends = (fninf, finf)


def _ends(value: object) -> Ends | None:
    """The ends of what can stand beside an interval: exact numbers, finite floats and intervals; else None."""
    if isinstance(value, arb):
        return value.ends
    pair = _ratio(value)
    if pair is not None:
        p, q = from_int(pair[0]), from_int(pair[1])
        # Outwards, for few rationals are dyadic.
        return (p, p) if pair[1] == 1 else (libmp.mpf_div(p, q, iv.prec, FLOOR), libmp.mpf_div(p, q, iv.prec, CEILING))
    if isinstance(value, float):
        # A float is exactly the dyadic number it is.
        point = libmp.from_float(float(value))
        return (point, point)
    return None


def _interval(ends: Ends) -> arb:
    """The interval; the whole line unless both ends are finite."""
    made: arb = object.__new__(arb)
    low, high = ends
    # Half a line would say hardly more, and be a case of its own in every operation.
    finite = low not in (fninf, finf, fnan) and high not in (fninf, finf, fnan)
    made.ends = ends if finite else WHOLE
    return made


def _interval_operation(rounded: Callable[[Ends, Ends, int], Ends]) -> tuple[Any, Any]:
    # Asked first: 0 times a number of which nothing is known is not 0.
    return operation(_ends, lambda x, y: _interval(WHOLE if WHOLE in (x, y) else rounded(x, y, iv.prec)))


def _interval_comparison(surely: Callable[[Ends, Ends], bool], surely_not: Callable[[Ends, Ends], bool]) -> Any:
    def compared(x: Ends, y: Ends) -> bool:
        if WHOLE in (x, y):
            return _doubt()
        # Between yes and no the answer is no, and counted: whoever reads the count knows that it is none.
        return surely(x, y) or (not surely_not(x, y) and _doubt())

    return operation(_ends, compared)[0]


def _below(x: Ends, y: Ends) -> bool:
    return bool(mpf_lt(x[1], y[0]))


def _not_above(x: Ends, y: Ends) -> bool:
    return bool(mpf_le(x[1], y[0]))


def _same_point(x: Ends, y: Ends) -> bool:
    return bool(x[0] == x[1] == y[0] == y[1])


def _apart(x: Ends, y: Ends) -> bool:
    return _below(x, y) or _below(y, x)


def _widened(low: Any, high: Any) -> Ends:
    """Both ends moved outward by four units in the last place."""
    bits = iv.prec
    unit = libmp.mpf_shift(fone, 3 - bits)
    return (
        mpf_sub(low, mpf_mul(libmp.mpf_abs(low), unit), bits, FLOOR),
        mpf_add(high, mpf_mul(libmp.mpf_abs(high), unit), bits, CEILING),
    )


_CAP = from_int(EXPONENT_CAP)


class arb:  # noqa: N801 -- flint's name
    """A closed interval: of an exact number, a finite float, or another interval; around `mid` when a radius is given.

    Raises TypeError for anything else. What has an infinite or undefined end is the whole line, which is not finite and
    compares with nothing. What a formula asks of an interval and not of the number in it is open, too.
    """

    __slots__ = ("ends",)
    ends: Ends

    def __init__(self, mid: Any = 0, rad: Any = 0) -> None:
        ends, spread = _ends(mid), _ends(rad)
        if ends is None or spread is None:
            raise TypeError(f"an interval is made of numbers, not of {mid!r} and {rad!r}")
        self.ends = _interval(ends).ends
        # Also a negative radius reaches to both sides.
        if spread != (fzero, fzero):
            reach = libmp.mpi_abs(spread)[1]
            self.ends = _interval(libmp.mpi_add(self.ends, (mpf_neg(reach), reach), iv.prec)).ends

    __add__, __radd__ = _interval_operation(libmp.mpi_add)
    __sub__, __rsub__ = _interval_operation(libmp.mpi_sub)
    __mul__, __rmul__ = _interval_operation(libmp.mpi_mul)
    __truediv__, __rtruediv__ = _interval_operation(libmp.mpi_div)
    __lt__ = _interval_comparison(_below, lambda x, y: _not_above(y, x))
    __le__ = _interval_comparison(_not_above, lambda x, y: _below(y, x))
    __gt__ = _interval_comparison(lambda x, y: _below(y, x), _not_above)
    __ge__ = _interval_comparison(lambda x, y: _not_above(y, x), _below)
    __eq__ = _interval_comparison(_same_point, _apart)
    __ne__ = _interval_comparison(_apart, _same_point)
    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        # Where the number may be zero either answer would be a guess.
        if _is_open_at_zero(self):
            _doubt()
        return not _is_point_zero(self)

    def __neg__(self) -> arb:
        return _interval((mpf_neg(self.ends[1]), mpf_neg(self.ends[0])))

    def __pos__(self) -> arb:
        return self

    def __abs__(self) -> arb:
        # Of a number of which nothing is known not even that it is finite.
        return self if self.ends == WHOLE else _interval(libmp.mpi_abs(self.ends))

    def __pow__(self, exponent: Any) -> Any:
        if isinstance(exponent, Integral):
            return _power(self, int(exponent))
        other = _ends(exponent)
        return NotImplemented if other is None else (self.log() * _interval(other)).exp()

    def __rpow__(self, other: Any) -> Any:
        ends = _ends(other)
        return NotImplemented if ends is None else (_interval(ends).log() * self).exp()

    def __repr__(self) -> str:
        return f"arb({self.str()})"

    def __str__(self) -> str:
        return self.str()

    def str(self, digits: int = 15, radius: bool = True, **_: Any) -> str:
        """The middle in decimal digits, with the radius unless `radius` is false: for reading, not enclosing."""
        if self.ends == WHOLE:
            return "nan"
        middle = libmp.to_str(self.center().ends[0], digits)
        return f"[{middle} +/- {libmp.to_str(self.rad().ends[1], 3)}]" if radius and not self.is_exact() else middle

    # Parts and tests

    @property
    def interval(self) -> Any:
        """The same as `mpmath.iv.mpf`."""
        return iv.make_mpf(self.ends)

    @classmethod
    def of(cls, interval: Any) -> arb:
        """The same as an `mpmath.iv.mpf`."""
        return _interval(interval._mpi_)

    def lower(self) -> arb:
        """The lower end as a point; not finite for the whole line."""
        return _interval((self.ends[0], self.ends[0]))

    def upper(self) -> arb:
        """The upper end as a point; not finite for the whole line."""
        return _interval((self.ends[1], self.ends[1]))

    def mid(self) -> arb:
        """:meth:`center`; open unless the interval is a point, for the middle is not the number in it."""
        # A formula that asks for the middle computes with a number that is not the one enclosed.
        if not self.is_exact():
            _doubt()
        return self.center()

    def center(self) -> arb:
        """A point of the interval, rounded from its middle; 0 for the whole line. Right where any choice is right."""
        if self.ends == WHOLE:
            return arb(0)
        low, high = self.ends
        point = libmp.mpf_shift(mpf_add(low, high, iv.prec, "n"), -1)
        # Rounded to few bits the middle may lie outside.
        point = low if mpf_lt(point, low) else high if mpf_lt(high, point) else point
        return _interval((point, point))

    def rad(self) -> arb:
        """A point r such that the interval lies in mid - r .. mid + r; not finite for the whole line."""
        if self.ends == WHOLE:
            return self
        (low, high), middle = self.ends, self.center().ends[0]
        # The rounded middle is not half way: the farther end counts.
        reach = _largest(mpf_sub(middle, low, iv.prec, CEILING), mpf_sub(high, middle, iv.prec, CEILING))
        return _interval((reach, reach))

    def is_finite(self) -> bool:
        """Whether both ends are; open where they are not, for the number enclosed may be finite."""
        return self.ends != WHOLE or _doubt()

    def is_zero(self) -> bool:
        """Whether this is the point zero; open where it may be."""
        return _is_point_zero(self) or (_is_open_at_zero(self) and _doubt())

    def is_exact(self) -> bool:
        """Whether this is a point."""
        return bool(self.ends[0] == self.ends[1])

    def contains(self, other: Any) -> bool:
        """Whether every member of the other number is a member of this interval; open unless both are one point."""
        ends = _needed(other)
        inside = self.ends == WHOLE or bool(mpf_le(self.ends[0], ends[0]) and mpf_le(ends[1], self.ends[1]))
        return self._met(ends, inside)

    def overlaps(self, other: Any) -> bool:
        """Whether the two have a member in common; open where they have, unless both are one point."""
        ends = _needed(other)
        return self._met(ends, WHOLE in (self.ends, ends) or not _apart(self.ends, ends))

    def _met(self, ends: Ends, answer: bool) -> bool:
        """The answer, which is about intervals: what they enclose may be apart all the same, and that is a doubt."""
        if not _same_point(self.ends, ends) and (WHOLE in (self.ends, ends) or not _apart(self.ends, ends)):
            _doubt()
        return answer

    def union(self, other: Any) -> arb:
        """The smallest interval around both."""
        return _interval((_least(self.ends[0], _needed(other)[0]), _largest(self.ends[1], _needed(other)[1])))

    def min(self, other: Any) -> arb:
        """The interval of the smaller of two numbers."""
        ends = _needed(other)
        return _interval((_least(self.ends[0], ends[0]), _least(self.ends[1], ends[1])))

    def max(self, other: Any) -> arb:
        """The interval of the larger of two numbers."""
        ends = _needed(other)
        return _interval((_largest(self.ends[0], ends[0]), _largest(self.ends[1], ends[1])))

    def abs_lower(self) -> arb:
        """The smallest absolute value, as a point; 0 for the whole line."""
        return abs(self).lower() if self.ends != WHOLE else arb(0)

    def abs_upper(self) -> arb:
        """The largest absolute value, as a point; not finite for the whole line."""
        return abs(self).upper()

    # Functions

    def exp(self) -> arb:
        """e^x, four units in the last place wider than mpmath's; nothing is known beyond arguments of 2^40."""
        low, high = self.ends
        if self.ends == WHOLE or mpf_lt(_CAP, high):
            return _interval(WHOLE)
        lowest = fzero if mpf_lt(low, mpf_neg(_CAP)) else libmp.mpf_exp(low, iv.prec, FLOOR)
        # Far below, the bound of a less small argument will do: the number itself would fill the memory.
        highest = libmp.mpf_exp(_largest(high, mpf_neg(_CAP)), iv.prec, CEILING)
        # No exponential is negative, though widening could not make it so either.
        return arb(1) if _is_point_zero(self) else _interval(_widened(lowest, highest))

    def log(self) -> arb:
        """The natural logarithm, four units in the last place wider than mpmath's; nothing is known at or below 0."""
        low, high = self.ends
        if self.ends == WHOLE or mpf_le(low, fzero):
            return _interval(WHOLE)
        return _interval(_widened(libmp.mpf_log(low, iv.prec, FLOOR), libmp.mpf_log(high, iv.prec, CEILING)))

    def sqrt(self) -> arb:
        """The square root, squared again to be sure; nothing is known of an interval with negative members."""
        low, high = self.ends
        if self.ends == WHOLE or mpf_lt(low, fzero):
            return _interval(WHOLE)
        lowest, highest = libmp.mpf_sqrt(low, iv.prec, FLOOR), libmp.mpf_sqrt(high, iv.prec, CEILING)
        # mpmath promises roots that are correctly rounded; that is seen here, not believed.
        if not (mpf_le(mpf_mul(lowest, lowest), low) and mpf_le(high, mpf_mul(highest, highest))):
            lowest, highest = _widened(lowest, highest)
        return _interval((lowest, highest))

    def lambertw(self) -> arb:
        """The w >= 0 with w e^w = x: mpmath proposes, w e^w on either side decides; nothing is known below 0."""
        if self.ends == WHOLE or mpf_lt(self.ends[0], fzero):
            return _interval(WHOLE)
        low, high = _root_of_lambert(self.ends[0]), _root_of_lambert(self.ends[1])
        return _interval((low[0], high[1]))

    def expm1(self) -> arb:
        """e^x - 1."""
        return self.exp() - 1

    def log1p(self) -> arb:
        """log(1 + x)."""
        return (1 + self).log()

    def sinh(self) -> arb:
        """(e^x - e^-x) / 2."""
        return (self.exp() - (-self).exp()) / 2

    def cosh(self) -> arb:
        """(e^x + e^-x) / 2."""
        return (self.exp() + (-self).exp()) / 2

    def tanh(self) -> arb:
        """1 - 2 / (e^2x + 1)."""
        return 1 - 2 / ((2 * self).exp() + 1)


def _root_of_lambert(x: Any) -> Ends:
    """Ends around the w with w e^w = x > 0, a raw number: w e^w is at most x at the lower one, at least x at the upper."""
    if x == fzero:
        return fzero, fzero
    with mp.workprec(iv.prec):
        guess = mp.lambertw(mp.make_mpf(x)).real._mpf_
    low, high = _widened(guess, guess)
    # Ends are compared as raw numbers: a guess that is too tight is no doubt about the result.
    while not (mpf_le(_times_its_exponential(low)[1], x) and mpf_le(x, _times_its_exponential(high)[0])):
        (low, _), (_, high) = _widened(low, low), _widened(high, high)
    return low, high


def _times_its_exponential(x: Any) -> Ends:
    return (_interval((x, x)) * _interval((x, x)).exp()).ends


def _is_point_zero(value: arb) -> bool:
    return bool(value.ends == (fzero, fzero))


def _is_open_at_zero(value: arb) -> bool:
    low, high = value.ends
    return low != high and bool(mpf_le(low, fzero) and mpf_le(fzero, high))


def _needed(value: object) -> Ends:
    ends = _ends(value)
    if ends is None:
        raise TypeError(f"{value!r} is not a number")
    return ends


def _least(x: Any, y: Any) -> Any:
    return x if mpf_le(x, y) else y


def _largest(x: Any, y: Any) -> Any:
    return y if mpf_le(x, y) else x


def _power(base: Any, exponent: int) -> Any:
    """x^k by squaring, tight for intervals of one sign, and nonnegative for even k."""
    if exponent < 0:
        return 1 / _power(base, -exponent)
    if exponent == 0:
        return base * 0 + 1
    if exponent == 1:
        return base
    half = _power(base, exponent // 2)
    square = abs(half) * abs(half) if isinstance(half, arb) else half * half
    return square * base if exponent % 2 else square


# ---------------------------------------------------------------------------------------------------------------------
# Power series


def _series(value: object) -> arb_series | None:
    """A series, or a number as one; else None."""
    if isinstance(value, arb_series):
        return value
    ends = _ends(value)
    # A number is a series that is known to any order: it must not cut the other.
    return None if ends is None else arb_series([_interval(ends)], sys.maxsize)


def _sum(x: arb_series, y: arb_series) -> arb_series:
    size = min(x.prec, y.prec)
    longest = min(size, max(len(x.c), len(y.c)))
    return arb_series([x[k] + y[k] for k in range(longest)], size)


def _product(x: arb_series, y: arb_series) -> arb_series:
    size = min(x.prec, y.prec)
    product = [arb(0)] * min(size, max(0, len(x.c) + len(y.c) - 1))
    # Series in formulas are short, and their zeros exact: both would be lost by multiplying them out. But 0 times a
    # coefficient of which nothing is known, as it may have no value, is not 0.
    unknown = any(c.ends == WHOLE for c in (*x.c, *y.c))
    sparse = [(j, b) for j, b in enumerate(y.c) if unknown or not _is_point_zero(b)]
    for i, a in enumerate(x.c[: len(product)]):
        if _is_point_zero(a) and not unknown:
            continue
        for j, b in sparse:
            if i + j >= len(product):
                break
            product[i + j] = product[i + j] + a * b
    return arb_series(product, size)


def _where_defined(y: list[arb], prec: int) -> arb_series:
    # Where the constant has no value the function may have none, and so no slope: not even the slope 0 of what is fixed.
    unknown = bool(y) and y[0].ends == WHOLE
    return arb_series([_interval(WHOLE)] * prec if unknown else y, prec)


def _ratio_of_series(x: arb_series, y: arb_series) -> arb_series:
    size = min(x.prec, y.prec)
    quotient: list[arb] = []
    sparse = [(j, b) for j, b in enumerate(y.c) if j and not _is_point_zero(b)]
    # By a constant a polynomial stays as short as it is.
    for k in range(size if len(y.c) > 1 else min(size, len(x.c))):
        rest = x[k]
        for j, b in sparse:
            if j > k:
                break
            rest = rest - quotient[k - j] * b
        quotient.append(rest / y[0])
    return arb_series(quotient, size)


class arb_series:  # noqa: N801 -- flint's name
    """sum_{k < prec} c_k s^k with intervals c_k; what two series share in length is the length of their result.

    Raises TypeError for coefficients that are no numbers.
    """

    __slots__ = ("c", "prec")
    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __init__(self, coefficients: Any = (), prec: int | None = None) -> None:
        if isinstance(coefficients, arb_series):
            given: list[Any] = coefficients.c
        else:
            given = list(coefficients) if isinstance(coefficients, Iterable) else [coefficients]
        self.prec = ctx.cap if prec is None else int(prec)
        self.c: list[arb] = [c if isinstance(c, arb) else arb(c) for c in given[: self.prec]]

    def __getitem__(self, k: int) -> arb:
        return self.c[k] if 0 <= k < len(self.c) else arb(0)

    __iter__: ClassVar[None] = None
    __add__, __radd__ = operation(_series, _sum)
    __sub__, __rsub__ = operation(_series, lambda x, y: _sum(x, -y))
    __mul__, __rmul__ = operation(_series, _product)
    __truediv__, __rtruediv__ = operation(_series, _ratio_of_series)

    def _compared(self, other: object) -> bool:
        """Which of two functions is larger, or whether they are equal, a first coefficient does not tell: open."""
        return _series(other) is not None and _doubt()

    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _compared

    def __bool__(self) -> bool:
        return not _doubt()

    def coeffs(self) -> list[arb]:
        """The coefficients; those that are missing are zero."""
        return list(self.c)

    def length(self) -> int:
        """How many coefficients are held."""
        return len(self.c)

    def __neg__(self) -> arb_series:
        return arb_series([-c for c in self.c], self.prec)

    def __pos__(self) -> arb_series:
        return self

    def __pow__(self, exponent: Any) -> Any:
        if isinstance(exponent, Integral):
            return _power(self, int(exponent))
        return NotImplemented if _ends(exponent) is None else (self.log() * exponent).exp()

    def __call__(self, inner: Any) -> Any:
        """The series at a number, read as a polynomial, or composed with a series without constant term."""
        # Else every coefficient of the result would need all of the series.
        if isinstance(inner, arb_series) and not _is_point_zero(inner[0]):
            raise ValueError("a series is composed with a series that begins at order 1")
        value: Any = arb_series([], min(self.prec, inner.prec)) if isinstance(inner, arb_series) else arb(0)
        for c in reversed(self.c):
            value = value * inner + c
        return value

    def __repr__(self) -> str:
        return f"arb_series({self.c}, {self.prec})"

    def derivative(self) -> arb_series:
        """The derivative, one coefficient shorter."""
        return arb_series([k * c for k, c in enumerate(self.c)][1:], max(self.prec - 1, 0))

    def integral(self) -> arb_series:
        """The integral from 0."""
        return arb_series([arb(0), *(c / (k + 1) for k, c in enumerate(self.c))], self.prec + 1)

    def exp(self) -> arb_series:
        """y = e^x from y' = x' y."""
        y = [self[0].exp()][: self.prec]
        slopes = [(j, j * c) for j, c in enumerate(self.c) if j and not _is_point_zero(c)]
        for k in range(1, self.prec if slopes else len(y)):
            total = arb(0)
            for j, slope in slopes:
                if j > k:
                    break
                total = total + slope * y[k - j]
            y.append(total / k)
        return _where_defined(y, self.prec)

    def log(self) -> arb_series:
        """y = log x from y' = x' / x."""
        # The slope is known to one order less, its integral to all again.
        return self._from_slope(self[0].log(), self.derivative() / arb_series(self.c, max(self.prec - 1, 0)))

    def sqrt(self) -> arb_series:
        """y from y y = x, coefficient by coefficient."""
        # A series of length 0 holds nothing, not even its beginning.
        y = [self[0].sqrt()][: self.prec]
        for k in range(1, self.prec if len(self.c) > 1 else len(y)):
            rest = self[k]
            for j in range(1, k):
                rest = rest - y[j] * y[k - j]
            y.append(rest / (2 * y[0]))
        return _where_defined(y, self.prec)

    def _from_slope(self, constant: arb, slope: arb_series) -> arb_series:
        integral = slope.integral()
        return _where_defined([constant, *integral.c[1:]], self.prec)


# ---------------------------------------------------------------------------------------------------------------------
# Matrices


class fmpq_mat:  # noqa: N801 -- flint's name
    """A rational matrix from rows. Raises ValueError for rows of unequal length."""

    def __init__(self, rows: Sequence[Sequence[Any]]) -> None:
        self.rows = [[entry if isinstance(entry, fmpq) else fmpq(entry) for entry in row] for row in rows]
        if len({len(row) for row in self.rows}) > 1:
            raise ValueError("the rows of a matrix have one length")

    def nrows(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def ncols(self) -> int:
        """The number of columns."""
        return len(self.rows[0]) if self.rows else 0

    def tolist(self) -> list[list[fmpq]]:
        """The rows."""
        return [list(row) for row in self.rows]

    def __getitem__(self, index: tuple[int, int]) -> fmpq:
        return self.rows[index[0]][index[1]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, fmpq_mat) and self.rows == other.rows

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __mul__(self, other: fmpq_mat) -> fmpq_mat:
        # Rows and columns of unequal length would be paired as far as they go.
        if self.ncols() != other.nrows():
            raise ValueError(f"{self.ncols()} columns do not meet {other.nrows()} rows")
        # In integers, with one denominator for each row and column: a hundred times faster in many dimensions.
        rows, columns = (list(map(_over_common, matrix)) for matrix in (self.rows, other.transpose().rows))
        return fmpq_mat(
            [[fmpq(sum(map(operator.mul, a, b)), q * r) for b, r in columns] for a, q in rows],
        )

    def transpose(self) -> fmpq_mat:
        """The transpose."""
        return fmpq_mat([list(column) for column in zip(*self.rows, strict=True)])

    def det(self) -> fmpq:
        """The determinant. Raises ValueError for a matrix that is not square."""
        self._need_square()
        # Each row was multiplied by its denominators, and so was the determinant.
        rows, scales = zip(*map(_over_common, self.rows), strict=True)
        rank, determinant = _eliminate(list(rows), self.ncols())
        return fmpq(determinant if rank == self.ncols() else 0, math.prod(scales))

    def rank(self) -> int:
        """The rank."""
        return _eliminate([_over_common(row)[0] for row in self.rows], self.ncols())[0]

    def solve(self, right: fmpq_mat) -> fmpq_mat:
        """X with self X = right. Raises ZeroDivisionError for a singular matrix, ValueError for wrong shapes."""
        self._need_square()
        if right.nrows() != self.nrows():
            raise ValueError(f"{right.nrows()} rows on the right of {self.nrows()} equations")
        size = self.ncols()
        work = [_over_common([*row, *goal])[0] for row, goal in zip(self.rows, right.rows, strict=True)]
        if _eliminate(work, size)[0] < size:
            raise ZeroDivisionError("the matrix is singular")
        solution: list[list[fmpq]] = []
        # Only the elimination is in integers: what is put back are the solutions themselves.
        for i in reversed(range(size)):
            known = [
                sum(map(operator.mul, work[i][i + 1 : size], column), fmpq(0)) for column in zip(*solution, strict=True)
            ]
            known = known or [fmpq(0)] * right.ncols()
            solution.insert(0, [(goal - part) / work[i][i] for goal, part in zip(work[i][size:], known, strict=True)])
        return fmpq_mat(solution)

    def inv(self) -> fmpq_mat:
        """The inverse. Raises ZeroDivisionError for a singular matrix."""
        size = range(self.nrows())
        return self.solve(fmpq_mat([[fmpq(int(i == j)) for j in size] for i in size]))

    def numer_denom(self) -> tuple[list[list[fmpz]], fmpz]:
        """Integer rows and a common denominator."""
        common = math.lcm(*(entry.denominator for row in self.rows for entry in row))
        return [[fmpz(int(entry * common)) for entry in row] for row in self.rows], fmpz(common)

    def _need_square(self) -> None:
        if self.nrows() != self.ncols():
            raise ValueError(f"a square matrix is needed, not {self.nrows()} x {self.ncols()}")


def _over_common(row: Sequence[fmpq]) -> tuple[list[int], int]:
    """Integers and the denominator under all of them."""
    common = math.lcm(*(entry.denominator for entry in row))
    return [entry.numerator * (common // entry.denominator) for entry in row], common


def _eliminate(work: list[list[int]], columns: int) -> tuple[int, int]:
    """Bareiss on integer rows, to echelon form: the rank, and the determinant of the pivots with the sign of the exchanges.

    Every division is exact.
    """
    rank, sign, last = 0, 1, 1
    for column in range(columns):
        # Any pivot will do in integers; the first is the cheapest to find.
        place = next((i for i in range(rank, len(work)) if work[i][column]), None)
        if place is None:
            continue
        if place != rank:
            work[rank], work[place] = work[place], work[rank]
            sign = -sign
        chosen = work[rank]
        pivot = chosen[column]
        for i in range(rank + 1, len(work)):
            row, factor = work[i], work[i][column]
            rest = zip(row[column + 1 :], chosen[column + 1 :], strict=True)
            work[i] = [0] * (column + 1) + [(pivot * a - factor * b) // last for a, b in rest]
        rank, last = rank + 1, pivot
    return rank, sign * last


class arb_mat:  # noqa: N801 -- flint's name
    """An interval matrix of the shape (rows, columns) from its entries in order."""

    def __init__(self, rows: int, columns: int, entries: Sequence[Any]) -> None:
        if len(entries) != rows * columns:
            raise ValueError(f"{len(entries)} entries do not fill {rows} x {columns}")
        numbers = [entry if isinstance(entry, arb) else arb(entry) for entry in entries]
        self.rows = [numbers[i * columns : (i + 1) * columns] for i in range(rows)]

    def entries(self) -> list[arb]:
        """The entries in order."""
        return [entry for row in self.rows for entry in row]

    def tolist(self) -> list[list[arb]]:
        """The rows."""
        return [list(row) for row in self.rows]

    def __getitem__(self, index: tuple[int, int]) -> arb:
        return self.rows[index[0]][index[1]]

    def exp(self) -> arb_mat:
        """e^A. Raises ValueError for a matrix that is not square."""
        size = len(self.rows)
        if any(len(row) != size for row in self.rows):
            raise ValueError("only a square matrix has an exponential")
        grown = exponential([[entry.interval for entry in row] for row in self.rows])
        return arb_mat(size, size, [arb.of(entry) for row in grown for entry in row])


# ---------------------------------------------------------------------------------------------------------------------
# In the place of flint

NAMES = (fmpz, fmpq, arb, arb_series, fmpq_mat, arb_mat)


def stand_in_for_flint() -> None:
    """Make `import flint` in this process mean these numbers. Raises RuntimeError when flint itself is there already."""
    # A second call in the checker's own process is no error; flint itself in it is one.
    present = sys.modules.get("flint")
    if getattr(present, "ctx", None) is ctx:
        return
    if present is not None or any(name.startswith("flint.") for name in sys.modules):
        raise RuntimeError("flint is imported already: numbers that share no code with it need a process of their own")
    module = ModuleType("flint", "Numbers on fractions and mpmath's intervals in the place of flint.")
    module.__dict__.update({kind.__name__: kind for kind in NAMES}, ctx=ctx, COUNTS_DOUBTS=True)
    sys.modules["flint"] = module
