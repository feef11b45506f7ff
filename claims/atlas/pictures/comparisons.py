"""What recorded runs say of the comparisons of a claim: in words, and each count as an interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from claims.atlas.pictures.scenes import Axis, Dot, Level, Path, Picture, Region, Scene, Shape, Source
from claims.experiments import Comparison, Count, Majority, Word
from claims.statement import Claim, Conclusion, Form

ROWS = 6
"""Comparisons that have room in one frame."""

MORE, FEWER = 0, 1
"""Colours of the two sides of a comparison."""

Told = Comparison | Majority


def compared(claim: Claim) -> list[tuple[Conclusion, list[Told]]]:
    """The experiments of a claim with what the record says; nothing is trained, so some say nothing."""
    found: list[tuple[Conclusion, list[Told]]] = []
    for conclusion in claim.conclusions:
        if conclusion.form is Form.EXPERIMENT:
            readings = conclusion.slack(0)
            found.append((conclusion, [one for one in readings if isinstance(one, (Comparison, Majority))]))
    return found


def counts_of(reading: Told) -> list[Count]:
    """The counts that a reading compares, the one that is said to be larger first."""
    return [reading.more, reading.fewer] if isinstance(reading, Comparison) else [reading.count]


def interval_pictures(claim: Claim, source: Callable[[Sequence[Count]], Source]) -> Iterator[tuple[str, Picture]]:
    """For each experiment of which something was run: the chances that it compares, with their intervals."""
    for conclusion, readings in compared(claim):
        run = [one for one in readings if one.word is not Word.NOT_RUN]
        if run:
            told = source([count for one in run for count in counts_of(one)])
            yield conclusion.name, _intervals(conclusion.meaning, run, len(readings) - len(run), told)


def _intervals(meaning: str, run: Sequence[Told], left_out: int, source: Source) -> Picture:
    pages = [run[start : start + ROWS] for start in range(0, len(run), ROWS)]
    rows = max(map(len, pages))
    two = any(isinstance(one, Comparison) for one in run)
    keys = (("said to be more often", MORE), ("said to be less often", FEWER)) if two else (("the runs", MORE),)
    frames = []
    for number, page in enumerate(pages, 1):
        shapes: list[Shape] = [frame_of(rows)]
        if not two:
            shapes.append(Level(0.5, vertical=True, label="half of the runs"))
        for row, reading in enumerate(page, 1):
            shapes += row_of(-float(row), reading.name, list(zip(counts_of(reading), (MORE, FEWER), strict=False)))
        more = f", {number} of {len(pages)}" if len(pages) > 1 else ""
        caption = f"Dots: how often. Lines: 99 % intervals of the chance{more}"
        frames.append(Scene(shapes, Axis("chance"), Axis("", rows=rows, names=("",) * rows), caption=caption, keys=keys))
    told = [f"{one.name}: {one.text}" for one in run]
    note = meaning + (f" Not run yet: {left_out} more." if left_out else "")
    return Picture("How often, with intervals", "; ".join(told) + ".", source, tuple(frames), note)


def frame_of(rows: int) -> Region:
    """The frame of so many rows of chances."""
    return Region([(0.0, -0.4), (1.0, -0.4), (1.0, -rows - 0.6), (0.0, -rows - 0.6)], "outline")


def row_of(height: float, name: str, counts: Sequence[tuple[Count, int]], means: bool = False) -> Iterator[Shape]:
    """A name and below it, for each count and its colour, its interval, its frequency and, if wanted, its mean.

    Of a count without runs there is nothing to draw.
    """
    yield Dot((0.0, height + 0.1), "tip", label=name)
    for line, (count, color) in enumerate(counts):
        if count.runs:
            at = height - 0.05 - 0.2 * line
            low, high = count.interval
            yield Path([(low, at), (high, at)], "line", color, count.text)
            yield Dot((count.hits / count.runs, at), "token", color, told=count.text)
            if means and count.mean == count.mean:
                yield Dot((count.mean, at), "limit", color, told=f"mean {count.mean:.3g}")
