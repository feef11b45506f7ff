"""More limits than stated: tokens that stay apart, two of which would meet if there were as few limits as printed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from itertools import combinations
from typing import Any

from flint import arb

from claims.atlas.pictures.curves import Seen, lines, paths, seen_along
from claims.atlas.pictures.scenes import Axis, Dot, Level, Picture, Region, Scene, Shape
from claims.atlas.pictures.subject import Subject, as_float, ends, listed, nothing_to_show, numeral, token_array
from dynamics.arithmetic import numbers, rational, working_precision
from dynamics.choices import UndecidedError


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
    chosen = max(combinations(range(len(_tokens(last))), allowed + 1), key=lambda some: as_float(_least(seen, last, some)))
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


def _tokens(state: Any) -> Any:
    found = token_array(state)
    assert found is not None
    return found[1]


def _least(seen: Seen, state: Any, some: tuple[int, ...]) -> arb:
    """The least distance of two of some tokens, the ball around it."""
    with working_precision(seen.trajectory.bits):
        rows = [[arb(value) for value in row] for row in _tokens(state)]
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
    for height in (arb(row[lead]) for row in _tokens(seen.states[-1])):
        # Balls that overlap are one hyperplane here: that they are apart is certified by the count of limits, not drawn.
        if not any(height.overlaps(other) for other in heights):
            heights.append(height)
    for picture in paths(seen):
        levels = [Level(as_float(at), lead == 0, label=f"z_{lead + 1} = {at.str(4, radius=False)}") for at in heights]
        note = f"Dashed: {len(heights)} hyperplanes, where the coordinate of the largest eigenvalue is in the end."
        yield replace(picture, ground=[*levels, *picture.ground], note=f"{note} {picture.note}".strip())
