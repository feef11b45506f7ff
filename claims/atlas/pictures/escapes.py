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
from claims.stating.statement import Form, Tail
from dynamics.arithmetic import UndecidedError, exact, rational, working_precision
from dynamics.decimals import float_beside, interval_text, outward
from dynamics.escapes.enclose import NoWayOutError, chance_before, has_a_way_out, mean_escape
from dynamics.escapes.exponents import TooFarError, cheapest_way, costs_at, longest_wait
from dynamics.escapes.histories import alone
from dynamics.tokens.attention_chain import AttentionChain

BITS = 192

MOST_TOKENS = 3  # with more tokens a step has too many combinations of picks for a picture
MOST_PICKS = 24  # a longer way out is not drawn
TEMPERATURES = 6  # values of beta, evenly spaced
LARGEST_LOG = 40  # where the exponent times beta is this, e^40 steps, is the last beta: later ones only go on as straight
DIGITS, STATES = 4, 1500  # of a mean to aim at, and to follow at most: a picture shows no more
SIDES = 48  # of the polygon that a tube is drawn as
BEYOND, TALLEST = 1.05, 2.5  # how far lines of exponents go past the last point, and how high, times its height


@draws(AttentionChain, Form.PROBABILITY, Form.STATE)
def escapes(subject: Subject) -> Iterator[Picture]:
    """The tubes with the cheapest way out, and log E T_2 against beta."""
    yield from way_out(subject)
    yield from exponents(subject)


def way_out(subject: Subject) -> Iterator[Picture]:
    """The tubes with the cheapest way out: on a line the places against the number of picks, else where they are."""
    chain = _with_exponents(subject)
    if chain is None:
        return
    way = cheapest_way(chain)
    if not 0 < len(way.picks) <= MOST_PICKS:
        return
    gamma, now = chain.gamma.item(), [list(row) for row in chain.x.tolist()]
    states, told = [now], list[str]()
    for step, picks in enumerate(way.picks, 1):
        costs = costs_at(tuple(map(tuple, now)))
        targets = {pick.token: pick.picked for pick in picks}
        # The chance of a pick is about e^(-beta cost), and picks of one step are independent: their costs add up.
        price = as_float(sum((costs[i][targets.get(i, i)] for i in range(len(now))), fmpq(0)))
        told.append(f"pick {step} costs {price:.4g}")
        now = [[a + gamma * (b - a) for a, b in zip(row, now[targets.get(i, i)], strict=True)] for i, row in enumerate(now)]
        states.append(now)
    tokens = sorted({pick.token + 1 for step in way.picks for pick in step})
    cost = outward(way.cost.high, 1, 6)
    known = "exactly" if way.cost.low == way.cost.high == rational(cost) else "at most"
    steps = f"{len(way.picks)} step{'s' if len(way.picks) > 1 else ''}"
    note = (
        f"The cheapest way out: {steps}, in which token{'s' if len(tokens) > 1 else ''} {', '.join(map(str, tokens))} "
        f"pick{'' if len(tokens) > 1 else 's'} another token, at a cost of {known} {cost}. "
        "As beta grows it becomes the likeliest one."
    )
    places = f"Starts: {', '.join(told_point(row) for row in chain.x)}; tubes of width eps = {chain.eps.item()}."
    axes = axes_of(chain.x)
    frame = _on_a_line(chain, states, told) if len(axes) == 1 else _in_space(chain, states, told, axes)
    alt = f"Tubes of the tokens, and their likeliest way out in {steps}. {places} {note} {'; '.join(told)}."
    seen = f"{note} {seen_coordinates(axes, chain.x)}".strip()
    yield Picture("Tubes, and the likeliest way out", alt, subject.source, (frame,), seen)


def _with_exponents(subject: Subject) -> AttentionChain | None:
    """The chain, if it has one token in each tube, few of them, and a way out that is known."""
    chain = subject.system
    assert isinstance(chain, AttentionChain)
    if len(chain.x) > MOST_TOKENS or not alone(chain) or not has_a_way_out(chain):
        return None
    try:
        cheapest_way(chain)  # which the picture would need
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
        # In space a ball is drawn as three of its great circles; in the plane one circle is all of it.
        for across, up in ((0, 1), (0, 2), (1, 2)) if len(axes) > 2 else ((0, 1),):
            circle = list[Point]()
            for angle in (2 * math.pi * k / SIDES for k in range(SIDES)):
                place = list(start)
                place[across] += eps * math.cos(angle)
                place[up] += eps * math.sin(angle)
                circle.append(tuple(place))
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


def _said(token: int, step: int, states: list[list[list[fmpq]]], told: list[str]) -> str:
    where = f"token {token + 1} at {told_point(states[step][token])}"
    return f"{where}, the start" if not step else f"{where}; {told[step - 1]}"


# ---------------------------------------------------------------------------------------------------------------------
# The mean, beta by beta


def exponents(subject: Subject) -> Iterator[Picture]:
    """log E T_2 against beta, with lines of the slopes that Theorem 5.4, its correction and the computation give."""
    chain = _with_exponents(subject)
    points = [] if chain is None else _log_means(chain)
    if chain is None or len(points) < 2:
        return
    wait, slopes = longest_wait(chain), list[tuple[str, float, int]]()
    wait_high = as_float(wait.high)
    if wait.low == wait.high:
        slopes.append((f"computed: {as_float(wait.low):.5g}", as_float(wait.low), 0))
    with working_precision(BITS):
        r = chain.rho.item() + chain.eps.item()
        corrected = as_float(chain.c_0 - 4 * chain.R.item() * r - r * r)
    printed = as_float(chain.c_0 * chain.eps.item() / (2 * chain.gamma.item()))
    slopes.append((f"printed, c_0 eps/(2 gamma): {printed:.5g}", printed, 1))
    if corrected > 0:  # else the corrected bound says nothing of this instance
        slopes.append((f"corrected, c_0 - 4 R r - r^2: {corrected:.5g}", corrected, 2))
    # An exponent is a slope, not a height: all lines begin in the first point, whatever factor stands before e^(beta x).
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
    rows = list[str]()
    for beta, low, high in points:
        told = f"beta = {beta:.4g}: log E T_2 from {interval_text(low, high, 8)}"
        shapes.append(Dot((beta, (low + high) / 2), "token", 0, told=told))
        rows.append(f"{(low + high) / 2:.5g} at beta = {beta:.4g}")
    widest = outward(max(1e-12, *(high - low for _, low, high in points)), 1, 2)
    caption = f"Certified, to {widest}; lines have the slopes of exponents, through the first point"
    alt = (
        f"log E T_2 against beta, with lines of the slopes of its exponents: {'; '.join(name for name, _, _ in slopes)}. "
        f"It is {', '.join(rows)}."
    )
    keys = tuple((name, color) for name, _, color in slopes)
    frame = Scene(shapes, Axis("beta"), Axis("log E T_2"), caption=caption, keys=keys)
    note = "The tokens, gamma and eps are those of the instance; beta is varied."
    yield Picture("The mean escape time against beta", alt, subject.source, (frame,), note)


def _log_means(chain: AttentionChain) -> list[tuple[float, float, float]]:
    """beta and the ends of log E T_2, at a few betas up to the first whose mean the budget does not enclose."""
    try:
        wait = longest_wait(chain).high
    except TooFarError:
        return []
    if not wait > 0:
        return []
    last, found = LARGEST_LOG / wait, list[tuple[float, float, float]]()
    for k in range(1, TEMPERATURES + 1):
        beta = last * fmpq(k, TEMPERATURES)
        with working_precision(BITS):
            try:
                mean = mean_escape(chain.replace(beta=exact(beta)), DIGITS, STATES).mean
            except (UndecidedError, NoWayOutError):
                break
            if not (mean.low > 0 and mean.high.is_finite()):
                break
            low, high = (arb(end).log() for end in (mean.low, mean.high))
        found.append((as_float(beta), float_beside(low.lower(), -1), float_beside(high.upper(), 1)))
    return found
