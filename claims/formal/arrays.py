"""Arrays of symbolic lengths: what a formula computes with them is kept as terms, for all lengths at once.

Whoever asks for a concrete length, as `range(n)` and `d == 1` do, gets the length of the instance, and it is noted: the
definition then speaks of systems of this length alone. An `if` on data is answered both ways, one after the other.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from claims.formal.terms import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Index,
    Places,
    Term,
    arithmetic,
    both,
    bracketed,
    choice,
    either,
    fresh,
    index_at,
    index_difference,
    index_plus,
    index_sum,
    index_test,
    negation,
    with_plain_variables,
)


class Refused(Exception):  # noqa: N818 -- it is said in a sentence, not raised at a user
    """The formula does something of which no definition is known; the message names it.

    A refusal is remembered, so that a formula which catches it, in any way, is refused all the same.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        NOTES.refusals.append(self)


class AtTheInstance(BaseException):
    """A formula asks what is answered at the instance alone. No formula catches it."""


@dataclass
class Notes:
    """What is noted while the formulas of one recorder run: one at a time, as formulas see no argument of ours."""

    refusals: list[Refused] = field(default_factory=list)
    steps: int = 0
    # A formula is read once for all lengths: what holds only of some is noted where it is asked, and becomes a premise.
    pinned: set[str] = field(default_factory=set)  # axes, and whole numbers, that have the value of the instance
    diagonal: dict[str, str] = field(default_factory=dict)  # matrices, with the text of their length
    least: dict[str, int] = field(default_factory=dict)  # axes that are at least so long: what is read of them is there
    telling: bool = False  # a number may be told: in the error with which `validate` ends, which nobody reads
    catching: int = 0  # formulas that run and catch a division by zero: who divides has to ask whether it is by zero
    paths: list[_Path] = field(default_factory=list)  # a fork within a fork follows its own
    # The values of the instance (claims.formal.values.Values) where a statement may be about data of its kind alone; what
    # was asked of them on its way so far; and what was asked in all of the formula that was recorded last.
    instance: Any = None
    way: dict[str, Term] | None = None
    answers: list[Term] = field(default_factory=list)

    def begin(self) -> None:
        """Forget all that was noted."""
        vars(self).update(vars(Notes()))


NOTES = Notes()


class Unknown:
    """Something of which no definition is known: whoever uses it is refused."""

    def __init__(self, name: str) -> None:
        self.__dict__["__name__"] = name

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise Refused(f"calls {self.__name__}")

    def __getattr__(self, name: str) -> Any:
        raise Refused(f"uses {self.__name__}.{name}")

    def __iter__(self) -> Any:
        raise Refused(f"goes through {self.__name__}")

    def __getitem__(self, _: Any) -> Any:
        raise Refused(f"picks from {self.__name__}")


class Untold:
    """What has no text: a formula that asks for one is refused."""

    def __repr__(self) -> str:
        raise Refused("asks a number for its text")

    __str__ = __repr__

    def __format__(self, _: str) -> str:
        return "..." if NOTES.telling else repr(self)


# Arrays made and entries read for one statement: a definition that takes more is no text that anybody reads.
MOST_STEPS = 100_000


def step() -> None:
    """Count one step. Raises Refused beyond MOST_STEPS."""
    NOTES.steps += 1
    if NOTES.steps > MOST_STEPS:
        raise Refused("computes too much")


@functools.total_ordering
class AxisLength(Untold):
    """A length: text of Coq that is a natural number, and the length of the instance.

    `name` is that of a system's axis, whose length `base` the `offset` is added to.
    """

    def __init__(self, base: str, size: int, name: str = "", offset: int = 0) -> None:
        self.base, self.size, self.name, self.offset = Index(base, lambda _: size - offset), size, name, offset
        # Coq's natural numbers stop at 0 in a difference: `at_least` sees to it that none is reached.
        moved = index_sum(self.base, offset) if offset > 0 else index_difference(self.base, str(-offset))
        self.text = moved if offset else self.base

    def moved(self, by: int) -> AxisLength:
        """The length plus a whole number."""
        return AxisLength(self.base, self.size + by, self.name, self.offset + by) if self.name else fixed(self.size + by)

    def concrete(self) -> int:
        """The length of the instance, from now on that of the definition."""
        if self.name:
            NOTES.pinned.add(self.name)
        return self.size

    def at_least(self, size: int) -> None:
        """Note that the formula has a meaning only where the axis is so long."""
        if self.name:
            NOTES.least[self.name] = max(NOTES.least.get(self.name, 1), size - self.offset)

    def number(self) -> Recorded:
        """The length as a number."""
        if not self.name:
            return lift(self.size)
        return Recorded((), lambda _: ("count", self.base)) + self.offset

    def __index__(self) -> int:
        return self.concrete()

    def __bool__(self) -> bool:
        return self.concrete() != 0

    def __add__(self, other: Any) -> Any:
        return self.moved(other) if type(other) is int else self.number() + other

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self.moved(-other) if type(other) is int else self.number() - other

    def __mul__(self, other: Any) -> Any:
        # A product of two lengths may be a length again, as in a reshape.
        return Product(self, other) if isinstance(other, AxisLength) else self.number() * other

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return -self.number()

    def __floordiv__(self, other: Any) -> int:
        return self.concrete() // other

    def __pow__(self, power: int) -> Any:
        return self.number() ** power

    def __eq__(self, other: object) -> Any:
        if isinstance(other, AxisLength):
            # Of one text they are equal at all lengths, and nothing is pinned.
            return self.text == other.text or self.concrete() == other.concrete()
        return self.concrete() == other

    def __lt__(self, other: Any) -> bool:
        return self.concrete() < int(other)

    def __hash__(self) -> int:
        return hash(self.concrete())


def fixed(size: int) -> AxisLength:
    """An axis of a length that the formula itself says."""
    return AxisLength(str(size), size)


def axis_of(length: Any) -> AxisLength:
    """The axis of a length, symbolic or not."""
    return length if isinstance(length, AxisLength) else fixed(int(length))


Entry = Callable[[Sequence[Any]], Term]


def _below(left: Term, right: Term) -> Term:
    if left[0] == right[0] == "rational":
        return TRUE if left[1] <= right[1] else FALSE
    return ("below", left, right)


def _operation(
    make: Callable[..., Term], is_switch: bool = False, of_switches: bool = False, adds: bool = False, divides: bool = False
) -> tuple[Any, Any]:
    def forward(self: Recorded, other: Any) -> Any:
        arrays = [switch(self), switch(other)] if of_switches else [self, lift(other)]
        if divides and NOTES.catching and not any(axis.size == 0 for axis in arrays[0].axes):
            divisor = arrays[1]
            if any(axis.text != "1" for axis in divisor.axes):
                raise Refused("catches a division by an array with zeros")
            number = divisor.number(["0"] * divisor.ndim)
            # As a division of rationals does: on the path on which the divisor is zero, and there alone.
            if asked(both(_below(number, ZERO), _below(ZERO, number))):
                raise ZeroDivisionError
        if adds and all(array.is_switch for array in arrays):
            raise Refused("adds two masks")  # NumPy's sum of two is `or`
        return together(arrays, make, is_switch, of_switches)

    return forward, lambda self, other: forward(lift(other), self)


class Recorded(Untold):
    """An array of numbers, or of switches: axes, and the term at each place. `guard` says where it speaks at all."""

    __array_ufunc__ = None  # NumPy's arrays leave the operation to this one
    __hash__ = None  # type: ignore[assignment]
    dtype = np.dtype(object)

    def __init__(
        self, axes: Sequence[AxisLength], entry: Entry, is_switch: bool = False, guard: Recorded | None = None
    ) -> None:
        step()
        self.axes, self.entry, self.is_switch, self.guard = tuple(axes), entry, is_switch, guard

    def number(self, place: Sequence[Any]) -> Term:
        """The number at a place; a switch counts 1."""
        step()
        term = self.entry(place)
        return choice(term, ONE, ZERO) if self.is_switch else term

    # What a mask picks keeps its shape, with a guard that says where it speaks, which is enough for a slack.
    def whole(self) -> Recorded:
        """The array. Raises Refused for what a mask has picked: how much that is nobody knows."""
        if self.guard is not None:
            raise Refused("takes apart what a mask has picked")
        return self

    @property
    def shape(self) -> tuple[AxisLength, ...]:
        return self.whole().axes

    @property
    def ndim(self) -> int:
        return len(self.axes)

    @property
    def size(self) -> Any:
        whole: Any = 1
        for axis in self.whole().axes:
            whole = axis * whole if whole != 1 else axis
        return whole

    @property
    def T(self) -> Recorded:
        return self.transpose()

    @property
    def flat(self) -> list[Recorded]:
        return [one for row in self for one in row.flat] if self.axes else [self]

    def transpose(self, *order: int) -> Recorded:
        self.whole()
        order = order or tuple(range(self.ndim))[::-1]
        own = [order.index(k) for k in range(self.ndim)]
        return Recorded([self.axes[k] for k in order], lambda place: self.entry([place[k] for k in own]), self.is_switch)

    def trace(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Recorded:
        return self.diagonal(offset, axis1, axis2).sum(axis=-1)

    def copy(self) -> Recorded:
        return self

    def item(self) -> Recorded:
        if self.axes:
            raise Refused("takes an array for a number")
        return self

    def tolist(self) -> Any:
        return [row.tolist() for row in self] if self.axes else self

    def view(self, _: Any) -> Recorded:
        return self

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Recorded:
        self.whole()
        if offset or {axis1 % self.ndim, axis2 % self.ndim} != {self.ndim - 2, self.ndim - 1}:
            raise Refused("takes another diagonal")
        return Recorded(self.axes[:-1], lambda place: self.entry((*place, place[-1])), self.is_switch)

    def reshape(self, *shape: Any) -> Recorded:
        wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        own = self.whole().axes
        # Rows that stay rows need no lengths; any other shape is one of the instance's lengths.
        if len(wanted) == 2 and self.ndim >= 1 and wanted[1] == -1 and wanted[0] == own[0] and self.ndim <= 2:
            return self if self.ndim == 2 else self[:, None]
        sizes = [axis.concrete() for axis in own]
        places = np.arange(int(np.prod(sizes, dtype=int))).reshape([int(one) for one in wanted])
        flat = [self.entry([str(k) for k in np.unravel_index(j, sizes)] if sizes else ()) for j in range(places.size)]

        def entry(place: Sequence[str], table: Any = places) -> Term:
            if not table.ndim:
                return flat[int(table)]
            if place[0].isdigit():
                return entry(place[1:], table[int(place[0])])
            return ("nth", place[0], tuple(entry(place[1:], row) for row in table))

        return Recorded([fixed(length) for length in places.shape], entry, self.is_switch)

    def ravel(self) -> Recorded:
        return self.reshape(-1)

    def astype(self, kind: Any) -> Recorded:
        if not self.is_switch and kind is not object:
            raise Refused("turns numbers into machine numbers")
        if getattr(kind, "__name__", "").strip("_") == "bool":
            return self
        return Recorded(self.axes, self.number, guard=self.guard)

    def swapaxes(self, one: int, other: int) -> Recorded:
        self.whole()
        order = list(range(self.ndim))
        one, other = one % self.ndim, other % self.ndim
        order[one], order[other] = other, one
        return self.transpose(*order)

    def __iter__(self) -> Iterator[Recorded]:
        if not self.whole().axes:
            raise Refused("goes through a number")
        return (self[k] for k in range(self.axes[0].concrete()))

    def __len__(self) -> int:
        return self.whole().axes[0].concrete()

    def __setitem__(self, key: Any, value: Any) -> None:
        raise Refused("writes to an array")

    def __getitem__(self, key: Any) -> Recorded:
        self.whole()
        keys = list(key) if isinstance(key, tuple) else [key]
        if len(keys) == 1 and isinstance(key, Recorded) and key.is_switch:
            if key.ndim != self.ndim:
                if NOTES.instance and key.ndim == 1:
                    return MaskedRows(self, key)  # type: ignore[return-value]
                raise Refused("picks rows by a mask")
            return Recorded(self.axes, self.entry, self.is_switch, key)
        if not any(one is Ellipsis for one in keys):
            keys.append(Ellipsis)
        taken = sum(1 for one in keys if one is not None and one is not Ellipsis)
        where = next(k for k, one in enumerate(keys) if one is Ellipsis)
        keys[where : where + 1] = [slice(None)] * (self.ndim - taken)
        for k, axis in zip([k for k, one in enumerate(keys) if one is not None], self.axes, strict=True):
            if isinstance(keys[k], slice) and keys[k] == slice(None, None, -1):
                keys[k] = np.arange(axis.concrete())[::-1]
        return self._at(keys)

    def _at(self, keys: list[Any]) -> Recorded:
        axes: list[AxisLength] = []
        take: list[Any] = []
        old = iter(self.axes)
        tables = [_places(key) for key in keys if _is_table(key)]
        shape = np.broadcast_shapes(*(table.shape for table in tables))
        seen, first = 0, 0
        shared: dict[int, int] = {}
        for number, key in enumerate(keys):
            if key is None:
                axes.append(fixed(1))
                continue
            axis, at = next(old), len(axes)
            # All pairs are taken in any order; one of them, or some, only in that of the instance.
            if isinstance(axis, PairAxis) and not (isinstance(key, slice) and key == slice(None)):
                axis = fixed(axis.concrete())
            if isinstance(key, slice):
                start, length = _span(key, axis)
                axes.append(length)
                take.append(lambda place, at=at, start=start: index_plus(place[at], start))
            elif isinstance(key, Pairs):
                # Both members of a pair run along one axis, as NumPy's arrays of places do.
                if id(key.pairs) not in shared:
                    shared[id(key.pairs)] = at
                    axes.append(key.pairs)
                at = shared[id(key.pairs)]
                take.append(lambda place, at=at, pairs=key: pairs.member(place[at]))
            elif isinstance(key, int | np.integer):
                if not -axis.size <= key < axis.size:
                    raise IndexError(f"place {key} of {axis.concrete()}")
                axis.at_least(int(key) + 1 if key >= 0 else -int(key))
                index = str(int(key)) if key >= 0 else axis.moved(int(key)).text
                take.append(lambda _, index=index: index)
            elif isinstance(key, AxisLength):
                take.append(lambda _, index=key.text: index)
            elif _is_table(key):
                if not seen:
                    first = at
                    axes += [fixed(length) for length in shape]
                elif not _is_table(keys[number - 1]):  # NumPy puts their axes first then, wherever they stand
                    raise Refused("picks places by arrays of places that stand apart")
                seen += 1
                places = _places(key)
                if not ((-axis.concrete() <= places) & (places < axis.concrete())).all():
                    raise IndexError(f"places {places.tolist()} of {axis.concrete()}")
                table = np.broadcast_to(places % max(axis.concrete(), 1), shape)
                take.append(lambda place, at=first, table=table: _nth(place[at : at + table.ndim], table))
            else:
                raise Refused(f"picks places by {type(key).__name__}")
        return Recorded(axes, lambda place: self.entry([one(place) for one in take]), self.is_switch)

    def _over(self, kind: str, axis: Any, keepdims: bool) -> Recorded:
        if self.guard is not None:
            raise Refused("reduces what a mask has picked")
        places = range(self.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        found = self
        # The last first: those before it keep their numbers.
        for place in sorted((one % self.ndim for one in places), reverse=True):
            found = found._over_one(kind, place, keepdims)
        return found

    def _over_one(self, kind: str, at: int, keepdims: bool) -> Recorded:
        length = self.axes[at]
        if kind == "largest" and length.size:  # of nothing the library's largest is 0, and NumPy's an error
            length.at_least(1)
        inner = self.entry if kind == "all" else self.number

        def entry(place: Sequence[Any]) -> Term:
            before, after = list(place[:at]), list(place[at + 1 if keepdims else at :])
            if length.text == "0" and kind != "largest":
                return {"sum": ZERO, "product": ONE, "all": TRUE}[kind]
            if length.text == "1":
                return inner([*before, "0", *after])
            if isinstance(length, PairAxis):
                if kind == "largest":  # of no pairs it would be 0: of the pairs of this length, one after the other
                    return (kind, one := fresh(), str(length.concrete()), inner([*before, one, *after]))
                one, other = fresh(), fresh()
                body = inner([*before, (one, other), *after])
                return (kind, other, length.along.text, (kind, one, other, body))
            variable = fresh(length.name)
            body = inner([*before, variable, *after])
            return TRUE if body == TRUE and kind == "all" else (kind, variable, length.text, body)

        axes = [*self.axes[:at], *([fixed(1)] if keepdims else []), *self.axes[at + 1 :]]
        return Recorded(axes, entry, kind == "all")

    def sum(self, axis: Any = None, keepdims: bool = False) -> Recorded:
        return self._over("sum", axis, keepdims)

    def max(self, axis: Any = None, keepdims: bool = False) -> Recorded:
        return self._over("largest", axis, keepdims)

    def min(self, axis: Any = None, keepdims: bool = False) -> Recorded:
        return -(-self).max(axis, keepdims)

    def argmax(self, axis: int = -1) -> np.ndarray:
        """The first place of the largest, which is that of the instance."""
        top = self if self.is_switch else lift(self == self.max(axis, keepdims=True))
        return np.argmax(at_the_instance(top, "asks an array for .argmax"), axis=axis)

    def all(self, axis: Any = None, keepdims: bool = False) -> Recorded:
        return switch(self)._over("all", axis, keepdims)

    def any(self, axis: Any = None, keepdims: bool = False) -> Recorded:
        return ~(~switch(self)).all(axis, keepdims)

    __add__, __radd__ = _operation(functools.partial(arithmetic, "+"), adds=True)
    __sub__, __rsub__ = _operation(functools.partial(arithmetic, "-"))
    __mul__, __rmul__ = _operation(functools.partial(arithmetic, "*"))
    __truediv__, __rtruediv__ = _operation(functools.partial(arithmetic, "/"), divides=True)
    __and__, __rand__ = _operation(both, is_switch=True, of_switches=True)
    __or__, __ror__ = _operation(either, is_switch=True, of_switches=True)
    __le__, __ge__ = _operation(_below, is_switch=True)

    # The library has one comparison, of which an enclosure may be open; x < y is that y <= x is false.
    def __lt__(self, other: Any) -> Recorded:
        return ~(lift(other) <= self)

    def __gt__(self, other: Any) -> Recorded:
        return ~(self <= other)

    def __eq__(self, other: object) -> Any:
        return _equal(self, other)

    def __ne__(self, other: object) -> Any:
        return ~_equal(self, other)

    def __neg__(self) -> Recorded:
        def entry(place: Sequence[str]) -> Term:
            term = self.number(place)
            return ("rational", -term[1]) if term[0] == "rational" else ("neg", term)

        return Recorded(self.axes, entry, guard=self.guard)

    def __iadd__(self, _: Any) -> Any:  # type: ignore[misc]
        if self.axes:
            raise Refused("changes an array in place")
        return NotImplemented  # a number is another one after it

    __isub__ = __imul__ = __itruediv__ = __ipow__ = __iand__ = __ior__ = __iadd__

    def __abs__(self) -> Recorded:
        return function("abs", self)

    def __invert__(self) -> Recorded:
        mask = switch(self)
        return Recorded(mask.axes, lambda place: negation(mask.entry(place)), True, mask.guard)

    def __pow__(self, power: Any) -> Recorded:
        if isinstance(power, fmpq) and power.q == 1:
            power = int(power.p)
        if not isinstance(power, int) or isinstance(power, bool):
            raise Refused(f"raises to the power {'of data' if isinstance(power, Untold) else repr(power)[:30]}")
        if self.guard is not None and not power:
            raise Refused("raises what a mask picks to the power 0")
        if power < 0:
            return 1 / self**-power
        found = lift(1)
        for _ in range(power):
            found = found * self
        return found if power else 0 * self + 1  # which has the shape of the array

    def __matmul__(self, other: Any) -> Recorded:
        left, right = self, lift(other)
        rows = left if left.ndim > 1 else left[None, :]
        columns = right if right.ndim > 1 else right[:, None]
        found = (rows[..., :, :, None] * columns[..., None, :, :]).sum(axis=-2)
        found = found[..., 0, :] if left.ndim == 1 else found
        return found[..., 0] if right.ndim == 1 else found

    def __bool__(self) -> bool:
        if self.axes:
            raise Refused("asks whether an array holds")
        return asked(switch(self).entry(()))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise Refused(f"asks an array for .{name}")

    def __float__(self) -> float:
        raise Refused("asks for a machine number")

    __int__ = __index__ = __float__


class MaskedRows(Untold):
    """The rows of an array on which a mask is on. As an array it is the one of the instance."""

    def __init__(self, array: Recorded, mask: Recorded) -> None:
        self.array, self.mask = array, mask

    @property
    def at_the_instance(self) -> Recorded:
        """The rows, whose places are those of the instance."""
        return self.array[np.flatnonzero(at_the_instance(self.mask, "picks rows by a mask"))]

    def __len__(self) -> int:
        return len(self.at_the_instance)

    def __getitem__(self, key: Any) -> Recorded:
        return self.at_the_instance[key]


class Product(Recorded):
    """A number that is a product of lengths, and may be a length itself."""

    def __init__(self, one: AxisLength, other: AxisLength) -> None:
        super().__init__((), (one.number() * other.number()).entry)
        self.lengths = one, other

    def __index__(self) -> int:
        return math.prod(axis.concrete() for axis in self.lengths)

    __int__ = __index__


class Whole(Recorded):
    """A whole number of the system; whoever asks for its value gets that of the instance, and it is noted."""

    def __init__(self, entry: Entry, field: str, value: int) -> None:
        super().__init__((), entry)
        self.field, self.value = field, value

    def item(self) -> Whole:
        return self

    def __index__(self) -> int:
        NOTES.pinned.add(self.field)
        return self.value

    def __add__(self, other: Any) -> Any:
        found = Recorded.__add__(self, other)
        return Whole(found.entry, self.field, self.value + other) if type(other) is int else found

    __int__ = __index__


class PairAxis(AxisLength):
    """The pairs j < i of an axis, one after the other; a place is a pair."""

    def __init__(self, along: AxisLength) -> None:
        super().__init__(f"pairs of {along.text}", along.size * (along.size - 1) // 2, along.name)
        self.along = along

    def number(self) -> Recorded:
        """How many there are."""
        return self.along.number() * (self.along.number() - 1) / 2


class Pairs:
    """The first or the second members of all pairs of places."""

    def __init__(self, pairs: PairAxis, second: int) -> None:
        self.pairs, self.second = pairs, second

    def member(self, place: Any) -> str:
        """The member at a place: a pair, or the number of one in their order."""
        if isinstance(place, tuple):
            return place[self.second]
        return _nth([place], np.array(np.triu_indices(self.pairs.along.concrete(), 1)[self.second]))


def _span(key: slice, axis: AxisLength) -> tuple[int, AxisLength]:
    """Where a slice of an axis begins, and how long it is."""
    if key.step not in (None, 1):
        raise Refused("takes a slice with steps")
    start, stop = key.start, key.stop
    if start is None and stop is None:
        return 0, axis
    if isinstance(stop, AxisLength) and stop == axis:
        stop = None
    if (
        isinstance(start, AxisLength)
        or isinstance(stop, AxisLength)
        or (start or 0) < 0
        or (stop is not None and stop >= 0)
    ):
        begin, end, _ = slice(start, stop).indices(axis.concrete())
        return begin, fixed(max(0, end - begin))
    # What is left off either end can be said of any length that has so much.
    begin = start or 0
    if axis.size <= begin - (stop or 0):
        return begin, fixed(max(0, axis.concrete() - begin + (stop or 0)))
    axis.at_least(begin - (stop or 0))
    return begin, axis.moved((stop or 0) - begin)


def _is_table(key: Any) -> bool:
    return isinstance(key, list | range | np.ndarray)


def _places(key: Any) -> Any:
    plain = isinstance(key, list | range) and len(key) and not any(isinstance(one, bool | np.bool_) for one in key)
    table = np.array([int(one) for one in key]) if plain else np.asarray(key)
    if table.dtype == bool:
        table = np.flatnonzero(table)
    if table.dtype.kind not in "iu" and not all(isinstance(one, int) for one in table.flat):
        raise Refused("picks places by something else than places")
    return table.astype(int)


def _nth(place: Sequence[str], table: Any) -> str:
    """The entry of a table of places at a place, as an index expression."""
    if not table.size:
        return "0"  # of no places; nobody reads it
    if not table.ndim or (table == table.flat[0]).all():
        return str(int(table.flat[0]))
    index, rest = place[0], place[1:]
    if index.isdigit():
        return _nth(rest, table[int(index)])
    if table.ndim == 1 and (np.diff(table) == 1).all():
        return index_plus(index, int(table[0]))
    if (table == table[0]).all():
        return _nth(rest, table[0])
    rows = [_nth(rest, row) for row in table]

    def meaning(places: Places) -> int:
        k = index_at(index, places)
        return index_at(rows[k], places) if k < len(rows) else 0

    return Index(f"nth {bracketed(index)} [{'; '.join(rows)}] 0", meaning)


def function(name: str, x: Any) -> Recorded:
    """A function of one number, entry by entry."""
    array = lift(x)
    return Recorded(array.axes, lambda place: ("function", name, array.number(place)), guard=array.guard)


def lift(value: Any) -> Recorded:
    """What is no recorded array yet as one. Raises Refused for what is no exact number."""
    if isinstance(value, Recorded):
        return value
    if isinstance(value, MaskedRows):
        return value.at_the_instance
    if isinstance(value, AxisLength):
        return value.number()
    if isinstance(value, np.ndarray) and value.shape == ():
        return lift(value.item())
    if isinstance(value, np.ndarray | list | tuple):  # axis by axis
        return stacked([lift(one) for one in value])
    if isinstance(value, bool | np.bool_):
        return Recorded((), lambda _: TRUE if value else FALSE, True)
    if isinstance(value, fmpq):
        value = Fraction(int(value.p), int(value.q))
    if isinstance(value, int | np.integer | Fraction):
        constant = ("rational", Fraction(int(value)) if not isinstance(value, Fraction) else value)
        return Recorded((), lambda _: constant)
    if hasattr(value, "plain") and type(value).__name__ == "Count":
        return lift(int(value.plain))
    raise Refused(f"computes with {value!r:.40}, {type(value).__name__}")


def stacked(parts: Sequence[Recorded]) -> Recorded:
    """Arrays of one shape along a new first axis."""
    if not parts:
        raise Refused("makes an array of nothing")
    for part in parts:
        part.whole()
    axes = _common([part.axes for part in parts])
    is_switch = all(part.is_switch for part in parts)

    def entry(place: Sequence[str]) -> Term:
        which, rest = place[0], place[1:]
        terms = tuple(part.entry(rest) if is_switch else part.number(rest) for part in parts)
        if which.isdigit():
            return terms[int(which)]
        return terms[0] if all(term == terms[0] for term in terms) else ("nth", which, terms)

    return Recorded([fixed(len(parts)), *axes], entry, is_switch)


def concatenated(parts: Sequence[Recorded], axis: int = 0) -> Recorded:
    """Arrays one after the other along an axis."""
    at = axis % parts[0].ndim
    for k, one in enumerate(parts):
        axes = list(one.whole().axes)
        if isinstance(axes[at], PairAxis):  # counted off in NumPy's order: among other rows pairs have no other one
            axes[at] = fixed(axes[at].concrete())
        parts = [*parts[:k], Recorded(axes, one.entry, one.is_switch), *parts[k + 1 :]]
    others = _common([[*part.axes[:at], *part.axes[at + 1 :]] for part in parts])
    is_switch = all(part.is_switch for part in parts)
    whole = parts[0].axes[at]
    for part in parts[1:]:
        length = part.axes[at]
        if length.name and whole.name:  # there is no text for the sum of two lengths
            length = fixed(length.concrete())
        whole = whole.moved(length.size) if not length.name else length.moved(whole.size)

    def entry(place: Sequence[str], rest: Sequence[Recorded] = parts) -> Term:
        index, length = place[at], rest[0].axes[at]
        is_known = index.isdigit() and not length.name
        if len(rest) > 1 and is_known and int(index) >= length.size:
            return entry([*place[:at], str(int(index) - length.size), *place[at + 1 :]], rest[1:])
        first = rest[0].entry(place) if is_switch else rest[0].number(place)
        if len(rest) == 1 or is_known:
            return first
        later = [*place[:at], index_difference(index, length.text), *place[at + 1 :]]
        return ("if", index_test("Nat.ltb", index, length.text), first, entry(later, rest[1:]))

    return Recorded([*others[:at], whole, *others[at:]], entry, is_switch)


def _common(shapes: Sequence[Sequence[AxisLength]]) -> list[AxisLength]:
    """The axes that shapes have in common, a length of 1 fitting any. Raises Refused where two lengths differ."""
    axes: list[AxisLength] = []
    for k in range(1, max(map(len, shapes), default=0) + 1):
        here = [shape[-k] for shape in shapes if len(shape) >= k and shape[-k].text != "1"]
        # A length with a name is kept, where it meets one that is written out: that they are equal is pinned.
        symbolic = [axis for axis in here if axis.name] or here
        for axis in here:
            if axis.text != symbolic[0].text and axis.concrete() != symbolic[0].concrete():
                raise Refused(f"lets lengths {axis.text} and {symbolic[0].text} meet")
        axes.append(symbolic[0] if symbolic else fixed(1))
    return axes[::-1]


def together(
    arrays: Sequence[Recorded], make: Callable[..., Term], is_switch: bool = False, of_switches: bool = False
) -> Recorded:
    """An operation on arrays that are broadcast against each other, entry by entry."""
    # Two masks, or one that is repeated along another axis, would pick pairs that NumPy never forms.
    axes = _common([array.axes for array in arrays])
    guards = [array.guard for array in arrays if array.guard is not None]
    if len(guards) > 1 or (guards and max(array.ndim for array in arrays) > guards[0].ndim):
        raise Refused("computes with two parts that masks have picked")

    def entry(place: Sequence[str]) -> Term:
        terms = []
        for array in arrays:
            own = [
                "0" if axis.text == "1" else index
                for axis, index in zip(array.axes, place[len(place) - array.ndim :], strict=True)
            ]
            terms.append(array.entry(own) if of_switches else array.number(own))
        return make(*terms)

    return Recorded(axes, entry, is_switch, guards[0] if guards else None)


def switch(value: Any) -> Recorded:
    """A mask as switches; a number is on where it is not 0."""
    array = lift(value)
    return array if array.is_switch else ~_equal(array, 0)


def _equal(left: Any, right: Any) -> Any:
    one, other = lift(left), lift(right)
    if one.is_switch and other.is_switch:
        return (one & other) | (~one & ~other)
    return together([one, other], lambda x, y: both(_below(x, y), _below(y, x)), True)


# ---------------------------------------------------------------------------------------------------------------------
# Choices by data


MOST_PATHS = 64  # runs, of which five choices that do not depend on each other take 63: more is beyond reading


class _MoreError(Exception):
    """A question that the path has no answer to yet."""


@dataclass
class _Path:
    """The answers on a path, in the order of its questions, and these by a text that names of variables do not change."""

    answers: list[bool]
    asked: dict[str, Term] = field(default_factory=dict)

    def answer(self, question: Term) -> bool:
        """The answer that was given, or is due. Raises _MoreError."""
        text = with_plain_variables(question)
        if text not in self.asked:
            self.asked[text] = question
            if len(self.asked) > len(self.answers):
                raise _MoreError
        return self.answers[list(self.asked).index(text)]


def asked(question: Term) -> bool:
    """The answer on the present path. Raises Refused where no path is followed."""
    if question[0] == "truth":
        return bool(question[1])
    if NOTES.way is not None:
        found = bool(NOTES.instance.worth(question))
        note(question if found else negation(question))
        return found
    if not NOTES.paths:
        raise Refused("chooses by data")
    return NOTES.paths[-1].answer(question)


def note(answer: Term) -> None:
    """Note what holds on the way of the instance."""
    assert NOTES.way is not None
    if answer != TRUE:
        NOTES.way.setdefault(with_plain_variables(answer), answer)


def follow_the_way(refusal: str) -> None:
    """Go on along the way of the instance, or begin anew on it. Raises Refused where there is none."""
    if NOTES.instance is None:
        raise Refused(refusal)
    if NOTES.way is None:
        raise AtTheInstance


def at_the_instance(mask: Recorded, refusal: str) -> np.ndarray:
    """The switches of a mask at the instance. That they are these is noted."""
    follow_the_way(refusal)
    found: np.ndarray = NOTES.instance.mask(mask)
    if not found.size:
        return found
    variables = [fresh(axis.name) for axis in mask.axes]
    places = ["0" if axis.text == "1" else one for axis, one in zip(mask.axes, variables, strict=True)]
    entry = mask.entry(places)
    if found.all() or not found.any():
        answer = entry if found.all() else negation(entry)
    else:
        # A table of truths as nested lists of Coq: it says at once of every place whether the mask is on there.
        table = found.reshape([size for one, size in zip(places, found.shape, strict=True) if one != "0"])
        text = str(table.tolist()).lower().replace(",", ";")
        *outer, last = (one for one in places if one != "0")
        for one in outer:
            text = f"(nth {one} {text} [])"
        answer = ("if", f"nth {last} {text} false", entry, negation(entry))
    for axis, one in reversed(list(zip(mask.axes, variables, strict=True))):
        axis.concrete()
        if axis.text != "1":
            answer = ("all", one, axis.text, answer)
    note(answer)
    return found


def on_all_paths(run: Callable[[], Any]) -> Any:
    """What a formula gives, whatever its choices by data: one array whose entries choose by them.

    Where it asks for what cannot be told apart entry by entry, such as places, and an instance is given, it is recorded
    along the way of the instance: what it asked, with the answers, is `NOTES.answers`. Raises Refused.
    """
    NOTES.answers = []
    try:
        return forked(run)
    except AtTheInstance:
        outer, NOTES.way = NOTES.way, {}
        try:
            found = run()
            if NOTES.refusals:
                raise NOTES.refusals[0] from None
            NOTES.answers = list(NOTES.way.values())
            return found
        finally:
            NOTES.way = outer


def forked(run: Callable[[], Any]) -> Any:
    """What a formula gives on all paths. Raises Refused for too many, and where the results of two cannot be told apart."""
    tries, before = 0, len(NOTES.refusals)

    def follow(answers: list[bool]) -> Any:
        nonlocal tries
        tries += 1
        if tries > MOST_PATHS:
            raise Refused("chooses by data too often")
        path = _Path(answers)
        NOTES.paths.append(path)
        try:
            found = run()
            if NOTES.refusals:
                raise NOTES.refusals[0]
            if len(path.asked) == len(path.answers):
                return found
            # The formula has caught the question that was to fork it.
            raise Refused("catches an error that is not its own")
        except _MoreError:
            question = list(path.asked.values())[-1]
        finally:
            NOTES.paths.pop()
        yes, no = follow([*answers, True]), follow([*answers, False])
        return _either(question, yes, no)

    # A definition is of any data: while it is forked, nothing is answered as at the instance.
    outer, NOTES.way = NOTES.way, None
    try:
        return follow([])
    except Refused:
        # What is refused on another path is not asked on that of the instance.
        if NOTES.instance is None or tries == 1:
            raise
        del NOTES.refusals[before:]
        raise AtTheInstance from None
    finally:
        NOTES.way = outer


def _either(question: Term, yes: Any, no: Any) -> Any:
    # A system, or a list, on one path and another on the other would need a choice of its own in the library.
    if not all(isinstance(one, Recorded | AxisLength | int | fmpq | np.bool_ | np.ndarray) for one in (yes, no)):
        raise Refused(f"chooses between two of {type(yes).__name__} by data")
    one, other = lift(yes), lift(no)
    if one.guard is not None or other.guard is not None:
        raise Refused("chooses by data what a mask picks")
    if one.is_switch and other.is_switch:
        asked_for = with_plain_variables(question)
        # What was asked is known on its own paths.
        if not one.axes and with_plain_variables(one.entry(())) == asked_for:
            one = lift(True)
        if not other.axes and with_plain_variables(other.entry(())) == asked_for:
            other = lift(False)

        def pick(left: Term, right: Term) -> Term:
            return either(both(question, left), both(negation(question), right))
    else:

        def pick(left: Term, right: Term) -> Term:
            return choice(question, left, right)

    return together([one, other], pick, one.is_switch and other.is_switch, one.is_switch and other.is_switch)
