"""Sources of choices from which instances are built: a seeded generator, or a float64 batch of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, exact, numbers


@dataclass
class SeededDraws:
    """Choices from a NumPy generator, exact numbers; `chosen` remembers the kinds of start taken.

    Numbers are random; kinds are taken in turn, the digits of `turn` in the mixed base of the numbers of options: every
    combination comes once before one comes again, and the first choices change first. What is chosen third or later stands
    still in short runs, so the choice that matters most is to be asked first.
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

    # Dyadic, as a float holds such a number exactly: a batch and the exact instances in its rows are the same.
    def dyadic(self, *shape: int, size: int = 4, bits: int = 4) -> Array:
        return numbers(exact(self.rng.integers(-(size << bits), (size << bits) + 1, size=shape)) / fmpq(1 << bits))


@dataclass
class BatchDraws(SeededDraws):
    """The same choices for a whole float64 batch: sizes and kinds are shared, numbers are drawn per member."""

    batch: int = 256

    def dyadic(self, *shape: int, size: int = 4, bits: int = 4) -> Array:
        units = self.rng.integers(-(size << bits), (size << bits) + 1, size=(self.batch, *shape))
        return np.asarray(units / float(1 << bits))


PASSED_OVER = 7 / 8  # of sizes of one are not taken: they make most statements trivial


@dataclass
class PlannedDraws(BatchDraws):
    """A batch whose numbers are the rows of a matrix, so that a search can move them.

    Without `rows` it draws numbers and plans: what was chosen stays in `answers`, and the numbers, as parts of the largest
    size they may have, in `columns`, each an array (batch, m) in [-1, 1]. With `rows`, shape (batch, sum of m), it gives
    the answers of the plan again and reads the numbers off the rows. `largest` caps how far a size may exceed the least;
    with `rarely_one` most sizes of one are passed over.
    """

    answers: list[Any] = field(default_factory=list)
    columns: list[Array] = field(default_factory=list)
    rows: Array | None = None
    largest: int | None = None
    rarely_one: bool = False
    _answered: int = 0
    _read: int = 0

    def replaying(self, rows: Array) -> PlannedDraws:
        """The same plan over the numbers in `rows`, shape (batch, m) in [-1, 1]."""
        return replace(self, answers=self.answers, rows=rows, batch=len(rows), chosen=[], columns=[], _answered=0, _read=0)

    def numbers_drawn(self) -> Array:
        """Every number drawn so far, shape (batch, m), as parts of the largest size it may have."""
        return np.concatenate([np.empty((self.batch, 0)), *self.columns], axis=1)

    def integer(self, low: int, high: int) -> int:
        # Only what counts from one on is a size: an index of something may be any from the start.
        most = high if self.largest is None or low < 1 else min(high, low + self.largest)
        # One token, or one dimension, makes most statements trivial.
        least = 2 if self.rarely_one and low == 1 < most and self.rng.random() < PASSED_OVER else low
        return int(self._answer(lambda: super(PlannedDraws, self).integer(least, most)))

    def choice(self, options: Sequence[Any]) -> Any:
        return self._answer(lambda: super(PlannedDraws, self).choice(options))

    def _answer(self, ask: Callable[[], Any]) -> Any:
        if self.rows is None:
            self.answers.append(ask())
            return self.answers[-1]
        self._answered += 1
        return self.answers[self._answered - 1]

    def dyadic(self, *shape: int, size: int = 4, bits: int = 4) -> Array:
        if self.rows is None:
            drawn = super().dyadic(*shape, size=size, bits=bits)
            self.columns.append(drawn.reshape(self.batch, -1) / size)
            return drawn
        count = math.prod(shape)
        self._read += count
        return np.asarray(size * self.rows[:, self._read - count : self._read].reshape(self.batch, *shape))
