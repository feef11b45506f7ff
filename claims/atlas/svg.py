"""Writes scenes as SVG: text in the colour of the page, lines in colours of the style sheet, one group for each frame.

Scenes in space are written as seen from one side; atlas.js turns them, from the coordinates kept in `data-p`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from claims.atlas.pictures.scenes import Axis, Dot, Level, Picture, Point, Region, Scene, Shape
from claims.atlas.typeset import shown

WIDTH, HEIGHT, MARGIN = 460.0, 330.0, 46.0
SMALL = 16.0
"""The margin of a scene without axes."""

LONGEST_HEAD = 7.0
"""Of an arrow."""

COLORS = 8
TURN, TILT = 0.6, 0.42
"""Angles, in radians, from which a scene in space is first seen; atlas.js begins with the same."""

Project = Callable[[Point], tuple[float, float]]


def figure(picture: Picture, mark: str = "0") -> str:
    """The picture as one <svg> element, described by its own title and text; `mark` tells it from others of the page."""
    frames = picture.frames
    spatial = any(scene.is_spatial for scene in frames)
    project, box = _view([point for scene in frames for point in scene.points()], frames[0].equal, spatial)
    name = f"picture-{mark}"
    parts = [
        f'<svg viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-labelledby="{name}-title {name}-text"'
        + (' class="spatial"' if spatial else "")
        + ">",
        f'<title id="{name}-title">{shown(picture.title)}</title><desc id="{name}-text">{shown(picture.alt)}</desc>',
    ]
    if spatial:
        center, scale = _space([point for scene in frames for point in scene.points()])
        place = ",".join(f"{value:.6g}" for value in (*center, scale, WIDTH / 2, HEIGHT / 2))
        parts[0] = parts[0][:-1] + f' data-space="{place}">'
    else:
        parts.append(_axes(frames[0], box, project, picture))
    for k, scene in enumerate(frames):
        later = ' style="display:none"' if k else ""
        parts.append(f'<g class="frame" data-frame="{k}"{later}>')
        parts += (_shape(shape, project, box, spatial) for shape in scene.shapes)
        parts.append("</g>")
    parts.append("</svg>")
    return "".join(parts)


# ---------------------------------------------------------------------------------------------------------------------
# From the data to the page

Box = tuple[float, float, float, float]


def _view(points: Sequence[Point], equal: bool, spatial: bool) -> tuple[Project, Box]:
    """Where a point of the data stands on the page, and the part of the plane that is seen: left, right, low, high."""
    if spatial:
        center, scale = _space(points)
        return lambda point: _turned(point, center, scale), (-1, 1, -1, 1)
    flat = [point for point in points if all(map(math.isfinite, point))] or [(0.0, 0.0)]
    left, right = _widened(min(p[0] for p in flat), max(p[0] for p in flat))
    low, high = _widened(min(p[1] for p in flat), max(p[1] for p in flat))
    wide, tall = WIDTH - 2 * MARGIN + 20, HEIGHT - 2 * MARGIN + 20
    across, up = wide / (right - left), tall / (high - low)
    if equal:
        across = up = min(across, up)
        middle, height = (left + right) / 2, (low + high) / 2
        left, right, low, high = (
            middle - wide / across / 2,
            middle + wide / across / 2,
            height - tall / up / 2,
            height + tall / up / 2,
        )

    def project(point: Point) -> tuple[float, float]:
        return MARGIN + 8 + (point[0] - left) * across, HEIGHT - MARGIN - (point[1] - low) * up

    return project, (left, right, low, high)


def _widened(low: float, high: float) -> tuple[float, float]:
    """A little more than the range; a range of length zero becomes one around it."""
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        room = abs(low) * 1e-3 if low else 1.0
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
    along, depth = x * math.cos(TURN) - y * math.sin(TURN), x * math.sin(TURN) + y * math.cos(TURN)
    return WIDTH / 2 + scale * along, HEIGHT / 2 - scale * (z * math.cos(TILT) + depth * math.sin(TILT))


# ---------------------------------------------------------------------------------------------------------------------
# Shapes


def _shape(shape: Shape, project: Project, box: Box, spatial: bool) -> str:
    if isinstance(shape, Level):
        return _level(shape, project, box)
    told = f"<title>{shown(shape.told)}</title>" if shape.told else ""
    kind = shape.style + ("" if shape.color is None else f" c{shape.color % COLORS}")
    if isinstance(shape, Dot):
        x, y = project(shape.point)
        data = _data([shape.point]) if spatial else ""
        label = (
            f'<text class="name" x="{x + 7:.1f}" y="{y - 6:.1f}"{data}>{shown(shape.label)}</text>' if shape.label else ""
        )
        if shape.style == "limit":
            at = f'transform="translate({x:.1f} {y:.1f})"'
            return f'<g class="{kind}"{data} {at}><path d="M0-6L6 0L0 6L-6 0Z"/>{told}</g>{label}'
        return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="4.5"{data}>{told}</circle>{label}'
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


def _level(level: Level, project: Project, box: Box) -> str:
    left, right, low, high = box
    if level.vertical:
        if not left <= level.at <= right:
            return ""
        (x0, y0), (x1, y1) = project((level.at, low)), project((level.at, high))
        side, anchor = (-4, "end") if level.at > (left + right) / 2 else (4, "start")
        label = (
            f'<text class="name" x="{x1 + side:.1f}" y="{y1 + 11:.1f}" text-anchor="{anchor}">{shown(level.label)}</text>'
        )
    else:
        if not low <= level.at <= high:
            return ""
        (x0, y0), (x1, y1) = project((left, level.at)), project((right, level.at))
        label = f'<text class="name" x="{x0 + 5:.1f}" y="{y1 - 4:.1f}">{shown(level.label)}</text>'
    line = f'<line class="{level.style}" x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}"/>'
    return line + (label if level.label else "")


# ---------------------------------------------------------------------------------------------------------------------
# Axes


def _axes(scene: Scene, box: Box, project: Project, picture: Picture) -> str:
    left, right, low, high = box
    (x0, y0), (x1, y1) = project((left, low)), project((right, high))
    parts = [f'<g class="axes"><path d="M{x0:.1f} {y1:.1f}V{y0:.1f}H{x1:.1f}"/>']
    for value, text in ticks(left, right, scene.x):
        x, _ = project((value, low))
        parts.append(
            f'<path d="M{x:.1f} {y0:.1f}v4"/><text x="{x:.1f}" y="{y0 + 15:.1f}" text-anchor="middle">{text}</text>'
        )
    for value, text in ticks(low, high, scene.y):
        _, y = project((left, value))
        parts.append(
            f'<path d="M{x0:.1f} {y:.1f}h-4"/><text x="{x0 - 6:.1f}" y="{y + 3.5:.1f}" text-anchor="end">{text}</text>'
        )
    if scene.x.name:
        parts.append(
            f'<text x="{(x0 + x1) / 2:.1f}" y="{HEIGHT - 14:.1f}" text-anchor="middle">{shown(scene.x.name)}</text>'
        )
    if scene.y.name:
        parts.append(f'<text x="{x0:.1f}" y="{y1 - 8:.1f}" text-anchor="start">{shown(scene.y.name)}</text>')
    return "".join([*parts, "</g>"])


def ticks(low: float, high: float, axis: Axis) -> list[tuple[float, str]]:
    """About five round numbers between two others, with how they are written."""
    if axis.names:
        return [(-float(k) if axis.rows else float(k), shown(name)) for k, name in enumerate(axis.names, 1) if name]
    if axis.rows:
        return [(-float(k), str(k)) for k in range(1, axis.rows + 1, 1 + axis.rows // 12)]
    if axis.logarithmic:
        first, last = math.ceil(low), math.floor(high)
        if last > first:
            step = max(1, round((last - first) / 5))
            return [(float(k), _power(k)) for k in range(first, last + 1, step)]
        return [(value, f"{10**value:.3g}") for value in (low + (high - low) * k / 4 for k in range(1, 4))]
    unit = 10 ** math.floor(math.log10((high - low) / 4))
    step = min((unit * k for k in (1, 2, 5, 10)), key=lambda one: abs((high - low) / one - 5))
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
    return f'10<tspan dy="-4" font-size="8">{str(exponent).replace("-", "−")}</tspan>'
