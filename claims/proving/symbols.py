"""The sixth arithmetic: symbolic reals in the object arrays that every formula takes.

A :class:`Symbol` is a quotient of two polynomials with rational coefficients in the numbers of an instance. A comparison is
a question about the sign of one polynomial. What is known on the path answers it where it can; else the path forks, and
whoever explores says which way this run goes. docs/proofs.md says why that is sound.

- A quotient stays a quotient. That its denominator is not zero is asked first, as a comparison, so that the run in which it
  is zero divides by zero like a rational.
- The absolute value is a comparison. A square root is a new symbol r with r >= 0 and r^2 equal to what it is the root of.
- An exponential is a product of new positive symbols, one for each monomial of the exponent: e^(a - b) = E_a / E_b. That of
  a quotient is a power of one new symbol, so that e^-q = 1 / e^q. What is
  known of it is e^x >= 1 + x and e^x >= e^y (1 + x - y) for any two exponents of the path: less than is true.
- A logarithm is a new symbol l, of a number that is asked to be positive: e^l is the number, and log x - log y <= x/y - 1.
- A derivative runs the formula on :class:`Moving` numbers, a symbol and how fast it changes: they are not compared.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import gcd, lcm
from typing import Any, NoReturn

import numpy as np
from flint import Ordering, fmpq, fmpq_mpoly_ctx, fmpz

from dynamics.choices import Count, SelfAnswering, stands_for_itself

AUXILIARY = 32
"""Roots and exponentials that one path may introduce."""

MOST_TERMS = 5000
"""Terms of a polynomial beyond which no solver is asked."""

MOST_DEGREE = 64
"""The degree beyond which no power is taken."""

RELATIONS = {
    frozenset({-1}): "<",
    frozenset({0}): "=",
    frozenset({1}): ">",
    frozenset({-1, 0}): "<=",
    frozenset({0, 1}): ">=",
    frozenset({-1, 1}): "distinct",
}
"""The sets of signs that a condition may leave to a polynomial, as SMT-LIB writes them."""

ANY = frozenset({-1, 0, 1})
Signs = frozenset[int]
Terms = tuple[tuple[str, tuple[int, ...]], ...]


class CannotRunError(ArithmeticError):
    """The formula asked of a symbol what no symbol can answer; the message says what."""


class Cut(BaseException):
    """Neither answer to a comparison is possible any more, or the run is to stop here; no formula may catch it."""


@dataclass(frozen=True)
class Condition:
    """The sign of a polynomial of coprime integer coefficients is one of `signs`; `terms` are (coefficient, exponents)."""

    terms: tuple[tuple[int, tuple[int, ...]], ...]
    signs: Signs


@cache
def _ring(names: tuple[str, ...]) -> Any:
    return fmpq_mpoly_ctx.get((*names, *(f"aux{k}" for k in range(AUXILIARY))), Ordering.lex)


class Path:
    """One run of a formula: what was asked, what was answered, and the conditions that hold because of it.

    `decide` is asked, with the condition that a yes adds, whenever the path forks.
    """

    def __init__(self, names: Iterable[str], decide: Callable[[Condition], bool]) -> None:
        self.names = tuple(names)
        self.ring = _ring(self.names)
        self._decide = decide
        self.conditions: list[Condition] = []
        self.refusal: str | None = None
        self.pole: str | None = None
        self.auxiliary = 0
        self.exponents: list[Terms | None] = []
        self.inexact = False
        self._known: dict[tuple[tuple[int, tuple[int, ...]], ...], Signs] = {}
        self._roots: dict[Any, Symbol] = {}
        self._growths: dict[Any, Any] = {}
        self._exponentials: list[tuple[Symbol, Symbol]] = []
        self._logarithms: list[tuple[Symbol, Symbol]] = []

    def symbols(self, shape: tuple[int, ...], first: int) -> np.ndarray[Any, Any]:
        """The array of this shape whose entries are the variables from number `first` on."""
        size = int(np.prod(shape, dtype=int))
        gens = self.ring.gens()
        made = np.empty(size, dtype=object)
        for k in range(size):
            made[k] = Symbol(self, gens[first + k])
        return made.reshape(shape)

    def constant(self, value: Any) -> Symbol:
        """A rational as a symbol."""
        return Symbol(self, self.ring.constant(value))

    def refuse(self, what: str) -> NoReturn:
        """End the run: a formula that catches this error is refused all the same."""
        self.refusal = self.refusal or what
        raise CannotRunError(what)

    def holds(self, polynomial: Any, signs: Signs) -> bool:
        """Whether the sign of the polynomial is one of these on this path: known, or forked."""
        if polynomial.is_constant():
            value = polynomial.leading_coefficient() if polynomial != 0 else 0
            return ((value > 0) - (value < 0)) in signs
        terms, turned = normal(polynomial)
        if turned:
            signs = frozenset(-s for s in signs)
        known = self.known(terms)
        if known <= signs:
            return True
        if not known & signs:
            return False
        try:
            answer = self._decide(Condition(terms, known & signs))
        except BaseException:
            # Whoever catches this goes on with a fork that was never followed.
            self.refusal = self.refusal or "the formula goes on where its run was ended"
            raise
        self.assume(Condition(terms, known & signs if answer else known - signs))
        return answer

    def assume(self, condition: Condition) -> None:
        """Add what is known to be so: an answer, or the equation that defines a symbol."""
        known = self._known.get(condition.terms, ANY) & condition.signs
        self._known[condition.terms] = known
        self.conditions.append(Condition(condition.terms, condition.signs))

    def known(self, terms: tuple[tuple[int, tuple[int, ...]], ...]) -> Signs:
        """The signs that a polynomial may have as far as the answers and definitions tell."""
        return self._known.get(terms, ANY)

    def otherwise(self, condition: Condition) -> Condition:
        """What a no adds where a yes would add the condition."""
        return Condition(condition.terms, self.known(condition.terms) - condition.signs)

    def define(self, polynomial: Any, signs: Signs) -> None:
        """Add a condition on a polynomial that follows from what its symbols mean."""
        if not polynomial.is_constant():
            terms, turned = normal(polynomial)
            self.assume(Condition(terms, frozenset(-s for s in signs) if turned else signs))

    def fresh(self, exponent: Any = None) -> Symbol:
        """A new variable, with the polynomial whose exponential it is, if it is one."""
        if self.auxiliary == AUXILIARY:
            self.refuse(f"the formula takes more than {AUXILIARY} roots and exponentials")
        self.auxiliary += 1
        self.exponents.append(None if exponent is None else terms_of(exponent))
        return Symbol(self, self.ring.gens()[len(self.names) + self.auxiliary - 1])

    @property
    def variables(self) -> list[str]:
        """The names of all variables so far."""
        return [*self.names, *(f"aux{k}" for k in range(self.auxiliary))]

    def root(self, x: Symbol) -> Symbol:
        """The square root. Raises ValueError where the number is negative, as a rational's does."""
        if x < 0:
            raise ValueError("square root of a negative number")
        key = x.key
        if key not in self._roots:
            r = self._roots[key] = self.fresh()
            self.define(r.top, frozenset({0, 1}))
            self.define(r.top * r.top * x.bottom - x.top, frozenset({0}))
        return self._roots[key]

    def exponential(self, x: Symbol) -> Symbol:
        """The exponential: a product of positive symbols, and what it exceeds."""
        self.inexact = True
        grown = self.constant(1)
        if x.bottom.is_constant():
            for exponents, coefficient in (x.top / x.bottom.leading_coefficient()).to_dict().items():
                grown = grown * self._growth((exponents, int(coefficient.q))) ** int(coefficient.p)
        else:
            (top, _), (bottom, _) = normal(x.top), normal(x.bottom)
            scale = x.top.leading_coefficient() / top[0][0] / (x.bottom.leading_coefficient() / bottom[0][0])
            grown = self._growth((top, bottom, int(scale.q))) ** int(scale.p)
        if all((y - x).top != 0 for y, _ in self._exponentials):
            for y, other in [(self.constant(0), self.constant(1)), *self._exponentials]:
                for a, e_a, b, e_b in ((x, grown, y, other), (y, other, x, grown)):
                    difference = e_a - e_b * (1 + a - b)
                    self.define(difference.top * difference.bottom, frozenset({0, 1}))
            self._exponentials.append((x, grown))
        return grown

    def _growth(self, key: Any) -> Symbol:
        if key not in self._growths:
            exponent = self.ring.from_dict({key[0]: fmpq(1, key[1])}) if len(key) == 2 else None
            self._growths[key] = self.fresh(exponent)
            self.define(self._growths[key].top, frozenset({1}))
        return self._growths[key]

    def logarithm(self, x: Symbol) -> Symbol:
        """The logarithm: a symbol whose exponential is the number. Raises ValueError where that is not positive."""
        if x <= 0:
            raise ValueError("logarithm of a number that is not positive")
        for y, known in self._logarithms:
            if (x - y).top == 0:
                return known
        self.inexact = True
        found = self.fresh()
        ((exponents, _),) = found.top.to_dict().items()
        self._growths[exponents, 1] = x
        for y, other in [(self.constant(1), self.constant(0)), *self._logarithms]:
            for a, log_a, b, log_b in ((x, found, y, other), (y, other, x, found)):
                excess = a / b - 1 - log_a + log_b
                self.define(excess.top * excess.bottom, frozenset({0, 1}))
        self._logarithms.append((x, found))
        return found


def terms_of(polynomial: Any) -> Terms:
    """The terms of a polynomial as plain data: coefficients p/q and exponents."""
    return tuple((str(c), tuple(map(int, exponents))) for exponents, c in polynomial.to_dict().items())


def normal(polynomial: Any) -> tuple[tuple[tuple[int, tuple[int, ...]], ...], bool]:
    """The terms of its multiple with coprime integer coefficients and a positive first one, and whether signs turned."""
    entries = [(exponents, int(c.p), int(c.q)) for exponents, c in polynomial.to_dict().items()]
    scale = lcm(*(q for *_, q in entries))
    divisor = gcd(*(p * scale // q for _, p, q in entries))
    entries.sort(reverse=True)
    turned = entries[0][1] < 0
    sign = -1 if turned else 1
    terms = tuple((sign * p * scale // q // divisor, tuple(map(int, exponents))) for exponents, p, q in entries)
    return terms, turned


def _value(polynomial: Any, point: Sequence[fmpq]) -> fmpq:
    total = fmpq(0)
    for exponents, coefficient in polynomial.to_dict().items():
        term = coefficient
        for value, power in zip(point, exponents, strict=False):
            if power:
                term *= value ** int(power)
        total += term
    return total


def _forward(operation: Callable[[Any, Any], Any]) -> Any:
    def apply(self: Symbol, other: Any) -> Any:
        operand = self.operand(other)
        return NotImplemented if operand is NotImplemented else operation(self, operand)

    return apply


def _backward(operation: Callable[[Any, Any], Any]) -> Any:
    def apply(self: Symbol, other: Any) -> Any:
        operand = self.operand(other)
        return NotImplemented if operand is NotImplemented else operation(operand, self)

    return apply


def _add(x: Symbol, y: Symbol) -> Symbol:
    if x.whole and y.whole:
        return Symbol(x.path, x.top + y.top)
    return reduced(x.path, x.top * y.bottom + y.top * x.bottom, x.bottom * y.bottom)


def _subtract(x: Symbol, y: Symbol) -> Symbol:
    return _add(x, -y)


def _multiply(x: Symbol, y: Symbol) -> Symbol:
    if x.whole and y.whole:
        return Symbol(x.path, x.top * y.top)
    return reduced(x.path, x.top * y.top, x.bottom * y.bottom)


def _divide(x: Symbol, y: Symbol) -> Symbol:
    if y == 0:
        raise ZeroDivisionError("division by zero")
    return reduced(x.path, x.top * y.bottom, x.bottom * y.top)


def reduced(path: Path, top: Any, bottom: Any) -> Symbol:
    """The quotient in lowest terms, over 1 where the denominator is a number."""
    if not bottom.is_constant():
        common = top.gcd(bottom)
        if not common.is_constant():
            top, bottom = top / common, bottom / common
    if bottom.is_constant():
        return Symbol(path, top / bottom.leading_coefficient())
    return Symbol(path, top, bottom)


def _comparison(signs: Iterable[int]) -> Any:
    wanted = frozenset(signs)

    def compare(self: Symbol, other: Any) -> Any:
        operand = self.operand(other)
        if operand is NotImplemented:
            return NotImplemented
        difference = _subtract(self, operand)
        # A denominator is not zero on its path: multiplying by its square keeps every sign.
        return self.path.holds(difference.top * difference.bottom, wanted)

    return compare


class Symbol(SelfAnswering):
    """A quotient of polynomials whose denominator is not zero on the path that it belongs to."""

    __slots__ = ("bottom", "path", "top", "whole")

    def __init__(self, path: Path, top: Any, bottom: Any = None) -> None:
        self.path, self.top = path, top
        self.whole = bottom is None
        self.bottom = path.ring.constant(1) if bottom is None else bottom
        if len(top) > MOST_TERMS:
            path.refuse(f"a polynomial of more than {MOST_TERMS} terms")

    @property
    def key(self) -> Any:
        """What tells the number from others: equal for equal quotients in lowest terms."""
        if self.top == 0:
            return ()
        return (
            normal(self.top),
            normal(self.bottom),
            str(self.top.leading_coefficient() / self.bottom.leading_coefficient()),
        )

    def at(self, point: Sequence[fmpq]) -> fmpq:
        """The value at a point of the variables, where it takes no others. Raises ZeroDivisionError."""
        return _value(self.top, point) / _value(self.bottom, point)

    def operand(self, other: Any) -> Any:
        """The other number as a symbol of the same path; NotImplemented for arrays."""
        kind = type(other)
        if kind is Symbol:
            if other.path is not self.path:
                self.path.refuse("a number was kept from an earlier run")
            return other
        if kind is fmpq or kind is int:
            return self.path.constant(other)
        if isinstance(other, np.ndarray | Moving):
            return NotImplemented
        if isinstance(other, int | np.integer | np.bool_ | Count | fmpz):
            return self.path.constant(int(other))
        if isinstance(other, Fraction):
            return self.path.constant(fmpq(other.numerator, other.denominator))
        if isinstance(other, float | np.floating) and stands_for_itself(float(other)):
            return self.path.constant(fmpq(*float(other).as_integer_ratio()))
        return self.path.refuse(f"the formula computes with a {kind.__name__}, which is no exact number")

    __add__, __radd__ = _forward(_add), _backward(_add)
    __sub__, __rsub__ = _forward(_subtract), _backward(_subtract)
    __mul__, __rmul__ = _forward(_multiply), _backward(_multiply)
    __truediv__, __rtruediv__ = _forward(_divide), _backward(_divide)
    __lt__, __le__ = _comparison([-1]), _comparison([-1, 0])
    __gt__, __ge__ = _comparison([1]), _comparison([0, 1])
    __eq__, __ne__ = _comparison([0]), _comparison([-1, 1])

    def __neg__(self) -> Symbol:
        return Symbol(self.path, -self.top, None if self.whole else self.bottom)

    def __pos__(self) -> Symbol:
        return self

    def __abs__(self) -> Symbol:
        return self if self >= 0 else -self

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __pow__(self, exponent: Any) -> Any:
        try:
            k = operator.index(exponent)
        except TypeError:
            if isinstance(exponent, fmpq) and exponent.q == 1:
                k = int(exponent.p)
            else:
                self.path.refuse("the formula takes a power that is not a whole number")
        if abs(k) * max(self.top.total_degree(), self.bottom.total_degree()) > MOST_DEGREE:
            self.path.refuse(f"a polynomial of a degree above {MOST_DEGREE}")
        if k < 0:
            return self.path.constant(1) / self**-k
        if self.whole:
            return Symbol(self.path, self.top**k)
        return Symbol(self.path, self.top**k, self.bottom**k)

    def __rpow__(self, other: Any) -> NoReturn:
        self.path.refuse("the formula takes a power whose exponent is a number of the instance")

    def sqrt(self) -> Symbol:
        """The root: a symbol defined by its square."""
        return self.path.root(self)

    def exp(self) -> Symbol:
        """The exponential, exactly 1 at 0."""
        return self.path.constant(1) if self.top == 0 else self.path.exponential(self)

    def log(self) -> Symbol:
        """The logarithm, exactly 0 at 1."""
        return self.path.constant(0) if self.whole and self.top == 1 else self.path.logarithm(self)

    def moving(self, slope: Any, mark: object) -> Moving:
        """The number with how fast it changes in one derivative, which the mark tells from others."""
        return Moving(self, self.operand(slope), mark)

    def __str__(self) -> str:
        return str(self.top) if self.whole else f"({self.top})/({self.bottom})"

    __repr__ = __str__

    def __getattr__(self, name: str) -> Any:
        """Raises CannotRunError for a number's name, AttributeError for Python's and NumPy's own."""
        if name.startswith("__"):
            raise AttributeError(name)
        self.path.refuse(f"the formula asks a number for its {name}, which no symbol has")

    def _no_number(self, *_: Any) -> NoReturn:
        self.path.refuse("the formula makes a machine number of a symbol")

    __hash__ = __float__ = __int__ = __index__ = __complex__ = __round__ = _no_number


def _rule(operation: Callable[[Moving, Moving], tuple[Symbol, Symbol]]) -> tuple[Any, Any]:
    def forward(self: Moving, other: Any) -> Any:
        operand = self.operand(other)
        return NotImplemented if operand is NotImplemented else Moving(*operation(self, operand), self.mark)

    def backward(self: Moving, other: Any) -> Any:
        operand = self.operand(other)
        return NotImplemented if operand is NotImplemented else Moving(*operation(operand, self), self.mark)

    return forward, backward


def _quotient(x: Moving, y: Moving) -> tuple[Symbol, Symbol]:
    with _pole(y.value.path):
        value = x.value / y.value
        return value, (x.slope - value * y.slope) / y.value


@contextmanager
def _pole(path: Path) -> Iterator[None]:
    """Note that the formula has no value here: one that catches the error and goes on may jump."""
    try:
        yield
    except (ValueError, ZeroDivisionError) as error:
        path.pole = path.pole or f"to be differentiated where it has no value: {error}"
        raise


class Moving(SelfAnswering):
    """A number and its derivative: a formula that runs on them without a comparison is smooth where it has a value.

    Numbers of different derivatives, told by their marks, do not mix.
    """

    __slots__ = ("mark", "slope", "value")

    def __init__(self, value: Symbol, slope: Symbol, mark: object) -> None:
        self.value, self.slope, self.mark = value, slope, mark

    def operand(self, other: Any) -> Any:
        """The other number with its slope; NotImplemented for arrays."""
        if isinstance(other, Moving):
            if other.mark is not self.mark:
                self.value.path.refuse("the formula takes a derivative within a derivative")
            return other
        operand = self.value.operand(other)
        return NotImplemented if operand is NotImplemented else Moving(operand, self.value.path.constant(0), self.mark)

    __add__, __radd__ = _rule(lambda x, y: (x.value + y.value, x.slope + y.slope))
    __sub__, __rsub__ = _rule(lambda x, y: (x.value - y.value, x.slope - y.slope))
    __mul__, __rmul__ = _rule(lambda x, y: (x.value * y.value, x.slope * y.value + x.value * y.slope))
    __truediv__, __rtruediv__ = _rule(_quotient)

    def __neg__(self) -> Moving:
        return Moving(-self.value, -self.slope, self.mark)

    def __pos__(self) -> Moving:
        return self

    def __pow__(self, exponent: Any) -> Any:
        try:
            k = operator.index(exponent)
        except TypeError:
            self.value.path.refuse("the formula to be differentiated takes a power that is not a whole number")
        if k == 0:
            return self.value.path.constant(1)
        with _pole(self.value.path):
            return Moving(self.value**k, k * self.value ** (k - 1) * self.slope, self.mark)

    def exp(self) -> Moving:
        """The exponential."""
        grown = self.value.exp()
        return Moving(grown, grown * self.slope, self.mark)

    def log(self) -> Moving:
        """The logarithm."""
        with _pole(self.value.path):
            return Moving(self.value.log(), self.slope / self.value, self.mark)

    def sqrt(self) -> Moving:
        """The square root, which has no derivative at 0."""
        with _pole(self.value.path):
            root = self.value.sqrt()
            return Moving(root, self.slope / (2 * root), self.mark)

    def __getattr__(self, name: str) -> Any:
        """Raises CannotRunError for a number's name, AttributeError for Python's and NumPy's own."""
        if name.startswith("__") or name in Moving.__slots__:
            raise AttributeError(name)
        self.value.path.refuse(f"the formula to be differentiated asks a number for its {name}")

    def _not_smooth(self, *_: Any) -> NoReturn:
        self.value.path.refuse("the formula to be differentiated compares its numbers: it may not be smooth")

    __abs__ = __bool__ = __hash__ = __float__ = __int__ = __index__ = __complex__ = __round__ = _not_smooth
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _not_smooth
