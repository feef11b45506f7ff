"""The sixth arithmetic: symbolic reals in the object arrays that every formula takes.

A :class:`Symbol` is a quotient of two polynomials with rational coefficients in the numbers of an instance. A comparison is
a question about the sign of one polynomial. What is known on the path answers it where it can; else the path forks, and
whoever explores says which way this run goes. docs/proofs.md says why that is sound.

- A quotient stays a quotient. That its denominator is not zero is asked first, as a comparison, so that the run in which it
  is zero divides by zero like a rational.
- The absolute value is a comparison. A square root is a new symbol r with r >= 0 and r^2 equal to what it is the root of.
- An exponential is a product of new positive symbols, one for each monomial of the exponent: e^(a - b) = E_a / E_b. That of
  a quotient is a power of one new symbol, so that e^-q = 1 / e^q. What is
  known of it is e^x >= 1 + x, e^x >= e^y (1 + x - y) and (e^x - e^y) (x - y) >= 0 for any two exponents of the path: less
  than is true.
- A logarithm is a new symbol l, of a number that is asked to be positive: e^l is the number, and log x - log y <= x/y - 1.
- A derivative runs the formula on :class:`MovingSymbol` numbers, a symbol and how fast it changes: they are not compared.

A symbol answers arithmetic and comparisons. All else that Python and NumPy may ask of an object, its text, hash, copy or
attributes, is refused, and a refusal is remembered: a formula that catches it proves nothing. What is inside is read by
:func:`inside`, :func:`value_at` and :func:`symbol_text` alone.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import gcd, lcm
from typing import Any, ClassVar, NoReturn

import numpy as np
from flint import Ordering, fmpq, fmpq_mpoly_ctx, fmpz

from dynamics.choices import Count, SelfAnswering

AUXILIARY = 32  # roots and exponentials of one path: the ring that holds them is made before it is known how many
MOST_TERMS = 5000  # of a polynomial: no solver decides more, and the text of one term is written in full
MOST_PRODUCTS = 4_000_000  # of terms, before two polynomials are multiplied: the product would fill the memory
MOST_DEGREE = 64  # beyond which no power is taken: its terms are as many as those of a power series

# The sets of signs that a condition may leave to a polynomial, as SMT-LIB writes them.
RELATIONS = {
    frozenset({-1}): "<",
    frozenset({0}): "=",
    frozenset({1}): ">",
    frozenset({-1, 0}): "<=",
    frozenset({0, 1}): ">=",
    frozenset({-1, 1}): "distinct",
}

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


class Run:
    """One run of a formula: what was asked, what was answered, and the conditions that hold because of it.

    `decide` is asked, with the condition that a yes adds, whenever the path forks. `meanings` say of each variable beyond
    those of the instance what it is: the root, the exponential or the logarithm of a quotient.
    """

    running: ClassVar[Run | None] = None  # that of the formula that runs now: a number made by its type has none

    def __init__(self, names: Iterable[str], decide: Callable[[Condition], bool]) -> None:
        self.names = tuple(names)
        self.ring = _ring(self.names)
        self._decide = decide
        self.conditions: list[Condition] = []
        self.refusal: str | None = None
        self.ended: BaseException | None = None
        self.pole: str | None = None
        self.auxiliary = 0
        self.exponents: list[Terms | None] = []
        self.meanings: list[tuple[str, Quotient]] = []
        self.inexact = False
        self._texts: list[str] | None = None
        self._known: dict[tuple[tuple[int, tuple[int, ...]], ...], Signs] = {}
        self._roots: dict[Any, Symbol] = {}
        self._growths: dict[Any, Any] = {}
        self._grown: list[int] = []  # the numbers of the variables that are exponentials: positive
        self._exponentials: list[tuple[Symbol, Symbol]] = []
        self._logarithms: list[tuple[Symbol, Symbol]] = []

    def symbols(self, shape: tuple[int, ...], first: int) -> np.ndarray[Any, Any]:
        """The array of this shape whose entries are the variables from number `first` on."""
        size = int(np.prod(shape, dtype=int))
        gens = self.ring.gens()
        made = np.empty(size, dtype=object)
        for k in range(size):
            made[k] = _symbol(Quotient(self, gens[first + k]))
        return made.reshape(shape)

    def constant(self, value: Any) -> Symbol:
        """A rational as a symbol."""
        return _symbol(Quotient(self, self.ring.constant(value)))

    @contextmanager
    def run(self) -> Iterator[None]:
        """A formula runs on this path inside."""
        Run.running, before = self, Run.running
        try:
            yield
        finally:
            Run.running = before

    @contextmanager
    def complaining(self) -> Iterator[None]:
        """Inside, numbers have texts for the message of a ValueError that ends it: who reads them otherwise is refused.

        Each text is another one, whatever the number.
        """
        self._texts, message = [], ""
        try:
            yield
        except ValueError as error:
            message = str(error)
            raise
        finally:
            texts, self._texts = self._texts, None
            if any(text not in message for text in texts):
                self.refuse("the text of a number is read, and not only told in an error")

    def text(self) -> str:
        """A text in place of a number's."""
        if self._texts is None:
            self.refuse("the formula asks for the text of a number")
        self._texts.append(f"<number {len(self._texts)}>")
        return self._texts[-1]

    def refuse(self, what: str) -> NoReturn:
        """End the run: a formula that catches this error is refused all the same."""
        self.refusal = self.refusal or what
        raise CannotRunError(what)

    def holds(self, polynomial: Any, signs: Signs) -> bool:
        """Whether the sign of the polynomial is one of these on this path: known, or forked."""
        if polynomial.is_constant():
            value = polynomial.leading_coefficient() if polynomial != 0 else 0
            return ((value > 0) - (value < 0)) in signs
        # A polynomial and its multiples are one: what was answered of one of them is known of all.
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
        except BaseException as error:
            # Whoever catches this goes on with a fork that was never followed.
            self.refusal, self.ended = self.refusal or "the formula goes on where its run was ended", error
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

    def fresh(self, meaning: str, of: Quotient, exponent: Any = None) -> Symbol:
        """A new variable, what it means, and the polynomial whose exponential it is, if it is one."""
        if self.auxiliary == AUXILIARY:
            self.refuse(f"the formula takes more than {AUXILIARY} roots and exponentials")
        self.auxiliary += 1
        self.exponents.append(None if exponent is None else terms_of(exponent))
        self.meanings.append((meaning, of))
        return _symbol(Quotient(self, self.ring.gens()[len(self.names) + self.auxiliary - 1]))

    @property
    def variables(self) -> list[str]:
        """The names of all variables so far."""
        return [*self.names, *(f"aux{k}" for k in range(self.auxiliary))]

    def root(self, x: Symbol) -> Symbol:
        """The square root. Raises ValueError where the number is negative, as a rational's does."""
        if x < 0:
            raise ValueError("square root of a negative number")
        of = inside(x)
        # Equal quotients have one root: of two nothing would say that they are equal.
        key = of.key
        if key not in self._roots:
            self._roots[key] = self.fresh("sqrt", of)
            r = inside(self._roots[key]).top
            self.define(r, frozenset({0, 1}))
            self.define(r * r * of.bottom - of.top, frozenset({0}))
        return self._roots[key]

    def exponential(self, x: Symbol) -> Symbol:
        """The exponential: a product of positive symbols, and what it exceeds."""
        self.inexact = True
        grown, of = self.constant(1), inside(x)
        if of.bottom.is_constant():
            # p/q times a monomial: the p-th power of the symbol for 1/q of it, so that e^(x/2) squared is e^x.
            for exponents, coefficient in (of.top / of.bottom.leading_coefficient()).to_dict().items():
                monomial = self.ring.from_dict({exponents: fmpq(1, int(coefficient.q))})
                factor = self._growth((exponents, int(coefficient.q)), Quotient(self, monomial), monomial)
                grown = grown * factor ** int(coefficient.p)
        else:
            # Likewise of a quotient, over its multiple with coprime coefficients above and below.
            (top, _), (bottom, _) = normal(of.top), normal(of.bottom)
            scale = of.top.leading_coefficient() / top[0][0] / (of.bottom.leading_coefficient() / bottom[0][0])
            power = _reduced(self, of.top / scale.p, of.bottom)
            grown = self._growth((top, bottom, int(scale.q)), power) ** int(scale.p)
        if all(inside(y - x).top != 0 for y, _ in self._exponentials):
            for y, other in [(self.constant(0), self.constant(1)), *self._exponentials]:
                for a, e_a, b, e_b in ((x, grown, y, other), (y, other, x, grown)):
                    self.define(self._plainest(inside(e_a - e_b * (1 + a - b)).product), frozenset({0, 1}))
                # It follows of these two, by cases: a sum of products is not found by cases.
                self.define(self._plainest(inside((grown - other) * (x - y)).product), frozenset({0, 1}))
            self._exponentials.append((x, grown))
        return grown

    def _plainest(self, polynomial: Any) -> Any:
        """A polynomial of the same sign: without the powers of exponentials, which are positive, that all terms share."""
        terms = polynomial.to_dict()
        shared = {v: least for v in self._grown if (least := min((powers[v] for powers in terms), default=0))}
        if not shared:
            return polynomial
        return self.ring.from_dict(
            {tuple(power - shared.get(v, 0) for v, power in enumerate(powers)): c for powers, c in terms.items()}
        )

    def _growth(self, key: Any, of: Quotient, exponent: Any = None) -> Symbol:
        if key not in self._growths:
            self._growths[key] = self.fresh("exp", of, exponent)
            self._grown.append(len(self.names) + self.auxiliary - 1)
            self.define(inside(self._growths[key]).top, frozenset({1}))
        return self._growths[key]

    def logarithm(self, x: Symbol) -> Symbol:
        """The logarithm: a symbol whose exponential is the number. Raises ValueError where that is not positive."""
        if x <= 0:
            # A rational has a ball of nothing there, and raises nothing that a formula could catch.
            self.pole = self.pole or "ValueError: logarithm of a number that is not positive"
            raise ValueError("logarithm of a number that is not positive")
        for y, known in self._logarithms:
            if inside(x - y).top == 0:
                return known
        self.inexact = True
        found = self.fresh("log", inside(x))
        ((exponents, _),) = inside(found).top.to_dict().items()
        self._growths[exponents, 1] = x  # e^l is the number
        for y, other in [(self.constant(1), self.constant(0)), *self._logarithms]:
            for a, log_a, b, log_b in ((x, found, y, other), (y, other, x, found)):
                self.define(inside(a / b - 1 - log_a + log_b).product, frozenset({0, 1}))
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
    entries.sort(reverse=True)  # whatever flint's order is: terms are compared with those of other rings
    turned = entries[0][1] < 0
    sign = -1 if turned else 1
    terms = tuple((sign * p * scale // q // divisor, tuple(map(int, exponents))) for exponents, p, q in entries)
    return terms, turned


def _value(polynomial: Any, point: Sequence[Any]) -> Any:
    total = fmpq(0)
    for exponents, coefficient in polynomial.to_dict().items():
        term = coefficient
        for value, power in zip(point, exponents, strict=False):
            if power:
                term = term * value ** int(power)
        total = total + term
    return total


class Quotient:
    """What is inside of a symbol: a quotient of polynomials whose denominator is not zero on the path."""

    __slots__ = ("bottom", "path", "top", "whole")

    def __init__(self, path: Run, top: Any, bottom: Any = None) -> None:
        self.path, self.top = path, top
        self.whole = bottom is None
        self.bottom = path.ring.constant(1) if bottom is None else bottom
        if len(top) > MOST_TERMS:
            path.refuse(f"a polynomial of more than {MOST_TERMS} terms")

    @property
    def product(self) -> Any:
        """A polynomial of the same sign: a denominator is not zero, and multiplying by its square keeps every sign."""
        return self.top * self.bottom

    @property
    def key(self) -> Any:
        """What tells the number from others: equal for equal quotients in lowest terms."""
        if self.top == 0:
            return ()
        scale = self.top.leading_coefficient() / self.bottom.leading_coefficient()
        return normal(self.top), normal(self.bottom), int(scale.p), int(scale.q)

    def at(self, point: Sequence[Any]) -> Any:
        """The value at a point of the variables. Raises ZeroDivisionError for rationals."""
        return _value(self.top, point) / _value(self.bottom, point)

    def __add__(self, other: Quotient) -> Quotient:
        if self.whole and other.whole:
            return Quotient(self.path, self.top + other.top)
        return _reduced(self.path, self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)

    def __sub__(self, other: Quotient) -> Quotient:
        return self + -other

    def __neg__(self) -> Quotient:
        return Quotient(self.path, -self.top, None if self.whole else self.bottom)

    def __mul__(self, other: Quotient) -> Quotient:
        if self.whole and other.whole:
            return Quotient(self.path, self._times(self.top, other.top))
        return _reduced(self.path, self._times(self.top, other.top), self._times(self.bottom, other.bottom))

    def __truediv__(self, other: Quotient) -> Quotient:
        # Asked before all else: on the path on which it is zero the formula goes the way of a division by zero.
        if self.path.holds(other.product, frozenset({0})):
            raise ZeroDivisionError("division by zero")
        return _reduced(self.path, self.top * other.bottom, self.bottom * other.top)

    def __pow__(self, k: int) -> Quotient:
        if abs(k) * max(self.top.total_degree(), self.bottom.total_degree()) > MOST_DEGREE:
            self.path.refuse(f"a polynomial of a degree above {MOST_DEGREE}")
        if k < 0:
            return Quotient(self.path, self.path.ring.constant(1)) / self**-k
        return Quotient(self.path, self._raised(self.top, k), None if self.whole else self._raised(self.bottom, k))

    def _raised(self, polynomial: Any, k: int) -> Any:
        # A power, factor by factor where it is a sum: its terms are counted before they fill the memory.
        if len(polynomial) < 2:
            return polynomial**k
        found = self.path.ring.constant(1)
        for _ in range(k):
            found = self._times(found, polynomial)
        return found

    def _times(self, one: Any, other: Any) -> Any:
        if len(one) > MOST_TERMS or len(one) * len(other) > MOST_PRODUCTS:
            self.path.refuse(f"a polynomial of more than {MOST_TERMS} terms")
        return one * other


def _reduced(path: Run, top: Any, bottom: Any) -> Quotient:
    if not bottom.is_constant():
        if max(len(top), len(bottom)) > MOST_TERMS:  # a common divisor of long ones takes minutes
            path.refuse(f"a polynomial of more than {MOST_TERMS} terms")
        common = top.gcd(bottom)
        if not common.is_constant():
            top, bottom = top / common, bottom / common
    if bottom.is_constant():
        return Quotient(path, top / bottom.leading_coefficient())
    return Quotient(path, top, bottom)


def _hidden(kind: type, name: str) -> Any:
    # A slot that is taken off its class: who holds what is returned reads and writes it, and a formula does not.
    slot = kind.__dict__[name]
    delattr(kind, name)
    return slot


def _both_ways(operation: Callable[[Quotient, Quotient], Quotient]) -> tuple[Any, Any]:
    """An operation as Python asks for it of the number on the left, and of that on the right."""

    def forward(self: Symbol, other: Any) -> Any:
        one = inside(self)
        operand = _operand(one.path, other)
        return NotImplemented if operand is NotImplemented else _symbol(operation(one, operand))

    def backward(self: Symbol, other: Any) -> Any:
        one = inside(self)
        operand = _operand(one.path, other)
        return NotImplemented if operand is NotImplemented else _symbol(operation(operand, one))

    return forward, backward


def _comparison(signs: Iterable[int]) -> Any:
    wanted = frozenset(signs)

    def compare(self: Symbol, other: Any) -> Any:
        one = inside(self)
        operand = _operand(one.path, other)
        return NotImplemented if operand is NotImplemented else one.path.holds((one - operand).product, wanted)

    return compare


def _operand(path: Run, other: Any) -> Any:
    """The other number as a quotient on the path; NotImplemented for arrays."""
    kind = type(other)
    if kind is Symbol:
        found = inside(other)
        if found.path is not path:
            path.refuse("a number was kept from an earlier run")
        return found
    if kind is fmpq or kind is int:
        return Quotient(path, path.ring.constant(other))
    if kind is MovingSymbol or issubclass(kind, np.ndarray):
        return NotImplemented
    # What a rational computes with, and no more: a formula that caught the error would go on otherwise than here.
    if issubclass(kind, int | np.integer | np.bool_ | Count | fmpz):
        return Quotient(path, path.ring.constant(int(other)))
    return path.refuse(f"the formula computes with a {kind.__name__}, which is no exact number")


def _exponent(path: Run, exponent: Any, what: str) -> int:
    with suppress(TypeError):
        return operator.index(exponent)
    return path.refuse(f"{what} takes a power that is not a whole number")


def _no_instances(kind: type, *_: Any, **__: Any) -> NoReturn:
    # A number made by its type could have any polynomial inside: only what is computed makes one.
    what = f"the formula makes a number of the type {kind.__name__}"
    if Run.running is not None:
        Run.running.refuse(what)
    raise CannotRunError(what)


class Symbol(SelfAnswering):
    """A number of which a formula learns nothing but the answers to comparisons: a :class:`Quotient` is inside."""

    __slots__ = ("inside",)
    __new__ = _no_instances

    __add__, __radd__ = _both_ways(operator.add)
    __sub__, __rsub__ = _both_ways(operator.sub)
    __mul__, __rmul__ = _both_ways(operator.mul)
    __truediv__, __rtruediv__ = _both_ways(operator.truediv)
    __lt__, __le__ = _comparison([-1]), _comparison([-1, 0])
    __gt__, __ge__ = _comparison([1]), _comparison([0, 1])
    __eq__, __ne__ = _comparison([0]), _comparison([-1, 1])

    def __neg__(self) -> Symbol:
        return _symbol(-inside(self))

    def __pos__(self) -> Symbol:
        return self

    def __abs__(self) -> Symbol:
        return self if self >= 0 else -self

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __pow__(self, exponent: Any) -> Any:
        one = inside(self)
        return _symbol(one ** _exponent(one.path, exponent, "the formula"))

    def __rpow__(self, other: Any) -> NoReturn:
        # 2^x would be e^(x log 2), whose logarithm is no rational.
        inside(self).path.refuse("the formula takes a power whose exponent is a number of the instance")

    def sqrt(self) -> Symbol:
        """The root: a symbol defined by its square."""
        return inside(self).path.root(self)

    def exp(self) -> Symbol:
        """The exponential, exactly 1 at 0."""
        one = inside(self)
        return one.path.constant(1) if one.top == 0 else one.path.exponential(self)

    def log(self) -> Symbol:
        """The logarithm, exactly 0 at 1."""
        one = inside(self)
        return one.path.constant(0) if one.whole and one.top == 1 else one.path.logarithm(self)

    def moving(self, slope: Any, mark: object) -> MovingSymbol:
        """The number with how fast it changes in one derivative, which the mark tells from others."""
        return _moving(self, _symbol(_operand(inside(self).path, slope)), mark)

    def __str__(self, *_: Any) -> str:
        return inside(self).path.text()

    __repr__ = __format__ = __str__

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What `isinstance` asks where the type does not tell. Nothing may be said: flint would take it at its word."""
        inside(self).path.refuse("the formula asks of what type a number is")

    def __getattr__(self, name: str) -> Any:
        """Raises AttributeError for what NumPy asks of everything, CannotRunError for all else."""
        if name.startswith(ASKED_OF_ALL):
            raise AttributeError(name)
        inside(self).path.refuse(f"the formula asks a number for its {name}, which no symbol has")


_inside = _hidden(Symbol, "inside")
inside: Callable[[Any], Quotient] = _inside.__get__  # the quotient in a symbol


def _symbol(quotient: Quotient) -> Symbol:
    made: Symbol = object.__new__(Symbol)
    _inside.__set__(made, quotient)
    return made


def value_at(symbol: Symbol, point: Sequence[Any]) -> Any:
    """The value at a point of the variables, where it takes no others. Raises ZeroDivisionError."""
    return inside(symbol).at(point)


def symbol_text(symbol: Symbol) -> str:
    """The text of a symbol, for who looks for a mistake."""
    one = inside(symbol)
    return str(one.top) if one.whole else f"({one.top})/({one.bottom})"


def _rule(operation: Callable[[_Slope, _Slope], tuple[Symbol, Symbol]]) -> tuple[Any, Any]:
    def forward(self: MovingSymbol, other: Any) -> Any:
        one = _slope(self)
        operand = one.operand(other)
        return NotImplemented if operand is NotImplemented else _moving(*operation(one, operand), one.mark)

    def backward(self: MovingSymbol, other: Any) -> Any:
        one = _slope(self)
        operand = one.operand(other)
        return NotImplemented if operand is NotImplemented else _moving(*operation(operand, one), one.mark)

    return forward, backward


@dataclass(frozen=True, slots=True)
class _Slope:
    value: Symbol
    slope: Symbol
    mark: object

    @property
    def path(self) -> Run:
        return inside(self.value).path

    def operand(self, other: Any) -> Any:
        """The other number with its slope; NotImplemented for arrays."""
        if type(other) is MovingSymbol:
            found = _slope(other)
            if found.mark is not self.mark:
                self.path.refuse("the formula takes a derivative within a derivative")
            return found
        operand = _operand(self.path, other)
        if operand is NotImplemented:
            return NotImplemented
        return _Slope(_symbol(operand), self.path.constant(0), self.mark)


def _quotient(x: _Slope, y: _Slope) -> tuple[Symbol, Symbol]:
    with _pole(y.path):
        value = x.value / y.value
        return value, (x.slope - value * y.slope) / y.value


@contextmanager
def _pole(path: Run) -> Iterator[None]:
    # Note that the formula has no value here: one that catches the error and goes on may jump.
    try:
        yield
    except (ValueError, ZeroDivisionError) as error:
        path.pole = path.pole or f"to be differentiated where it has no value: {error}"
        raise


class MovingSymbol(SelfAnswering):
    """A number and its derivative: a formula that runs on them without a comparison is smooth where it has a value.

    Numbers of different derivatives, told by their marks, do not mix.
    """

    __slots__ = ("inside",)
    __new__ = _no_instances

    __add__, __radd__ = _rule(lambda x, y: (x.value + y.value, x.slope + y.slope))
    __sub__, __rsub__ = _rule(lambda x, y: (x.value - y.value, x.slope - y.slope))
    __mul__, __rmul__ = _rule(lambda x, y: (x.value * y.value, x.slope * y.value + x.value * y.slope))
    __truediv__, __rtruediv__ = _rule(_quotient)

    def __neg__(self) -> MovingSymbol:
        one = _slope(self)
        return _moving(-one.value, -one.slope, one.mark)

    def __pos__(self) -> MovingSymbol:
        return self

    def __pow__(self, exponent: Any) -> Any:
        one = _slope(self)
        k = _exponent(one.path, exponent, "the formula to be differentiated")
        if k == 0:
            return one.path.constant(1)
        with _pole(one.path):
            return _moving(one.value**k, k * one.value ** (k - 1) * one.slope, one.mark)

    def exp(self) -> MovingSymbol:
        """The exponential."""
        one = _slope(self)
        grown = one.value.exp()
        return _moving(grown, grown * one.slope, one.mark)

    def log(self) -> MovingSymbol:
        """The logarithm."""
        one = _slope(self)
        with _pole(one.path):
            return _moving(one.value.log(), one.slope / one.value, one.mark)

    def sqrt(self) -> MovingSymbol:
        """The square root, which has no derivative at 0."""
        one = _slope(self)
        with _pole(one.path):
            root = one.value.sqrt()
            return _moving(root, one.slope / (2 * root), one.mark)

    def slope(self, mark: object) -> Any:
        """How fast the number changes in the derivative of this mark; 0 in others."""
        one = _slope(self)
        return one.slope if one.mark is mark else fmpq(0)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """What `isinstance` asks."""
        _slope(self).path.refuse("the formula to be differentiated asks of what type a number is")

    def __getattr__(self, name: str) -> Any:
        """Raises AttributeError for what NumPy asks of everything, CannotRunError for all else."""
        if name.startswith(ASKED_OF_ALL):
            raise AttributeError(name)
        _slope(self).path.refuse(f"the formula to be differentiated asks a number for its {name}")


_moved = _hidden(MovingSymbol, "inside")
_slope: Callable[[Any], _Slope] = _moved.__get__


def _moving(value: Symbol, slope: Symbol, mark: object) -> MovingSymbol:
    made: MovingSymbol = object.__new__(MovingSymbol)
    _moved.__set__(made, _Slope(value, slope, mark))
    return made


ASKED_OF_ALL = "__array"  # how the names begin that NumPy asks of everything beside an array

# What is answered for the type, alike for all symbols: no formula learns a number from it.
OF_THE_TYPE = frozenset(
    [
        *("__abstractmethods__", "__class__", "__doc__", "__getattribute__", "__getformat__", "__init_subclass__"),
        *("__module__", "__new__", "__slots__", "__subclasshook__"),
    ]
)

# What Python asks of objects and of numbers: symbols refuse what they do not define. Some of it the classes do not list.
REFUSED = frozenset(
    [
        *(name for kind in (object, int, float, complex, fmpq, Fraction) for name in dir(kind) if name[:2] == "__"),
        *("__copy__", "__deepcopy__", "__bytes__", "__setstate__"),
    ]
)


def _refuse_the_rest(kind: type, path_of: Callable[[Any], Run], told: str) -> None:
    def refusal(name: str) -> Callable[..., NoReturn]:
        def refuse(self: Any, *_: Any, **__: Any) -> NoReturn:
            path_of(self).refuse(f"{told} a number for its {name.strip('_')}, which no symbol tells")

        return refuse

    # Python gives a class that compares a __hash__ of None, whose error a formula could catch unnoticed.
    for name in sorted(REFUSED - OF_THE_TYPE - set(vars(kind)) | {"__init__", "__hash__"}):
        setattr(kind, name, refusal(name))


_refuse_the_rest(Symbol, lambda number: inside(number).path, "the formula asks")
_refuse_the_rest(MovingSymbol, lambda number: _slope(number).path, "the formula to be differentiated asks or compares")
