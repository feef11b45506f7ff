"""What :mod:`dynamics.limits.sandwich` shows, decided again: Lemma S of docs/flow_limits.md over mpmath's intervals.

Nothing is shared with it but the lemma, the formulas and what the user names. Both formulas are recorded; a rate is
<grad v, F> from the gradient of the one and the values of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from mpmath import iv

from dynamics.arithmetic import numbers
from dynamics.checker.contraction import Box, Restless, exact_entry
from dynamics.checker.flint_stand_in import arb, fmpq
from dynamics.checker.integrator import jacobian
from dynamics.checker.intervals import Interval, between, interval
from dynamics.checker.recording import Own, Record, recorded, refuse_choices
from dynamics.checker.traps import UncaughtError

MOST_PIECES = 20_000

Sides = list[tuple[Fraction, Fraction]]


def sandwich(
    value: Callable[[Any], Any], least: Any, most: Any, box: Callable[[Any], tuple[Any, Any]]
) -> Callable[[Any, Any], dict[str, Any]]:
    """Stands in for the trap of that name."""
    low, high = exact_entry(least), exact_entry(most)

    def trap(state: Any, start: Any) -> dict[str, Any]:
        motion = Restless(state)
        ends = [[exact_entry(entry) for entry in np.asarray(side, dtype=object).flat] for side in box(start)]
        here = motion.box()
        whole = list(zip(*ends, strict=True))
        case = Case(motion, value, whole, low, high)
        # Certainly inside: a state on a face may be on its way out.
        if low > high or not all(
            interval(a).b < x.a and x.b < interval(b).a for x, (a, b) in zip(here, whole, strict=True)
        ):
            raise UncaughtError("the state is not inside of the box")
        if not case.level(here).b < interval(high).a:
            raise UncaughtError("the quantity is not below the upper level")
        # The upper level is crossed downwards only, and below it no face is crossed outwards: nothing leaves.
        case.halved(whole, case.is_low_high_or_falling)
        for k, bounds in enumerate(whole):
            for outwards in (0, 1):
                face = [*whole[:k], (bounds[outwards], bounds[outwards]), *whole[k + 1 :]]
                case.halved(face, lambda piece, k=k, up=outwards: case.points_in(piece, k, up))  # type: ignore[misc]
        return {"most": fmpq(low.numerator, low.denominator), "region": case.region(whole)}

    return trap


class Case:
    """The formulas of one question, recorded in the middle of the box."""

    def __init__(self, motion: Restless, value: Callable[[Any], Any], whole: Sides, low: Fraction, high: Fraction) -> None:
        self.motion, self.low, self.high = motion, interval(low), interval(high)
        middle = [interval((a + b) / 2) for a, b in whole]
        one: Callable[[Sequence[Any]], list[Any]] = lambda at: [numbers(value(motion.placed(at))).item()]  # noqa: E731
        refuse_choices(one, middle)
        self.value: Record = recorded(one, middle, Own)
        self.field = motion.record(middle)
        self.low_pieces: list[Sides] = []

    def level(self, x: Box) -> Interval:
        """The quantity over a box."""
        return self.value.run(x)[0]

    def is_low_high_or_falling(self, piece: Sides) -> bool:
        """Whether the quantity is below the lower level, above the upper one, or falls, all over the piece."""
        x = [between(a, b) for a, b in piece]
        level = self.level(x)
        # What may be at most the lower level may hold the end.
        if not level.a > self.low.b:
            self.low_pieces.append(piece)
        if level.a > self.high.b or level.b < self.low.a:
            return True
        (slope,) = jacobian(self.value, x)
        rate = sum((slope[j] * speed for j, speed in enumerate(self.field.run(x)) if j in slope), iv.mpf(0))
        return bool(rate.b < 0)

    def points_in(self, piece: Sides, k: int, up: int) -> bool:
        """Whether the quantity is above the upper level, or the field points into the box, all over a piece of a face."""
        x = [between(a, b) for a, b in piece]
        speed = self.field.run(x)[k]
        return bool(self.level(x).a > self.high.b or (speed.b < 0 if up else speed.a > 0))

    def halved(self, whole: Sides, tells: Callable[[Sides], bool]) -> None:
        """Halve pieces until each tells. Raises UncaughtError where they become too many."""
        waiting, looked = [whole], 0
        while waiting:
            piece = waiting.pop()
            looked += 1
            if looked > MOST_PIECES:
                raise UncaughtError("the pieces of the box become too many")
            try:
                told = tells(piece)
            # A pole somewhere in the piece: its halves may avoid it.
            except (ZeroDivisionError, ValueError):
                told = False
            if told:
                continue
            if piece in self.low_pieces:
                self.low_pieces.remove(piece)
            # Beside the sides of the whole, for coordinates differ in scale.
            widths = [(b - a) / (wb - wa) if wb > wa else b - a for (a, b), (wa, wb) in zip(piece, whole, strict=True)]
            k = widths.index(max(widths))
            a, b = piece[k]
            if a == b:
                raise UncaughtError("at a corner nothing tells")
            waiting += [[*piece[:k], half, *piece[k + 1 :]] for half in ((a, (a + b) / 2), ((a + b) / 2, b))]

    def region(self, whole: Sides) -> tuple[Any, ...]:
        """A box around what is at most the lower level."""
        if not self.low_pieces:
            raise UncaughtError("the quantity is nowhere at most the lower level")
        hull = [
            between(min(piece[k][0] for piece in self.low_pieces), max(piece[k][1] for piece in self.low_pieces))
            for k in range(len(whole))
        ]
        placed = self.motion.placed([arb.of(value) for value in hull])
        return tuple(getattr(placed, name) for name in self.motion.parts)
