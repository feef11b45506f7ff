"""What an experiment returns: readings of one number, frequencies in many runs, and comparisons of samples of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import cache
from math import comb, hypot, lcm
from statistics import median
from typing import Any, Self

import scipy  # its parts are loaded when they are used

from dynamics.decimals import fixed_span, interval_text, outward


@dataclass(frozen=True)
class Reading:
    """One number of an experiment beside the printed one: they agree within a unit of its last digit."""

    name: str
    measured: float
    printed: str

    @property
    def slack(self) -> float:
        """A unit of the last printed digit minus the difference; NaN for a run that overflowed."""
        # A hair more than the unit: both are floats, and a difference of exactly one unit is rounded either way.
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
    # At no hits and at all the quantile is that of a degenerate beta distribution: the end of [0, 1] itself.
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
        # All that rounds to the printed number.
        half = last_place(self.printed) / 2
        low, high = max(float(self.printed) - half, 0.0), min(float(self.printed) + half, 1.0)
        if self.printed_runs is None:
            return low, high
        # The printed number was rounded: hits may be anything between, so that the outer ends count.
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
        return f"{self.measured:.4g} ({interval_text(low, high)} at {100 * self.level:g}%)"


class RecordError(ValueError):
    """The record of trained runs is not one; the message says what is wrong with it."""


LEVEL = 0.05
"""The chance that any of all words about trained models is borne out or its opposite by chance alone."""

# Asked beforehand, whatever was run since: a level that is shared only by what came out would be no level.
COMPARISONS = 140
"""What is asked of the record, run or not; each question has an equal part of LEVEL (Bonferroni). A test counts them."""

SHOWN = 0.95
"""The level of the intervals that show the size of an effect, each for itself. No word depends on them."""


def mean_interval(values: Sequence[Fraction], level: float = SHOWN) -> tuple[float, float]:
    """Gaffke's interval for the mean of independent numbers in [0, 1]: Clopper-Pearson's where all are 0 or 1.

    Each end is a quantile of the mean of the values and the worst one besides, 0 or 1, with weights uniform in the simplex.
    """
    error = (1 - level) / 2
    inner = sorted(values)
    return _weighted_quantile((Fraction(0), *inner), error), _weighted_quantile((*inner, Fraction(1)), 1 - error)


@cache
def _weighted_quantile(values: tuple[Fraction, ...], chance: float) -> float:
    """A quantile of the mean of sorted values with weights uniform in the simplex.

    Its density is the B-spline with these knots (Curry and Schoenberg), whose integral is a sum of splines one degree up.
    """
    knots, degree = [float(value) for value in values], len(values) - 1
    low, high = knots[0], knots[-1]
    # All values alike: their mean has one value, and the spline no width.
    if low == high:
        return low
    # Knots repeated at both ends, where the spline is to be defined up to its first and last knot.
    padded = [low] * degree + knots + [high] * degree
    below = scipy.interpolate.BSpline(padded, [0.0] * degree + [1.0] * degree, degree)

    def excess(x: float) -> float:
        return (float(below(x)) if low < x < high else float(x >= high)) - chance  # a knot at an end may be too often there

    return float(scipy.optimize.brentq(excess, low, high, xtol=1e-12))


@cache
def permutation_tails(changed: tuple[Fraction, ...], others: tuple[Fraction, ...]) -> tuple[Fraction, Fraction]:
    """How likely as many runs drawn from all have a mean at least, and one at most, as large as that of the changed ones.

    Exact, ties or not: every choice is counted, by its sum. SciPy's exact Mann-Whitney test knows no ties, and its
    permutation test draws at random where there are many choices.
    """
    runs = changed + others
    unit = lcm(*(value.denominator for value in runs))
    # Choices of each size by their sum: the coefficients of a polynomial, at a power of two that keeps them apart.
    # No coefficient reaches 2^bits: there are at most 2^len(runs) choices in all.
    bits = len(runs) + 1
    ways = [1] + [0] * len(changed)
    for value in runs:
        # Downwards, so that a run is chosen once: upwards the larger sizes would find it in the smaller ones already.
        for size in range(len(changed), 0, -1):
            ways[size] += ways[size - 1] << (bits * int(value * unit))
    numbers = [ways[-1] >> (bits * total) & ((1 << bits) - 1) for total in range(int(sum(runs) * unit) + 1)]
    found, choices = int(sum(changed) * unit), comb(len(runs), len(changed))
    return Fraction(sum(numbers[found:]), choices), Fraction(sum(numbers[: found + 1]), choices)


def two_sided(tails: tuple[Fraction, Fraction]) -> Fraction:
    """Twice the smaller tail: an answer has a direction, and either could have been found."""
    return min(Fraction(1), 2 * min(tails))


@dataclass(frozen=True)
class Sample:
    """A number in [0, 1] from each independent run that trained; `failed` are runs that did not.

    The run is the unit: what happens to the heads of one run is not independent.
    """

    values: tuple[Fraction, ...]
    failed: int = 0
    printed: bool = False
    """Whether the paper prints this setting, at its size."""
    of: Any = field(default=None, compare=False)
    """What was run, by which samples of the same runs are known."""

    @property
    def runs(self) -> int:
        """Runs that trained."""
        return len(self.values)

    @property
    def tried(self) -> int:
        """Runs, and those that failed."""
        return self.runs + self.failed

    @property
    def mean(self) -> float:
        """The mean over the runs, what the paper plots; NaN without runs."""
        return float(sum(self.values) / self.runs) if self.runs else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """An interval for the mean; everything is possible without runs."""
        return mean_interval(self.values)

    @property
    def text(self) -> str:
        """The mean, its interval, the runs, and failures if there are any."""
        low, high = self.interval
        runs = f"{self.runs} run{'s' if self.runs > 1 else ''}"
        mean = f"{self.mean:.2f} ({fixed_span(low, high)}) in {runs}" if self.runs else "no run"
        return mean + (f", {self.failed} failed to train" if self.failed else "")


class Word(StrEnum):
    """What independent runs say of a printed statement, in this re-implementation, and the `meaning` of the word."""

    meaning: str

    def __new__(cls, word: str, meaning: str = "") -> Self:
        """A member that is its word."""
        made = str.__new__(cls, word)
        made._value_, made.meaning = word, meaning
        return made

    BORNE_OUT = "borne out", "told apart from chance, in the printed direction"
    CONTRADICTED = "contradicted", "told apart in the other direction, in a setting that the paper prints"
    ELSEWHERE = "opposite at another size", "the same in a setting that it does not print"
    NOT_CARRIED = (
        "does not carry over",
        "told apart from chance in the other direction; the paper asserts it of another model",
    )
    BY_THRESHOLD = (
        "depends on our threshold",
        "the runs say the opposite at a threshold of ours; the paper prints none",
    )
    NOT_TOLD = "not told apart", "chance could be the reason; that there is no difference is not said"
    NO_ROOM = "no room to tell", "from this baseline even as many runs at the very end of the scale could not be told"
    TOO_FEW = "too few runs to tell", "no outcome of so few runs could be told from chance"
    NOT_RECORDED = "not recorded", "one side has no recorded runs"


@dataclass(frozen=True)
class Comparison:
    """A mean is larger in changed runs than in a baseline, as printed, or smaller where it does not `rise`."""

    name: str
    changed: Sample
    baseline: Sample
    rises: bool = True
    # A field, so that a test may ask with fewer: what is told of the record shares the level with all.
    among: int = COMPARISONS
    """How many questions share LEVEL."""

    @property
    def samples(self) -> dict[str, Sample]:
        """What is compared."""
        return {"changed": self.changed, "baseline": self.baseline}

    @property
    def difference(self) -> float:
        """The changed mean less that of the baseline."""
        return self.changed.mean - self.baseline.mean

    @property
    def interval(self) -> tuple[float, float]:
        """Newcombe's interval for the difference, from those of the two means."""
        (low, high), (lowest, highest) = self.changed.interval, self.baseline.interval
        mean, other = self.changed.mean, self.baseline.mean
        difference = mean - other
        return difference - hypot(mean - low, highest - other), difference + hypot(high - mean, other - lowest)

    @property
    def p(self) -> Fraction:
        """The two-sided p-value of the exact permutation test of the means; 1 where nothing can be permuted."""
        return two_sided(permutation_tails(*map(_sorted, (self.changed, self.baseline))))

    @property
    def word(self) -> Word:
        """What the runs say."""
        # Tried, not trained: runs that all failed are recorded, and say that too few are left.
        if not (self.changed.tried and self.baseline.tried):
            return Word.NOT_RECORDED
        if self._told(self.p):
            if (self.difference > 0) == self.rises:
                return Word.BORNE_OUT
            return Word.CONTRADICTED if self.changed.printed and self.baseline.printed else Word.ELSEWHERE
        most = max(self.changed.runs, self.baseline.runs)
        if not self.changed.runs or not self._told(Fraction(2, comb(most + self.baseline.runs, most))):
            return Word.TOO_FEW
        # As many runs as the larger side, all at the end of the scale: where not even these could tell, more of the same
        # cannot.
        if not self._told(self._least(most)):
            return Word.NO_ROOM
        return Word.NOT_TOLD if self._told(self._least(self.changed.runs)) else Word.TOO_FEW

    def _told(self, p: Fraction) -> bool:
        return bool(p * self.among <= LEVEL)

    def _least(self, runs: int) -> Fraction:
        """The p-value if so many changed runs all were at the end of the scale that the printed words point to."""
        return two_sided(permutation_tails((Fraction(int(self.rises)),) * runs, _sorted(self.baseline)))

    @property
    def slack(self) -> float:
        """The difference in the printed direction."""
        return self.difference if self.rises else -self.difference

    @property
    def effect(self) -> str:
        """The difference with its interval."""
        if not (self.changed.runs and self.baseline.runs):
            return ""
        low, high = self.interval
        return f"{self.difference:+.2f} ({fixed_span(low, high, signed=True)})"

    @property
    def text(self) -> str:
        """The word, both samples, the effect and the p-value."""
        text = f"{self.word}: {self.changed.text} against {self.baseline.text}"
        return f"{text}; difference {self.effect}, p = {outward(self.p, 1, 2)}" if self.effect else text


def _sorted(sample: Sample) -> tuple[Fraction, ...]:
    return tuple(sorted(sample.values))


@dataclass(frozen=True)
class Majority:
    """A number is at least a threshold in most runs: a sign test, so that the answer at every threshold is known."""

    name: str
    sample: Sample
    threshold: Fraction
    opposite: Word = Word.BY_THRESHOLD
    """The word where it is below the threshold in most runs."""
    among: int = COMPARISONS

    @property
    def samples(self) -> dict[str, Sample]:
        """What is judged."""
        return {"runs": self.sample}

    @property
    def hits(self) -> int:
        """Runs that reach the threshold."""
        return sum(value >= self.threshold for value in self.sample.values)

    @property
    def p(self) -> Fraction:
        """The two-sided p-value of the sign test."""
        return self._p(self.hits)

    def _p(self, hits: int) -> Fraction:
        runs = self.sample.runs
        # At an even chance for each run to reach the threshold: the null hypothesis that it is the median.
        ways = [comb(runs, number) for number in range(runs + 1)]
        return two_sided((Fraction(sum(ways[hits:]), 2**runs), Fraction(sum(ways[: hits + 1]), 2**runs)))

    def _told(self, hits: int) -> bool:
        return bool(self._p(hits) * self.among <= LEVEL)

    @property
    def word(self) -> Word:
        """What the runs say."""
        runs = self.sample.runs
        if not self.sample.tried:
            return Word.NOT_RECORDED
        # Not even if all runs agreed.
        if not self._told(runs):
            return Word.TOO_FEW
        if not self._told(self.hits):
            return Word.NOT_TOLD
        return Word.BORNE_OUT if 2 * self.hits > runs else self.opposite

    @property
    def thresholds(self) -> tuple[Fraction, Fraction]:
        """Borne out up to the first, the opposite above the second: the interval of the median that the test gives."""
        values = _sorted(self.sample)
        runs = len(values)
        if not self._told(runs):
            return Fraction(0), Fraction(1)
        # The test counts hits alone: the thresholds it tells apart are order statistics.
        needed = min(hits for hits in range(runs + 1) if 2 * hits > runs and self._told(hits))
        return values[runs - needed], values[needed - 1]

    @property
    def slack(self) -> float:
        """How far the threshold could be raised, with the statement borne out."""
        return float(self.thresholds[0] - self.threshold)

    @property
    def effect(self) -> str:
        """The median, and the thresholds between which nothing is told."""
        if not self.sample.runs:
            return ""
        return f"median {float(median(self.sample.values)):.2f} ({fixed_span(*self.thresholds)})"

    @property
    def text(self) -> str:
        """The word, the count, and how far the word depends on the threshold."""
        if not self.sample.runs:
            return f"{self.word}: {self.sample.text}"
        failed = f", {self.sample.failed} failed to train" if self.sample.failed else ""
        text = f"{self.hits} of {self.sample.runs} runs reach {float(self.threshold):g}{failed}"
        return f"{self.word}: {text}; {self.effect}, p = {outward(self.p, 1, 2)}"
