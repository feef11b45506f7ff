"""What holds along a flow for ever, from every start of a size: by a region that no trajectory leaves.

docs/proofs.md proves the rules. Every step is a statement about one state `now` and the `start` it came from, and is
decided as such, on symbols: a slack is not broken where some entries have given signs. The region is found, not told: its
candidates are orders of the coordinates and the slacks of the claim's own trajectories, and those that do not hold at the
start, or whose face can be crossed, are dropped until none is.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from flint import fmpq

from claims.proving.agreement import DisagreeingRunError, admitted_sample
from claims.proving.exploring import Kind, Leaf, NoProofError, OutOfTimeError, Size, explore, is_complete
from claims.proving.proof import Attempt, Word, attempting
from claims.proving.solvers import Solver
from claims.proving.symbols import Path, Signs, Symbol
from claims.proving.systems import system
from claims.statement import Assumption, Conclusion, Form, Relation
from claims.target import Target, Variant
from claims.verdict import Outcome
from claims.verifying.deciding import Effort, check
from dynamics.arithmetic import Array, numbers, sign
from dynamics.choices import decided_choices, guarded_numbers
from dynamics.differentiation import directional_derivative
from dynamics.system import Flow

AT_LEAST, POSITIVE, NOTHING = frozenset({0, 1}), frozenset({1}), frozenset({0})
FOLLOWED = (Form.TRAJECTORY, Form.RATE)
"""Forms whose slack is a formula in the state now and at the start."""

ORDERED = ("n", "p", "T")
"""Axes along which coordinates may be ordered: tokens, scores, rows."""

STARTS = 8
"""Starts in a sample."""

TRAJECTORIES = 2
"""Of them those whose trajectories are followed."""

BEGINNING = fmpq(1, 4)
"""And how long."""

EFFORT = Effort()

PROPOSALS = 6
"""States now that are tried beside each start of a sample."""


@dataclass(frozen=True)
class Entry:
    """One number that depends on the state now and the start, by its name."""

    name: str
    formula: Callable[[Any, Any], Any]
    place: int = 0

    def at(self, now: Any, start: Any) -> Any:
        """Its value."""
        return _flat(self.formula(now, start))[self.place]

    def rate(self, now: Any, start: Any) -> Any:
        """Its derivative along the flow."""

        def moved(*arrays: Array) -> Array:
            there = now.replace(**dict(zip(now.moving, arrays, strict=True)))
            return _flat(self.formula(there, start))[self.place : self.place + 1]

        return directional_derivative(moved, [getattr(now, name) for name in now.moving], now.velocity()).item()


def _flat(value: Any) -> Array:
    return numbers(np.asarray(numbers(value)).reshape(-1))


Given = tuple[Entry, Signs]


@dataclass(frozen=True)
class Ask:
    """Under the hypotheses on the start, and where the entries given have these signs: a value that is >= 0, > 0 or 0."""

    rule: str
    entry: Entry
    value: Callable[[Any, Any], Any]
    relation: Relation
    given: tuple[Given, ...] = ()


@dataclass(frozen=True)
class Moment:
    """A state now and the start, which share their parameters."""

    now: Any
    start: Any

    def validate(self) -> None:
        """Raise ValueError where the start makes no sense; of the state now nothing is demanded."""
        self.start.validate()


@dataclass(frozen=True)
class Moments:
    """All moments of a size."""

    size: Size

    @property
    def moving(self) -> tuple[str, ...]:
        """The arrays that move."""
        return cast("type[Flow]", self.size.system).moving

    @property
    def names(self) -> list[str]:
        """The numbers of the start, then those that move, now."""
        first = self.size.names
        places = [name for name in self.moving for _ in range(self._length(name))]
        return [*first, *(f"now{k}_{name}" for k, name in enumerate(places))]

    def _shape(self, name: str) -> tuple[int, ...]:
        return tuple(self.size.axes[axis] for axis in self.size.system.fields()[name].axes)

    def _length(self, name: str) -> int:
        return int(np.prod(self._shape(name), dtype=int))

    def symbolic(self, path: Path) -> Moment:
        """The general moment."""
        start = self.size.symbolic(path)
        moved, first = {}, len(self.size.names)
        for name in self.moving:
            moved[name] = numbers(path.symbols(self._shape(name), first))
            first += self._length(name)
        return Moment(start.replace(**moved), start)

    def is_affine(self, value: Any) -> bool:
        """Whether a number is an affine function of the numbers that move, for any start."""
        if not isinstance(value, Symbol):
            return True
        first, end = len(self.size.names), len(self.names)
        powers = [exponents for exponents, _ in value.top.to_dict().items()]
        below = [exponents for exponents, _ in value.bottom.to_dict().items()]
        return all(sum(one[first:]) <= 1 and not any(one[end:]) for one in powers) and not any(
            any(one[first:]) for one in below
        )


@dataclass
class Region:
    """What is known of every trajectory of a size, and the steps that show it.

    `inside` are affine entries that stay >= 0: the region. `facts` hold for all t > 0 besides; `kept` those among them that
    hold from the start on.
    """

    inside: list[Entry] = field(default_factory=list)
    facts: list[Given] = field(default_factory=list)
    steps: list[Ask] = field(default_factory=list)

    @property
    def known(self) -> tuple[Given, ...]:
        """All that is known for t > 0."""
        strict = {entry.name for entry, signs in self.facts if signs == POSITIVE}
        return (*((entry, AT_LEAST) for entry in self.inside if entry.name not in strict), *self.facts)

    def is_whole(self) -> bool:
        """Whether each entry inside holds at the start and has its face, in a region of just these entries."""
        inside = {entry.name for entry in self.inside}
        for rule in ("start", "affine", "face"):
            if not inside <= {step.entry.name for step in self.steps if step.rule == rule}:
                return False
        faces = [step for step in self.steps if step.rule == "face" and step.entry.name in inside]
        return all({entry.name for entry, signs in step.given if signs == AT_LEAST} <= inside for step in faces)


class _Run:
    """The state of one attempt."""

    def __init__(self, variant: Variant, size: Size, z3: Solver, cvc5: Solver, deadline: float, limit: float) -> None:
        self.variant, self.size, self.moments = variant, size, Moments(size)
        self.at_start = tuple(_of_start(one) for one in variant.kept)
        self.z3, self.cvc5, self.deadline, self.limit = z3, cvc5, deadline, limit
        self.decided: Counter[str] = Counter()
        self.known: dict[str, str] = {}
        self.asked: dict[tuple[Any, ...], bool] = {}
        self.paths = 0
        self.inhabited = False
        self.region = Region()

    # -----------------------------------------------------------------------------------------------------------------
    # One step

    def holds(self, ask: Ask) -> bool:
        """Whether solvers decide a step; then it is one of the proof's. Raises OutOfTimeError."""
        key = (ask.rule, ask.entry, ask.relation, ask.given)
        if key not in self.asked:
            self.asked[key] = self._is_decided(ask)
        if self.asked[key]:
            self.region.steps.append(ask)
        return self.asked[key]

    def _is_decided(self, ask: Ask) -> bool:
        try:
            leaves = list(self._leaves(ask))
        except NoProofError:
            return False
        self.paths += sum(leaf.kind in (Kind.DECIDED, Kind.VOID) for leaf in leaves)
        return is_complete([leaf.answers for leaf in leaves])

    def _leaves(self, ask: Ask) -> Iterator[Leaf]:
        """The leaves, all of them decided; nothing where one is not."""
        found = []
        for leaf in explore(_Step(self.at_start, conclusion_of(ask)), self.moments, self.z3, self.deadline):
            if not all(self._is_impossible(text) for text in leaf.systems):
                return
            found.append(leaf)
            if ask.rule == "start" and leaf.compared and not self.inhabited and not leaf.inexact:
                text = system(leaf.names, leaf.conditions, ())
                self.inhabited = self.z3.decide(text, self._time_left()).word == "sat"
        yield from found

    def _is_impossible(self, text: str) -> bool:
        if text in self.known:
            return True
        for solver in (self.z3, self.cvc5):
            word = solver.decide(text, self._time_left()).word
            if word == "unsat":
                self.known[text] = solver.name
                self.decided[solver.name] += 1
            if word != "unknown":
                return word == "unsat"
        return False

    def _time_left(self) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise OutOfTimeError
        return min(self.limit, left)

    # -----------------------------------------------------------------------------------------------------------------
    # The region

    def find(self, candidates: Iterable[Entry]) -> None:
        """The largest region of the candidates that solvers find."""
        at_start = [entry for entry in candidates if self._starts(entry, Relation.NONNEGATIVE)]
        self._keep_signs(at_start)
        positive = [entry for entry, _ in self.region.facts]
        inside = [entry for entry in at_start if entry not in positive]
        while True:
            given = tuple((entry, AT_LEAST) for entry in inside)
            left = [entry for entry in inside if self._is_closed(entry, given)]
            if len(left) == len(inside):
                break
            self.region.steps = [step for step in self.region.steps if step.rule != "face"]
            inside = left
        self.region.inside = inside

    def _starts(self, entry: Entry, relation: Relation) -> bool:
        return self.holds(Ask("start", entry, lambda _, start: entry.at(start, start), relation))

    def _keep_signs(self, entries: Iterable[Entry]) -> None:
        """Entries that are positive at the start and whose rate is a multiple of themselves."""
        for entry in entries:
            if self._is_multiple(entry) and self._starts(entry, Relation.POSITIVE):
                self.region.facts.append((entry, POSITIVE))

    def _is_multiple(self, entry: Entry) -> bool:
        return self.holds(Ask("multiple", entry, lambda now, start: _remainder(entry, now, start), Relation.ZERO))

    def _is_closed(self, entry: Entry, given: tuple[Given, ...]) -> bool:
        """Whether an entry is affine and does not fall on its face of the region."""
        others = tuple(one for one in given if one[0] is not entry)
        face = Ask("face", entry, entry.rate, Relation.NONNEGATIVE, (*others, *self.region.facts, (entry, NOTHING)))
        return self._is_affine(entry) and self.holds(face)

    def _is_affine(self, entry: Entry) -> bool:
        """Whether an entry is an affine function of what moves, the same one at every state."""

        def nothing(now: Any, start: Any) -> Any:
            if not self.moments.is_affine(entry.at(now, start)):
                raise NoProofError(f"{entry.name} is not affine")
            return 0 * entry.rate(now, start)

        return self.holds(Ask("affine", entry, nothing, Relation.ZERO))

    def _is_smooth(self, entry: Entry, given: tuple[Given, ...]) -> bool:
        """Whether an entry has a derivative wherever all that is given holds: without one it could jump."""
        return self.holds(Ask("slope", entry, lambda now, start: 0 * entry.rate(now, start), Relation.ZERO, given))

    # -----------------------------------------------------------------------------------------------------------------
    # What follows

    def strengthen(self, entries: Iterable[Entry]) -> None:
        """Find which entries are positive for all t > 0, with the help of those found before."""
        waiting = list(entries)
        while True:
            found = [entry for entry in waiting if self._becomes_positive(entry)]
            waiting = [entry for entry in waiting if entry not in found]
            if not found or not waiting:
                return

    def _becomes_positive(self, entry: Entry) -> bool:
        if entry.name in {one.name for one, signs in self.region.facts if signs == POSITIVE}:
            return True
        if self._is_positive(entry):
            self.region.facts.append((entry, POSITIVE))
            return True
        return False

    def _is_positive(self, entry: Entry) -> bool:
        region, inside = self.region, entry in self.region.inside
        if inside and self._starts(entry, Relation.POSITIVE):
            return True
        others = tuple(one for one in region.known if one[0].name != entry.name)
        if self.holds(Ask("known", entry, entry.at, Relation.POSITIVE, region.known)):
            return True
        if (inside or (self._starts(entry, Relation.POSITIVE) and self._is_smooth(entry, others))) and self.holds(
            Ask("left at once", entry, entry.rate, Relation.POSITIVE, (*others, (entry, NOTHING)))
        ):
            return True
        return self._starts(entry, Relation.NONNEGATIVE) and self.holds(
            Ask("grows", entry, entry.rate, Relation.POSITIVE, region.known)
        )

    def follows(self, entry: Entry, relation: Relation) -> bool:
        """Whether an entry stands in the relation, >= 0 or > 0, for all t > 0."""
        if relation is Relation.ZERO:
            raise NoProofError("an identity along a trajectory is none of these")
        if self._becomes_positive(entry):
            return True
        if relation is Relation.POSITIVE:
            return self._starts(entry, relation) and self._never_falls(entry)
        if entry in self.region.inside or self.holds(Ask("known", entry, entry.at, relation, self.region.known)):
            return True
        return self._starts(entry, relation) and self._never_falls(entry)

    def _never_falls(self, entry: Entry) -> bool:
        return self.holds(Ask("never falls", entry, entry.rate, Relation.NONNEGATIVE, self.region.known))

    def is_smooth(self) -> bool:
        """Whether the field has a value and a derivative at every state."""

        def value(now: Any, _: Any) -> Any:
            arrays = [getattr(now, name) for name in now.moving]

            def field(*moved: Array) -> Array:
                there = now.replace(**dict(zip(now.moving, moved, strict=True)))
                return numbers(np.concatenate([_flat(array) for array in there.velocity()]))

            return 0 * _flat(directional_derivative(field, arrays, arrays))

        return self.holds(Ask("smooth", Entry("field", value), value, Relation.ZERO))


@dataclass(frozen=True)
class _Step:
    kept: tuple[Assumption, ...]
    conclusion: Conclusion


def _of_start(assumption: Assumption) -> Assumption:
    return Assumption(assumption.name, assumption.statement, lambda moment: assumption.satisfies(moment.start))


class _EmptyError(Exception):
    pass


def conclusion_of(ask: Ask) -> Conclusion:
    """A step as a slack about moments."""

    def slack(moment: Moment) -> Any:
        try:
            for entry, signs in ask.given:
                _assume(entry.at(moment.now, moment.start), signs)
        except _EmptyError:
            return np.empty(0, dtype=object)
        return ask.value(moment.now, moment.start)

    return Conclusion(ask.entry.name, Form.STATE, ask.relation, slack)


def _assume(value: Any, signs: Signs) -> None:
    if isinstance(value, Symbol) and not (value.top * value.bottom).is_constant():
        value.path.define(value.top * value.bottom, signs)
    elif sign(value) not in signs:
        raise _EmptyError


def _remainder(entry: Entry, now: Any, start: Any) -> Any:
    """0 where the entry's rate is a multiple of it, by a factor that is continuous wherever both have values; else 1."""
    value, rate = entry.at(now, start), entry.rate(now, start)
    if not isinstance(value, Symbol) or not isinstance(rate, Symbol) or value.top.is_constant():
        return fmpq(1)
    if rate.top == 0:
        return fmpq(0)
    # (p/q)' = (r/s) = c p/q with c = (r/p) q / s: p must divide r.
    return fmpq(0) if rate.top.gcd(value.top).total_degree() == value.top.total_degree() else fmpq(1)


# ---------------------------------------------------------------------------------------------------------------------
# Candidates


def orders(size: Size) -> list[Entry]:
    """Differences of coordinates that move, along each axis: neighbours, and the first with the others."""
    fields = size.system.fields()
    found = []
    for name in cast("type[Flow]", size.system).moving:
        for axis, label in enumerate(fields[name].axes):
            if label not in ORDERED:
                continue
            length = size.axes[label]
            pairs = [(i, i + 1) for i in range(length - 1)] + [(0, j) for j in range(2, length)]
            rest = int(np.prod([size.axes[one] for one in fields[name].axes], dtype=int)) // length
            for i, j in pairs:
                for k in range(rest):
                    found += [
                        Entry(f"{name}: {one} - {other} along axis {axis}, {k}", _difference(name, axis, one, other), k)
                        for one, other in ((i, j), (j, i))
                    ]
    return found


def _difference(name: str, axis: int, i: int, j: int) -> Callable[[Any, Any], Any]:
    def formula(now: Any, _: Any) -> Any:
        moving = np.moveaxis(np.asarray(getattr(now, name)), axis, 0)
        return moving[i] - moving[j]

    return formula


def clocks(size: Size) -> list[Entry]:
    """The rates of the single numbers that move: factors that keep their sign are often among them."""
    kind = cast("type[Flow]", size.system)
    return [
        Entry(f"rate of {name}", _rate(place))
        for place, name in enumerate(kind.moving)
        if not size.system.fields()[name].axes
    ]


def _rate(place: int) -> Callable[[Any, Any], Any]:
    return lambda now, _: now.velocity()[place]


def growing(entries: Iterable[Entry]) -> list[Entry]:
    """Entries less what they were at the start, and the other way round."""
    found = []
    for entry in entries:
        found.append(Entry(f"growth of {entry.name}", _growth(entry, 1)))
        found.append(Entry(f"fall of {entry.name}", _growth(entry, -1)))
    return found


def _growth(entry: Entry, factor: int) -> Callable[[Any, Any], Any]:
    return lambda now, start: factor * (entry.at(now, start) - entry.at(start, start))


def coordinates(size: Size) -> list[Entry]:
    """Every number that moves."""
    found = []
    for name in cast("type[Flow]", size.system).moving:
        length = int(np.prod([size.axes[axis] for axis in size.system.fields()[name].axes], dtype=int))
        found += [Entry(f"{name}[{k}]", _array(name), k) for k in range(length)]
    return found


def _array(name: str) -> Callable[[Any, Any], Any]:
    return lambda now, _: getattr(now, name)


# ---------------------------------------------------------------------------------------------------------------------
# Attempts


def attempt_for_ever(target: Target, values: Mapping[str, int], budget: float, limit: float) -> Attempt:
    """Try to prove that a conclusion about trajectories holds for all starts of a size and all t > 0.

    Raises TargetError and NoSolverError.
    """
    with attempting(target, values, budget, "steps") as (made, deadline), Solver("z3") as z3, Solver("cvc5") as cvc5:
        _prove(made, target.resolve(), z3, cvc5, deadline, limit)
    return made


def _prove(made: Attempt, variant: Variant, z3: Solver, cvc5: Solver, deadline: float, limit: float) -> None:
    if variant.conclusion.form not in FOLLOWED:
        raise NoProofError(f"a {variant.conclusion.form} is not followed along a flow")
    size = Size.of(variant.claim.system, made.size)
    made.told = f"starts and all t > 0, {size}"
    run = _Run(variant, size, z3, cvc5, deadline, limit)
    names = run.moments.names
    if len(set(names)) < len(names):
        raise NoProofError(f"{size.system.__name__} has a number whose name begins with now: rename the field")
    if not run.is_smooth():
        made.reason = "the field may have no value or no derivative somewhere"
        return
    own = _entries(run, variant.conclusion)
    if not own:
        made.word, made.reason = Word.VACUOUS, "there is nothing to compare at this size"
        return
    candidates = [*orders(size), *clocks(size), *own]
    missing: list[str] = []
    rounds: list[Callable[[], list[Entry]]] = [
        list,
        lambda: _of_others(run),
        lambda: growing([*orders(size)[::2], *coordinates(size)]),
    ]
    for more in rounds:
        found = more()
        if missing and not found:
            continue
        candidates += found
        run.region = Region()
        run.find(candidates)
        run.strengthen([*run.region.inside, *(entry for entry in own if entry not in run.region.inside)])
        missing = [entry.name for entry in own if not run.follows(entry, variant.conclusion.relation)]
        if not missing:
            break
    made.paths = run.paths
    if missing:
        made.reason = f"no region shows {missing[0]}"
        return
    if not run.region.is_whole():
        raise DisagreeingRunError("a face was left out")
    if not run.inhabited and not admitted_sample(variant, size):
        made.reason = "no solver finds a start that meets the hypotheses"
        return
    agreed = check_steps(variant, size, run.region.steps)
    follow_some(variant, size)
    made.word = Word.PROVED
    made.decided = {"faces": len(run.region.inside), "steps": len(run.region.steps), **run.decided}
    made.reason = f"{agreed} moments agree"


def _of_others(run: _Run) -> list[Entry]:
    """The entries of the claim's other conclusions about trajectories under the same hypotheses."""
    found = []
    for one in run.variant.claim.conclusions:
        same = run.variant.claim.assumptions_of(one) == run.variant.kept
        if one.form in FOLLOWED and one.name != run.variant.conclusion.name and same:
            with suppress(NoProofError):
                found += _entries(run, one)
    return found


def _entries(run: _Run, conclusion: Conclusion) -> list[Entry]:
    """The entries of a slack. Raises NoProofError where their number is not the same on all paths."""
    whole = Entry(conclusion.name, conclusion.slack)
    ask = Ask("shape", whole, lambda now, start: 0 * _flat(conclusion.slack(now, start)), Relation.ZERO)
    step = _Step(run.at_start, conclusion_of(ask))
    sizes = {leaf.compared for leaf in explore(step, run.moments, run.z3, run.deadline) if leaf.kind is Kind.DECIDED}
    if len(sizes) != 1:
        raise NoProofError(f"{conclusion.name} has no fixed number of entries")
    return [Entry(f"{conclusion.name} {k}", conclusion.slack, k) for k in range(sizes.pop())]


def check_steps(variant: Variant, size: Size, steps: Iterable[Ask], seed: int = 0) -> int:
    """The number of moments at which no step is broken, computed the ordinary way. Raises DisagreeingRunError.

    Derivatives are taken here of power series of balls, which share nothing with those of symbols.
    """
    rng = np.random.default_rng(seed)
    agreed = 0
    for start in admitted_sample(variant, size, seed)[:STARTS]:
        for turn in range(PROPOSALS):
            now = _proposal(start, rng, turn)
            for step in steps:
                if step.rule != "multiple" and _breaks(step, now, start):
                    raise DisagreeingRunError(f"{step.rule}, {step.entry.name}: {now.to_json()} from {start.to_json()}")
            agreed += 1
    return agreed


def follow_some(variant: Variant, size: Size, seed: int = 0) -> None:
    """Decide the conclusion along the beginning of a few trajectories. Raises DisagreeingRunError where it is violated."""
    begun = replace(variant.conclusion, horizon=lambda _: BEGINNING)
    for start in admitted_sample(variant, size, seed)[:TRAJECTORIES]:
        if check(begun, start, EFFORT).outcome is Outcome.VIOLATED:
            raise DisagreeingRunError(f"a trajectory that breaks it starts at {start.to_json()}")


def _proposal(start: Any, rng: np.random.Generator, turn: int) -> Any:
    if not turn:
        return start
    moved = {}
    for name in start.moving:
        array = getattr(start, name)
        values = rng.integers(-4, 5, size=array.shape)
        if turn % 3 and array.ndim:
            values = np.sort(values, axis=-1)[..., :: -1 if turn % 3 == 1 else 1]
        moved[name] = numbers(np.vectorize(lambda value: fmpq(int(value), 2), otypes=[object])(values))
    return start.replace(**moved)


def _breaks(step: Ask, now: Any, start: Any) -> bool:
    try:
        with guarded_numbers(), decided_choices():
            if all(sign(entry.at(now, start)) in signs for entry, signs in step.given):
                return any(sign(value) in step.relation.forbidden for value in _flat(step.value(now, start)))
    except ArithmeticError:  # no value, or an open sign
        return False
    return False
