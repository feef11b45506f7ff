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

from claims.instances.drawing import draw_as_it_is, draw_elsewhere, draw_instance, is_costly
from claims.statement import Assumption, Claim, Conclusion
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
        return self._array(shape, _dyadics(math.prod(shape), size, bits))

    def positive(self, *shape: int, size: int = 4, bits: int = 4) -> Array:
        """Multiples of 2^-bits in (0, size]."""
        return self._array(shape, _positives(math.prod(shape), size, bits))

    def fraction(self, bits: int = 5) -> Array:
        """A multiple of 2^-bits in (0, 1): a half first, then quarters."""
        return self._array((), _fractions(bits))

    def _array(self, shape: tuple[int, ...], entries: st.SearchStrategy[list[fmpq]]) -> Array:
        return numbers(exact(np.array(self.draw(entries), dtype=object).reshape(shape)))


# Hypothesis looks through each strategy that is new to it, which takes longer than to draw from it.


def _exactly(count: int, entry: st.SearchStrategy[fmpq]) -> st.SearchStrategy[list[fmpq]]:
    return st.lists(entry, min_size=count, max_size=count)


@lru_cache(maxsize=512)
def _integers(low: int, high: int) -> st.SearchStrategy[int]:
    return st.integers(low, high)


@lru_cache(maxsize=512)
def _dyadics(count: int, size: int, bits: int) -> st.SearchStrategy[list[fmpq]]:
    return _exactly(count, st.integers(0, 2 * size << bits).map(lambda index: plain_dyadic(index, size)))


@lru_cache(maxsize=512)
def _positives(count: int, size: int, bits: int) -> st.SearchStrategy[list[fmpq]]:
    odd = st.integers(0, (size << bits) - 1).map(lambda index: abs(plain_dyadic(2 * index + 1, size)))
    return _exactly(count, odd)


@lru_cache(maxsize=512)
def _fractions(bits: int) -> st.SearchStrategy[list[fmpq]]:
    return _exactly(1, st.integers(1, (1 << bits) - 1).map(lambda index: abs(plain_dyadic(2 * index + 1, 1))))


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
def drawn_instances(draw: Any, claim: Claim, conclusion: Conclusion, without: Sequence[Assumption] = ()) -> System:
    """Hypothesis strategy of :func:`draw_instance`; the kinds of start are events of the test."""
    draws = HypothesisDraws(draw, is_costly(conclusion))
    ways: list[Callable[..., System | None]] = [draw_instance]
    if claim.file is not None and not without:
        ways += [draw_as_it_is, draw_elsewhere] if claim.draw else [draw_as_it_is]
    way = draw(st.sampled_from(ways))
    found = way(claim, conclusion, draws) if way is not draw_instance else None
    system = found or draw_instance(claim, conclusion, draws, without)
    event("start", payload=", ".join(draws.chosen) or "random")
    return system
