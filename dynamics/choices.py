"""Guarded numbers: formulas run on them, so that no choice between overlapping balls passes unnoticed.

flint's `<` on overlapping balls is False both ways, `float` takes the middle, a power series compares by identity. A
formula of a claim or of a field therefore never sees flint's balls and series. It sees a :class:`Ball` or a
:class:`Series` around one:

- arithmetic and smooth functions are flint's own;
- a maximum, a minimum and an absolute value enclose: the ball of `max` holds the larger number, whichever it is;
- a comparison, equality, truth value, and with them NumPy's and Python's `max`, `sort`, `argmax`, `where`, ..., is answered
  where balls do not meet and otherwise raises :class:`UndecidedError`;
- `float`, `int`, `round` and what asks for the ball and not for the number in it (`mid`, `rad`, ...) always raise.

Whatever stays open is raised at the end of :func:`decided_choices`, too: no error that NumPy or a formula swallows is lost.

Along a trajectory a series stands for the states near its centre or, where its first coefficient is a ball of states, for
all of these. A comparison of series compares the first coefficients, and is the same at every state of a tube if it is
decided on the ball around the tube; section 13 of docs/certified_trajectories.md.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, NoReturn

import flint
import numpy as np
from flint import arb, arb_series, fmpq

# The checker puts numbers of its own in flint's place, and a guard around those would hide their count.
GUARDS_ITSELF = bool(getattr(flint, "COUNTS_DOUBTS", False))
"""Whether the numbers in use count their open comparisons themselves: those of the independent checker do."""


class UndecidedError(ArithmeticError):
    """A comparison could not be decided at the working precision; raise the precision and try again."""

    precision_helps = True
    """Whether more bits may decide it."""


class KinkError(UndecidedError):
    """Which of two series is larger changes where they are expanded: there is no expansion beyond the first order."""


class ForeignNumberError(UndecidedError, TypeError):
    """Something other than a rational, ball or series was an operand or the result of a formula."""

    precision_helps = False


class LookError(UndecidedError, TypeError):
    """A formula asked for a float, or for the ball instead of the number in it."""

    precision_helps = False


class SelfAnswering:
    """A number of a kind defined elsewhere: it computes with rationals and answers its comparisons, one way or the other.

    Nothing about it is open, so that formulas run on it unguarded. Where any choice is right it is spared the comparison.
    Its classes define `+ - * / **`, `abs`, the comparisons, and of `exp`, `log` and `sqrt` what they can. Their `float`
    raises an error, which is no ValueError. Where they have derivatives, `x.moving(slope, mark)` is a number y with this
    slope, and so is what is computed of it: `y.slope(mark)` reads it, and is 0 for another mark.
    """

    __slots__ = ()
    takes_balls = True


class Shown:
    """A number of which a formula learns nothing, but `near()`, a point by which to choose where any choice is right."""

    __slots__ = ()

    def near(self) -> Any:
        """The point."""
        raise NotImplementedError


class _State:
    """What is global, as precision is in flint."""

    guarding = False
    on_series = False
    closed: Any = None
    looks = 0
    opened = 0


def looks() -> int:
    """The number of comparisons and similar choices so far. Without any, a formula does the same with all numbers."""
    return _State.looks


def look() -> None:
    """Count a comparison made on a result of :func:`plain`, which another number might answer differently."""
    _State.looks += 1


def guarding() -> bool:
    """Whether a formula is being run, so that new balls are to be guarded."""
    return _State.guarding


@contextmanager
def guarded_numbers(on: bool = True) -> Iterator[None]:
    """New balls are guarded inside, or not if `on` is false."""
    # Series, too: a formula that ran on them must not leave the next one refusing derivatives.
    before, series = _State.guarding, _State.on_series
    _State.guarding = on and not GUARDS_ITSELF
    try:
        yield
    finally:
        _State.guarding, _State.on_series = before, series


@contextmanager
def own_series() -> Iterator[None]:
    """Inside, power series are in one variable of the caller's own, which flint cannot tell from another.

    Raises LookError where numbers of the formula that is run are series already, as along a step of a flow.
    """
    if _State.on_series:
        refuse_choice(
            LookError("a derivative is taken along a flow, or within another one: two power series would be confused")
        )
    _State.on_series = True
    try:
        yield
    finally:
        _State.on_series = False


def of_rational(function: str, q: Any) -> Any:
    """flint's exp, log or sqrt of a rational: a ball, or inside of :func:`closed_numbers` a number in closed form."""
    if _State.closed is None:
        return getattr(ball(q), function)()
    return getattr(_State.closed, function)(fmpq(q))


def numbers_are_closed() -> bool:
    """Whether functions of rationals are numbers in closed form."""
    return _State.closed is not None


@contextmanager
def closed_numbers(functions: Any) -> Iterator[None]:
    """Inside, `functions.exp`, `.log` and `.sqrt` are those of rationals."""
    before, _State.closed = _State.closed, functions
    try:
        yield
    finally:
        _State.closed = before


@contextmanager
def decided_choices() -> Iterator[None]:
    """Raises UndecidedError at the end when a choice stayed open inside, even if the error it raised was swallowed."""
    before = _State.opened
    yield
    if _State.opened != before:
        raise UndecidedError("a choice between overlapping balls was made")


def refuse_choice(error: UndecidedError) -> NoReturn:
    """Raise the error, and once more at the end of :func:`decided_choices` if it is swallowed."""
    # Counted, and not kept as an error: what a formula swallows stays open, whatever it goes on to do.
    _State.looks += 1
    _State.opened += 1
    raise error


def stands_for_itself(value: float) -> bool:
    """Whether a float is exactly the decimal number it is printed as, like 0.5 and unlike 0.1."""
    return bool(np.isfinite(value)) and Fraction(repr(float(value))) == Fraction(float(value))


def foreign(value: object) -> ForeignNumberError:
    """The error that names what does not belong among exact numbers, balls and series."""
    if isinstance(value, float | np.floating):
        return ForeignNumberError(f"the float {value} is not the number it is written as: write a rational, fmpq(p, q)")
    kind = type(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return ForeignNumberError(f"{name} is neither a rational nor a ball nor a series that grew from the instance")


def flint_operand(other: Any) -> Any:
    """What flint computes with in place of `other`; NotImplemented for types that handle balls themselves.

    Raises ForeignNumberError for what is no number of a formula.
    """
    kind = type(other)
    if issubclass(kind, Guarded):
        return other.plain
    if getattr(kind, "takes_balls", False):
        return NotImplemented
    # By identity: a class that is derived from these may answer as it likes.
    if kind is fmpq or kind is int or kind is arb or kind is arb_series:
        return other
    if isinstance(other, int | np.integer | np.bool_ | Count):
        return int(other)
    if isinstance(other, Fraction):
        return fmpq(other.numerator, other.denominator)
    if isinstance(other, float | np.floating) and stands_for_itself(float(other)):
        return fmpq(*float(other).as_integer_ratio())
    # NumPy then calls back with each entry.
    if isinstance(other, np.ndarray):
        return NotImplemented
    if isinstance(other, flint.fmpz):
        return other
    return refuse_choice(foreign(other))


def check_result(value: Any) -> None:
    """Raises ForeignNumberError unless this is what a formula on guarded numbers may give: exact, a ball or a series.

    A ball of flint's own is refused, too: whatever was compared on the way to it was compared unnoticed. So is a class
    derived from these in another place, which answers comparisons as it likes, and a machine integer that wraps soon.
    """
    kind = type(value)
    if kind in RESULTS or (issubclass(kind, SelfAnswering | ClosedForm | Shown) and kind.__module__.startswith(OURS)):
        return
    # The checker's own balls count what they are asked: none of them has compared unnoticed.
    if GUARDS_ITSELF and isinstance(value, arb | arb_series):
        return
    if isinstance(value, float | np.floating):
        raise ForeignNumberError("a number is computed in float64, which rounds")
    if isinstance(value, arb | arb_series):
        raise ForeignNumberError(f"flint.{type(value).__name__} compares unnoticed: take ball of dynamics.choices")
    if not isinstance(value, flint.fmpz):
        raise foreign(value)


def guarded(value: Any) -> Any:
    """The number, guarded where it is a ball or a series; arrays entry by entry, as they are when there is none.

    What formula it is handed to runs on series until :func:`guarded_numbers` ends.
    """
    if issubclass(type(value), arb):
        return value if GUARDS_ITSELF else Ball(value)
    if issubclass(type(value), arb_series):
        _State.on_series = True
        return value if GUARDS_ITSELF else Series(value)
    if issubclass(type(value), np.ndarray) and value.dtype == object:
        held = kinds(value)
        # Noted before anything runs: a derivative within would be in a second variable that flint takes for the first.
        _State.on_series |= any(issubclass(kind, arb_series) for kind in held)
        if not GUARDS_ITSELF and any(issubclass(kind, arb | arb_series) for kind in held):
            return _each(guarded, value)
    return value


def kinds(array: np.ndarray[Any, Any]) -> set[type]:
    """The types of the entries: few, where there are many entries."""
    return set(map(type, array.flat))


def guarded_in_a_formula(value: Any) -> Any:
    """The number, guarded where a formula is being run."""
    return guarded(value) if _State.guarding else value


def plain(value: Any) -> Any:
    """The number without its guard, a ball around one in closed form; arrays entry by entry."""
    if issubclass(type(value), Guarded):
        return value.plain
    if issubclass(type(value), np.ndarray) and value.dtype == object:
        return _each(plain, value) if any(issubclass(kind, Guarded) for kind in kinds(value)) else value
    return value


def settled(value: Any) -> Any:
    """A result without its guard: of a number in closed form zero, or a ball that does not hold zero, if that is known."""
    if issubclass(type(value), ClosedForm):
        return value.settled()
    if issubclass(type(value), np.ndarray) and value.dtype == object:
        return _each(settled, value) if any(issubclass(kind, Guarded) for kind in kinds(value)) else value
    return plain(value)


def _each(function: Callable[[Any], Any], array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Filled one by one: NumPy would take a power series for a list of numbers."""
    made = np.empty(array.size, dtype=object)
    for i, entry in enumerate(array.flat):
        made[i] = function(entry)
    return made.reshape(array.shape).view(type(array))


def ball(value: Any) -> Any:
    """A ball around a number, guarded where a formula is being run; balls as they are."""
    if issubclass(type(value), Ball):
        return value
    if issubclass(type(value), ClosedForm):
        return guarded(value.plain)
    return guarded_in_a_formula(value if issubclass(type(value), arb) else arb(value))


def hull(x: Any, y: Any) -> Any:
    """A ball that holds all numbers between the two."""
    x, y = ball(x), ball(y)
    # The union asks both balls, not the numbers in them, and is right for all of these: so that it needs no look.
    if issubclass(type(x), Ball) or issubclass(type(y), Ball):
        return Ball(plain(x).union(plain(y)))
    return x.union(y)


def height(value: Any) -> Any:
    """A number to choose by where any choice is right: the midpoint of a ball, or of a series' first coefficient."""
    if issubclass(type(value), Shown):
        return value.near()
    value = plain(value)
    if issubclass(type(value), arb_series):
        value = value[0]
    if not issubclass(type(value), arb):
        return value
    # What guards itself counts a look at the middle as open.
    return getattr(value, "center" if GUARDS_ITSELF else "mid")()


# ---------------------------------------------------------------------------------------------------------------------
# Operations


def _operation(operation: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    """The operation and its reflection."""

    def forward(self: Any, other: Any) -> Any:
        # Numbers of one's own kind first: they are what a formula mostly meets.
        operand = other.plain if type(other) is type(self) else flint_operand(other)
        return NotImplemented if operand is NotImplemented else _around(operation(self.plain, operand))

    def backward(self: Any, other: Any) -> Any:
        operand = flint_operand(other)
        return NotImplemented if operand is NotImplemented else _around(operation(operand, self.plain))

    return forward, backward


def _around(value: Any) -> Any:
    if isinstance(value, arb):
        return Ball(value)
    return Series(value) if isinstance(value, arb_series) else value


def _function(name: str, around: Callable[[Any], Any] | None = None) -> Any:
    def apply(self: Any) -> Any:
        return (around or type(self))(getattr(self.plain, name)())

    apply.__name__, apply.__doc__ = name, f"flint's {name}."
    return apply


def _comparison(
    symbol: str, surely: Callable[[Any, Any], Any], surely_not: Callable[[Any, Any], Any], of_itself: bool
) -> Any:
    def compare(self: Any, other: Any) -> Any:
        operand = flint_operand(other)
        if operand is NotImplemented:
            return NotImplemented
        _State.looks += 1
        # The first coefficients: where balls of states decide them, all states compare alike (section 13).
        x, y = _first(self.plain), _first(operand)
        # One number, however wide its ball is; NaN and infinite balls stand for no number, and equal nothing.
        if other is self and x.is_finite():
            return of_itself
        # flint says yes only where all numbers of both balls do: no is asked for apart, and else it is open.
        if surely(x, y):
            return True
        if surely_not(x, y):
            return False
        return refuse_choice(UndecidedError(f"is {x} {symbol} {y}?"))

    return compare


def _refused(name: str, what: str) -> Any:
    def refused(self: Any, *_: Any, **__: Any) -> NoReturn:
        refuse_choice(LookError(f"{name} {what}"))

    return refused


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, arb_series) else value


NO_FLOAT = "of a ball would take its middle for the number in it"
NO_LOOK = "asks for a ball and not for the number in it"

LOOKS = frozenset(
    [
        "mid",
        "rad",
        "lower",
        "upper",
        "abs_lower",
        "abs_upper",
        "nonnegative_part",
        "contains",
        "contains_interior",
        "contains_integer",
        "overlaps",
        "union",
        "intersection",
        "is_zero",
        "is_exact",
        "is_finite",
        "is_nan",
        "is_integer",
        "man_exp",
        "mid_rad_10exp",
        "bits",
        "rel_accuracy_bits",
        "rel_one_accuracy_bits",
        "unique_fmpz",
        "fmpz",
        "fmpq",
        "floor",
        "ceil",
        "sgn",
        "str",
        "repr",
        "coeffs",
        "length",
        "prec",
        "valuation",
    ]
)
"""What flint tells of a ball or of a series: true of it, and not of the number or of the function that it encloses."""

FUNCTIONS = ["exp", "log", "sqrt", "rsqrt", "sin", "cos", "tan", "asin", "acos", "atan", "erf", "gamma", "rgamma", "lgamma"]
"""The smooth functions of balls and of series."""

BALL_FUNCTIONS = [
    *("expm1", "log1p", "sinh", "cosh", "tanh", "coth", "asinh", "acosh", "atanh", "erfc", "digamma", "lambertw"),
]
"""Further ones of balls alone."""

ALWAYS_REFUSED = {
    name: _refused(name.strip("_"), NO_FLOAT)
    for name in (
        *("__float__", "__int__", "__index__", "__complex__", "__round__", "__trunc__", "__floor__", "__ceil__"),
        *("__hash__", "__mod__", "__rmod__", "__floordiv__", "__rfloordiv__", "__divmod__", "__rdivmod__"),
    )
}


class Guarded:  # noqa: PLW1641 -- its hash is refused below
    """The common part of balls and series."""

    __slots__ = ("plain",)

    def __init__(self, value: Any) -> None:
        self.plain: Any = value

    __add__, __radd__ = _operation(operator.add)
    __sub__, __rsub__ = _operation(operator.sub)
    __mul__, __rmul__ = _operation(operator.mul)
    __truediv__, __rtruediv__ = _operation(operator.truediv)
    __pow__, __rpow__ = _operation(operator.pow)

    def __neg__(self) -> Any:
        return type(self)(-self.plain)

    def __pos__(self) -> Any:
        return self

    __lt__ = _comparison("<", operator.lt, operator.ge, of_itself=False)
    __le__ = _comparison("<=", operator.le, operator.gt, of_itself=True)
    __gt__ = _comparison(">", operator.gt, operator.le, of_itself=False)
    __ge__ = _comparison(">=", operator.ge, operator.lt, of_itself=True)
    __eq__ = _comparison("==", operator.eq, operator.ne, of_itself=True)
    __ne__ = _comparison("!=", operator.ne, operator.eq, of_itself=False)

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __str__(self) -> str:
        if _State.guarding:
            refuse_choice(LookError(f"the text {NO_FLOAT}"))
        return str(self.plain)

    def __format__(self, told: str) -> str:
        return format(str(self), told)

    # A pickle or a copy shows digits of the ball, and a formula could read them.
    def __reduce_ex__(self, protocol: Any) -> Any:
        if _State.guarding:
            refuse_choice(LookError(f"a copy {NO_FLOAT}"))
        return super().__reduce_ex__(protocol)

    def __dir__(self) -> Any:
        if _State.guarding:
            refuse_choice(LookError(f"dir {NO_LOOK}"))
        return super().__dir__()

    def __sizeof__(self) -> int:
        if _State.guarding:
            refuse_choice(LookError(f"the size {NO_LOOK}"))
        return super().__sizeof__()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    def __getattr__(self, name: str) -> Any:
        """Raises LookError for what flint's numbers have and a formula may not ask, AttributeError for all else."""
        # Reached only for what is not defined here: all that is defined is true of the number.
        if name in LOOKS:
            refuse_choice(LookError(f"{name}() {NO_LOOK}"))
        raise AttributeError(f"a {type(self).__name__} has no {name}")


for _name, _method in ALWAYS_REFUSED.items():
    setattr(Guarded, _name, _method)


class Ball(Guarded):
    """A ball of which a formula learns nothing but what is true of every number in it; `plain` is flint's."""

    __slots__ = ()

    def __abs__(self) -> Ball:
        _State.looks += 1
        return Ball(abs(self.plain))

    def max(self, other: Any) -> Any:
        """A ball that holds the larger of the two numbers."""
        return self._extreme(other, arb.max)

    def min(self, other: Any) -> Any:
        """A ball that holds the smaller of the two numbers."""
        return self._extreme(other, arb.min)

    def _extreme(self, other: Any, which: Any) -> Any:
        _State.looks += 1
        operand = flint_operand(other)
        # The series knows how to enclose a ball as its constant; the other way round its coefficients would be lost.
        if operand is NotImplemented or isinstance(operand, arb_series):
            return getattr(other, which.__name__)(self)
        return Ball(which(self.plain, operand if isinstance(operand, arb) else arb(operand)))


class Series(Guarded):
    """A power series of which a formula learns nothing but what is true at every state it stands for."""

    __slots__ = ()

    def __abs__(self) -> Any:
        return self.max(-self)

    def max(self, other: Any) -> Any:
        """The larger of two series: one of them if that is certain, else at most to first order the hull of both.

        A maximum of two smooth functions is Lipschitz, its derivative almost everywhere that of one of them. Raises
        KinkError where more coefficients are asked for.
        """
        return self._extreme(other, 1)

    def min(self, other: Any) -> Any:
        """The smaller of two series, in the same way."""
        return self._extreme(other, -1)

    def _extreme(self, other: Any, sign: int) -> Any:
        _State.looks += 1
        operand = flint_operand(other)
        if operand is NotImplemented:
            return NotImplemented
        x, y = self.plain, operand
        # A rational, too, as a ball: of two rationals flint's maximum would be none.
        first, second = _first(x), _first(y) if isinstance(_first(y), arb) else arb(_first(y))
        if (first - second) * sign >= 0:
            return self
        if (second - first) * sign >= 0:
            return other
        if not isinstance(y, arb_series):
            y = arb_series([second], x.prec)
        length = min(x.prec, y.prec)
        # Where two smooth functions cross their maximum has a kink: a derivative almost everywhere, and no second one.
        if length > 2:
            refuse_choice(KinkError(f"which is larger, {first} or {second}?"))
        start = first.max(second) if sign > 0 else first.min(second)
        return Series(arb_series([start, *(x[k].union(y[k]) for k in range(1, length))], length))


class ClosedForm(Guarded):
    """A number that is known exactly and answers its comparisons: of a kind defined elsewhere, which mixes with balls.

    Its `plain` is a ball around it. Its classes define `+ - * / **`, `abs`, the comparisons, and what functions they have.
    """

    __slots__ = ()

    def settled(self) -> Any:
        """Zero as a rational, else a ball whose sign is certain; a ball around it where its sign is not known."""
        raise NotImplementedError


for _name in FUNCTIONS:
    setattr(Guarded, _name, _function(_name))
for _name in BALL_FUNCTIONS:
    setattr(Ball, _name, _function(_name))
for _name in (*FUNCTIONS, *BALL_FUNCTIONS):
    setattr(ClosedForm, _name, _function(_name, guarded))


# NumPy turns int into int64 where it can, and 3037000500^2 wraps there: a class of its own stays an object.
class Count(fmpq):
    """A whole number of an instance: a rational that may stand as an exponent and as an index.

    It is exact in every arithmetic and its quotients are rational. NumPy makes no machine numbers of it, which wrap.
    """

    __slots__ = ()

    def __index__(self) -> int:
        return int(self.p)

    def __rpow__(self, other: Any) -> Any:
        return other ** int(self.p)

    def __mod__(self, other: Any) -> Any:
        return Count(int(self) % operator.index(other))

    def __rmod__(self, other: Any) -> Any:
        return Count(operator.index(other) % int(self))

    def __floordiv__(self, other: Any) -> Any:
        return Count(int(self) // operator.index(other))

    def __rfloordiv__(self, other: Any) -> Any:
        return Count(operator.index(other) // int(self))

    def __reduce__(self) -> Any:
        return Count, (int(self.p),)


EXACT = frozenset({fmpq, Count, int, np.int64})
"""The types of the exact numbers that a formula may give."""

RESULTS = EXACT | {Ball, Series, bool, np.bool_}

SUITE = "dynamics."
"""How the modules of the models begin whose motions are known."""

OURS = ("claims.", SUITE)
"""The packages whose kinds of numbers are known to say what they are."""
