"""Tasks on the workers of Dask distributed: local processes, or those of a scheduler given by its address.

What may die:

- a worker: its tasks go to another. A task blamed for deaths is run once more on its own, since Dask blames
  every task that waited on a worker, too; a task that kills its worker alone as well is given up.
- the scheduler: the engine connects again for a while and submits what had not come back.
- this process: local workers end with it.
"""

from __future__ import annotations

import hashlib
import importlib
import logging
import multiprocessing.resource_tracker
import os
import queue
import signal
import socket
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, cast

from claims.campaigns.engines import CampaignError, Landed, LostError, WorkerAnswer, answer, fingerprint
from claims.campaigns.ledger import canonical

AHEAD = 2  # tasks in flight for each worker: one runs while the next is on its way
ANSWER = 15.0  # seconds for a scheduler to answer: a busy one takes a few

# Bytes of a first message: what another service says first, read as a length, mostly means far more.
LONGEST_GREETING = 1 << 16

PATIENCE = 60.0  # seconds for a lost scheduler or worker to come back: long enough to start one by hand
LOOK = 2.0  # seconds between looks at the scheduler and its workers: each is a question to it


Made = TypeVar("Made")


def answer_if_fit(work: str, spec: str, expected: str) -> WorkerAnswer:
    """Run one task in a Dask worker, if it has the client's code and runs one task at a time."""
    reason = unfit(expected)
    return WorkerAnswer(unfit=reason) if reason else answer(work, spec)


def unfit(expected: str, dask_worker: Any = None) -> str:
    """Why a Dask worker must not compute for a client with this fingerprint; empty if it may do so.

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


def _imported(work: str) -> None:
    importlib.import_module(work.partition(":")[0])


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
        # A task on trial has to be alone: whatever ran beside it would be blamed with it.
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
        """What has come back; what was lost is sent again. Raises LostError: an unfit worker, or nobody in time."""
        arrived = []
        with suppress(queue.Empty):
            arrived.append(self._arrivals.get(timeout=timeout))
            while True:
                arrived.append(self._arrivals.get_nowait())
        landed = [found for arrival in arrived if (found := self._gathered(*arrival)) is not None]
        self._look()
        # One at a time, and with nothing beside it: then it is known who ended the worker.
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

    def prepare(self, work: str) -> None:
        """Have the workers import what does the work: that takes seconds, which are none of a budget's."""
        self._client.run(_imported, work, on_error="ignore")

    def trouble(self) -> str:
        """That there are no workers, or no scheduler."""
        return self._trouble

    def _send(self, key: str) -> None:
        work, spec = self._tasks[key]
        code = fingerprint()
        # Clients of one scheduler share what has one name: the same task of other code must not be taken for this one.
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
        from distributed import KilledWorker  # noqa: PLC0415

        # A future of an attempt that was given up may still land.
        if key not in self._futures or self._futures[key] is not future:
            return None
        del self._futures[key]
        try:
            if future.status == "error":
                error = future.exception(timeout=ANSWER)
                if isinstance(error, KilledWorker):
                    # Dask blames every task that waited on a worker that died: only one that was alone is given up.
                    if self._trial != key:
                        self._suspects.append(key)
                        return None
                    text = "each worker that ran it died, the last ones with nothing beside it"
                    return self._leaves(key, WorkerAnswer(failure=text), True)
                found = WorkerAnswer(failure=f"the task did not reach a worker: {error!r}")
            elif future.status == "finished":
                found = future.result(timeout=ANSWER)
            else:
                return None
        except Exception:  # noqa: BLE001 -- lost on its way, with its worker or the scheduler: it is computed again
            return None
        if found.unfit:
            raise LostError(found.unfit)
        return self._leaves(key, found)

    def _leaves(self, key: str, found: WorkerAnswer, killed: bool = False) -> Landed:
        del self._tasks[key]
        if self._trial == key:
            self._trial = None
        return Landed(key, found, killed)

    def _look(self) -> None:
        # Not at every call: results come by the hundred, and each look is a question to the scheduler.
        if self._client.status == "running" and time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + LOOK
        trouble = ""
        try:
            if self._client.status != "running":
                self.close()
                # What the lost scheduler knew is lost: tasks without a future are sent again.
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
            raise LostError(f"{trouble} for {self._patience:g} s")


@contextmanager
def local_engine(jobs: int, log: Path | None = None, deaths: int = 1) -> Iterator[DaskEngine]:
    """An engine of `jobs` local processes, one task each; they end with the block, and with this process.

    What Dask has to say goes to the file `log`. A task is blamed after it was on `deaths` + 1 workers that died, and given
    up when that happens again with nothing beside it.
    """
    import dask  # noqa: PLC0415 -- half a second that only parallel work pays
    from distributed import Client, LocalCluster  # noqa: PLC0415

    def make() -> tuple[Any, Any]:
        cluster = LocalCluster(
            # Processes of one thread each: precision is global in flint.
            n_workers=jobs,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",  # not the usual port, of which a second hunt would complain
            scheduler_kwargs={"allowed_failures": deaths, "dashboard": False},
            preload=[__name__],
        )
        return cluster, Client(cluster, set_as_default=False)

    with _logging_to(log), dask.config.set(LOCAL):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Creating scratch directories")  # slow on a busy machine, and no harm
            cluster, client = _kept_from_interrupts(make)
        try:
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
        with socket.create_connection(get_address_host_port(address, strict=True), timeout=ANSWER) as knock:
            if address.startswith("tcp://"):
                _recognise(knock)
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


def _recognise(knock: socket.socket) -> None:
    """Raises OSError unless the other side greets as Dask does: with the length of a short message, in 8 bytes."""
    knock.settimeout(ANSWER)
    greeting = knock.recv(8, socket.MSG_WAITALL)
    if not 0 < int.from_bytes(greeting, "little") < LONGEST_GREETING:
        raise ConnectionError("who answers there is no Dask scheduler")


def _end_workers(cluster: Any) -> None:
    # Asked to close, a worker would first wait seconds for the task that it runs.
    for nanny in cluster.workers.values():
        nanny.auto_restart = False
        if nanny.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(nanny.pid, signal.SIGTERM)


def dask_setup(worker: Any) -> None:
    """Called by Dask in each local worker before its first task."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)


def _kept_from_interrupts(make: Callable[[], Made]) -> Made:
    # A terminal sends Ctrl-C to every worker, and each would print a traceback. Threads and processes inherit which signals
    # are blocked: `make` runs in a thread that blocks this one. What is interrupted here leaves that thread behind.
    if not hasattr(signal, "pthread_sigmask"):
        return make()
    multiprocessing.resource_tracker.ensure_running()  # started later, it would unblock the signal in passing
    made: queue.SimpleQueue[tuple[Made | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            made.put((make(), None))
        except BaseException as error:  # noqa: BLE001 -- raised again where it was asked for
            made.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    found, error = made.get()
    if error is not None:
        raise error
    return cast("Made", found)


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
