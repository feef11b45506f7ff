"""Search one variant in float64: structured starts first, small ones before large ones, then optimisation from the best.

A start is a *plan* of the constructions (sizes and kinds fixed) with a row of numbers; what is optimised are these numbers,
drawn before any hypothesis is imposed, and a scale for each array. Every point so meets the hypotheses by construction.
From the best, Newton's steps lead to where a slack vanishes; where they lead no further, mutations of the instance have
their turn: entries scaled by powers of two, tokens brought together, numbers set equal or to zero.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

import numpy as np
from flint import arb

from claims.campaigns.deadlines import OutOfTimeError, within
from claims.hunting.margins import margins
from claims.hunting.mutations import differing_members, mutants
from claims.hunting.origins import SCALES, Around, Plan, restricted
from claims.hunting.terms import in_terms
from claims.instances.drawing import draw_freely, draw_instance, violate_where_met
from claims.instances.draws import PlannedDraws, SeededDraws
from claims.stating.statement import ALONG_A_FLOW, AT_A_STATE, Relation, is_costly
from claims.stating.verdict import Outcome
from claims.targets.target import Variant
from claims.verifying.deciding import Effort, check
from dynamics.arithmetic import Array, fraction, numbers, rational, sign, working_precision
from dynamics.choices import height
from dynamics.integrate import chosen, in_float64, is_batch, members
from dynamics.system import System

FIRST_BATCH = 8  # starts of the first batches: an easy falsehood is found with few evaluations
FIRST_STARTS = 24  # before any optimisation, each of another plan: one descent costs as much as many starts
MOST_BATCH = 1024
ROUNDING = 1e-13  # of a slack's terms, some hundred units in the last place: what is below that is rounding
COLLAPSED = 1e-5  # nearer to equality than this a descent would follow a degenerate instance for ever; it is still shown.
SPARE_SECONDS = 1.0  # more than its time, which is looked at between batches: then a batch is interrupted
SHARE = 0.3  # of the effort goes into new starts: descents from few of them all end in one place
DESCENTS = 4  # at a time: where one is stuck another one goes on
PROGRESS = 0.5  # of its score is what a strategy may leave: with less success another one has its turn
PATIENCE = 6

PROBE = 1e-4  # far above the rounding of a slack, and far below the size of a row, which is at most 1
FOLLOWED = 2  # of an instance's slacks, the least: one step hardly makes another one the least

# Of Newton's step: slacks are seldom affine, and slopes are those of a few coordinates only.
STRIDES = (0.5, 0.95, 1, 1.05, 2)

PROBED = 512  # coordinates of which it is tried whether they matter, at most: each costs an instance to build
BREADTH = 8  # coordinates of a slope, and mutants of a generation: a batch costs little more than one
MEMORY = 256  # points kept as starts, and to be shown as tight: the worst of more would never have their turn
MOST_CANDIDATES = 6
MOST_TIGHT = 8
MOST_COLLAPSED = 2  # points shown as tight that are no starts for others: degenerate ones tell least

# Candidates outside of the hypotheses, with none inside: then rounding leads them out, and exact starts are drawn.
MOST_LOST = 8

LOOKS = 3  # rows of a batch that are looked at closely: the worst of one batch are mostly alike
CLOSE_BITS = 192
NOISE = 1e-7  # error of a float64 path beside the typical slack: its tolerance is finer, but errors add up
NO_VALUE = (ArithmeticError, IndexError, ValueError)
"""What a formula or a construction raises outside the hypotheses, or in float64."""


@dataclass(frozen=True)
class Tight:
    """An instance that came near a violation: its float64 slack, absolute and relative to the typical one."""

    slack: float
    normalised: float
    instance: System


@dataclass
class Found:
    """What a search brought: exact instances that violate in float64, most promising first, and the tightest others.

    `evaluations` counts every slack of every instance, `starts` the points that were drawn rather than optimised, and
    `proposed` the members of batches with a negative float64 slack, rounding noise included. `outside` counts, by
    hypothesis, what no exact instance within the hypotheses was made of. `cut` says that the time ended it in the midst of
    an evaluation.
    """

    candidates: list[System] = field(default_factory=list)
    tight: list[Tight] = field(default_factory=list)
    evaluations: int = 0
    starts: int = 0
    proposed: int = 0
    outside: Counter[str] = field(default_factory=Counter)
    cut: bool = False


def search(
    variant: Variant,
    entropy: list[int],
    starts: int,
    known: Sequence[System],
    confirm: Callable[[System], bool] = lambda system: True,
    seconds: float = math.inf,
) -> Found:
    """Search with about `starts` evaluations; the same arguments give the same result.

    Ends early, at the end of a batch, once a violation is clear and `confirm` confirms it. Along paths float64
    cannot tell: after a denial only violations a hundred times as large are clear. `known` are exact instances to start
    from. When the `seconds` are over it ends, soon, in the midst of a batch too, and another run may find something else.
    """
    with np.errstate(all="ignore"):  # what overflows is no proposal
        return Search(variant, entropy, starts, known, confirm, time.monotonic() + seconds).run()


@dataclass
class _Point:
    """One evaluated point: its origin and row, the least slack and the score, the score of each slack.

    `family` is the origin that it descends from, or its own.
    """

    origin: Plan | Around
    row: Array
    slack: float
    score: float
    parts: Array
    family: Plan | Around


@dataclass
class _Collapsed:
    """A float64 batch of one that came nearer to equality than what is descended to, by which of its slacks."""

    score: float
    slack: float
    entry: int
    system: System
    family: Plan | Around


@dataclass
class _Descent:
    """A descent from a point: its best score, and how many strategies in a row did not improve it."""

    origin: Plan | Around
    row: Array
    parts: Array
    best: float
    family: Plan | Around
    turn: int = 0
    before: float = np.inf
    generations: int = 0
    stuck: int = 0

    @property
    def over(self) -> bool:
        """Whether no strategy improves it any more."""
        return self.stuck >= len(STRATEGIES)


class Search:
    """One run of :func:`search`; how a batch is scored is for others to replace."""

    def __init__(
        self,
        variant: Variant,
        entropy: list[int],
        starts: int,
        known: Sequence[System],
        confirm: Callable[[System], bool],
        deadline: float = math.inf,
    ) -> None:
        self.confirm, self.wrong, self.deadline = confirm, NOISE, deadline
        self.drawn: System | None = None
        self.within = self.lost = 0
        self.variant, self.entropy, self.budget, self.known = variant, entropy, starts, known
        self.conclusion = variant.conclusion
        self.strict = self.conclusion.relation is Relation.POSITIVE
        self.identity = self.conclusion.relation is Relation.ZERO
        self.small = is_costly(self.conclusion)
        self.found = Found()
        self.points: list[_Point] = []
        self.collapsed: list[_Collapsed] = []
        self.clear: list[tuple[float, System]] = []
        self.noise: list[tuple[float, System]] = []
        self.turn = 0
        self.descents = 0
        self.descended: dict[int, Plan | Around] = {}
        self.tried: Counter[tuple[int, Any]] = Counter()
        self.singly = variant.conclusion.exact_only
        # One path costs nearly what sixteen do together.
        self.along_paths = self.conclusion.form in ALONG_A_FLOW
        self.breadth = 2 * BREADTH if self.along_paths else BREADTH
        self.by_terms = self.conclusion.form in AT_A_STATE and not self.identity and not self.singly
        self.unbatched = False
        # A draw of the claim's own may make rationals only, and its assumptions know no floats.
        self.no_value = (*NO_VALUE, TypeError) if variant.claim.draw else NO_VALUE

    def run(self) -> Found:
        """Search until the evaluations or the time are used up, or a violation is clear."""
        try:
            with within(self.deadline + SPARE_SECONDS - time.monotonic()):
                self._go()
                return self._result()
        except OutOfTimeError:  # one batch, or one decision, that takes longer
            self.found.cut = True
            self.found.candidates = [system for _, system in sorted(self.clear, key=itemgetter(0))][:MOST_CANDIDATES]
            return self.found

    def _go(self) -> None:
        for system in self.known:
            self._sample(Around(self.variant, in_float64(system)), FIRST_BATCH)
        explored, optimised, descents = 0, 0, list[_Descent]()
        while self._goes_on() and not self.clear:
            before = self.found.evaluations
            if explored >= max(FIRST_STARTS, SHARE * (explored + optimised)):
                descents = self._renewed(descents)
                for descent in descents:
                    if not self.clear and self._goes_on():
                        self._advance(descent)
            optimised += self.found.evaluations - before
            if self.found.evaluations == before:
                self._explore()
                explored += self.found.evaluations - before

    def _goes_on(self) -> bool:
        return self.found.evaluations < self.budget and time.monotonic() < self.deadline

    # -- starts

    def _explore(self) -> None:
        turn, self.turn = self.turn, self.turn + 1
        rng = np.random.default_rng([*self.entropy, turn])
        # Not without an assumption: there every third start is exact anyway.
        if self.lost >= MOST_LOST and not self.within and not self.variant.without:
            self.unbatched = True  # an equality that nothing restores after rounding: exact starts meet it
        if self.unbatched or (self.variant.without and turn % 3 == 2):
            self._explore_singly(rng)
            return
        singles = FIRST_STARTS // 2 if self.along_paths else FIRST_STARTS
        # Batches grow with what was evaluated before: plans stay many, and an easy falsehood cheap.
        grown = self.found.evaluations // (4 if self.along_paths else 16)
        batch = 1 if turn < singles else min(MOST_BATCH, max(FIRST_BATCH, grown))
        batch = min(batch, self.budget - self.found.evaluations)
        # Every other start is small, and these grow slowly: what few tokens show need not be reduced.
        kinds, largest = int(rng.integers(0, 1 << 20)), None if turn % 2 else 2 + turn // 8
        draws = PlannedDraws(rng, self.small, kinds, batch=batch, largest=largest, rarely_one=True)
        try:
            systems = draw_freely(self.variant.claim, self.conclusion, draws, self.variant.without)
            rows = draws.numbers_drawn()
        except self.no_value:
            # The suite's own constructions run on batches: what fails in one of them fails by its numbers.
            self.unbatched = self.variant.claim.draw is not None
            self.found.evaluations += 1
            return
        if members(systems) != batch or not is_batch(systems):  # the claim's own draw makes one instance at a time
            self.unbatched = True
            return
        self._evaluate(Plan(self.variant, draws, (), rows.shape[1]), rows, systems)
        self.found.starts += batch

    def _explore_singly(self, rng: Any) -> None:
        draws = SeededDraws(rng, self.small, int(rng.integers(0, 1 << 20)))
        try:
            system = draw_instance(self.variant.claim, self.variant.conclusion, draws, self.variant.without)
        except self.no_value:
            self.found.evaluations += 1
            return
        if self.singly and self.variant.admits(system):
            self.found.evaluations += 1
            self._decided(system)
        # Kept while its surroundings are looked at: rounded to floats it may be no instance any more.
        self.drawn = system
        self._sample(Around(self.variant, in_float64(system)), 1)
        self.drawn = None

    def _sample(self, origin: Around, batch: int) -> None:
        rng = np.random.default_rng([*self.entropy, self.turn, 7])
        rows = 0.05 * rng.standard_normal((batch, origin.dimension))
        # The instance itself comes first: what is known to violate needs no neighbour.
        rows[0] = 0
        try:
            systems = origin.systems(rows)
        except self.no_value:
            self.found.evaluations += 1
            return
        self._evaluate(origin, rows, systems)
        self.found.starts += batch

    # -- evaluation

    def _evaluate(
        self, origin: Plan | Around, rows: Array | None, systems: System, family: Plan | Around | None = None
    ) -> tuple[Array, Array]:
        """The scores of the rows, (batch,), and those of each of their slacks, (batch, k), infinite where there is none.

        Remembers the best. Without rows each member is an origin of its own.
        """
        in_their_terms = in_terms(self.conclusion, systems) if self.by_terms else None
        batch = members(systems) if rows is None else len(rows)
        self.found.evaluations += batch
        if self.singly:
            least, scores, parts = self._exactly(systems, batch)
        elif in_their_terms is not None:
            least, scores, parts = self._by_terms(systems, *in_their_terms, family or origin)
        else:
            least, scores, parts = self._by_batch(origin, systems, batch)
        if not self.singly:
            self._look(systems, scores)
        for i in np.argsort(scores)[:4]:
            if np.isfinite(scores[i]) and not self.identity:
                where, row = origin, None if rows is None else rows[i]
                if row is None:
                    where = Around(self.variant, chosen(systems, np.array([i])), origin.typical)
                    row = np.zeros(where.dimension)
                self.points.append(_Point(where, row, float(least[i]), float(scores[i]), parts[i], family or origin))
        if len(self.points) > 2 * MEMORY:
            self.points = sorted(self.points, key=lambda point: point.score)[:MEMORY]
        return scores, parts

    def _by_terms(self, systems: System, slack: Array, size: Array, family: Plan | Around) -> tuple[Array, Array, Array]:
        """Slacks and scores: the least slack over the size of its terms. What is rounding in all digits has no score."""
        part = np.where((size > 0) & np.isfinite(slack), slack / size, np.inf)
        part = np.where(abs(part) < ROUNDING, 0.0 if self.strict else np.inf, part)
        collapsed = (part > 0) & (part < COLLAPSED)
        if collapsed.any():
            member, entry = divmod(int(np.argmin(np.where(collapsed, part, np.inf))), part.shape[1])
            one = chosen(systems, np.array([member]))
            near = _Collapsed(float(part[member, entry]), float(slack[member, entry]), entry, one, family)
            self.collapsed = sorted([*self.collapsed, near], key=lambda near: near.score)[:MEMORY]
        part = np.where(collapsed, 1.0, part)
        if part.shape[1] == 0:
            part = np.full((len(part), 1), np.inf)
            return part[:, 0], part[:, 0], part
        least = np.argmin(part, axis=1)[:, None]
        return np.take_along_axis(slack, least, axis=1)[:, 0], np.take_along_axis(part, least, axis=1)[:, 0], part

    def _by_batch(self, origin: Plan | Around, systems: System, batch: int) -> tuple[Array, Array, Array]:
        """Slacks and scores: the least slack over the largest of the member, or over the typical one of the origin."""
        slack = margins(self.conclusion, systems)
        if slack.size == 0:
            part = np.full((batch, 1), np.inf)
            return part[:, 0], part[:, 0], part
        if self.identity:
            slack = -abs(slack)
        slack = np.where(np.isfinite(slack), slack, np.inf)
        # What has no terms has no unit of its own: the first batch of an origin gives it one.
        if not origin.typical > 0:
            sizes = abs(slack[np.isfinite(slack) & (slack != 0)])
            origin.typical = float(np.median(sizes)) if sizes.size else np.nan
        least, sizes = slack.min(axis=1), np.where(np.isfinite(slack), abs(slack), 0).max(axis=1)
        if slack.shape[1] == 1:
            sizes = np.full(batch, origin.typical if origin.typical > 0 else 1.0)
        part = slack / np.where(sizes > 0, sizes, 1.0)[:, None]
        return least, part.min(axis=1), part

    def _exactly(self, systems: System, batch: int) -> tuple[Array, Array, Array]:
        scores = np.full(batch, np.inf)
        for index in range(batch):
            instance = self._exact(systems, index)
            if instance is not None:
                scores[index] = self._decided(instance)
        return scores, scores, scores[:, None]

    def _decided(self, instance: System) -> float:
        """The least slack of an exact instance, infinite where there is none; a violation that is confirmed is clear."""
        try:
            verdict = check(self.conclusion, instance, Effort(bits=CLOSE_BITS))
        except self.no_value:
            return np.inf
        score = np.inf
        if verdict.slack is not None:
            middle = height(verdict.slack)
            score = float(middle if isinstance(middle, arb) else fraction(middle))
        if verdict.outcome is Outcome.VIOLATED:
            self.found.proposed += 1
            if self.confirm(instance):
                self.clear.append((score, instance))
        return score

    def _look(self, systems: System, scores: Array) -> None:
        """Make exact what is below zero, and look at it closely, until one is clear."""
        below = np.flatnonzero((scores <= 0) if self.strict else (scores < 0))
        self.found.proposed += len(below)
        for index in below[np.argsort(scores[below])][: 1 if self.identity else LOOKS]:
            instance = self._exact(systems, int(index)) or self._as_drawn()
            if instance is None:
                continue
            if self._is_clear(instance, float(scores[index])):
                if self.confirm(instance):
                    self.clear.append((float(scores[index]), instance))
                    return
                # A denial tells by how much float64 may be off along paths.
                self.wrong = max(self.wrong, -100 * float(scores[index]))
            if self.identity:
                continue  # more digits have just shown that it was rounding
            self.noise = sorted([*self.noise, (float(scores[index]), instance)], key=itemgetter(0))[:MOST_CANDIDATES]
        if not self.along_paths:
            scores[below] = np.inf  # what is noise leads nowhere

    def _exact(self, systems: System, index: int) -> System | None:
        variant = self.variant
        try:
            instance = systems.row(index)
            if not all(a.satisfies(instance) for a in variant.kept):
                # Rounding breaks equalities; imposed on rationals they are exact.
                instance = restricted(variant, instance)
            if not all(a.is_broken(instance) for a in variant.without):
                draws = SeededDraws(np.random.default_rng([*self.entropy, self.turn, 5]), self.small, self.turn)
                instance = violate_where_met(variant.claim, instance, draws, variant.without)
            if variant.admits(instance):
                self.within += 1
                return instance
            self.lost += 1
            self.found.outside.update(variant.misses(instance))
        except self.no_value:
            self.found.outside["a formula that has no value there"] += 1
        return None

    def _as_drawn(self) -> System | None:
        # Rounded to floats a start may have left the hypotheses: an equality, for one.
        try:
            return self.drawn if self.drawn is not None and self.variant.admits(self.drawn) else None
        except self.no_value:
            return None

    def _is_clear(self, instance: System, score: float) -> bool:
        if self.conclusion.form not in AT_A_STATE:
            return score < -self.wrong
        self.found.evaluations += 1
        try:
            with working_precision(CLOSE_BITS):
                signs = [sign(value) for value in numbers(self.conclusion.slack(instance)).flat]
        except self.no_value:
            return False
        if self.identity:
            return any(s in (-1, 1) for s in signs)
        return any(s == -1 or (s == 0 and self.strict) for s in signs)

    def _is_as_near(self, instance: System, near: _Collapsed) -> bool:
        try:
            with working_precision(CLOSE_BITS):
                value = list(numbers(self.conclusion.slack(instance)).flat)[near.entry]
                return sign(value - rational(near.slack) / 2) == 1 == sign(2 * rational(near.slack) - value)
        except self.no_value:
            return False

    # -- optimisation

    def _renewed(self, descents: list[_Descent]) -> list[_Descent]:
        going = [descent for descent in descents if not descent.over]
        points = sorted((p for p in self.points if id(p.family) not in self.descended), key=lambda point: point.score)
        while len(going) < DESCENTS and points:
            self.descents += 1
            # By turns the best, and one of sizes and kinds that descents began at least often: else all would begin alike.
            familiar = lambda p: sum(self.tried[feature] for feature in _features(p.origin))  # noqa: E731
            point = points[0] if self.descents % 2 else min(points, key=familiar)
            self.descended[id(point.family)] = point.family
            points = [other for other in points if other.family is not point.family]
            self.tried.update(_features(point.origin))
            going.append(self._descent_from(point))
        return going

    def _descent_from(self, point: _Point) -> _Descent:
        origin, row = point.origin, point.row
        if isinstance(origin, Plan):
            scaled = self._scalable(origin, row)
            origin = Plan(self.variant, origin.draws, scaled, origin.drawn, origin.typical)
            row = np.concatenate([row, np.zeros(len(scaled))])
        return _Descent(origin, row, point.parts, point.score, point.family)

    def _advance(self, descent: _Descent) -> None:
        """One move of the strategy whose turn it is. If it does not improve in its time, the next one has its turn."""
        rng = np.random.default_rng([*self.entropy, self.found.evaluations, 3])
        strategy, patience = STRATEGIES[descent.turn % len(STRATEGIES)]
        try:
            strategy(self, descent, rng)
        except self.no_value:
            self.found.evaluations += 1
            descent.stuck += 1
            descent.turn += 1
            return
        descent.generations += 1
        if descent.generations % patience:
            return
        if descent.best <= PROGRESS * descent.before:
            descent.stuck = 0
        else:
            descent.stuck += 1
            # Each strategy begins where the other one ended: mutants leave corners in which slopes vanish.
            descent.turn, descent.generations = descent.turn + 1, 0
        descent.before = descent.best

    def follow(self, descent: _Descent, rng: Any) -> None:
        """Newton's steps to where the least slacks vanish, along the slopes in a few of the coordinates that matter."""
        origin, row = descent.origin, descent.row
        signs = rng.choice((-1, 1), len(row))
        probed = np.arange(len(row)) if len(row) <= PROBED else rng.permutation(len(row))[:PROBED]
        probes = np.repeat(row[None], len(probed), axis=0)
        probes[np.arange(len(probed)), probed] += PROBE * signs[probed]
        systems = origin.systems(np.concatenate([row[None], probes]))
        # What a construction or a restriction overrides has no slope.
        picks = rng.permutation(differing_members(systems))[: self.breadth]
        if not len(picks):
            return
        scores, parts = self._evaluate(origin, probes[picks], chosen(systems, picks + 1), descent.family)
        k = min(parts.shape[1], len(descent.parts))
        before = descent.parts[:k]
        self._improve(descent, probes[picks], scores, parts)
        along = probed[picks]
        slopes = (parts[:, :k] - before) * signs[along, None] / PROBE
        slopes = np.where(np.isfinite(slopes), slopes, 0)
        lines = []
        for entry in np.argsort(before)[:FOLLOWED]:
            slope = slopes[:, entry]
            if slope.any() and np.isfinite(before[entry]):
                step = np.zeros(len(row))
                step[along] = -before[entry] * slope / (slope @ slope)
                lines += [np.clip(row + stride * step, -1, 1) for stride in STRIDES]
        if lines and not self.clear:
            rows = np.array(lines)
            self._improve(descent, rows, *self._evaluate(origin, rows, origin.systems(rows), descent.family))

    def _improve(self, descent: _Descent, rows: Array, scores: Array, parts: Array) -> None:
        best = int(np.argmin(scores))
        if scores[best] < descent.best:
            descent.row, descent.parts, descent.best = rows[best], parts[best], float(scores[best])

    def mutate(self, descent: _Descent, rng: Any) -> None:
        """A generation of mutants; the best replaces the point if it is no worse."""
        # More than are looked at: restrictions lead many of them back to where they came from.
        systems = restricted(self.variant, mutants(descent.origin.systems(descent.row[None]), rng, 4 * self.breadth))
        picks = differing_members(systems)[: self.breadth] + 1
        if not len(picks):
            return
        systems = chosen(systems, picks)
        scores, parts = self._evaluate(descent.origin, None, systems, descent.family)
        best = int(np.argmin(scores))
        if scores[best] <= descent.best:
            origin = Around(self.variant, chosen(systems, np.array([best])), descent.origin.typical)
            descent.origin, descent.row = origin, np.zeros(origin.dimension)
            descent.parts, descent.best = parts[best], float(scores[best])

    def _scalable(self, plan: Plan, row: Array) -> tuple[str, ...]:
        # What a hypothesis fixes has no scale: a column of the plan for it would be searched in vain.
        names = []
        for name, one in self.variant.claim.system.fields().items():
            if one.integer:
                continue
            trial = Plan(self.variant, plan.draws, (name,), plan.drawn)
            rows = np.array([[*row, 2 / SCALES], [*row, -2 / SCALES]])
            try:
                systems = trial.systems(rows)
            except self.no_value:
                continue
            if all(self._exact(systems, i) is not None for i in range(2)):
                names.append(name)
        return tuple(names)

    # -- what was found

    def _result(self) -> Found:
        for pile in (self.clear, self.noise):
            pile.sort(key=itemgetter(0))  # by the score alone: instances have no order
        self.found.candidates = [system for _, system in (*self.clear, *self.noise)][:MOST_CANDIDATES]
        self.found.tight = list(self._tight())
        return self.found

    def _tight(self) -> Iterator[Tight]:
        """The instances of different families nearest to equality, the collapsed ones first."""
        seen: list[Any] = []
        # Of each family the best, which is the last to be written.
        tried = {id(near.family): near for near in reversed(self.collapsed)}
        for near in sorted(tried.values(), key=lambda near: near.score)[: 2 * MOST_COLLAPSED]:
            instance = self._exact(near.system, 0)
            if instance is not None and len(seen) < MOST_COLLAPSED and self._is_as_near(instance, near):
                seen.append(near.family)
                yield Tight(near.slack, near.score, instance)
        for point in sorted(self.points, key=lambda point: point.score):
            if point.score <= 0 or any(point.family is other for other in seen):
                continue
            instance = self._exact(point.origin.systems(point.row[None]), 0)
            if instance is not None:
                seen.append(point.family)
                yield Tight(point.slack, point.score, instance)
            if len(seen) == MOST_TIGHT:
                return


STRATEGIES: tuple[tuple[Callable[[Search, _Descent, Any], None], int], ...] = (
    (Search.follow, 1),
    (Search.mutate, PATIENCE),
)
"""What improves a point, in turns, and after how many moves each must have improved it."""


def _features(origin: Plan | Around) -> list[tuple[int, Any]]:
    return list(enumerate(map(str, origin.draws.answers))) if isinstance(origin, Plan) else [(-1, "around")]
