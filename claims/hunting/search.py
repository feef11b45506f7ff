"""Search one quarry in float64: structured starts first, small ones before large ones, then optimisation from the best.

A start is a *plan* of the constructions (sizes and kinds fixed) with a row of numbers; what is optimised are these numbers,
drawn before any hypothesis is imposed, and a scale for each array. Every point so meets the hypotheses by construction.
A batch of starts, or a generation of CMA-ES, is one call of :func:`margins`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import cma
import numpy as np

from claims.checking import Effort, check
from claims.constructions import draw_system
from claims.draws import PlannedDraws, SeededDraws
from claims.hunting.margins import margins
from claims.hunting.target import Quarry
from claims.hunting.terms import in_terms
from claims.instances import draw_instance, is_costly, violate_where_met
from claims.statement import Form, Outcome
from claims.verification import midpoint
from dynamics.arithmetic import FLOAT64, Array, numbers, sign, working_precision
from dynamics.system import System

FIRST_BATCH = 8
"""Starts of the first batches: an easy falsehood is found with few evaluations."""

FIRST_STARTS = 24
"""Starts before anything is optimised, each of another plan."""

MOST_BATCH = 1024
ROUNDING = 1e-13
"""Slacks below this part of their terms are rounding."""

COLLAPSED = 1e-5
"""Nearer to equality than this, instances degenerate and nothing is left to optimise: they count as far."""

SHARE = 0.3
"""Of the effort goes to new starts."""

DESCENTS = 4
"""Descents under way at a time. One ends that in PATIENCE generations has not come down to PROGRESS of its best score."""

PATIENCE = 6
PROGRESS = 0.8
WIDTH = 0.2
"""The first step of a descent, as a part of the largest number that a construction draws."""

MEMORY = 256
"""Points that are remembered to start from, and to be shown as tight."""

MOST_CANDIDATES = 6
MOST_TIGHT = 8
LOOKS = 3
"""Rows of a batch that are looked at closely when their float64 slacks are negative."""

CLOSE_BITS = 192
NOISE = 1e-7
"""Of the typical slack: what float64 trajectories may be wrong by."""

SCALES = 8
"""Arrays are scaled by powers of two up to this exponent."""

NO_VALUE = (ArithmeticError, IndexError, ValueError)
"""What a formula or a construction raises outside the hypotheses, or in float64."""


@dataclass(frozen=True)
class Tight:
    """An instance that came near a violation: its float64 slack, plain and as a part of the typical one."""

    slack: float
    normalised: float
    instance: System


@dataclass
class Found:
    """What a search brought: exact instances that violate in float64, most promising first, and the tightest others.

    `evaluations` counts every slack of every instance, `starts` the points that were drawn rather than optimised, and
    `proposed` the members of batches with a negative float64 slack, rounding noise included.
    """

    candidates: list[System] = field(default_factory=list)
    tight: list[Tight] = field(default_factory=list)
    evaluations: int = 0
    starts: int = 0
    proposed: int = 0


@dataclass
class Plan:
    """The sizes and kinds of one construction; its numbers, then a scale for each array in `scaled`."""

    quarry: Quarry
    draws: PlannedDraws
    scaled: tuple[str, ...]
    drawn: int
    typical: float = np.nan

    @property
    def dimension(self) -> int:
        """Numbers of the construction and scales."""
        return self.drawn + len(self.scaled)

    def systems(self, rows: Array) -> System:
        """The float64 batch of the rows, all within the hypotheses that are kept."""
        claim = self.quarry.claim
        draws = self.draws.replaying(rows[:, : self.drawn])
        system = claim.draw(draws) if claim.draw else draw_system(claim.system, draws)
        changes = {}
        for position, name in enumerate(self.scaled):
            array = getattr(system, name)
            scale = np.exp2(SCALES * rows[:, self.drawn + position])
            changes[name] = array * scale.reshape(-1, *[1] * (array.ndim - 1))
        return _restricted(self.quarry, system.replace(**changes))


@dataclass
class Around:
    """An exact instance and its surroundings: entries change by parts of themselves, or of their array where zero.

    Arrays that are zero throughout, or of whole numbers, stay. Positive arrays stay positive.
    """

    quarry: Quarry
    start: System
    moved: tuple[str, ...]
    typical: float = np.nan

    @property
    def dimension(self) -> int:
        """Entries of the arrays that move."""
        return sum(getattr(self.start, name).size for name in self.moved)

    def systems(self, rows: Array) -> System:
        """The float64 batch, restricted to the hypotheses that are kept."""
        changes, position = {}, 0
        floats = self.start.to(FLOAT64)
        for name, array in floats.arrays().items():
            batched = np.repeat(array[None], len(rows), axis=0)
            if name in self.moved:
                step = rows[:, position : position + array.size].reshape(batched.shape)
                position += array.size
                size = np.where(array == 0, abs(array).max(), array)
                batched = batched * np.exp2(2 * step) if (array > 0).all() else batched + 2 * step * size
            changes[name] = batched if not floats.fields()[name].integer else array
        return _restricted(self.quarry, floats.replace(**changes))


def _restricted(quarry: Quarry, system: System) -> System:
    for assumption in quarry.kept:
        system = assumption.restrict(system)
    return system


def search(quarry: Quarry, entropy: list[int], starts: int, known: Sequence[System]) -> Found:
    """Search with about `starts` evaluations; the same arguments give the same result.

    Ends early, at the end of a batch, once a violation is clear. `known` are exact instances to start from, too.
    """
    return _Search(quarry, entropy, starts, known).run()


@dataclass
class _Point:
    """One evaluated point: its origin, its row, its slack and that over the typical slack of the origin."""

    origin: Plan | Around
    row: Array
    slack: float
    score: float
    used: bool


@dataclass
class _Descent:
    """A CMA-ES under way: its best score, and whether it is over."""

    origin: Plan | Around
    strategy: Any
    best: float
    before: float = np.inf
    generations: int = 0
    over: bool = False


class _Search:
    def __init__(self, quarry: Quarry, entropy: list[int], starts: int, known: Sequence[System]) -> None:
        self.quarry, self.entropy, self.budget, self.known = quarry, entropy, starts, known
        self.conclusion = quarry.conclusion
        self.strict = self.conclusion.relation == "> 0"
        self.identity = self.conclusion.relation == "== 0"
        self.small = is_costly(self.conclusion)
        self.found = Found()
        self.points: list[_Point] = []
        self.clear: list[tuple[float, System]] = []
        self.noise: list[tuple[float, System]] = []
        self.turn = 0
        self.descents = 0
        self.tried: Counter[tuple[int, Any]] = Counter()
        self.singly = quarry.conclusion.exact_only
        # One path costs nearly what sixteen do together.
        self.along_paths = self.conclusion.form in (Form.TRAJECTORY, Form.RATE, Form.LIMIT)
        self.by_terms = self.conclusion.form in (Form.STATE, Form.STEP) and not self.singly
        self.unbatched = False

    def run(self) -> Found:
        for system in self.known:
            self._sample(Around(self.quarry, system, _movable(system)), FIRST_BATCH)
        explored, optimised, descents = 0, 0, list[_Descent]()
        while self.found.evaluations < self.budget and not self.clear:
            before = self.found.evaluations
            if explored >= max(FIRST_STARTS, SHARE * (explored + optimised)):
                descents = self._renewed(descents)
                for descent in descents:
                    if not self.clear and self.found.evaluations < self.budget:
                        self._advance(descent)
            optimised += self.found.evaluations - before
            if self.found.evaluations == before:
                self._explore()
                explored += self.found.evaluations - before
        return self._result()

    # -- starts

    def _explore(self) -> None:
        """One batch of starts of another plan; without assumptions every third is an explicit violation."""
        turn, self.turn = self.turn, self.turn + 1
        rng = np.random.default_rng([*self.entropy, turn])
        if self.unbatched or (self.quarry.without and turn % 3 == 2):
            self._explore_singly(rng)
            return
        fewest = 2 * FIRST_BATCH if self.along_paths else FIRST_BATCH
        singles = FIRST_STARTS // 6 if self.along_paths else FIRST_STARTS
        batch = 1 if turn < singles else min(MOST_BATCH, max(fewest, self.found.evaluations // 16))
        batch = min(batch, self.budget - self.found.evaluations)
        kinds, largest = int(rng.integers(0, 1 << 20)), None if turn % 2 else 2 + turn // 8
        draws = PlannedDraws(rng, self.small, kinds, batch=batch, largest=largest, rarely_one=True)
        try:
            claim = self.quarry.claim
            raw = claim.draw(draws) if claim.draw else draw_system(claim.system, draws)
            rows = draws.numbers_drawn()
            systems = _restricted(self.quarry, raw)
        except NO_VALUE:
            self.unbatched = self.quarry.claim.draw is not None
            self.found.evaluations += 1
            return
        self._evaluate(Plan(self.quarry, draws, (), rows.shape[1]), rows, systems)
        self.found.starts += batch

    def _explore_singly(self, rng: Any) -> None:
        draws = SeededDraws(rng, self.small, int(rng.integers(0, 1 << 20)))
        try:
            system = draw_instance(self.quarry.claim, self.quarry.conclusion, draws, self.quarry.without)
        except NO_VALUE:
            self.found.evaluations += 1
            return
        self._sample(Around(self.quarry, system, _movable(system)), 1)

    def _sample(self, origin: Around, batch: int) -> None:
        """The instance itself and its near surroundings."""
        rng = np.random.default_rng([*self.entropy, self.turn, 7])
        rows = 0.05 * rng.standard_normal((batch, origin.dimension))
        rows[0] = 0
        try:
            systems = origin.systems(rows)
        except NO_VALUE:
            self.found.evaluations += 1
            return
        self._evaluate(origin, rows, systems)
        self.found.starts += batch

    # -- evaluation

    def _evaluate(self, origin: Plan | Around, rows: Array, systems: System, descended: bool = False) -> Array:
        """The scores of the rows, shape (batch,): infinite where there is none. Remembers the best."""
        in_their_terms = in_terms(self.conclusion, systems) if self.by_terms else None
        self.found.evaluations += len(rows)
        if self.singly:
            least, scores = self._exactly(systems, len(rows))
        elif in_their_terms is not None:
            least, scores = self._by_terms(*in_their_terms)
        else:
            least, scores = self._by_batch(origin, systems, len(rows))
        if not self.singly:
            self._look(systems, scores)
        best = [i for i in np.argsort(scores)[:4] if np.isfinite(scores[i]) and not self.identity]
        self.points += [_Point(origin, rows[i], float(least[i]), float(scores[i]), descended) for i in best]
        if len(self.points) > 2 * MEMORY:
            self.points = sorted(self.points, key=lambda point: point.score)[:MEMORY]
        return scores

    def _by_terms(self, slack: Array, size: Array) -> tuple[Array, Array]:
        """Slacks and scores: the least slack over the size of its terms. What is rounding in all digits has no score."""
        with np.errstate(all="ignore"):
            part = np.where((size > 0) & np.isfinite(slack), slack / size, np.inf)
        part = np.where(abs(part) < ROUNDING, 0.0 if self.strict else np.inf, part)
        part = np.where((part > 0) & (part < COLLAPSED), 1.0, part)
        if part.shape[1] == 0:
            return np.full(len(part), np.inf), np.full(len(part), np.inf)
        entry = np.argmin(part, axis=1)[:, None]
        return np.take_along_axis(slack, entry, axis=1)[:, 0], np.take_along_axis(part, entry, axis=1)[:, 0]

    def _by_batch(self, origin: Plan | Around, systems: System, batch: int) -> tuple[Array, Array]:
        """Slacks and scores: the least slack over the largest of the member, or over the typical one of the origin."""
        slack = margins(self.conclusion, systems)
        if slack.size == 0:
            return np.full(batch, np.inf), np.full(batch, np.inf)
        if self.identity:
            slack = -abs(slack)
        slack = np.where(np.isfinite(slack), slack, np.inf)
        if not origin.typical > 0:
            sizes = abs(slack[np.isfinite(slack) & (slack != 0)])
            origin.typical = float(np.median(sizes)) if sizes.size else np.nan
        least, sizes = slack.min(axis=1), np.where(np.isfinite(slack), abs(slack), 0).max(axis=1)
        if slack.shape[1] > 1:
            return least, least / np.where(sizes > 0, sizes, 1.0)
        return least, least / (origin.typical if origin.typical > 0 else 1.0)

    def _exactly(self, systems: System, batch: int) -> tuple[Array, Array]:
        """Slacks and scores of a formula that only rationals can evaluate."""
        scores = np.full(batch, np.inf)
        for index in range(batch):
            instance = self._exact(systems, index)
            if instance is None:
                continue
            try:
                verdict = check(self.conclusion, instance, Effort(bits=CLOSE_BITS))
            except NO_VALUE:
                continue
            if verdict.slack is not None:
                scores[index] = float(FLOAT64.convert(numbers(midpoint(verdict.slack))).item())
            if verdict.outcome is Outcome.VIOLATED:
                self.found.proposed += 1
                self.clear.append((float(scores[index]), instance))
        return scores, scores

    def _look(self, systems: System, scores: Array) -> None:
        """Make exact what is below zero, and look at it closely, until one is clear."""
        below = np.flatnonzero((scores <= 0) if self.strict else (scores < 0))
        self.found.proposed += len(below)
        for index in below[np.argsort(scores[below])][: 1 if self.identity else LOOKS]:
            instance = self._exact(systems, int(index))
            if instance is None:
                continue
            if self._is_clear(instance, float(scores[index])):
                self.clear.append((float(scores[index]), instance))
                return
            if self.identity:
                continue  # more digits have just shown that it was rounding
            self.noise = sorted([*self.noise, (float(scores[index]), instance)], key=_by_score)[:MOST_CANDIDATES]

    def _exact(self, systems: System, index: int) -> System | None:
        """The member as an exact instance that keeps and breaks what it should, or None."""
        quarry = self.quarry
        try:
            instance = systems.row(index)
            if not all(a.satisfies(instance) for a in quarry.kept):
                # Rounding breaks equalities; imposed on rationals they are exact.
                instance = _restricted(quarry, instance)
            if any(a.satisfies(instance) for a in quarry.without):
                draws = SeededDraws(np.random.default_rng([*self.entropy, self.turn, 5]), self.small, self.turn)
                instance = violate_where_met(quarry.claim, instance, draws, quarry.without)
            kept = all(a.satisfies(instance) for a in quarry.kept)
            return instance if kept and not any(a.satisfies(instance) for a in quarry.without) else None
        except NO_VALUE:
            return None

    def _is_clear(self, instance: System, score: float) -> bool:
        """Whether more digits say the same: of paths, whether the slack is far below what they may be wrong by."""
        if self.conclusion.form not in (Form.STATE, Form.STEP, Form.IDENTITY):
            return score < -NOISE
        self.found.evaluations += 1
        try:
            with working_precision(CLOSE_BITS):
                signs = [sign(value) for value in numbers(self.conclusion.slack(instance)).flat]
        except NO_VALUE:
            return False
        if self.identity:
            return any(s in (-1, 1) for s in signs)
        return any(s == -1 or (s == 0 and self.strict) for s in signs)

    # -- optimisation

    def _renewed(self, descents: list[_Descent]) -> list[_Descent]:
        """The descents that are not over, and new ones, in turns from the best point and from the least familiar kind."""
        going = [descent for descent in descents if not descent.over]
        points = sorted((point for point in self.points if not point.used), key=lambda point: point.score)
        while len(going) < DESCENTS and points:
            self.descents += 1
            point = points[0] if self.descents % 2 else min(points, key=self._familiarity)
            points = [other for other in points if other.origin is not point.origin]
            self.tried.update(_features(point.origin))
            going += self._descents_from(point)
        for point in self.points:
            point.used |= all(point is not other for other in points)
        return going

    def _familiarity(self, point: _Point) -> float:
        """How often sizes and kinds like those of the point were descended from."""
        return sum(self.tried[feature] for feature in _features(point.origin))

    def _descents_from(self, point: _Point) -> list[_Descent]:
        origin, row = point.origin, point.row
        if isinstance(origin, Plan):
            scaled = self._scalable(origin, row)
            origin = Plan(self.quarry, origin.draws, scaled, origin.drawn, origin.typical)
            row = np.concatenate([row, np.zeros(len(scaled))])
        if origin.dimension < 2:
            return []
        seed = int(np.random.default_rng([*self.entropy, self.found.evaluations, 3]).integers(1, 2**31))
        options = {"seed": seed, "verbose": -9, "bounds": [-1, 1]}
        if self.along_paths:
            options["popsize"] = 2 * FIRST_BATCH
        strategy = cma.CMAEvolutionStrategy(np.clip(row, -0.999, 0.999), WIDTH, options)
        return [_Descent(origin, strategy, point.score)]

    def _advance(self, descent: _Descent) -> None:
        """One generation."""
        rows = np.array(descent.strategy.ask())
        try:
            systems = descent.origin.systems(rows)
        except NO_VALUE:
            self.found.evaluations += 1
            descent.over = True
            return
        scores = self._evaluate(descent.origin, rows, systems, descended=True)
        descent.strategy.tell(list(rows), np.where(np.isfinite(scores), scores, 1e9).tolist())
        descent.best = min(descent.best, float(scores.min()))
        descent.generations += 1
        descent.over = bool(descent.strategy.stop())
        if descent.generations % PATIENCE == 0:
            descent.over |= descent.best > PROGRESS * descent.before
            descent.before = descent.best

    def _scalable(self, plan: Plan, row: Array) -> tuple[str, ...]:
        """The arrays that can be made four times as large, and as small, within the hypotheses."""
        names = []
        fields = self.quarry.claim.system.fields()
        for name in fields:
            if fields[name].integer:
                continue
            trial = Plan(self.quarry, plan.draws, (name,), plan.drawn)
            rows = np.array([[*row, 2 / SCALES], [*row, -2 / SCALES]])
            if all(self._exact(trial.systems(rows), i) is not None for i in range(2)):
                names.append(name)
        return tuple(names)

    # -- what was found

    def _result(self) -> Found:
        for pile in (self.clear, self.noise):
            pile.sort(key=_by_score)
        self.found.candidates = [system for _, system in (*self.clear, *self.noise)][:MOST_CANDIDATES]
        self.found.tight = list(self._tight())
        return self.found

    def _tight(self) -> Iterator[Tight]:
        seen: list[Any] = []
        for point in sorted(self.points, key=lambda point: point.score):
            if point.score <= 0 or any(point.origin is other for other in seen):
                continue
            instance = self._exact(point.origin.systems(point.row[None]), 0)
            if instance is not None:
                seen.append(point.origin)
                yield Tight(point.slack, point.score, instance)
            if len(seen) == MOST_TIGHT:
                return


def _movable(system: System) -> tuple[str, ...]:
    fields = system.fields()
    return tuple(
        name for name, array in system.arrays().items() if not fields[name].integer and any(x != 0 for x in array.flat)
    )


def _by_score(scored: tuple[float, System]) -> float:
    return scored[0]


def _features(origin: Plan | Around) -> list[tuple[int, Any]]:
    """The sizes and kinds of an origin, by position."""
    return list(enumerate(map(str, origin.draws.answers))) if isinstance(origin, Plan) else [(-1, "around")]
