"""The bracket of one constant: a stronger value that an exact instance refutes, and one that is held or proved.

A unit of work as those of a hunt are: plain data in, plain data out, the same each time but where it has seconds to spend.
"""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from flint import fmpq

from claims.certificates.constants import ConstantStatus
from claims.certificates.current import statement_digest
from claims.certificates.writing import certificate
from claims.hunting.margins import margins
from claims.hunting.rounds import EFFORT, QUICK, instance_of, is_counterexample
from claims.hunting.search import NO_VALUE
from claims.hunting.simplify import simplify
from claims.proving.attempts import PROVABLE, attempted
from claims.proving.exploring import sizes_of
from claims.proving.proof import ProofStatus as Proof
from claims.proving.solvers import NoSolverError, require
from claims.proving.table import PROOFS, PROVED
from claims.sharpening.forcing import (
    NO_ROOM,
    STEP,
    Constant,
    Forcing,
    Near,
    NoConstantError,
    constants_of,
    rounded_up,
    size_text,
)
from claims.stating.statement import AT_A_STATE, Standing
from claims.stating.verdict import Verdict
from claims.targets.target import Target, Variant
from claims.verifying.deciding import check
from claims.verifying.tallies import slack_text
from claims.verifying.witness import witnessed
from dynamics.arithmetic import exact, numbers, rational
from dynamics.integrate import in_float64
from dynamics.system import System

STRONGER = {1: "larger", -1: "smaller"}  # which values make the statement stronger, by the way
WORK = "claims.sharpening.brackets:bracket"

SHARP = "1/1000"  # a constant is sharp where a value stronger by this part of it is refuted, if nothing else is asked
NEAREST = fmpq(1, 10**9)  # the least room at which a value is tried
SLACKENED = (fmpq(1), fmpq(101, 100), fmpq(11, 10), fmpq(3, 2), fmpq(4))
"""By how much the room that floats see is widened until the violation there is decided."""

SEARCHING, SHRINKING, PROVING = 0.55, 0.15, 0.3  # parts of the time: to search, to make the instance small, to prove
MOST_SHRINKING, MOST_PROVING = 10.0, 40.0  # seconds of these without a budget of time
ONE_QUESTION = 5.0  # seconds of a solver for one system
PARTS = (fmpq(7, 8), fmpq(1, 2), fmpq(1, 8), fmpq(1, 64))  # of the room: better values that are tried to be proved
MOST_SIZES = 2  # at so many sizes
SHARES = 3  # attempts are given more than their share of the time that is left: most need far less
SCALES = tuple(range(1, 11))  # powers of two by which arrays are scaled, to see whether the room closes in a limit
UNSEEN = 1e-14  # rooms below this are rounding
MOST_WHOLE = 16  # values beyond the one in the statement that are tried of a constant that takes whole numbers only
CLOSING = 0.7  # a room that falls at each doubling to this part of it, or below, closes


def spec_of(
    target: Target,
    name: str,
    seed: int,
    starts: int,
    seconds: float | None = None,
    size: Mapping[str, int] | None = None,
    known: Sequence[Mapping[str, Any]] = (),
    width: str = SHARP,
) -> dict[str, Any]:
    """The work of bracketing a constant with about `starts` evaluations; `known` are instances to start from.

    A bracket of at most this `width`, a part of the constant, is called sharp.
    """
    # What is not asked is not there: the key of a task in its ledger is the digest of all that is.
    asked: dict[str, Any] = ({} if seconds is None else {"seconds": seconds}) | ({"size": dict(size)} if size else {})
    asked |= {"target": target.to_json(), "constant": name, "seed": seed, "starts": starts, "width": width}
    return asked | {"known": [dict(one) for one in known]}


def bracket(spec: Mapping[str, Any]) -> dict[str, Any]:
    """What is found of the constant of a spec, as plain data."""
    target, name = Target.from_json(spec["target"]), spec["constant"]
    variant = target.resolve()
    # By its name, not by its place: a constant keeps its starts when claims are added, and those asked for change.
    entropy = [spec["seed"], zlib.crc32(f"{target} {name}".encode())]
    found: dict[str, Any] = {"claim": target.claim, "conclusion": target.conclusion, "constant": name}
    value = rational(dict(target.sharpened).get(name, variant.printed.constants[name]))
    found["value"] = str(value)
    if name in dict(target.sharpened):
        found["printed"] = str(rational(variant.printed.constants[name]))
    if target.source is None:  # of a file of one's own nothing is stored that could become stale
        found["text"] = statement_digest(target)
    try:
        constants = constants_of(target, name, entropy)
    except NoConstantError as error:
        return found | {"word": ConstantStatus.NONE.value, "reason": str(error)}
    ways = [_Bracket(target, variant, constant, spec, entropy, len(constants)) for constant in constants]
    for way in ways:
        way.search_it()
    evaluations = sum(way.search.found.evaluations for way in ways)
    return found | min(ways, key=_Bracket.nearness).told() | {"evaluations": evaluations}


def rank_of_bracket(bracket: Mapping[str, Any]) -> tuple[int, float, bool]:
    """What says more comes first: a refutation as printed, a sharp value, a proof of a better one, then the lesser room.

    Of two with as little room the one that is attained.
    """
    order = {
        ConstantStatus.REFUTED: 0,
        ConstantStatus.SHARP: 1,
        ConstantStatus.IN_THE_LIMIT: 1,
        ConstantStatus.IMPROVABLE: 2,
        ConstantStatus.UNKNOWN: 2,
        ConstantStatus.NONE: 3,
    }
    numerator, _, denominator = bracket.get("room", "inf").partition("/")
    room = float(numerator) / float(denominator or 1)
    return order[ConstantStatus(bracket["word"])], room, not bracket.get("attained", False)


@dataclass
class OneInstance:
    """What an instance alone tells of a constant: whether it refutes a value, forces one, or attains it."""

    target: Target
    variant: Variant
    constant: Constant

    @property
    def no_value(self) -> tuple[type[Exception], ...]:
        """What a formula raises where it has no value; one with a draw of its own may know other numbers only."""
        return (*NO_VALUE, TypeError) if self.variant.claim.draw else NO_VALUE

    def decided(self, room: fmpq, system: System) -> Verdict | None:
        """The verdict on the value at this room, if the instance refutes it."""
        try:
            verdict = check(self.at(room).conclusion, system, QUICK)
        except self.no_value:  # beyond some value a root or a power has none: nothing is refuted there
            return None
        return verdict if is_counterexample(verdict) else None

    def at(self, room: fmpq) -> Variant:
        """The statement with the value that is stronger by this room."""
        return self.constant.in_target(self.target, room).resolve()

    def forced(self, system: System) -> fmpq | None:
        """The exact value at which the first slack of the instance vanishes, where the formula is affine up to there."""
        if self.variant.conclusion.form not in AT_A_STATE or self.constant.whole:
            return None
        here, there = (self.slacks(system, room) for room in (fmpq(0), STEP))
        # Only falling slacks force anything; the exact slack there shows whether the secant was the formula itself.
        rooms = [s / (s - t) * STEP for s, t in zip(here, there, strict=False) if s > t]
        if not rooms or min(self.slacks(system, min(rooms)), default=None) != 0:
            return None
        return self.constant.stronger(min(rooms))

    def slacks(self, system: System, room: fmpq) -> list[fmpq]:
        """The slacks at a state as rationals; none where one of them is no rational."""
        try:
            values = list(numbers(self.at(room).conclusion.slack(system)).flat)
        except self.no_value:
            return []
        exact_ones = [rational(value) for value in values if isinstance(value, int | fmpq)]
        return exact_ones if len(exact_ones) == len(values) else []

    def attains(self, system: System) -> bool:
        """Whether a slack of the instance vanishes exactly, and falls below zero with any stronger value that was tried."""
        if self.variant.conclusion.form not in AT_A_STATE or self.constant.whole:
            return False
        here, there = (self.slacks(system, room) for room in (fmpq(0), NEAREST))
        # Of several slacks an enclosure of the least does not say that the same one vanishes and falls.
        if here or margins(self.variant.conclusion, in_float64(system)).size != 1:
            return any(s == 0 > t for s, t in zip(here, there, strict=False))
        slack = check(self.variant.conclusion, system, QUICK).slack  # closed forms may tell
        return slack is not None and slack == 0 and self.decided(NEAREST, system) is not None


class _Bracket(OneInstance):
    def __init__(
        self, target: Target, variant: Variant, constant: Constant, spec: Mapping[str, Any], entropy: list[int], ways: int
    ) -> None:
        super().__init__(target, variant, constant)
        self.spec, self.entropy, self.ways = spec, entropy, ways
        # Ways are bracketed one after another, and one that is slow is not to starve the other.
        self.seconds = float(spec.get("seconds", math.inf)) / ways
        self.width = rational(spec["width"])
        self.size: dict[str, int] | None = spec.get("size")

    def search_it(self) -> None:
        """Find the violation of the statement as it stands, or the least room at each size."""
        began = time.monotonic()
        known = [instance_of(self.variant, dict(data)) for data in self.spec.get("known", ())]
        starts, deadline = self.spec["starts"], began + SEARCHING * self.seconds
        self.search = Forcing(self.target, self.constant, self.entropy, starts, known, deadline, self.size)
        with np.errstate(all="ignore"):  # what overflows is no proposal
            self.search.run()
        began = time.monotonic()
        self.by_size: dict[str, str] = {}
        self.best: tuple[fmpq, System] | None = None
        self.rivals: list[System] = []
        if self.search.clear:
            self.best = fmpq(0), self.search.clear[0][1]
            return
        # The least room first: where the time does not reach for every size, the nearest value is told all the same.
        for size, nears in sorted(self.search.nears.items(), key=lambda item: item[1][0].room):
            # One size at least: without any the bracket would have no refuted side.
            if time.monotonic() - began > SHRINKING * self.seconds and self.best is not None:
                break
            found = self._refuted_at(nears)
            if found is None:
                continue
            room, system = found
            self.by_size[size] = str(self.constant.stronger(room))
            if self.best is None or room < self.best[0]:
                self.best, self.rivals = (room, system), []
            if room == self.best[0]:
                self.rivals.append(system)
        # Only near ones: a verdict costs more than the float that says how far away a violation is.
        violating = [one for one in self.rivals if self._is_near() and self.decided(fmpq(0), one) is not None]
        if violating:  # floats saw none: a strict inequality where both sides are equal, or what they round away
            self.best = fmpq(0), violating[0]

    def _is_near(self) -> bool:
        return self.nearness() <= (1 if self.constant.whole else self.width)

    def nearness(self) -> fmpq:
        """The least room; more than any where no instance refutes a stronger value."""
        return self.best[0] if self.best is not None else fmpq(10**12)

    def told(self) -> dict[str, Any]:
        """What was found, as plain data."""
        found: dict[str, Any] = {"stronger": STRONGER[self.constant.way]}
        if self.constant.whole:
            found["whole"] = True
        if self.ways > 1:
            found["sides"] = self.ways
        if self.best is not None:
            refuted = self._told(*self.best)
            small = instance_of(self.variant, refuted["instance"])
            # Made small it may be an edge case that the search had not met: then the printed value is refuted.
            if self.nearness() > 0 and self.decided(fmpq(0), small) is not None:
                self.best = fmpq(0), small
                refuted = self._told(*self.best)
            found |= refuted
        if self.by_size and self.nearness() > 0:
            found["by_size"] = dict(sorted(self.by_size.items()))
        if self.nearness() == 0:
            false = self.variant.claim.standing is Standing.FALSE
            return found | {"word": ConstantStatus.REFUTED.value} | ({"held_false": True} if false else {})
        found["word"] = ConstantStatus.UNKNOWN.value
        if self.best is not None and self._is_near():
            return found | self._how_sharp(self.best[1], [small, *self.rivals])
        return found | self._improved(self.best[0] if self.best else None)

    def _refuted_at(self, nears: Sequence[Near]) -> tuple[fmpq, System] | None:
        """The least room at which one of these instances refutes the value, and the instance."""
        for near in nears:
            system = self.search.exact_of(near)
            if system is None or near.room >= NO_ROOM:
                continue
            for room in self._tried(near.room):
                if self.decided(room, system) is not None:
                    return room, system
        return None

    def _tried(self, room: float) -> list[fmpq]:
        """The rooms to be decided, in turns, where floats see this one."""
        if self.constant.whole:  # a power is far from its secant: up to four times as many are looked at
            return [fmpq(k) for k in range(1, min(int(room * 4), MOST_WHOLE) + 2)]
        return [(rounded_up(room) if rational(room) > NEAREST else NEAREST) * wider for wider in SLACKENED]

    def _told(self, room: fmpq, system: System) -> dict[str, Any]:
        """The refuted side: the value, and the instance made small as a certificate."""
        target, variant = self.constant.in_target(self.target, room), self.at(room)
        small = simplify(variant, system, EFFORT, max(min(SHRINKING * self.seconds, MOST_SHRINKING), 1.0))
        if not self.search.is_sized(small.system):  # fewer tokens are simpler, but another size was asked for
            small = replace(small, system=system, verdict=check(variant.conclusion, system, EFFORT), horizon=None)
        told = {
            "refuted": str(self.constant.stronger(room)),
            "room": str(room),
            "size": size_text(small.system),
            "slack": slack_text(variant.printed.form, small.verdict),
            "instance": small.system.to_json(),
        }
        if (forced := self.forced(small.system)) is not None:
            told["forced"] = str(forced)
        try:
            verdict = witnessed(variant.conclusion, small.system, small.verdict, EFFORT, small.horizon)
            return told | {"certificate": certificate(target, small.system, verdict, self.spec["seed"])}
        except ValueError as error:
            return told | {"no_certificate": str(error)}

    def _how_sharp(self, system: System, met: Sequence[System]) -> dict[str, Any]:
        """Whether one of the instances met attains the value, or along which sequence from the best the room closes."""
        if any(self.attains(one) for one in met):
            return {"word": ConstantStatus.SHARP.value, "attained": True}
        for along, rooms in self._sequences(system):
            if all(after <= CLOSING * before for before, after in pairwise(rooms)):
                shown = [float(f"{room:.3g}") for room in rooms]
                return {"word": ConstantStatus.IN_THE_LIMIT.value, "along": along, "rooms": shown}
        return {"word": ConstantStatus.SHARP.value, "attained": False}

    def _sequences(self, system: System) -> Iterator[tuple[str, list[float]]]:
        """The rooms, in floats, of the instance with an array scaled by powers of two, while they are to be seen.

        Nothing of a sequence that leaves the hypotheses: where it ends there is no limit.
        """
        fields = system.fields()
        for name, array in system.arrays().items():
            if fields[name].integer or not any(value != 0 for value in array.flat):
                continue
            for power in (1, -1):
                seen: list[float] = []
                for k in (0, *SCALES):
                    room = self.search.room_of(system.replace(**{name: exact(array * fmpq(2) ** (power * k))}))
                    if room is None:
                        seen.clear()
                    if room is None or room < UNSEEN:
                        break
                    seen.append(room)
                if len(seen) >= 3:  # two rooms have one quotient, which any sequence may have
                    yield f"{name} -> {'infinity' if power > 0 else '0'}", seen

    def _improved(self, room: fmpq | None) -> dict[str, Any]:
        """A stronger value that is proved at each small size, where there is time and a prover; else unknown.

        Values nearest to the refuted one first, at the sizes at which the statement itself is proved the soonest.
        """
        conclusion, budget = self.variant.conclusion, min(PROVING * self.seconds, MOST_PROVING)
        if self.constant.whole or conclusion.form not in PROVABLE or not budget:
            return {}
        try:
            require()
        except NoSolverError:  # solvers are an extra: without them a bracket has one side less
            return {}
        sizes, end = self._sizes(), time.monotonic() + budget
        left = len(sizes) * len(PARTS)
        for part in PARTS:
            value = rounded_down((fmpq(1) if room is None else room) * part)
            target = self.constant.in_target(self.target, value)
            proved: list[str] = []
            for size in sizes:
                made = attempted(target, size, (end - time.monotonic()) / left * SHARES, ONE_QUESTION, end=end)
                left -= 1
                if made.word is Proof.VIOLATED:  # a constant is of every size: a proof at another one is worth nothing
                    proved = []
                    break
                if made.word is Proof.PROVED:
                    proved.append(made.told)
            if proved:
                told = {"value": str(self.constant.stronger(value)), "for_all": proved}
                return {"word": ConstantStatus.IMPROVABLE.value, "proved": told}
        return {}

    def _sizes(self) -> list[dict[str, int]]:
        """The size asked for, else those at which the statement is proved, the soonest first, else small ones."""
        if self.size:
            return sizes_of(self.variant.claim.system, [self.size])
        # Where the statement itself is out of reach, a stronger one is.
        tried = PROOFS.stored.get((self.target.claim, self.target.conclusion), {}).get("tried", ())
        proved = sorted((one for one in tried if one["verdict"] == PROVED), key=lambda one: one["seconds"])
        found = [dict(one["size"]) for one in proved] or sizes_of(self.variant.claim.system, [])
        return found[:MOST_SIZES]


def rounded_down(room: fmpq) -> fmpq:
    """A rational of one decimal digit not above a positive one."""
    unit = fmpq(10) ** (len(str((1 / room).floor())) * -1)
    return max((room / unit).floor() * unit, unit)
