"""The numbers a formula runs on, and the few operations that differ between them.

Fields, step maps and slacks are written once over NumPy arrays. They run on

==================  ===========================================  =========================================
numbers             array                                        used to
==================  ===========================================  =========================================
float64             ``float64``, any leading batch axes          propose, 10^5 starts at once
multiprecision      objects ``mpmath.mpf``                       follow weights as small as 1e-400000
exact, else balls   objects ``flint.fmpq`` and ``flint.arb``     decide
closed forms        objects of :mod:`dynamics.trusted`           decide what balls leave open
ball power series   objects ``flint.arb_series``                 Taylor coefficients of a flow
==================  ===========================================  =========================================

Rationals and balls are one arithmetic, not two. An instance is rational and stays rational through ``+ - * /``; the
first transcendental function turns a number into a ball at the working precision, and only that number. So a hardmax
step is decided exactly, two coincident tokens have difference exactly zero, and equal scores have softmax exactly 1/n,
by the same lines that enclose everything else.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, cast

import flint
import mpmath
import numpy as np
import scipy  # its parts are loaded when they are used
from flint import arb, arb_mat, arb_series, fmpq, fmpq_mat

from dynamics.choices import (
    Guarded,
    SelfAnswering,
    ball,
    foreign,
    guarded,
    guarding,
    height,
    kinds,
    look,
    of_rational,
    plain,
    refuse_choice,
    stands_for_itself,
)
from dynamics.choices import UndecidedError as UndecidedError  # noqa: PLC0414 -- where everybody takes it from
from dynamics.strict_reading import TooLargeError, read_number

Array = np.ndarray[Any, Any]


class DisagreementError(UndecidedError):
    """The members of a batch answer a comparison differently; `yes`, shape (batch,), marks those that answer yes."""

    def __init__(self, yes: Array) -> None:
        super().__init__("the members of a batch do not agree")
        self.yes = yes


@contextmanager
def working_precision(bits: int) -> Iterator[None]:
    """Set the precision of balls and of multiprecision numbers to `bits`, and restore both afterwards.

    Raises ValueError when `bits` is below 2.
    """
    if bits < 2:
        raise ValueError(f"a precision of {bits} bits is impossible: at least 2 are needed")
    # Each of the two is put back to what it was: a caller may have set that of one library alone.
    before = flint.ctx.prec, mpmath.mp.prec
    flint.ctx.prec, mpmath.mp.prec = bits, bits
    try:
        yield
    finally:
        flint.ctx.prec, mpmath.mp.prec = before


# ---------------------------------------------------------------------------------------------------------------------
# Conversion


def precisions(lowest: int, highest: int, factor: int = 4) -> Iterator[int]:
    """The precisions in bits that are tried until a comparison is decided: from `lowest`, each `factor` times the last."""
    bits = lowest
    while bits <= highest:
        yield bits
        bits *= factor


def rational(value: object) -> fmpq:
    """The exact rational that `value` denotes: an int, a Fraction, a finite float (a dyadic number) or text like "p/q".

    Raises ValueError for anything that is not a finite number, and for text beyond the limits of
    :mod:`dynamics.strict_reading`.
    """
    if type(value) is fmpq:
        return value
    if isinstance(value, SelfAnswering):
        value = float(cast("Any", value))  # which it refuses, and remembers: it may not pass for bad input
    if isinstance(value, fmpq):
        return value
    if type(value) is int:
        return fmpq(value)
    # A truth value is an int to Python: a condition that stands where a number is meant would pass as 0 or 1.
    if isinstance(value, bool | np.bool_):
        raise ValueError(f"{value!r} is not a number")  # noqa: TRY004 -- bad input, whatever its type
    # Not by float(): an int64 above 2^53 would lose its last digits.
    if isinstance(value, np.generic):
        value = value.item()
    try:
        exact = read_number(value) if isinstance(value, str) else Fraction(value)  # type: ignore[call-overload]
    except TooLargeError as error:
        raise ValueError(f"{reprlib.repr(value)} {error}") from None
    except (TypeError, ValueError, OverflowError):
        text = f"{reprlib.repr(value)} is not a finite number (write an integer, a decimal or 'p/q')"
        raise ValueError(text) from None
    return fmpq(exact.numerator, exact.denominator)


def exact(values: object) -> Array:
    """An object array of exact rationals, from an array or nested sequences of whatever :func:`rational` reads."""
    array = np.asarray(values, dtype=object)
    found = kinds(array)
    if found == {fmpq}:
        # A copy: a system makes its arrays read-only, and those of the caller are not its own.
        return numbers(array.copy())
    if any(issubclass(kind, list | tuple) for kind in found):
        lengths = [str(len(entry)) if isinstance(entry, list | tuple) else "no list" for entry in array.flat]
        raise ValueError(f"its rows are ragged: {reprlib.repr(lengths)}; every row needs as many entries".replace("'", ""))
    return elementwise(rational, array)


def fraction(value: fmpq | int) -> Fraction:
    """The same rational as a Python Fraction; a whole number, too, as a slack may be one."""
    if not isinstance(value, fmpq):
        return Fraction(int(value))
    return Fraction(int(value.p), int(value.q))


def inverse_root(square: fmpq, places: int, bits: int) -> fmpq:
    """1 / sqrt(square) of a positive rational, rounded to a multiple of 2^-places, or of less: to 2^-bits of itself."""
    exact_square = fraction(square)
    p, q = exact_square.numerator, exact_square.denominator
    # square < 2^(exponent + 1), so that the root is more than 2^(bits - 1) of the parts it is rounded to.
    exponent = p.bit_length() - q.bit_length()
    places = max(places, bits + exponent // 2)
    doubled = math.isqrt((q << 2 * places + 2) // p)
    return fmpq((doubled + 1) // 2, 1 << places)


class Numbers(np.ndarray[Any, Any]):
    """An array whose scalars stay 0-d arrays, and which computes with a constant in its own arithmetic.

    A plain array unboxes the result of a sum or of 0-d arithmetic, and NumPy then takes a bare power series, which has a
    length and entries, for a list of numbers and broadcasts over its coefficients. Rationals and floats do not add: so
    fmpq(1, 10) is the nearest float beside floats, and 0.5 the rational beside exact numbers.
    """

    __slots__ = ()

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array.view(Numbers)


def _constant(value: Any, array: Array) -> Any:
    """A number, in the arithmetic of the array that it meets. Raises ForeignNumberError for 0.1 beside exact numbers."""
    kind = type(value)
    if kind is not fmpq and not issubclass(kind, float):
        return value
    if array.dtype.kind == "f":
        return float(fraction(value)) if kind is fmpq else value
    # Asked of the type: numbers that answer themselves tell no other.
    met = type(array.flat[0]) if array.dtype == object and array.size else None
    rounded = met is not None and issubclass(met, float | mpmath.mpf)
    if kind is fmpq:
        return mpmath.mpf(int(value.p)) / int(value.q) if rounded else value
    if rounded or met is None:
        return value
    if not stands_for_itself(value):
        return value if issubclass(met, SelfAnswering) else refuse_choice(foreign(value))
    return fmpq(*value.as_integer_ratio())


def _meeting(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def met(self: Array, other: Any) -> Any:
        # Two of these have met their constants already; to look for one in every array would cost more than small arrays
        # do.
        return operation(self, other if type(other) is Numbers else _constant(other, self))

    return met


for _name in ("add", "sub", "mul", "truediv", "lt", "le", "gt", "ge", "eq", "ne", "radd", "rsub", "rmul", "rtruediv"):
    setattr(Numbers, f"__{_name}__", _meeting(getattr(np.ndarray, f"__{_name}__")))
Numbers.__hash__ = None


def numbers(value: Any) -> Array:
    """The array, or a 0-d array around a scalar, as :class:`Numbers`."""
    if type(value) is Numbers:
        return value
    if issubclass(type(value), np.ndarray):  # asked of the type: numbers that answer themselves tell no other
        return cast("Array", value).view(Numbers)
    box = np.empty((), dtype=float if issubclass(type(value), float) else object)
    box[()] = value
    return box.view(Numbers)


def elementwise(function: Callable[[Any], Any], x: Array) -> Array:
    """Apply a scalar function to an object array, keeping a 0-d array an array."""
    return numbers(np.frompyfunc(function, 1, 1)(x) if x.shape else function(x.item()))


class Arithmetic:
    """A kind of number that an exact instance can be turned into; `convert` does so for an array of rationals."""

    # No dataclass: where a formula is recorded those are taken apart, and the recorder would go on into `convert`.
    def __init__(self, convert: Callable[[Array], Array]) -> None:
        self.convert = convert


def _nearest_floats(values: Array) -> Array:
    # Integers divide correctly rounded, whatever their size; float(p) / float(q) would round three times, or overflow.
    return elementwise(lambda q: int(q.p) / int(q.q) if isinstance(q, fmpq) else float(q), values).astype(float)


FLOAT64 = Arithmetic(_nearest_floats)
"""Double precision: fast, vectorised over leading axes, never a verdict. Raises OverflowError for a number beyond it."""

MULTIPRECISION = Arithmetic(lambda values: elementwise(lambda q: mpmath.mpf(int(q.p)) / int(q.q), values))
"""mpmath numbers at the precision set by :func:`working_precision`."""

EXACT = Arithmetic(lambda values: values)
"""Rationals, and balls from the first transcendental function on."""


def _member_wise(operation: Callable[..., Any], reflected: bool = False) -> Any:
    """An operation of a column with a number, or of a number with a column."""

    def apply(self: Column, other: Any) -> Any:
        operand = _float_operand(other)
        if operand is None:
            return NotImplemented
        return Column(operation(operand, self.values) if reflected else operation(self.values, operand))

    return apply


def _of_each(function: Callable[[Any], Any]) -> Any:
    return lambda self: Column(function(self.values))


def _agreed(comparison: Callable[..., Any]) -> Any:
    """A comparison that all members answer alike."""

    def compare(self: Column, other: Any) -> Any:
        operand = _float_operand(other)
        if operand is None:
            return NotImplemented
        answers = comparison(self.values, operand)
        # A formula goes one way: what hunts splits the batch by `yes`, and runs it once for each part.
        if answers.any() and not answers.all():
            raise DisagreementError(answers)
        return bool(answers.all())

    return compare


class Column:
    """One float64 for each member of a batch, treated as a single number that an object array of one instance may hold.

    A formula written for one instance, with `u[0]` its leading value, then runs on a whole batch, rational constants
    included. A comparison has an answer where all members agree on it, and raises DisagreementError where they do not.
    """

    __slots__ = ("values",)
    takes_balls = True

    def __init__(self, values: Any) -> None:
        self.values: Array = np.asarray(values, dtype=float)

    __add__ = __radd__ = _member_wise(np.add)
    __mul__ = __rmul__ = _member_wise(np.multiply)
    __sub__, __rsub__ = _member_wise(np.subtract), _member_wise(np.subtract, reflected=True)
    __truediv__, __rtruediv__ = _member_wise(np.divide), _member_wise(np.divide, reflected=True)
    __pow__ = _member_wise(np.power)
    __lt__, __le__, __eq__ = _agreed(np.less), _agreed(np.less_equal), _agreed(np.equal)
    __gt__, __ge__, __ne__ = _agreed(np.greater), _agreed(np.greater_equal), _agreed(np.not_equal)
    __hash__ = None  # type: ignore[assignment]

    def __neg__(self) -> Column:
        return Column(-self.values)

    def __abs__(self) -> Column:
        return Column(abs(self.values))

    def __float__(self) -> float:
        """The number of a batch of one. Raises UndecidedError for several."""
        if self.values.size != 1:
            raise UndecidedError("a batch is many numbers")
        return float(self.values.item())

    # NaN where a member has none: such a member is no start to propose, and the others go on.
    exp, log, log1p, sqrt = (_of_each(function) for function in (np.exp, np.log, np.log1p, np.sqrt))


def _float_operand(value: Any) -> Any:
    """The operand as a column uses it: an array or a float; None for an unknown type."""
    if isinstance(value, Column):
        return value.values
    if isinstance(value, fmpq):
        return float(fraction(value))
    if isinstance(value, int | float | np.integer | np.floating):
        return float(value)
    # The middle of a ball will do: a batch proposes, and nothing that it says is kept undecided by it.
    return float(height(value)) if isinstance(value, arb | Guarded) else None


def are_rational(row: Array) -> bool:
    """Whether an object array holds rationals alone: Python's own comparisons decide then, and are far quicker."""
    return kinds(row) == {fmpq}


def has_columns(row: Array) -> bool:
    """Whether an object array holds a number for each member of a batch."""
    return any(issubclass(kind, Column) for kind in kinds(row))


def _highest(row: Array) -> Column:
    """The largest of numbers and columns, member by member."""
    return Column(np.maximum.reduce(np.broadcast_arrays(*(_float_operand(value) for value in row))))


# ---------------------------------------------------------------------------------------------------------------------
# Transcendental functions


def _function(name: str, of_rational: Callable[[fmpq], Any], from_zero: str = "") -> Callable[[Any], Any]:
    """A function of single numbers, `name` in flint and mpmath; `from_zero` is what it is called where it begins at 0."""

    def apply(x: Any) -> Any:
        if isinstance(x, SelfAnswering):
            return getattr(x, name)()
        x = fmpq(x) if isinstance(x, int) else x
        if from_zero and isinstance(x, fmpq | mpmath.mpf) and x < 0:
            # mpmath would go on with a complex number, and a ball be NaN, of which nobody learns why.
            raise ValueError(f"{from_zero} of the negative number {x}")
        if isinstance(x, mpmath.mpf):
            found = getattr(mpmath, name)(x)
            return found.real if from_zero else found  # the branch of W that is real there is typed complex
        return of_rational(x) if isinstance(x, fmpq) else getattr(x, name)()

    return apply


def _root_of_rational(q: fmpq) -> Any:
    # In lowest terms a quotient is a square just where both parts are.
    over, under = q.p.isqrt(), q.q.isqrt()
    return fmpq(over, under) if over * over == q.p and under * under == q.q else of_rational("sqrt", q)


# An exact 1 or 0 where the value is one: then coincident tokens keep a difference of exactly 0, and no ball is made of it.
_exp = _function("exp", lambda q: fmpq(1) if q == 0 else of_rational("exp", q))
_log = _function("log", lambda q: fmpq(0) if q == 1 else of_rational("log", q))
_sqrt = _function("sqrt", _root_of_rational, "square root")
_lambert_w = _function("lambertw", lambda q: fmpq(0) if q == 0 else ball(q).lambertw(), "Lambert's W")


def _each(of_floats: Callable[[Array], Array], of_number: Callable[[Any], Any], x: Array) -> Array:
    x = numbers(x)
    if x.dtype.kind in "iub" and guarding():
        # Whole numbers of the machine are exact: NumPy would make floats of them, which compare unnoticed.
        x = x.astype(int).astype(object)
    return numbers(of_floats(x)) if x.dtype != object else elementwise(of_number, x)


def exp(x: Array) -> Array:
    """Elementwise exponential in any arithmetic; exactly 1 at an exact 0."""
    return _each(np.exp, _exp, x)


def log(x: Array) -> Array:
    """Elementwise natural logarithm in any arithmetic; exactly 0 at an exact 1."""
    return _each(np.log, _log, x)


def lambert_w(x: Array) -> Array:
    """The w >= 0 with w e^w = x >= 0, elementwise in any arithmetic; exactly 0 at an exact 0.

    Raises ValueError for a negative rational or multiprecision number.
    """
    return _each(lambda floats: scipy.special.lambertw(floats).real, _lambert_w, x)


def exp_difference(x: Array, y: Array) -> Array:
    """exp(x) - exp(y) as exp(y) (exp(x - y) - 1): exactly zero, in any arithmetic, where x and y are exactly equal."""
    return numbers(exp(y) * (exp(x - y) - 1))


def sqrt(x: Array) -> Array:
    """Elementwise square root in any arithmetic; exact at exact squares."""
    return _each(np.sqrt, _sqrt, x)


def transposed(x: Array) -> Array:
    """The transposes of matrices (..., a, b), as a copy.

    Measured: small products with a transposed view take twice as long; and for x @ x^T NumPy takes a shortcut that gives
    two identical tokens scores that differ in the last bit.
    """
    return numbers(x.swapaxes(-1, -2).copy())


def inverse(A: Array) -> Array:
    """The inverses of matrices (..., d, d) of floats, or of one of mpmath numbers or rationals.

    Raises ZeroDivisionError, or for floats numpy.linalg.LinAlgError, for a singular matrix.
    """
    if A.dtype != object:
        return numbers(np.linalg.inv(A))
    if issubclass(type(A.flat[0]), mpmath.mpf):
        return numbers(np.array((mpmath.matrix(A.tolist()) ** -1).tolist(), dtype=object))
    if answers_itself(A):
        d = len(A)
        # By cofactors: elimination would have to choose pivots, and a choice is a comparison; one division is all there is.
        minors = [[determinant(np.delete(np.delete(A, j, 0), i, 1)) for j in range(d)] for i in range(d)]
        signs = [[(-1) ** (i + j) for j in range(d)] for i in range(d)]
        return numbers(np.array(minors, dtype=object) * np.array(signs, dtype=object) / determinant(A))
    return exact(fmpq_mat(A.tolist()).inv().tolist())


def determinant(A: Array) -> Any:
    """The determinant of a matrix (d, d) of rationals, or of numbers that answer themselves; 1 for d = 0."""
    if not answers_itself(A):
        return fmpq_mat(A.tolist()).det()
    # Along the first row, for the same reason: no pivot is compared with zero.
    below = A[1:]
    return sum((-1) ** j * top * determinant(np.delete(below, j, 1)) for j, top in enumerate(A[0]))


def answers_itself(x: Array) -> bool:
    """Whether an object array holds numbers that answer their own comparisons, :class:`dynamics.choices.SelfAnswering`."""
    return any(issubclass(kind, SelfAnswering) for kind in kinds(x))


def matrix_exponential(V: Array, t: Array) -> Array:
    """e^{tV} for V of shape (..., d, d) and t of shape (...), in any arithmetic."""
    t = numbers(t)
    if V.dtype == object and any(issubclass(kind, Guarded) for kind in kinds(V) | kinds(t)):
        # Whatever is compared on the way here, either way of computing is right.
        return numbers(guarded(matrix_exponential(numbers(plain(V)), numbers(plain(t)))))
    d = V.shape[-1]
    eye = indicator(np.eye(d, dtype=bool), V)
    # Entry by entry the exponential of an exact 0 is an exact 1, and what stands off the diagonal an exact 0.
    if V.ndim == 2 and all(V[i, j] == 0 for i in range(d) for j in range(d) if i != j):
        return exp(t[..., None] * V[range(d), range(d)])[..., None] * eye
    if V.dtype != object:
        product = np.asarray(t[..., None, None] * V)
        return numbers(_exponentials(product.reshape(-1, d, d)).reshape(product.shape))
    time = t.item()
    if issubclass(type(time), arb_series):
        # e^{t_0 V} sum_k (t - t_0)^k V^k / k!, where t - t_0 begins at order 1 exactly, even for a ball t_0.
        shift = arb_series([0, *time.coeffs()[1:]], time.prec)
        powers = [eye]
        for k in range(1, time.prec):
            powers.append(powers[-1] @ V / k)
        grown = [arb_series([arb(power[i, j]) for power in powers], time.prec) for i in range(d) for j in range(d)]
        composed = np.empty(d * d, dtype=object)
        for index, entry in enumerate(grown):
            composed[index] = entry(shift)
        return matrix_exponential(V, numbers(time[0])) @ numbers(composed.reshape(d, d))
    product = time * V
    if issubclass(type(time), mpmath.mpf):
        entries = mpmath.expm(mpmath.matrix(product.tolist())).tolist()
    else:
        entries = [ball(entry) for entry in arb_mat(d, d, [arb(entry) for entry in product.flat]).exp().entries()]
    return np.array(entries, dtype=object).reshape(d, d).view(Numbers)


def _exponentials(A: Array) -> Array:
    """e^A of a stack of small matrices (n, d, d): Taylor's polynomial of A / 2^k with |A / 2^k| <= 1/4, squared k times.

    Diagonal ones are taken entry by entry. Measured: as accurate as SciPy's, which takes the matrices of a stack one by
    one, and some ten times faster on 256 of size 2.
    """
    size = np.abs(A).sum(axis=-1).max(axis=-1)
    # A matrix that is not finite is not scaled, and stays what it is: NaN.
    halvings = np.ceil(np.log2(np.maximum(np.where(np.isfinite(size), size, 0) * 4, 1)))[..., None, None]
    scaled = A * 2.0**-halvings
    eye = np.eye(A.shape[-1])
    # Twelve terms: the next is at most (1/4)^13 / 13! = 2.4e-18, less than what one rounding changes.
    grown = eye + scaled / 12
    for k in range(11, 0, -1):
        grown = eye + scaled @ grown / k
    for k in range(int(halvings.max(initial=0))):
        grown = np.where(halvings > k, grown @ grown, grown)
    diagonal = (eye * A == A).all(axis=(-2, -1))
    grown[diagonal] = eye * np.exp(np.diagonal(A[diagonal], axis1=-2, axis2=-1))[..., None]
    return grown


# ---------------------------------------------------------------------------------------------------------------------
# Comparison


def sign(x: Any) -> int | None:
    """The sign of a number, -1, 0 or 1, or None if the number is one of flint's balls and its sign is open.

    NaN and infinite balls give None. A guarded ball or series with an open sign raises UndecidedError: what a formula
    does next would be a choice. Raises TypeError for anything but a number, even for an array around one, and
    DisagreementError for a column of several signs.
    """
    if isinstance(x, SelfAnswering | Guarded):
        return 0 if x == 0 else 1 if cast("Any", x) > 0 else -1
    if isinstance(x, arb):
        if not x.is_finite():
            return None
        if x.is_zero():
            return 0
        return 1 if x > 0 else -1 if x < 0 else None
    if isinstance(x, fmpq | int):
        return (x > 0) - (x < 0)
    if isinstance(x, Column):
        # NaN as a sign of its own, 2: a batch that is NaN throughout agrees that its sign is open.
        signs = np.nan_to_num(np.sign(x.values), nan=2.0)
        alike = signs == signs.flat[0]
        if not alike.all():
            raise DisagreementError(alike)
        return int(signs.flat[0]) if signs.flat[0] < 2 else None
    if isinstance(x, float | mpmath.mpf):
        return None if x != x else int(x > 0) - int(x < 0)  # noqa: PLR0124 -- NaN
    raise TypeError(f"{type(x).__name__} has no sign")


def larger(x: Any, y: Any) -> Any:
    """The larger of two numbers: a ball that holds it where one is a ball.

    Raises KinkError beyond first order if neither of two series is certainly the larger.
    """
    # The guarded one of two is asked first: its maximum takes a ball of flint's, and flint's knows no guards.
    for kind in (Guarded, arb):
        for one, other in ((x, y), (y, x)):
            if issubclass(type(one), kind):
                return one.max(other)
    if issubclass(type(x), Column) or issubclass(type(y), Column):
        return _highest(np.array([x, y], dtype=object))
    return max(x, y)


def _largest(row: Array) -> Any:
    if are_rational(row):
        return max(row)
    if has_columns(row):
        return _highest(row)
    top = row[0]
    for value in row[1:]:
        top = larger(top, value)
    return top


def leading(x: Array) -> Array:
    """The midpoint of the first coefficient if entries are power series, else the numbers: enough to choose a shift."""
    if x.dtype != object or not issubclass(type(x.flat[0]), arb_series | Guarded):
        return x
    return elementwise(lambda value: height(value) if issubclass(type(plain(value)), arb_series) else value, x)


def any_summits(scores: Array) -> Array:
    """The index of an approximately largest entry of each row along the last axis, by the midpoints of balls, shape (...).

    Only where any choice gives a correct result, as in the shift of a softmax; :func:`summits` decides.
    """
    return _place_in_rows(scores, _any_summit)


def _place_in_rows(scores: Array, place: Callable[[Array], int]) -> Array:
    """The index of the largest entry of each row along the last axis, shape (...): by `place` for objects."""
    if scores.dtype != object:
        # Along a complex step the derivative is in the imaginary part: the choice is that of the point itself.
        return np.asarray(np.argmax(scores.real, axis=-1))
    rows = scores.reshape(-1, scores.shape[-1])
    return np.array([place(row) for row in rows], dtype=int).reshape(scores.shape[:-1])


def _any_summit(row: Array) -> int:
    if are_rational(row):
        return max(range(len(row)), key=row.__getitem__)
    if answers_itself(row):
        return 0
    heights = [height(value) for value in row]
    if len(set(map(type, heights))) > 1 and any(issubclass(type(one), arb) for one in heights):
        # Points beside points: a rational beside a point near it would be an open comparison.
        heights = [height(arb(one)) if issubclass(type(one), fmpq | int) else one for one in heights]
    return max(range(len(heights)), key=heights.__getitem__)


def below_any_summit(scores: Array) -> Array:
    """The scores minus an approximately largest one of their row: for uses, such as a softmax, where any choice is correct.

    Exactly zero at that one, even where it is a wide ball or a power series; no exponential of the others is large.
    """

    def differences(row: Array) -> list[Any]:
        summit = _any_summit(row)
        return [_nothing(score) if j == summit else score - row[summit] for j, score in enumerate(row)]

    return _below(scores, differences)


def _below(scores: Array, differences: Callable[[Array], list[Any]]) -> Array:
    """The scores less what is highest in their row, by `differences` where that is not known of each number."""
    if scores.dtype != object:
        return numbers(scores - peak(scores))
    rows = scores.reshape(-1, scores.shape[-1])
    below = np.empty(rows.shape, dtype=object)
    for i, row in enumerate(rows):
        if are_rational(row):
            below[i] = row - max(row)
        elif has_columns(row):
            below[i] = row - _highest(row)
        else:
            # One by one: NumPy would take a power series for a list of numbers.
            for j, difference in enumerate(differences(row)):
                below[i, j] = difference
    return numbers(below.reshape(scores.shape))


def _nothing(like: Any) -> Any:
    return 0 * like if issubclass(type(like), mpmath.mpf) else fmpq(0)


def summits(scores: Array) -> Array:
    """The index of the largest entry of each row along the last axis, shape (...); the first of several exactly equal ones.

    Raises UndecidedError where balls overlap.
    """
    return _place_in_rows(scores, _summit)


def _summit(row: Array) -> int:
    top = 0
    for j in range(1, len(row)):
        # flint's own balls would answer False both ways where they overlap; all others answer or raise by themselves.
        order = sign(row[j] - row[top]) if issubclass(type(row[j] - row[top]), arb) else int(row[j] > row[top])
        if order is None:
            raise UndecidedError(f"is {row[j]} > {row[top]}?")
        top = j if order > 0 else top
    return top


def peak(scores: Array) -> Array:
    """The largest entry along the last axis, shape (..., 1): a ball that holds it where entries are balls.

    Raises KinkError beyond first order if none of several series is certainly the largest.
    """
    if scores.dtype != object:
        # Measured: column by column is four times faster than a reduction along a short last axis.
        top = scores[..., :1].copy()
        for j in range(1, scores.shape[-1]):
            np.maximum(top, scores[..., j : j + 1], out=top)
        return numbers(top)
    rows = scores.reshape(-1, scores.shape[-1])
    top = np.empty(len(rows), dtype=object)
    for i, row in enumerate(rows):
        top[i] = _largest(row)
    return numbers(top.reshape(*scores.shape[:-1], 1))


def below_peak(scores: Array) -> Array:
    """The scores minus the largest of their row, in any arithmetic; exactly zero at a peak that is certain."""

    def differences(row: Array) -> list[Any]:
        near, found = _candidates(row), []
        for j, score in enumerate(row):
            # The least of all differences: tighter than the difference to the ball of the largest.
            of_score = [_nothing(score) if j == k else score - row[k] for k in near]
            found.append(-_largest(np.array([-one for one in of_score] + [None], dtype=object)[:-1]))
        return found

    return _below(scores, differences)


def _candidates(row: Array) -> list[int]:
    """Indices of a row among which is that of the largest entry, the likeliest first."""
    if answers_itself(row):
        return [_summit(row)]
    summit = _any_summit(row)
    return [summit, *(k for k in range(len(row)) if k != summit and not _is_below(row[k], row[summit]))]


def _is_below(x: Any, y: Any) -> bool:
    """Whether x is certainly at most y."""
    # Counted: on other balls other numbers may be near, and a field that counts nothing is run without guards.
    look()
    difference = plain(y - x)
    if issubclass(type(difference), arb_series):
        difference = difference[0]
    return bool(difference.is_finite() and difference >= 0) if issubclass(type(difference), arb) else bool(difference >= 0)


def at_most(x: Array, bound: Array) -> Array:
    """The boolean array x <= bound; raises UndecidedError where balls do not decide."""
    x, bound = np.broadcast_arrays(x, bound)
    if x.dtype != object:
        return np.asarray(x <= bound)

    if x.size and are_rational(x) and are_rational(bound):
        return np.asarray(x <= bound, dtype=bool)

    def decided(a: Any, b: Any) -> bool:
        if isinstance(a, SelfAnswering | Guarded) or isinstance(b, SelfAnswering | Guarded):
            return bool(a <= b)
        order = sign(a - b)
        if order is None:
            raise UndecidedError(f"is {a} <= {b}?")
        return order <= 0

    return np.asarray(np.frompyfunc(decided, 2, 1)(x, bound), dtype=bool)


def distinct(rows: Array) -> list[int]:
    """The index of the first of each set of equal rows, or numbers, of an array (n, ...): as many as differ.

    Equality is decided number by number. Raises UndecidedError where balls leave it open: what they are written as, or
    their hash, would count balls and not numbers.
    """
    if rows.dtype == object and rows.size and are_rational(rows):
        # Backwards, so that of equal rows the first is written last.
        places = {tuple(row): i for i, row in reversed(list(enumerate(rows.reshape(len(rows), -1))))}
        return sorted(places.values())
    first: list[int] = []
    for i, row in enumerate(rows):
        entries = np.asarray(row, dtype=object).flat
        if not any(all(map(_is_equal, entries, np.asarray(rows[j], dtype=object).flat)) for j in first):
            first.append(i)
    return first


def _is_equal(a: Any, b: Any) -> bool:
    if not (issubclass(type(a), arb) or issubclass(type(b), arb)):
        return bool(a == b)
    order = sign(a - b)
    if order is None:
        raise UndecidedError(f"is {a} = {b}?")
    return order == 0


def indicator(mask: Array, like: Array) -> Array:
    """1 where `mask` holds and 0 elsewhere, in the arithmetic of `like`."""
    if like.dtype != object:
        return numbers(mask.astype(float))
    one = mpmath.mpf(1) if issubclass(type(like.flat[0]), mpmath.mpf) else fmpq(1)
    return elementwise(lambda holds: one if holds else 0 * one, mask)
