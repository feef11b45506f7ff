"""Flows along time: coordinates, scores and slacks as certified enclosures, token paths with their limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from operator import attrgetter
from typing import Any

from flint import arb, fmpq

from claims.atlas.pictures.scenes import Axis, Dot, Level, Path, Picture, Region, Scene, Shape
from claims.atlas.pictures.subject import (
    Subject,
    as_float,
    axes_of_motion,
    draws,
    ends,
    listed,
    placed,
    token_array,
    told_point,
)
from claims.atlas.pictures.tokens import count_of, dots, hull_corners, hull_of, scene, seen_coordinates, tracks
from claims.stating.statement import ALONG_A_FLOW, AT_A_STATE, Form, Relation
from dynamics.arithmetic import Array, numbers, rational, working_precision
from dynamics.decimals import interval_text, outward
from dynamics.enclosures.steps import LADDER, EnclosureError, Trajectory, enclose_at
from dynamics.limits import TokensEnd
from dynamics.system import Flow, StepMap
from dynamics.tokens.self_attention import RescaledFlow
from dynamics.training.gradient_descent import LogisticDescent

TIMES = 48  # at which a trajectory is drawn
MOST_CURVES = 8  # the style sheet has so many colours
MOST_COORDINATES = 24  # larger flows are not enclosed: decided verdicts have none either
SECONDS = 4.0  # processor time for one enclosure
BEYOND = fmpq(5, 4)  # how far past a violated time a trajectory is followed; past one from which a limit is decided, by 1
LONG = 20  # horizons from here on are drawn against the logarithm of time: what happens, happens early

UNREADABLE = (ArithmeticError, ValueError, OverflowError)


@draws(Flow, *ALONG_A_FLOW)
def along_a_flow(subject: Subject) -> Iterator[Picture]:
    """The slack of the conclusion, and what moves, on an enclosure of the trajectory."""
    seen = seen_along(subject)
    if seen is None:
        return
    # First what the statement is about, then the state.
    if subject.conclusion.form is not Form.LIMIT:
        yield from _slack(seen)
    found = token_array(subject.system)
    if found is not None and found[0] in seen.trajectory.origin.moving:
        yield from paths(seen)
    else:
        yield from _coordinates(seen)


@lru_cache(maxsize=1)  # several painters draw the same trajectory, one after the other
def seen_along(subject: Subject) -> Seen | None:
    """The trajectory of an instance at the times at which it is drawn; None where it is not enclosed."""
    trajectory = _enclosure(subject)
    if trajectory is None:
        return None
    end = trajectory.horizon
    if end >= LONG:
        first, last = -2.0, math.log10(as_float(end))
        grid = [fmpq(*(10 ** (first + (last - first) * k / TIMES)).as_integer_ratio()) for k in range(TIMES)]
        chosen = {time for time in grid if time < end} | {fmpq(0), end}
    else:
        chosen = {end * k / TIMES for k in range(TIMES + 1)}
    # The violated times themselves: between two of the grid a violation might not be seen.
    return Seen(subject, trajectory, sorted(chosen | {rational(time) for time in subject.times if rational(time) <= end}))


class Seen:
    """A trajectory at the times at which it is drawn."""

    def __init__(self, subject: Subject, trajectory: Trajectory, times: list[fmpq]) -> None:
        self.subject, self.trajectory, self.times = subject, trajectory, times
        self.states = [trajectory.at(time) for time in times]
        self.is_logarithmic = trajectory.horizon >= LONG
        # The moving number that grows by one in a unit of time, if there is one: theorems are stated in it.
        self.clock = "time"
        with working_precision(64):
            for name, rate in zip(trajectory.origin.moving, trajectory.origin.velocity(), strict=True):
                value = numbers(rate)
                if value.ndim == 0 and bool(value.item() == 1):
                    self.clock = name
                    break

    @property
    def axis(self) -> Axis:
        """Of time, in the clock of the flow."""
        return Axis(self.clock, self.is_logarithmic)

    def place(self, time: fmpq) -> float | None:
        """Where a time stands on the axis; None for 0 on a logarithmic one."""
        if not self.is_logarithmic:
            return as_float(time)
        return math.log10(as_float(time)) if time > 0 else None

    def curves(self, quantity: Callable[[Any], Array], most: int = MOST_CURVES) -> list[list[tuple[float, float, float]]]:
        """The entries of a quantity over time: places on the axis with the ends of their enclosures."""
        found: list[list[tuple[float, float, float]]] = []
        for time, state in zip(self.times, self.states, strict=True):
            at = self.place(time)
            if at is None:
                continue
            with working_precision(self.trajectory.bits):
                try:
                    values = list(numbers(quantity(state)).flat)[:most]
                except UNREADABLE:
                    continue  # late states may be too wide to read; the curve goes on where they are not
            found += [[] for _ in values[len(found) :]]
            for curve, value in zip(found, values, strict=False):
                low, high = ends(value)
                if math.isfinite(low) and math.isfinite(high):
                    curve.append((at, low, high))
        return found

    def radius(self) -> str:
        """How wide the enclosure is at most."""
        return outward(self.trajectory.radius, 1, 2)

    def marks(self) -> list[Shape]:
        """The violated times."""
        word = "violated" if self.subject.conclusion.form is not Form.LIMIT else "decided for ever"
        found = []
        for time in self.subject.times:
            at = self.place(rational(time))
            if at is not None:
                found.append(Level(at, True, "violated", f"{word} at {self.clock} = {as_float(rational(time)):.4g}"))
        return list(found)


def _enclosure(subject: Subject) -> Trajectory | None:
    """The trajectory up to the violated time and a little more, else to the horizon of the conclusion."""
    flow = subject.system
    assert isinstance(flow, Flow)
    if sum(getattr(flow, name).size for name in flow.moving) > MOST_COORDINATES:
        return None
    conclusion, shown = subject.conclusion, _last(subject)
    try:
        if shown is not None:
            until = shown + 1 if conclusion.form is Form.LIMIT else shown * BEYOND
        elif conclusion.horizon is not None:
            until = conclusion.horizon(flow)
        else:
            until = min(conclusion.times(flow)) + 1 if conclusion.times is not None else fmpq(1)
        # Past the violated time a flow may run off: then up to that time, which the certificate has enclosed already.
        for rung in LADDER[:2]:
            for length in (until,) if shown is None else (until, shown):
                with suppress(EnclosureError):
                    return enclose_at(flow, length, rung, seconds=SECONDS)
    except UNREADABLE:
        return None
    return None


def _last(subject: Subject) -> fmpq | None:
    """The last time that a certificate names."""
    return max((rational(time) for time in subject.times), default=None)


def lines(curves: Sequence[Sequence[tuple[float, float, float]]], names: Sequence[str], first: int = 0) -> list[Shape]:
    """A line for each curve, within the band of its enclosure."""
    shapes: list[Shape] = []
    for i, curve in enumerate(curves):
        if not curve:
            continue
        upper, lower = [(x, high) for x, _, high in curve], [(x, low) for x, low, _ in curve]
        shapes.append(Region([*upper, *lower[::-1]], "band", first + i))
        middle = [(x, (low + high) / 2) for x, low, high in curve]
        shapes.append(Path(middle, "line", first + i, names[i], label=names[i]))
    return shapes


# ---------------------------------------------------------------------------------------------------------------------
# Training: what moves, over time

# What is drawn of a flow of training, where it has it: its name, a title, and the symbol of an entry.
QUANTITIES = (
    ("u", "Value projections", "u"),
    ("s", "Scores", "s"),
    ("w", "Gaps of value projections", "w"),
    ("gaps", "Gaps", "gap"),
)


def _coordinates(seen: Seen) -> Iterator[Picture]:
    flow = seen.subject.system
    assert isinstance(flow, Flow)
    known = [one for one in QUANTITIES if hasattr(flow, one[0])]
    others = [name for name in flow.moving if getattr(flow, name).ndim and name != seen.clock]
    # Of a flow that has none of those whatever moves, as it is called.
    moving = [(name, flow.fields()[name].meaning.capitalize(), name) for name in others]
    for chosen in (known, moving):
        drawn = [(*one[1:], curves) for one in chosen if any(curves := seen.curves(attrgetter(one[0])))]
        for title, symbol, curves in drawn:
            yield _curves(seen, title, symbol, curves)
        if drawn:
            return


def _curves(seen: Seen, title: str, symbol: str, curves: list[list[tuple[float, float, float]]]) -> Picture:
    names = [f"{symbol}_{i}" for i in range(len(curves))]
    caption = f"Certified enclosure of radius at most {seen.radius()}" + (
        ", against log time" if seen.is_logarithmic else ""
    )
    last = [
        f"{name} from {curve[0][1]:.4g} to {curve[-1][1]:.4g}" for name, curve in zip(names, curves, strict=True) if curve
    ]
    alt = f"{title} over {seen.clock} up to {as_float(seen.trajectory.horizon):.4g}: {listed(last)}."
    frame = Scene([*lines(curves, names), *seen.marks()], seen.axis, Axis(symbol), caption=caption)
    return Picture(f"{title} over time", alt, seen.subject.source, (frame,))


def _slack(seen: Seen) -> Iterator[Picture]:
    """The slack of the conclusion: the violated entry, else the smallest entry at each time."""
    subject, start = seen.subject, seen.subject.system

    def chosen(state: Any) -> Array:
        values = numbers(subject.conclusion.slack(state, start))
        if subject.entry is not None and values.ndim == len(subject.entry):
            return numbers(values[subject.entry] if subject.entry else values)
        return numbers(min(values.flat, key=as_float))

    curves = seen.curves(chosen, 1)
    if not curves or len(curves[0]) < 2:
        return
    curve = curves[0]
    entry = "" if not subject.entry else f", entry {list(subject.entry)}"
    low = min(curve, key=lambda point: point[1])
    back = 10 ** low[0] if seen.is_logarithmic else low[0]
    alt = f"The slack over {seen.clock} from {curve[0][1]:.4g} to {curve[-1][1]:.4g}; least near {seen.clock} = {back:.4g}."
    # The first line of a docstring alone: a caption has one.
    meaning = subject.conclusion.meaning.partition("\n")[0].rstrip(".")
    caption = f"{meaning}{entry}; it must be {subject.conclusion.relation}"
    shapes: list[Shape] = [*lines(curves, [""], 3), *seen.marks()]
    shapes.append(Path([(curve[0][0], 0.0), (curve[-1][0], 0.0)], "zero"))
    if subject.conclusion.relation is not Relation.ZERO and low[2] < 0:
        below = [(x, min(high, 0.0)) for x, _, high in curve]
        shapes.insert(0, Region([*below, (curve[-1][0], 0.0), (curve[0][0], 0.0)], "forbidden", told="violated here"))
        middle = (low[1] + low[2]) / 2
        shapes.append(Dot((low[0], middle), "mark", label=f"{middle:.3g}", told=f"least near {seen.clock} = {back:.4g}"))
    yield Picture("The slack over time", alt, subject.source, (Scene(shapes, seen.axis, Axis("slack"), caption=caption),))


# ---------------------------------------------------------------------------------------------------------------------
# Tokens: their paths


STOPS = 12  # moments at which tokens of a flow are seen on their ways, after the first


def paths(seen: Seen) -> Iterator[Picture]:
    """The ways of tokens on one canvas, colour telling the time, with their limits and leaders, where a trap shows them."""
    subject, found = seen.subject, token_array(seen.subject.system)
    assert found is not None
    (name, start), limit = found, _limit(seen)
    if start.shape[-1] == 1:
        yield _tokens_over_time(seen, name, start, limit)
        return
    states = [numbers(getattr(state, name)) for state in seen.states]
    axes = axes_of_motion([*states, start])
    ground: list[Shape] = tracks([placed(points, axes) for points in states])
    if limit is not None:
        places = placed(limit.limits, axes)
        corners = hull_corners(places) if len(axes) == 2 else []
        if len(corners) > 2:
            ground.insert(0, Region(corners, "hull", 3, "the limit of the hulls"))
        for i, (place, row) in enumerate(zip(places, limit.limits, strict=True)):
            leader = int(limit.leaders[i])  # -1 where it has none; grey then
            told = f"the limit of token {i + 1}: {told_point(row)}"
            ground.append(Dot(place, "limit", leader if leader >= 0 else 7, told=told))
    end = as_float(seen.trajectory.horizon)
    told = f"; enclosure of radius at most {seen.radius()}"
    if limit is not None:
        width = max(((high - low) / 2 for low, high in map(ends, limit.limits.flat)), default=0.0)
        known = outward(width, 1, 2)
        told += f"; diamonds are limits, filled: their hull; limits within {known} of where they are drawn"
    frames = []
    for stop in sorted({round((len(states) - 1) * k / STOPS) for k in range(STOPS + 1)}):
        now = f"{seen.clock} = {as_float(seen.times[stop]):.3g}{told}"
        frames.append(scene(name, axes, [*hull_of(states[stop], axes), *dots(states[stop], axes)], now))
    begin = listed([told_point(row) for row in start])
    alt = f"Paths of {count_of(start)} up to {seen.clock} = {end:.4g}. From {begin}. {_told(limit)}".strip()
    times = (f"{seen.clock} = 0", f"{end:.3g}")
    yield Picture("Paths of the tokens", alt, subject.source, tuple(frames), seen_coordinates(axes, start), ground, times)


def _tokens_over_time(seen: Seen, name: str, start: Array, limit: TokensEnd | None) -> Picture:
    """Of tokens on a line their places over time."""
    curves = seen.curves(lambda state: getattr(state, name)[:, 0], len(start))
    names = [f"{name}_{i + 1}" for i in range(len(start))]
    shapes: list[Shape] = [*lines(curves, names), *seen.marks()]
    if limit is not None:
        places = [at for at in map(seen.place, seen.times) if at is not None]
        for i, row in enumerate(limit.limits):
            low, high = ends(row[0])
            across = [(places[0], low), (places[-1], low), (places[-1], high), (places[0], high)]
            shapes.append(Region(across, "limits", i, f"the limit of {names[i]} is from {interval_text(low, high, 6)}"))
    caption = f"Certified enclosure of radius at most {seen.radius()}"
    caption += "" if limit is None else "; across: where the limits are"
    alt = f"{count_of(start)} over {seen.clock}, from {listed([told_point(row) for row in start])}. {_told(limit)}".strip()
    frame = Scene(shapes, seen.axis, Axis(name), caption=caption)
    return Picture("Tokens over time", alt, seen.subject.source, (frame,))


def _limit(seen: Seen) -> TokensEnd | None:
    """What the claim's own trap shows of the rescaled tokens: at the end of what is drawn, else at the certificate's time.

    The later the state, the narrower are the balls around the limits.
    """
    conclusion = seen.subject.conclusion
    if conclusion.form is not Form.LIMIT or conclusion.trap is None or not isinstance(seen.subject.system, RescaledFlow):
        return None
    # A trap may show the limits of an earlier state alone, as where the last one is enclosed too widely.
    for time in dict.fromkeys((seen.trajectory.horizon, _last(seen.subject) or seen.trajectory.horizon)):
        try:
            with working_precision(seen.trajectory.bits):
                shown = conclusion.shown(seen.trajectory.at(time), seen.subject.system)
        except UNREADABLE:
            continue
        return shown if isinstance(shown, TokensEnd) else None
    return None


def _told(limit: TokensEnd | None) -> str:
    if limit is None:
        return ""
    places = dict.fromkeys(told_point(row) for row in limit.limits)
    leaders = listed([str(k) for k in sorted({int(leader) + 1 for leader in limit.leaders if leader >= 0})])
    return f"Limits, for ever from there on: {listed(list(places))}. Leaders: tokens {leaders or 'none'}."


# ---------------------------------------------------------------------------------------------------------------------
# One state of training, and steps of gradient descent


@draws(Flow, *AT_A_STATE)
def values_and_scores(subject: Subject) -> Iterator[Picture]:
    """Scores over value projections at a state."""
    system: Any = subject.system
    with working_precision(128):
        try:
            u, s = numbers(system.u), numbers(system.s)
        except (AttributeError, *UNREADABLE):
            return  # it has no scores, or none at this state, where the sum that they are divided by is 0
    if u.ndim != 1 or s.ndim != 1 or len(u) > 24:
        return
    shapes, told = list[Shape](), list[str]()
    for i, exactly in enumerate(zip(u, s, strict=True)):
        value, score = map(as_float, exactly)
        shapes.append(Path([(value, 0.0), (value, score)], "stem", 0))
        shapes.append(Dot((value, score), "token", 0, str(i), f"u_{i} = {value:.6g}, s_{i} = {score:.6g}"))
        texts = [one.str(6, radius=False) if isinstance(one, arb) else str(one) for one in exactly]
        # An exact number is told as it is, but not one of many digits.
        texts = [text if len(text) <= 16 else f"{as_float(one):.6g}" for text, one in zip(texts, exactly, strict=True)]
        told.append(f"u_{i} = {texts[0]}, s_{i} = {texts[1]}")
    shapes.append(Level(0.0))
    caption = "Scores s_i against value projections u_i at the state, each with its i"
    frame = Scene(shapes, Axis("u_i"), Axis("s_i"), caption=caption)
    alt = f"The scores of {len(u)} value projections, each over its value. {listed(told)}."
    yield Picture("Values and scores at the state", alt, subject.source, (frame,))


@draws(LogisticDescent, *AT_A_STATE)
def steps_of_descent(subject: Subject) -> Iterator[Picture]:
    """Value projections and scores over steps of gradient descent, enclosed."""
    state: StepMap = subject.system  # type: ignore[assignment]
    states: list[Any] = [state]
    with working_precision(256):
        try:
            for _ in range(8):
                states.append(states[-1].step())
        except UNREADABLE:
            return
        for name, title in (("u", "Value projections"), ("s", "Scores")):
            rows = [list(numbers(getattr(now, name)).flat)[:MOST_CURVES] for now in states]
            curves = [[(float(k), *ends(row[i])) for k, row in enumerate(rows)] for i in range(len(rows[0]))]
            names = [f"{name}_{i}" for i in range(len(curves))]
            last = [f"{one} from {curve[0][1]:.4g} to {curve[-1][1]:.4g}" for one, curve in zip(names, curves, strict=True)]
            shapes = lines(curves, names)
            shapes += [Dot((x, (low + high) / 2), "token", i) for i, curve in enumerate(curves) for x, low, high in curve]
            caption = "Steps of gradient descent, enclosed in balls"
            frame = Scene(shapes, Axis("step", whole=True), Axis(name), caption=caption)
            yield Picture(f"{title} over steps", f"{title}: {listed(last)}.", subject.source, (frame,))
