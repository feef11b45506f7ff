"""What is known of a named constant: its bracket, for all sizes together and for each size that was met."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claims.atlas.pictures.scenes import Axis, Dot, Level, Path, Picture, Region, Scene, Shape, Source
from claims.certificates.constants import BRACKETS, bracket_in_words
from dynamics.arithmetic import fraction, rational

ROWS = 8  # sizes that have room, those with the nearest refuted values
WIDEST = 2.0  # a bar ends here, in units of the constant: what is farther says no more, and would shrink the others


def bracket_picture(entry: Mapping[str, Any]) -> Picture | None:
    """Bars from the value in the statement to the one that is refuted, a row for each size; None where none is."""
    by_size = entry.get("by_size", {})
    if "refuted" not in entry or not by_size:
        return None
    value = _number(entry["value"])
    unit = abs(value) or 1.0
    nearest = sorted(by_size, key=lambda size: abs(_number(by_size[size]) - value))[:ROWS]
    rows = [("every size met", entry["refuted"]), *((size, by_size[size]) for size in sorted(nearest, key=_lengths))]
    shapes: list[Shape] = [Level(value, vertical=True, label="in the statement")]
    if "proved" in entry:
        shapes.append(Level(_number(entry["proved"]["value"]), vertical=True, label="proved at small sizes"))
    ends = []
    for row, (size, refuted) in enumerate(rows, 1):
        end = value + max(-WIDEST * unit, min(WIDEST * unit, _number(refuted) - value))
        ends.append(end)
        told = f"{size}: {refuted} is refuted"
        shapes += [Path([(value, -row), (end, -row)], "line", 0, told), Dot((end, -row), "token", 0, told=told)]
    margin = 0.05 * (max([value, *ends]) - min([value, *ends]))
    low, high = min([value, *ends]) - margin, max([value, *ends]) + margin
    bottom = -len(rows) - 0.6
    shapes.append(Region([(low, -0.4), (high, -0.4), (high, bottom), (low, bottom)], "outline"))
    axis = Axis("", rows=len(rows), names=tuple(size for size, _ in rows))
    caption = "dots: the nearest value met that an exact instance of the size refutes"
    told = "; ".join(f"{size}: {refuted}" for size, refuted in rows)
    alt = f"{entry['constant']} = {entry['value']}, {bracket_in_words(entry)}. {told}."
    source = Source(f"evidence/{BRACKETS.name}")
    scene = Scene(shapes, Axis(entry["constant"]), axis, caption=caption)
    return Picture(f"The bracket of {entry['constant']}", alt, source, (scene,), "")


def _number(text: str) -> float:
    return float(fraction(rational(text)))


def _lengths(size: str) -> list[tuple[str, int]]:
    return [(axis, int(length)) for axis, _, length in (part.partition("=") for part in size.split(",") if part)]
