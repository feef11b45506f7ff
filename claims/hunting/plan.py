"""Plans a hunt from its results so far: generations of rounds, then a reduction of what was found.

Nothing here depends on clocks, on the number of processes or on the order in which results arrive: a generation of a
target is judged when all its rounds are in. Only a budget of time asks how long rounds took.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from claims.campaigns.ledger import canonical
from claims.certificates.format import writing_cost
from claims.hunting.rounds import KEPT, reduction_spec, round_spec
from claims.hunting.search import SPARE_SECONDS
from claims.stating.statement import is_costly
from claims.targets.target import Target, TargetError

SHARDS = 4  # rounds of a generation, which may run at the same time: none waits for what another finds

# Of a first round, cheap and costly; each generation doubles them: what is easy is found at once.
STARTS = {False: 256, True: 32}

MOST_DOUBLINGS = 5

LEAST_SHARE = 1 / 12  # of the time: no round begins with less, which would find as little as the ones before
LEAST_REDUCTION = 2.0  # seconds at least: a counterexample that was found is worth more than one more round
AT_ONCE = 128  # tasks out at a time: what turns up meanwhile, a reduction above all, does not wait for everything else


COUNTS = ("starts", "evaluations", "proposed", "certified", "rejected", "undecided", "decided")
"""What a round counts and a target sums up."""


@dataclass(frozen=True)
class Limits:
    """When to give up on a target that survives: after this many evaluations, or when its group has used this many seconds.

    Evaluations count the starts drawn and what optimisation makes of them. A group is the conclusions of one claim under
    the same assumptions. Seconds are those of work: of so many `processes` together.
    """

    starts: int | None = None
    seconds: float | None = None
    processes: int = 1


@dataclass
class Hunted:
    """The account of one target: sums over the rounds taken, in whatever order they came.

    `idle` says why no round has met a slack, `before` how many evaluations there were before this generation. `decided`
    counts instances with a verdict, `outside`, by hypothesis, candidates that left the hypotheses; `promised` are the
    seconds that each round under way may take.
    `enclosure` is the trajectory certificate of a violation along a flow, `no_enclosure` why there is none.
    """

    target: Target
    costly: bool
    memory: list[dict[str, Any]]
    generation: int = -1
    waiting: int = 0
    before: int = -1
    starts: int = 0
    evaluations: int = 0
    proposed: int = 0
    certified: int = 0
    rejected: int = 0
    undecided: int = 0
    decided: int = 0
    outside: Counter[str] = field(default_factory=Counter)
    promised: float = 0.0
    met: bool = False
    idle: str | None = None
    seconds: float = 0.0
    tight: list[dict[str, Any]] = field(default_factory=list)
    tightest: dict[str, Any] | None = None
    violation: dict[str, Any] | None = None
    reducing: bool = False
    certificate: dict[str, Any] | None = None
    enclosure: dict[str, Any] | None = None
    no_enclosure: str | None = None
    failures: list[str] = field(default_factory=list)
    finished: bool = False

    @property
    def group(self) -> tuple[str, tuple[str, ...]]:
        """The claim and what is dropped of it."""
        return self.target.claim, self.target.dropped

    @property
    def best(self) -> float | None:
        """The least float64 slack met, for showing."""
        return min((one["slack"] for one in self.tight), default=None)

    def add(self, result: Mapping[str, Any]) -> None:
        """Count the result of a round."""
        for name in COUNTS:
            setattr(self, name, getattr(self, name) + result.get(name, 0))
        self.outside.update(result.get("outside", {}))
        idle = result.get("idle")
        # One round that met something is enough: others may have drawn where the conclusion is vacuous.
        self.met = self.met or idle is None
        self.idle = None if self.met else min(filter(None, (self.idle, idle)))
        # Sorted before they are told apart, so that the order of arrival is no part of it: rounds may weigh one instance
        # differently.
        tight = [*self.tight, *result["tight"]]
        unique: dict[str, dict[str, Any]] = {}
        for one in sorted(tight, key=lambda one: (one["normalised"], json.dumps(one["instance"]), one["slack"])):
            unique.setdefault(json.dumps(one["instance"]), one)
        self.tight = list(unique.values())[:KEPT]
        tightest = result["tightest"]
        if tightest and (self.tightest is None or _tightness(tightest) < _tightness(self.tightest)):
            self.tightest = tightest
        for found in result["violations"]:
            if self.violation is None or writing_cost(found) < writing_cost(self.violation):
                self.violation = found


def _tightness(found: Mapping[str, Any]) -> tuple[float, str]:
    numerator, _, denominator = found["slack"].partition("/")
    value = abs(float(numerator) / float(denominator or 1))
    # Exactly zero is a touch, and no distance: any other slack says more of how much room there is.
    return value if value > 0 else float("inf"), json.dumps(found["instance"])


class Hunt:
    """The plan of a hunt over several targets; results are taken in any order."""

    def __init__(
        self,
        targets: Sequence[Target],
        limits: Limits,
        seed: int,
        memory: Mapping[str, Sequence[dict[str, Any]]] | None = None,
    ) -> None:
        """`memory` holds tight instances of earlier hunts by target. Raises ValueError for limits that never end."""
        if limits.starts is None and limits.seconds is None:
            raise ValueError("a hunt needs a number of starts or seconds")
        self.limits, self.seed = limits, seed
        known = memory or {}
        self.hunted = [
            Hunted(target, is_costly(target.resolve().conclusion), list(known.get(str(target), ()))) for target in targets
        ]
        # By text, as a spec comes back in plain data.
        self._of = {canonical(one.target.to_json()): one for one in self.hunted}
        self._queue: list[dict[str, Any]] = []
        self._out = 0
        for one in self.hunted:
            self._next(one)

    def ready(self) -> list[dict[str, Any]]:
        """What is to be done next: reductions, then early generations of all targets before later ones."""
        # The sort is stable: within a generation targets keep their turns.
        self._queue.sort(key=lambda spec: spec.get("generation", -1))
        room = max(0, AT_ONCE - self._out)
        handed, self._queue = self._queue[:room], self._queue[room:]
        self._out += len(handed)
        return handed

    def take(self, spec: Mapping[str, Any], result: Mapping[str, Any], seconds: float) -> None:
        """Count a result."""
        one = self._returned(spec)
        one.seconds += seconds
        if spec["kind"] == "reduction":
            one.certificate, one.finished = result["certificate"], True
            one.enclosure, one.no_enclosure = result.get("enclosure"), result.get("no_enclosure")
            return
        one.add(result)
        self._arrived(one)

    def lose(self, spec: Mapping[str, Any], reason: str) -> None:
        """Count a task that cannot be done."""
        one = self._returned(spec)
        one.failures.append(f"{spec['kind']}: {reason}")
        if spec["kind"] == "reduction":
            one.finished = True
        else:
            self._arrived(one)

    def done(self) -> bool:
        """Whether every target is finished."""
        return all(one.finished for one in self.hunted)

    def give_up(self) -> None:
        """Finish every target as it stands: the time is over."""
        for one in self.hunted:
            one.finished = True

    def remaining(self) -> float | None:
        """Seconds of work until every target is given up, if nothing is found; None while no round tells how long it takes.

        Reductions of what is found are not foreseen, and the last rounds end later than the limits say.
        """
        told = [found for found in (self.budget_left(), self._until_starts()) if found is not None]
        return min(told, default=None)

    def budget_left(self) -> float | None:
        """Seconds of work that the budget of time still has; None without one."""
        if self.limits.seconds is None:
            return None
        spent = dict.fromkeys((one.group for one in self.hunted if not one.finished), 0.0)
        for one in self.hunted:
            if one.group in spent:
                spent[one.group] += one.seconds
        return sum(max(0.0, self.limits.seconds - seconds) for seconds in spent.values())

    def _until_starts(self) -> float | None:
        if self.limits.starts is None:
            return None
        left = 0.0
        for one in self.hunted:
            if not one.finished:
                # Before a target has told how long its starts take, others as costly tell.
                alike = [one] if one.evaluations else [other for other in self.hunted if other.costly is one.costly]
                known = sum(other.evaluations for other in alike)
                if not known:
                    return None
                each = sum(other.seconds for other in alike) / known
                left += max(0, self.limits.starts - one.evaluations) * each
        return left

    def _returned(self, spec: Mapping[str, Any]) -> Hunted:
        self._out -= 1
        return self._of[canonical(spec["target"])]

    def _arrived(self, one: Hunted) -> None:
        one.waiting -= 1
        if one.waiting == 0:
            self._next(one)

    def _next(self, one: Hunted) -> None:
        if one.violation is not None:
            one.reducing = True
            left = self._left(one)
            seconds = None if left is None else max(LEAST_REDUCTION, left / self.limits.processes)
            self._queue.append(reduction_spec(one.target, one.violation["instance"], self.seed, seconds))
        elif self._spent(one):
            one.finished = True
        else:
            one.generation, one.before = one.generation + 1, one.evaluations
            known = one.memory if one.generation == 0 else [found["instance"] for found in one.tight]
            starts = STARTS[one.costly] << min(one.generation, MOST_DOUBLINGS)
            if self.limits.starts is not None:
                starts = min(starts, -(-(self.limits.starts - one.evaluations) // SHARDS))
            left = self._left(one)
            if left is not None:
                alike = [other for other in self.hunted if other.group == one.group and not other.finished]
                one.promised = left / (SHARDS * max(1, sum(not other.waiting for other in alike)))
            # A decision that takes long is ended a little later than the round.
            seconds = None if left is None else max(one.promised / 2, one.promised - SPARE_SECONDS)
            one.waiting = SHARDS
            self._queue += [
                round_spec(one.target, self.seed, one.generation, shard, starts, known, seconds) for shard in range(SHARDS)
            ]

    def _left(self, one: Hunted) -> float | None:
        if self.limits.seconds is None:
            return None
        alike = [other for other in self.hunted if other.group == one.group]
        return self.limits.seconds - sum(other.seconds + other.waiting * other.promised for other in alike)

    def _spent(self, one: Hunted) -> bool:
        if self.limits.starts is not None and one.evaluations >= self.limits.starts:
            return True
        if one.idle is not None or one.evaluations == one.before:
            return True  # there is nothing to search
        left = self._left(one)
        return left is not None and left <= LEAST_SHARE * (self.limits.seconds or 0.0)


def hunt_of(settings: Mapping[str, Any]) -> Hunt:
    """The plan of the hunt whose settings a ledger keeps. Raises TargetError where the current claims do not fit them."""
    if not settings:
        raise TargetError("the hunt in this folder was never begun")
    try:
        targets = [Target.from_json(data) for data in settings["targets"]]
        limits = Limits(settings["starts"], settings["seconds"], settings.get("processes", 1))
        return Hunt(targets, limits, settings["seed"], settings["memory"])
    except (AttributeError, KeyError, TypeError) as error:
        text = f"{type(error).__name__}: {error}"
        raise TargetError(f"the settings in this folder are not those of a hunt: {text}") from None
