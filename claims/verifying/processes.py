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
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import wait
from typing import Any, TypeVar

Unit = TypeVar("Unit", bound=tuple[Any, ...])
Result = TypeVar("Result")


class Workers:
    """Worker processes, or this process alone."""

    def __init__(self, pool: ProcessPoolExecutor | None = None) -> None:
        self._pool = pool

    def results(self, function: Callable[..., Result], units: Iterable[Unit]) -> Iterator[tuple[Unit, Result]]:
        """Each unit, a tuple of arguments, with the function's result, as they finish. Raises what the function raises."""
        if self._pool is None:
            for unit in units:
                yield unit, function(*unit)
            return
        with _interrupts_kept_back():
            futures = {self._pool.submit(function, *unit): unit for unit in units}
        for future in as_completed(futures):
            yield futures[future], future.result()


@contextmanager
def workers(jobs: int) -> Iterator[Workers]:
    """This many new processes, which end with this one however it ends; with one job this process works alone."""
    if jobs == 1:
        yield Workers()
        return
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin)
    try:
        yield Workers(pool)
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
    """What is started meanwhile never gets Ctrl-C, which a terminal sends to every process; this one gets it afterwards."""
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
    """In a worker: end when the process that started it has ended."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
