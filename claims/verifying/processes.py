"""Distributes work among local processes.

The engines of :mod:`claims.campaigns` serve another purpose: there a worker may die or run on another machine,
and every result is kept in a ledger. Here a run that ends halfway is simply run again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context
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
        futures = {self._pool.submit(function, *unit): unit for unit in units}
        for future in as_completed(futures):
            yield futures[future], future.result()


@contextmanager
def workers(jobs: int) -> Iterator[Workers]:
    """This many new processes; with one job this process works alone."""
    if jobs == 1:
        yield Workers()
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield Workers(pool)
