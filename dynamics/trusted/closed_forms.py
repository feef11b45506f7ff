"""Numbers in closed form: made of rationals by `+ - * /`, exponentials, logarithms and square roots, and compared exactly.

Inside of :func:`closed_forms` the exponential of a rational is such a number and not a ball. A number is a sum of parts:
each a polynomial in a few *generators* (e^{1/12}, log 2, the root of 3, e^{m/5} of a product m of earlier ones), beside a
product of powers of known *factors*, the denominators. Parts are put over one denominator where a comparison needs it.

- A polynomial whose coefficients all vanish is zero, whatever its generators are. So an identity is seen to hold.
- A number that is not zero has a sign, which balls around it show. Nothing is divided by before it has one.
- By Lindemann and Weierstrass exponentials of distinct rationals are linearly independent over the algebraic numbers: of
  sums of exponentials of rationals every sign is found by one or the other.

Exponentials of exponentials may be related in ways that nobody knows: where neither shows a sign, it is open like a ball's.
So it is beyond a stated amount of work, where a number is the ball around it. Section 14 of docs/certified_trajectories.md.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import gcd
from typing import Any

import flint
from flint import Ordering, arb, arb_series, fmpq, fmpq_mpoly_ctx, fmpz

from dynamics.arithmetic import log, numbers, precisions, working_precision
from dynamics.choices import ClosedForm, ball, closed_numbers, flint_operand, guarded, look
from dynamics.moving import Moving

MOST_WORK = 20_000
"""Products of terms in one evaluation of a formula, beyond which its numbers are balls."""

MOST_GENERATORS = 24
"""Generators of one evaluation."""

MOST_DEGREE, MOST_TERMS = 256, 16
"""The degree, summed over generators, and the terms up to which a factor under a root or logarithm is made squarefree."""

MOST_FACTORED = 1 << 64
"""Whole numbers up to this are factored into primes, under a root or a logarithm."""

LOWEST_BITS, MOST_BITS = 64, 1 << 20
"""Bits of the balls in which a sign is looked for: beyond the working precision where it is certain that there is one."""

Powers = tuple[tuple[int, int], ...]
"""A product of powers of factors: their places in the field, in order, and exponents that are not 0."""

Piece = tuple[tuple[int, ...], Any]
"""A monomial, by the powers of its generators, which may be negative, and a polynomial to multiply it by."""


class TooMuchWorkError(ArithmeticError):
    """A number in closed form would cost more than it may: the ball around it is taken."""


@dataclass(eq=False)
class Generator:
    """A positive or real number: e^{of/unit}, log |of| or the square root of |of|.

    Of a root, `square` is the place of the factor whose absolute value it is the root of, and its sign, or a prime alone.
    """

    kind: str
    of: Any
    unit: int = 1
    square: tuple[int | None, int] = (None, 1)

    def value(self, power: int) -> arb:
        """A ball around a power of the number."""
        of = _ball_of(self.of)
        if self.kind == "exponential":
            return arb(of * fmpq(power, self.unit)).exp()
        of = abs(arb(of))
        return (of.log() if self.kind == "logarithm" else of.sqrt()) ** power


@cache
def _ring(generators: int) -> Any:
    return fmpq_mpoly_ctx.get(tuple(f"X{k}" for k in range(generators)), Ordering.lex)


class NumberField:
    """The numbers of one evaluation: their generators, their factors, and the work that is left.

    A factor is a polynomial of at least two terms that was certainly not zero when it became one.
    """

    def __init__(self, work: int = MOST_WORK) -> None:
        self.work = work
        self.generators: list[Generator] = []
        self.units: tuple[int, ...] = ()
        self.ring = _ring(0)
        self.factors: list[Any] = []
        self.roots: list[int] = []
        self._found: dict[Any, int] = {}
        self._values: dict[tuple[int, int, int], arb] = {}

    def pay(self, work: int) -> None:
        """Spend so many products of terms. Raises TooMuchWorkError when they are not left."""
        self.work -= work
        if self.work < 0:
            raise TooMuchWorkError

    def one(self) -> Piece:
        """The number 1."""
        return (0,) * len(self.units), self.ring.constant(1)

    @property
    def is_independent(self) -> bool:
        """Whether exponentials of rationals and roots of primes are all there is: a number is zero where it looks it."""
        return all(
            isinstance(one.of, fmpq) if one.kind == "exponential" else one.kind == "root" and one.square[0] is None
            for one in self.generators
        )

    def generator(self, key: Any, kind: str, of: Any, square: tuple[int | None, int] = (None, 1)) -> int:
        """The place of a generator, which is made where it is new. Raises TooMuchWorkError for too many."""
        if key not in self._found:
            if len(self.generators) == MOST_GENERATORS:
                raise TooMuchWorkError
            self._found[key] = len(self.generators)
            self.generators.append(Generator(kind, of, square=square))
            if kind == "root":
                self.roots.append(self._found[key])
            self.ring = _ring(len(self.generators))
            self.units = (*self.units, 1)
            # A ring of polynomials has its generators for good: what was made in the smaller one moves over.
            self.factors = [factor.project_to_context(self.ring) for factor in self.factors]
        return self._found[key]

    def refine(self, place: int, times: int) -> None:
        """Take a unit that is so many times smaller for a generator."""
        if times > 1:
            # e^{1/12} in place of e^{1/3}: so that exponents stay whole, and numbers stay polynomials.
            scale = [times if k == place else 1 for k in range(len(self.units))]
            self.units = tuple(map(operator.mul, self.units, scale))
            self.generators[place].unit *= times
            self.factors = [factor.inflate(scale) for factor in self.factors]
            self._values.clear()

    def value(self, place: int, power: int) -> arb:
        """A ball around a power of a generator."""
        key = place, power, flint.ctx.prec
        if key not in self._values:
            self._values[key] = self.generators[place].value(power)
        return self._values[key]

    def monomial(self, powers: dict[int, int]) -> tuple[int, ...]:
        """Its exponents in order, from those that are not zero by place."""
        return tuple(powers.get(place, 0) for place in range(len(self.units)))

    def exp(self, q: fmpq) -> Any:
        """e^q for a rational q."""
        return self._or_ball(lambda: self._grown([((), fmpq(1), q)]), q, "exp")

    def log(self, q: fmpq) -> Any:
        """The logarithm of a positive rational, of others a ball that is not finite."""
        return self._or_ball(lambda: self.logarithm(q), q, "log") if q > 0 else ball(q).log()

    def sqrt(self, q: fmpq) -> Any:
        """The square root of a positive rational."""
        return self._or_ball(lambda: self.root(q), q, "sqrt")

    def _or_ball(self, found: Callable[[], Any], q: fmpq, function: str) -> Any:
        try:
            self.pay(1)
            return found()
        except TooMuchWorkError:
            return getattr(ball(q), function)()

    def _grown(self, exponent: Iterable[tuple[Any, Any, fmpq]]) -> Any:
        """The exponential of a sum of numbers `of`, known by a key, each times a rational."""
        places: dict[int, fmpq] = {}
        for key, of, c in exponent:
            place = self.generator(("exponential", key), "exponential", of)
            self.refine(place, int(c.q) // gcd(self.units[place], int(c.q)))
            places[place] = places.get(place, fmpq(0)) + c
        powers = {place: int((c * self.units[place]).p) for place, c in places.items()}
        return Elementary(self, {(): (self.monomial(powers), self.ring.constant(1))})

    def exponential_of(self, x: Elementary) -> Any:
        """e^x: a product of powers of generators, one for each term of x, and of what its logarithms are of."""
        grown: Any = fmpq(1)
        exponent = []
        for powers, (low, polynomial) in self._without_leading_shares(x.current()):
            for more, c in polynomial.to_dict().items():
                total = tuple(a + int(b) for a, b in zip(low, more, strict=True))
                at = {place: k for place, k in enumerate(total) if k}
                (place, k), *others = at.items() or [(0, 0)]
                # e^{c log y} is a power of y for a whole c; any other term makes a generator of its own, known by what it
                # is of.
                if powers or others or k != 1 or self.generators[place].kind != "logarithm" or c.q != 1:
                    key = (powers, tuple((j, Fraction(e, self.units[j])) for j, e in at.items())) if powers or at else ()
                    of = Elementary(self, {powers: (total, self.ring.constant(1))}) if powers or at else fmpq(1)
                    exponent.append((key, of, c))
                else:
                    grown = grown * abs(self.generators[place].of) ** int(c.p)
        return grown * self._grown(exponent) if exponent else grown

    def logarithm(self, q: fmpq) -> Any:
        """The logarithm of a positive rational: a sum of those of primes."""
        total: Any = fmpq(0)
        # Of primes: so log 6 - log 2 - log 3 is a polynomial whose coefficients vanish, and no ball is asked.
        for whole, sign in ((q.p, 1), (q.q, -1)):
            for prime, exponent in _factored(whole):
                total = total + self.logarithm_of(("prime", prime), fmpq(prime)) * (sign * exponent)
        return total

    def logarithm_of(self, key: Any, of: Any) -> Elementary:
        """The logarithm of the absolute value of a number, as a generator."""
        return self.alone(self.generator(("logarithm", key), "logarithm", of))

    def root(self, q: fmpq) -> Any:
        """The square root of a positive rational: a product of those of primes."""
        # sqrt(p/q) = sqrt(p q) / q: one whole number to factor, and no root in a denominator.
        total: Any = fmpq(1, q.q)
        for prime, exponent in _factored(q.p * q.q):
            total = total * fmpq(prime) ** (exponent // 2)
            if exponent % 2:
                place = self.generator(("root", prime), "root", fmpq(prime), (None, prime))
                total = total * self.alone(place)
        return total

    def root_of_factor(self, place: int) -> Any:
        """The square root of the absolute value of a factor. Raises TooMuchWorkError where its sign is not known."""
        of = self.of_factor(place)
        # Its square is the absolute value of the factor: which of the two that is has to be known.
        sign = of.sign()
        if sign is None:
            raise TooMuchWorkError
        return self.alone(self.generator(("root", ("factor", place)), "root", of, (place, sign)))

    def root_of_power(self, place: int, power: int) -> Elementary:
        """The square root of a power of a generator. Raises TooMuchWorkError where that is none."""
        if power % 2:
            if self.generators[place].kind != "exponential":
                raise TooMuchWorkError
            # e^{k/u} with an odd k has the root e^{k/2u}: in units half as large the power is even.
            self.refine(place, 2)
            power *= 2
        return Elementary(self, {(): (self.monomial({place: power // 2}), self.ring.constant(1))})

    def alone(self, place: int) -> Elementary:
        """A generator as a number."""
        return Elementary(self, {(): (self.monomial({place: 1}), self.ring.constant(1))})

    def _without_leading_shares(self, x: Elementary) -> Iterable[tuple[Powers, Piece]]:
        """The parts of x where the leading term of a denominator, over it, is one less the others: shares add up to one."""
        parts: dict[Powers, Piece] = dict(x.parts)
        for powers, (low, polynomial) in x.parts.items():
            if len(powers) == 1 and powers[0][1] == -1:
                factor = self.factors[powers[0][0]]
                sought = tuple(map(operator.sub, _top(factor), low))
                c = polynomial.to_dict().get(sought)
                if c is not None:
                    whole = self.ring.constant(c / factor.leading_coefficient())
                    rest = self.plus((low, polynomial), (self.one()[0], -whole * factor))
                    parts[powers] = rest
                    parts[()] = self.plus(parts[()], (self.one()[0], whole)) if () in parts else (self.one()[0], whole)
        return parts.items()

    def factor(self, monic: Any) -> int:
        """The place of a polynomial among the factors."""
        # By comparing polynomials: equal ones must be one factor, or a quotient of both would not cancel.
        for place, known in enumerate(self.factors):
            if known == monic:
                return place
        self.factors.append(monic)
        return len(self.factors) - 1

    def of_factor(self, place: int) -> Elementary:
        """A factor as a number."""
        return Elementary(self, {((place, 1),): self.one()})

    def collected(self, parts: Iterable[tuple[Powers, Piece]]) -> Any:
        """The sum of the parts, a rational where it is one at sight."""
        found: dict[Powers, Piece] = {}
        waiting = list(parts)
        while waiting:
            powers, piece = waiting.pop()
            split = self._without_squares(powers, piece)
            if split:
                waiting += split
                continue
            # Parts over the same denominator are added at once: what vanishes so is never multiplied out.
            other = found.pop(powers, None)
            if other is not None:
                piece = self.plus(piece, other)
                if piece[1] == 0:
                    continue
            place = self._cancelled(powers, piece)
            if place is None:
                found[powers] = piece
            else:
                waiting.append((_times_powers(powers, ((place, 1),)), _without(piece, self.factors[place])))
        if not found:
            return fmpq(0)
        if len(found) == 1 and () in found:
            low, polynomial = found[()]
            if len(polynomial) == 1 and not any(map(operator.add, low, _top(polynomial))):
                return polynomial.leading_coefficient()
        return Elementary(self, found)

    def _without_squares(self, powers: Powers, piece: Piece) -> list[tuple[Powers, Piece]]:
        """The parts of a piece in which the square of a root is what it is; none where there is no such square."""
        low, polynomial = piece
        for place in self.roots:
            if low[place] == 0 and (polynomial.is_constant() or polynomial.degrees()[place] <= 1):
                continue
            factor, sign = self.generators[place].square
            found: dict[int, dict[tuple[int, ...], fmpq]] = {}
            for more, c in polynomial.to_dict().items():
                squares, rest = divmod(low[place] + int(more[place]), 2)
                kept = tuple(rest if k == place else int(e) for k, e in enumerate(more))
                found.setdefault(squares, {})[kept] = c * fmpq(sign) ** squares
            start = tuple(0 if k == place else e for k, e in enumerate(low))
            return [
                (
                    powers if factor is None or not squares else _times_powers(powers, ((factor, squares),)),
                    (start, self.ring.from_dict(terms)),
                )
                for squares, terms in found.items()
            ]
        return []

    def _cancelled(self, powers: Powers, piece: Piece) -> int | None:
        """A factor in the denominator of which the piece is a multiple by a monomial."""
        for place, exponent in powers:
            if exponent < 0 and _ratio(piece[1], self.factors[place]) is not None:
                return place
        return None

    def product(self, powers: Powers, piece: Piece, others: Powers, other: Piece) -> tuple[Powers, Piece]:
        """The product of two parts; a denominator of one that the other is a multiple of is cancelled first."""
        for _ in range(2):
            place = self._cancelled(powers, other)
            if place is not None:
                powers, other = _times_powers(powers, ((place, 1),)), _without(other, self.factors[place])
            powers, piece, others, other = others, other, powers, piece
        return _times_powers(powers, others), (tuple(map(operator.add, piece[0], other[0])), piece[1] * other[1])

    def plus(self, x: Piece, y: Piece) -> Piece:
        """The sum of two pieces."""
        if x[0] == y[0]:
            return x[0], x[1] + y[1]
        low = tuple(map(min, x[0], y[0]))
        return low, sum(
            (polynomial * self.ring.from_dict({tuple(map(operator.sub, start, low)): 1}) for start, polynomial in (x, y)),
            self.ring.constant(0),
        )

    def expanded(self, powers: Powers, piece: Piece) -> Piece:
        """The piece times a product of factors. Raises TooMuchWorkError."""
        low, polynomial = piece
        for place, exponent in powers:
            for _ in range(exponent):
                self.pay(len(polynomial) * len(self.factors[place]))
                polynomial = polynomial * self.factors[place]
        return low, polynomial

    def split(self, piece: Piece) -> tuple[fmpq, tuple[int, ...], int | None]:
        """The number and the monomial that make the piece of a factor, with its place, or of 1, with None."""
        low, polynomial = piece
        if len(polynomial) == 1:
            return polynomial.leading_coefficient(), tuple(map(operator.add, low, _top(polynomial))), None
        # Free of monomials and with leading coefficient 1: so that multiples of one polynomial are one factor.
        bottom = _bottom(polynomial)
        c = polynomial.leading_coefficient()
        monic = polynomial / self.ring.from_dict({bottom: c})
        return c, tuple(map(operator.add, low, bottom)), self.factor(monic)


def _factored(whole: Any) -> list[tuple[int, int]]:
    """The primes of a positive whole number, with their exponents. Raises TooMuchWorkError for a large one."""
    if whole > MOST_FACTORED:
        raise TooMuchWorkError
    return [(int(prime), int(exponent)) for prime, exponent in fmpz(whole).factor()]


def _top(polynomial: Any) -> tuple[int, ...]:
    return tuple(map(int, polynomial.monomial(0)))


def _bottom(polynomial: Any) -> tuple[int, ...]:
    return tuple(int(min(column)) for column in zip(*polynomial.monoms(), strict=True))


def _ratio(polynomial: Any, factor: Any) -> Any:
    """The monomial that makes the polynomial of the factor, None if there is none."""
    if len(polynomial) != len(factor):
        return None
    powers = tuple(map(operator.sub, _top(polynomial), _top(factor)))
    if min(powers) < 0:
        return None
    ratio = polynomial.context().from_dict({powers: polynomial.leading_coefficient() / factor.leading_coefficient()})
    return ratio if polynomial == factor * ratio else None


def _without(piece: Piece, factor: Any) -> Piece:
    """The quotient of a multiple of the factor by it."""
    return piece[0], _ratio(piece[1], factor)


def _times_powers(x: Powers, y: Powers) -> Powers:
    if not x or not y:
        return x or y
    total = dict(x)
    for place, exponent in y:
        total[place] = total.get(place, 0) + exponent
    return tuple(sorted((place, exponent) for place, exponent in total.items() if exponent))


# ---------------------------------------------------------------------------------------------------------------------
# Operations


def _operation(operation: Callable[[Any, Any], Any], of_balls: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    """The operation and its reflection: of balls where one is a ball, or where it is too much work in closed form."""

    def apply(x: Any, y: Any) -> Any:
        if not isinstance(x, arb | arb_series) and not isinstance(y, arb | arb_series):
            try:
                return operation(x, y)
            except TooMuchWorkError:
                pass
        return guarded(of_balls(_ball_of(x), _ball_of(y)))

    def forward(self: Elementary, other: Any) -> Any:
        operand = self.operand(other)
        return NotImplemented if operand is NotImplemented else apply(self.current(), operand)

    def backward(self: Elementary, other: Any) -> Any:
        operand = self.operand(other)
        return NotImplemented if operand is NotImplemented else apply(operand, self.current())

    return forward, backward


def _ball_of(number: Any) -> Any:
    return number.plain if isinstance(number, Elementary) else number


def _field(x: Any, y: Any) -> NumberField:
    field: NumberField = x.field if isinstance(x, Elementary) else y.field
    return field


def _parts(x: Any, field: NumberField) -> Iterable[tuple[Powers, Piece]]:
    """The parts of a number in closed form, or of a rational."""
    if isinstance(x, Elementary):
        return x.parts.items()
    return [((), ((0,) * len(field.units), field.ring.constant(x)))] if x != 0 else []


def _size(x: Any) -> int:
    return sum(len(polynomial) for _, polynomial in x.parts.values()) if isinstance(x, Elementary) else 1


def _add(x: Any, y: Any) -> Any:
    field = _field(x, y)
    field.pay(_size(x) + _size(y))
    return field.collected([*_parts(x, field), *_parts(y, field)])


def _subtract(x: Any, y: Any) -> Any:
    return _add(x, -y)


def _multiply(x: Any, y: Any) -> Any:
    field = _field(x, y)
    field.pay(_size(x) * _size(y))
    return field.collected(field.product(*a, *b) for a in _parts(x, field) for b in _parts(y, field))


def _divide(x: Any, y: Any) -> Any:
    order = y.sign() if isinstance(y, Elementary) else int(y != 0)
    if order is None:
        raise TooMuchWorkError
    if order == 0:
        raise ZeroDivisionError("division by zero")
    return _multiply(x, y.inverse() if isinstance(y, Elementary) else 1 / y)


def _comparison(holds: Callable[[Any, Any], bool]) -> Any:
    def compare(self: Elementary, other: Any) -> Any:
        operand = self.operand(other)
        if operand is NotImplemented:
            return NotImplemented
        look()
        difference = self - other
        order = difference.sign() if isinstance(difference, Elementary) else difference
        return holds(ball(difference) if order is None else order, 0)

    return compare


class Elementary(ClosedForm):
    """A number of a field: a sum of parts, which a formula can compute with and compare, and do nothing else."""

    __slots__ = ("_single", "field", "parts", "units")
    __hash__ = ClosedForm.__hash__  # which it refuses

    def __init__(self, field: NumberField, parts: dict[Powers, Piece]) -> None:
        self.field, self.parts, self.units = field, parts, field.units
        self._single: Elementary | None = None

    def operand(self, other: Any) -> Any:
        """The other number as rational, in closed form, ball or series; NotImplemented for arrays.

        A number that was kept from another evaluation is a ball.
        """
        if type(other) is Elementary:
            return other.current() if other.field is self.field else other.plain
        operand = NotImplemented if isinstance(other, Moving) else flint_operand(other)
        return fmpq(operand) if isinstance(operand, int | fmpz) else operand

    def current(self) -> Elementary:
        """The number in the generators and units of today."""
        units = self.field.units
        if self.units is not units:
            more = (0,) * (len(units) - len(self.units))
            scale = [new // old for new, old in zip(units, self.units, strict=False)]
            same = all(factor == 1 for factor in scale)
            for powers, (low, polynomial) in self.parts.items():
                moved = low if same else tuple(map(operator.mul, low, scale))
                wider = polynomial if same else polynomial.inflate(scale)
                self.parts[powers] = (*moved, *more), wider.project_to_context(self.field.ring) if more else wider
            self.units = units
        return self

    @property
    def plain(self) -> arb:
        """A ball around the number at the working precision."""
        field, total = self.current().field, arb(0)
        for powers, (low, polynomial) in self.parts.items():
            value = _value(field, polynomial, low)
            for place, exponent in powers:
                value *= _value(field, field.factors[place]) ** exponent
            total += value
        return total

    __add__, __radd__ = _operation(_add, operator.add)
    __sub__, __rsub__ = _operation(_subtract, operator.sub)
    __mul__, __rmul__ = _operation(_multiply, operator.mul)
    __truediv__, __rtruediv__ = _operation(_divide, operator.truediv)
    __lt__, __le__ = _comparison(operator.lt), _comparison(operator.le)
    __gt__, __ge__ = _comparison(operator.gt), _comparison(operator.ge)
    __eq__, __ne__ = _comparison(operator.eq), _comparison(operator.ne)

    def __neg__(self) -> Elementary:
        self.current()
        return Elementary(self.field, {powers: (low, -p) for powers, (low, p) in self.parts.items()})

    def __abs__(self) -> Any:
        order = self.sign()
        return abs(ball(self)) if order is None else self if order >= 0 else -self

    def max(self, other: Any) -> Any:
        """The larger of the two numbers: one of them where their order is known, else a ball or series that holds it."""
        return self._extreme(other, "max", 1)

    def min(self, other: Any) -> Any:
        """The smaller of the two numbers, in the same way."""
        return self._extreme(other, "min", -1)

    def _extreme(self, other: Any, which: str, sign: int) -> Any:
        look()
        difference = self - other
        order = difference.sign() if isinstance(difference, Elementary) else difference
        if order is None or not isinstance(order, int | fmpq):
            return getattr(ball(self), which)(_ball_of(other))
        return self if order * sign >= 0 else other

    def __pow__(self, exponent: Any) -> Any:
        try:
            k = operator.index(exponent)
        except TypeError:
            if not (isinstance(exponent, fmpq) and exponent.q == 1):
                return ball(self) ** exponent
            k = int(exponent.p)
        if k < 0:
            return 1 / self**-k
        found: Any = fmpq(1)
        # Squaring: x^k in some 2 log2(k) products, each of which is paid for.
        for digit in f"{k:b}":
            found = found * found
            if digit == "1":
                found = found * self
        return found

    def __rpow__(self, other: Any) -> Any:
        return other ** ball(self)

    def single(self) -> Elementary:
        """The number over one denominator, with no part if it is zero. Raises TooMuchWorkError."""
        self.current()
        if len(self.parts) > 1 and self._single is None:
            field = self.field
            least: dict[int, int] = {}
            for powers in self.parts:
                for place, exponent in powers:
                    least[place] = min(least.get(place, 0), exponent)
            under = tuple((place, exponent) for place, exponent in sorted(least.items()) if exponent)
            over = tuple((place, -exponent) for place, exponent in under)
            expanded = [field.expanded(_times_powers(powers, over), piece) for powers, piece in self.parts.items()]
            top = field.collected(((), piece) for piece in expanded)
            number = Elementary(field, dict(_parts(top, field)))
            if any(number.parts):  # squares of roots have brought factors
                number = number.single()
            self._single = Elementary(field, {_times_powers(powers, under): p for powers, p in number.parts.items()})
        return self if self._single is None else self._single.current()

    def sign(self) -> int | None:
        """-1, 0 or 1; None where the number has no sign at the working precision and is not seen to be zero."""
        # Balls first: most signs show at few bits, and then nothing is put over one denominator.
        order = _order(self, LOWEST_BITS)
        if order is not None:
            return order
        most = flint.ctx.prec
        number = self
        try:
            number = self.single()
            if not number.parts:
                return 0
            # Not zero, as no polynomial in independent numbers is: then some precision shows the sign, however many bits it
            # takes.
            most = MOST_BITS if self.field.is_independent else most
        except TooMuchWorkError:
            pass
        return next(filter(None, (_order(number, bits) for bits in precisions(2 * LOWEST_BITS, most, 2))), None)

    def settled(self) -> Any:
        """Zero as a rational, else a ball with a sign; a ball around it where the sign is not known."""
        order, number = self.sign(), self
        if order == 0:
            return fmpq(0)
        with suppress(TooMuchWorkError):  # over one denominator large terms have cancelled
            number = self.single()
        for bits in precisions(flint.ctx.prec, 4 * MOST_BITS):
            with working_precision(bits):
                value = number.plain
            # Where it certainly has a sign bits are added until the ball shows it; elsewhere they might never.
            if order is None or value != 0:
                break
        return value

    def elements(self) -> tuple[fmpq, dict[int, int], dict[int, int]]:
        """A number that is not zero as a product: a rational, and powers of generators and of factors by their places.

        Raises TooMuchWorkError.
        """
        ((powers, piece),) = self.single().parts.items()
        self.field.pay(len(piece[1]))
        c, monomial, place = self.field.split(piece)
        factors = _times_powers(powers, () if place is None else ((place, 1),))
        return c, {k: power for k, power in enumerate(monomial) if power}, dict(factors)

    def squarefree(self) -> tuple[fmpq, dict[int, int], dict[int, int]]:
        """The same of factors without squares."""
        field = self.field
        c, monomial, factors = self.elements()
        simple: dict[int, int] = {}
        for place, exponent in factors.items():
            factor = field.factors[place]
            # In dense polynomials, whatever the exponents are.
            small = sum(map(int, factor.degrees())) <= MOST_DEGREE and len(factor) <= MOST_TERMS
            content, bases = factor.factor_squarefree() if small else (fmpq(1), [(factor, 1)])
            c *= content**exponent
            for polynomial, multiplicity in bases:
                scale, more, base = field.split((field.one()[0], polynomial))
                c *= scale ** (exponent * multiplicity)
                for generator, power in enumerate(more):
                    monomial[generator] = monomial.get(generator, 0) + power * exponent * multiplicity
                if base is not None:
                    simple[base] = simple.get(base, 0) + exponent * multiplicity
        return c, {place: power for place, power in monomial.items() if power}, simple

    def inverse(self) -> Any:
        """One over a number that is not zero. Raises TooMuchWorkError."""
        c, monomial, factors = self.elements()
        # Monomials and factors are only turned over: nothing is expanded for a division.
        below = self.field.monomial({place: -power for place, power in monomial.items()})
        turned = tuple((place, -exponent) for place, exponent in factors.items())
        return self.field.collected([(turned, (below, self.field.ring.constant(1 / c)))])

    def _or_ball(self, function: str, found: Callable[[], Any]) -> Any:
        """What is found, or flint's function of a ball where it would be too much work or no number."""
        try:
            return found()
        except TooMuchWorkError:
            return getattr(ball(self), function)()

    def exp(self) -> Any:
        """The exponential, exactly 1 at 0."""
        return self._or_ball("exp", lambda: fmpq(1) if self.sign() == 0 else self.field.exponential_of(self))

    def log(self) -> Any:
        """The logarithm: of a product, the sum of those of its factors."""
        return self._or_ball("log", self._logarithm)

    def sqrt(self) -> Any:
        """The square root: of a product, the product of those of its factors."""
        return self._or_ball("sqrt", lambda: fmpq(0) if self.sign() == 0 else abs(self._root()))

    def _need_positive(self) -> None:
        # A logarithm or root of what may be negative is left to balls, which say what it is, or that it is nothing.
        if self.sign() != 1:
            raise TooMuchWorkError

    def _logarithm(self) -> Any:
        self._need_positive()
        field = self.field
        c, monomial, factors = self.squarefree()
        total = field.logarithm(abs(c))
        for place, power in monomial.items():
            one = field.generators[place]
            if one.kind == "exponential":
                of = one.of / one.unit
            elif one.kind == "root":
                of = log(numbers(abs(one.of))).item() / 2
            else:
                of = field.logarithm_of(("generator", place), field.alone(place))
            total = total + of * power
        for place, power in factors.items():
            total = total + field.logarithm_of(("factor", place), field.of_factor(place)) * power
        return total

    def _root(self) -> Any:
        self._need_positive()
        field = self.field
        root: Any = fmpq(1)
        c, monomial, factors = self.squarefree()
        root = root * field.root(abs(c))
        for place, power in monomial.items():
            root = root * field.root_of_power(place, power)
        for place, exponent in factors.items():
            root = root * field.of_factor(place) ** (exponent // 2)
            if exponent % 2:
                root = root * field.root_of_factor(place)
        return root


def _value(field: NumberField, polynomial: Any, low: tuple[int, ...] | None = None) -> arb:
    total = arb(0)
    for powers, c in polynomial.to_dict().items():
        term = arb(c)
        for place, power in enumerate(powers):
            k = int(power) if low is None else int(power) + low[place]
            if k:
                term *= field.value(place, k)
        total += term
    return total


def _order(x: Elementary, bits: int) -> int | None:
    """The sign of a ball around a number, None where it holds zero."""
    with working_precision(bits):
        value = x.plain
        return 1 if value > 0 else -1 if value < 0 else None


@contextmanager
def closed_forms(work: int = MOST_WORK) -> Iterator[None]:
    """Inside, exponentials, logarithms and roots of rationals are in closed form, until so much work is spent."""
    with closed_numbers(NumberField(work)):
        yield
