"""The same choices made by Hypothesis, so that failures shrink.

A module of its own: the command line answers sooner without Hypothesis.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from flint import fmpq
from hypothesis import event
from hypothesis import strategies as st

from claims.instances.drawing import draw_as_it_is, draw_elsewhere, draw_instance
from claims.stating.statement import Claim, Conclusion, is_costly
from dynamics.arithmetic import Array, exact, numbers
from dynamics.system import System


@dataclass
class HypothesisDraws:
    """Choices made by Hypothesis; `positive` and `fraction` are plainer ways to numbers that others make from `dyadic`."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    small: bool = False
    chosen: list[str] = field(default_factory=list)

    def integer(self, low: int, high: int) -> int:
        return int(self.draw(_integers(low, high)))

    def choice(self, options: Sequence[Any]) -> Any:
        option = self.draw(st.sampled_from(list(options)))
        if isinstance(option, str):
            self.chosen.append(option)
        return option

    def dyadic(self, *shape: int, size: int = 4, bits: int = 4) -> Array:
        return self._array(shape, 1, size, 0, 2 * size << bits)

    def positive(self, *shape: int, size: int = 4, bits: int = 4) -> Array:
        """Multiples of 2^-bits in (0, size]."""
        return self._array(shape, 2, size, 0, (size << bits) - 1)

    def fraction(self, bits: int = 5) -> Array:
        """A multiple of 2^-bits in (0, 1): a half first, then quarters."""
        return self._array((), 2, 1, 1, (1 << bits) - 1)

    def _array(self, shape: tuple[int, ...], step: int, size: int, low: int, high: int) -> Array:
        entries = self.draw(_dyadics(math.prod(shape), step, size, low, high))
        return numbers(exact(np.array(entries, dtype=object).reshape(shape)))


# Kept, since Hypothesis looks through each strategy that is new to it, which takes longer than to draw from it.
_integers = lru_cache(maxsize=512)(st.integers)


@lru_cache(maxsize=512)
def _dyadics(count: int, step: int, size: int, low: int, high: int) -> st.SearchStrategy[list[fmpq]]:
    # The odd places of plain numbers hold the positive ones: those alone are taken by a step of two.
    def entry(index: int) -> fmpq:
        return plain_dyadic(step * index + step - 1, size)

    return st.lists(st.integers(low, high).map(entry), min_size=count, max_size=count)


def plain_dyadic(index: int, size: int) -> fmpq:
    """The dyadic numbers in [-size, size], the plainest first: 0, 1, -1, 2, ..., then halves, quarters, and so on.

    Hypothesis shrinks the index, hence numbers to those one would write on a blackboard.
    """
    level = 0
    while index > 2 * size << level:
        level += 1
    if level == 0:
        return fmpq((index + 1) // 2 * (1 if index % 2 else -1))
    place = index - (2 * size << level - 1) - 1
    return fmpq((place | 1) * (-1 if place % 2 else 1), 1 << level)


@st.composite
def drawn_instances(draw: Any, claim: Claim, conclusion: Conclusion) -> System:
    """Hypothesis strategy of :func:`draw_instance`; the kinds of start are events of the test."""
    draws = HypothesisDraws(draw, is_costly(conclusion))
    ways: list[Callable[..., System | None]] = [draw_instance]
    if claim.file is not None:
        ways += [draw_as_it_is, draw_elsewhere] if claim.draw else [draw_as_it_is]
    # Shrunk towards the first: built instances are the plainest.
    way = draw(st.sampled_from(ways))
    found = way(claim, conclusion, draws) if way is not draw_instance else None
    system = found or draw_instance(claim, conclusion, draws)
    event("start", payload=", ".join(draws.chosen) or "random")
    return system
