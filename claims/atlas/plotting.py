"""One picture as a file of its own: SVG with its style sheet inside, or PNG drawn by Matplotlib from the same scene."""

from __future__ import annotations

import math
from importlib.resources import files
from pathlib import Path as File
from typing import Any

from claims.atlas.pictures.scenes import Dot, Level, Picture, Region, Shape
from claims.atlas.svg import COLORS, TILT, TURN, figure

PALETTE = ("#1f6fb4", "#c2410c", "#15803d", "#7e3bb5", "#a16207", "#be185d", "#0f766e", "#4b5563")
RED = "#b3261e"
"""The colours of the style sheet, in light."""

GREY = "#5b6470"


def as_svg(picture: Picture, frame: int = 0) -> str:
    """The picture as a file: one frame of it, in light or dark as its reader prefers."""
    one = Picture(picture.title, picture.alt, picture.source, (picture.frames[frame],), picture.note)
    style = (files("claims.atlas") / "templates" / "atlas.css").read_text(encoding="utf-8")
    svg = figure(one).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" width="920" height="660" ', 1)
    start = svg.index(">") + 1
    page = "svg { background: var(--page); color: var(--text); }"
    return f"{svg[:start]}<style>{style}{page}</style>{svg[start:]}\n"


def write_png(picture: Picture, path: File, frame: int = 0) -> None:
    """The picture as PNG, with its words and source as the file's own text. Raises OSError."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 -- an extra, and slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415

    scene = picture.frames[frame]
    drawing = Figure(figsize=(6.4, 4.6), dpi=150, layout="constrained")
    FigureCanvasAgg(drawing)
    axes = drawing.add_subplot()
    spatial = scene.is_spatial
    for shape in scene.shapes:
        _draw(axes, shape, spatial)
    axes.set_title(f"{picture.title}\n{scene.caption}", fontsize=9)
    if spatial:
        axes.set_axis_off()
    axes.set_xlabel(scene.x.name + (" (power of 10)" if scene.x.logarithmic else ""))
    axes.set_ylabel(scene.y.name)
    if scene.y.rows:
        rows = range(1, scene.y.rows + 1)
        axes.set_yticks([-k for k in rows], scene.y.names or [str(k) for k in rows])
    if scene.x.names:
        axes.set_xticks(range(1, len(scene.x.names) + 1), scene.x.names)
    if scene.equal or spatial:
        axes.set_aspect("equal", adjustable="datalim")
    for name, color in scene.keys:
        axes.plot([], [], color=PALETTE[color % COLORS], label=name)
    if scene.keys:
        axes.legend(fontsize=8)
    metadata = {"Title": picture.title, "Description": picture.alt, "Source": picture.source.told}
    drawing.savefig(path, format="png", metadata=metadata)


def _draw(axes: Any, shape: Shape, spatial: bool) -> None:
    if isinstance(shape, Level):
        color = RED if shape.style == "violated" else GREY
        (axes.axvline if shape.vertical else axes.axhline)(shape.at, color=color, linestyle="--", linewidth=1)
        if shape.label and shape.vertical:
            axes.annotate(
                shape.label, (shape.at, 0.98), xycoords=("data", "axes fraction"), fontsize=7, ha="right", va="top"
            )
        return
    color = GREY if shape.color is None else PALETTE[shape.color % COLORS]
    if isinstance(shape, Dot):
        if shape.style != "tip":
            x, y = _flat(shape.point, spatial)
            axes.plot([x], [y], "D" if shape.style == "limit" else "o", color=color, markersize=5, fillstyle=_fill(shape))
        if shape.label:
            axes.annotate(shape.label, _flat(shape.point, spatial), (5, 4), textcoords="offset points", fontsize=7)
        return
    points = [_flat(point, spatial) for point in shape.points]
    if isinstance(shape, Region):
        alphas = {"bar": 0.75, "band": 0.3, "outline": 0.0, "forbidden": 0.18}
        alpha = alphas.get(shape.style, 0.1) if shape.depth is None else shape.depth
        shade = RED if shape.style == "forbidden" else color
        axes.fill(*zip(*points, strict=True), color=shade, alpha=alpha, linewidth=0.5)
    elif shape.arrow and not spatial:
        axes.plot(*zip(*points, strict=True), color=color, linewidth=1.2)
        axes.annotate("", points[-1], points[-2], arrowprops={"arrowstyle": "-|>", "color": color})
    else:
        dashed = "--" if shape.style in ("edge", "zero", "dashed") else "-"
        axes.plot(
            *zip(*points, strict=True), dashed, color=color, linewidth=0.8 if shape.style in ("edge", "wire") else 1.3
        )


def _fill(dot: Dot) -> str:
    return "none" if dot.style == "limit" else "full"


def _flat(point: tuple[float, ...], spatial: bool) -> tuple[float, float]:
    """A place in the plane; of a point in space as the atlas first shows it."""
    if not spatial:
        return point[0], point[1]
    x, y, z = point
    along, depth = x * math.cos(TURN) - y * math.sin(TURN), x * math.sin(TURN) + y * math.cos(TURN)
    return along, z * math.cos(TILT) + depth * math.sin(TILT)
