"""How tokens leave their tubes: the cheapest picks that lead out, and the mean escape time against beta with its exponents.

Only chains of one token in each tube are drawn: of groups neither the way out nor the exponent is computed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from flint import arb, fmpq

from claims.atlas.pictures.scenes import Axis, Dot, Path, Picture, Point, Region, Scene, Shape
from claims.atlas.pictures.subject import Subject, as_float, axes_of, draws, floats, placed, told_point
from claims.atlas.pictures.tokens import dots, drawn, scene
from claims.statement import Form
from dynamics.arithmetic import UndecidedError, exact, rational, working_precision
from dynamics.decimals import float_beside, outward, span
from dynamics.escapes.enclose import NoWayOutError, has_a_way_out, mean_escape
from dynamics.escapes.exponents import TooFarError, WayOut, cheapest_way, costs_at, longest_wait
from dynamics.escapes.histories import alone
from dynamics.escapes.times import Enclosure
from dynamics.tokens.attention_chain import AttentionChain

BITS = 192

MOST_TOKENS = 3
"""With more tokens a step has too many combinations of picks for a picture."""

MOST_PICKS = 24
"""A longer way out is not drawn."""

TEMPERATURES = 6
"""Values of beta, evenly spaced."""

LARGEST_LOG = 40
"""The last beta is where the exponent of the mean, times beta, is about this."""

DIGITS = 4
STATES = 1500
"""Digits of a mean to aim at, and states to follow at most: a picture shows no more."""

SIDES = 48
"""Of the polygon that a tube is drawn as."""

BEYOND = 1.05
"""Lines reach a little beyond the last point, """

TALLEST = 2.5
"""and so many times as high as it, at most."""


@draws(AttentionChain, Form.PROBABILITY, Form.STATE)
def escapes(subject: Subject) -> Iterator[Picture]:
    """The tubes with the cheapest way out, and log E T_2 against beta."""
    chain = subject.system
    assert isinstance(chain, AttentionChain)
    if len(chain.x) > MOST_TOKENS or not alone(chain) or not has_a_way_out(chain):
        return
    try:
        way = cheapest_way(chain)
    except UndecidedError:
        return
    if 0 < len(way.picks) <= MOST_PICKS:
        yield _way_out(subject, chain, way)
    found = _means(chain)
    if len(found) > 1:
        yield _exponents(subject, chain, found)


# ---------------------------------------------------------------------------------------------------------------------
# The way out


def _way_out(subject: Subject, chain: AttentionChain, way: WayOut) -> Picture:
    """The states along the cheapest picks: on a line against their number, else where they are."""
    states, prices = _followed(chain, way)
    k, tokens = len(way.picks), sorted({pick.token + 1 for step in way.picks for pick in step})
    cost = outward(way.cost.high, 1, 6)
    known = "exactly" if way.cost.low == way.cost.high == rational(cost) else "at most"
    named = ", ".join(map(str, tokens))
    note = (
        f"The cheapest way out: {k} step{'s' if k > 1 else ''}, in which token{'s' if len(tokens) > 1 else ''} {named} "
        f"pick{'' if len(tokens) > 1 else 's'} another token, at a cost of {known} {cost}. "
        "As beta grows it becomes the likeliest one."
    )
    places = f"Starts: {', '.join(told_point(row) for row in chain.x)}; tubes of width eps = {chain.eps.item()}."
    told = [f"pick {step + 1} costs {price:.4g}" for step, price in enumerate(prices)]
    axes = axes_of(chain.x)
    frame = _on_a_line(chain, states, told) if len(axes) == 1 else _in_space(chain, states, told, axes)
    alt = f"{places} {note} {'; '.join(told)}."
    return Picture(
        "Tubes, and the likeliest way out", alt, subject.source, (frame,), f"{note} {drawn(axes, chain.x)}".strip()
    )


def _followed(chain: AttentionChain, way: WayOut) -> tuple[list[list[list[fmpq]]], list[float]]:
    """The tokens after each of the picks, exactly, and what each step costs."""
    gamma = chain.gamma.item()
    now = [list(row) for row in chain.x.tolist()]
    states, prices = [now], list[float]()
    for picks in way.picks:
        costs = costs_at(tuple(map(tuple, now)))
        targets = {pick.token: pick.picked for pick in picks}
        prices.append(as_float(sum((costs[i][targets.get(i, i)] for i in range(len(now))), fmpq(0))))
        now = [[a + gamma * (b - a) for a, b in zip(row, now[targets.get(i, i)], strict=True)] for i, row in enumerate(now)]
        states.append(now)
    return states, prices


def _on_a_line(chain: AttentionChain, states: list[list[list[fmpq]]], told: list[str]) -> Scene:
    eps, last = as_float(chain.eps.item()), float(len(states) - 1)
    shapes: list[Shape] = []
    for i, start in enumerate(floats(states[0])):
        low, high = start[0] - eps, start[0] + eps
        tube = [(0.0, low), (last, low), (last, high), (0.0, high)]
        shapes.append(Region(tube, "tube", i, f"the tube of token {i + 1}: from {low:.6g} to {high:.6g}"))
        track = [(float(step), floats(state[i])[0]) for step, state in enumerate(states)]
        shapes.append(Path(track, "line", i))
        shapes += [
            Dot(place, "token", i, str(i + 1) if not step else "", _said(i, step, states, told))
            for step, place in enumerate(track)
        ]
    caption = "Bands are the tubes; places after each pick of the way out"
    return Scene(shapes, Axis("pick"), Axis("x"), caption=caption)


def _in_space(chain: AttentionChain, states: list[list[list[fmpq]]], told: list[str], axes: list[int]) -> Scene:
    eps = as_float(chain.eps.item())
    starts = placed(chain.x, axes)
    shapes: list[Shape] = []
    for i, start in enumerate(starts):
        for plane in ((0, 1), (0, 2), (1, 2)) if len(axes) > 2 else ((0, 1),):
            circle = _circle(start, eps, plane)
            if len(axes) == 2:
                shapes.append(Region(circle, "tube", i, f"the tube of token {i + 1}"))
            else:
                shapes.append(Path([*circle, circle[0]], "wire", i))
    tracks = [placed(exact(state), axes) for state in states]
    for i in range(len(starts)):
        for step, (here, there) in enumerate(pairwise(track[i] for track in tracks)):
            if here != there:
                shapes.append(Path([here, there], "step", i, _said(i, step + 1, states, told), arrow=True))
    shapes += dots(chain.x, axes)
    shapes += [
        Dot(track[i], "token", i, told=_said(i, step, states, told))
        for step, track in enumerate(tracks)
        for i in range(len(starts))
        if step and track[i] != tracks[step - 1][i]
    ]
    return scene("x", axes, shapes, "Around each token its tube; arrows are the picks of the way out")


def _circle(middle: Point, radius: float, plane: tuple[int, int]) -> list[Point]:
    found = []
    for k in range(SIDES):
        angle, place = 2 * math.pi * k / SIDES, list(middle)
        place[plane[0]] += radius * math.cos(angle)
        place[plane[1]] += radius * math.sin(angle)
        found.append(tuple(place))
    return found


def _said(token: int, step: int, states: list[list[list[fmpq]]], told: list[str]) -> str:
    where = f"token {token + 1} at {told_point(states[step][token])}"
    return f"{where}, the start" if not step else f"{where}; {told[step - 1]}"


# ---------------------------------------------------------------------------------------------------------------------
# The mean, beta by beta


def _means(chain: AttentionChain) -> list[tuple[fmpq, Enclosure]]:
    """E T_2 at a few betas, each enclosed, up to the first that the budget does not reach."""
    try:
        wait = longest_wait(chain).high
    except TooFarError:
        return []
    if not wait > 0:
        return []
    last, found = LARGEST_LOG / wait, list[tuple[fmpq, Enclosure]]()
    for k in range(1, TEMPERATURES + 1):
        beta = last * fmpq(k, TEMPERATURES)
        try:
            with working_precision(BITS):
                mean = mean_escape(chain.replace(beta=exact(beta)), DIGITS, STATES).mean
        except (UndecidedError, NoWayOutError):
            break
        if not (mean.low > 0 and mean.high.is_finite()):
            break
        found.append((beta, mean))
    return found


def _exponents(subject: Subject, chain: AttentionChain, found: list[tuple[fmpq, Enclosure]]) -> Picture:
    """log E T_2 against beta, with lines of the slopes that Theorem 5.4, its correction and the computation give."""
    points = [(as_float(beta), *_logs(mean)) for beta, mean in found]
    wait, slopes = longest_wait(chain), list[tuple[str, float]]()
    if wait.low == wait.high:
        slopes.append((f"computed: {as_float(wait.low):.5g}", as_float(wait.low)))
    with working_precision(BITS):
        r = chain.rho.item() + chain.eps.item()
        corrected = as_float(chain.c_0 - 4 * chain.R.item() * r - r * r)
    printed = as_float(chain.c_0 * chain.eps.item() / (2 * chain.gamma.item()))
    slopes.append((f"printed, c_0 eps/(2 gamma): {printed:.5g}", printed))
    if corrected > 0:
        slopes.append((f"corrected, c_0 - 4 R r - r^2: {corrected:.5g}", corrected))
    begin, (_, low, high) = points[0][0], points[0]
    level, end = (low + high) / 2, BEYOND * points[-1][0]
    shapes: list[Shape] = []
    for k, (name, slope) in enumerate(slopes):
        across = min(end - begin, (TALLEST * points[-1][2] - level) / slope) if slope > 0 else end - begin
        shapes.append(Path([(begin, level), (begin + across, level + slope * across)], "line", 1 + k, name))
    band = [*((beta, high) for beta, _, high in points), *((beta, low) for beta, low, _ in points[::-1])]
    shapes.append(Region(band, "band", 0))
    shapes += [
        Dot((beta, (low + high) / 2), "token", 0, told=f"beta = {beta:.4g}: log E T_2 from {span(low, high, 8)}")
        for beta, low, high in points
    ]
    widest = max(high - low for _, low, high in points)
    caption = (
        f"Certified, to {outward(max(widest, 1e-12), 1, 2)}; lines have the slopes of exponents, through the first point"
    )
    rows = [
        f"{middle:.5g} at beta = {beta:.4g}" for beta, middle in ((beta, (low + high) / 2) for beta, low, high in points)
    ]
    alt = f"log E T_2 is {', '.join(rows)}. Exponents: {'; '.join(name for name, _ in slopes)}."
    keys = (("log E T_2", 0), *((name, 1 + k) for k, (name, _) in enumerate(slopes)))
    return Picture(
        "The mean escape time against beta",
        alt,
        subject.source,
        (Scene(shapes, Axis("beta"), Axis("log E T_2"), caption=caption, keys=keys),),
        "The tokens, gamma and eps are those of the instance; beta is varied.",
    )


def _logs(mean: Enclosure) -> tuple[float, float]:
    """The ends of log E T_2, for drawing."""
    with working_precision(BITS):
        low, high = (arb(end).log() for end in (mean.low, mean.high))
    return float_beside(low.lower(), -1), float_beside(high.upper(), 1)
