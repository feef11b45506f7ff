"""Exact orbits of step maps on one canvas, step by step, with who attends to whom and the certified limit points."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from claims.atlas.pictures.scenes import Axis, Dot, Path, Picture, Point, Scene, Shape
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
from claims.stating.statement import AT_A_STATE, Form
from dynamics.arithmetic import Array, exact, numbers, working_precision
from dynamics.system import StepMap

FEWEST_STEPS, MOST_FRAMES = 6, 14  # of an orbit that is shown: enough to see where it goes, few enough to step through
MOST_EDGES = 40  # more edges would hide what they join
SECONDS = 1.5  # processor time for one orbit: the exact numbers of a long one take ever more digits


@draws(StepMap, *AT_A_STATE)
def exact_orbit(subject: Subject) -> Iterator[Picture]:
    """An orbit of tokens, or the one step that a conclusion is about; of other numbers, those that move."""
    yield from orbit_over(subject, _steps(subject, ending_of(subject)))


def orbit_over(subject: Subject, steps: int) -> Iterator[Picture]:
    """An orbit of tokens over so many steps, or fewer where its numbers become too long."""
    found = token_array(subject.system)
    if found is None:
        yield from _of_numbers(subject)
        return
    ending = ending_of(subject)
    states = orbit_of(subject.system, steps)
    name, points = found
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
    # Past the step from which the certificate knows the orbit's end, once around its cycle.
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


def positions_of(state: Any) -> Array:
    """The positions of its tokens."""
    found = token_array(state)
    assert found is not None
    return found[1]


def _in_frames(subject: Subject, name: str, states: list[Any], ending: dict[str, Any] | None) -> Picture:
    """The whole orbit on one canvas, colour telling the step; over it a frame for each state and each limit point."""
    visited = [positions_of(state) for state in states]
    phases = [exact(limits) for limits in ending["limits"]] if ending is not None else []
    axes = axes_of_motion([*visited, *phases])
    start = placed(visited[0], axes)
    frames, frame, ground = list[Scene](), wire(visited[0], axes), list[Shape]()
    if len(states) > 2:
        ground += tracks([placed(points, axes) for points in visited])
        # Of tokens that rest the diamond would hide the token.
        ground += [
            Dot(point, "limit", told="a limit point")
            for points in phases
            for point, begin in zip(placed(points, axes), start, strict=True)
            if point != begin
        ]

    def attending(places: list[Point], pairs: list[tuple[int, int]]) -> list[Shape]:
        pairs = pairs if len(pairs) <= MOST_EDGES else []
        return [Path([places[i], places[j]], "edge", i, f"token {i + 1} attends to token {j + 1}") for i, j in pairs]

    for k, (state, points) in enumerate(zip(states, visited, strict=True)):
        places = placed(points, axes)
        try:
            with working_precision(BITS):
                pairs = attended(state)
        except (ArithmeticError, ValueError):
            pairs = []  # a tie of balls: who attends is not known
        shapes: list[Shape] = list(frame) if len(axes) > 2 else [*hull_of(points, axes), *cells(state, axes)]
        shapes += attending(places, pairs)
        told = f"Step {k}."
        if k + 1 < len(states):
            for i, (here, there) in enumerate(zip(places, placed(visited[k + 1], axes), strict=True)):
                shapes += [Path([here, there], "step", i, arrow=True)] if here != there else []
            # Counted exactly: a move may be too small for floats, or along a coordinate that is not drawn.
            moved = sum(bool((a != b).any()) for a, b in zip(points, visited[k + 1], strict=True))
            told += f" {moved or 'No'} token{'' if moved == 1 else 's'} will move."
        frames.append(scene(name, axes, [*shapes, *dots(points, axes)], told))
    for r, points in enumerate(phases):
        assert ending is not None
        when = "The limit" if len(phases) == 1 else f"The limit along steps {ending['since'] + r} + {len(phases)} k"
        pairs = [(i, j) for i, row in enumerate(ending["neighbours"][r]) for j in row if i != j]
        shapes = list(frame) if len(axes) > 2 else list(hull_of(points, axes))
        shapes += attending(placed(points, axes), pairs)
        shapes += [replace(dot, style="limit") for dot in dots(points, axes)]
        frames.append(scene(name, axes, shapes, f"{when}: exact, for ever from step {ending['since']} on."))
    note = " ".join(filter(None, (_told_limits(ending), seen_coordinates(axes, visited[0]))))
    way = (
        f"The way of {count_of(visited[0])} over {len(states) - 1} steps" if ground else f"A step of {count_of(visited[0])}"
    )
    alt = f"{way}, with the tokens that each attends to. Start: {listed([told_point(row) for row in visited[0]])}. {note}"
    title = "One step" if len(states) == 2 and not phases else "The orbit, step by step"
    times = ("step 0", str(len(states) - 1)) if ground else None
    return Picture(title, alt, subject.source, tuple(frames), note, ground, times)


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
        columns = [[as_float(value) for value in column] for column in zip(*rows, strict=True)]
        shapes: list[Shape] = []
        for i, (told, column) in enumerate(zip(names, columns, strict=True)):
            shapes.append(Path([(float(k), value) for k, value in enumerate(column)], "line", i, told))
        last = listed([f"{told} from {one[0]:.4g} to {one[-1]:.4g}" for told, one in zip(names, columns, strict=True)])
        title = declared.meaning.capitalize()
        keys = tuple((told, i) for i, told in enumerate(names))
        frame = Scene(shapes, Axis("step"), Axis(name), caption="Exact steps", keys=keys)
        alt = f"{title} over {len(states) - 1} exact steps: {last}."
        yield Picture(f"{title} over steps", alt, subject.source, (frame,))


def _on_a_line(subject: Subject, name: str, states: list[Any], ending: dict[str, Any] | None) -> Picture:
    """Tokens on a line, their places against the step."""
    rows = [[value[0] for value in floats(positions_of(state))] for state in states]
    shapes: list[Shape] = [
        Path([(float(k), row[i]) for k, row in enumerate(rows)], "line", i, f"token {i + 1}") for i in range(len(rows[0]))
    ]
    for k, state in enumerate(states):
        for i, point in enumerate(positions_of(state)):
            told = f"token {i + 1} at step {k}: {told_point(point)}"
            shapes.append(Dot((float(k), rows[k][i]), "token", i, "" if k else str(i + 1), told))
    # Half a step behind the last one: they are where the orbit tends to, not its next states.
    for r, limits in enumerate(ending["limits"] if ending is not None else ()):
        for i, limit in enumerate(limits):
            place = (len(states) - 0.5 + 0.4 * r, floats(exact(limit))[0])
            shapes.append(Dot(place, "limit", i, told=f"limit of token {i + 1}: {limit[0]}"))
    note = _told_limits(ending)
    alt = f"{count_of(positions_of(states[0]))} over {len(states) - 1} exact step{'s' if len(states) > 2 else ''}. "
    alt += f"Start: {listed([told_point(row) for row in positions_of(states[0])])}. {note}"
    caption = "Places against the step" + ("; diamonds are the limits" if ending else "")
    title = "The orbit" if len(states) > 2 else "One step"
    frame = Scene(shapes, Axis("step", whole=True), Axis(name), caption=caption)
    return Picture(title, alt, subject.source, (frame,), note)
