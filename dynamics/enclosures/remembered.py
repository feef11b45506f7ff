"""Enclosures, and ends of orbits, that are remembered where hypotheses and conclusions ask for them again and again.

Off unless asked for: whoever changes the code under an enclosure, as tests with planted bugs do, wants it computed again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar, cast

from dynamics.system import System

T = TypeVar("T")

MOST = 16
"""So many results are kept, those last asked for."""

_kept: ContextVar[OrderedDict[Hashable, Any] | None] = ContextVar("kept", default=None)


@contextmanager
def remembered_enclosures() -> Iterator[None]:
    """Within, the same enclosure of the same start is computed once; one within another shares its memory."""
    if _kept.get() is not None:
        yield
        return
    token = _kept.set(OrderedDict())
    try:
        yield
    finally:
        _kept.reset(token)


def once(system: object, asked: tuple[Hashable, ...], compute: Callable[[], T]) -> T:
    """What `compute` returns, or raises of ArithmeticErrors, for a system and what is asked of it; remembered if wanted."""
    kept = _kept.get()
    if kept is None or not isinstance(system, System):
        return compute()
    # By value: a hypothesis and a conclusion make equal starts anew, and arrays have no hash. Failures cost as much as
    # successes, so that they are kept, too.
    arrays = tuple((name, array.shape, tuple(array.flat)) for name, array in system.arrays().items())
    key = (type(system), arrays, asked)
    if key not in kept:
        try:
            kept[key] = compute(), None
        except ArithmeticError as error:
            kept[key] = None, error
        while len(kept) > MOST:
            kept.popitem(last=False)
    kept.move_to_end(key)
    result, failure = kept[key]
    if failure is not None:
        raise failure
    return cast("T", result)
