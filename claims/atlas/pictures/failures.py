"""Statements whose failure has a picture of its own: what draws each, from its exact counterexample.

Such a painter draws what the statement is about before anything else, and raises NothingToShowError where the
counterexample does not show the failure any more. Statements that fail alike are drawn by the same painter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from flint import arb, fmpq

from claims.atlas.pictures.curves import Seen, along_a_flow, lines, paths, seen_along
from claims.atlas.pictures.escapes import chance_against_bound, exponents, way_out
from claims.atlas.pictures.orbits import ending_of, exact_orbit, orbit_of, orbit_over, positions_of
from claims.atlas.pictures.scenes import Axis, Dot, Level, Path, Picture, Region, Scene, Shape
from claims.atlas.pictures.subject import (
    Painter,
    Subject,
    as_float,
    ends,
    listed,
    nothing_to_show,
    numeral,
)
from claims.atlas.pictures.tokens import BITS
from dynamics.arithmetic import numbers, rational, working_precision
from dynamics.choices import UndecidedError
from dynamics.tokens.attention_chain import AttentionChain

HALVINGS = 24  # of the time between two that are drawn, in which the gap turns: to more digits than are told
Row = tuple[str, arb, str]  # a name, a length, and the style of its bar
MOST = 4  # different distances that are drawn, the largest: of a simplex there are two
ROUNDS, FEWEST = 3, 10  # times that a cycle is seen, and steps at least
REST = 3  # steps that are followed to see that nothing moves after the first

# ---------------------------------------------------------------------------------------------------------------------
# A gap that is said to grow, and closes again from its largest value on


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


# ---------------------------------------------------------------------------------------------------------------------
# More limits than stated: tokens that stay apart, though two of them would meet


def least_distance(subject: Subject) -> Iterator[Picture]:
    """The least distance of so many tokens that two of them would have one limit if the statement held, over time."""
    seen = seen_along(subject)
    if seen is None:
        raise nothing_to_show(subject, "has no enclosed trajectory")
    conclusion = subject.conclusion
    try:
        with working_precision(seen.trajectory.bits):
            # The claim's own trap says how many limits there are; the slack is how many are allowed less that.
            shown = conclusion.shown(seen.states[-1], subject.system)
            count = int(shown.number_of_limits)
            (slack,) = (rational(value) for value in numbers(conclusion.slack(shown, subject.system)).flat)
    except (UndecidedError, AttributeError, AssertionError) as error:
        raise nothing_to_show(subject, f"shows no number of limits ({error})") from None
    allowed = int(slack.p) + count
    if slack.q != 1 or not allowed < count:
        raise nothing_to_show(subject, f"has {count} limits, of which the statement allows {allowed}")
    last = seen.states[-1]
    # Of one token more than limits are allowed two have one limit: those are drawn that show it most plainly not to be so.
    several = combinations(range(len(positions_of(last))), allowed + 1)
    chosen = max(several, key=lambda some: as_float(_least(seen, last, some)))
    (curve,) = seen.curves(lambda state: numbers(_least(seen, state, chosen)), 1)
    least = _least(seen, last, chosen)
    (low, high), end, text = ends(least), curve[-1][0], numeral(least)
    named = listed([str(i + 1) for i in chosen], 12)
    name = f"least distance of tokens {named}"
    shapes: list[Shape] = [
        Region([(curve[0][0], 0.0), (end, 0.0), (end, low), (curve[0][0], low)], "forbidden", told="would be left"),
        *lines([curve], [""]),
        Level(0.0, label=f"as printed: it falls to 0, with {allowed} limits"),
        Dot((end, (low + high) / 2), "mark", label=text, told=f"at {seen.clock} = {as_float(seen.times[-1]):.4g}"),
    ]
    alt = (
        f"The least distance of the {allowed + 1} tokens {named} over {seen.clock} is still {text} at "
        f"{seen.clock} = {as_float(seen.times[-1]):.4g} and stays above 0, as there are {count} limits, where the "
        f"statement allows {allowed}."
    )
    caption = f"With at most {allowed} limits two of these {allowed + 1} tokens would meet; there are {count}, for ever"
    frame = Scene(shapes, seen.axis, Axis(name), caption=caption)
    yield Picture("Tokens that stay apart", alt, subject.source, (frame,))


def _least(seen: Seen, state: Any, some: tuple[int, ...]) -> arb:
    """The least distance of two of some tokens, the ball around it."""
    with working_precision(seen.trajectory.bits):
        rows = [[arb(value) for value in row] for row in positions_of(state)]
        squares = [
            sum(((a - b) * (a - b) for a, b in zip(rows[i], rows[j], strict=True)), arb(0))
            for i, j in combinations(some, 2)
        ]
        return reduce(arb.min, squares).sqrt()  # of the squares: one root in place of many


def hyperplanes_and_limits(subject: Subject) -> Iterator[Picture]:
    """The ways of tokens in the plane, and the lines across the leading direction that they tend to."""
    seen = seen_along(subject)
    if seen is None:
        raise nothing_to_show(subject, "has no enclosed trajectory")
    rates = [rational(value) for value in numbers(subject.system.V).diagonal()]  # type: ignore[attr-defined]
    lead = rates.index(max(rates))
    heights: list[arb] = []
    for height in (arb(row[lead]) for row in positions_of(seen.states[-1])):
        # Balls that overlap are one hyperplane here: that they are apart is certified by the count of limits, not drawn.
        if not any(height.overlaps(other) for other in heights):
            heights.append(height)
    for picture in paths(seen):
        levels = [Level(as_float(at), lead == 0, label=f"z_{lead + 1} = {at.str(4, radius=False)}") for at in heights]
        note = f"Dashed: {len(heights)} hyperplanes, where the coordinate of the largest eigenvalue is in the end."
        yield replace(picture, ground=[*levels, *picture.ground], note=f"{note} {picture.note}".strip())


# ---------------------------------------------------------------------------------------------------------------------
# A corner in many dimensions: what a token loses of its scores there, and the lengths of the stated bound


def gaps_at_a_corner(subject: Subject) -> Iterator[Picture]:
    """The rate at which the share of other groups falls, beside what is stated of it, in units of scores."""
    chain = subject.system
    assert isinstance(chain, AttentionChain)
    with working_precision(BITS):
        c_0, D, r, beta = (arb(numbers(one).item()) for one in (chain.c_0, chain.diameter, chain.rho, chain.beta))
        slacks = numbers(subject.conclusion.slack(chain))
        token = min(range(len(slacks)), key=lambda i: as_float(slacks[i]))
        worst = arb(slacks[token])
        # The claim bounds log(share) by log(n) - beta c_0 / 2; over -beta both are rates at which shares fall.
        needed = c_0 / 2 - arb(len(chain.x)).log() / beta
        rate = needed + worst / beta
        rows: list[Row] = [
            ("c_0, at the vertices", c_0, "bar"),
            ("c_0 - 4 D r - 2 r^2, as printed", c_0 - 4 * D * r - 2 * r * r, "bar"),
            (f"true, of token {token + 1}: -log(share)/beta", rate, "forbidden bar"),
        ]
    if not (worst < 0 and rate < needed and rows[1][1] > needed):
        raise nothing_to_show(subject, "has no share of other groups beyond the printed bound")
    edge = as_float(needed)
    shapes = [
        Region([(0.0, 0.0), (edge, 0.0), (edge, -len(rows) - 0.6), (0.0, -len(rows) - 0.6)], "forbidden", told="too slow"),
        *_bars(rows),
        Level(edge, True, "violated"),
        Dot((as_float(rate), -len(rows) - 0.15), "mark", told=f"less than {numeral(needed)}"),
        Dot((edge, -0.35), "tip", label="printed: at least this"),
    ]
    alt = (
        f"Bars in units of scores: the share of other groups falls at the rate {numeral(rate)}, short of the printed "
        f"{numeral(needed)}, though the printed hypothesis leaves {numeral(rows[1][1])}."
    )
    caption = f"Shaded: slower than printed. The share is off by {numeral(-worst)} in its logarithm"
    frame = Scene(shapes, Axis("gap of scores"), Axis("", rows=len(rows)), caption=caption)
    yield Picture("What a token at the corner keeps of its gap", alt, subject.source, (frame,), _note(chain))


def lengths_of_a_corner(subject: Subject) -> Iterator[Picture]:
    """The distances of the vertices, each as often as it occurs, beside the norm that enters the scores."""
    chain = subject.system
    assert isinstance(chain, AttentionChain)
    scores = chain.v @ chain.v.T
    squares = scores.diagonal()[:, None] + scores.diagonal()[None, :] - 2 * scores
    counts = Counter(map(rational, squares[np.triu_indices(len(squares), 1)]))
    with working_precision(BITS):
        rows: list[Row] = [
            (f"{count} distances |v_i - v_j|", arb(square).sqrt(), "bar")
            for square, count in sorted(counts.items())[-MOST:]
        ]
        R, r = arb(chain.R.item()), arb(chain.rho.item())
        rows += [("R = |v_i|, of every vertex", R, "forbidden bar"), ("r, how far a token is from its vertex", r, "bar")]
    if not rows[-3][1] < R:
        raise nothing_to_show(subject, "is a polytope whose diameter exceeds its norms")
    d = chain.v.shape[-1]
    alt = (
        f"Bars of lengths: the {len(chain.v)} vertices in R^{d} have distances up to {numeral(rows[-3][1])}, but norms of "
        f"{numeral(R)}, which the printed bound does not see."
    )
    frame = Scene(_bars(rows), Axis("length"), Axis("", rows=len(rows)), caption="All distances of the vertices, and R")
    yield Picture(f"The simplex in R^{d}, by its lengths", alt, subject.source, (frame,), _note(chain))


def _note(chain: AttentionChain) -> str:
    kappa, d = chain.v.shape
    return f"{kappa} vertices in R^{d}, {len(chain.x)} tokens, beta = {rational(chain.beta.item())}."


def _bars(rows: Sequence[Row]) -> list[Shape]:
    """A bar for each row, with its name and its number over it."""
    shapes: list[Shape] = []
    for k, (name, value, style) in enumerate(rows, 1):
        high, color = as_float(value), None if style.startswith("forbidden") else 0
        bar = [(0.0, -k - 0.35), (high, -k - 0.35), (high, -k + 0.05), (0.0, -k + 0.05)]
        text = f"{name}: {numeral(value)}"
        shapes += [Region(bar, style, color, text), Dot((0.0, -k + 0.1), "tip", label=text)]
    return shapes


# ---------------------------------------------------------------------------------------------------------------------
# Orbits that do not end as stated: a coordinate that never settles, a step after which nothing moves


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


# By the claim's id: the painters of its counterexample, first of what the statement is about, then of the state.
FAILURES: dict[str, tuple[Painter, ...]] = {
    "clusters.different_rates_give_three_points": (least_distance, hyperplanes_and_limits),
    "clusters.perceptrons_give_three_hyperplanes": (least_distance, along_a_flow),
    "frank_wolfe.escape_takes_exponentially_long": (chance_against_bound, exponents, way_out),
    "frank_wolfe.escape_takes_exponentially_long_at_unit_diameter": (chance_against_bound, exponents, way_out),
    "frank_wolfe.escape_takes_exponentially_long_at_unit_radius": (chance_against_bound, exponents, way_out),
    "frank_wolfe.group_jumps_are_rare_by_diameter": (gaps_at_a_corner, lengths_of_a_corner),
    "localmax.every_token_converges": (apart_for_ever, exact_orbit),
    "localmax.no_planar_step_ends_at_rest": (moves_by_step, orbit_to_rest),
    "localmax.tokens_converge_under_positive_scores": (apart_for_ever, exact_orbit),
    "polarization.score_gaps_grow": (gap_that_closes, along_a_flow),
}
