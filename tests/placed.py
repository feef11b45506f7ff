"""Enclosures placed around a bound in every order, and what three-valued logic says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from flint import arb, fmpq

from claims.stating.statement import Relation

Ends = tuple[fmpq, fmpq]
"""The ends of an enclosure."""

BELOW, TOUCHES_BELOW, ZERO, CONTAINS, TOUCHES_ABOVE, ABOVE = (
    (fmpq(low), fmpq(high)) for low, high in ((-2, -1), (-1, 0), (0, 0), (-1, 2), (0, 1), (1, 2))
)
PLACES: tuple[Ends, ...] = (BELOW, TOUCHES_BELOW, ZERO, CONTAINS, TOUCHES_ABOVE, ABOVE)
"""Around zero: all on one side, with an end there, a point, on both sides."""

# Of any size: a comparison that rounds to a fixed number of places would pass at 1 alone.
SCALES = (fmpq(1), fmpq(1, 2**10), fmpq(1, 2**60))


NUDGE, NONE, ONE = fmpq(1, 2**20), fmpq(0), fmpq(1)


def enclosure(ends: Ends, scale: fmpq = ONE, nudge: fmpq = NONE) -> arb:
    """A ball with these ends, which flint rounds outwards by 1e-9, moved inwards by a nudge where they are two."""
    low, high = ends
    if low == high:
        return arb(low * scale)
    # By a union: a ball of a middle and a radius would not have both ends where they are wanted.
    return arb((low + nudge) * scale).union(arb((high - nudge) * scale))


def ends_of(ball: arb) -> Ends:
    """The ends that a ball has."""
    return ball.lower().fmpq(), ball.upper().fmpq()


def side(ends: Ends) -> int | None:
    """The sign of all numbers between the ends, None where there are several: what a decision may know of them."""
    signs = {(end > 0) - (end < 0) for end in ends}
    return signs.pop() if len(signs) == 1 else None


def decided(entries: Sequence[Ends], relation: Relation) -> bool | None:
    """Whether all entries stand in the relation: no as soon as one certainly does not, None where none of that is known."""
    signs = [side(entry) for entry in entries]
    if any(sign is not None and sign in relation.forbidden for sign in signs):
        return False
    return None if None in signs else True


def rows(places: Sequence[Ends] = PLACES, most: int = 3) -> Iterator[tuple[Ends, ...]]:
    """Every row of one, two, ... entries: of those that decide one is the first, the middle or the last."""
    for length in range(1, most + 1):
        yield from product(places, repeat=length)


def orders_of_four() -> Iterator[tuple[Ends, Ends]]:
    """Two enclosures whose four ends stand in every order, ends that meet among them."""
    for ends in product(range(4), repeat=4):
        x, y = ends[:2], ends[2:]
        if x[0] <= x[1] and y[0] <= y[1]:
            yield (fmpq(x[0]), fmpq(x[1])), (fmpq(y[0]), fmpq(y[1]))


def pairs_of_balls() -> Iterator[tuple[arb, arb]]:
    """The same in balls: ends that meet overlap a little, and miss one another a little."""
    for nudge, (x, y) in product((fmpq(0), NUDGE), orders_of_four()):
        yield enclosure(x, nudge=nudge), enclosure(y, nudge=nudge)


def compared(x: Ends, y: Ends) -> int | None:
    """The sign of each number of x less each of y, None where there are several."""
    return side((x[0] - y[1], x[1] - y[0]))


def at_most(x: Ends, y: Ends) -> bool | None:
    """Whether every number of x is at most every one of y: False where none is, None where some are."""
    return True if x[1] <= y[0] else False if x[0] > y[1] else None
