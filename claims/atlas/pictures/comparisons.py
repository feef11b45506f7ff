"""What recorded runs say of the comparisons of a claim: in words, and each sample as its values, mean and interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from claims.atlas.pictures.scenes import Axis, Dot, Level, Path, Picture, Region, Scene, Shape, Source
from claims.stating.experiments import SHOWN, Comparison, Majority, Sample, Word
from claims.stating.statement import Claim, Conclusion, Form

ROWS = 4  # comparisons that have room in one frame
SIDES = (0, 1)  # colours of the two sides of a comparison, the changed runs and the baseline

LEGEND = f"Large dots: means, with {100 * SHOWN:g} % intervals. Diamonds: the values of the runs"

Told = Comparison | Majority


def compared(claim: Claim) -> list[tuple[Conclusion, list[Told]]]:
    """The experiments of a claim with what the record says; nothing is trained, so some say nothing."""
    found: list[tuple[Conclusion, list[Told]]] = []
    for conclusion in claim.conclusions:
        if conclusion.form is Form.EXPERIMENT:
            readings = conclusion.slack(0)
            found.append((conclusion, [one for one in readings if isinstance(one, (Comparison, Majority))]))
    return found


def interval_pictures(claim: Claim, source: Callable[[Sequence[Sample]], Source]) -> Iterator[tuple[str, Picture]]:
    """For each experiment of which something was run: the samples that it judges, with their intervals."""
    for conclusion, readings in compared(claim):
        run = [one for one in readings if one.word is not Word.NOT_RECORDED]
        if run:
            told = source([sample for one in run for sample in one.samples.values()])
            yield conclusion.name, _intervals(conclusion.meaning, run, len(readings) - len(run), told)


def _intervals(meaning: str, run: Sequence[Told], left_out: int, source: Source) -> Picture:
    pages = [run[start : start + ROWS] for start in range(0, len(run), ROWS)]
    rows = max(map(len, pages))
    keys = tuple(zip(run[0].samples, SIDES, strict=False))  # a majority has one side alone
    thresholds = {one.threshold for one in run if isinstance(one, Majority)}
    frames = []
    for number, page in enumerate(pages, 1):
        shapes: list[Shape] = [frame_of(rows)]
        shapes += [Level(float(one), vertical=True, label="threshold") for one in thresholds]
        for row, reading in enumerate(page, 1):
            samples = list(zip(reading.samples.values(), SIDES, strict=False))
            shapes += row_of(-float(row), f"{reading.name}: {reading.word}", samples)
        more = f", {number} of {len(pages)}" if len(pages) > 1 else ""
        axis = Axis("", rows=rows, names=("",) * rows)
        frames.append(Scene(shapes, Axis("proportion"), axis, caption=f"{LEGEND}{more}", keys=keys))
    told = [f"{one.name}: {one.text}" for one in run]
    note = meaning + (f" Not recorded: {left_out} more." if left_out else "")
    return Picture("Runs, with intervals of their means", "; ".join(told) + ".", source, tuple(frames), note)


def frame_of(rows: int) -> Region:
    """The frame of so many rows of proportions."""
    return Region([(0.0, -0.4), (1.0, -0.4), (1.0, -rows - 0.6), (0.0, -rows - 0.6)], "outline")


def row_of(height: float, name: str, samples: Sequence[tuple[Sample, int]]) -> Iterator[Shape]:
    """A name, if it has one, and below it for each sample and its colour its runs, their mean and its interval.

    Of a sample without runs there is nothing to draw.
    """
    if name:
        yield Dot((0.0, height + 0.2), "tip", label=name)
    for line, (sample, color) in enumerate(samples):
        if sample.runs:
            at = height - 0.12 - 0.26 * line
            low, high = sample.interval
            yield Path([(low, at), (high, at)], "line", color, sample.text)
            for value, runs in sorted(Counter(sample.values).items()):
                yield Dot((float(value), at), "limit", color, told=f"{runs} of {sample.runs} runs at {float(value):.3g}")
            yield Dot((sample.mean, at), "token", color, told=sample.text)
