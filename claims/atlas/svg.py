"""Writes scenes as SVG: text in the colour of the page, lines in colours of the style sheet, one group for each frame.

Scenes in space are written as seen from one side; atlas.js turns them, from the coordinates kept in `data-p`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from html import unescape

from claims.atlas.labels import SIZE, Placer, at_end, lettered, spots_along, spots_around, spread_apart, width
from claims.atlas.pictures.scenes import Axis, Dot, Level, Path, Picture, Point, Region, Scene, Shape, points_of
from claims.atlas.typeset import escaped

WIDTH, HEIGHT = 400.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 48.0, 14.0, 26.0, 42.0
"""The margins of a scene with axes."""

WIDEST = 112.0
"""The right margin at most, for labels at the ends of lines; longer ones stand over their lines."""

SMALL = 16.0
"""The margin of a scene without axes."""

LONGEST_HEAD = 7.0
"""Of an arrow."""

COLORS, MOMENTS = 8, 10
"""Colours of things, and of moments from early to late."""

TURN, TILT = 0.6, 0.42
"""Angles, in radians, from which a scene in space is first seen; atlas.js begins with the same."""

WORDS = {"tip": "start", "word": "middle"}
"""Styles of points that are not seen, and how their labels are anchored there."""

MOST_STRETCHED = 3.0
"""Up to this ratio of their lengths two axes have one scale."""

Project = Callable[[Point], tuple[float, float]]


def figure(picture: Picture, mark: str = "0") -> str:
    """The picture as one <svg> element, described by its own title and text; `mark` tells it from others of the page."""
    frames, ground = picture.frames, picture.ground
    points = [point for scene in frames for point in scene.points()] + points_of(ground)
    spatial = any(len(point) == 3 for point in points)
    project, box = _view(points, frames, ground, spatial)
    name = f"picture-{mark}"
    place = ""
    if spatial:
        center, scale = _space(points)
        place = ",".join(f"{value:.6g}" for value in (*center, scale, WIDTH / 2, HEIGHT / 2))
        place = f' class="spatial" data-space="{place}"'
    parts = [
        f'<svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-labelledby="{name}-title {name}-text"{place}>',
        f'<title id="{name}-title">{escaped(picture.title)}</title><desc id="{name}-text">{escaped(picture.seen)}</desc>',
    ]
    placer = Placer((3.0, 0.0, WIDTH - 3.0, HEIGHT))
    if not spatial:
        parts.append(_axes(frames[0], box, project, placer))
    parts.append(_moments(picture.times))
    if ground:
        parts.append(f'<g class="ground">{_drawn(ground, project, box, spatial, placer)}</g>')
    for k, scene in enumerate(frames):
        later = ' style="display:none"' if k else ""
        inside = _drawn(scene.shapes, project, box, spatial, placer.copy())
        parts.append(f'<g class="frame" data-frame="{k}"{later}>{inside}</g>')
    parts.append("</svg>")
    return "".join(parts)


# ---------------------------------------------------------------------------------------------------------------------
# From the data to the page

Box = tuple[float, float, float, float]


def _view(points: Sequence[Point], frames: Sequence[Scene], ground: Sequence[Shape], spatial: bool) -> tuple[Project, Box]:
    """Where a point of the data stands on the page, and the part of the plane that is seen: left, right, low, high."""
    if spatial:
        center, scale = _space(points)
        return lambda point: _turned(point, center, scale), (-1, 1, -1, 1)
    flat = [point for point in points if all(map(math.isfinite, point))] or [(0.0, 0.0)]
    left, right = _widened(min(p[0] for p in flat), max(p[0] for p in flat))
    low, high = _widened(min(p[1] for p in flat), max(p[1] for p in flat))
    margin = _right_margin([*ground, *(shape for scene in frames for shape in scene.shapes)], left, right)
    edge = _left_margin(ticks(low, high, frames[0].y))
    floor = _bottom_margin(ticks(left, right, frames[0].x), frames[0].x, WIDTH - edge - margin)
    wide, tall = WIDTH - edge - margin, HEIGHT - TOP - floor
    across, up = wide / (right - left), tall / (high - low)
    if frames[0].equal and 1 / MOST_STRETCHED <= (right - left) / (high - low) <= MOST_STRETCHED:
        across = up = min(across, up)
        middle, height = (left + right) / 2, (low + high) / 2
        left, right, low, high = (
            middle - wide / across / 2,
            middle + wide / across / 2,
            height - tall / up / 2,
            height + tall / up / 2,
        )

    def project(point: Point) -> tuple[float, float]:
        return edge + (point[0] - left) * across, HEIGHT - floor - (point[1] - low) * up

    return project, (left, right, low, high)


def _left_margin(marks: Sequence[tuple[float, str]]) -> float:
    """Room for the numbers and names of the vertical axis."""
    return max((LEFT, *(_wide(text) + 12 for _, text in marks)))


def _bottom_margin(marks: Sequence[tuple[float, str]], axis: Axis, wide: float) -> float:
    """Room for the numbers and names of the horizontal axis, which are turned where they are many and long."""
    longest = max((_wide(text) for _, text in marks), default=0.0)
    return BOTTOM + longest - SIZE if _is_dense(axis, marks, wide) else BOTTOM


def _is_dense(axis: Axis, marks: Sequence[tuple[float, str]], wide: float) -> bool:
    """Whether names along an axis of such a width are turned."""
    return bool(axis.names and marks) and wide / len(marks) < max(_wide(text) for _, text in marks) + 4


def _wide(text: str) -> float:
    """How wide a text with markup is, about."""
    return width(unescape(re.sub("<[^>]*>", "", text)))


def _right_margin(shapes: Iterable[Shape], left: float, right: float) -> float:
    """Room for the labels of lines that end at the right."""
    edge = right - 0.12 * (right - left)
    found = [
        width(one.label) + 10
        for one in shapes
        if (isinstance(one, Path) and one.label and one.points[-1][0] > edge)
        or (isinstance(one, Level) and not one.vertical)
    ]
    return max((RIGHT, *(one for one in found if one <= WIDEST)))


def _widened(low: float, high: float) -> tuple[float, float]:
    """A little more than the range; a range of length zero becomes one around it."""
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        room = abs(low) / 2 or 1.0
        return low - room, high + room
    return low - 0.06 * (high - low), high + 0.06 * (high - low)


def _space(points: Sequence[Point]) -> tuple[Point, float]:
    """The middle of points in space and the scale at which all of them are seen from every side."""
    center = tuple((min(p[k] for p in points) + max(p[k] for p in points)) / 2 for k in range(3))
    reach = max(math.dist(point, center) for point in points) or 1.0
    return center, (HEIGHT / 2 - 2 * SMALL) / reach


def _turned(point: Point, center: Point, scale: float) -> tuple[float, float]:
    """Turned about the vertical axis, then tilted towards the eye; atlas.js does the same."""
    x, y, z = (point[k] - center[k] for k in range(3))
    along_, depth = x * math.cos(TURN) - y * math.sin(TURN), x * math.sin(TURN) + y * math.cos(TURN)
    return WIDTH / 2 + scale * along_, HEIGHT / 2 - scale * (z * math.cos(TILT) + depth * math.sin(TILT))


# ---------------------------------------------------------------------------------------------------------------------
# Shapes


def _drawn(shapes: Sequence[Shape], project: Project, box: Box, spatial: bool, placer: Placer) -> str:
    """The shapes in their order, and over all of them their labels, each where there is room."""
    parts = [_shape(shape, project, box, spatial) for shape in shapes]
    for shape in shapes:
        if isinstance(shape, Dot) and shape.style not in WORDS:
            placer.keep_off_mark(project(shape.point))
        elif isinstance(shape, Path):
            placer.keep_off([project(point) for point in shape.points])
        elif isinstance(shape, Region) and shape.style in ("hull", "tube"):
            placer.keep_off([project(point) for point in (*shape.points, shape.points[0])])
        elif isinstance(shape, Level) and _is_seen(shape, box):
            placer.keep_off(_across(shape, project, box))
    if not spatial:
        parts += _at_right(shapes, project, box, placer)
    parts += [_label(shape, project, box, spatial, placer) for shape in shapes]
    return "".join(parts)


def _ends_at_right(shape: Path | Dot | Level, box: Box) -> bool:
    """Whether a short label stands in the right margin, at the end of its line."""
    at = shape.points[-1][0] if isinstance(shape, Path) else -math.inf
    return at > box[1] - 0.07 * (box[1] - box[0]) and width(shape.label) + 10 <= WIDEST


def _at_right(shapes: Sequence[Shape], project: Project, box: Box, placer: Placer) -> list[str]:
    """The labels of lines that end at the right, one below the other."""
    found = [shape for shape in shapes if isinstance(shape, Path) and shape.label and _ends_at_right(shape, box)]
    ends = [project(shape.points[-1]) for shape in found]
    heights = spread_apart([y + 4 for _, y in ends], TOP, HEIGHT - BOTTOM + 4)
    return [
        _text(shape.label, "" if shape.color is None else f" c{shape.color % COLORS}", placer, [(x + 7, y, "start")])
        for shape, (x, _), y in zip(found, ends, heights, strict=True)
    ]


def _text(label: str, color: str, placer: Placer, spots: Sequence[tuple[float, float, str]]) -> str:
    x, y, anchor = placer.place(label, spots)
    return f'<text class="name{color}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{lettered(label)}</text>'


def moment(time: float) -> int:
    """Which of the colours of moments tells a time in [0, 1]."""
    return min(MOMENTS - 1, int(time * MOMENTS))


def _kind(shape: Path | Dot | Region) -> str:
    """The classes of a shape."""
    time = None if isinstance(shape, Region) else shape.time
    if time is not None:
        return f"{shape.style} t{moment(time)}"
    return shape.style + ("" if shape.color is None else f" c{shape.color % COLORS}")


def _shape(shape: Shape, project: Project, box: Box, spatial: bool) -> str:
    if isinstance(shape, Level):
        if not _is_seen(shape, box):
            return ""
        (x0, y0), (x1, y1) = _across(shape, project, box)
        return f'<line class="{shape.style}" x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}"/>'
    told = f"<title>{escaped(shape.told)}</title>" if shape.told else ""
    kind = _kind(shape)
    if isinstance(shape, Dot):
        x, y = project(shape.point)
        data = _data([shape.point]) if spatial else ""
        if shape.style == "limit":
            at = f'transform="translate({x:.1f} {y:.1f})"'
            return f'<g class="{kind}"{data} {at}><path d="M0-5L5 0L0 5L-5 0Z"/>{told}</g>'
        if shape.style in WORDS:
            return ""
        radius = 5.5 if shape.style == "mark" else 4.5
        return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}"{data}>{told}</circle>'
    places = [project(point) for point in shape.points]
    data = _data(shape.points) if spatial else ""
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    if isinstance(shape, Region):
        depth = "" if shape.depth is None else f' fill-opacity="{shape.depth:.2f}"'
        return f'<polygon class="{kind}" points="{line}"{depth}{data}>{told}</polygon>'
    head = _head(places, kind) if shape.arrow and not spatial else ""
    return f'<polyline class="{kind}" points="{line}"{data}>{told}</polyline>{head}'


def _data(points: Iterable[Point]) -> str:
    return ' data-p="' + " ".join(",".join(f"{value:.6g}" for value in point) for point in points) + '"'


def _head(places: Sequence[tuple[float, float]], kind: str) -> str:
    """The head of an arrow along the last of its path, none where it is too short to be seen."""
    x1, y1 = places[-1]
    x0, y0 = next((place for place in places[::-1] if math.dist(place, places[-1]) >= LONGEST_HEAD), places[0])
    length = math.hypot(x1 - x0, y1 - y0)
    if length < 5:
        return ""
    ux, uy, size = (x1 - x0) / length, (y1 - y0) / length, min(LONGEST_HEAD, length / 2)
    corners = [(x1, y1), *((x1 - size * ux + s * 0.45 * size * uy, y1 - size * uy - s * 0.45 * size * ux) for s in (1, -1))]
    return f'<polygon class="{kind} head" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in corners)}"/>'


def _is_seen(level: Level, box: Box) -> bool:
    low, high = box[:2] if level.vertical else box[2:]
    return low <= level.at <= high


def _across(level: Level, project: Project, box: Box) -> list[tuple[float, float]]:
    left, right, low, high = box
    ends = ((level.at, low), (level.at, high)) if level.vertical else ((left, level.at), (right, level.at))
    return [project(end) for end in ends]


def _label(shape: Shape, project: Project, box: Box, spatial: bool, placer: Placer) -> str:
    """The label of a shape, if it has one."""
    if isinstance(shape, Region) or not shape.label or (not spatial and _ends_at_right(shape, box)):
        return ""
    color = ""
    if isinstance(shape, Level):
        if not _is_seen(shape, box):
            return ""
        start, end = _across(shape, project, box)
        spots = spots_along(start, end, shape.vertical)
        color = " violated" if shape.style == "violated" else ""
    elif isinstance(shape, Dot):
        x, y = project(shape.point)
        if spatial:  # atlas.js moves it along with its point
            return (
                f'<text class="name" x="{x + 7:.1f}" y="{y - 6:.1f}"{_data([shape.point])}>{lettered(shape.label)}</text>'
            )
        spots = spots_around((x, y)) if shape.style not in WORDS else [(x + 1, y - 2, WORDS[shape.style])]
        color = " violated" if shape.style == "mark" else ""
    else:
        spots = at_end(project(shape.points[-1]))
        color = "" if shape.color is None else f" c{shape.color % COLORS}"
    return _text(shape.label, color, placer, spots)


# ---------------------------------------------------------------------------------------------------------------------
# Axes


def _axes(scene: Scene, box: Box, project: Project, placer: Placer) -> str:
    left, right, low, high = box
    (x0, y0), (x1, y1) = project((left, low)), project((right, high))
    placer.taken += [(0.0, y0 + 2, WIDTH, HEIGHT), (0.0, y1, x0, y0), (x0, 0.0, x0 + width(scene.y.name), y1 - 2)]
    parts = [f'<g class="axes"><path d="M{x0:.1f} {y1:.1f}V{y0:.1f}H{x1:.1f}"/>']
    upright = [(project((value, low))[0], text) for value, text in ticks(left, right, scene.x)]
    dense = _is_dense(scene.x, upright, x1 - x0)
    for x, text in upright:
        at = f'x="{x:.1f}" y="{y0 + 16:.1f}" text-anchor="middle"'
        if dense:
            at = f'transform="translate({x + 4:.1f} {y0 + 7:.1f}) rotate(-90)" text-anchor="end"'
        parts.append(f'<path d="M{x:.1f} {y0:.1f}v4"/><text {at}>{text}</text>')
    for value, text in ticks(low, high, scene.y):
        _, y = project((left, value))
        parts.append(
            f'<path d="M{x0:.1f} {y:.1f}h-4"/><text x="{x0 - 6:.1f}" y="{y + 4.5:.1f}" text-anchor="end">{text}</text>'
        )
    if scene.x.name:
        parts.append(
            f'<text x="{(x0 + x1) / 2:.1f}" y="{HEIGHT - 8:.1f}" text-anchor="middle">{lettered(scene.x.name)}</text>'
        )
    if scene.y.name:
        parts.append(
            f'<text x="{max(4.0, x0 - 30):.1f}" y="{y1 - 9:.1f}" text-anchor="start">{lettered(scene.y.name)}</text>'
        )
    return "".join([*parts, "</g>"])


def _moments(times: tuple[str, str] | None) -> str:
    """The key of colours that tell time, in the upper right corner."""
    if times is None:
        return ""
    first, last = times
    right = WIDTH - RIGHT - width(last) - 4
    bars = "".join(
        f'<rect class="t{k}" x="{right + 7 * (k - MOMENTS):.1f}" y="6" width="7" height="7"/>' for k in range(MOMENTS)
    )
    left = right - 7 * MOMENTS - 4
    return (
        f'<g class="moments">{bars}<text x="{left:.1f}" y="14" text-anchor="end">{lettered(first)}</text>'
        f'<text x="{WIDTH - RIGHT:.1f}" y="14" text-anchor="end">{lettered(last)}</text></g>'
    )


def ticks(low: float, high: float, axis: Axis) -> list[tuple[float, str]]:
    """About five round numbers between two others, with how they are written."""
    if axis.names or axis.rows:
        return [(-float(k) if axis.rows else float(k), lettered(name)) for k, name in enumerate(axis.names, 1) if name]
    if axis.logarithmic:
        first, last = math.ceil(low), math.floor(high)
        if last > first:
            step = max(1, round((last - first) / 5))
            return [(float(k), _power(k)) for k in range(first, last + 1, step)]
        return [(value, f"{10**value:.3g}") for value in (low + (high - low) * k / 4 for k in range(1, 4))]
    unit = 10 ** math.floor(math.log10((high - low) / 4))
    step = min((unit * k for k in (1, 2, 5, 10)), key=lambda one: abs((high - low) / one - 5))
    if axis.whole:
        step = max(1, round(step))
    first = math.ceil(low / step)
    values = [value for k in range(first, math.floor(high / step) + 1) if low <= (value := step * k) <= high]
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    largest = max((abs(value) for value in values), default=0.0)
    plain = digits <= 4 and largest < 1e5
    told = max(1, 1 + math.floor(math.log10(largest)) - math.floor(math.log10(step) + 1e-9)) if largest else 1
    return [(value, (f"{value:.{digits}f}" if plain else f"{value:.{told}g}").replace("-", "−")) for value in values]


def _power(exponent: int) -> str:
    if -2 <= exponent <= 3:
        return f"{10.0**exponent:g}"
    return f'10<tspan dy="-4" class="low">{str(exponent).replace("-", "−")}</tspan>'
