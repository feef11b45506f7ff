"""Identities decided again: formulas on quotients of polynomials over Fractions, written apart from flint.

A polynomial is a dictionary from monomials, sorted pairs (variable, power), to coefficients. Coordinates are the variables
0, 1, ...; each function of an argument that is not zero is one more, the same one for an argument that is equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from dynamics.arithmetic import numbers
from dynamics.choices import SelfAnswering

Monomial = tuple[tuple[int, int], ...]
Polynomial = dict[Monomial, Fraction]

ONE: Polynomial = {(): Fraction(1)}
MOST_PRODUCTS = 2_000_000


class UnformalError(LookupError):
    """The formula is no quotient of polynomials, or an identity of it is not shown: no precision helps."""


def plus(p: Polynomial, q: Polynomial, factor: int = 1) -> Polynomial:
    """p + factor q."""
    found = dict(p)
    for monomial, value in q.items():
        total = found.get(monomial, Fraction(0)) + factor * value
        if total:
            found[monomial] = total
        else:
            found.pop(monomial, None)
    return found


def times(p: Polynomial, q: Polynomial) -> Polynomial:
    """p q."""
    # Looked at before it is done: the product of two such sums would fill the memory.
    if len(p) * len(q) > MOST_PRODUCTS:
        raise UnformalError("the formula has too many terms")
    found: Polynomial = {}
    for a, x in p.items():
        for b, y in q.items():
            powers = dict(a)
            for variable, power in b:
                powers[variable] = powers.get(variable, 0) + power
            monomial = tuple(sorted(powers.items()))
            found[monomial] = found.get(monomial, Fraction(0)) + x * y
    return {monomial: value for monomial, value in found.items() if value}


def slope(p: Polynomial, variable: int) -> Polynomial:
    """dp/dx of a coordinate."""
    found: Polynomial = {}
    for monomial, value in p.items():
        powers = dict(monomial)
        power = powers.pop(variable, 0)
        if power:
            if power > 1:
                powers[variable] = power - 1
            found[tuple(sorted(powers.items()))] = power * value
    return found


def remainder(p: Polynomial, modulo: Sequence[Polynomial]) -> Polynomial:
    """p less multiples of the others, such that no term can be taken away by their leading ones."""
    # These need be no Groebner basis: what does not vanish here may all the same, and is then not shown.
    leads = [(max(q, key=lambda m: [(-v, k) for v, k in m]), q) for q in modulo]
    pending, left = dict(p), dict[Monomial, Fraction]()
    while pending:
        monomial, value = pending.popitem()
        # A term that no leading one divides is put aside for good: no later subtraction brings it back.
        powers = dict(monomial)
        for lead, q in leads:
            if all(powers.get(variable, 0) >= power for variable, power in lead):
                rest = tuple(sorted((v, k - dict(lead).get(v, 0)) for v, k in powers.items() if k > dict(lead).get(v, 0)))
                pending[monomial] = value
                pending = plus(pending, times({rest: value / q[lead]}, q), -1)
                break
        else:
            left = plus(left, {monomial: value})
    return left


def _open(*_: Any) -> Any:
    raise UnformalError("the formula makes a choice by its coordinates")


class Quotient(SelfAnswering):
    """A formula's value; `known` are the functions that have come up: name, numerator, denominator."""

    __slots__ = ("known", "over", "size", "under")

    def __init__(self, size: int, known: list[tuple[str, Quotient]], over: Polynomial, under: Polynomial) -> None:
        self.size, self.known, self.over, self.under = size, known, over, under

    def made(self, over: Polynomial, under: Polynomial) -> Quotient:
        """Another one of the same variables."""
        return Quotient(self.size, self.known, over, under)

    def taken(self, value: Any) -> Quotient:
        """A rational among them. Raises UnformalError for another number."""
        if isinstance(value, Quotient):
            return value
        if hasattr(value, "p") and hasattr(value, "q"):
            exact = Fraction(int(value.p), int(value.q))
        elif isinstance(value, float | Fraction):
            exact = Fraction(value)
        elif isinstance(value, int | np.integer):
            exact = Fraction(int(value))
        else:
            raise UnformalError("the formula computes with a number that is not rational")
        return self.made({(): exact} if exact else {}, ONE)

    def same_as(self, other: Quotient) -> bool:
        """Whether the two are equal for all coordinates."""
        return times(self.over, other.under) == times(other.over, self.under)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        y = self.taken(other)
        # Quotients are never reduced, but terms of one formula often share their denominator.
        if self.under == y.under:
            return self.made(plus(self.over, y.over), self.under)
        return self.made(plus(times(self.over, y.under), times(y.over, self.under)), times(self.under, y.under))

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        y = self.taken(other)
        return self.made(times(self.over, y.over), times(self.under, y.under))

    def __neg__(self) -> Quotient:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else self + -self.taken(other)

    def __rsub__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else -self + other

    def _inverted(self) -> Quotient:
        if not self.over:
            raise UnformalError("the formula divides by zero")
        return self.made(self.under, self.over)

    def __truediv__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else self * self.taken(other)._inverted()

    def __rtruediv__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else self._inverted() * other

    def __pow__(self, power: Any) -> Any:
        if not isinstance(power, int) or power < 0:
            raise UnformalError("the formula takes a power that is not whole")
        result = self.taken(1)
        for _ in range(power):
            result = result * self
        return result

    __radd__, __rmul__ = __add__, __mul__
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _open
    __abs__ = __float__ = __bool__ = __int__ = max = min = _open
    __hash__ = None  # type: ignore[assignment]

    def _function(self, name: str) -> Quotient:
        # Equal arguments are one variable, or e^x - e^x would not vanish.
        same = [known == name and argument.same_as(self) for known, argument in self.known]
        place = same.index(True) if True in same else len(same)
        if place == len(same):
            self.known.append((name, self))
        return self.made({((self.size + place, 1),): Fraction(1)}, ONE)

    def exp(self) -> Quotient:
        """e^x, 1 at 0."""
        return self._function("exp") if self.over else self.taken(1)

    def log(self) -> Quotient:
        """log x."""
        return self._function("log")

    def sqrt(self) -> Quotient:
        """The root of x."""
        return self._function("sqrt")


def variables(size: int) -> list[Quotient]:
    """The coordinates of a state of this size."""
    known: list[tuple[str, Quotient]] = []
    return [Quotient(size, known, {((k, 1),): Fraction(1)}, ONE) for k in range(size)]


def column(values: Sequence[Any]) -> Any:
    """An array of these objects, one by one: NumPy would look into a list for an array's entries."""
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return array


def run(formula: Callable[[Any], Any], at: Sequence[Quotient]) -> list[Quotient]:
    """The entries of the arrays that a formula of a flat state gives. Raises UnformalError."""
    try:
        return [at[0].taken(entry) for array in formula(column(at)) for entry in numbers(array).flat]
    except (TypeError, ValueError, AttributeError) as error:
        raise UnformalError(f"the formula does not run on polynomials: {error}") from None


def all_vanish(values: Iterable[Quotient], modulo: Sequence[Polynomial] = ()) -> bool:
    """Whether all are zero wherever the polynomials `modulo` are."""
    # A quotient vanishes with its numerator; where the denominator does, too, the formula has no value.
    return not any(remainder(value.over, modulo) for value in values)
