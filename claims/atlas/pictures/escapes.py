"""How tokens leave their tubes: the cheapest picks that lead out, and the mean escape time against beta with its exponents.

Only chains of one token in each tube are drawn: of groups neither the way out nor the exponent is computed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from flint import arb, fmpq

from claims.atlas.pictures.scenes import Axis, Dot, Path, Picture, Point, Region, Scene, Shape
from claims.atlas.pictures.subject import (
    Subject,
    as_float,
    axes_of,
    draws,
    floats,
    nothing_to_show,
    numeral,
    placed,
    told_point,
)
from claims.atlas.pictures.tokens import dots, scene, seen_coordinates
from claims.statement import Form, Tail
from dynamics.arithmetic import UndecidedError, exact, rational, working_precision
from dynamics.decimals import float_beside, interval_text, outward
from dynamics.escapes.enclose import NoWayOutError, chance_before, has_a_way_out, mean_escape
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
    yield from way_out(subject)
    yield from exponents(subject)


def way_out(subject: Subject) -> Iterator[Picture]:
    """The tubes with the cheapest way out."""
    chain = _with_exponents(subject)
    if chain is None:
        return
    way = cheapest_way(chain)
    if 0 < len(way.picks) <= MOST_PICKS:
        yield _way_out(subject, chain, way)


def exponents(subject: Subject) -> Iterator[Picture]:
    """log E T_2 against beta, with the exponents that are stated and the one that is computed."""
    chain = _with_exponents(subject)
    found = [] if chain is None else _means(chain)
    if chain is not None and len(found) > 1:
        yield _exponents(subject, chain, found)


def _with_exponents(subject: Subject) -> AttentionChain | None:
    """The chain, if it has one token in each tube, few of them, and a way out that is known."""
    chain = subject.system
    assert isinstance(chain, AttentionChain)
    if len(chain.x) > MOST_TOKENS or not alone(chain) or not has_a_way_out(chain):
        return None
    try:
        cheapest_way(chain)
    except UndecidedError:
        return None
    return chain


# ---------------------------------------------------------------------------------------------------------------------
# The chance to be out, against its bound


def chance_against_bound(subject: Subject) -> Iterator[Picture]:
    """log P[T_2 < t] and the stated bound on it against beta, the other numbers being those of the instance."""
    chain, conclusion = subject.system, subject.conclusion
    assert isinstance(chain, AttentionChain)
    t, own = int(chain.steps.item()), rational(chain.beta.item())
    rows: list[tuple[fmpq, arb, arb]] = []
    for k in range(1, TEMPERATURES + 1):
        beta = own * 2 * k / TEMPERATURES
        with working_precision(BITS):
            there = chain.replace(beta=exact(beta))
            tail = conclusion.slack(there)
            found = chance_before(there, t)
            if not (isinstance(tail, Tail) and found.low > 0):
                raise nothing_to_show(subject, "has no bound on a chance that is known to be positive")
            rows.append((beta, arb(found.low).log().union(arb(found.high).log()), arb(tail.log_bound)))
    truth, bound = next((truth, bound) for beta, truth, bound in rows if beta == own)
    with working_precision(BITS):
        slack = bound - truth
    if not slack < 0:
        raise nothing_to_show(subject, f"has a chance within its bound at beta = {own}")
    line = [(as_float(beta), as_float(value)) for beta, value, _ in rows]
    stated = [(as_float(beta), as_float(value)) for beta, _, value in rows]
    violated = [k for k, (_, value, most) in enumerate(rows) if most < value]
    between = [*(line[k] for k in violated), *(stated[k] for k in violated[::-1])]
    at = as_float(own)
    shapes: list[Shape] = [
        Region(between, "forbidden", told="likelier than the bound allows"),
        Path(line, "line", 0, "log P[T_2 < t], enclosed", label="true"),
        *(
            Dot(place, "token", 0, told=f"beta = {beta}: {numeral(value)}")
            for place, (beta, value, _) in zip(line, rows, strict=True)
        ),
        Path(stated, "dashed", 1, "the printed bound", label="printed"),
        Path([(at, as_float(bound)), (at, as_float(truth))], "violated"),
        Dot((at, as_float(truth)), "mark", label=f"off by {numeral(-slack)}", told=f"beta = {own}: the certificate"),
    ]
    alt = (
        f"log P[T_2 < {t}] against beta lies above the printed bound: at beta = {own} it is {numeral(truth)} "
        f"and the bound is {numeral(bound)}."
    )
    caption = f"Shaded: where an escape before t = {t} is likelier than printed; marked: the certificate"
    frame = Scene(shapes, Axis("beta"), Axis(f"log P[T_2 < {t}]"), caption=caption)
    note = "The tokens, gamma, eps and t are those of the instance; beta is varied."
    yield Picture("The chance to escape, against its bound", alt, subject.source, (frame,), note)


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
    steps = f"{k} step{'s' if k > 1 else ''}"
    alt = f"Tubes of the tokens, and their likeliest way out in {steps}. {places} {note} {'; '.join(told)}."
    return Picture(
        "Tubes, and the likeliest way out",
        alt,
        subject.source,
        (frame,),
        f"{note} {seen_coordinates(axes, chain.x)}".strip(),
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
        shapes.append(Region(tube, "tube", i, f"the tube of token {i + 1}: from {interval_text(low, high, 6)}"))
        track = [(float(step), floats(state[i])[0]) for step, state in enumerate(states)]
        shapes.append(Path(track, "line", i))
        shapes += [
            Dot(place, "token", i, str(i + 1) if not step else "", _said(i, step, states, told))
            for step, place in enumerate(track)
        ]
    caption = "Bands are the tubes; places after each pick of the way out"
    return Scene(shapes, Axis("pick", whole=True), Axis("x"), caption=caption)


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
    wait, slopes = longest_wait(chain), list[tuple[str, float, int]]()
    wait_high = as_float(wait.high)
    if wait.low == wait.high:
        slopes.append((f"computed: {as_float(wait.low):.5g}", as_float(wait.low), 0))
    with working_precision(BITS):
        r = chain.rho.item() + chain.eps.item()
        corrected = as_float(chain.c_0 - 4 * chain.R.item() * r - r * r)
    printed = as_float(chain.c_0 * chain.eps.item() / (2 * chain.gamma.item()))
    slopes.append((f"printed, c_0 eps/(2 gamma): {printed:.5g}", printed, 1))
    if corrected > 0:
        slopes.append((f"corrected, c_0 - 4 R r - r^2: {corrected:.5g}", corrected, 2))
    begin, (_, low, high) = points[0][0], points[0]
    level, end = (low + high) / 2, BEYOND * points[-1][0]
    shapes: list[Shape] = []
    for name, slope, color in slopes:
        across = min(end - begin, (TALLEST * points[-1][2] - level) / slope) if slope > 0 else end - begin
        tip = (begin + across, level + slope * across)
        style = "dashed" if name.startswith("printed") else "line"
        if style == "dashed" and slope > 0 and tip[1] > level + wait_high * across:
            foot = (begin + across, level + wait_high * across)
            shapes.insert(0, Region([(begin, level), tip, foot], "forbidden", told="longer than tokens stay"))
        shapes.append(Path([(begin, level), tip], style, color, name, label=name.partition(",")[0].partition(":")[0]))
    band = [*((beta, high) for beta, _, high in points), *((beta, low) for beta, low, _ in points[::-1])]
    shapes.append(Region(band, "band", 0))
    shapes += [
        Dot((beta, (low + high) / 2), "token", 0, told=f"beta = {beta:.4g}: log E T_2 from {interval_text(low, high, 8)}")
        for beta, low, high in points
    ]
    widest = max(high - low for _, low, high in points)
    caption = (
        f"Certified, to {outward(max(widest, 1e-12), 1, 2)}; lines have the slopes of exponents, through the first point"
    )
    rows = [
        f"{middle:.5g} at beta = {beta:.4g}" for beta, middle in ((beta, (low + high) / 2) for beta, low, high in points)
    ]
    alt = (
        f"log E T_2 against beta, with lines of the slopes of its exponents: {'; '.join(name for name, _, _ in slopes)}. "
        f"It is {', '.join(rows)}."
    )
    keys = tuple((name, color) for name, _, color in slopes)
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
