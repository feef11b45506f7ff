"""Intervals, truncated power series and dual numbers over mpmath's intervals, for the independent checker alone.

Written apart from flint and from :mod:`dynamics.trusted`, so that an error there is not repeated here. An *interval* is
`mpmath.iv.mpf`; operations round outward. An infinite end says nothing and stays infinite.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from mpmath import fp, iv
from mpmath.libmp import from_rational, fzero, mpi_add, mpi_mul, round_ceiling, round_floor

Interval = Any
"""`mpmath.iv.mpf`: a closed real interval, possibly with infinite ends."""

Number = Any
"""What a field is evaluated on: an Interval, a :class:`Series` or a :class:`Dual`."""

_ZERO = (fzero, fzero)

EXPONENT_CAP = 1 << 40
"""Exponentials beyond this argument are bounded by infinity, or below by zero: they would take all memory."""


@contextmanager
def interval_precision(bits: int) -> Iterator[None]:
    """Set the precision of mpmath's intervals and restore it."""
    before = iv.prec
    iv.prec = bits
    try:
        yield
    finally:
        iv.prec = before


def interval(value: Fraction | int) -> Interval:
    """An interval that contains the rational."""
    ratio = Fraction(value).as_integer_ratio()
    # Each end rounded once: a quotient of two intervals takes five times as long, and every number of a file comes by here.
    return iv.make_mpf((from_rational(*ratio, iv.prec, round_floor), from_rational(*ratio, iv.prec, round_ceiling)))


def between(low: Fraction, high: Fraction) -> Interval:
    """An interval that contains [low, high]."""
    return iv.mpf([interval(low).a, interval(high).b])


def symmetric(radius: Interval) -> Interval:
    """[-r, r] for the upper end r of a radius."""
    return iv.mpf([-radius.b, radius.b])


def upper(value: Interval) -> Interval:
    """The largest |x| of the interval, as a point."""
    return abs(value).b


def lower(value: Interval) -> Interval:
    """The smallest |x| of the interval, as a point."""
    return abs(value).a


def is_finite(value: Interval) -> bool:
    """Whether both ends are."""
    return bool(-iv.inf < value.a) and bool(value.b < iv.inf)


def at_most(x: Interval, y: Interval) -> bool:
    """Whether every member of x is at most every member of y."""
    return is_finite(x) and is_finite(y) and bool(x.b <= y.a)


def larger(x: Interval, y: Interval) -> Interval:
    """The interval of the larger of two numbers."""
    return iv.mpf([max(x.a, y.a), max(x.b, y.b)])


def is_zero(value: Interval) -> bool:
    """Whether this is exactly zero."""
    return bool(value._mpi_ == _ZERO)


def product_sum(x: Iterable[Interval], y: Iterable[Interval]) -> Interval:
    """sum_j x_j y_j over the shorter of the two, on the raw ends with exact products: a third of the time of `iv.mpf`."""
    bits, result = iv.prec, _ZERO
    for a, b in zip(x, y, strict=False):
        left, right = a._mpi_, b._mpi_
        if _ZERO not in (left, right):
            result = mpi_add(result, mpi_mul(left, right), bits)
    return iv.make_mpf(result)


def interval_exp(x: Interval) -> Interval:
    """exp of an interval, two units in the last place wider than mpmath's, which does not promise its last digit."""
    # Still at least 0: the upper end alone says nothing.
    if not is_finite(x) or x.b > EXPONENT_CAP:
        return iv.mpf([0, iv.inf])
    if x.b < -EXPONENT_CAP:
        return iv.mpf([0, iv.exp(iv.mpf(-EXPONENT_CAP)).b])
    low = iv.exp(x.a) if x.a > -EXPONENT_CAP else iv.mpf(0)
    ulp = iv.mpf(2) ** (3 - iv.prec)
    return iv.mpf([(low * (1 - ulp)).a, (iv.exp(x.b) * (1 + ulp)).b])


def interval_log(x: Interval) -> Interval:
    """log of an interval, a little wider than mpmath's. Raises ValueError unless the interval is positive."""
    if not (is_finite(x) and x.a > 0):
        raise ValueError(f"the logarithm of {x}, which is not certainly positive")
    ulp = iv.mpf(2) ** (3 - iv.prec)
    # Near 1 the logarithm is near 0, where a relative width is none: both are added.
    return iv.log(x) * iv.mpf([1 - ulp, 1 + ulp]) + symmetric(ulp)


def interval_sqrt(x: Interval) -> Interval:
    """The root of an interval. Raises ValueError unless the interval is nonnegative."""
    if not (is_finite(x) and x.a >= 0):
        raise ValueError(f"the square root of {x}, which is not certainly nonnegative")
    return iv.sqrt(x)


def norm(values: Sequence[Interval]) -> Interval:
    """The Euclidean norm of a vector of intervals."""
    total = iv.mpf(0)
    for value in values:
        # x * x would have negative members where x has both signs.
        total += abs(value) * abs(value)
    return iv.sqrt(total)


# ---------------------------------------------------------------------------------------------------------------------
# Power series and dual numbers


class Series:
    """sum_{k < N} c_k s^k with intervals c_k; N is the same for all operands."""

    __slots__ = ("c",)

    def __init__(self, coefficients: Sequence[Interval]) -> None:
        self.c = list(coefficients)

    def _lift(self, other: Number) -> Series:
        if isinstance(other, Series):
            return other
        return Series([other + iv.mpf(0), *(iv.mpf(0) for _ in self.c[1:])])

    def __add__(self, other: Number) -> Series:
        return Series([a + b for a, b in zip(self.c, self._lift(other).c, strict=True)])

    def __sub__(self, other: Number) -> Series:
        return Series([a - b for a, b in zip(self.c, self._lift(other).c, strict=True)])

    def __rsub__(self, other: Number) -> Series:
        return self._lift(other) - self

    def __neg__(self) -> Series:
        return Series([-a for a in self.c])

    def __mul__(self, other: Number) -> Series:
        if not isinstance(other, Series):
            return Series([a * other for a in self.c])
        backwards = other.c[::-1]
        product = [product_sum(self.c[: k + 1], backwards[len(backwards) - 1 - k :]) for k in range(len(self.c))]
        return Series(product)

    def __truediv__(self, other: Number) -> Series:
        if not isinstance(other, Series):
            return Series([a / other for a in self.c])
        quotient: list[Interval] = []
        for k, a in enumerate(self.c):
            quotient.append((a - product_sum(quotient, other.c[k:0:-1])) / other.c[0])
        return Series(quotient)

    def __rtruediv__(self, other: Number) -> Series:
        return self._lift(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def exp(self) -> Series:
        """y = e^x from y' = x' y."""
        y = [interval_exp(self.c[0])]
        slopes = [j * x for j, x in enumerate(self.c)]
        for k in range(1, len(self.c)):
            y.append(product_sum(slopes[1 : k + 1], y[::-1]) / k)
        return Series(y)

    def log(self) -> Series:
        """y = log x from x y' = x'. Raises ValueError unless x begins with a positive interval."""
        x, y = self.c, [interval_log(self.c[0])]
        for k in range(1, len(x)):
            rest = x[k] * k
            for j in range(1, k):
                rest -= j * y[j] * x[k - j]
            y.append(rest / (k * x[0]))
        return Series(y)

    def sqrt(self) -> Series:
        """y = sqrt x from y y = x. Raises ValueError unless x begins with a nonnegative interval."""
        y = [interval_sqrt(self.c[0])]
        for k in range(1, len(self.c)):
            rest = self.c[k]
            for j in range(1, k):
                rest -= y[j] * y[k - j]
            y.append(rest / (2 * y[0]))
        return Series(y)


class Dual:
    """A value and its gradient, {coordinate: derivative} without those that vanish: all intervals, or all series."""

    __slots__ = ("gradient", "value")

    def __init__(self, value: Number, gradient: dict[int, Number]) -> None:
        self.value, self.gradient = value, gradient

    def __add__(self, other: Number) -> Dual:
        if not isinstance(other, Dual):
            return Dual(self.value + other, self.gradient)
        return Dual(self.value + other.value, _merged(self.gradient, other.gradient))

    def __sub__(self, other: Number) -> Dual:
        return self + -other

    def __rsub__(self, other: Number) -> Dual:
        return -self + other

    def __neg__(self) -> Dual:
        return self * -1

    def __mul__(self, other: Number) -> Dual:
        if not isinstance(other, Dual):
            return Dual(self.value * other, _scaled(self.gradient, other))
        gradient = _merged(_scaled(self.gradient, other.value), _scaled(other.gradient, self.value))
        return Dual(self.value * other.value, gradient)

    def __truediv__(self, other: Number) -> Dual:
        if not isinstance(other, Dual):
            return Dual(self.value / other, {k: d / other for k, d in self.gradient.items()})
        quotient, inverse = self.value / other.value, 1 / other.value
        return Dual(quotient, _merged(_scaled(self.gradient, inverse), _scaled(other.gradient, -quotient * inverse)))

    def __rtruediv__(self, other: Number) -> Dual:
        return Dual(self.value * 0 + other, {}) / self

    __radd__, __rmul__ = __add__, __mul__

    def exp(self) -> Dual:
        """e^x."""
        value = exp(self.value)
        return Dual(value, _scaled(self.gradient, value))

    def log(self) -> Dual:
        """log x. Raises ValueError unless x is positive."""
        return Dual(log(self.value), _scaled(self.gradient, 1 / self.value))

    def sqrt(self) -> Dual:
        """The root of x. Raises ValueError unless x is nonnegative."""
        value = sqrt(self.value)
        return Dual(value, _scaled(self.gradient, 1 / (2 * value)))


def _scaled(gradient: dict[int, Number], factor: Number) -> dict[int, Number]:
    return {k: d * factor for k, d in gradient.items()}


def _merged(x: dict[int, Number], y: dict[int, Number]) -> dict[int, Number]:
    return x | {k: x[k] + d if k in x else d for k, d in y.items()}


def exp(x: Number) -> Number:
    """e^x of an interval, a series or a dual number."""
    return x.exp() if isinstance(x, Series | Dual) else interval_exp(x)


def log(x: Number) -> Number:
    """log x of a positive interval, series or dual number."""
    return x.log() if isinstance(x, Series | Dual) else interval_log(x)


def sqrt(x: Number) -> Number:
    """The root of a nonnegative interval, series or dual number."""
    return x.sqrt() if isinstance(x, Series | Dual) else interval_sqrt(x)


def leading(x: Number) -> Interval:
    """The value, or the constant coefficient."""
    return x.c[0] if isinstance(x, Series) else leading(x.value) if isinstance(x, Dual) else x


def total(values: Sequence[Number]) -> Number:
    """The sum of one or more numbers."""
    result = values[0]
    for value in values[1:]:
        result = value + result if isinstance(result, iv.mpf) else result + value
    return result


def shifted(row: Sequence[Interval], center: Interval, length: int) -> list[Interval]:
    """The first Taylor coefficients around the center of the polynomial with these coefficients, by repeated division."""
    bits, by = iv.prec, center._mpi_
    work = [value._mpi_ for value in row]
    for k in range(min(length, len(work))):
        for j in range(len(work) - 2, k - 1, -1):
            work[j] = mpi_add(work[j], mpi_mul(by, work[j + 1]), bits)
    return [*map(iv.make_mpf, work[:length]), *[iv.mpf(0)] * (length - len(work))]


def residuals(
    field: Callable[[Sequence[Number]], Sequence[Number]], rows: Sequence[Sequence[Interval]], length: int
) -> list[list[Interval]]:
    """Taylor coefficients of p' - F(p), so many, from those of p."""
    image = field([Series(row[:length]) for row in rows])
    return [
        [(k + 1) * row[k + 1] - value for k, value in enumerate(series.c)] for row, series in zip(rows, image, strict=True)
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Matrices


def dot(x: Sequence[Number], y: Sequence[Number]) -> Number:
    """sum_j x_j y_j of numbers of any of the kinds."""
    # An interval does not know the other kinds: it comes second.
    return total([b * a if isinstance(a, iv.mpf) else a * b for a, b in zip(x, y, strict=True)])


def times(A: Sequence[Sequence[Number]], B: Sequence[Sequence[Number]]) -> list[list[Number]]:
    """A B."""
    columns = list(zip(*B, strict=True))
    return [[dot(row, column) for column in columns] for row in A]


def row_sums(matrix: Sequence[Sequence[Interval]]) -> Interval:
    """A point at least every row's sum of absolute values."""
    largest = iv.mpf(0)
    for row in matrix:
        largest = larger(largest, total([upper(entry) for entry in row])).b
    return largest


def exponential(matrix: Sequence[Sequence[Interval]]) -> list[list[Interval]]:
    """e^A: A halved until its row sums are at most 1/2, the Taylor series with its remainder, and squared again."""
    size = range(len(matrix))
    bound = row_sums(matrix)
    if not at_most(bound, iv.mpf(1 << 60)):
        return [[iv.mpf([-iv.inf, iv.inf]) for _ in size] for _ in size]
    halvings = max(0, math.frexp(float(bound.b))[1] + 1)
    # Each squaring loses a bit or two.
    with interval_precision(iv.prec + 4 * halvings + 16):
        scaled = [[entry / 2**halvings for entry in row] for row in matrix]
        q = row_sums(scaled)
        result = [[iv.mpf(int(i == j)) for j in size] for i in size]
        term, beyond, terms = result, iv.mpf(1), 1
        while not beyond < iv.mpf(2) ** -iv.prec:
            term = [[entry / terms for entry in row] for row in times(term, scaled)]
            result = [[x + y for x, y in zip(old, new, strict=True)] for old, new in zip(result, term, strict=True)]
            beyond = beyond * q / terms
            terms += 1
        # The terms left out: q^K/K! (1 + q/(K + 1) + ...) <= 2 q^K/K!.
        tail = symmetric(2 * beyond * q / terms)
        result = [[entry + tail for entry in row] for row in result]
        for _ in range(halvings):
            result = times(result, result)
    return [[entry + 0 for entry in row] for row in result]


# ---------------------------------------------------------------------------------------------------------------------
# Eigenvalues


def largest_eigenvalue(matrix: Sequence[Sequence[Interval]]) -> Interval:
    """A point at least the largest eigenvalue of every symmetric member of a matrix of intervals.

    A guess from the middle is proved by elimination: mu I - A has positive pivots. Gershgorin's bound where that fails.
    """
    size = len(matrix)
    if size == 1:
        return matrix[0][0].b
    rows = [total([matrix[i][i].b, *(upper(matrix[i][j]) for j in range(size) if j != i)]).b for i in range(size)]
    bound = rows[0]
    for row in rows[1:]:
        bound = larger(bound, row)
    if not is_finite(bound):
        return bound
    try:
        middle = [[float(entry.mid.a) for entry in line] for line in matrix]
        # A matrix of intervals has symmetric members, and need not look symmetric.
        halves = [[(middle[i][j] + middle[j][i]) / 2 for j in range(size)] for i in range(size)]
        guess = max(fp.eigsy(fp.matrix(halves), eigvals_only=True))
        radius = max(float(total([entry.delta for entry in line]).b) for line in matrix)
    except (ArithmeticError, RuntimeError, ValueError):  # out of range, or no convergence
        return bound
    scale = max(abs(entry) for line in middle for entry in line)
    # First as tight as the intervals are wide, then with room for what elimination loses.
    candidates = [guess + reach for reach in (radius / 2 + scale * 2.0**-40, 2 * radius + scale * 2.0**-20)]
    for candidate in filter(math.isfinite, candidates):
        point = iv.mpf(candidate)
        # Where Gershgorin's bound is as good no elimination is needed.
        if point.b < bound.a and _positive_definite(
            [[(point if i == j else 0) - matrix[i][j] for j in range(size)] for i in range(size)]
        ):
            return point.b
    return bound


def _positive_definite(matrix: list[list[Interval]]) -> bool:
    """Whether elimination without pivoting meets only positive pivots: then every symmetric member is positive definite."""
    size = len(matrix)
    work = [list(row) for row in matrix]
    for k in range(size):
        if not (is_finite(work[k][k]) and work[k][k].a > 0):
            return False
        for i in range(k + 1, size):
            factor = work[i][k] / work[k][k]
            for j in range(k + 1, size):
                work[i][j] = work[i][j] - factor * work[k][j]
    return True


def logarithmic_norm(matrix: Sequence[Sequence[Interval]]) -> Interval:
    """A point at least the largest eigenvalue of (A + A^T) / 2 for every member A of a square matrix of intervals."""
    size = range(len(matrix))
    return largest_eigenvalue([[(matrix[i][j] + matrix[j][i]) / 2 for j in size] for i in size])


def spectral_norm(matrix: Sequence[Sequence[Interval]]) -> Interval:
    """A point at least |A|_2 for every member of a matrix of intervals, from the largest eigenvalue of A^T A."""
    if len(matrix) == len(matrix[0]) == 1:
        return upper(matrix[0][0])
    columns = range(len(matrix[0]))
    # Blocks that do not couple are the rule.
    if all(is_zero(entry) for row in matrix for entry in row):
        return iv.mpf(0)
    square = largest_eigenvalue([[total([row[i] * row[j] for row in matrix]) for j in columns] for i in columns])
    return iv.sqrt(larger(square, iv.mpf(0))).b


Blocks = Sequence[tuple[int, ...]]
"""A partition of the coordinates; errors are measured in the Euclidean norm of each block."""


def comparison(derivative: list[dict[int, Interval]], blocks: Blocks) -> list[list[Interval]]:
    """A: logarithmic norms of the diagonal blocks of DF, and norms of the others, as points above."""
    matrix = []
    for block in blocks:
        line = []
        for other in blocks:
            part = [[derivative[i].get(j, iv.mpf(0)) for j in other] for i in block]
            line.append((logarithmic_norm(part) if other == block else spectral_norm(part)).b)
        matrix.append(line)
    return matrix
