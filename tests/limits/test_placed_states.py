"""Regions fed with states in balls that are placed around their margins, in every order: caught, not in it, or open."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from flint import fmpq

from dynamics.arithmetic import UndecidedError
from dynamics.limits import traps
from dynamics.limits.margins import NotTrappedError
from dynamics.training.score_maps import (
    CubeMapFlow,
    ElementwiseExponentialFlow,
    ElementwiseSigmoidFlow,
    NormalisedSigmoidFlow,
)
from dynamics.training.value_softmax import LogisticFlow
from tests.placed import NUDGE, enclosure, ends_of, side

GRID = [(fmpq(low), fmpq(high)) for low, high in product(range(-1, 3), repeat=2) if low <= high]
CAUGHT, NOT, OPEN = "caught", "not", "open"


def less(x, y):
    return x[0] - y[1], x[1] - y[0]


def of_margins(margins):
    """What is told of margins: all certainly positive, one certainly not, or neither."""
    signs = [side(margin) for margin in margins]
    if all(sign == 1 for sign in signs):
        return CAUGHT
    # One margin that is certainly not positive settles it, however open the others are.
    return NOT if any(sign is not None and sign <= 0 for sign in signs) else OPEN


def led_by(k, u, a):
    others = [j for j in range(len(u)) if j != k]
    return of_margins([less(values[k], values[j]) for values in (u, a) for j in others])


def any_leader(u, a):
    # Any of the tokens may lead: it is "not" only if none of them can.
    found = [led_by(k, u, a) for k in range(len(u))]
    return CAUGHT if CAUGHT in found else OPEN if OPEN in found else NOT


def positive(values):
    return of_margins(values)


def both(*told):
    return NOT if NOT in told else OPEN if OPEN in told else CAUGHT


REGIONS = {
    "a leader": (traps.leader_trap, LogisticFlow, any_leader),
    "the first leads": (traps.normalised_map_trap, NormalisedSigmoidFlow, lambda u, a: led_by(0, u, a)),
    "of positive scores": (traps.normalised_map_trap, CubeMapFlow, lambda u, a: both(led_by(0, u, a), positive(a))),
    "of a positive value": (
        traps.elementwise_exponential_trap,
        ElementwiseExponentialFlow,
        lambda u, a: both(led_by(0, u, a), positive(u[:1])),
    ),
    "values above zero": (traps.elementwise_sigmoid_trap, ElementwiseSigmoidFlow, lambda u, a: positive(u)),
}


def states(size):
    """Values and scores of the same size, each in every order; of the other of the two a certain lead, or a tie."""
    certain, tied, open_one = ((2, 3), (0, 1)), ((1, 1), (1, 1)), ((0, 2), (1, 1))
    for row in product(GRID, repeat=2):
        for beside in (certain, tied, open_one):
            other = tuple((fmpq(low), fmpq(high)) for low, high in beside)
            for u, a in ((row, other), (other, row)):
                # Those beyond the first two are certainly last, so that they change no answer of the two.
                more = ((fmpq(-2), fmpq(-1)),) * (size - 2)
                yield (*u, *more), (*a, *more)


@pytest.mark.parametrize("name", REGIONS)
def test_a_region_holds_a_state_where_every_margin_is_certainly_positive(name):
    trap, kind, expected = REGIONS[name]
    # Balls that meet overlap a little, and nudged they miss one another a little: both are asked.
    for size, nudge in ((2, fmpq(0)), (3, NUDGE)):
        start = kind.instance(u=[1] * size, a=[1] * size)
        for u, a in states(size):
            balls = [[enclosure(ends, nudge=nudge) for ends in values] for values in (u, a)]
            # Clocks, which no region asks about.
            rest = [0] * (sum(getattr(start, one).size for one in start.moving) - 2 * size)
            now = start.with_state(np.array([*balls[0], *balls[1], *rest], dtype=object))
            try:
                trap(now)
                told = CAUGHT
            except NotTrappedError:
                told = NOT
            except UndecidedError:
                told = OPEN
            # What the balls hold, not what was asked for: their ends are rounded outwards.
            held = [tuple(ends_of(ball) for ball in values) for values in balls]
            assert told == expected(*held), (u, a)
