"""A named quantity between two levels, in a box that is not left: Lemma S of docs/flow_limits.md.

The user names the quantity, the levels and the box. What is shown is shown in balls on pieces of the box, which are halved
until each of them tells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from flint import arb, arb_series, fmpq

from dynamics.arithmetic import Array, UndecidedError, numbers, rational
from dynamics.choices import decided_choices, guarded, guarded_numbers, plain
from dynamics.limits.margins import NotTrappedError, entries, inside
from dynamics.system import Flow
from dynamics.trusted.taylor import SeriesMap, coefficient, span
from dynamics.trusted.trajectory import field_of

MOST_PIECES = 20_000
"""Pieces of the box and of its faces that are looked at."""

Piece = list[tuple[fmpq, fmpq]]


@dataclass(frozen=True)
class Confined:
    """Where a flow stays: for ever in the box, and in the end where the quantity is at most `most` (Lemma S)."""

    most: Any
    """The quantity is below this from some time on."""
    region: tuple[Array, ...]
    """Balls that hold every limit point, for each array that moves."""


def sandwich(
    value: Callable[[Any], Any],
    least: Any,
    most: Any,
    box: Callable[[Any], tuple[Any, Any]],
) -> Callable[[Flow, Flow], Confined]:
    """The trap of a quantity that falls wherever it is between two levels, in a box that is not left below the upper one.

    `value(state)` is one number. `box(start)` are the lowest and the highest flat state. Raises ValueError for levels in
    the wrong order, UndecidedError for a state outside of the box or above the level `most`, and where a face of the box
    may be crossed or the quantity may rest.
    """
    low, high = rational(least), rational(most)
    if high < low:
        raise ValueError(f"the upper level {high} is below the lower one, {low}")

    def trap(state: Flow, start: Flow) -> Confined:
        sides = [[rational(entry) for entry in np.asarray(side, dtype=object).flat] for side in box(start)]
        field, quantity = field_of(state), quantity_of(state, value)
        x = [arb(entry) for name in state.moving for entry in getattr(state, name).flat]
        # Strictly: what starts on a face, or at the level, might cross it at once.
        inside(
            {
                "above the lowest": entries(v - a for v, a in zip(x, sides[0], strict=True)),
                "below the highest": entries(b - v for v, b in zip(x, sides[1], strict=True)),
                "below the upper level": high - quantity(x)[0],
            }
        )
        whole = list(zip(*sides, strict=True))
        ends = _shown(whole, partial(falls, field, quantity, low, high), quantity, low)
        for k, bounds in enumerate(whole):
            for face, outwards in zip(bounds, (-1, 1), strict=True):
                inwards = partial(kept_in, field, quantity, k, outwards, high)
                _shown([*whole[:k], (face, face), *whole[k + 1 :]], inwards, quantity, low)
        region = state.with_state([left.union(right) for left, right in zip(*ends, strict=True)])
        return Confined(low, tuple(getattr(region, name) for name in state.moving))

    return trap


def quantity_of(state: Flow, value: Callable[[Any], Any]) -> SeriesMap:
    """One number of a flat state, on balls and series: the formula runs on guarded numbers."""

    def run(at: list[Any]) -> list[Any]:
        with guarded_numbers(), decided_choices():
            return [plain(numbers(value(state.with_state([guarded(entry) for entry in at]))).item())]

    return run


def balls_of(piece: Piece) -> list[arb]:
    """Balls that hold the piece."""
    return [span(a, b) for a, b in piece]


def falls(field: SeriesMap, quantity: SeriesMap, low: fmpq, high: fmpq, x: list[arb]) -> bool:
    """Whether at each point of the piece the quantity is above the upper level, below the lower one, or falls."""
    now = arb(quantity(x)[0])
    if now > high or now < low:
        return True
    # The derivative along the flow, by a series of two terms: what the quantity is of, it need not say.
    moved = [arb_series([value, arb(speed)], 2) for value, speed in zip(x, field(x), strict=True)]
    return bool(coefficient(quantity(moved)[0], 1) < 0)


def kept_in(field: SeriesMap, quantity: SeriesMap, k: int, outwards: int, high: fmpq, x: list[arb]) -> bool:
    """Whether at each point of a piece of a face the quantity is above the upper level, or coordinate k moves inwards."""
    return bool(arb(quantity(x)[0]) > high) or bool(arb(field(x)[k]) * outwards < 0)


def _shown(whole: Piece, tells: Callable[[list[arb]], bool], quantity: SeriesMap, low: fmpq) -> tuple[list[arb], list[arb]]:
    """Halve pieces until each tells. The ends of the hull of those where the quantity may be at most the lower level."""
    # Depth first: few pieces wait, and the first that nothing tells of ends it.
    pending, looked, lows, highs = [whole], 0, list[arb](), list[arb]()
    while pending:
        piece = pending.pop()
        looked += 1
        if looked > MOST_PIECES:
            raise NotTrappedError("the quantity is not seen to fall, or the box not to be kept")
        try:
            told = tells(balls_of(piece))
            beyond = told and arb(quantity(balls_of(piece))[0]) > low
        except (ZeroDivisionError, ValueError, UndecidedError):
            told = beyond = False
        if not told:
            # The side that is widest beside the whole one: boxes may be in any units.
            k = max(range(len(piece)), key=lambda i: (piece[i][1] - piece[i][0]) / (whole[i][1] - whole[i][0] or 1))
            a, b = piece[k]
            if a == b:  # the widest side is a point: so is the piece
                raise NotTrappedError("at a corner nothing tells")
            middle = (a + b) / 2
            pending += [[*piece[:k], half, *piece[k + 1 :]] for half in ((a, middle), (middle, b))]
        elif not beyond:
            lows = [arb(a).min(v) for (a, _), v in zip(piece, lows or balls_of(piece), strict=True)]
            highs = [arb(b).max(v) for (_, b), v in zip(piece, highs or balls_of(piece), strict=True)]
    return lows, highs
