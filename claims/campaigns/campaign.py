"""Campaigns: many tasks on many processes, recorded one by one, so that everything recorded survives any crash.

A plan says which tasks come next, given the results so far in any order. :func:`run_campaign` takes
results from the ledger where it has them, has an engine compute the others, and records each as it arrives.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any, Literal, Protocol

from claims.campaigns.engines import Engine, Landed, work_at
from claims.campaigns.ledger import Ledger, LedgerError, Taken, canonical, task_key

POLL = 0.5  # seconds between looks at whether to stop: results are taken as they come


class CampaignPlan(Protocol):
    """What to do next. It must depend only on the results taken, not on their order."""

    def ready(self) -> list[dict[str, Any]]:
        """Specs (plain data, each different) that can run now and were not handed out before."""
        ...

    def take(self, spec: dict[str, Any], result: dict[str, Any], seconds: float) -> None:
        """Take the result of a task handed out, and how long it took: only a time limit may depend on that."""
        ...

    def lose(self, spec: dict[str, Any], reason: str) -> None:
        """Note that a task handed out will have no result: it raised, or killed its workers."""
        ...

    def done(self) -> bool:
        """Whether nothing is left to do."""
        ...


@dataclass(frozen=True)
class Event:
    """An event to display: a task started, was recorded, was recalled from the ledger or failed, or why nothing moves."""

    kind: Literal["started", "recorded", "recalled", "failed", "differs", "waiting"]
    spec: dict[str, Any] = field(default_factory=dict)
    result: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    seconds: float = 0.0
    worker: str = ""


@dataclass(frozen=True)
class Ending:
    """How a run of a campaign ended: tasks computed now, recalled from the ledger, failed; whether the plan is done."""

    computed: int
    recalled: int
    failed: int
    done: bool


def run_campaign(
    ledger: Ledger,
    plan: CampaignPlan,
    work: str,
    engine: Engine,
    on_event: Callable[[Event], None] = lambda event: None,
    stop: Callable[[], bool] = lambda: False,
) -> Ending:
    """Do the tasks of a plan with the work at an import path "module:function", recording each result as it arrives.

    Returns when the plan is done or `stop` says so (asked at least twice a second while the engine is not this process);
    the tasks then in flight are abandoned, as they are when an exception passes, KeyboardInterrupt among them. Raises
    CampaignError when the engine cannot go on, LedgerError when the ledger cannot be written.
    """
    # Before anything is computed: a work that is not there would fail every task, one after the other.
    work_at(work)
    run = _Run(ledger, plan, work, engine, on_event)
    try:
        while not plan.done() and not stop():
            run.step()
        return Ending(run.computed, run.recalled, run.failed, plan.done())
    finally:
        engine.abandon()


class _Run:
    def __init__(
        self, ledger: Ledger, plan: CampaignPlan, work: str, engine: Engine, on_event: Callable[[Event], None]
    ) -> None:
        self.ledger, self.plan, self.work, self.engine, self.on_event = ledger, plan, work, engine, on_event
        self.computed = self.recalled = self.failed = 0
        self.waiting: deque[tuple[str, dict[str, Any]]] = deque()
        self.arrival = {key: number for number, key in ledger.query("SELECT number, key FROM tasks")}
        self.known: list[tuple[int, str, dict[str, Any]]] = []
        self.flying: dict[str, dict[str, Any]] = {}
        self.handed: set[str] = set()
        self.said = ""

    def step(self) -> None:
        # All that is ready is looked at before anything is run: what the ledger has is taken first, in its own order.
        for spec in self.plan.ready():
            key = task_key(spec)
            if key in self.handed:
                raise ValueError(f"the plan hands out a task twice: {canonical(spec)}")
            self.handed.add(key)
            if key in self.arrival:
                heappush(self.known, (self.arrival[key], key, spec))
            else:
                self.waiting.append((key, spec))
        if self.known:
            # In the order in which they arrived: a plan with a limit of time then decides as it did.
            self.recall(*heappop(self.known)[1:])
            return
        # A failure is final until it is forgotten: what killed its workers would mostly do so again.
        if self.waiting and self.recall_failure(*self.waiting[0]):
            self.waiting.popleft()
            return
        if self.waiting and self.engine.room:
            key, spec = self.waiting.popleft()
            self.flying[key] = spec
            self.engine.submit(key, self.work, spec)
            self.on_event(Event("started", spec))
            return
        if not self.flying and not self.waiting:
            raise ValueError("the plan is neither done nor has it anything to do")
        for landed in self.engine.landed(POLL):
            self.settle(self.flying.pop(landed.key), landed)
        trouble = self.engine.trouble()
        # Once while it lasts: it is looked at twice a second.
        if trouble and trouble != self.said:
            self.on_event(Event("waiting", text=trouble))
        self.said = trouble

    def recall(self, key: str, spec: dict[str, Any]) -> None:
        entry = self.ledger.entry(key)
        assert entry is not None
        self.recalled += 1
        try:
            self.plan.take(spec, entry.result, entry.seconds)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            text = f"the result kept under {key[:12]} is none of this plan: {type(error).__name__}: {error}"
            raise LedgerError(f"{self.ledger.path} is damaged: {text}") from error
        self.on_event(Event("recalled", spec, entry.result, seconds=entry.seconds, worker=entry.worker))

    def recall_failure(self, key: str, spec: dict[str, Any]) -> bool:
        failure = self.ledger.failure(key)
        if failure is None:
            return False
        self.lose(spec, failure.reason, failure.worker)
        return True

    def lose(self, spec: dict[str, Any], reason: str, worker: str) -> None:
        self.failed += 1
        self.plan.lose(spec, reason)
        self.on_event(Event("failed", spec, text=reason, worker=worker))

    def settle(self, spec: dict[str, Any], landed: Landed) -> None:
        found = landed.answer
        if found.text is None:
            reason = found.failure or "no reason given"
            self.ledger.fail(spec, "killed" if landed.killed else "raised", reason, found.worker)
            self.lose(spec, reason, found.worker)
            return
        result = json.loads(found.text)
        # Recorded before the plan knows of it: what a kill in between leaves is recalled, and computed only once.
        recorded = self.ledger.record(spec, result, found.seconds, found.worker)
        self.computed += 1
        self.plan.take(spec, result, found.seconds)
        kind: Literal["recorded", "differs"] = "differs" if recorded is Taken.DIFFERENT else "recorded"
        self.on_event(Event(kind, spec, result, seconds=found.seconds, worker=found.worker))
