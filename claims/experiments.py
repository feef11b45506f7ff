"""What an experiment returns: readings of one number, frequencies in many runs, and comparisons of two frequencies."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import scipy  # its parts are loaded when they are used


@dataclass(frozen=True)
class Reading:
    """One number of an experiment beside the printed one: they agree within a unit of its last digit."""

    name: str
    measured: float
    printed: str

    @property
    def slack(self) -> float:
        """A unit of the last printed digit minus the difference; NaN for a run that overflowed."""
        return 1.0000001 * last_place(self.printed) - abs(self.measured - float(self.printed))

    @property
    def text(self) -> str:
        """The measured number as text."""
        return f"{self.measured:.6g}"


def last_place(printed: str) -> float:
    """A unit of the last digit of a printed number."""
    digits, _, exponent = printed.lower().partition("e")
    return float(10.0 ** (int(exponent or 0) - len(digits.partition(".")[2])))


def clopper_pearson(hits: float, runs: int, level: float) -> tuple[float, float]:
    """The exact confidence interval for a probability, after `hits` hits in independent `runs`."""
    error = (1 - level) / 2
    low = float(scipy.special.betaincinv(hits, runs - hits + 1, error)) if hits > 0 else 0.0
    high = float(scipy.special.betaincinv(hits + 1, runs - hits, 1 - error)) if hits < runs else 1.0
    return low, high


@dataclass(frozen=True)
class Frequency:
    """How often something happened in independent runs, beside the printed frequency.

    They agree if their intervals meet: the Clopper-Pearson interval of the runs at `level`, and what rounds to the
    printed number, or the interval of this at the same level where it was itself counted in `printed_runs` runs.
    """

    name: str
    hits: int
    runs: int
    printed: str
    printed_runs: int | None = None
    level: float = 0.999

    @property
    def measured(self) -> float:
        """The fraction of the runs that were hits."""
        return self.hits / self.runs

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the runs."""
        return clopper_pearson(self.hits, self.runs, self.level)

    @property
    def printed_interval(self) -> tuple[float, float]:
        """The interval of the printed number."""
        half = last_place(self.printed) / 2
        low, high = max(float(self.printed) - half, 0.0), min(float(self.printed) + half, 1.0)
        if self.printed_runs is None:
            return low, high
        ends = (clopper_pearson(part * self.printed_runs, self.printed_runs, self.level) for part in (low, high))
        (lowest, _), (_, highest) = ends
        return lowest, highest

    @property
    def slack(self) -> float:
        """The overlap of the two intervals, below zero for a gap between them."""
        (low, high), (printed_low, printed_high) = self.interval, self.printed_interval
        return min(high, printed_high) - max(low, printed_low)

    @property
    def text(self) -> str:
        """The measured frequency and its interval as text."""
        low, high = self.interval
        return f"{self.measured:.4g} ({low:.4g} to {high:.4g} at {100 * self.level:g}%)"


@dataclass(frozen=True)
class Count:
    """In how many independent runs something happened; `failed` are runs that did not train and are not among `runs`.

    The run is the unit: what happens to the heads of one run is not independent. `mean` is the size of the effect, as a
    mean over the runs of what the paper averages; NaN where there is none.
    """

    hits: int
    runs: int
    failed: int = 0
    mean: float = float("nan")
    level: float = 0.99
    of: Any = field(default=None, compare=False)
    """What was run, by which counts of the same runs are known."""

    @property
    def tried(self) -> int:
        """Runs, and those that failed."""
        return self.runs + self.failed

    @property
    def interval(self) -> tuple[float, float]:
        """The Clopper-Pearson interval of the chance; everything is possible without runs."""
        return clopper_pearson(self.hits, self.runs, self.level) if self.runs else (0.0, 1.0)

    @property
    def text(self) -> str:
        """Hits of runs, the interval, the mean effect, and failures if there are any."""
        low, high = self.interval
        mean = "" if self.mean != self.mean else f", mean {self.mean:.2f}"
        failed = f", {self.failed} failed to train" if self.failed else ""
        return f"{self.hits} of {self.runs} ({low:.2f} to {high:.2f}{mean}{failed})"


class RecordError(ValueError):
    """The record of trained runs is not one; the message says what is wrong with it."""


class Word(StrEnum):
    """What independent runs say of a printed comparison, at their size and in this re-implementation."""

    BORNE_OUT = "borne out"
    CONTRADICTED = "contradicted"
    NOT_SEEN = "not seen"
    TOO_FEW = "too few seeds to tell"
    NOT_RUN = "not run"


EFFECT = 0.5
"""A difference of chances as large as this is one that the printed words promise; smaller ones may be there unseen."""


@dataclass(frozen=True)
class Comparison:
    """It happens more often in runs of one kind than of another, as printed: two counts, both intervals at their level."""

    name: str
    more: Count
    fewer: Count

    @property
    def difference(self) -> tuple[float, float]:
        """How much more often it happens, at least and at most."""
        (low, high), (lowest, highest) = self.more.interval, self.fewer.interval
        return low - highest, high - lowest

    @property
    def word(self) -> Word:
        """The standing at this size."""
        low, high = self.difference
        if not (self.more.tried and self.fewer.tried):
            return Word.NOT_RUN
        if not (self.more.runs and self.fewer.runs):
            return Word.TOO_FEW
        if low > 0:
            return Word.BORNE_OUT
        if high < 0:
            return Word.CONTRADICTED
        return Word.NOT_SEEN if high < EFFECT else Word.TOO_FEW

    @property
    def slack(self) -> float:
        """How much more often at least."""
        return self.difference[0]

    @property
    def text(self) -> str:
        """The word and both counts."""
        return f"{self.word}: {self.more.text} against {self.fewer.text}"


@dataclass(frozen=True)
class Majority:
    """It happens in most runs, as printed."""

    name: str
    count: Count

    @property
    def word(self) -> Word:
        """The standing at this size."""
        low, high = self.count.interval
        if not self.count.tried:
            return Word.NOT_RUN
        if low > 0.5:
            return Word.BORNE_OUT
        return Word.CONTRADICTED if high < 0.5 else Word.TOO_FEW

    @property
    def slack(self) -> float:
        """How far the chance exceeds a half at least."""
        return self.count.interval[0] - 0.5

    @property
    def text(self) -> str:
        """The word and the count."""
        return f"{self.word}: {self.count.text}"
