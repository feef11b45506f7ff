"""What a picture shows, in the coordinates of the data: points, paths, bands and regions, and where they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from claims.stating.plain_text import sentences

Point = tuple[float, ...]
"""A place in the coordinates of the data: two of them, or three in a scene that can be turned."""


@dataclass(frozen=True)
class Path:
    """A line through points; `style` is a class of the style sheet, such as "hull", and `color` one of its eight.

    `label` stands at its end. `time` in [0, 1] is how late it is, where colour tells time instead.
    """

    points: Sequence[Point]
    style: str = "line"
    color: int | None = None
    told: str = ""
    arrow: bool = False
    label: str = ""
    time: float | None = None


@dataclass(frozen=True)
class Region:
    """A filled polygon; `depth` in [0, 1] is how dark it is, where it tells a number."""

    points: Sequence[Point]
    style: str = "region"
    color: int | None = None
    told: str = ""
    depth: float | None = None


@dataclass(frozen=True)
class Dot:
    """A point with a short label; `told` is said when it is pointed at. `time` is as of a path."""

    point: Point
    style: str = "token"
    color: int | None = None
    label: str = ""
    told: str = ""
    time: float | None = None


@dataclass(frozen=True)
class Level:
    """A line across the scene: at one value of x, or of y. It is left out where the scene does not reach."""

    at: float
    vertical: bool = False
    style: str = "zero"
    label: str = ""


Shape = Path | Region | Dot | Level


def points_of(shapes: Sequence[Shape]) -> list[Point]:
    """All points of shapes that must be seen."""
    found: list[Point] = []
    for shape in shapes:
        if isinstance(shape, Dot):
            found.append(shape.point)
        elif isinstance(shape, Path) or (isinstance(shape, Region) and shape.style != "cell"):
            found += shape.points
    return found


@dataclass(frozen=True)
class Axis:
    """The name of an axis; a logarithmic one has powers of ten as its ticks, its data being their exponents."""

    name: str = ""
    logarithmic: bool = False
    rows: int = 0
    """Of things one below the other: how many; row k, from 1, is at -k and called as `names` say."""
    names: tuple[str, ...] = ()
    """What rows are called; of an axis without rows what k = 1, 2, ... are called."""
    whole: bool = False
    """Whether it counts, so that only whole numbers are ticks."""


@dataclass(frozen=True)
class Scene:
    """Shapes on two axes, or in space. `equal` gives both axes one scale. `caption` says what this frame shows."""

    shapes: Sequence[Shape]
    x: Axis = Axis()
    y: Axis = Axis()
    equal: bool = False
    caption: str = ""
    keys: Sequence[tuple[str, int]] = ()
    """Names of colours, for a legend."""

    @property
    def is_spatial(self) -> bool:
        """Whether its points have three coordinates."""
        return any(len(point) == 3 for point in self.points())

    def points(self) -> list[Point]:
        """All points that must be seen."""
        return points_of(self.shapes)


@dataclass(frozen=True)
class Source:
    """From what a picture was drawn: a published certificate, an instance of the necessity map, or a verdict."""

    told: str
    file: str = ""
    """The name of the certificate, if it is one."""
    digest: str = ""


@dataclass(frozen=True)
class Picture:
    """One or more scenes on the same axes, to be stepped through, over a `ground` that is seen in all of them.

    `alt` says in words what is seen, its first sentence alone to those who do not see the picture; `times` are the first
    and the last moment that colours tell, in words.
    """

    title: str
    alt: str
    source: Source
    frames: Sequence[Scene] = field(default_factory=tuple)
    note: str = ""
    ground: Sequence[Shape] = ()
    times: tuple[str, str] | None = None

    @property
    def seen(self) -> str:
        """What is seen, in one sentence."""
        return sentences(self.alt)[0]
