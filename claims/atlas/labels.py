"""Where labels of a drawing stand: beside what they name, off other labels, marks and lines as far as there is room."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from claims.atlas.typeset import GREEK, SIGNS, escaped

SIZE = 13.0  # of text on a canvas, in its own units; the style sheet says the same
LETTER = 0.6  # how wide a letter is on average, as a part of its size: whose browser has which font is not known here
SAMPLE = 5.0  # between places on a line that labels keep off: less than the height of a letter, or a line slips through

Place = tuple[float, float]
Rectangle = tuple[float, float, float, float]  # left, top, right, bottom

LOW = re.compile(r"(?<=[A-Za-zα-ωΑ-Ω|])_([A-Za-z0-9]+)")

RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def signs(text: str) -> str:
    """The text with Greek letters and mathematical signs for how they are typed: beta_0 >= 1 as β_0 ≥ 1."""
    text = re.sub(r"\b(" + "|".join(GREEK) + r")(?![A-Za-z0-9])", lambda found: GREEK[found[1]], text)
    text = re.sub("|".join(map(re.escape, SIGNS)), lambda found: SIGNS[found[0]], text)
    text = re.sub(r"\^(\d+)", lambda found: found[1].translate(RAISED), text)
    return re.sub(r"(?<![\w)])-(?=[\d.])| - ", lambda found: found[0].replace("-", "−"), text)


def lettered(text: str) -> str:
    """The text as the inside of an SVG <text>: signs, and lowered indices."""
    # `dy` moves all that follows: an empty sign after the index moves it back, even where nothing follows.
    low = r'<tspan class="low" dy="3">\1</tspan><tspan dy="-3">&#8203;</tspan>'
    return LOW.sub(low, escaped(signs(text)))


def width(text: str) -> float:
    """About how wide a text is."""
    return LETTER * SIZE * len(LOW.sub(r"\1", signs(text)))


@dataclass
class Placer:
    """Finds room on a canvas; what is placed takes room away from what comes later."""

    canvas: Rectangle
    taken: list[Rectangle] = field(default_factory=list)
    lines: list[Place] = field(default_factory=list)

    def copy(self) -> Placer:
        """Another with the same room."""
        return Placer(self.canvas, list(self.taken), list(self.lines))

    def keep_off(self, path: Sequence[Place]) -> None:
        """Labels come to stand off this line where they can."""
        self.lines += path[:1]
        # At most 200 places a piece: a line far beyond the canvas would take millions.
        for (x, y), (u, v) in pairwise(path):
            parts = max(1, min(200, math.ceil(math.dist((x, y), (u, v)) / SAMPLE)))
            self.lines += [(x + (u - x) * k / parts, y + (v - y) * k / parts) for k in range(1, parts + 1)]

    def place(self, text: str, spots: Iterable[tuple[float, float, str]]) -> tuple[float, float, str]:
        """The best of some spots, (x, y of the base line, anchor), the earlier the better; from now on it is taken."""
        wide, found = width(text), list[tuple[float, Rectangle, tuple[float, float, str]]]()
        for rank, (x, y, anchor) in enumerate(spots):
            left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
            top, right, bottom = y - 0.8 * SIZE, left + wide, y + 0.25 * SIZE
            beyond = max(0, self.canvas[0] - left) + max(0, right - self.canvas[2])
            beyond += max(0, self.canvas[1] - top) + max(0, bottom - self.canvas[3])
            shared = sum(
                max(0.0, min(right, other[2]) - max(left, other[0])) * max(0.0, min(bottom, other[3]) - max(top, other[1]))
                for other in self.taken
            )
            crossed = sum(left <= x <= right and top <= y <= bottom for x, y in self.lines)
            # What is cut off cannot be read at all, what overlaps a text hardly, what crosses a line still can; a better
            # rank decides only between spots that are about as free.
            found.append((20 * beyond + 2 * shared + 3 * crossed + 0.3 * rank, (left, top, right, bottom), (x, y, anchor)))
        _, room, spot = min(found, key=lambda one: one[0])
        self.taken.append(room)
        return spot


def spread_apart(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Heights moved apart so that texts at them do not overlap, in their order, as far as there is room."""
    order = sorted(range(len(heights)), key=lambda k: heights[k])
    # Down first, then up again from the bottom: where there is too little room, texts leave the canvas at the top alone.
    found, last = list(heights), top - SIZE
    for k in order:
        last = found[k] = max(found[k], last + SIZE)
    last = bottom + SIZE
    for k in reversed(order):
        last = found[k] = min(found[k], last - SIZE)
    return found


def spots_around(place: Place) -> list[tuple[float, float, str]]:
    """Spots around a mark, the best first."""
    x, y = place
    near = [
        (x + 7, y - 6, "start"),
        (x - 7, y - 6, "end"),
        (x + 7, y + 15, "start"),
        (x - 7, y + 15, "end"),
        (x + 9, y + 4, "start"),
        (x - 9, y + 4, "end"),
        (x, y - 10, "middle"),
        (x, y + 18, "middle"),
    ]
    # Farther off, where marks crowd. A text stands on its line, 4 below its middle: the middle is what moves away.
    far = [(u + 1.2 * (u - x), v + 1.2 * (v - 4 - y), anchor) for u, v, anchor in near]
    return near + far


def at_end(place: Place) -> list[tuple[float, float, str]]:
    """Spots at the end of a line: beside it, then a little higher or lower, then over and under the line."""
    x, y = place
    beside = [(x + 5, y + 4 + shift, "start") for shift in (0, -6, 6, -12, 12, -18, 18, -24, 24)]
    return [*beside, *((x - 4, y + shift, "end") for shift in (-8, 17, -22, 31, -36, 45))]


def spots_along(start: Place, end: Place, is_upright: bool) -> list[tuple[float, float, str]]:
    """Spots along a line across a canvas, at either side of it."""
    (x0, y0), (x1, y1) = start, end
    if is_upright:
        return [
            (x0 + side, y1 + 11 + down, anchor)
            for down in range(0, 120, 15)
            for side, anchor in ((5, "start"), (-5, "end"))
        ]
    spots = [(x1 + 5, y0 + 4, "start")]
    for shift in (-4, 14):
        spots += [(x1 - 4, y0 + shift, "end"), (x0 + 5, y0 + shift, "start"), ((x0 + x1) / 2, y0 + shift, "middle")]
    return spots
