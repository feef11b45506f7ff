"""A named quantity between two levels: what it confines, what is not confined, and bugs planted in both statements."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, fmpq

from dynamics.arithmetic import UndecidedError, working_precision
from dynamics.checker import sandwich as again
from dynamics.checker.formal import UnformalError
from dynamics.checker.intervals import interval_precision
from dynamics.checker.traps import UncaughtError
from dynamics.limits import sandwich
from tests.limits.test_contraction import Numbers, column, flow, near
from tests.planting import asked_of, facts_above

NOT_CONFINED = (UndecidedError, UncaughtError, UnformalError)


def turning(x):
    """x' = x (1 - |x|^2) + turned x: all but 0 tends to the unit circle."""
    rest = 1 - x[0] * x[0] - x[1] * x[1]
    return column(x[0] * rest - x[1], x[1] * rest + x[0])


def square(f):
    return f.x[..., 0] * f.x[..., 0] + f.x[..., 1] * f.x[..., 1]


def first_square(f):
    return f.x[..., 0] * f.x[..., 0]


CIRCLE = flow(Numbers, turning)
LOGISTIC = flow(Numbers, lambda x: column(x[0] * (1 - x[0])))
BLOW_UP = flow(Numbers, lambda x: column(x[0] * x[0] - 1))
HELD = flow(Numbers, lambda x: column(-x[0], -x[1] - x[0]))
DRIFT = flow(Numbers, lambda x: column(-x[0], 1 + 0 * x[1]))


def wide(side):
    return lambda start: ([-side] * 2, [side] * 2)


def confined(m, start, *arguments):
    """What either statement of the lemma shows: the level, and the ends of the region in floats."""
    m.MOST_PIECES = 500  # what is not confined is seen on few pieces; with all of them each refusal would take seconds
    if hasattr(m, "Confined"):
        with working_precision(64):
            end = m.sandwich(*arguments)(start, start)
            return float(arb(end.most)), [(float(v.lower()), float(v.upper())) for v in end.region[0].flat]
    with interval_precision(64):
        found = m.sandwich(*arguments)(near(start), start)
        return float(found["most"]), [(float(v.interval.a), float(v.interval.b)) for v in found["region"][0].flat]


def free(m, start, *arguments):
    try:
        confined(m, start, *arguments)
    except NOT_CONFINED:
        return True
    return False


def all_is_drawn_to_the_circle(m):
    most, region = confined(m, CIRCLE.instance(x=[1, 1]), square, 2, 4, wide(3))
    assert most == 2
    # A box around the circle of radius sqrt 2, and hardly more.
    assert all(-1.6 < a < -1.2 and 1.2 < b < 1.6 for a, b in region)
    inner = confined(m, CIRCLE.instance(x=["1/2", "1/2"]), lambda f: -square(f), "-1/2", "-1/4", wide(2))
    assert inner[0] == -0.5


def levels_that_the_circle_crosses_are_none(m):
    """At r^2 = 1 the quantity rests, and below it rises."""
    for least, most in ((1, 4), ("19/20", "19/20")):
        assert free(m, CIRCLE.instance(x=["1/2", "1/2"]), square, least, most, wide(3))


def the_state_has_to_be_below_and_inside(m):
    assert free(m, CIRCLE.instance(x=[2, 1]), square, 2, 4, wide(3))
    # Below the level, and outside of the box above or below.
    for height in (5, -5):
        assert free(m, HELD.instance(x=["1/2", height]), first_square, "1/4", 1, wide(2))


def faces_are_looked_at(m):
    """x_1^2 falls in any box; but x_2 leaves it, upwards."""
    assert free(m, DRIFT.instance(x=["1/2", 0]), first_square, "1/4", 1, wide(2))
    # The same downwards: each face is looked at.
    back = flow(Numbers, lambda x: column(-x[0], 0 * x[1] - 1))
    assert free(m, back.instance(x=["1/2", 0]), first_square, "1/4", 1, wide(2))
    _, region = confined(m, HELD.instance(x=["1/2", 0]), first_square, "1/16", 1, wide(2))
    assert region[0][0] < -0.2
    assert region[0][1] > 0.2
    assert region[1][0] <= -2
    assert region[1][1] >= 2


def a_monotone_coordinate_is_its_own_quantity(m):
    up = lambda f: -f.x[..., 0]  # noqa: E731
    most, region = confined(m, LOGISTIC.instance(x=["1/4"]), up, "-15/16", "-1/8", lambda start: ([0], [2]))
    assert most == -0.9375
    assert region[0][0] >= 0.87
    assert region[0][1] >= 2
    between = flow(Numbers, lambda x: column((1 - 16 * x[0]) * (3 - 8 * x[0])))  # falls at 1/8, rises from 3/8 on
    for x, caught in (("9/20", False), ("1/5", True)):
        level = "1/2" if x == "9/20" else "1/4"
        arguments = (between.instance(x=[x]), lambda f: f.x[..., 0], "1/8", level, lambda start: ([0], [2]))
        assert free(m, *arguments) is not caught
    # The region would end where the box does, but what is there runs off.
    assert free(m, BLOW_UP.instance(x=["3/2"]), up, "-7/4", "-5/4", lambda start: ([1], [2]))


FACTS = facts_above(globals())
test_sandwich, test_bugs_in_the_sandwich = asked_of(sandwich, FACTS)
test_sandwich_again, test_bugs_in_the_sandwich_again = asked_of(again, FACTS)


def test_levels_in_the_wrong_order_are_refused():
    with pytest.raises(ValueError, match="below the lower one"):
        sandwich.sandwich(square, 2, 1, wide(1))
    start = CIRCLE.instance(x=[0, 0])
    with pytest.raises(UncaughtError), interval_precision(64):
        again.sandwich(square, fmpq(2), Fraction(1), wide(1))(near(start), start)
