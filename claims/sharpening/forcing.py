"""How far an instance lets a constant go: the room from its value in the statement to the one at which a slack vanishes.

Of s(c), the slack at an instance as a function of a constant, the secant at the printed value c0 gives the room
s(c0) h / (s(c0) - s(c0 + h)), exact where s is affine in c; h is a small step the way that makes the statement stronger.
The least room over all instances is what the search makes small: zero there says that no stronger value holds. Unlike the
slack it does not change with the unit of the tokens, and it has a slope where the slack has one.

Floats only propose. Whether a value is refuted is decided as ever, on an exact instance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from flint import fmpq

from claims.hunting.margins import margins
from claims.hunting.origins import Around, Plan
from claims.hunting.rounds import QUICK, is_counterexample, probed_instances
from claims.hunting.search import NO_VALUE, Search
from claims.stating.statement import AT_A_STATE, Form, Relation, Standing, is_costly
from claims.targets.target import Target
from claims.verifying.deciding import check
from dynamics.arithmetic import Array, UndecidedError, fraction, rational
from dynamics.integrate import chosen, in_float64
from dynamics.system import System

STEP = fmpq(1, 1 << 10)  # the step of the secant, as a part of the constant
NOISE = {False: 1e-12, True: 1e-9}  # a secant flatter than this part of the typical slack is rounding; along paths more is
LEAST = 1e-18
"""The room where a slack vanishes but for rounding: what is negative is a proposal that the statement is violated."""

NO_ROOM = 1e12  # the room of an entry on which the constant has no bearing
KEPT = 4  # instances of each size that are kept, those with the least room


class NoConstantError(ValueError):
    """The constant cannot be bracketed; the message says why."""


@dataclass(frozen=True)
class Constant:
    """A named constant of an inequality: its value in the statement, and which way is stronger (+1, -1).

    `whole` says that the formula takes whole numbers only.
    """

    name: str
    value: fmpq
    way: int
    whole: bool

    @property
    def unit(self) -> fmpq:
        """The size of the value: rooms are parts of it. One where it is zero, or takes whole numbers only."""
        return fmpq(1) if self.whole or self.value == 0 else abs(self.value)

    @property
    def step(self) -> fmpq:
        """The step of the secant, as a room."""
        return fmpq(1) if self.whole else STEP

    def stronger(self, room: fmpq) -> fmpq:
        """The value stronger by so much room."""
        return self.value + self.way * self.unit * room

    def in_target(self, target: Target, room: fmpq) -> Target:
        """The target with the value that is stronger by so much room."""
        others = tuple(one for one in target.sharpened if one[0] != self.name)
        return replace(target, sharpened=(*others, (self.name, str(self.stronger(room)))))


def constants_of(target: Target, name: str, entropy: Sequence[int]) -> list[Constant]:
    """The constant of a target with its value there: once for each way that makes the statement stronger.

    Both ways where it stands on two sides, as c in x^2 + y^2 >= c x y. Raises NoConstantError where it is of no inequality,
    or has no bearing.
    """
    variant = target.resolve()
    conclusion, value = variant.conclusion, rational(dict(target.sharpened).get(name, variant.printed.constants[name]))
    if conclusion.relation is Relation.ZERO:
        raise NoConstantError("a constant of an identity: any other value is wrong, or it has no bearing")
    if conclusion.form is Form.EXPERIMENT:
        raise NoConstantError("a constant of an experiment: no instance decides it")
    systems = list(probed_instances(variant, entropy))
    batches = [in_float64(system) for system in systems]
    if not batches:
        raise NoConstantError("no start could be built")
    # Whole numbers last: a formula that takes every number is searched by small steps.
    for whole, way in product((False, True) if value.q == 1 else (False,), (1, -1)):
        constant = Constant(name, value, way, whole)
        try:
            signs = {way * sign for batch in batches for sign in np.sign(_change(target, constant, batch))}
            if not whole and conclusion.form in AT_A_STATE:  # floats have powers that rationals do not
                constant.in_target(target, constant.step).resolve().conclusion.slack(systems[0])
        except NoConstantError:
            raise
        except UndecidedError:
            pass
        except (*NO_VALUE, TypeError):  # it takes whole numbers only, or none the one way
            continue
        if found := [replace(constant, way=one) for one in (1, -1) if -one in signs]:
            return found
    raise NoConstantError("it has no bearing on the slack of any start drawn")


def _change(target: Target, constant: Constant, batch: System) -> Array:
    """By how much each slack of one start changes at a step of the constant, where that is more than rounding; (k,).

    Raises ValueError where the formula has a value before the step and none after it.
    """
    conclusion = target.resolve().conclusion
    before = margins(conclusion, batch)
    after = margins(constant.in_target(target, constant.step).resolve().conclusion, batch)
    if before.shape != after.shape:
        raise NoConstantError("the number of slacks depends on it")
    if np.isfinite(before).any() and not np.isfinite(after).any():
        raise ValueError("no value")
    change, size = after - before, np.nanmax(abs(before), initial=0.0)
    seen = np.isfinite(change) & (abs(change) > NOISE[is_costly(conclusion)] * size)
    return np.asarray(change[seen])


@dataclass
class Near:
    """An instance of a size with little room: a float64 batch of one."""

    room: float
    system: System


def lengths_of(systems: System) -> dict[str, int]:
    """The lengths of the axes of a system or of a batch, by name."""
    lengths: dict[str, int] = {}
    for name, declared in systems.fields().items():
        shape = np.asarray(getattr(systems, name)).shape
        lengths |= zip(declared.axes, shape[len(shape) - len(declared.axes) :], strict=True)
    return lengths


def size_text(systems: System) -> str:
    """The lengths of the axes in words, as "n=3,d=1"."""
    return ",".join(f"{axis}={length}" for axis, length in lengths_of(systems).items())


class Forcing(Search):
    """A search for the instance that leaves a constant the least room."""

    def __init__(
        self,
        target: Target,
        constant: Constant,
        entropy: list[int],
        starts: int,
        known: Sequence[System],
        deadline: float,
        size: dict[str, int] | None = None,
    ) -> None:
        super().__init__(target.resolve(), entropy, starts, known, self._is_violated, deadline)
        # Terms are of a slack; a room is a quotient, which has none.
        self.by_terms = False
        self.constant, self.size = constant, size
        self.nears: dict[str, list[Near]] = {}
        self.stronger = constant.in_target(target, constant.step).resolve().conclusion
        self.costly = is_costly(self.conclusion)

    def _go(self) -> None:
        if self.variant.claim.standing is Standing.FALSE:  # in floats a published counterexample may be none
            known = [one for one in self.known if self.is_sized(one) and self.variant.admits(one)]
            self.clear += [(0.0, one) for one in known if self._is_violated(one)]
        super()._go()

    def is_sized(self, systems: System) -> bool:
        """Whether it is of the size that was asked for, if one was."""
        lengths = lengths_of(systems)
        return all(lengths.get(axis) == n for axis, n in (self.size or {}).items())

    def _by_batch(self, origin: Plan | Around, systems: System, _: int) -> tuple[Array, Array, Array]:
        """The room of each member as its slack and its score; that of each entry as the score of a part."""
        rooms = self._rooms(margins(self.conclusion, systems), margins(self.stronger, systems), origin)
        least = rooms.min(axis=1)
        if not self.is_sized(systems):
            # Infinite, and not left out: there is an answer for each member of the batch.
            least = np.full(len(rooms), np.inf)
            return least, least, np.full(rooms.shape, np.inf)
        for index in np.argsort(least)[:KEPT]:
            if 0 < least[index] < NO_ROOM:
                self.keep(float(least[index]), systems, int(index))
        return least, least, rooms

    def keep(self, room: float, systems: System, index: int) -> None:
        """Keep a member of a batch if it is among those of its size that leave the least room."""
        kept = self.nears.setdefault(size_text(systems), [])
        if len(kept) < KEPT or room < kept[-1].room:
            # A copy: a view would hold the whole batch in memory.
            kept.append(Near(room, chosen(systems, np.array([index]))))
            kept.sort(key=lambda near: near.room)
            del kept[KEPT:]

    def _exactly(self, systems: System, batch: int) -> tuple[Array, Array, Array]:
        """The same of a formula that only rationals can evaluate."""
        return self._by_batch(Around(self.variant, chosen(systems, np.array([0]))), systems, batch)

    def _rooms(self, before: Array, after: Array, origin: Plan | Around) -> Array:
        """Shape (batch, k), at least one column."""
        # A formula may have fewer margins beyond the step: then no entry is the same as before.
        if before.shape != after.shape or not before.shape[1]:
            return np.full((len(before), 1), np.inf)
        if not origin.typical > 0:  # the first batch of an origin says what is large there
            sizes = abs(before[np.isfinite(before) & (before != 0)])
            origin.typical = float(np.median(sizes)) if sizes.size else 1.0
        fall, noise = before - after, NOISE[self.costly] * np.maximum(abs(before), min(origin.typical, 1.0))
        flat = ~(fall > noise)
        rooms = np.where(flat, NO_ROOM, before / np.where(flat, 1.0, fall) * float(fraction(self.constant.step)))
        # A violation that the constant does not move is one all the same, and is to be seen by the search.
        rooms = np.where(flat & (before < -noise), before / abs(origin.typical), rooms)
        rooms = np.where((rooms < LEAST) & (abs(before) <= noise), LEAST, rooms)
        return np.where(np.isfinite(rooms), rooms, np.inf)

    def _is_violated(self, system: System) -> bool:
        return is_counterexample(check(self.conclusion, system, QUICK))

    def room_of(self, system: System) -> float | None:
        """The room of one instance in floats; None outside the hypotheses, and where there is none."""
        try:
            if not self.variant.admits(system):
                return None
            batch = in_float64(system)
            rooms = self._rooms(margins(self.conclusion, batch), margins(self.stronger, batch), Around(self.variant, batch))
        except NO_VALUE:
            return None
        room = float(rooms.min())
        return room if room < NO_ROOM else None

    def exact_of(self, near: Near) -> System | None:
        """The instance in exact numbers, within the hypotheses; None where rounding leaves them."""
        return self._exact(near.system, 0)


def rounded_up(room: float) -> fmpq:
    """A decimal of two digits not below a positive float: a value that is easily written."""
    # Upwards: at a smaller room the value might not be refuted any more.
    exponent = math.floor(math.log10(room)) - 1
    unit = fmpq(10**exponent) if exponent >= 0 else fmpq(1, 10**-exponent)
    return (rational(room) / unit).ceil() * unit
