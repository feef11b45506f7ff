"""Records the operations of a field, once, as plain data."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from mpmath import iv

from dynamics.checker.flint_stand_in import arb, arb_series, open_comparisons
from dynamics.checker.flows import Field
from dynamics.checker.intervals import (
    Interval,
    Number,
    Series,
    exp,
    interval,
    is_finite,
    is_zero,
    log,
    sqrt,
)

Order = Callable[[int], int | None]
"""A number to choose by in the place of what operation k gave; None for what it gave indeed."""


@dataclass
class Record:
    """The operations of a field in order: each a kind, the places of its operands, and a constant where it has one.

    `order` misleads the choices of the field; `looked` are the operations whose results it chose by.
    """

    operations: list[tuple[str, int, int, Interval | None]] = field(default_factory=list)
    outputs: list[int | Interval] = field(default_factory=list)
    order: Order | None = None
    looked: dict[int, None] = field(default_factory=dict)

    def run(self, inputs: Sequence[Number]) -> list[Number]:
        """The field on series or dual numbers, all of one kind."""
        values: list[Number] = []
        for kind, left, right, constant in self.operations:
            values.append(inputs[left] if kind == "input" else _OPERATIONS[kind](values, left, right, constant))
        nothing = inputs[0] * 0
        return [values[place] if isinstance(place, int) else nothing + place for place in self.outputs]


_OPERATIONS: dict[str, Callable[[list[Number], int, int, Interval | None], Number]] = {
    "add": lambda v, i, j, c: v[i] + v[j],
    "sub": lambda v, i, j, c: v[i] - v[j],
    "mul": lambda v, i, j, c: v[i] * v[j],
    "div": lambda v, i, j, c: v[i] / v[j],
    "inverse": lambda v, i, j, c: 1 / v[i],
    "scale": lambda v, i, j, c: v[i] * c,
    "move": lambda v, i, j, c: v[i] + c,
    "exp": lambda v, i, j, c: exp(v[i]),
    "log": lambda v, i, j, c: log(v[i]),
    "sqrt": lambda v, i, j, c: sqrt(v[i]),
}


class Noting:
    """A number that records the operations done with it; its value at the recorded point serves for choices alone.

    `place` is that of the operation it came from, None for a constant.
    """

    __slots__ = ()
    record: Record
    place: int | None
    value: Interval

    def __init__(self, value: Interval, record: Record, place: int | None) -> None:
        raise NotImplementedError

    def noted(
        self, kind: str, value: Interval, left: int | None = 0, right: int | None = 0, constant: Interval | None = None
    ) -> Any:
        """The result of one more operation."""
        assert left is not None
        assert right is not None
        self.record.operations.append((kind, left, right, constant))
        return type(self)(value, self.record, len(self.record.operations) - 1)

    def _constant(self, value: Interval) -> Any:
        return type(self)(value, self.record, None)

    def _other(self, value: Any) -> Any:
        """Another number of this kind, around a constant if need be; None for what is no number."""
        # Numbers of one record only ever meet one another.
        if isinstance(value, Noting):
            return value
        # Rounded once, at the precision of the record.
        constant = as_interval(value)
        return None if constant is None else self._constant(constant)

    def _scaled(self, constant: Interval) -> Any:
        # 0 x is 0 exactly: it leaves no operation behind, and no derivative.
        if self.place is None or is_zero(constant):
            return self._constant(self.value * constant if self.place is None else iv.mpf(0))
        return self if constant == 1 else self.noted("scale", self.value * constant, self.place, 0, constant)

    def _moved(self, constant: Interval) -> Any:
        if self.place is None:
            return self._constant(self.value + constant)
        return self if is_zero(constant) else self.noted("move", self.value + constant, self.place, 0, constant)

    def _joined(self, kind: str, other: Any) -> Any:
        return self.noted(kind, _OPERATIONS[kind]([self.value, other.value], 0, 1, None), self.place, other.place)

    def __add__(self, other: Any) -> Any:
        y = self._other(other)
        if y is None:
            return NotImplemented
        if y.place is None:
            return self._moved(y.value)
        return y._moved(self.value) if self.place is None else self._joined("add", y)

    def __sub__(self, other: Any) -> Any:
        y = self._other(other)
        if y is None:
            return NotImplemented
        # Beside a constant as a sum: fewer kinds of operations to trust.
        return self + -y if self.place is None or y.place is None else self._joined("sub", y)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __neg__(self) -> Any:
        return self._scaled(iv.mpf(-1))

    def __mul__(self, other: Any) -> Any:
        y = self._other(other)
        if y is None:
            return NotImplemented
        if y.place is None:
            return self._scaled(y.value)
        return y._scaled(self.value) if self.place is None else self._joined("mul", y)

    def _inverse(self) -> Any:
        # The record would be run over boxes in which nothing is bounded.
        if self.value.a <= 0 <= self.value.b:
            raise ZeroDivisionError("the field divides by zero")
        inverse = 1 / self.value
        return self._constant(inverse) if self.place is None else self.noted("inverse", inverse, self.place)

    def __truediv__(self, other: Any) -> Any:
        y = self._other(other)
        if y is None:
            return NotImplemented
        inverse = y._inverse() if self.place is None or y.place is None else None
        return self._joined("div", y) if inverse is None else self * inverse

    def __rtruediv__(self, other: Any) -> Any:
        return self._inverse() * other

    def __pow__(self, power: Any) -> Any:
        if int(power) != power:
            raise ValueError(f"a power of a number that is recorded must be whole, not {power}")
        factor = self._inverse() if power < 0 else self
        result = self._constant(iv.mpf(1))
        for _ in range(abs(int(power))):
            result = result * factor
        return result

    __radd__, __rmul__ = __add__, __mul__

    def _applied(self, kind: str, value: Interval) -> Any:
        return self._constant(value) if self.place is None else self.noted(kind, value, self.place)

    def exp(self) -> Any:
        """e^x."""
        return self._applied("exp", exp(self.value))

    def log(self) -> Any:
        """log x."""
        return self._applied("log", log(self.value))

    def sqrt(self) -> Any:
        """The root of x."""
        return self._applied("sqrt", sqrt(self.value))


class Restated(Noting, Series):
    """For the independent checker's own fields, which take it for a series of one coefficient."""

    __slots__ = ("place", "record")

    def __init__(self, value: Interval, record: Record, place: int | None) -> None:
        Series.__init__(self, [value])
        self.record, self.place = record, place

    @property
    def value(self) -> Interval:
        """The value where it is recorded."""
        return self.c[0]


class Own(Noting, arb_series):
    """For the formulas of :mod:`dynamics` with the stand-in for flint, which take it for a power series."""

    __slots__ = ("place", "record", "value")

    def __init__(self, value: Interval, record: Record, place: int | None) -> None:
        arb_series.__init__(self, [arb.of(value)], 1)
        self.value, self.record, self.place = value, record, place

    def _refuse(self, *_: Any) -> Any:
        raise TypeError("a number that is recorded has no coefficients")

    def __getitem__(self, k: int) -> arb:
        # A softmax asks for a first coefficient to shift by: it may look at it, and not compute with it.
        return Glimpse(self)

    def _compared(self, *_: Any) -> Any:
        raise TypeError("the field compares numbers that move")

    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __bool__ = _compared  # type: ignore[assignment]
    __abs__ = __float__ = __int__ = _compared
    __hash__: ClassVar[None] = None

    coeffs = length = derivative = integral = _refuse
    __call__ = _from_slope = _refuse  # type: ignore[assignment]


class Glimpse(arb):
    """The first coefficient of a recorded number: it gives only its midpoint, by which a softmax is shifted.

    A comparison would be a choice that holds at this point alone.
    """

    __slots__ = ("number",)

    def __init__(self, number: Own) -> None:
        self.number = number

    @property
    def ends(self) -> Any:  # type: ignore[override]
        """Raises TypeError: all that an interval can be asked for begins with its ends."""
        raise TypeError("the field compares numbers that move, or computes with their first coefficients")

    def center(self) -> arb:
        """The middle, or another number where the record is misled."""
        place, record, told = self.number.place, self.number.record, None
        if place is not None:
            record.looked[place] = None
            told = None if record.order is None else record.order(place)
        return arb.of(self.number.value.mid) if told is None else arb(told)

    mid = center


def as_interval(value: Any) -> Interval | None:
    """An interval around an exact number or a number that holds one; None for anything else."""
    if isinstance(value, iv.mpf):
        return value
    if isinstance(value, int | Fraction):
        return interval(Fraction(value))
    return value.interval if isinstance(value, arb) else None


def as_fraction(value: Any) -> Fraction:
    """An exact number of flint, of what stands in its place, or of Python's."""
    return Fraction(int(value.p), int(value.q)) if hasattr(value, "p") else Fraction(value)


def recorded(
    formula: Field, point: Sequence[Interval], kind: type[Noting] = Restated, order: Order | None = None
) -> Record:
    """The operations of a field at a point, where its choices (by which score to shift a softmax) are made.

    An `order` makes them come out differently.
    """
    record, before = Record(order=order), open_comparisons()
    inputs = []
    for i, value in enumerate(point):
        record.operations.append(("input", i, 0, None))
        inputs.append(kind(value, record, i))
    for result in formula(inputs):
        if isinstance(result, Noting):
            # A component may be constant: it has no place in the record.
            record.outputs.append(result.value if result.place is None else result.place)
        else:
            constant = as_interval(result)
            if constant is None:
                raise TypeError(f"the field gave a {type(result).__name__}")
            record.outputs.append(constant)
    # An open comparison is answered with no: the branch that was recorded would be an accident.
    if open_comparisons() != before:
        raise TypeError("the field makes a choice that is open")
    return record


FAR, FEW = 1 << 60, 8
"""A bound beyond all numbers that a field chooses by; and how many of these count as few."""


def _drawn(text: str) -> int:
    """A number between -FAR and FAR that is the same in every run."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big") % (2 * FAR) - FAR


def misleading(looked: Sequence[int], turn: int = 0) -> Iterator[Order]:
    """Ways to mislead a choice: each number in turn the largest and the smallest of all, and all in orders that are drawn.

    A choice by which number is largest, smallest, or beyond a constant comes out otherwise in one of them. Many numbers are
    taken in turn at the first turn alone, for a field is the same text at every step.
    """
    # A choice between two comes out otherwise when one of them is pushed beyond all others.
    for place in looked if turn == 0 or len(looked) <= FEW else ():
        for far in (FAR, -FAR):
            yield lambda other, place=place, far=far: far if other == place else None  # type: ignore[misc]
    for draw in range(4 * turn, 4 * turn + 4):
        keys = {place: _drawn(f"{draw // 2} {place}") for place in looked}
        sign = 1 if draw % 2 else -1  # each order, and its reverse
        yield lambda other, keys=keys, sign=sign: sign * keys.get(other, other)  # type: ignore[misc]


def refuse_choices(formula: Field, point: Sequence[Interval], turn: int = 0) -> None:
    """Raise TypeError for a field whose value depends on a choice: its record would hold on one side of a switch alone.

    No field can compare what it is given. It can choose by the middles of numbers, as softmax does, where any choice is
    right; whether that is so here is tried: with other choices the field is the same function, at the point and beside it,
    where pieces that meet in it differ.
    """
    # Each coordinate by an amount of its own, or ties at the point would be ties beside it.
    beside = [value + interval(Fraction((37 * i + 11 + turn) % 64 + 1, 1 << 20)) for i, value in enumerate(point)]
    for place in (point, beside):
        try:
            honest = recorded(formula, place, Own)
            first = honest.run(place)
            others = [recorded(formula, place, Own, order).run(place) for order in misleading([*honest.looked], turn)]
        except (ArithmeticError, ValueError):
            if place is point:
                raise
            continue  # beside the point the field may have no value
        # Values that overlap may be one number; values that are apart are those of two functions.
        for values in zip(first, *others, strict=True):
            if any(is_finite(value) and (value.b < values[0].a or values[0].b < value.a) for value in values[1:]):
                raise TypeError("its value depends on a choice, and is no one formula")
