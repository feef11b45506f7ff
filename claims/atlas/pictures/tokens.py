"""Tokens at a state: their places, velocities or next steps, their hull and, for hardmax, the cells of its vertices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from flint import fmpq

from claims.atlas.pictures.scenes import Axis, Dot, Level, Path, Picture, Point, Region, Scene, Shape
from claims.atlas.pictures.subject import Subject, axes_of, draws, floats, listed, placed, token_array, told_point
from claims.stating.statement import AT_A_STATE, Form
from dynamics.arithmetic import Array, working_precision
from dynamics.attention import leaders
from dynamics.polytopes import edges
from dynamics.system import Flow, System
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.rooted_attention import RootedAttention
from dynamics.tokens.two_prompts import TwoPrompts

BITS = 128  # the precision at which what is drawn is computed: a page shows ten of them
LONGEST_ARROW = 0.25  # the longest velocity, as a share of the tokens' diameter: arrows are not to cross the picture
MOST_IN_WIRE = 8  # hulls of more tokens in space are drawn without their edges, which are costly to decide
MOMENTS = 10  # parts of a way, as many as the style sheet has colours of moments
MOST_NAMED = 14  # tokens are numbered in a picture of up to so many: of more the numbers would hide the tokens


@draws(Flow, *AT_A_STATE)
@draws(RootedAttention, *AT_A_STATE)
def moving_tokens(subject: Subject) -> Iterator[Picture]:
    """Tokens of a flow with their velocities."""
    system = subject.system
    flow = system.flow() if isinstance(system, RootedAttention) else system
    assert isinstance(flow, Flow)
    found = token_array(flow)
    if found is None or found[0] not in flow.moving:
        return
    name, points = found
    axes = axes_of(points)
    with working_precision(BITS):
        velocities = floats(flow.velocity()[flow.moving.index(name)])
    where = f"Places: {listed([told_point(row) for row in points])}."
    shapes: list[Shape] = []
    if len(axes) == 1:
        # On a line arrows would lie on each other: the velocity is drawn against the place.
        shapes.append(Level(0.0))
        for i, (dot, row) in enumerate(zip(dots(points, [0]), velocities, strict=True)):
            (x, _), velocity = dot.point, row[0]
            shapes.append(Path([(x, 0.0), (x, velocity)], "velocity", i, arrow=True))
            shapes.append(Dot((x, velocity), "token", i, dot.label, f"{dot.told}, its velocity is {velocity:.4g}"))
        told = f"{count_of(points)}, and how fast each moves where it is. {where}"
        frame = Scene(shapes, Axis(name), Axis(f"velocity of {name}"), caption="Velocities against places")
        yield Picture("Tokens and their velocities", told, subject.source, (frame,))
        return
    places = placed(points, axes)
    across = max((math.dist(p, q) for p in places for q in places), default=0.0) or 1.0
    longest = max(math.hypot(*(row[k] for k in axes)) for row in velocities)
    scale = LONGEST_ARROW * across / longest if longest > 0 else 1.0
    shapes += [*_hull(places, axes), *wire(points, axes)]
    for i, (place, row) in enumerate(zip(places, velocities, strict=True)):
        tip = tuple(p + scale * row[k] for p, k in zip(place, axes, strict=True))
        shapes.append(Path([place, tip], "velocity", i, arrow=True))
    shapes += dots(points, axes)
    rest = "no token moves" if longest == 0 else f"arrows are velocities times {scale:.3g}"
    told, note = f"{count_of(points)}; {rest}. {where}", seen_coordinates(axes, points)
    yield Picture("Tokens and their velocities", told, subject.source, (scene(name, axes, shapes, rest),), note=note)


@draws(TwoPrompts, *AT_A_STATE)
def two_prompts(subject: Subject) -> Iterator[Picture]:
    """Tokens of two measures, and the point at which their fields are compared, as a diamond."""
    system = subject.system
    assert isinstance(system, TwoPrompts)
    axes = axes_of(system.x)
    text = f"{len(system.x)} tokens of mu and {len(system.y)} of nu, and the point p where their fields are compared."
    (point,) = placed(system.p[None, :], axes)
    rows = [[replace(dot, color=0) for dot in dots(system.x, axes)]]
    rows.append([replace(dot, color=1) for dot in dots(system.y, axes, len(system.x))])
    rows.append([Dot(point, "limit", 7, "p", f"p, where the fields are compared: {told_point(system.p)}")])
    if len(axes) == 1:  # on a line each measure has a row of its own, lest their tokens hide each other
        rows = [[replace(dot, point=(dot.point[0], -k)) for dot in row] for k, row in enumerate(rows, 1)]
    shapes: list[Shape] = [dot for row in rows for dot in row]
    frame = scene("x", axes, shapes, text, (("mu", 0), ("nu", 1)), rows=("mu", "nu", "p"))
    yield Picture("Two prompts", text, subject.source, (frame,), note=seen_coordinates(axes, system.x))


@draws(AttentionChain, Form.STATE, Form.IDENTITY, Form.STEP, Form.PROBABILITY)
def tokens_near_vertices(subject: Subject) -> Iterator[Picture]:
    """The vertices and the tokens that start near them."""
    chain = subject.system
    assert isinstance(chain, AttentionChain)
    axes = axes_of(chain.v)
    shapes: list[Shape] = [*_hull(placed(chain.v, axes), axes)]
    places, starts = placed(chain.v, axes), dots(chain.x, axes, colors=floats(chain.group))
    if len(axes) == 1:  # tokens start so near to their vertices that on one line they would hide them
        places = [(x, -1.0) for x, _ in places]
        starts = [replace(dot, point=(dot.point[0], -2.0)) for dot in starts]
    shapes += [
        Dot(point, "limit", 7, f"v_{i + 1}" if len(chain.v) <= MOST_NAMED else "", told_point(row))
        for i, (point, row) in enumerate(zip(places, chain.v, strict=True))
    ]
    text = f"{len(chain.v)} vertices and {count_of(chain.x)} that start near them, each in the colour of its vertex."
    frame = scene("x", axes, [*shapes, *starts], text, rows=("vertex", "token"))
    yield Picture("Vertices and tokens", text, subject.source, (frame,), note=seen_coordinates(axes, chain.v))


# ---------------------------------------------------------------------------------------------------------------------
# Parts of scenes that other painters use as well


def dots(points: Array, axes: list[int], first: int = 0, colors: list[float] | None = None) -> list[Dot]:
    """The tokens, numbered from 1 where they are few; coinciding ones share a label."""
    places = placed(points, axes)
    names: dict[Point, list[str]] = {}
    for i, place in enumerate(places):
        names.setdefault(place, []).append(str(first + i + 1))
    # Coinciding tokens share one label: several would be printed on each other.
    found, labelled = [], set[Point]()
    for i, (place, row) in enumerate(zip(places, points, strict=True)):
        label = ", ".join(names[place]) if len(points) <= MOST_NAMED and place not in labelled else ""
        labelled.add(place)
        color = int(colors[i]) if colors is not None else i
        found.append(Dot(place, "token", color, label, f"token {first + i + 1} at {told_point(row)}"))
    return found


def scene(
    name: str,
    axes: list[int],
    shapes: list[Shape],
    caption: str,
    keys: tuple[tuple[str, int], ...] = (),
    rows: tuple[str, ...] = (),
) -> Scene:
    """A scene of tokens: a plane, space, or lines, one for each of the `rows`."""
    if len(axes) == 1:
        return Scene(shapes, Axis(name), Axis(rows=len(rows), names=rows), caption=caption, keys=keys)
    return Scene(shapes, Axis(f"{name}, coordinate {axes[0] + 1}"), Axis(f"coordinate {axes[1] + 1}"), True, caption, keys)


def tracks(places: Sequence[Sequence[Point]]) -> list[Shape]:
    """The ways of tokens through their places at moments, colour telling the moment; those that rest have none."""
    # Ten parts at most: one for each moment would make a page of megabytes.
    found, last = list[Shape](), len(places) - 1
    bounds = sorted({round(last * k / MOMENTS) for k in range(MOMENTS + 1)})
    for i in range(len(places[0])):
        for first, end in pairwise(bounds):
            part = [now[i] for now in places[first : end + 1]]
            if any(place != part[0] for place in part):
                found.append(Path(part, "track", told=f"the way of token {i + 1}", time=(first + end) / 2 / last))
    return found


def seen_coordinates(axes: list[int], points: Array) -> str:
    """Which coordinates are seen where not all of them are."""
    d = points.shape[-1]
    return "" if len(axes) == d else f"Coordinates {', '.join(str(k + 1) for k in axes)} of {d} are drawn."


def count_of(points: Array) -> str:
    """How many tokens in how many dimensions."""
    n, d = points.shape
    return f"{n} token{'s' if n > 1 else ''} {'on a line' if d == 1 else 'in the plane' if d == 2 else f'in R^{d}'}"


def cells(system: System, axes: list[int]) -> list[Shape]:
    """The cells of hardmax in the hull of the tokens: where each of them has the largest score. In the plane only."""
    now = system.now() if hasattr(system, "now") else system
    if axes != [0, 1] or not isinstance(now, HardmaxStep) or now.x.shape[-1] != 2:
        return []
    tokens, B = floats(now.x), floats(now.B)
    found: list[Shape] = []
    for i, own in enumerate(tokens):
        part = hull_corners([(row[0], row[1]) for row in tokens])
        for other in tokens:
            gap = [own[0] - other[0], own[1] - other[1]]
            if gap != [0.0, 0.0]:
                # The cell is where <Bx, own - other> >= 0 for every other token: x on one side of B^T (own - other).
                part = clipped(part, tuple(B[0][k] * gap[0] + B[1][k] * gap[1] for k in range(2)))
        if len(part) > 2:
            found.append(Region(part, "cell", i, f"the cell of token {i + 1}"))
    return found


def attended(system: System) -> list[tuple[int, int]]:
    """Who attends to whom in the next step, as pairs of different tokens."""
    now = system.now() if hasattr(system, "now") and not hasattr(system, "neighbours") else system
    if hasattr(now, "neighbours"):
        mask = now.neighbours()
    elif isinstance(now, HardmaxStep):
        mask = leaders(now.scores())
    else:
        return []
    return [(i, j) for i in range(len(mask)) for j in range(len(mask)) if i != j and bool(mask[i, j])]


def wire(points: Array, axes: list[int]) -> list[Shape]:
    """Of tokens in space the edges of their hull, decided exactly, and three directions to tell coordinates by."""
    if len(axes) < 3:
        return []
    # Seen from one side a cloud of points has no depth: edges and axes give it one.
    places = placed(points, axes)
    low = [min(place[k] for place in places) for k in range(3)]
    size = 0.25 * max(max(place[k] for place in places) - low[k] for k in range(3)) or 1.0
    shapes: list[Shape] = []
    for k in range(3):
        tip = tuple(low[j] + (size if j == k else 0.0) for j in range(3))
        shapes += [Path([tuple(low), tip], "triad"), Dot(tip, "tip", label=f"e_{axes[k] + 1}")]
    rows = points if points.shape[-1] == 3 else points[:, axes]
    if len(rows) <= MOST_IN_WIRE and all(isinstance(value, fmpq) for value in rows.flat):
        shapes += [Path([places[i], places[j]], "wire") for i, j in edges(rows)]
    return shapes


def _hull(places: list[Point], axes: list[int]) -> list[Shape]:
    """The hull of tokens in the plane."""
    corners = hull_corners(places) if len(axes) == 2 else []
    return [Region(corners, "hull", told="the hull of the tokens")] if len(corners) > 2 else []


def hull_of(points: Array, axes: list[int]) -> list[Shape]:
    """The hull of tokens in the plane."""
    return _hull(placed(points, axes), axes)


# ---------------------------------------------------------------------------------------------------------------------
# Polygons of the plane


def hull_corners(points: Sequence[Point]) -> list[Point]:
    """The corners of the convex hull, counterclockwise."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    # Andrew's monotone chain: the lower half from the left, then the upper from the right, each without its last point.
    def half(way: Sequence[Point]) -> list[Point]:
        chain: list[Point] = []
        for c in way:
            while len(chain) > 1:
                a, b = chain[-2:]
                if (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]):
                    break
                chain.pop()
            chain.append(c)
        return chain[:-1]

    return half(ordered) + half(ordered[::-1])


def clipped(polygon: Sequence[Point], normal: Point, bound: float = 0.0) -> list[Point]:
    """The part of a convex polygon in which <normal, x> >= bound."""
    kept: list[Point] = []
    for k, end in enumerate(polygon):
        start = polygon[k - 1]
        before = normal[0] * start[0] + normal[1] * start[1] - bound
        after = normal[0] * end[0] + normal[1] * end[1] - bound
        if before * after < 0:
            share = before / (before - after)
            kept.append((start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])))
        if after >= 0:
            kept.append(end)
    return kept
