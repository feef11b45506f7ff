"""Writes scenes as SVG: text in the colour of the page, lines in colours of the style sheet, one group for each frame.

Scenes in space are written as seen from one side; atlas.js turns them, from the coordinates kept in `data-p`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import unescape

from claims.atlas.labels import SIZE, Placer, at_end, lettered, spots_along, spots_around, spread_apart, width
from claims.atlas.pictures.scenes import Axis, Dot, Level, Path, Picture, Point, Region, Scene, Shape, points_of
from claims.atlas.typeset import escaped

WIDTH, HEIGHT = 400.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 48.0, 14.0, 26.0, 42.0  # margins of a scene with axes: numbers left and below, names above
WIDEST = 112.0  # the right margin at most: a longer label stands over its line, or the scene would be too narrow
SMALL = 16.0  # the margin of a scene without axes
LONGEST_HEAD = 7.0  # of an arrow: a head of a fixed share would hide the token that a long arrow leads to
COLORS, MOMENTS = 8, 10  # colours of the style sheet: of things, and of moments from early to late
TURN, TILT = 0.6, 0.42  # radians, from where a scene in space is first seen; atlas.js begins with the same
WORDS = {"tip": "start", "word": "middle"}  # styles of points that only carry a label, and how it is anchored there
MOST_STRETCHED = 3.0  # up to this ratio of their lengths two axes have one scale

Place = tuple[float, float]


def figure(picture: Picture, mark: str = "0") -> str:
    """The picture as one <svg> element, described by its own title and text; `mark` tells it from others of the page."""
    frames, ground = picture.frames, picture.ground
    points = [point for scene in frames for point in scene.points()] + points_of(ground)
    placer = Placer((3.0, 0.0, WIDTH - 3.0, HEIGHT))
    place = axes = ""
    if any(len(point) == 3 for point in points):
        center = tuple((min(p[k] for p in points) + max(p[k] for p in points)) / 2 for k in range(3))
        # By the distance from the middle, not by the extent seen first: turned to any side, all points stay on the canvas.
        scale = (HEIGHT / 2 - 2 * SMALL) / (max(math.dist(point, center) for point in points) or 1.0)
        place = ",".join(f"{value:.6g}" for value in (*center, scale, WIDTH / 2, HEIGHT / 2))
        place = f' class="spatial" data-space="{place}"'

        def project(point: Point) -> Place:
            along, up = turned([a - b for a, b in zip(point, center, strict=True)])
            return WIDTH / 2 + scale * along, HEIGHT / 2 - scale * up

        canvas = _Canvas(project, (-1, 1, -1, 1), spatial=True)
    else:
        canvas = _plane(points, frames, ground)
        axes = _axes(frames[0], canvas, placer)
    name = f"picture-{mark}"
    parts = [
        f'<svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-labelledby="{name}-title {name}-text"{place}>',
        f'<title id="{name}-title">{escaped(picture.title)}</title><desc id="{name}-text">{escaped(picture.seen)}</desc>',
        axes,
    ]
    if picture.times is not None:
        # The key of colours that tell time goes to the upper right: the name of the vertical axis has the upper left.
        first, last = picture.times
        right = WIDTH - RIGHT - width(last) - 4
        bars = "".join(
            f'<rect class="t{k}" x="{right + 7 * (k - MOMENTS):.1f}" y="6" width="7" height="7"/>' for k in range(MOMENTS)
        )
        parts.append(
            f'<g class="moments">{bars}<text x="{right - 7 * MOMENTS - 4:.1f}" y="14" text-anchor="end">{lettered(first)}'
            f'</text><text x="{WIDTH - RIGHT:.1f}" y="14" text-anchor="end">{lettered(last)}</text></g>'
        )
    if ground:
        parts.append(f'<g class="ground">{canvas.drawn(ground, placer)}</g>')
    for k, scene in enumerate(frames):
        later = ' style="display:none"' if k else ""
        # Frames are seen one at a time: labels of one need not keep off those of another, only off the ground's.
        parts.append(f'<g class="frame" data-frame="{k}"{later}>{canvas.drawn(scene.shapes, placer.copy())}</g>')
    return "".join([*parts, "</svg>"])


def turned(point: Sequence[float]) -> Place:
    """Across and up, as a point (x, y, z) is first seen: turned about the vertical axis, then tilted towards the eye."""
    x, y, z = point
    along, depth = x * math.cos(TURN) - y * math.sin(TURN), x * math.sin(TURN) + y * math.cos(TURN)
    return along, z * math.cos(TILT) + depth * math.sin(TILT)


# ---------------------------------------------------------------------------------------------------------------------
# From the data to the page


def _plane(points: Sequence[Point], frames: Sequence[Scene], ground: Sequence[Shape]) -> _Canvas:
    """A canvas with axes, whose margins have room for their numbers and for labels at the ends of lines."""
    flat = [point for point in points if all(map(math.isfinite, point))] or [(0.0, 0.0)]
    left, right = _widened([p[0] for p in flat])
    low, high = _widened([p[1] for p in flat])
    near_end = right - 0.12 * (right - left)
    labels = [
        width(one.label) + 10
        for one in (*ground, *(shape for scene in frames for shape in scene.shapes))
        if (isinstance(one, Path) and one.label and one.points[-1][0] > near_end)
        or (isinstance(one, Level) and not one.vertical)
    ]
    margin = max((RIGHT, *(one for one in labels if one <= WIDEST)))
    edge = max((LEFT, *(_wide(text) + 12 for _, text in ticks(low, high, frames[0].y))))
    wide = WIDTH - edge - margin
    names = ticks(left, right, frames[0].x)
    longest = max((_wide(text) for _, text in names), default=0.0)
    # Names that are turned upright need their length below the axis, where a line of text needs its height.
    floor = BOTTOM + longest - SIZE if _is_dense(frames[0].x, names, wide) else BOTTOM
    tall = HEIGHT - TOP - floor
    across, up = wide / (right - left), tall / (high - low)
    # One scale for both axes, but not where one direction would shrink to a line.
    if frames[0].equal and 1 / MOST_STRETCHED <= (right - left) / (high - low) <= MOST_STRETCHED:
        across = up = min(across, up)
        middle, height = (left + right) / 2, (low + high) / 2
        left, right = middle - wide / across / 2, middle + wide / across / 2
        low, high = height - tall / up / 2, height + tall / up / 2

    def project(point: Point) -> Place:
        return edge + (point[0] - left) * across, HEIGHT - floor - (point[1] - low) * up

    return _Canvas(project, (left, right, low, high))


def _widened(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    # Below this the range is rounding of equal numbers; ticks of it would have more digits than floats.
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        room = abs(low) / 2 or 1.0
        return low - room, high + room
    return low - 0.06 * (high - low), high + 0.06 * (high - low)


def _is_dense(axis: Axis, marks: Sequence[tuple[float, str]], wide: float) -> bool:
    """Whether names along an axis of such a width are turned."""
    return bool(axis.names and marks) and wide / len(marks) < max(_wide(text) for _, text in marks) + 4


def _wide(text: str) -> float:
    """How wide a text with markup is, about."""
    return width(unescape(re.sub("<[^>]*>", "", text)))


# ---------------------------------------------------------------------------------------------------------------------
# Shapes


@dataclass(frozen=True)
class _Canvas:
    """Where a point of the data stands on the page, and the part of the plane that is seen: left, right, low, high."""

    project: Callable[[Point], Place]
    box: tuple[float, float, float, float]
    spatial: bool = False

    def drawn(self, shapes: Sequence[Shape], placer: Placer) -> str:
        """The shapes in their order, and over all of them their labels, each where there is room."""
        parts = [self.shape(shape) for shape in shapes]
        # Before any label is placed: else the first ones would stand where later shapes are.
        for shape in shapes:
            if isinstance(shape, Dot) and shape.style not in WORDS:
                x, y = self.project(shape.point)
                placer.taken.append((x - 5, y - 5, x + 5, y + 5))
            elif isinstance(shape, Path):
                placer.keep_off([self.project(point) for point in shape.points])
            elif isinstance(shape, Region) and shape.style in ("hull", "tube"):
                placer.keep_off([self.project(point) for point in (*shape.points, shape.points[0])])
            elif isinstance(shape, Level):
                placer.keep_off(self.across(shape))
        # Labels in the right margin are spread together: one by one, the first would take the place of the next line's.
        at_right = [] if self.spatial else [one for one in shapes if isinstance(one, Path) and self._ends_at_right(one)]
        ends = [self.project(shape.points[-1]) for shape in at_right]
        heights = spread_apart([y + 4 for _, y in ends], TOP, HEIGHT - BOTTOM + 4)
        for shape, (x, _), y in zip(at_right, ends, heights, strict=True):
            parts.append(_text(shape.label, _color(shape.color), placer, [(x + 7, y, "start")]))
        return "".join(parts + [self.label(shape, placer) for shape in shapes])

    def _ends_at_right(self, shape: Path) -> bool:
        left, right, *_ = self.box
        near_end = shape.points[-1][0] > right - 0.07 * (right - left)
        return bool(shape.label) and near_end and width(shape.label) + 10 <= WIDEST

    def across(self, level: Level) -> list[Place]:
        """The ends of a line across the canvas; none of one beyond its edge."""
        left, right, low, high = self.box
        if not (left <= level.at <= right if level.vertical else low <= level.at <= high):
            return []
        ends = ((level.at, low), (level.at, high)) if level.vertical else ((left, level.at), (right, level.at))
        return [self.project(end) for end in ends]

    def data(self, points: Iterable[Point]) -> str:
        """The coordinates from which atlas.js turns a shape in space."""
        if not self.spatial:
            return ""
        return ' data-p="' + " ".join(",".join(f"{value:.6g}" for value in point) for point in points) + '"'

    def shape(self, shape: Shape) -> str:
        """A shape without its label."""
        if isinstance(shape, Level):
            if not (ends := self.across(shape)):
                return ""
            (x0, y0), (x1, y1) = ends
            return f'<line class="{shape.style}" x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}"/>'
        said = f"<title>{escaped(shape.told)}</title>" if shape.told else ""
        time = None if isinstance(shape, Region) else shape.time
        kind = shape.style + (_color(shape.color) if time is None else f" t{moment(time)}")
        if isinstance(shape, Dot):
            (x, y), data = self.project(shape.point), self.data([shape.point])
            if shape.style == "limit":
                at = f'transform="translate({x:.1f} {y:.1f})"'
                return f'<g class="{kind}"{data} {at}><path d="M0-5L5 0L0 5L-5 0Z"/>{said}</g>'
            radius = 5.5 if shape.style == "mark" else 4.5
            circle = f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}"{data}>{said}</circle>'
            return "" if shape.style in WORDS else circle
        places = [self.project(point) for point in shape.points]
        data = self.data(shape.points)
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        if isinstance(shape, Region):
            depth = "" if shape.depth is None else f' fill-opacity="{shape.depth:.2f}"'
            return f'<polygon class="{kind}" points="{line}"{depth}{data}>{said}</polygon>'
        # In space a head would have to be turned with its arrow; the path alone is.
        head = _head(places, kind) if shape.arrow and not self.spatial else ""
        return f'<polyline class="{kind}" points="{line}"{data}>{said}</polyline>{head}'

    def label(self, shape: Shape, placer: Placer) -> str:
        """The label of a shape, if it has one that does not stand in the right margin."""
        if isinstance(shape, Region) or not shape.label:
            return ""
        if isinstance(shape, Level):
            if not (ends := self.across(shape)):
                return ""
            color = " violated" if shape.style == "violated" else ""
            return _text(shape.label, color, placer, spots_along(ends[0], ends[1], shape.vertical))
        if isinstance(shape, Path):
            if not self.spatial and self._ends_at_right(shape):
                return ""
            return _text(shape.label, _color(shape.color), placer, at_end(self.project(shape.points[-1])))
        x, y = self.project(shape.point)
        if self.spatial:
            # Not placed where there is room: atlas.js moves it along with its point.
            at = f'x="{x + 7:.1f}" y="{y - 6:.1f}"{self.data([shape.point])}'
            return f'<text class="name" {at}>{lettered(shape.label)}</text>'
        spots = spots_around((x, y)) if shape.style not in WORDS else [(x + 1, y - 2, WORDS[shape.style])]
        return _text(shape.label, " violated" if shape.style == "mark" else "", placer, spots)


def moment(time: float) -> int:
    """Which of the colours of moments tells a time in [0, 1]."""
    return min(MOMENTS - 1, int(time * MOMENTS))


def _color(color: int | None) -> str:
    return "" if color is None else f" c{color % COLORS}"


def _text(label: str, color: str, placer: Placer, spots: Sequence[tuple[float, float, str]]) -> str:
    x, y, anchor = placer.place(label, spots)
    return f'<text class="name{color}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{lettered(label)}</text>'


def _head(places: Sequence[Place], kind: str) -> str:
    x1, y1 = places[-1]
    # Along what is as long as the head itself: the last piece of a winding path may be too short to tell a direction.
    x0, y0 = next((place for place in places[::-1] if math.dist(place, places[-1]) >= LONGEST_HEAD), places[0])
    length = math.hypot(x1 - x0, y1 - y0)
    if length < 5:
        return ""
    ux, uy, size = (x1 - x0) / length, (y1 - y0) / length, min(LONGEST_HEAD, length / 2)
    corners = [(x1, y1), *((x1 - size * ux + s * 0.45 * size * uy, y1 - size * uy - s * 0.45 * size * ux) for s in (1, -1))]
    return f'<polygon class="{kind} head" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in corners)}"/>'


# ---------------------------------------------------------------------------------------------------------------------
# Axes


def _axes(scene: Scene, canvas: _Canvas, placer: Placer) -> str:
    left, right, low, high = canvas.box
    (x0, y0), (x1, y1) = canvas.project((left, low)), canvas.project((right, high))
    placer.taken += [(0.0, y0 + 2, WIDTH, HEIGHT), (0.0, y1, x0, y0), (x0, 0.0, x0 + width(scene.y.name), y1 - 2)]
    parts = [f'<g class="axes"><path d="M{x0:.1f} {y1:.1f}V{y0:.1f}H{x1:.1f}"/>']
    marks = ticks(left, right, scene.x)
    dense = _is_dense(scene.x, marks, x1 - x0)
    for value, text in marks:
        x, _ = canvas.project((value, low))
        at = f'x="{x:.1f}" y="{y0 + 16:.1f}" text-anchor="middle"'
        if dense:
            at = f'transform="translate({x + 4:.1f} {y0 + 7:.1f}) rotate(-90)" text-anchor="end"'
        parts.append(f'<path d="M{x:.1f} {y0:.1f}v4"/><text {at}>{text}</text>')
    for value, text in ticks(low, high, scene.y):
        _, y = canvas.project((left, value))
        at = f'x="{x0 - 6:.1f}" y="{y + 4.5:.1f}" text-anchor="end"'
        parts.append(f'<path d="M{x0:.1f} {y:.1f}h-4"/><text {at}>{text}</text>')
    if scene.x.name:
        at = f'x="{(x0 + x1) / 2:.1f}" y="{HEIGHT - 8:.1f}" text-anchor="middle"'
        parts.append(f"<text {at}>{lettered(scene.x.name)}</text>")
    if scene.y.name:
        # Over the axis, not turned beside it: a turned name takes width from the scene.
        parts.append(
            f'<text x="{max(4.0, x0 - 30):.1f}" y="{y1 - 9:.1f}" text-anchor="start">{lettered(scene.y.name)}</text>'
        )
    return "".join([*parts, "</g>"])


def ticks(low: float, high: float, axis: Axis) -> list[tuple[float, str]]:
    """About five round numbers between two others, with how they are written."""
    if axis.names or axis.rows:
        return [(-float(k) if axis.rows else float(k), lettered(name)) for k, name in enumerate(axis.names, 1) if name]
    if axis.logarithmic:
        first, last = math.ceil(low), math.floor(high)
        if last > first:
            step = max(1, round((last - first) / 5))
            return [(float(k), _power(k)) for k in range(first, last + 1, step)]
        # Less than two powers of ten would be one tick, or none.
        return [(value, f"{10**value:.3g}") for value in (low + (high - low) * k / 4 for k in range(1, 4))]
    unit = 10 ** math.floor(math.log10((high - low) / 4))
    step = min((unit * k for k in (1, 2, 5, 10)), key=lambda one: abs((high - low) / one - 5))
    if axis.whole:
        step = max(1, round(step))
    first = math.ceil(low / step)
    values = [value for k in range(first, math.floor(high / step) + 1) if low <= (value := step * k) <= high]
    # log10 of 0.001 may be a little above -3: without the summand a digit would be missing.
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    largest = max((abs(value) for value in values), default=0.0)
    plain = digits <= 4 and largest < 1e5
    # Enough significant digits to tell neighbouring ticks of large numbers apart.
    told = max(1, 1 + math.floor(math.log10(largest)) - math.floor(math.log10(step) + 1e-9)) if largest else 1
    return [(value, (f"{value:.{digits}f}" if plain else f"{value:.{told}g}").replace("-", "−")) for value in values]


def _power(exponent: int) -> str:
    if -2 <= exponent <= 3:
        return f"{10.0**exponent:g}"
    return f'10<tspan dy="-4" class="low">{str(exponent).replace("-", "−")}</tspan>'
