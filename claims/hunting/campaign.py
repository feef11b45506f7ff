"""Campaigns: many tasks on many processes, recorded one by one, so that whatever dies, the rest is kept.

A task is a pure function of plain data, found by its import path. A plan says which tasks to do next, from the results
it was given, in whatever order they came. :func:`run_campaign` takes results from the ledger where it has them, has an
engine compute the others, and records each as it arrives.

The engines are Dask distributed, on processes of this machine (:func:`local_engine`) or on a scheduler by address
(:func:`cluster_engine`), and this process alone (:class:`InProcess`). What may die:

- a worker: its tasks go to another. A task blamed for deaths is run once more with nothing beside it, for Dask blames
  every task that waited on a worker, too; a task that kills its worker alone as well is given up.
- the scheduler: the engine connects again for a while and submits what had not come back.
- this process: what it recorded is in the ledger; workers of this machine end with it.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import logging
import multiprocessing.resource_tracker
import os
import platform
import queue
import signal
import socket
import threading
import time
import traceback
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heappop, heappush
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, Protocol

from claims.hunting.ledger import Ledger, Recorded, canonical, task_key

AHEAD = 2
"""Tasks in flight for each worker: one runs while the next is on its way."""

ANSWER = 15.0
"""Seconds that a scheduler has to answer."""

PATIENCE = 60.0
"""Seconds for which a lost scheduler, or a cluster without workers, is waited for."""

POLL = 0.5
"""Seconds between looks at whether to stop; results are taken as they come."""

LOOK = 2.0
"""Seconds between looks at the scheduler and its workers."""


class CampaignError(Exception):
    """The campaign cannot go on; what was recorded stays, and it can be resumed. The message says why."""


class Plan(Protocol):
    """What to do next. Must depend on the results taken only, not on their order."""

    def ready(self) -> list[dict[str, Any]]:
        """Specs (plain data, each different) that can run now and were not handed out before."""
        ...

    def take(self, spec: dict[str, Any], result: dict[str, Any], seconds: float) -> None:
        """Learn the result of a task handed out, and how long it took: only a limit of time may depend on that."""
        ...

    def lose(self, spec: dict[str, Any], reason: str) -> None:
        """Learn that a task handed out will have no result: it raised, or killed its workers."""
        ...

    def done(self) -> bool:
        """Whether nothing is left to do."""
        ...


@dataclass(frozen=True)
class Answer:
    """What a worker sends back: the result as JSON text, or why there is none. Plain data.

    `failure` is the last line of a traceback; `unfit` says why this worker must not compute for this campaign.
    """

    text: str | None = None
    failure: str | None = None
    unfit: str | None = None
    seconds: float = 0.0
    worker: str = ""


@dataclass(frozen=True)
class Landed:
    """A task that came back to the engine; `killed` is set instead of an answer when it killed its workers."""

    key: str
    answer: Answer
    killed: bool = False


@dataclass(frozen=True)
class Event:
    """Something to show: a task started, was recorded, recalled from the ledger or failed, or why nothing moves."""

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


class Engine(Protocol):
    """Who computes."""

    @property
    def room(self) -> int:
        """How many more tasks it can use now."""
        ...

    def submit(self, key: str, work: str, spec: dict[str, Any]) -> None:
        """Start a task under its name."""
        ...

    def landed(self, timeout: float) -> list[Landed]:
        """The tasks that came back; waits up to `timeout` seconds for the first. Raises CampaignError."""
        ...

    def abandon(self) -> None:
        """Forget all tasks in flight."""
        ...

    def trouble(self) -> str:
        """Why nothing moves, in words; empty while all is well."""
        ...


@lru_cache
def fingerprint() -> str:
    """The code and the libraries that results rest on: the same text wherever the same spec gives the same result."""
    root = Path(__file__).parents[2]
    digest = hashlib.sha256()
    for path in sorted(path for package in ("claims", "dynamics") for path in (root / package).rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "python-flint", "scipy"))
    python = ".".join(platform.python_version_tuple()[:2])
    return f"attention-claims {version('attention-claims')} ({digest.hexdigest()[:12]}), python {python}, {libraries}"


def work_at(path: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The function at "module:name". Raises CampaignError."""
    module, _, name = path.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise CampaignError(f"there is no work {path!r}: {error}") from None


def answer(work: str, spec: str) -> Answer:
    """Run one task here: the result of the function at `work` for a spec given as JSON text."""
    began = time.process_time()
    worker = f"{socket.gethostname()}:{os.getpid()}"
    try:
        text = canonical(work_at(work)(json.loads(spec)))
        return Answer(text, seconds=time.process_time() - began, worker=worker)
    except (Exception, SystemExit) as error:  # noqa: BLE001 -- whatever a task raises is reported, and the others go on
        line = traceback.format_exception_only(error)[-1].strip()
        return Answer(failure=line, seconds=time.process_time() - began, worker=worker)


def answer_if_fit(work: str, spec: str, expected: str) -> Answer:
    """Run one task in a Dask worker, if it has the client's code and runs one task at a time."""
    reason = unfit(expected)
    return Answer(unfit=reason) if reason else answer(work, spec)


def unfit(expected: str, dask_worker: Any = None) -> str:
    """Why a Dask worker must not compute for a client with this fingerprint; empty if it may.

    Without `dask_worker`, which Dask passes to what is run beside tasks, it is the worker of the task that asks.
    """
    from distributed import get_worker  # noqa: PLC0415 -- half a second that only parallel work pays

    worker = dask_worker or get_worker()
    if fingerprint() != expected:
        return f"worker {worker.address} runs {fingerprint()}; this is {expected}"
    if worker.state.nthreads != 1:
        # The precision of balls is one per process: tasks side by side would change each other's.
        return f"worker {worker.address} runs {worker.state.nthreads} tasks at once: start it with --nthreads 1"
    return ""


class InProcess:
    """Computes in this process, one task at a time, when its result is waited for."""

    def __init__(self) -> None:
        self._next: list[tuple[str, str, str]] = []

    @property
    def room(self) -> int:
        """One task, then none."""
        return 1 - len(self._next)

    def submit(self, key: str, work: str, spec: dict[str, Any]) -> None:
        """Keep the task until :meth:`landed`."""
        self._next.append((key, work, canonical(spec)))

    def landed(self, timeout: float) -> list[Landed]:  # noqa: ARG002
        """Run the task, however long it takes."""
        done = [Landed(key, answer(work, spec)) for key, work, spec in self._next]
        self._next.clear()
        return done

    def abandon(self) -> None:
        """Forget the task."""
        self._next.clear()

    def trouble(self) -> str:
        """Nothing."""
        return ""


class DaskEngine:
    """Computes on the workers of a Dask scheduler. Made by :func:`local_engine` and :func:`cluster_engine`.

    `connect` returns a new client, or raises OSError. Tasks carry names made of their content, the work and the code.
    """

    def __init__(self, connect: Callable[[], Any], where: str, patience: float = PATIENCE) -> None:
        self._connect, self._where, self._patience = connect, where, patience
        self._client = connect()
        self._tasks: dict[str, tuple[str, str]] = {}
        self._futures: dict[str, Any] = {}
        self._arrivals: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self._attempts: Counter[str] = Counter()
        self._suspects: deque[str] = deque()
        self._trial: str | None = None
        self._trouble = ""
        self._since = 0.0
        self._workers = 0
        self._next_look = 0.0
        self._look()

    @property
    def room(self) -> int:
        """Two tasks a worker; none while a task is on trial, or while nothing moves."""
        if self._suspects or self._trial or self._trouble:
            return 0
        return max(0, AHEAD * self._workers - len(self._tasks))

    @property
    def workers(self) -> int:
        """How many there are."""
        return self._workers

    def submit(self, key: str, work: str, spec: dict[str, Any]) -> None:
        """Send the task to the scheduler."""
        self._tasks[key] = work, canonical(spec)
        self._send(key)

    def landed(self, timeout: float) -> list[Landed]:
        """Gather what has come back, and send again what was lost.

        Raises CampaignError: an unfit worker, no scheduler or no worker within the patience.
        """
        arrived = []
        with suppress(queue.Empty):
            arrived.append(self._arrivals.get(timeout=timeout))
            while True:
                arrived.append(self._arrivals.get_nowait())
        landed = [found for arrival in arrived if (found := self._gathered(*arrival)) is not None]
        self._look()
        if self._suspects and not self._futures:
            self._trial = self._suspects.popleft()
        for key in self._tasks.keys() - self._futures.keys() - set(self._suspects):
            self._send(key)
        return landed

    def abandon(self) -> None:
        """Cancel everything in flight; a task that runs ends, and its result is dropped."""
        futures = list(self._futures.values())
        for state in (self._tasks, self._futures, self._attempts, self._suspects):
            state.clear()
        self._trial = None
        if futures and self._client.status == "running":
            with suppress(Exception):  # a scheduler that is gone has forgotten them already
                self._client.cancel(futures, force=True)

    def close(self) -> None:
        """Leave the scheduler."""
        with suppress(Exception):  # whatever is wrong with a client, it is of no use any more
            self._client.close(timeout=2)

    def admit(self) -> None:
        """Make sure that there are workers and that all of them are fit. Raises CampaignError."""
        if not self._workers:
            raise CampaignError(f"the scheduler at {self._where} has no workers: start some with dask worker --nthreads 1")
        said = self._client.run(unfit, fingerprint(), on_error="return")
        for worker, reason in said.items():
            if isinstance(reason, BaseException):
                raise CampaignError(f"worker {worker} cannot compute: {reason!r}")
            if reason:
                raise CampaignError(reason)

    def trouble(self) -> str:
        """That there are no workers, or no scheduler."""
        return self._trouble

    def _send(self, key: str) -> None:
        """Submit a task; one that cannot be submitted now is sent again by :meth:`landed`."""
        work, spec = self._tasks[key]
        code = fingerprint()
        content = hashlib.sha256(f"{work} {code} {key}".encode()).hexdigest()
        self._attempts[key] += 1  # a name that failed stays failed for as long as the scheduler remembers it
        name = f"claims-{content}-{self._attempts[key]}"
        try:
            future = self._client.submit(answer_if_fit, work, spec, code, key=name)
        except Exception:
            if self._client.status == "running":
                raise
            return
        self._futures[key] = future
        arrivals = self._arrivals
        future.add_done_callback(lambda future: arrivals.put((key, future)))

    def _gathered(self, key: str, future: Any) -> Landed | None:
        """The task that arrived; None if it is no longer ours or must run again."""
        from distributed import KilledWorker  # noqa: PLC0415

        if key not in self._futures or self._futures[key] is not future:
            return None
        del self._futures[key]
        try:
            if future.status == "error":
                error = future.exception(timeout=ANSWER)
                if isinstance(error, KilledWorker):
                    return self._killed(key)
                found = Answer(failure=f"the task did not reach a worker: {error!r}")
            elif future.status == "finished":
                found = future.result(timeout=ANSWER)
            else:
                return None
        except Exception:  # noqa: BLE001 -- lost on its way, with its worker or the scheduler: it is computed again
            return None
        if found.unfit:
            raise CampaignError(found.unfit)
        return self._leaves(key, found)

    def _killed(self, key: str) -> Landed | None:
        """Put a task on trial that was on workers that died; give it up if it was alone."""
        if self._trial != key:
            self._suspects.append(key)
            return None
        return self._leaves(key, Answer(failure="each worker that ran it died, the last ones with nothing beside it"), True)

    def _leaves(self, key: str, found: Answer, killed: bool = False) -> Landed:
        del self._tasks[key]
        if self._trial == key:
            self._trial = None
        return Landed(key, found, killed)

    def _look(self) -> None:
        """See that the scheduler is there, connecting again if need be, and count its workers."""
        if self._client.status == "running" and time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + LOOK
        trouble = ""
        try:
            if self._client.status != "running":
                self.close()
                self._futures.clear()
                self._client = self._connect()
            self._workers = len(self._client.scheduler_info()["workers"])
        except Exception as error:  # noqa: BLE001 -- a client that goes down fails in many ways
            trouble = f"the scheduler at {self._where} does not answer ({error or type(error).__name__})"
        if not trouble and not self._workers:
            trouble = f"there are no workers at {self._where}"
        if not trouble:
            self._trouble = ""
        elif not self._trouble:
            self._trouble, self._since = trouble, time.monotonic()
        elif time.monotonic() - self._since > self._patience:
            raise CampaignError(f"{trouble} for {self._patience:g} s; what was recorded stays")


@contextmanager
def local_engine(jobs: int, log: Path | None = None, deaths: int = 1) -> Iterator[DaskEngine]:
    """An engine of `jobs` processes on this machine, one task each; they end with the block, and with this process.

    What Dask has to say goes to the file `log`. A task is blamed after it was on `deaths` + 1 workers that died, and given
    up when that happens again with nothing beside it.
    """
    import dask  # noqa: PLC0415 -- half a second that only parallel work pays
    from distributed import Client, LocalCluster  # noqa: PLC0415

    with _logging_to(log), _interrupts_kept_from_workers() as unblock, dask.config.set(LOCAL):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Creating scratch directories")  # slow on a busy machine, and no harm
            cluster = LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",  # not the usual port, of which a second hunt would complain
                scheduler_kwargs={"allowed_failures": deaths, "dashboard": False},
                preload=["claims.hunting.campaign"],
            )
        try:
            client = Client(cluster, set_as_default=False)
            unblock()
            engine = DaskEngine(lambda: client, "this machine")
            try:
                yield engine
            finally:
                engine.close()
                _end_workers(cluster)
        finally:
            cluster.close(timeout=10)


LOCAL = {
    # Results are small: memory that grows is the task's own, and a worker paused for it would never go on. One that
    # takes nearly all its share is still ended, as a death of the task.
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.gil.enabled": False,
}


@contextmanager
def cluster_engine(address: str, log: Path | None = None, patience: float = PATIENCE) -> Iterator[DaskEngine]:
    """An engine on the workers of the Dask scheduler at an address such as tcp://10.0.0.5:8786.

    Raises CampaignError: nobody answers there, there are no workers, or they have other code than this process. A
    scheduler lost later, or a last worker, is waited for `patience` seconds. Workers may come and go.
    """
    from distributed import Client  # noqa: PLC0415
    from distributed.comm.addressing import get_address_host_port  # noqa: PLC0415

    def connect() -> Any:
        # A client that cannot connect tries for long and leaves a thread behind: knock first.
        socket.create_connection(get_address_host_port(address, strict=True), timeout=ANSWER).close()
        return Client(address, timeout=ANSWER, set_as_default=False)

    with _logging_to(log):
        try:
            engine = DaskEngine(connect, address, patience)
        except (OSError, ValueError) as error:
            raise CampaignError(f"no Dask scheduler answers at {address}: {error}") from None
        try:
            engine.admit()
            yield engine
        finally:
            engine.abandon()
            engine.close()


def _end_workers(cluster: Any) -> None:
    """End the processes now: asked to close, a worker would first wait seconds for the task that it runs."""
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        if nanny.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(nanny.pid, signal.SIGTERM)


def dask_setup(worker: Any) -> None:
    """Called by Dask in each local worker before its first task."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)


@contextmanager
def _interrupts_kept_from_workers() -> Iterator[Callable[[], None]]:
    """Ctrl-C is for this process alone: without this a terminal sends it to every worker too, and each prints a traceback.

    Threads and processes inherit which signals are blocked. Those started until the function yielded is called, and those
    that they start later, have Ctrl-C blocked.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield lambda: None
        return
    multiprocessing.resource_tracker.ensure_running()  # started later, it would unblock the signal in passing
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})

    def unblock() -> None:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    try:
        yield unblock
    finally:
        unblock()


@contextmanager
def _logging_to(log: Path | None) -> Iterator[None]:
    """Send what Dask's loggers say in this process to a file, errors of a cluster that is closed among them."""
    if log is None:
        yield
        return
    handler = logging.FileHandler(log, delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in {"distributed", "tornado"}]
    loggers = [logging.getLogger(name) for name in {*names, "distributed", "tornado"}]
    kept = [(logger, logger.handlers, logger.propagate) for logger in loggers if logger.handlers or "." not in logger.name]
    for logger, _, _ in kept:
        logger.handlers, logger.propagate = [handler], False
    try:
        yield
    finally:
        for logger, handlers, propagate in kept:
            logger.handlers, logger.propagate = handlers, propagate
        handler.close()


def run_campaign(
    ledger: Ledger,
    plan: Plan,
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
    work_at(work)
    run = _Run(ledger, plan, work, engine, on_event)
    try:
        while not plan.done() and not stop():
            run.step()
        return Ending(run.computed, run.recalled, run.failed, plan.done())
    finally:
        engine.abandon()


class _Run:
    """The state of one :func:`run_campaign`."""

    def __init__(self, ledger: Ledger, plan: Plan, work: str, engine: Engine, on_event: Callable[[Event], None]) -> None:
        self.ledger, self.plan, self.work, self.engine, self.on_event = ledger, plan, work, engine, on_event
        self.computed = self.recalled = self.failed = 0
        self.waiting: deque[tuple[str, dict[str, Any]]] = deque()
        self.arrival = {key: number for number, key in ledger.query("SELECT number, key FROM tasks")}
        self.known: list[tuple[int, str, dict[str, Any]]] = []
        self.flying: dict[str, dict[str, Any]] = {}
        self.handed: set[str] = set()
        self.said = ""

    def step(self) -> None:
        """Recall, start or receive a task."""
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
        if trouble and trouble != self.said:
            self.on_event(Event("waiting", text=trouble))
        self.said = trouble

    def recall(self, key: str, spec: dict[str, Any]) -> None:
        """Take a task's result from the ledger."""
        entry = self.ledger.entry(key)
        assert entry is not None
        self.recalled += 1
        self.plan.take(spec, entry.result, entry.seconds)
        self.on_event(Event("recalled", spec, entry.result, seconds=entry.seconds, worker=entry.worker))

    def recall_failure(self, key: str, spec: dict[str, Any]) -> bool:
        """Take a task's failure from the ledger, if it is there."""
        failure = self.ledger.failure(key)
        if failure is None:
            return False
        self.failed += 1
        self.plan.lose(spec, failure.reason)
        self.on_event(Event("failed", spec, text=failure.reason, worker=failure.worker))
        return True

    def settle(self, spec: dict[str, Any], landed: Landed) -> None:
        """Record what came back, then tell the plan."""
        found = landed.answer
        if found.text is None:
            reason = found.failure or "no reason given"
            self.ledger.fail(spec, "killed" if landed.killed else "raised", reason, found.worker)
            self.failed += 1
            self.plan.lose(spec, reason)
            self.on_event(Event("failed", spec, text=reason, worker=found.worker))
            return
        result = json.loads(found.text)
        recorded = self.ledger.record(spec, result, found.seconds, found.worker)
        self.computed += 1
        self.plan.take(spec, result, found.seconds)
        kind: Literal["recorded", "differs"] = "differs" if recorded is Recorded.DIFFERENT else "recorded"
        self.on_event(Event(kind, spec, result, seconds=found.seconds, worker=found.worker))
