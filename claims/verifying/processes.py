"""Distributes work among local processes.

The engines of :mod:`claims.campaigns` serve another purpose: there a worker may die or run on another machine,
and every result is kept in a ledger. Here a run that ends halfway is simply run again.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.resource_tracker
import multiprocessing.util
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import wait
from typing import Any, TypeVar

Unit = TypeVar("Unit", bound=tuple[Any, ...])
Result = TypeVar("Result")

ENDED = "its process was ended: it filled the memory, or a formula ends the process"
"""What is told of a unit that ended the process it ran in."""


class Workers:
    """Worker processes, or this process alone."""

    def __init__(self, pool: ProcessPoolExecutor | None = None, jobs: int = 1) -> None:
        self._pool, self._jobs = pool, jobs

    def results(
        self, function: Callable[..., Result], units: Iterable[Unit], lost: Callable[..., Result] | None = None
    ) -> Iterator[tuple[Unit, Result]]:
        """Each unit, a tuple of arguments, with the function's result, as they finish. Raises what the function raises.

        A process that is killed, as for its memory, or exits, ends all others of its pool. What was running then is tried
        again, each in a process of its own, and has the result `lost` where that ends, too; the rest goes on in a new pool.
        """
        if self._pool is None:
            for unit in units:
                yield unit, function(*unit)
            return
        waiting = list(units)
        with _interrupts_kept_back():
            futures = {}
            with suppress(BrokenProcessPool):
                for number, unit in enumerate(waiting):
                    futures[self._pool.submit(function, *unit)] = number
        done = set[int]()
        for future in as_completed(futures):
            if isinstance(future.exception(), BrokenProcessPool) and lost is not None:
                continue
            done.add(futures[future])
            yield waiting[futures[future]], future.result()
        left = [unit for number, unit in enumerate(waiting) if number not in done]
        if left and lost is not None:
            yield from self._again(function, left, lost)

    def _again(
        self, function: Callable[..., Result], left: list[Unit], lost: Callable[..., Result]
    ) -> Iterator[tuple[Unit, Result]]:
        # A pool hands one unit more to its processes than they can take.
        suspects, rest = left[: self._jobs + 1], left[self._jobs + 1 :]
        for unit in suspects:
            with _pool(1) as alone, _interrupts_kept_back():
                future = alone.submit(function, *unit)
            yield unit, lost(*unit) if isinstance(future.exception(), BrokenProcessPool) else future.result()
        if rest:
            with workers(self._jobs) as others:
                yield from others.results(function, rest, lost)


def _pool(jobs: int) -> ProcessPoolExecutor:
    # Spawned, not forked: a fork takes along locks that other threads hold, and whatever formulas have kept.
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin)


@contextmanager
def workers(jobs: int) -> Iterator[Workers]:
    """This many new processes, which end with this one however it ends; with one job this process works alone."""
    if jobs == 1:
        yield Workers()
        return
    pool = _pool(jobs)
    try:
        yield Workers(pool, jobs)
    except BaseException:
        # An orderly end would wait for what is being decided, and that may take minutes.
        end_children()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def end_children() -> None:
    """Kill the worker processes of this one."""
    for child in multiprocessing.active_children():
        child.kill()


def release() -> None:
    """Give back what this process shares with others: one that ends at once would be said to have leaked it."""
    # As at an orderly end, which would wait for threads as well.
    multiprocessing.util._run_finalizers(0)  # type: ignore[attr-defined]  # noqa: SLF001


@contextmanager
def _interrupts_kept_back() -> Iterator[None]:
    # A terminal sends Ctrl-C to every process: what is started meanwhile never gets it, and this one gets it afterwards.
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    multiprocessing.resource_tracker.ensure_running()  # started later, it would unblock the signal in passing
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin() -> None:
    # A worker that outlives who started it would go on for ever.
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def end_too() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=end_too, daemon=True).start()
