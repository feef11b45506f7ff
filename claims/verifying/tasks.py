"""Conclusions verified by several processes, and whether a claim's standing is borne out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Self

from claims.catalogue import catalogue
from claims.statement import Claim, Origin, Standing, standing_word
from claims.user_claims import claim_in
from claims.verifying.deciding import Effort
from claims.verifying.tallies import Tally, dropped_from, verify_conclusion


@dataclass
class Report:
    """A claim's tallies, and whether they bear its standing out."""

    claim: str
    refs: tuple[str, ...]
    origin: Origin
    standing: Standing
    tallies: list[Tally]
    seconds: float

    @property
    def standing_word(self) -> str:
        """The standing as it is told."""
        return standing_word(self.standing, self.origin)

    @property
    def borne_out(self) -> bool | None:
        """True and open standings need every conclusion met and none violated, false ones a violation; None: not yet."""
        violated = sum(tally.violated for tally in self.tallies)
        if self.standing is Standing.NOT_YET:
            return None
        if any(tally.holds + tally.violated == 0 for tally in self.tallies):
            return False
        if self.standing is Standing.FALSE:
            return violated > 0
        return violated == 0

    @property
    def is_news(self) -> bool:
        """Whether what was open is no longer: a violation was decided."""
        return self.standing is Standing.OPEN and any(tally.violated for tally in self.tallies)


@dataclass(frozen=True)
class Task:
    """One conclusion of one claim by position, without the assumptions named: what a worker process is told."""

    claim: str
    index: int
    dropped: tuple[str, ...] = ()
    file: str | None = None
    source: str | None = None

    @classmethod
    def of(cls, claim: Claim, index: int, dropped: tuple[str, ...] = ()) -> Self:
        """The task of a conclusion by position; a user's own claim travels as its text."""
        return cls(claim.id, index, dropped, claim.file, claim.source)

    def resolve(self) -> Claim:
        """The claim, rebuilt from its text where it is a user's own."""
        if self.source is None or self.file is None:
            return catalogue()[self.claim]
        return claim_in(self.source, self.file)


def run_task(task: Task, examples: int, seed: int, effort: Effort) -> tuple[Task, Tally, float]:
    """The tally of a task and the seconds it took."""
    claim = task.resolve()
    conclusion = claim.conclusions[task.index]
    began = time.perf_counter()
    without = dropped_from(claim, conclusion, task.dropped)
    tally = verify_conclusion(claim, conclusion, examples, seed, effort, without)
    return task, tally, time.perf_counter() - began


def run_tasks(
    tasks: Sequence[Task], examples: int, seed: int, effort: Effort, jobs: int
) -> Iterator[tuple[Task, Tally, float]]:
    """Run the tasks in `jobs` processes; yields each as it finishes. The tallies do not depend on `jobs`."""
    if jobs == 1:
        for task in tasks:
            yield run_task(task, examples, seed, effort)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(run_task, task, examples, seed, effort) for task in tasks]
        for future in as_completed(futures):
            yield future.result()


def verify(claims: list[Claim], examples: int, seed: int, effort: Effort, jobs: int) -> Iterator[Report | str]:
    """Verify claims in `jobs` processes; yields the name of each finished conclusion, and a report for each claim.

    The tallies depend on the seed and the number of examples only, not on `jobs`.
    """
    tasks = [Task.of(claim, index) for claim in claims for index in range(len(claim.conclusions))]
    done: dict[str, dict[int, tuple[Tally, float]]] = {claim.id: {} for claim in claims}
    by_id = {claim.id: claim for claim in claims}
    for claim in claims:
        if not claim.conclusions:
            yield Report(claim.id, claim.refs, claim.origin, claim.standing, [], 0.0)
    for task, tally, seconds in run_tasks(tasks, examples, seed, effort, jobs):
        done[task.claim][task.index] = tally, seconds
        yield f"{task.claim}: {tally.name}"
        claim = by_id[task.claim]
        if len(done[claim.id]) == len(claim.conclusions):
            ordered = [done[claim.id][i] for i in range(len(claim.conclusions))]
            spent = sum(seconds for _, seconds in ordered)
            yield Report(claim.id, claim.refs, claim.origin, claim.standing, [tally for tally, _ in ordered], spent)
