"""What is drawn: a conclusion on one exact instance, and where that comes from; painters register for systems and forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from flint import arb

from claims.atlas.pictures.scenes import Picture, Point, Source
from claims.stating.statement import Claim, Conclusion, Form
from dynamics.arithmetic import Array, exact, numbers, rational
from dynamics.decimals import float_beside
from dynamics.system import System


@dataclass(frozen=True, eq=False)
class Subject:
    """A conclusion on an exact instance. `times`, `entry` and `facts` are what a certificate says of its violation.

    `refutes` tells whether the statement as it stands, with all of its hypotheses, is violated there.
    """

    claim: Claim
    conclusion: Conclusion
    system: System
    source: Source
    is_violated: bool = False
    times: tuple[Any, ...] = ()
    entry: tuple[int, ...] | None = None
    facts: tuple[dict[str, Any], ...] = field(default=(), repr=False)
    refutes: bool = False


class NothingToShowError(ValueError):
    """A counterexample that does not show any more what its picture was drawn for."""


def nothing_to_show(subject: Subject, why: str) -> NothingToShowError:
    """The error of a subject, and why there is nothing to show."""
    return NothingToShowError(f"{subject.claim.id}: {subject.source.told} {why}: there is no picture of its failure")


Painter = Callable[[Subject], Iterable[Picture]]

PAINTERS: list[tuple[type[System], tuple[Form, ...], Painter]] = []  # each with the systems and forms that it draws

SURE = 1e-6  # balls of a smaller radius are told without it: it would say nothing of the six digits that are shown


def draws(system: type[System], *forms: Form) -> Callable[[Painter], Painter]:
    """Register a painter for a system, and those derived from it, and for these forms; all forms by default."""

    def register(painter: Painter) -> Painter:
        PAINTERS.append((system, forms or tuple(Form), painter))
        return painter

    return register


# ---------------------------------------------------------------------------------------------------------------------
# Numbers for drawing: positions on a page are float64, and nothing is decided by them


def floats(values: Any) -> Any:
    """The nearest floats to exact numbers, or to the middles of balls, in nested lists of the same shape."""
    if isinstance(values, list):
        return [floats(value) for value in values]
    if hasattr(values, "tolist") and hasattr(values, "shape"):
        return floats(values.tolist())
    return as_float(values)


def as_float(value: Any) -> float:
    """The float nearest to an exact number, or to the middle of a ball."""
    if isinstance(value, arb):
        return float(value.mid())
    # Python divides integers of any length to the nearest float; two floats might overflow first.
    number = rational(value)
    return int(number.p) / int(number.q)


def ends(value: Any) -> tuple[float, float]:
    """The ends of a ball, twice the same for an exact number."""
    if isinstance(value, arb):
        # Rounded outward: a band that is drawn must hold what is certified to be in it.
        return float_beside(value.lower(), -1), float_beside(value.upper(), 1)
    return (as_float(value),) * 2


def token_array(system: System) -> tuple[str, Array] | None:
    """The name and the positions (n, d) of the tokens of a system, None where it has none."""
    name = next((name for name, declared in system.fields().items() if declared.axes == ("n", "d")), None)
    return None if name is None else (name, numbers(getattr(system, name)))


def told_point(row: Iterable[Any]) -> str:
    """Exact coordinates as they are written; of balls the digits that are certain, with the radius where they are few."""
    return f"({', '.join(numeral(value) for value in row)})"


def numeral(value: Any) -> str:
    """A number as it is written: exactly, or of a ball the digits that are certain."""
    if not isinstance(value, arb):
        return str(rational(value))
    return value.str(6, radius=float(value.rad()) > SURE)


def axes_of(points: Array) -> list[int]:
    """The coordinates that are drawn: all of up to three, of more the three in which the points spread most."""
    d = points.shape[-1]
    if d <= 3:
        return list(range(d))
    rows = floats(points.reshape(-1, d))
    spread = [max(row[k] for row in rows) - min(row[k] for row in rows) for k in range(d)]
    # In their own order: the first axis of a picture is the first of those coordinates, not the one of largest spread.
    return sorted(sorted(range(d), key=lambda k: -spread[k])[:3])


def axes_of_motion(states: Sequence[Array]) -> list[int]:
    """The coordinates of moving tokens that are drawn: the two in which they move, if they move in a plane of them."""
    rows = [floats(points) for points in states]
    moving = [
        k
        for k in range(states[0].shape[-1])
        if any(a[k] != b[k] for now in rows[1:] for a, b in zip(rows[0], now, strict=True))
    ]
    return moving if len(moving) == 2 else axes_of(numbers(exact([row for now in rows for row in now])))


def placed(points: Array, axes: list[int]) -> list[Point]:
    """The positions of tokens (n, d) in a scene; of tokens on a line the second coordinate is 0."""
    rows = floats(points)
    return [tuple(row[k] for k in axes) + (0.0,) * (len(axes) == 1) for row in rows]


def listed(parts: list[str], most: int = 6) -> str:
    """Some texts in a sentence; the rest counted."""
    shown = parts[:most]
    return ", ".join(shown) + (f" and {len(parts) - most} more" if len(parts) > most else "")
