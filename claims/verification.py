"""Verify claims: draw instances, decide every conclusion on each, and hold the verdicts against the standings."""

from __future__ import annotations

import time
import zlib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any

import numpy as np
from flint import arb, fmpq

from claims.catalogue import catalogue
from claims.checking import Effort, check, check_experiment, second_opinion
from claims.instances import BatchDraws, SeededDraws, draw_instance, is_costly, unmet
from claims.statement import Claim, Conclusion, Form, Outcome, Standing, Verdict
from dynamics.arithmetic import Array
from dynamics.system import System

PROFILES = {"smoke": 8, "ci": 96, "nightly": 1600}
"""Instances of a state or step conclusion; trajectories get a sixteenth and chains a quarter of that."""

EXPERIMENT_STEPS = {"smoke": 10_000, "ci": 1_000_000, "nightly": 10_000_000}
"""Steps an experiment may take."""

BATCH = 256
PATIENCE = 16
"""A statement believed false is searched this many times longer before its standing is called not borne out."""


@dataclass
class Tally:
    """What was found about one conclusion over many instances. Plain data: it travels between processes."""

    name: str
    form: str
    screened: int = 0
    instances: int = 0
    holds: int = 0
    violated: int = 0
    undecided: int = 0
    vacuous: int = 0
    touched: int = 0
    decided_by: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    tightest: dict[str, Any] | None = None
    violation: dict[str, Any] | None = None
    agreement: float | None = None
    _slack: Any = None

    def record(self, system: System | dict[str, Any], verdict: Verdict) -> bool:
        """Count one verdict, keep the smallest violation and the tightest instance; True if this is the tightest."""
        self.instances += 1
        if verdict.outcome is Outcome.UNDECIDED:
            self.undecided += 1
            self.reasons[verdict.reason] += 1
            return False
        if verdict.known is None:
            self.vacuous += 1
            return False
        self.decided_by[verdict.known] += 1
        found = {
            "slack": plain(verdict.slack),
            "instance": system if isinstance(system, dict) else system.to_json(),
            "reason": verdict.reason,
        }
        if verdict.outcome is Outcome.VIOLATED:
            self.violated += 1
            if self.violation is None or _size(found) < _size(self.violation):
                self.violation = found
            return False
        self.holds += 1
        if verdict.slack is None:
            return False
        self.touched += is_zero(verdict.slack)
        if self.tightest is None or self._is_tighter(midpoint(verdict.slack)):
            self.tightest, self._slack = found, midpoint(verdict.slack)
            return True
        return False

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the ball the tightest slack was compared by, which does not travel between processes."""
        return self.__dict__ | {"_slack": None}

    def _is_tighter(self, slack: Any) -> bool:
        """Whether an instance tells more than the tightest so far: slacks that vanish exactly only count as touches."""
        if self.form == Form.IDENTITY:
            return bool(abs(slack) > abs(self._slack))
        return bool(slack > 0 and (self._slack <= 0 or slack < self._slack))


@dataclass
class Report:
    """A claim's tallies, and whether they bear its standing out."""

    claim: str
    refs: tuple[str, ...]
    standing: str
    tallies: list[Tally]
    seconds: float

    @property
    def borne_out(self) -> bool | None:
        """True standings need every conclusion met and none violated, false ones a decided violation; None: not yet."""
        violated = sum(tally.violated for tally in self.tallies)
        if self.standing == Standing.NOT_YET:
            return None
        if any(tally.holds + tally.violated == 0 for tally in self.tallies):
            return False
        if self.standing == Standing.FALSE:
            return violated > 0
        return violated == 0 or self.standing == Standing.OPEN


def midpoint(slack: Any) -> Any:
    """The middle of a ball, or the number itself: for sorting and printing, never for a verdict."""
    return slack.mid() if isinstance(slack, arb) else slack


def is_zero(slack: Any) -> bool:
    """Whether the slack is exactly zero: the bound is attained."""
    return bool(slack.is_zero() if isinstance(slack, arb) else slack == 0)


def plain(slack: Any) -> str | None:
    """A slack as text: an exact rational when it is short, else six digits of its midpoint."""
    if slack is None:
        return None
    if isinstance(slack, fmpq) and len(str(slack)) <= 12:
        return str(slack)
    return str(arb(slack).mid().str(6, radius=False))


def _size(found: dict[str, Any]) -> int:
    return len(str(found["instance"]))


def examples_of(conclusion: Conclusion, examples: int) -> int:
    """How many instances a conclusion gets when a state conclusion gets `examples`."""
    share = {Form.TRAJECTORY: 16, Form.RATE: 16, Form.LIMIT: 24, Form.PROBABILITY: 4}.get(conclusion.form, 1)
    return max(4, examples // share)


def seed_of(claim: Claim, conclusion: Conclusion, seed: int) -> list[int]:
    """The entropy of one conclusion's instances: the same for every number of processes and choice of claims."""
    return [seed, zlib.crc32(f"{claim.id}.{conclusion.name}".encode())]


def verify_conclusion(claim: Claim, conclusion: Conclusion, examples: int, seed: int, effort: Effort) -> Tally:
    """Decide one conclusion on instances drawn one by one and on the tightest of float64 batches."""
    tally = Tally(conclusion.name, conclusion.form.value)
    if conclusion.form is Form.EXPERIMENT:
        tally.record({"experiment": claim.id, "steps": effort.steps}, check_experiment(conclusion, effort))
        return tally
    entropy = seed_of(claim, conclusion, seed)
    goal = examples_of(conclusion, examples)
    tightest: System | None = None
    for system, kinds in _instances(claim, conclusion, entropy, goal, tally):
        if tally.instances >= goal and (claim.standing is not Standing.FALSE or tally.violated):
            break
        tally.kinds.update(kinds)
        if unmet(claim, conclusion, system):
            tally.instances += 1
            tally.vacuous += 1
            continue
        if tally.record(system, check(conclusion, system, effort)):
            tightest = system
    if tightest is not None:
        tally.agreement = second_opinion(conclusion, tightest)
    return tally


def _instances(
    claim: Claim, conclusion: Conclusion, entropy: list[int], goal: int, tally: Tally
) -> Iterator[tuple[System, list[str]]]:
    """Instances one by one; after every 24 of them the two tightest of a float64 batch."""
    small = is_costly(conclusion)
    batched = not (small or conclusion.exact_only or claim.draw)
    for turn in range(goal * PATIENCE):
        draws = SeededDraws(np.random.default_rng([*entropy, turn]), small, turn)
        yield draw_instance(claim, conclusion, draws), draws.chosen
        if batched and turn % 24 == 5:
            batch = BatchDraws(np.random.default_rng([*entropy, turn, 1]), small, turn, batch=BATCH)
            systems = draw_instance(claim, conclusion, batch)
            with np.errstate(all="ignore"):
                slack = np.asarray(conclusion.slack(systems)).reshape(BATCH, -1)
            if slack.shape[1] == 0:
                continue
            tally.screened += BATCH
            for index in _most_promising(slack, conclusion.relation):
                yield systems.row(index), [*batch.chosen, "proposed by float64"]


def _most_promising(slack: Array, relation: str) -> list[int]:
    """The two members of a batch whose slack is lowest (farthest from zero, for an identity)."""
    value = -abs(slack).max(axis=1) if relation == "== 0" else slack.min(axis=1)
    return [int(index) for index in np.argsort(np.where(np.isnan(value), np.inf, value))[:2]]


def verify_task(claim_id: str, index: int, examples: int, seed: int, effort: Effort) -> tuple[str, int, Tally, float]:
    """One conclusion of one claim, by name: what a worker process runs."""
    claim = catalogue()[claim_id]
    began = time.perf_counter()
    tally = verify_conclusion(claim, claim.conclusions[index], examples, seed, effort)
    return claim_id, index, tally, time.perf_counter() - began


def verify(claims: list[Claim], examples: int, seed: int, effort: Effort, jobs: int) -> Iterator[Report | str]:
    """Verify claims in `jobs` processes; yields the name of each finished conclusion, and a report for each claim.

    The tallies depend on the seed and the number of examples only, not on `jobs`.
    """
    tasks = [(claim.id, index) for claim in claims for index in range(len(claim.conclusions))]
    done: dict[str, dict[int, tuple[Tally, float]]] = {claim.id: {} for claim in claims}
    by_id = {claim.id: claim for claim in claims}

    def finish(claim_id: str, index: int, tally: Tally, seconds: float) -> Iterator[Report | str]:
        done[claim_id][index] = tally, seconds
        yield f"{claim_id}: {tally.name}"
        claim = by_id[claim_id]
        if len(done[claim_id]) == len(claim.conclusions):
            ordered = [done[claim_id][i] for i in range(len(claim.conclusions))]
            spent = sum(seconds for _, seconds in ordered)
            yield Report(claim.id, claim.refs, claim.standing.value, [tally for tally, _ in ordered], spent)

    for claim in claims:
        if not claim.conclusions:
            yield Report(claim.id, claim.refs, claim.standing.value, [], 0.0)
    if jobs == 1:
        for claim_id, index in tasks:
            yield from finish(*verify_task(claim_id, index, examples, seed, effort))
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(verify_task, claim_id, index, examples, seed, effort) for claim_id, index in tasks]
        for future in as_completed(futures):
            yield from finish(*future.result())
