"""Exact orbits of step maps on one canvas, step by step, with who attends to whom and the certified limit points."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from claims.atlas.pictures.scenes import Axis, Dot, Path, Picture, Scene, Shape
from claims.atlas.pictures.subject import (
    Subject,
    as_float,
    axes_of_motion,
    draws,
    floats,
    listed,
    placed,
    token_array,
    told_point,
)
from claims.atlas.pictures.tokens import (
    BITS,
    attended,
    cells,
    count_of,
    dots,
    hull_of,
    scene,
    seen_coordinates,
    tracks,
    wire,
)
from claims.statement import AT_A_STATE, Form
from dynamics.arithmetic import Array, exact, numbers, working_precision
from dynamics.system import StepMap

MOST_FRAMES = 14
"""Steps of an orbit that are shown."""

MOST_EDGES = 40
"""More edges would hide what they join."""

FEWEST_STEPS = 6

SECONDS = 1.5
"""Processor time for one orbit: the exact numbers of a long one take ever more digits."""


@draws(StepMap, *AT_A_STATE)
def exact_orbit(subject: Subject) -> Iterator[Picture]:
    """An orbit of tokens, or the one step that a conclusion is about; of other numbers, those that move."""
    yield from orbit_over(subject, _steps(subject, ending_of(subject)))


def orbit_over(subject: Subject, steps: int) -> Iterator[Picture]:
    """An orbit of tokens over so many steps, or fewer where its numbers become too long."""
    if token_array(subject.system) is None:
        yield from _of_numbers(subject)
        return
    ending = ending_of(subject)
    states = orbit_of(subject.system, steps)
    name, points = _named(subject.system)
    if points.shape[-1] == 1:
        yield _on_a_line(subject, name, states, ending)
    else:
        yield _in_frames(subject, name, states, ending)


def ending_of(subject: Subject) -> dict[str, Any] | None:
    """What a certificate says of the limit points of the orbit."""
    return next((fact for fact in subject.facts if fact["kind"] == "ending" and fact["start"] is None), None)


def _steps(subject: Subject, ending: dict[str, Any] | None) -> int:
    if subject.conclusion.form is not Form.ORBIT:
        return 1
    last = max((fact["since"] + fact.get("period", 1) for fact in subject.facts if "since" in fact), default=FEWEST_STEPS)
    if ending is not None:
        last = max(last, ending["since"] + len(ending["limits"]))
    return min(max(last, FEWEST_STEPS), MOST_FRAMES - 1)


def orbit_of(start: Any, steps: int) -> list[Any]:
    """The states at steps 0, 1, ..., fewer where the numbers become too long."""
    begun, states = time.process_time(), [start]
    with working_precision(BITS):
        while len(states) <= steps and time.process_time() - begun < SECONDS:
            states.append(states[-1].step())
    return states


def _named(state: Any) -> tuple[str, Array]:
    found = token_array(state)
    assert found is not None
    return found


def positions_of(state: Any) -> Array:
    """The positions of its tokens."""
    return _named(state)[1]


def _in_frames(subject: Subject, name: str, states: list[Any], ending: dict[str, Any] | None) -> Picture:
    """The whole orbit on one canvas, colour telling the step; over it a frame for each state and each limit point."""
    visited = [positions_of(state) for state in states]
    phases = [exact(limits) for limits in ending["limits"]] if ending is not None else []
    axes = axes_of_motion([*visited, *phases])
    frames, frame, ground = [], wire(visited[0], axes), list[Shape]()
    if len(states) > 2:
        ground += tracks([placed(points, axes) for points in visited])
        ground += [
            Dot(point, "limit", told="a limit point")
            for points in phases
            for point, start in zip(placed(points, axes), placed(visited[0], axes), strict=True)
            if point != start
        ]
    for k, state in enumerate(states):
        points = visited[k]
        shapes: list[Shape] = list(frame) if len(axes) > 2 else [*hull_of(points, axes), *cells(state, axes)]
        pairs = _edges(state)
        places = placed(points, axes)
        shapes += [Path([places[i], places[j]], "edge", i, f"token {i + 1} attends to token {j + 1}") for i, j in pairs]
        moved = None
        if k + 1 < len(states):
            after = placed(visited[k + 1], axes)
            shapes += [
                Path([here, there], "step", i, arrow=True)
                for i, (here, there) in enumerate(zip(places, after, strict=True))
                if here != there
            ]
            moved = sum(bool((a != b).any()) for a, b in zip(points, visited[k + 1], strict=True))
        shapes += dots(points, axes)
        told = f"Step {k}." + ("" if moved is None else f" {moved or 'No'} token{'' if moved == 1 else 's'} will move.")
        frames.append(scene(name, axes, shapes, told))
    limits = _limit_frames(name, axes, ending, frame)
    note = " ".join(filter(None, (_told_limits(ending), seen_coordinates(axes, visited[0]))))
    way = (
        f"The way of {count_of(visited[0])} over {len(states) - 1} steps" if ground else f"A step of {count_of(visited[0])}"
    )
    alt = f"{way}, with the tokens that each attends to. Start: {listed([told_point(row) for row in visited[0]])}. {note}"
    title = "One step" if len(states) == 2 and not limits else "The orbit, step by step"
    times = ("step 0", str(len(states) - 1)) if ground else None
    return Picture(title, alt, subject.source, (*frames, *limits), note, ground, times)


def _edges(state: Any) -> list[tuple[int, int]]:
    try:
        with working_precision(BITS):
            pairs = attended(state)
    except (ArithmeticError, ValueError):
        return []  # a tie of balls: who attends is not known
    return pairs if len(pairs) <= MOST_EDGES else []


def _limit_frames(name: str, axes: list[int], ending: dict[str, Any] | None, frame: list[Shape]) -> list[Scene]:
    if ending is None:
        return []
    frames, period = [], len(ending["limits"])
    for r, limits in enumerate(ending["limits"]):
        points = exact(limits)
        places = placed(points, axes)
        pairs = [(i, j) for i, row in enumerate(ending["neighbours"][r]) for j in row if i != j]
        shapes: list[Shape] = list(frame) if len(axes) > 2 else list(hull_of(points, axes))
        if len(pairs) <= MOST_EDGES:
            shapes += [Path([places[i], places[j]], "edge", i, f"token {i + 1} attends to token {j + 1}") for i, j in pairs]
        shapes += [Dot(dot.point, "limit", dot.color, dot.label, dot.told) for dot in dots(points, axes)]
        when = "The limit" if period == 1 else f"The limit along steps {ending['since'] + r} + {period} k"
        frames.append(scene(name, axes, shapes, f"{when}: exact, for ever from step {ending['since']} on."))
    return frames


def _told_limits(ending: dict[str, Any] | None) -> str:
    """The limit points in exact coordinates: of tokens that oscillate all of them."""
    if ending is None:
        return ""
    period, parts = len(ending["limits"]), list[str]()
    for i in range(len(ending["limits"][0])):
        visited = list(dict.fromkeys(told_point(exact(ending["limits"][r][i])) for r in range(period)))
        if len(visited) > 1:
            parts.insert(0, f"token {i + 1} visits {' and '.join(visited)} in turn")
        else:
            parts.append(f"token {i + 1} tends to {visited[0]}")
    kind = "Limits" if period == 1 else f"A {period}-cycle"
    return f"{kind}: {'; '.join(parts)}."


def _of_numbers(subject: Subject) -> Iterator[Picture]:
    """The entries of each array that moves, against the step."""
    states = orbit_of(subject.system, max(FEWEST_STEPS, _steps(subject, None)))
    for name, declared in subject.system.fields().items():
        rows = [list(numbers(getattr(state, name)).flat) for state in states]
        if declared.label or all(row == rows[0] for row in rows):
            continue
        names = [f"{name}_{i}" for i in range(len(rows[0]))]
        shapes: list[Shape] = [
            Path([(float(k), as_float(row[i])) for k, row in enumerate(rows)], "line", i, told)
            for i, told in enumerate(names)
        ]
        last = listed(
            [f"{told} from {as_float(rows[0][i]):.4g} to {as_float(rows[-1][i]):.4g}" for i, told in enumerate(names)]
        )
        title = declared.meaning.capitalize()
        keys = tuple((told, i) for i, told in enumerate(names))
        frame = Scene(shapes, Axis("step"), Axis(name), caption="Exact steps", keys=keys)
        yield Picture(
            f"{title} over steps", f"{title} over {len(states) - 1} exact steps: {last}.", subject.source, (frame,)
        )


def _on_a_line(subject: Subject, name: str, states: list[Any], ending: dict[str, Any] | None) -> Picture:
    """Tokens on a line, their places against the step."""
    rows = [[value[0] for value in floats(positions_of(state))] for state in states]
    shapes: list[Shape] = [
        Path([(float(k), row[i]) for k, row in enumerate(rows)], "line", i, f"token {i + 1}") for i in range(len(rows[0]))
    ]
    for k, state in enumerate(states):
        points = positions_of(state)
        shapes += [
            Dot(
                (float(k), rows[k][i]),
                "token",
                i,
                str(i + 1) if k == 0 else "",
                f"token {i + 1} at step {k}: {told_point(point)}",
            )
            for i, point in enumerate(points)
        ]
    if ending is not None:
        for r, limits in enumerate(ending["limits"]):
            shapes += [
                Dot(
                    (len(states) - 0.5 + 0.4 * r, floats(exact(limit))[0]),
                    "limit",
                    i,
                    told=f"limit of token {i + 1}: {limit[0]}",
                )
                for i, limit in enumerate(limits)
            ]
    note = _told_limits(ending)
    alt = f"{count_of(positions_of(states[0]))} over {len(states) - 1} exact step{'s' if len(states) > 2 else ''}. "
    alt += f"Start: {listed([told_point(row) for row in positions_of(states[0])])}. {note}"
    caption = "Places against the step" + ("; diamonds are the limits" if ending else "")
    title = "The orbit" if len(states) > 2 else "One step"
    return Picture(
        title, alt, subject.source, (Scene(shapes, Axis("step", whole=True), Axis(name), caption=caption),), note
    )
