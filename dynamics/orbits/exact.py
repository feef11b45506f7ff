"""Orbits of step maps, in any arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TypeVar

from dynamics.system import StepMap

S = TypeVar("S", bound=StepMap)


def orbit(start: S, steps: int) -> list[S]:
    """The states at steps 0 to `steps`, in any arithmetic."""
    return list(islice(_states(start), steps + 1))


def _states(start: S) -> Iterator[S]:
    while True:
        yield start
        start = start.step()
