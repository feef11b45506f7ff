"""Sources of choices from which instances are built: a seeded generator, a float64 batch of it, or Hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from flint import fmpq
from hypothesis import strategies as st

from dynamics.arithmetic import Array, exact, numbers


@dataclass
class SeededDraws:
    """Choices from a NumPy generator, exact numbers; `chosen` remembers the kinds of start taken.

    Numbers are random; kinds are taken in turn, so that instance number `turn` of a run reaches every kind early.
    """

    rng: np.random.Generator
    small: bool = False
    turn: int = 0
    chosen: list[str] = field(default_factory=list)
    _stride: int = 1

    def integer(self, low: int, high: int) -> int:
        return int(self.rng.integers(low, high + 1))

    def choice(self, options: Sequence[Any]) -> Any:
        option = options[self.turn // self._stride % len(options)]
        self._stride *= len(options)
        if isinstance(option, str):
            self.chosen.append(option)
        return option

    def dyadic(self, *shape: int, size: int = 4, bits: int = 4) -> Array:
        return numbers(exact(self.rng.integers(-(size << bits), (size << bits) + 1, size=shape)) / fmpq(1 << bits))


@dataclass
class BatchDraws(SeededDraws):
    """The same choices for a whole float64 batch: sizes and kinds are shared, numbers are drawn per member."""

    batch: int = 256

    def dyadic(self, *shape: int, size: int = 4, bits: int = 4) -> Array:
        units = self.rng.integers(-(size << bits), (size << bits) + 1, size=(self.batch, *shape))
        return np.asarray(units / float(1 << bits))


@dataclass
class HypothesisDraws:
    """The same choices made by Hypothesis, so that failures shrink."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    small: bool = False
    chosen: list[str] = field(default_factory=list)

    def integer(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, high)))

    def choice(self, options: Sequence[Any]) -> Any:
        option = self.draw(st.sampled_from(list(options)))
        if isinstance(option, str):
            self.chosen.append(option)
        return option

    def dyadic(self, *shape: int, size: int = 4, bits: int = 4) -> Array:
        count = int(np.prod(shape))
        entry = st.integers(-(size << bits), size << bits)
        units = self.draw(st.lists(entry, min_size=count, max_size=count))
        return numbers(exact(np.array(units, dtype=object).reshape(shape)) / fmpq(1 << bits))
