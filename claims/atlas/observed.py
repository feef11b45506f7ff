"""Draws what one property test drew, from its records: `python -m claims.atlas.observed FILE.jsonl --out FILE.svg`.

With observability switched on Hypothesis writes a record of each example; ours have the instance, its size, kind of start,
verdict and slack among their features. Positions are float64; nothing is decided by them.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from claims.atlas.plotting import PALETTE
from claims.atlas.typeset import escaped
from dynamics.decimals import outward
from dynamics.strict_reading import UnreadableError, read_text

TEXT = "#1b1f24"  # stands for the colour of text in what Matplotlib writes: it becomes that of the reader's page

# A colour of the style sheet for each way to decide; "no" is vacuous or undecided.
SHADES = {"exact": 0, "certified": 2, "to 60 digits": 1, "statistical": 3, "numerical": 4, "no": 7}

NEEDED = ("size", "verdict", "decided", "slack")  # features of a record that our tests write

MOST_READ = 256 << 20  # bytes; a file that has more is no day of records


class RecordsError(ValueError):
    """The file holds no records of a property test of ours; the message says what is missing."""


@dataclass(frozen=True)
class Example:
    """One example: size, kind of start, verdict, how it was decided, slack (None where there is none), seconds."""

    size: str
    start: str
    verdict: str
    decided: str
    slack: float | None
    seconds: float


def read_examples(paths: Iterable[Path], wanted: str = "") -> tuple[str, list[Example]]:
    """The examples of the one property whose name contains `wanted`, in the order in which they were drawn.

    Raises RecordsError for a file of something else, and where no property or more than one is meant.
    """
    found: dict[str, list[Example]] = {}
    for path in paths:
        try:
            lines = read_text(path, MOST_READ).splitlines()
        except UnreadableError as error:
            raise RecordsError(f"{path} is not a file of Hypothesis's records: it {error}") from None
        except OSError as error:
            raise RecordsError(f"{path} cannot be read: {error.strerror}") from None
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                record = None
            if not isinstance(record, dict):
                raise RecordsError(f"{path}, line {number} is not one of Hypothesis's records")
            features, timing = record.get("features"), record.get("timing")
            if record.get("type") != "test_case" or not isinstance(features, dict) or not features.keys() >= {*NEEDED}:
                continue  # of another test, or rejected before anything was decided
            seconds = timing.get("execute:test") if isinstance(timing, dict) else None
            example = Example(
                str(features["size"]),
                str(features.get("start", "given first")).rpartition(", ")[2],
                str(features["verdict"]),
                str(features["decided"]),
                _number(features["slack"]),
                float(seconds) if isinstance(seconds, int | float) else math.nan,
            )
            found.setdefault(str(record.get("property")), []).append(example)
    chosen = [name for name in found if wanted in name]
    if not chosen:
        raise RecordsError(f"no record of a property test{f' called {wanted!r}' if wanted else ''} with an instance in it")
    if len(chosen) > 1:
        raise RecordsError(f"records of {len(chosen)} tests: choose one with --property, such as {chosen[0]!r}")
    return chosen[0], found[chosen[0]]


def _number(text: Any) -> float | None:
    """A slack as a float: a decimal or a fraction; None where there is none, or beyond floats."""
    match = re.fullmatch(r"(-?[0-9.]+(?:e[-+]?[0-9]+)?)(?:/([0-9]+))?", str(text))
    try:
        value = float(match[1]) / float(match[2] or 1) if match else math.nan
    except (ValueError, ArithmeticError):
        return None
    return value if math.isfinite(value) else None


# ---------------------------------------------------------------------------------------------------------------------
# The picture


def picture_text(name: str, examples: Sequence[Example]) -> str:
    """The picture in words."""
    decided = Counter("vacuous or undecided" if one.decided == "no" else one.decided for one in examples)
    sizes, starts = (Counter(getattr(one, field) for one in examples) for field in ("size", "start"))
    positive = [one.slack for one in examples if one.slack is not None and one.slack > 0]
    violated = sum(one.verdict == "VIOLATED" for one in examples)
    least = ""
    if positive:
        low, high = outward(min(positive), -1, 3), outward(max(positive), 1, 3)
        least = f"The least positive slack is {low}, the largest {high}."
    return (
        f"{len(examples)} examples of {name}: {_counted(decided)}; {violated} violated. "
        f"Sizes: {_counted(sizes)}. Kinds of start: {_counted(starts)}. {least}"
    ).strip()


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.most_common())


def _as_svg(name: str, examples: Sequence[Example]) -> str:
    """Four views of the same examples, in light or dark as the reader prefers."""
    import matplotlib as mpl  # noqa: PLC0415 -- an extra, and slow to import
    from matplotlib.backends.backend_svg import FigureCanvasSVG  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    style: dict[Any, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": "draws",
        "text.color": TEXT,
        "axes.edgecolor": TEXT,
        "font.size": 8,
    }
    style |= {"xtick.color": TEXT, "ytick.color": TEXT, "axes.labelcolor": TEXT, "axes.facecolor": "none"}
    with mpl.rc_context(style):
        drawing = Figure(figsize=(9, 6.4), layout="constrained", facecolor="none")
        FigureCanvasSVG(drawing)
        ((sizes, starts), (slacks, times)) = drawing.subplots(2, 2)
        _bars(sizes, examples, "size", "by size")
        _bars(starts, examples, "start", "by kind of start")
        _slacks(slacks, examples)
        _times(times, examples)
        drawing.suptitle(f"{len(examples)} examples of {name}")
        shades = [way for way in SHADES if any(one.decided == way for one in examples)]
        for way in shades:
            sizes.bar([0], [0], color=PALETTE[SHADES[way]], label="vacuous or undecided" if way == "no" else way)
        sizes.legend(frameon=False, title="how decided")
        page = io.StringIO()
        # Without a date the same records give the same file, byte for byte.
        drawing.savefig(page, format="svg", metadata={"Date": None, "Creator": None})
    sheet = (files("claims.atlas") / "templates" / "atlas.css").read_text(encoding="utf-8")
    schemes = sheet[: sheet.index("@media print")]
    svg = page.getvalue().replace(TEXT, "var(--text)")
    for k, color in enumerate(PALETTE):
        svg = svg.replace(color, f"var(--c{k})")
    title, words = escaped(f"Examples of {name}"), escaped(picture_text(name, examples))
    inside = f'<title id="draws-title">{title}</title><desc id="draws-text">{words}</desc>'
    sheet_inside = f"<style>{schemes} svg {{ background: var(--page); }} text {{ fill: var(--text); }}</style>"
    # A function in place of a template: words may have backslashes, which a template would read.
    return re.sub(
        "<svg ([^>]*)>",
        lambda start: f'<svg {start[1]} role="img" aria-labelledby="draws-title draws-text">{inside}{sheet_inside}',
        svg,
        count=1,
    )


def _bars(axes: Any, examples: Sequence[Example], field: str, title: str) -> None:
    names = sorted({getattr(one, field) for one in examples}, key=_by_numbers, reverse=True)
    left = [0] * len(names)
    for way, color in SHADES.items():
        counts = [sum(getattr(one, field) == name and one.decided == way for one in examples) for name in names]
        axes.barh(names, counts, left=left, color=PALETTE[color])
        left = [a + b for a, b in zip(left, counts, strict=True)]
    axes.set_title(title)
    axes.set_xlabel("examples")


def _by_numbers(name: str) -> list[tuple[int, str]]:
    """A key that puts n = 10 behind n = 9."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"([0-9]+)", name)]


def _slacks(axes: Any, examples: Sequence[Example]) -> None:
    """Slacks in the order drawn: on a logarithmic scale but around zero."""
    values = [abs(one.slack) for one in examples if one.slack]
    # Linear below the least slack alone: everything that is not zero is on the logarithmic part.
    axes.set_yscale("symlog", linthresh=min(values, default=1.0))
    for number, one in enumerate(examples, 1):
        if one.slack is None:
            axes.plot([number], [0], "|", color=PALETTE[SHADES["no"]], markersize=5)
        else:
            mark = "x" if one.verdict == "VIOLATED" else "o"
            axes.plot([number], [one.slack], mark, color=PALETTE[SHADES.get(one.decided, 7)], markersize=3)
    low, high = axes.get_ylim()
    # Without violations the lower half would be empty.
    if low < 0 < high and not any(one.slack is not None and one.slack < 0 for one in examples):
        axes.set_ylim(-min(values, default=1.0), high)
    first, last = (math.log10(end(values, default=1.0)) for end in (min, max))
    powers = [k for k in range(math.ceil(first), math.floor(last) + 1) if k > first + (last - first) / 12]
    ticks = [10.0**k for k in powers[:: max(1, len(powers) // 6)]]
    axes.set_yticks([0, *ticks], ["0", *(f"{tick:.0e}" for tick in ticks)], minor=False)
    axes.set_yticks([], minor=True)
    axes.set_title("slack, in the order drawn (bars on zero: none)")
    axes.set_xlabel("example")


def _times(axes: Any, examples: Sequence[Example]) -> None:
    names = sorted({one.size for one in examples}, key=_by_numbers)
    for one in examples:
        if one.seconds > 0:
            color = PALETTE[SHADES.get(one.decided, 7)]
            axes.plot([one.seconds], [names.index(one.size)], "o", color=color, markersize=3, alpha=0.7)
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_title("time, by size")
    axes.set_xlabel("seconds")


def main(arguments: Sequence[str] | None = None) -> int:
    """Read, draw, and say in words what was drawn; 2 where a file is not what it should be."""
    parser = argparse.ArgumentParser(prog="python -m claims.atlas.observed", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help=".hypothesis/observed/*_testcases.jsonl")
    parser.add_argument("--property", default="", help="a part of the test's name, where records of several are there")
    parser.add_argument("--out", metavar="FILE", required=True, type=Path, help="the picture, SVG")
    given = parser.parse_args(arguments)
    try:
        test, examples = read_examples(given.files, given.property)
        claim = re.search(r"\[(.+)\]$", test)  # a test of ours is called test_claim[claim.conclusion]
        name = claim[1] if claim else test
        given.out.write_text(_as_svg(name, examples), encoding="utf-8")
    except RecordsError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except OSError as error:
        sys.stderr.write(f"{given.out} cannot be written: {error.strerror}\n")
        return 2
    sys.stdout.write(f"{picture_text(name, examples)}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
