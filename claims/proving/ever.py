"""What holds along a flow for ever, from every start of a size: by a region that no trajectory leaves.

docs/proofs.md proves the rules. Every step is a statement about one state `now` and the `start` it came from, and is
decided as such, on symbols: a slack is not broken where some entries have given signs. The region is found, not told: its
candidates are orders of the coordinates and the slacks of the claim's own trajectories, and those that do not hold at the
start, or whose face can be crossed, are dropped until none is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from typing import Any

import numpy as np
from flint import fmpq

from claims.proving.agreement import DisagreeingRunError, admitted_sample, is_admitted, may_be_equal, sample
from claims.proving.entries import FOLLOWED, Entries, others
from claims.proving.exploring import (
    LOOK_BITS,
    Leaf,
    NoProofError,
    PathEnd,
    Question,
    Shape,
    Size,
    asking,
    explore,
    is_complete,
    path_at,
)
from claims.proving.moments import Ask, Entry, Moment, Moments, in_a_row, question
from claims.proving.proof import INHABITED_TRIALS, AboutStates, Attempt, Part, ProofStatus, Solving, points_on
from claims.proving.rules import (
    ENTRIES,
    GROWS,
    KNOWN,
    LEFT,
    NEVER_FALLS,
    STAYS,
    KnownRegion,
    begins,
    needed,
    outline,
    to_be_smooth,
)
from claims.proving.solvers import Solver
from claims.proving.systems import system
from claims.stating.statement import Conclusion, Relation
from claims.stating.verdict import Outcome
from claims.targets.target import Variant
from claims.verifying.deciding import Effort, check
from dynamics.arithmetic import numbers, sign, working_precision
from dynamics.choices import decided_choices, guarded_numbers, plain

# Starts of which moments are compared, and of which trajectories are followed, which takes far longer: they are there for
# what is wrong of all moments alike, as a rate of the wrong sign, and shows at once.
STARTS, TRAJECTORIES = 8, 2
BEGINNING = fmpq(1, 4)
PROPOSALS = 6  # states now beside each start: the start itself, two orders of random numbers, and such numbers as they come
EFFORT = Effort()


class _Run:
    def __init__(self, variant: Variant, size: Size, solving: Solving) -> None:
        self.variant, self.size, self.moments = variant, size, moments_of(size)
        self.entries, self.solving = Entries(variant, size), solving
        self.shown: dict[Ask, list[Leaf] | None] = {}
        self.paths = 0
        self.region = KnownRegion(self.moments)

    def explored(self, ask: Ask) -> Iterator[Leaf]:
        """The leaves of a step."""
        possible = asking(self.solving.z3)
        return explore(question(self.variant.kept, ask), self.moments, possible, self.solving.deadline)

    def holds(self, *asks: Ask) -> bool:
        """Whether solvers decide these steps. Raises BudgetSpentError."""
        for ask in asks:
            # The same step is asked for again in each round, with the same entries.
            if ask not in self.shown:
                self.shown[ask] = self._leaves(ask)
            if self.shown[ask] is None:
                return False
        return True

    def _leaves(self, ask: Ask) -> list[Leaf] | None:
        found = []
        try:
            for leaf in self.explored(ask):
                if not all(self.solving.decide(text).word == "unsat" for text in leaf.systems):
                    return None
                found.append(leaf)
        except NoProofError:
            return None
        self.paths += sum(leaf.kind in (PathEnd.DECIDED, PathEnd.VOID) for leaf in found)
        return found if is_complete([leaf.answers for leaf in found]) else None

    def find(self, candidates: Iterable[Entry]) -> None:
        """The largest region of the candidates that solvers find."""
        at_start = [entry for entry in candidates if self.holds(begins(entry, Relation.NONNEGATIVE))]
        self.region.kept = [entry for entry in at_start if self.holds(*self.region.to_keep(entry))]
        inside = [entry for entry in at_start if entry not in self.region.kept]
        # A face is shown with the help of all others: where one is dropped the rest are shown anew, without it.
        while (left := [entry for entry in inside if self._is_closed(entry, inside)]) != inside:
            inside = left
        self.region.inside = inside

    def _is_closed(self, entry: Entry, region: Sequence[Entry]) -> bool:
        return self.holds(*self.region.to_close(entry, region))

    def strengthen(self, entries: Iterable[Entry]) -> None:
        """Find which entries are positive for all t > 0, with the help of those found before."""
        waiting = list(entries)
        while found := [entry for entry in waiting if self._becomes_positive(entry)]:
            waiting = [entry for entry in waiting if entry not in found]

    def _infers(self, entry: Entry, relation: Relation, *rules: str) -> bool:
        for rule in rules:
            if (rule != STAYS or entry in self.region.inside) and self.holds(*self.region.to_infer(rule, entry, relation)):
                self.region.inferred.append((rule, entry, relation))
                return True
        return False

    def _becomes_positive(self, entry: Entry) -> bool:
        known = self.region.shows(entry, Relation.POSITIVE)
        return known or self._infers(entry, Relation.POSITIVE, STAYS, KNOWN, LEFT, GROWS)

    def follows(self, entry: Entry, relation: Relation) -> bool:
        """Whether an entry stands in the relation, >= 0 or > 0, for all t > 0. Raises NoProofError for an identity."""
        if self._becomes_positive(entry):  # it says more, and helps the entries after it
            return True
        if relation is Relation.POSITIVE:
            return self._infers(entry, relation, NEVER_FALLS)
        return self._infers(entry, relation, STAYS, KNOWN, NEVER_FALLS)

    def entries_of(self, conclusion: Conclusion) -> list[Entry]:
        """The entries of a slack. Raises NoProofError where their number is not the same on all paths."""
        whole = Entry(conclusion.name, conclusion.slack)
        ask = Ask("shape", whole, lambda now, start: 0 * in_a_row(conclusion.slack(now, start)), Relation.ZERO)
        counts = {leaf.compared for leaf in self.explored(ask) if leaf.kind is PathEnd.DECIDED}
        if len(counts) != 1:
            raise NoProofError(f"{conclusion.name} has no fixed number of entries")
        (count,) = counts
        return self.entries.count(conclusion.name, count) if count else []

    def entries_of_others(self) -> list[Entry]:
        """The entries of the claim's other conclusions about trajectories under the same hypotheses."""
        found = []
        for one in others(self.variant):
            with suppress(NoProofError):
                found += self.entries_of(one)
        return found


def moments_of(size: Size) -> Moments:
    """The moments of a size. Raises NoProofError where two of their numbers would have one name."""
    moments = Moments(size)
    if len(set(moments.names)) < len(moments.names):
        raise NoProofError(f"{size.system.__name__} has a number whose name begins with now: rename the field")
    return moments


class AboutTrajectories(AboutStates):
    """What a proof is of: all trajectories of a size, one part for each step that the rules of its outline ask for."""

    FORMS = FOLLOWED
    REFUSAL = "a {} is not followed along a flow"
    COUNTED = "steps"

    @property
    def told(self) -> str:
        return f"starts and all t > 0, {self.size}"

    def questions(self) -> list[tuple[dict[str, Any], Question, Shape]]:
        moments = moments_of(self.size)
        self.steps = needed(self.outline, Entries(self.variant, self.size), moments)
        return [(ask.to_json(), question(self.variant.kept, ask), moments) for ask in self.steps]

    def search(self, made: Attempt, solving: Solving) -> bool:
        run = _Run(self.variant, self.size, solving)
        # Without it no trajectory need exist, and none is unique: all rules rest on it.
        if not run.holds(to_be_smooth()):
            made.reason = "the field may have no value or no derivative somewhere"
            return False
        own = run.entries_of(self.variant.conclusion)
        if not own:
            made.word, made.reason = ProofStatus.VACUOUS, "there is nothing to compare at this size"
            return False
        missing = _search(run, own)
        made.paths = run.paths
        if missing:
            made.reason = f"no region shows {missing[0]}"
            return False
        # Written anew from the outline, as a second check does: what the search held for shown beside it does not count.
        self.outline = outline(run.region, run.entries)
        self.steps = needed(self.outline, run.entries, run.moments)
        for ask in self.steps:
            leaves = run.shown[ask] if run.holds(ask) else None
            if leaves is None:
                made.reason = f"{ask.rule}, {ask.entry.name}: open"
                return False
            self.parts.append(Part(ask.to_json(), leaves))
        decided = Counter(solving.known_of(self.parts).values())
        made.decided = {"faces": len(run.region.inside), "steps": len(self.steps), **decided}
        return True

    def agreed(self, z3: Solver, end: float) -> tuple[str, list[list[str]]]:
        agreed = self.check_steps()
        leaves = (leaf for part in self.parts if part.shows["rule"].endswith(ENTRIES) for leaf in part.leaves)
        self.check_symbols(points_on(moments_of(self.size), leaves, z3, end)(()))
        self.follow_some()
        return f"{agreed} moments agree", []

    @cached_property
    def starts(self) -> list[Any]:
        """The starts of a sample that meet the hypotheses."""
        return admitted_sample(self.variant, self.size)

    def check_steps(self) -> int:
        """The number of moments at which no step is broken, computed the ordinary way. Raises DisagreeingRunError.

        Derivatives are taken here of power series of balls, which share nothing with those of symbols.
        """
        rng = np.random.default_rng(0)
        agreed = 0
        for start in self.starts[:STARTS]:
            for turn in range(PROPOSALS):
                now = _proposal(start, rng, turn)
                for step in self.steps:
                    # Of a multiple the polynomials are looked at, which rationals do not have.
                    if step.rule != "multiple" and _breaks(step, now, start):
                        at = f"{now.to_json()} from {start.to_json()}"
                        raise DisagreeingRunError(f"{step.rule}, {step.entry.name}: {at}")
                agreed += 1
        return agreed

    def check_symbols(self, more: Iterable[Moment]) -> None:
        """Compare hypotheses and slack on symbols with what they are of rationals. Raises DisagreeingRunError.

        Where balls of roots or exponentials leave the path open nothing is compared.
        """
        moments, conclusion = moments_of(self.size), self.variant.conclusion
        whole = Entry(conclusion.name, conclusion.slack)
        kept = question(self.variant.kept, Ask("hypotheses", whole, lambda now, start: fmpq(0), Relation.ZERO))
        slack = question((), Ask("slack", whole, conclusion.slack, conclusion.relation))
        rng = np.random.default_rng(0)
        drawn = ((_proposal(start, rng, 1), start) for start in sample(self.variant, self.size))
        for now, start in chain(drawn, ((one.now, one.start) for one in more)):
            point = [*self.size.point(start), *(value for name in moments.moving for value in getattr(now, name).flat)]
            found = path_at(kept, moments, point)
            if found is not None and (found.kind is not PathEnd.EXCLUDED) is not is_admitted(self.variant, start):
                raise DisagreeingRunError(f"the hypotheses of {start.to_json()}: on symbols {found.kind}")
            try:
                with working_precision(LOOK_BITS):
                    values = [plain(value) for value in in_a_row(conclusion.slack(now, start))]
            except (ArithmeticError, LookupError, TypeError, ValueError):  # it has no value, or balls leave it open
                continue
            found = path_at(slack, moments, point)
            if found is None or found.kind is not PathEnd.DECIDED:
                continue
            if len(found.values) != len(values) or not all(map(may_be_equal, found.values, values)):
                raise DisagreeingRunError(f"the slack on symbols at {now.to_json()} from {start.to_json()}")

    def follow_some(self) -> None:
        """Decide the conclusion along the beginning of a few trajectories. Raises DisagreeingRunError if it is violated."""
        begun = replace(self.variant.conclusion, horizon=lambda _: BEGINNING)
        for start in self.starts[:TRAJECTORIES]:
            if check(begun, start, EFFORT).outcome is Outcome.VIOLATED:
                raise DisagreeingRunError(f"a trajectory that breaks it starts at {start.to_json()}")

    def is_inhabited(self, z3: Solver, time_left: Callable[[], float]) -> bool:
        if not any(leaf.compared for part in self.parts for leaf in part.leaves):  # on symbols the hypotheses exclude all
            return False
        if self.starts:
            return True
        leaves = (leaf for part in self.parts if part.shows["rule"] == "start" for leaf in part.leaves)
        exact = (leaf for leaf in leaves if leaf.compared and not leaf.inexact)
        texts = (system(leaf.names, leaf.conditions, ()) for leaf in islice(exact, INHABITED_TRIALS))
        return any(z3.decide(text, time_left()).word == "sat" for text in texts)

    def without_input(self) -> tuple[ProofStatus, str]:
        return ProofStatus.UNKNOWN, "no solver finds a start that meets the hypotheses"


def _search(run: _Run, own: list[Entry]) -> list[str]:
    """The names of the conclusion's entries that no region shows; none where one shows all of them."""
    # What takes longest last: the claim's other trajectories have to be run on symbols first, and growths are many.
    candidates = [*run.entries.orders, *run.entries.clocks, *own]
    missing: list[str] = []
    rounds: list[Callable[[], list[Entry]]] = [list, run.entries_of_others, lambda: run.entries.growths]
    for more in rounds:
        found = more()
        if missing and not found:
            continue
        candidates += found
        run.region = KnownRegion(run.moments)
        run.find(candidates)
        run.strengthen([*run.region.inside, *(entry for entry in own if entry not in run.region.inside)])
        missing = [entry.name for entry in own if not run.follows(entry, run.variant.conclusion.relation)]
        if not missing:
            break
    return missing


def _proposal(start: Any, rng: np.random.Generator, turn: int) -> Any:
    if not turn:
        return start
    moved = {}
    for name in start.moving:
        array = getattr(start, name)
        values = rng.integers(-4, 5, size=array.shape)
        # Ordered, either way: most regions are made of orders, and of others hardly a step says anything.
        if turn % 3 and array.ndim:
            values = np.sort(values, axis=-1)[..., :: -1 if turn % 3 == 1 else 1]
        moved[name] = numbers(np.vectorize(lambda value: fmpq(int(value), 2), otypes=[object])(values))
    return start.replace(**moved)


def _breaks(step: Ask, now: Any, start: Any) -> bool:
    try:
        with guarded_numbers(), decided_choices():
            if all(sign(entry.at(now, start)) in signs for entry, signs in step.given):
                return any(sign(value) in step.relation.forbidden for value in in_a_row(step.value(now, start)))
    except (ArithmeticError, ValueError):  # no value, or an open sign
        return False
    return False
