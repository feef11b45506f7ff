"""Proposes simpler instances: changes of sizes, whole arrays, slices and single entries, the simplest first.

Nothing here decides whether a proposal is still a counterexample. A *ladder* maps an instance to proposals, so that it can
be climbed again from whatever the instance has become meanwhile; `simplify` stops at its first rung that holds.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import numpy as np
from flint import fmpq

from claims.stating.statement import Form
from dynamics.arithmetic import Array, exact, fraction
from dynamics.attention import leaders
from dynamics.system import System
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.schedules import HardmaxSchedule

Complexity = tuple[int, int, Fraction]
Rank = tuple[int, Complexity]
Ladder = Callable[[System], Iterator[System]]

DENOMINATORS = (1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 128, 256, 1024, 4096, 1 << 16, 1 << 20, 1 << 26)
"""Bounds of the denominators that entries are rounded to, coarse to fine."""

TIED_STATES = 3  # of an orbit, looked at for ties: each more is a step, and rationals grow with every step
DIGITS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
"""Significant bits that entries are rounded to: the coarse form of numbers that are all tiny, or all huge."""


# ---------------------------------------------------------------------------------------------------------------------
# How simple an instance is


def axis_lengths(system: System) -> dict[str, int]:
    """The length of each named axis."""
    arrays, fields = system.arrays(), system.fields()
    return {axis: size for name, field in fields.items() for axis, size in zip(field.axes, arrays[name].shape, strict=True)}


def default_of(system: System, name: str) -> Array | None:
    """The default of the array, at the sizes of the system; None if it must be given."""
    return _default(type(system), name, tuple(axis_lengths(system).items()))  # type: ignore[arg-type]


@lru_cache(maxsize=1000)
def _default(kind: type[System], name: str, sizes: tuple[tuple[str, int], ...]) -> Array | None:
    make = kind.fields()[name].default
    return None if make is None else exact(make(dict(sizes)))


def complexity(system: System) -> Complexity:
    """The cost of writing an instance: numbers that are neither 0 nor default, then characters, then the largest number."""
    # An array that equals its default is not written at all.
    count, length, largest = 0, 0, fmpq(0)
    for name, array in system.arrays().items():
        default = default_of(system, name)
        if default is not None and default.shape == array.shape and bool((default == array).all()):
            continue
        usual = itertools.repeat(0) if default is None or default.shape != array.shape else iter(default.flat)
        for value, expected in zip(array.flat, usual, strict=False):
            count += bool(value not in (0, expected))
            length += len(str(value))
            largest = max(largest, abs(value))
    return count, length, _fraction(largest)


def ties(system: System, form: Form) -> int:
    """How often different points lead one token: at the start and, for an orbit, after few steps; 0 without leaders."""
    # Ties occur on a null set of starts, so an instance without ties is stronger.
    count = 0
    if not (isinstance(system, HardmaxStep | HardmaxSchedule)):
        return count
    now: Any = system
    for _ in range(TIED_STATES if form is Form.ORBIT else 1):
        for row in leaders(now.scores()):
            led = now.x[row]
            count += bool((led != led[:1]).any())
        now = now.step()
    return count


def rank_of_instance(system: System, form: Form) -> Rank:
    """Sort key of an instance among counterexamples: those without ties first, then the shortest."""
    return ties(system, form), complexity(system)


def _fraction(value: Any) -> Fraction:
    if isinstance(value, Fraction):
        return value
    return fraction(value) if isinstance(value, fmpq) else Fraction(int(value))


def plainness(value: Any) -> tuple[int, Fraction, bool]:
    """Sort key of a number: characters, then size, then positive before negative."""
    value = _fraction(value)
    return len(str(value)), abs(value), value < 0


# ---------------------------------------------------------------------------------------------------------------------
# Single numbers


def _round_bits(value: Fraction, bits: int) -> Fraction:
    if value == 0:
        return value
    # Of less than a float can hold frexp would tell nothing.
    unit = Fraction(2) ** (math.frexp(float(value))[1] - bits) if abs(value) > Fraction(1, 10**300) else Fraction(1)
    return round(value / unit) * unit


def simpler_numbers(value: Any, others: Sequence[Any] = (), integer: bool = False) -> list[Fraction]:
    """Plainer numbers that may stand in for `value`, plainest first.

    Among them are small numbers of either sign, roundings of `value`, and what `others` suggest: equal numbers, and
    ones at a simple distance.
    """
    value = _fraction(value)
    sign = -1 if value < 0 else 1
    found = {Fraction(0), Fraction(1), Fraction(-1), *(sign * Fraction(k) for k in (2, 3, 4, 5, 8, 9, 10, 16, 20, 50, 100))}
    found |= {Fraction(sign, k) for k in (2, 3, 4, 5, 8, 9)} | {sign * Fraction(3, 2), sign * Fraction(3, 4)}
    for shrunk in (value, value / 2, value * 3 / 4):
        found |= {Fraction(math.floor(shrunk)), Fraction(math.ceil(shrunk))}
        found |= {Fraction(round(shrunk * k), k) for k in (2, 4)}
    found |= {value - sign, value - sign * Fraction(1, 2)}
    if 0 < abs(value) < 1:
        parts = math.ceil(1 / abs(value))
        ten = 10 ** (len(str(parts)) - 1)
        found |= {Fraction(sign, k) for k in (parts, parts + 1, 1 << parts.bit_length(), -(-parts // ten) * ten, 10 * ten)}
    found |= {value.limit_denominator(bound) for bound in DENOMINATORS}
    found |= {_round_bits(value, bits) for bits in DIGITS}
    if value:
        digit = Fraction(10) ** math.floor(math.log10(abs(value))) if abs(value) > Fraction(1, 10**300) else Fraction(1)
        found |= {round(value / digit) * digit, math.trunc(value / digit) * digit}
    for other in map(_fraction, others):
        # A strict order needs some distance, and a violation may need a small one.
        steps = (Fraction(sign, k) for k in (1, 2, 3, 4, 8, 16, 32, 64, 100) for sign in (1, -1))
        found |= {other, 2 * other, *(other + step for step in steps)}
    if integer:
        found = {number for number in found if number.denominator == 1}
    mine = plainness(value)
    return sorted((number for number in found if plainness(number) < mine), key=plainness)


# ---------------------------------------------------------------------------------------------------------------------
# Whole instances and arrays


def with_arrays(system: System, **changes: Any) -> System:
    """The instance with some arrays replaced, read and validated anew. Raises ValueError where the model refuses it."""
    return type(system).instance(**(system.arrays() | changes))


def _attempted(proposals: Iterator[tuple[System, dict[str, Any]]]) -> Iterator[System]:
    for system, changes in proposals:
        try:
            yield with_arrays(system, **changes)
        except (ValueError, ArithmeticError, IndexError):
            continue


def _mapped(array: Array, function: Callable[[Fraction], Fraction]) -> Array:
    values = [function(_fraction(value)) for value in array.flat]
    return exact(np.array(values, dtype=object).reshape(array.shape)) if array.shape else exact(values[0])


def _roundings(array: Array) -> Iterator[Array]:
    for bound in DENOMINATORS:
        yield _mapped(array, partial(Fraction.limit_denominator, max_denominator=bound))
    for bits in DIGITS:
        yield _mapped(array, partial(_round_bits, bits=bits))


def simplest_first(proposals: Iterator[System]) -> list[System]:
    """The proposals without repetitions, in the order of their complexity."""
    unique = {str(proposal.to_json()): proposal for proposal in proposals}
    return [unique[text] for _, text in sorted((complexity(proposal), text) for text, proposal in unique.items())]


def whole_roundings(system: System) -> Iterator[System]:
    """The instance with all its numbers rounded alike, the simplest outcome first."""
    fields = system.fields()
    free = [name for name in fields if not fields[name].integer]
    rounded = {name: list(_roundings(getattr(system, name))) for name in free}
    rungs = range(len(DENOMINATORS) + len(DIGITS))
    changes = ({name: rounded[name][rung] for name in free} for rung in rungs)
    yield from simplest_first(_attempted((system, change) for change in changes))


def _ranks(array: Array) -> Array:
    """How many distinct entries are smaller, for each entry: the plainest numbers in the same order."""
    distinct = sorted(set(map(_fraction, array.flat)))
    return _mapped(array, lambda value: Fraction(distinct.index(value)))


def _whole_arrays(array: Array, default: Array | None) -> Iterator[Array]:
    if default is not None and default.shape == array.shape:
        yield default
    yield 0 * array
    yield 0 * array + 1
    if array.ndim == 2 and array.shape[0] == array.shape[1]:
        eye, trace = exact(np.eye(len(array), dtype=int)), sum(array[i, i] for i in range(len(array)))
        yield eye
        yield eye * array
        yield from (eye * fmpq(k) for k in (-1, 2, fmpq(1, 2), round(_fraction(trace)), trace / len(array)))
        yield (array + array.T) / 2
        yield np.triu(array) + 0 * array
        yield np.tril(array) + 0 * array
    if array.shape:
        yield 0 * array + array.flat[0]
        yield 0 * array + array[:1]
        yield _ranks(array)
        yield _ranks(array) - len(set(map(_fraction, array.flat))) + 1
        # Many slacks depend on differences alone: then one of the numbers may as well be 0.
        yield array - array.flat[array.size - 1]
        yield array - array.flat[0]
        yield array - array[-1:]
        middle = sum(map(_fraction, array.flat)) / array.size
        for shift in {round(middle * part) for part in (Fraction(1, 8), Fraction(1, 2), Fraction(3, 4), Fraction(7, 8))}:
            yield array - fmpq(shift)
    yield -array
    largest = max(map(abs, array.flat))
    if largest:
        yield array / largest
    yield from _roundings(array)
    yield from (array * fmpq(2) ** power for power in (-8, -4, -2, -1, 1, 2, 4))


def array_ladders(system: System) -> Iterator[Ladder]:
    """One for each array: its default, constants, plain matrices, ranks, shifts, roundings."""
    for name, field in system.fields().items():

        def ladder(now: System, name: str = name, integer: bool = field.integer) -> Iterator[System]:
            array = getattr(now, name)
            whole = _whole_arrays(exact(array) if integer else array, default_of(now, name))
            yield from simplest_first(_attempted((now, {name: proposal}) for proposal in whole))

        yield ladder


def whole_ladders(system: System) -> Iterator[Ladder]:
    """All numbers rounded alike, and the data scaled together."""
    yield whole_roundings

    def scaled(now: System) -> Iterator[System]:
        names = [name for name, field in now.fields().items() if not field.integer]
        for group in [names, *([name] for name in names), *map(list, itertools.combinations(names, 2))]:
            for power in (-4, -1, 1, 4):
                yield from _attempted(iter([(now, {name: getattr(now, name) * fmpq(2) ** power for name in group})]))
        for scalar in (name for name in names if getattr(now, name).ndim == 0):
            unit = getattr(now, scalar).item()
            others = [name for name in names if name != scalar]
            for group in [others, *([name] for name in others)] if unit not in (0, 1) else ():
                for factor in (unit, 1 / unit):
                    changes = {name: getattr(now, name) * factor for name in group}
                    yield from _attempted(iter([(now, changes | {scalar: fmpq(1)})]))

    yield scaled


# ---------------------------------------------------------------------------------------------------------------------
# Sizes


def keeping(system: System, axis: str, indices: Sequence[int]) -> dict[str, Array]:
    """The arrays with only these indices along every axis of that name."""
    arrays = {}
    for name, field in system.fields().items():
        array = getattr(system, name)
        for position, label in enumerate(field.axes):
            if label == axis:
                array = np.take(np.asarray(array), list(indices), axis=position)
        arrays[name] = array
    return arrays


def size_ladders(system: System) -> Iterator[Ladder]:
    """For each axis one that keeps one or two indices, for each index one that deletes it, then pairs of deletions."""
    sizes = axis_lengths(system)
    for axis, size in sizes.items():

        def few(now: System, axis: str = axis) -> Iterator[System]:
            size = axis_lengths(now)[axis]
            kept = [k for count in (1, 2, 3) if count < size for k in itertools.combinations(range(size), count)]
            # Of more there are thousands: the rest is left to deletions one by one.
            yield from _attempted((now, keeping(now, axis, indices)) for indices in kept[:64])

        yield few
        for index in reversed(range(size)):
            yield partial(_without, deleted=((axis, index),))
    single = [(axis, index) for axis, size in sizes.items() for index in reversed(range(size))]
    for pair in itertools.combinations(single, 2):
        yield partial(_without, deleted=pair)


def _without(system: System, deleted: Sequence[tuple[str, int]]) -> Iterator[System]:
    sizes = axis_lengths(system)
    if any(index >= sizes[axis] for axis, index in deleted):
        return
    for axis in dict.fromkeys(axis for axis, _ in deleted):
        gone = {index for label, index in deleted if label == axis}
        left = [index for index in range(sizes[axis]) if index not in gone]
        if not left:
            return
        system = system.replace(**keeping(system, axis, left))
    yield from _attempted(iter([(system, {})]))


def fewer_ladders(system: System) -> Iterator[Ladder]:
    """For each index of an axis, one that deletes it and changes one of the numbers left, not only to plainer ones."""
    # With numbers that were simplified where there were more of them, deleting alone may lose the violation.
    fields = system.fields()
    written = sum(getattr(system, name).size for name, field in fields.items() if field.axes and not field.integer)
    if written > 2 * FEW:
        return
    for axis, size in axis_lengths(system).items():
        for index in reversed(range(size)):
            yield partial(_fewer, axis=axis, index=index)


def _fewer(system: System, axis: str, index: int) -> Iterator[System]:
    fields = system.fields()
    for fewer in _without(system, ((axis, index),)):
        changed = (
            (fewer, {name: _placed(getattr(fewer, name), place, v)})
            for name, place in _places(fewer)
            if axis in fields[name].axes and not fields[name].integer
            for v in _instead(_fraction(getattr(fewer, name)[place]))
        )
        yield from simplest_first(_attempted(changed))


def _instead(value: Fraction) -> list[Fraction]:
    # Plainness is no order here: with a token less even a longer number may be what keeps the violation.
    plain = [Fraction(p, q) for p, q in ((0, 1), (1, 1), (2, 1), (3, 1), (1, 2), (1, 3), (1, 4), (2, 3), (3, 4))]
    multiples = [value * factor for factor in (2, 3, 4, Fraction(1, 2), Fraction(1, 3), Fraction(1, 4))]
    return [v for v in dict.fromkeys([*plain, *(-v for v in plain), *multiples]) if v != value]


# ---------------------------------------------------------------------------------------------------------------------
# Slices and entries


def _places(system: System) -> Iterator[tuple[str, tuple[int, ...]]]:
    for name in system.fields():
        yield from ((name, place) for place in np.ndindex(getattr(system, name).shape))


def _placed(array: Array, place: tuple[Any, ...], values: Any) -> Array:
    changed = np.array(array, dtype=object)
    changed[place] = values
    return changed


def _is_there(system: System, name: str, place: tuple[int, ...]) -> bool:
    return all(index < size for index, size in zip(place, getattr(system, name).shape, strict=True))


def entry_ladders(system: System) -> Iterator[Ladder]:
    """One for each entry, the least plain first: plainer numbers in its place."""
    places = sorted(_places(system), key=lambda place: plainness(getattr(system, place[0])[place[1]]), reverse=True)
    for name, place in places:

        def ladder(now: System, name: str = name, place: tuple[int, ...] = place) -> Iterator[System]:
            if not _is_there(now, name, place):
                return
            array, integer = getattr(now, name), now.fields()[name].integer
            # Equal numbers and simple distances are what orders and ties are made of; six others suggest enough.
            others = sorted(set(map(_fraction, array.flat)), key=plainness)[:6]
            plainer = simpler_numbers(array[place], others, integer)
            yield from _attempted((now, {name: _placed(array, place, v)}) for v in plainer)

        yield ladder


def slice_ladders(system: System) -> Iterator[Ladder]:
    """One for each row, column, ... of an array with several axes: zero, another slice, roundings."""
    for name, field in system.fields().items():
        for axis in range(len(field.axes)) if len(field.axes) > 1 else ():
            for index in range(getattr(system, name).shape[axis]):

                def ladder(now: System, name: str = name, axis: int = axis, index: int = index) -> Iterator[System]:
                    array = exact(getattr(now, name))
                    if index >= array.shape[axis]:
                        return
                    place = (slice(None),) * axis + (index,)
                    part = array[place]
                    parts = [0 * part, 0 * part + 1, *np.moveaxis(array, axis, 0), -part, _ranks(part), *_roundings(part)]
                    changed = ((now, {name: _placed(array, place, other)}) for other in parts)
                    yield from simplest_first(_attempted(changed))

                yield ladder


def pair_ladders(system: System) -> Iterator[Ladder]:
    """One for each two entries of an array: both nearer to 0 or plainer by the same amount, or set equal."""
    for name, field in system.fields().items():
        if field.integer:
            continue
        for one, other in itertools.combinations(np.ndindex(getattr(system, name).shape), 2):

            def ladder(now: System, name: str = name, one: Any = one, other: Any = other) -> Iterator[System]:
                if not (_is_there(now, name, one) and _is_there(now, name, other)):
                    return
                array = getattr(now, name)
                pairs = (_placed(_placed(array, one, x), other, y) for x, y in _pairs(array, one, other))
                yield from simplest_first(_attempted((now, {name: changed}) for changed in pairs))

            yield ladder


def level_ladders(system: System) -> Iterator[Ladder]:
    """One for each number that an array holds more than once: plainer numbers in all these places together."""
    for name, field in system.fields().items():
        values = [_fraction(value) for value in getattr(system, name).flat]
        for level in sorted({value for value in values if values.count(value) > 1}, key=plainness, reverse=True):

            def ladder(
                now: System, name: str = name, level: Fraction = level, integer: bool = field.integer
            ) -> Iterator[System]:
                array = getattr(now, name)
                yield from _attempted(
                    (now, {name: _mapped(array, lambda value: plainer if value == level else value)})  # noqa: B023
                    for plainer in simpler_numbers(level, (), integer)
                )

            yield ladder


# Some three hundred combinations at most, each of which is an instance to build.
RANGES = {1: range(-9, 10), 2: range(-4, 10), 3: range(-2, 5), 4: range(-1, 3)}


def small_ladders(system: System) -> Iterator[Ladder]:
    """One for each array of at most four numbers: all combinations of small integers."""
    for name, field in system.fields().items():
        if field.integer or getattr(system, name).size not in RANGES:
            continue

        def ladder(now: System, name: str = name) -> Iterator[System]:
            array = getattr(now, name)
            if array.size not in RANGES:
                return
            found = itertools.product(RANGES[array.size], repeat=array.size)
            most = (sum(map(bool, map(_fraction, array.flat))), sum(len(str(value)) for value in array.flat))
            simpler = (v for v in found if (sum(map(bool, v)), sum(len(str(x)) for x in v)) <= most)
            yield from simplest_first(_attempted((now, {name: np.reshape(v, array.shape)}) for v in simpler))

        yield ladder


FEW = 8  # numbers that are not 0: 56 ordered pairs of them, each with eighty proposals, are tried at once
SMALL = tuple(Fraction(k) for k in (1, 2, 3, 4, 5, 8, 9, 10))


def joint_ladders(system: System) -> Iterator[Ladder]:
    """One for each two places, and for each array with a single number: what is plainer together, though not alone."""
    fields = system.fields()
    free = (place for place in _places(system) if not fields[place[0]].integer)
    written = [(name, place) for name, place in free if getattr(system, name)[place]]
    for one, other in itertools.permutations(written, 2) if len(written) <= FEW else ():
        yield partial(_both, one=one, other=other)
    scalars = [name for name, place in written if not place]
    for name, field in fields.items():
        if field.axes and not field.integer:
            yield from (partial(_array_and_scalar, name=name, scalar=scalar) for scalar in scalars)


def _both(system: System, one: tuple[str, Any], other: tuple[str, Any]) -> Iterator[System]:
    if not (_is_there(system, *one) and _is_there(system, *other)):
        return
    plainer = simpler_numbers(getattr(system, one[0])[one[1]])[:10]
    value = _fraction(getattr(system, other[0])[other[1]])
    signed = [number if value >= 0 else -number for number in SMALL]

    def proposals() -> Iterator[tuple[System, dict[str, Any]]]:
        for x, y in itertools.product(plainer, signed):
            arrays = {name: np.array(getattr(system, name), dtype=object) for name in (one[0], other[0])}
            arrays[one[0]][one[1]], arrays[other[0]][other[1]] = x, y
            yield system, arrays

    yield from simplest_first(_attempted(proposals()))


def _array_and_scalar(system: System, name: str, scalar: str) -> Iterator[System]:
    whole = simplest_first(_attempted((system, {name: array}) for array in _whole_arrays(getattr(system, name), None)))
    changed = ((now, {scalar: number}) for now in whole[:24] for number in SMALL)
    yield from simplest_first(_attempted(changed))


def _pairs(array: Array, one: Any, other: Any) -> Iterator[tuple[fmpq, fmpq]]:
    x, y = array[one], array[other]
    for shift in (x, y, fmpq(1), fmpq(-1), x - 1, y - 1, x + 1, y + 1):
        yield x - shift, y - shift
    yield y, y
    yield x, x
    yield y, x
    for bound in (1, 2, 4):
        yield tuple(fmpq(f.numerator, f.denominator) for f in (_fraction(v).limit_denominator(bound) for v in (x, y)))  # type: ignore[misc]


# ---------------------------------------------------------------------------------------------------------------------
# Afresh, and more striking


def tiny_instances(system: System, rng: np.random.Generator, count: int) -> list[System]:
    """Instances of at most the same sizes made of 0, 1, -1, 2, simplest first: for cases in which no single move helps."""

    def proposals() -> Iterator[tuple[System, dict[str, Any]]]:
        for _ in range(count):
            now = system
            for axis, size in axis_lengths(system).items():
                kept = int(rng.integers(max(1, size - 2), size + 1)) if size <= 8 else size
                now = now.replace(**keeping(now, axis, range(kept)))
            yield now, {name: drawn for name in now.fields() if (drawn := _tiny(now, name, rng)) is not None}

    return simplest_first(_attempted(proposals()))


def _tiny(system: System, name: str, rng: np.random.Generator) -> Array | None:
    array, default, kind = getattr(system, name), default_of(system, name), rng.integers(0, 6)
    if system.fields()[name].integer or kind == 0:
        return None
    if default is not None and kind <= 3:
        return default if default.shape == array.shape else None
    # Mostly zeros, or numbers that differ: two kinds of instance that one writes down first.
    small = [0, 0, 0, 1, 1, -1, 2] if rng.integers(0, 2) else [0, 0, 1, 2, 3, 4, 5, 8, -1, -2]
    drawn = rng.choice(small, size=array.shape)
    # Most hypotheses on a row of numbers are orders.
    return exact((-np.sort(-drawn) if array.ndim == 1 and rng.integers(0, 2) else drawn).tolist())


def striking_ladders(system: System) -> Iterator[Ladder]:
    """One for each entry that is not 0: numbers of no more characters, for a larger violation at the same length."""
    for name, place in _places(system):

        def ladder(now: System, name: str = name, place: tuple[int, ...] = place) -> Iterator[System]:
            array = getattr(now, name)
            value = _fraction(array[place])
            if value == 0 or now.fields()[name].integer:
                return
            sign, room = (-1 if value < 0 else 1), len(str(value))
            whole = [sign * Fraction(k) for k in (1, 2, 3, 4, 5, 6, 8, 9, 10, 20, 50)]
            options = [value * 2, value * 4, value / 2, value / 4, *whole, sign * Fraction(1, 2)]
            fitting = dict.fromkeys(v for v in options if len(str(v)) <= room and v != value)
            yield from _attempted((now, {name: _placed(array, place, v)}) for v in fitting)

        yield ladder
