"""Identities of formulas: numbers that are quotients of polynomials in the coordinates of a state.

A formula that runs on :class:`Formal` numbers gives its value as such a quotient. Exponentials, logarithms and roots are
variables of their own, one for each argument. A polynomial that vanishes therefore vanishes whatever the coordinates are;
what does not is open. So nothing but identities is decided here, for all states at once: docs/flow_limits.md, Identities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from flint import Ordering, fmpq_mpoly_ctx

from dynamics.arithmetic import Array, numbers, rational
from dynamics.choices import SelfAnswering
from dynamics.limits.margins import NotTrappedError, entries

MOST_FUNCTIONS = 96
"""Exponentials, logarithms and roots of different arguments in one formula."""

MOST_TERMS = 20_000
"""Terms of a polynomial."""


class NotFormalError(NotTrappedError):
    """The formula is no quotient of polynomials in coordinates and functions of them: neither bits nor time help."""


@cache
def _ring(size: int) -> Any:
    names = (*(f"x{k}" for k in range(size)), *(f"f{k}" for k in range(MOST_FUNCTIONS)))
    return fmpq_mpoly_ctx.get(names, Ordering.lex)


class Ring:
    """The polynomials in `size` coordinates, and what functions of them have come up."""

    def __init__(self, size: int) -> None:
        self.size, self.polynomials = size, _ring(size)
        self.functions: list[tuple[str, Any, Any]] = []
        self.divisors: list[Any] = []
        """The numerators of what was divided by, but for constants: where none is zero the formulas are analytic."""

    def constant(self, value: Any) -> Formal:
        """A rational. Raises NotFormalError for another number."""
        try:
            return Formal(self, self.polynomials.constant(rational(value)), self.polynomials.constant(1))
        except ValueError:
            raise NotFormalError("the formula computes with a number that is not rational") from None

    def coordinates(self) -> list[Formal]:
        """The coordinates themselves."""
        one = self.polynomials.constant(1)
        return [Formal(self, x, one) for x in self.polynomials.gens()[: self.size]]

    def function(self, name: str, of: Formal) -> Formal:
        """The variable that stands for a function of a number: the same one for an argument that is equal."""
        # Cross products: arguments are quotients that nothing has reduced.
        same = [known == name and top * of.bottom == of.top * bottom for known, top, bottom in self.functions]
        place = same.index(True) if True in same else len(same)
        if place == MOST_FUNCTIONS:
            raise NotFormalError(f"the formula takes more than {MOST_FUNCTIONS} exponentials or roots")
        if place == len(same):
            self.functions.append((name, of.top, of.bottom))
        return Formal(self, self.polynomials.gens()[self.size + place], self.polynomials.constant(1))


def _forbidden(self: Formal, *_: Any) -> Any:
    raise NotFormalError("the formula makes a choice by its coordinates")


class Formal(SelfAnswering):
    """top / bottom, with a bottom that is not the zero polynomial."""

    __slots__ = ("bottom", "ring", "top")

    def __init__(self, ring: Ring, top: Any, bottom: Any) -> None:
        # Nothing is reduced on the way: a formula that swells is given up before it fills the memory.
        if len(top) > MOST_TERMS or len(bottom) > MOST_TERMS:
            raise NotFormalError(f"the formula has more than {MOST_TERMS} terms")
        self.ring, self.top, self.bottom = ring, top, bottom

    def _other(self, value: Any) -> Formal:
        return value if isinstance(value, Formal) else self.ring.constant(value)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        y = self._other(other)
        if self.bottom == y.bottom:
            return Formal(self.ring, self.top + y.top, self.bottom)
        return Formal(self.ring, self.top * y.bottom + y.top * self.bottom, self.bottom * y.bottom)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        y = self._other(other)
        return Formal(self.ring, self.top * y.top, self.bottom * y.bottom)

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        y = self._other(other)
        if y.top == 0:
            raise NotFormalError("the formula divides by zero")
        # An identity holds where the formula is defined: who needs more asks whether any of these may be zero.
        if not y.top.is_constant() and y.top not in self.ring.divisors:
            self.ring.divisors.append(y.top)
        return Formal(self.ring, self.top * y.bottom, self.bottom * y.top)

    def __neg__(self) -> Formal:
        return Formal(self.ring, -self.top, self.bottom)

    def __sub__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else self + -self._other(other)

    def __rsub__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else -self + other

    def __rtruediv__(self, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else self._other(other) / self

    def __pow__(self, power: Any) -> Any:
        if not isinstance(power, int) or power < 0:
            raise NotFormalError("the formula takes a power that is not whole")
        return Formal(self.ring, self.top**power, self.bottom**power)

    __radd__, __rmul__ = __add__, __mul__
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _forbidden
    __abs__ = __float__ = __bool__ = __int__ = max = min = _forbidden
    __hash__ = None  # type: ignore[assignment]

    def exp(self) -> Formal:
        """e^x, exactly 1 at 0."""
        return self.ring.constant(1) if self.top == 0 else self.ring.function("exp", self)

    def log(self) -> Formal:
        """log x."""
        return self.ring.function("log", self)

    def sqrt(self) -> Formal:
        """The root of x."""
        return self.ring.function("sqrt", self)


def evaluated(formula: Callable[[Array], Any], ring: Ring, at: Sequence[Formal]) -> list[Formal]:
    """The numbers of a formula of a flat state. Raises NotFormalError."""
    try:
        found = [entry for array in formula(entries(at)) for entry in numbers(array).flat]
    except (TypeError, ValueError, AttributeError) as error:
        raise NotFormalError(f"the formula does not run on polynomials: {error}") from None
    return [entry if isinstance(entry, Formal) else ring.constant(entry) for entry in found]


def reduced(polynomial: Any, modulo: Sequence[Any]) -> Any:
    """What is left of a polynomial after multiples of others are taken away: it differs by such multiples alone."""
    # One pass in a fixed order may leave multiples of an earlier polynomial: until nothing changes.
    before = None
    while polynomial != before:
        before = polynomial
        for other in modulo:
            polynomial = divmod(polynomial, other)[1]
    return polynomial


def vanish(values: Sequence[Formal], modulo: Sequence[Any] = ()) -> bool:
    """Whether all numbers are zero wherever the polynomials `modulo` are."""
    return all(reduced(value.top, modulo) == 0 for value in values)


def kept_polynomials(kept: Sequence[Formal], velocity: Sequence[Formal]) -> list[Any]:
    """The polynomials h that are `kept` at zero: h' = sum_k (dh/dx_k) F_k is shown to be a combination of them.

    Raises NotFormalError for one of which that is not shown, and for what is no polynomial in the coordinates.
    """
    if not kept:
        return []
    ring = kept[0].ring
    modulo = [value.top for value in kept]
    for value in kept:
        # Of functions of coordinates no derivative is known here.
        degrees = [0] * ring.size if value.top == 0 else value.top.degrees()
        if not value.bottom.is_constant() or value.top == 0 or any(degrees[ring.size :]):
            raise NotFormalError("what is to be kept is no polynomial in the coordinates")
        rate = ring.constant(0)
        for k in range(ring.size):
            if degrees[k]:
                slope = Formal(ring, value.top.derivative(k), ring.polynomials.constant(1))
                rate = rate + slope * velocity[k]
        if not vanish([rate], modulo):
            raise NotFormalError("that the flow keeps a quantity at zero is not shown")
    return modulo
