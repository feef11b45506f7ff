"""What an experiment returns: readings of one number, and frequencies in many runs."""

from __future__ import annotations

from dataclasses import dataclass

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
