"""A gap that is said to grow, over time: from its largest value on it closes again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from flint import arb, fmpq

from claims.atlas.pictures.curves import Seen, lines, seen_along
from claims.atlas.pictures.scenes import Axis, Dot, Path, Picture, Region, Scene, Shape
from claims.atlas.pictures.subject import Subject, as_float, nothing_to_show, numeral
from dynamics.arithmetic import numbers, rational, working_precision

HALVINGS = 24  # of the time between two that are drawn, in which the gap turns: to more digits than are told


def gap_that_closes(subject: Subject) -> Iterator[Picture]:
    """a_i - a_j over time for the pair of the violation, with its largest value and what it loses from there on."""
    seen, entry = seen_along(subject), subject.entry
    if seen is None or entry is None or len(entry) != 1 or not subject.times:
        raise nothing_to_show(subject, "has no enclosed trajectory, time and pair of scores")
    pairs = list(zip(*np.triu_indices(len(numbers(subject.system.a)), 1), strict=True))  # type: ignore[attr-defined]
    i, j = (int(k) for k in pairs[entry[0]])
    turn, largest = _turn(seen, i, j)
    last = max(rational(time) for time in subject.times)
    if not turn < last:
        raise nothing_to_show(subject, f"has no gap that closes before {seen.clock} = {last}")
    name, at = f"a_{i} - a_{j}", seen.place(turn)
    assert at is not None
    (curve,) = seen.curves(lambda state: numbers(_gap(state, i, j)), 1)
    high = as_float(largest)
    later = [(x, (low + up) / 2) for x, low, up in curve if x >= at]
    edge = later[-1][0]
    text = numeral(largest)
    shapes: list[Shape] = [
        Region([(at, high), *later, (edge, high)], "forbidden", told=f"what {name} has lost of its largest value"),
        Path([(at, high), (edge, high)], "dashed", None, "as printed: never less than this", label="as printed: not below"),
        *lines([curve], [name]),
        *seen.marks(),
        Dot((at, high), "mark", label=f"{text} at {seen.clock} = {as_float(turn):.3f}", told=f"the largest {name}"),
    ]
    end = curve[-1]
    alt = (
        f"The gap {name} over {seen.clock} rises to {text} near {seen.clock} = {as_float(turn):.3f} and falls to "
        f"{(end[1] + end[2]) / 2:.4f} at {seen.clock} = {end[0]:.4g}, where the statement says that it grows for ever."
    )
    caption = f"Shaded: what the gap has lost. Certified enclosure of radius at most {seen.radius()}"
    yield Picture("A gap that closes again", alt, subject.source, (Scene(shapes, seen.axis, Axis(name), caption=caption),))


def _gap(state: Any, i: int, j: int) -> Any:
    scores = numbers(state.a)
    return scores[i] - scores[j]


def _turn(seen: Seen, i: int, j: int) -> tuple[fmpq, arb]:
    """A time up to which the gap grows and after which it is seen to close, and the gap then. Raises NothingToShowError."""
    subject = seen.subject

    def rate(time: fmpq) -> arb:
        state = seen.trajectory.at(time)
        with working_precision(seen.trajectory.bits):
            moved = numbers(state.velocity()[state.moving.index("a")])
            stated: Any = numbers(subject.conclusion.slack(state, subject.system))[subject.entry]
            # The slack of the certificate must be the rate of this gap, else its zero is not where the gap is largest.
            if not (stated - (moved[i] - moved[j])).contains(0):
                raise nothing_to_show(subject, f"is not about the rate of a_{i} - a_{j}")
            return stated

    rates = [(time, rate(time)) for time in seen.times]
    falling = next((k for k, (_, value) in enumerate(rates) if value < 0), 0)
    if not falling or not rates[falling - 1][1] > 0:
        raise nothing_to_show(subject, f"has no gap a_{i} - a_{j} that grows first and then closes")
    before, after = rates[falling - 1][0], rates[falling][0]
    for _ in range(HALVINGS):
        middle = (before + after) / 2
        value = rate(middle)
        if value > 0:
            before = middle
        elif value < 0:
            after = middle
        else:
            break  # the ball holds 0: nearer than its precision the turn is not known
    state = seen.trajectory.at(before)
    with working_precision(seen.trajectory.bits):
        return before, _gap(state, i, j)
