"""Orbits of step maps, in any arithmetic."""

from __future__ import annotations

from itertools import accumulate, repeat
from typing import TypeVar

from dynamics.system import StepMap

S = TypeVar("S", bound=StepMap)


def orbit(start: S, steps: int) -> list[S]:
    """The states at steps 0 to `steps`, in any arithmetic."""
    return list(accumulate(repeat(None, steps), lambda state, _: state.step(), initial=start))
