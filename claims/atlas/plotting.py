"""One picture as a file of its own: SVG with its style sheet inside, or PNG drawn by Matplotlib from the same scene."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from pathlib import Path as File
from typing import Any

from claims.atlas.labels import LOW, signs
from claims.atlas.pictures.scenes import Dot, Level, Path, Picture, Region, Shape
from claims.atlas.svg import COLORS, MOST_STRETCHED, WORDS, figure, moment, turned

# Colours of the style sheet in light, of things and of moments from early to late: a PNG cannot follow its reader.
PALETTE = ("#1f6fb4", "#c2410c", "#15803d", "#7e3bb5", "#a16207", "#be185d", "#0f766e", "#4b5563")
TIMES = ("#c97a00", "#db7643", "#d55d5c", "#d0366f", "#b63390", "#9630aa", "#6a2cc0", "#5925a4", "#421d81", "#14104a")
RED, GREY = "#b3261e", "#5b6470"

SHORT = 12  # letters of a label that stands beyond the end of its line; a longer one stands over it


def as_svg(picture: Picture, frame: int = 0) -> str:
    """The picture as a file: one frame of it, in light or dark as its reader prefers."""
    one = replace(picture, frames=(picture.frames[frame],))
    style = (files("claims.atlas") / "templates" / "atlas.css").read_text(encoding="utf-8")
    svg = figure(one).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" ', 1)
    start = svg.index(">") + 1
    page = "svg { background: var(--page); color: var(--text); max-width: 100%; height: auto; }"
    return f"{svg[:start]}<style>{style}{page}</style>{svg[start:]}\n"


def write_png(picture: Picture, path: File, frame: int = 0) -> None:
    """The picture as PNG, with its words and source as the file's own text. Raises OSError."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 -- an extra, and slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415

    scene = picture.frames[frame]
    # A Figure without pyplot: nothing of the user's display or settings has a part in what is written.
    drawing = Figure(figsize=(6.4, 4.6), dpi=150, layout="constrained")
    FigureCanvasAgg(drawing)
    axes = drawing.add_subplot()
    spatial = scene.is_spatial
    for shape in (*picture.ground, *scene.shapes):
        _draw(axes, shape, spatial)
    axes.set_title(f"{picture.title}\n{scene.caption}", fontsize=9, wrap=True)
    if spatial:
        axes.set_axis_off()
    # The data of a logarithmic axis are exponents already: Matplotlib's own scale would take their logarithm again.
    axes.set_xlabel(_typeset(scene.x.name) + (" (power of 10)" if scene.x.logarithmic else ""))
    axes.set_ylabel(_typeset(scene.y.name))
    if scene.y.rows:
        axes.set_yticks([-k for k in range(1, 1 + len(scene.y.names))], scene.y.names)
    if scene.x.whole:
        axes.locator_params(axis="x", integer=True)
    if scene.x.names:
        axes.set_xticks(range(1, len(scene.x.names) + 1), scene.x.names)
    axes.spines[["top", "right"]].set_visible(False)
    across, up = (abs(high - low) for low, high in (axes.get_xlim(), axes.get_ylim()))
    if spatial or (scene.equal and 1 / MOST_STRETCHED <= across / up <= MOST_STRETCHED):
        axes.set_aspect("equal", adjustable="datalim")
    for name, color in scene.keys:
        axes.plot([], [], color=PALETTE[color % COLORS], label=name)
    if scene.keys:
        axes.legend(fontsize=8)
    metadata = {"Title": picture.title, "Description": picture.alt, "Source": picture.source.told}
    drawing.savefig(path, format="png", metadata=metadata)


def _draw(axes: Any, shape: Shape, spatial: bool) -> None:
    color = GREY
    # What is forbidden or violated is red whatever it is a picture of; only then do moments and things have colours.
    if shape.style in ("mark", "violated") or shape.style.startswith("forbidden"):
        color = RED
    elif isinstance(shape, Path | Dot) and shape.time is not None:
        color = TIMES[moment(shape.time)]
    elif not isinstance(shape, Level) and shape.color is not None:
        color = PALETTE[shape.color % COLORS]
    if isinstance(shape, Level):
        (axes.axvline if shape.vertical else axes.axhline)(shape.at, color=color, linestyle="--", linewidth=1)
        if shape.vertical:
            _say(axes, shape.label, (shape.at, 0.5), color, xycoords=("data", "axes fraction"), xytext=(-4, 0), ha="right")
        else:
            _say(axes, shape.label, (1.0, shape.at), color, xycoords=("axes fraction", "data"), va="center", xytext=(4, 0))
        return
    if isinstance(shape, Dot):
        place = _flat(shape.point, spatial)
        if shape.style not in WORDS:
            mark, fill = "D" if shape.style == "limit" else "o", "none" if shape.style in ("limit", "mark") else "full"
            axes.plot(*([value] for value in place), mark, color=color, markersize=5, fillstyle=fill)
        text = color if shape.style == "mark" else "black"
        _say(axes, shape.label, place, text, ha="center" if shape.style == "word" else "left")
        return
    points = [_flat(point, spatial) for point in shape.points]
    if isinstance(shape, Region):
        alphas = {"bar": 0.75, "band": 0.3, "outline": 0.0, "forbidden": 0.18, "forbidden bar": 0.75}
        alpha = alphas.get(shape.style, 0.1) if shape.depth is None else shape.depth
        axes.fill(*zip(*points, strict=True), color=color, alpha=alpha, linewidth=0.5)
        return
    dashed = "--" if shape.style in ("edge", "zero", "dashed") else "-"
    wide = 0.8 if shape.style in ("edge", "wire") else 1.3
    axes.plot(*zip(*points, strict=True), dashed, color=color, linewidth=wide)
    if shape.arrow and not spatial:
        axes.annotate("", points[-1], points[-2], arrowprops={"arrowstyle": "-|>", "color": color})
    _say(axes, shape.label, points[-1], color, ha="left" if len(shape.label) <= SHORT else "right")


def _say(axes: Any, text: str, place: tuple[float, float], color: str, **how: Any) -> None:
    if text:
        # Not clipped to the axes: the constrained layout keeps room for what stands beyond them.
        how = {"xytext": (4, 3), "textcoords": "offset points", "fontsize": 8, "annotation_clip": False} | how
        axes.annotate(_typeset(text), place, color=color, **how)


def _typeset(text: str) -> str:
    """The text with signs, and with lowered indices as Matplotlib writes them."""
    return LOW.sub(r"$_{\\mathrm{\1}}$", signs(text))


def _flat(point: tuple[float, ...], spatial: bool) -> tuple[float, float]:
    return turned(point) if spatial else (point[0], point[1])
