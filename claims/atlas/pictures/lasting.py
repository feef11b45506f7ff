"""Orbits that do not end as stated: a coordinate that never settles, and a step after which nothing moves any more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from flint import fmpq

from claims.atlas.pictures.orbits import ending_of, orbit_of, orbit_over, positions_of
from claims.atlas.pictures.scenes import Axis, Dot, Level, Path, Picture, Region, Scene, Shape
from claims.atlas.pictures.subject import Subject, as_float, nothing_to_show
from dynamics.arithmetic import numbers, rational

ROUNDS, FEWEST = 3, 10  # times that a cycle is seen, and steps at least
REST = 3  # steps that are followed to see that nothing moves after the first


def apart_for_ever(subject: Subject) -> Iterator[Picture]:
    """The coordinate of the violation step by step, between the exact limit points that it visits in turn."""
    ending = ending_of(subject)
    if ending is None or subject.entry is None or len(subject.entry) != 3:
        raise nothing_to_show(subject, "names no limit points and no coordinate of a token")
    (_, i, k), period = subject.entry, len(ending["limits"])
    places = [rational(phase[i][k]) for phase in ending["limits"]]
    low, high = min(places), max(places)
    stated = numbers(subject.conclusion.slack(subject.system))
    if low == high or [rational(place) - places[0] for place in places] != [rational(row[i, k]) for row in stated]:
        raise nothing_to_show(subject, f"has other limit points than its orbit for coordinate {k + 1} of token {i + 1}")
    last = max(FEWEST, ROUNDS * period)
    values = [rational(positions_of(state)[i, k]) for state in orbit_of(subject.system, last)]
    track = [(float(step), as_float(value)) for step, value in enumerate(values)]
    end, bottom, top = float(len(values) - 1), as_float(low), as_float(high)
    band = [(0.0, bottom), (end, bottom), (end, top), (0.0, top)]
    shapes: list[Shape] = [
        Region(band, "forbidden", told="would close if the token converged"),
        *(Level(as_float(place), label=f"limit {place}") for place in sorted({*places})),
        Path(track, "line", i, f"coordinate {k + 1} of token {i + 1}"),
    ]
    told = [f"step {step}: {value}" for step, value in enumerate(values)]
    shapes += [Dot(place, "token", i, told=words) for place, words in zip(track, told, strict=True)]
    # In its last round, where it is nearest to its limit points, those that are farthest apart are marked.
    for step in range(len(values) - period, len(values)):
        if places[(step - ending["since"]) % period] in (low, high):
            shapes.append(Dot(track[step], "mark", told=told[step]))
    shapes.append(Dot((end / 2, (bottom + top) / 2), "word", label=f"{high - low} apart, for ever"))
    visits = " and ".join(map(str, dict.fromkeys(places)))
    alt = (
        f"Coordinate {k + 1} of token {i + 1} over {len(values) - 1} exact steps goes round {visits}, {high - low} apart, "
        "where the statement says that it converges."
    )
    caption = f"As printed the shaded band closes: all limit points of token {i + 1} are one"
    axis = Axis(f"coordinate {k + 1} of token {i + 1}")
    frame = Scene(shapes, Axis("step", whole=True), axis, caption=caption)
    yield Picture("A token that never settles", alt, subject.source, (frame,))


def moves_by_step(subject: Subject) -> Iterator[Picture]:
    """How far the tokens move in each step; the statement asks for more than 0 after a step that moves a token."""
    visited = [positions_of(state) for state in orbit_of(subject.system, REST)]
    moves = [sum((abs(rational(value)) for value in (after - now).flat), fmpq(0)) for now, after in pairwise(visited)]
    violated = [rational(value) for value in numbers(subject.conclusion.slack(subject.system)).flat]
    # The slack is the move after the first step: the picture shows it only if both are computed alike.
    if not moves[0] or moves[1:2] != violated or moves[1]:
        raise nothing_to_show(subject, "is no step after which nothing moves")
    tall = as_float(max(moves))
    shapes: list[Shape] = [
        Region([(-0.5, -0.12 * tall), (REST - 0.5, -0.12 * tall), (REST - 0.5, 0.0), (-0.5, 0.0)], "forbidden"),
        Level(0.0, label="as printed: above 0 after a step that moves"),
    ]
    for step, value in enumerate(moves):
        high = as_float(value)
        if value:
            bar = [(step - 0.3, 0.0), (step + 0.3, 0.0), (step + 0.3, high), (step - 0.3, high)]
            shapes += [Region(bar, "bar", 0, f"step {step}: {value}"), Dot((step - 0.3, high), "tip", label=str(value))]
        else:
            shapes.append(Dot((float(step), 0.0), "mark", label=str(value), told=f"step {step}: no token moves"))
    alt = (
        f"The tokens move by {moves[0]} in the first step and by {moves[1]} in the next, where the statement says that a "
        "step is never the last one."
    )
    caption = "Exact: how far all tokens move together, in each step"
    frame = Scene(shapes, Axis("step", whole=True), Axis("sum_i |z_i' - z_i|_1"), caption=caption)
    yield Picture("The last step", alt, subject.source, (frame,))


def orbit_to_rest(subject: Subject) -> Iterator[Picture]:
    """The orbit until nothing moves."""
    return orbit_over(subject, REST - 1)
