"""Simplifies an exact violating instance until it fits on a blackboard; it is still decided as violated.

Every step is a proposal of `moves` that is simpler than the present one, satisfies each assumption kept, breaks each one
dropped, and is decided. Where a decision is costly, float64 decides what is worth deciding: a pass goes by clear violations
in float64 and is certified when it ends; if that fails it is taken back and repeated with a certificate at every step.

Hypothesis' shrinker cannot serve here: it shrinks the choices of a strategy, and an instance that came from an optimiser
or a ledger was made by no choices.
"""

from __future__ import annotations

import dataclasses
import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb, fmpq

from claims.campaigns.deadlines import OutOfTimeError, within
from claims.hunting import moves
from claims.hunting.margins import sampled
from claims.hunting.moves import Ladder, Rank, rank_of_instance
from claims.stating.statement import Assumption, Conclusion, Form, Relation, is_costly
from claims.stating.verdict import Outcome, Verdict, is_certain
from claims.targets.target import Variant
from claims.verifying.deciding import Effort, check
from dynamics.arithmetic import FLOAT64, Array, fraction, sign
from dynamics.system import System

DECISIONS = {Form.TRAJECTORY: 160, Form.RATE: 160, Form.LIMIT: 120, Form.PROBABILITY: 60}
"""The most instances that are decided for these forms; other forms get MANY_DECISIONS."""

MANY_DECISIONS = 4000

# A zero that stays open would climb the whole ladder at every trial; the last instance is decided with all bits.
TRIAL_BITS = 256

SCREENED = 800  # the most batches of instances evaluated in float64, where a decision is costly
TOGETHER = 32  # instances in a batch: following so many paths takes little longer than following one
CLEAR = 1e-7  # a float64 slack along a path below minus this is a proposal worth a decision, never a verdict
STRIKING = 0.25  # of the largest number: half of it is a violation that one sees at once
TINY = {False: 1000, True: 60}  # instances of the smallest integers, cheap and costly: mostly none of them violates
NARROWED = 3  # times that a shorter time is looked for within the one found: a shorter path is sampled at closer times
SPARE_SECONDS = 1.0  # more than its time, which is looked at between decisions: then a decision is interrupted
TIMES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 50, 64, 80, 100, 128, 200, 256, 500, 1000)
EARLY_TIMES = (fmpq(1, 2), fmpq(1, 4), fmpq(1, 8), fmpq(1, 16))

MISTAKES = (ArithmeticError, IndexError, ValueError)  # what a formula or a construction raises on data it was not made for


@dataclass(frozen=True)
class Simplified:
    """A counterexample, its verdict with the effort given, and what it cost.

    `horizon` is a time by which a trajectory violates: the conclusion is decided as violated with that horizon, too; None
    for other forms. `trials` counts decisions. `out_of_time` tells that the time limit ended the work, so that another
    run may end elsewhere.
    """

    system: System
    verdict: Verdict
    horizon: fmpq | None
    trials: int
    out_of_time: bool = False


def simplify(variant: Variant, system: System, effort: Effort, seconds: float) -> Simplified:
    """The simplest violating instance found by greedy moves from `system`, never with more ties of leaders than `system`.

    Of two with as many ties the one with less to write is simpler, of two with as much to write one that violates by far
    more beside the size of its numbers. The violation falls below zero if the given one does, and is certain if that is.
    Depends on its arguments alone unless `seconds` run out. Raises ValueError when `system` is not decided as violated,
    does not satisfy an assumption that is kept, or satisfies one that is dropped.
    """
    if unmet := _unmet(variant, system):
        raise ValueError(f"the instance does not satisfy {', '.join(a.name for a in unmet)}")
    if met := [assumption.name for assumption in variant.without if not assumption.is_broken(system)]:
        raise ValueError(f"the instance does not certainly break {', '.join(met)}, which was to be dropped")
    return _Simplification(variant, system, effort, seconds).run()


def simplest_near(variant: Variant, system: System) -> System:
    """The instance with all numbers rounded alike, as coarsely as float64 still sees a violation; itself if none does.

    No decision is made, and none is implied: this makes a candidate worth one.
    """
    (seen,) = _looks(variant.conclusion, [system])
    if seen is None or not seen.violated:
        return system
    fitting = [fit(variant, rounded) for rounded in moves.whole_roundings(system)]
    form = variant.conclusion.form
    simpler = [
        near for near in fitting if near is not None and rank_of_instance(near, form) < rank_of_instance(system, form)
    ]
    looks = _looks(variant.conclusion, simpler)
    return next((near for near, look in zip(simpler, looks, strict=True) if look is not None and look.clear), system)


def fit(variant: Variant, system: System) -> System | None:
    """The instance if it satisfies what is kept and breaks what is dropped, else a repaired one that does, or None.

    What rounding broke is restored by the constructions of the assumptions, first of those that are not met, then of all.
    """
    try:
        repaired = system
        for assumption in variant.kept:
            if not assumption.satisfies(repaired):
                restored = assumption.restrict(repaired)
                if restored is repaired:
                    return None  # it has no construction, and nothing that comes later is meant to meet it
                repaired = restored
        if repaired is not system:
            repaired = moves.with_arrays(repaired)
            if _unmet(variant, repaired):
                for assumption in variant.kept:
                    repaired = assumption.restrict(repaired)
                repaired = moves.with_arrays(repaired)
                if _unmet(variant, repaired):
                    return None
        return repaired if all(assumption.is_broken(repaired) for assumption in variant.without) else None
    except MISTAKES:
        return None


def _unmet(variant: Variant, system: System) -> list[Assumption]:
    return [assumption for assumption in variant.kept if not assumption.satisfies(system)]


# ---------------------------------------------------------------------------------------------------------------------
# What float64 sees


@dataclass(frozen=True)
class _Look:
    """The least float64 slack (for an identity, minus the largest defect), and a simple time by which it is clear."""

    least: float
    time: fmpq | None = None

    @property
    def violated(self) -> bool:
        return self.least <= 0

    @property
    def clear(self) -> bool:
        return self.least < -CLEAR


def _looks(conclusion: Conclusion, systems: Sequence[System]) -> list[_Look | None]:
    """The slacks of instances in float64, all of the same shapes at once; None where there is no value."""
    fields, alike = (systems[0].fields() if systems else {}), dict[Any, list[int]]()
    for index, system in enumerate(systems):
        # Formulas branch on shapes and on integers: members of a batch share both.
        form = [(a.shape, a.tolist() if fields[name].integer else "") for name, a in system.arrays().items()]
        alike.setdefault(str(form), []).append(index)
    found: list[_Look | None] = [None] * len(systems)
    for indices in alike.values():
        try:
            floats = [systems[index].to(FLOAT64) for index in indices]
            free = [name for name in fields if not fields[name].integer]
            together = {name: np.stack([getattr(one, name) for one in floats]) for name in free}
            seen = sampled(conclusion, floats[0].replace(**together))
        except MISTAKES:
            continue
        slacks = -abs(seen.slacks) if conclusion.relation is Relation.ZERO else seen.slacks
        for index, row, times in zip(indices, slacks, seen.times, strict=True):
            # One instance without a horizon must not lose what was seen of the others.
            with suppress(*MISTAKES):  # a horizon, too, may have no value outside the hypotheses
                found[index] = _read_off(conclusion, systems[index], row, times)
    return found


def _read_off(conclusion: Conclusion, system: System, slacks: Array, times: Array) -> _Look | None:
    there = ~np.isnan(slacks)
    if not there.any():
        return None
    slacks, times = slacks[there], times[there]
    if conclusion.form not in (Form.TRAJECTORY, Form.RATE):
        return _Look(float(slacks.min()))
    assert conclusion.horizon is not None
    horizon = conclusion.horizon(system)
    # Sample times are floats: the last one may lie a rounding beyond the time it stands for.
    simple = sorted({fmpq(when) for when in (*TIMES, *EARLY_TIMES) if when < horizon} | {horizon})
    least = {when: float(slacks[times <= 1.000001 * float(fraction(when))].min(initial=np.inf)) for when in simple}
    chosen = next((when for when in simple if when.q == 1 and least[when] < -CLEAR), None)
    if chosen is None:
        chosen = next((when for when in reversed(simple) if when < 1 and least[when] < -CLEAR), horizon)
    # A fraction is no plainer than 1: it is preferred only where most of the violation is there already.
    while fmpq(1, 2) <= chosen <= 1 and 2 * least.get(chosen / 2, np.inf) <= least[chosen]:
        chosen /= 2
    return _Look(least[horizon], chosen)


def _by(conclusion: Conclusion, horizon: fmpq) -> Conclusion:
    return dataclasses.replace(conclusion, horizon=lambda start: horizon)


# ---------------------------------------------------------------------------------------------------------------------
# The descent


class _SpentError(Exception):
    """No trials or no time are left."""


@dataclass(frozen=True)
class _Standing:
    """An instance with the verdict that it was decided by; None where float64 alone has seen its violation so far."""

    system: System
    rank: Rank
    verdict: Verdict | None
    horizon: fmpq | None
    look: _Look | None = None


def _falls_below(verdict: Verdict) -> bool:
    return verdict.slack is not None and sign(verdict.slack) == -1


Better = Callable[[_Standing], bool]


class _Simplification:
    """One descent from one instance."""

    def __init__(self, variant: Variant, system: System, effort: Effort, seconds: float) -> None:
        self.variant, self.conclusion, self.effort = variant, variant.conclusion, effort
        self.deadline = time.monotonic() + seconds
        self.costly = is_costly(self.conclusion)
        self.along = self.conclusion.form in (Form.TRAJECTORY, Form.RATE)
        self.trials = self.screened = 0
        self.most_trials = DECISIONS.get(self.conclusion.form, MANY_DECISIONS)
        self.trial_effort = effort
        self.seen: set[str] = set()
        self.given_verdict = verdict = check(self.conclusion, system, effort)
        self.trials += 1
        if verdict.outcome is not Outcome.VIOLATED:
            text = f"{verdict.outcome.value} {verdict.reason}".strip()
            raise ValueError(f"the instance is not decided as a violation: {text}")
        if verdict.witness is not None and not self.costly:
            bits = max(TRIAL_BITS, verdict.witness.bits)
            self.trial_effort = dataclasses.replace(effort, bits=min(bits, effort.bits))
        look = _looks(self.conclusion, [system])[0] if self.costly else None
        self.screens = look is not None and look.clear
        self.trusting = self.screens
        self.given = self.now = _Standing(system, rank_of_instance(system, self.conclusion.form), verdict, None, look)
        self.decided = [self.given]

    def run(self) -> Simplified:
        out_of_time = False
        try:
            self._descend_all()
            # Proposals that were refused as no simpler may be more striking.
            self.seen.clear()
            self._pass(moves.striking_ladders, self._is_more_striking)
        except _SpentError:
            out_of_time = time.monotonic() > self.deadline
            if self.now.verdict is None:
                # A pass that was cut short gets one more decision, for what float64 has found in it.
                self.trials += 1
                horizon = None if self.now.look is None else self.now.look.time
                if (verdict := self._verdict(self.now.system, self.trial_effort, horizon)) is not None:
                    self._stand(dataclasses.replace(self.now, verdict=verdict, horizon=horizon))
        standing, stands, horizon = self._last_that_stands()
        return Simplified(standing.system, stands, horizon, self.trials, out_of_time)

    def _descend_all(self) -> None:
        # Sizes first, since every later proposal is the cheaper for them; what changes two numbers at once costs the most,
        # and is tried where nothing else helps.
        kinds = [moves.size_ladders, moves.whole_ladders, moves.array_ladders, moves.slice_ladders, moves.entry_ladders]
        dear = [moves.level_ladders, moves.pair_ladders, moves.small_ladders, moves.joint_ladders, moves.fewer_ladders]
        last = None

        def afresh(now: System) -> Iterator[System]:
            return iter(moves.tiny_instances(now, np.random.default_rng(0), TINY[self.costly]))

        while last != self.now.rank:
            while last != self.now.rank:
                last = self.now.rank
                for kind in kinds:
                    self._pass(kind, self._is_simpler)
            for kind in dear:
                self._pass(kind, self._is_simpler)
            # Where no move helps any more, an instance made anew of the smallest integers may.
            self._pass(lambda system: [afresh], self._is_simpler)

    def _pass(self, kind: Callable[[System], Iterable[Ladder]], better: Better) -> None:
        """Climb every ladder once; what only float64 has seen is decided at the end, or all of it done again."""
        before = self.now
        self._climb(kind(self.now.system), better)
        if self.now.verdict is not None:
            return
        decided = self._decide(self.now.system, self.now.look)
        if decided is not None:
            self._stand(decided)
            return
        # Float64 has misled the pass: now each step has to be decided.
        self.now, self.trusting = before, False
        self.seen.clear()
        self._climb(kind(self.now.system), better)
        self.trusting = self.screens

    def _climb(self, ladders: Iterable[Ladder], better: Better) -> None:
        for ladder in ladders:
            found = next(self._holding(self._fitting(ladder, better), better), None)
            if found is not None:
                self._stand(found)

    def _fitting(self, ladder: Ladder, better: Better) -> Iterator[_Standing]:
        for proposal in ladder(self.now.system):
            if time.monotonic() > self.deadline:
                raise _SpentError
            # A ladder that is climbed again mostly proposes what was refused before.
            name = str(proposal.to_json())
            if name in self.seen:
                continue
            self.seen.add(name)
            # A repair adds digits: what is no simpler before it hardly is afterwards.
            if better == self._is_simpler and rank_of_instance(proposal, self.conclusion.form) >= self.now.rank:
                continue
            system = fit(self.variant, proposal)
            if system is None:
                continue
            standing = _Standing(system, rank_of_instance(system, self.conclusion.form), None, None)
            if better != self._is_simpler or better(standing):
                yield standing

    def _holding(self, fitting: Iterator[_Standing], better: Better) -> Iterator[_Standing]:
        if not self.screens:
            decided = (self._decide(standing.system, None) for standing in fitting)
            yield from (standing for standing in decided if standing is not None and better(standing))
            return
        # Proposals come the simplest first, so the first that holds is the one to take.
        while batch := list(itertools.islice(fitting, TOGETHER)):
            if self.screened >= SCREENED:
                raise _SpentError
            self.screened += 1
            for standing, look in zip(batch, _looks(self.conclusion, [one.system for one in batch]), strict=True):
                seen = dataclasses.replace(standing, look=look)
                if look is None or not look.clear or not better(seen):
                    continue
                found = seen if self.trusting else self._decide(seen.system, look)
                if found is not None:
                    yield found

    def _stand(self, found: _Standing) -> None:
        self.now = found
        if found.verdict is not None:
            self.decided.append(found)

    def _is_simpler(self, found: _Standing) -> bool:
        return found.rank < self.now.rank

    def _is_more_striking(self, found: _Standing) -> bool:
        (tied, written), (tied_now, written_now) = found.rank, self.now.rank
        if (tied, *written[:2]) > (tied_now, *written_now[:2]):
            return False
        return 0 < 2 * self._violation(self.now) <= min(self._violation(found), STRIKING)

    def _violation(self, standing: _Standing) -> float:
        """The size of the violation relative to the largest number: for choosing only, not a verdict."""
        if standing.look is not None:
            slack = standing.look.least
        elif standing.verdict is not None and standing.verdict.slack is not None:
            slack = float(arb(standing.verdict.slack).mid())
        else:
            return 0.0
        return abs(slack) / max(1.0, float(standing.rank[1][2]))

    def _decide(self, system: System, look: _Look | None) -> _Standing | None:
        """The instance with its verdict if that is a violation, known at least as well as the given one's."""
        if self.trials >= self.most_trials or time.monotonic() > self.deadline:
            raise _SpentError
        self.trials += 1
        horizon = None if look is None else look.time
        verdict = self._verdict(system, self.trial_effort, horizon)
        if verdict is None:
            return None
        return _Standing(system, rank_of_instance(system, self.conclusion.form), verdict, horizon, look)

    def _verdict(self, system: System, effort: Effort, horizon: fmpq | None) -> Verdict | None:
        conclusion = self.conclusion
        if self.along and horizon is not None:
            conclusion = _by(conclusion, horizon)
        try:
            with within(self.deadline + SPARE_SECONDS - time.monotonic()):
                verdict = check(conclusion, system, effort)
        except (*MISTAKES, OutOfTimeError):
            return None
        return None if verdict.outcome is not Outcome.VIOLATED or self._is_weaker(verdict) else verdict

    def _is_weaker(self, verdict: Verdict) -> bool:
        # What was proved is not given away for fewer digits.
        if is_certain(self.given_verdict) and not is_certain(verdict):
            return True
        return (
            _falls_below(self.given_verdict) and not _falls_below(verdict) and self.conclusion.relation is not Relation.ZERO
        )

    def _last_that_stands(self) -> tuple[_Standing, Verdict, fmpq | None]:
        for standing in reversed(self.decided[1:]):
            verdict = self._verdict(standing.system, self.effort, None)
            if verdict is not None:
                return standing, verdict, self._horizon(standing)
        assert self.given.verdict is not None
        return self.given, self.given.verdict, self._horizon(self.given)

    def _horizon(self, standing: _Standing) -> fmpq | None:
        """The simple time by which float64 sees the violation if it is decided there, else the statement's own horizon."""
        if not self.along:
            return None
        assert self.conclusion.horizon is not None
        horizon = fmpq(self.conclusion.horizon(standing.system))
        for _ in range(NARROWED):
            (look,) = _looks(_by(self.conclusion, horizon), [standing.system])
            if look is None or look.time is None or look.time >= horizon:
                break
            self.trials += 1
            if self._verdict(standing.system, self.effort, look.time) is None:
                break
            horizon = look.time
        return horizon
