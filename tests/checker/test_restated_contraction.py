"""The checker's contraction: systems whose limits are known, agreement with the suite's own, and planted bugs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq
from mpmath import iv

from dynamics.arithmetic import numbers, working_precision
from dynamics.checker import contraction, formal
from dynamics.checker.flint_stand_in import arb
from dynamics.checker.formal import UnformalError
from dynamics.checker.intervals import interval, interval_precision
from dynamics.checker.recording import recorded
from dynamics.checker.traps import UncaughtError
from dynamics.limits import contraction as first
from tests.limits.test_contraction import Halves, Numbers, Tokens, column, flow
from tests.planting import bugs_in, facts_above


def to_the_mean(x):
    return (x.sum(axis=0) / len(x) - x,)


def on_a_circle(x):
    m = x.sum(axis=0)
    return (m - (m * x).sum(axis=-1)[..., None] * x,)


def points(*turns):
    """Exact points of the circle."""
    return [[2 * t / (1 + t * t), (1 - t * t) / (1 + t * t)] for t in map(fmpq, turns)]


MEAN = flow(Tokens, to_the_mean)
PAIRS = flow(Tokens, lambda x: (np.concatenate([to_the_mean(x[:2])[0], to_the_mean(x[2:])[0]]),))
CIRCLE = flow(Tokens, on_a_circle, lambda x: (x * x).sum(axis=-1) - 1)
FOCUS = flow(Numbers, lambda x: column(x[1] - x[0] * x[0] * x[0] - x[0], -9 * x[0] - x[1] + x[1] * x[0] / 3))
ONE = flow(Numbers, lambda x: column(1 - x[0], 1 - x[1]))
BENT = flow(Numbers, lambda x: column(1 - x[0] * x[0], 2 - x[1] * x[0]))

SYSTEMS = {
    "mean": MEAN.instance(x=[[0, 1], [1, 0], ["1/2", 5]]),
    "pairs": PAIRS.instance(x=[[0, 1], [0, "9/8"], [5, 0], [5, "1/8"]]),
    "circle": CIRCLE.instance(x=points(fmpq(2999, 9000), fmpq(1, 3), fmpq(3001, 9000))),
    "focus": FOCUS.instance(x=["1/16", "1/8"]),
    "one": ONE.instance(x=[0, 3]),
    "bent": BENT.instance(x=["9/10", "21/10"]),
}


def near(start):
    """The start with points of intervals in the place of what moves."""
    x = np.empty(start.x.shape, dtype=object)
    x.flat = [arb.of(interval(Fraction(int(v.p), int(v.q)))) for v in start.x.flat]
    return start.replace(x=x)


def decided(c, start, measured=None):
    with interval_precision(64):
        return c.decided(near(start), start, measured)


def refuses(c, start, measured=None):
    try:
        decided(c, start, measured)
    except (UncaughtError, UnformalError):
        return True
    return False


def lies_in(value, ball):
    return ball.interval.a <= value <= ball.interval.b


@pytest.mark.parametrize("name", SYSTEMS)
def test_both_say_the_same(name):
    start = SYSTEMS[name]
    with working_precision(64):
        one = first.contraction(start, start)
    other = decided(contraction, start)
    assert other["classes"].tolist() == one.classes.tolist()
    assert other.get("count") == one.count
    for ball, again in zip(one.limits.flat, other["limits"].flat, strict=True):
        assert float(again.interval.a) <= float(ball.upper())
        assert float(ball.lower()) <= float(again.interval.b)


# ---------------------------------------------------------------------------------------------------------------------
# Facts


def tokens_meet_at_their_mean(c):
    end = decided(c, SYSTEMS["mean"])
    assert end["number_of_limits"] == 1
    assert all(lies_in(0.5, row[0]) and lies_in(2, row[1]) for row in end["limits"])
    assert 0.99 < float(end["rate"].interval.b) <= 1
    assert float(end["reach"].interval.a) >= 3


def pairs_have_two_limits(c):
    end = decided(c, SYSTEMS["pairs"])
    assert end["classes"].tolist() == [0, 0, 1, 1]
    assert end["count"] == 2
    level = PAIRS.instance(x=[[0, 1], [0, "9/8"], [5, 1], [5, "9/8"]])
    assert decided(c, level)["count"] == 2


def tokens_on_a_circle_meet(c):
    assert decided(c, SYSTEMS["circle"])["count"] == 1
    assert refuses(c, CIRCLE.instance(x=[["3/5", "4/5"], ["3/5", "80001/100000"]]))
    wrong = flow(Tokens, to_the_mean, lambda x: x[:1, 0] * x[:1, 0] - 1)
    assert refuses(c, wrong.instance(x=[[1, 0], [0, 0]]))


def an_equilibrium_is_found(c):
    end = decided(c, SYSTEMS["focus"])
    assert all(lies_in(0, value) for value in end["limits"])
    assert float(end["reach"].interval.b) > 1 / 8
    end = decided(c, SYSTEMS["bent"])
    assert lies_in(1, end["limits"][0])
    assert lies_in(2, end["limits"][1])
    assert end["count"] == 2


def equal_limits_are_one_only_where_that_is_an_identity(c):
    assert decided(c, SYSTEMS["one"])["count"] == 1
    apart = flow(Numbers, lambda x: column(1 - x[0], 1 - x[1] + (1 + 0 * x[0]) / 10**40))
    assert "count" not in decided(c, apart.instance(x=[0, 0]))


def nothing_else_contracts(c):
    for velocity, x in (
        (lambda x: column(-x[0] * x[0] * x[0]), ["1/100"]),
        (lambda x: column(x[0]), ["1/100"]),
        (lambda x: column(-x[0], x[1]), ["1/100", "1/100"]),
    ):
        assert refuses(c, flow(Numbers, velocity).instance(x=x))
    drift = flow(Tokens, lambda x: (to_the_mean(x)[0] + (1 + 0 * x) / 10**9,))
    assert refuses(c, drift.instance(x=[[0, 1], [1, 0]]))


def who_leaves_the_region_is_not_caught(c):
    for a, b in ((1, 10), (Fraction(1, 10), Fraction(1, 2))):
        away = flow(Numbers, lambda x, a=a, b=b: column(b * x[1], -a * x[1] * (1 - x[0] * x[0])))
        assert refuses(c, away.instance(x=[0, "1/5"]), lambda f: f.x[..., 1:])
        assert lies_in(0, decided(c, away.instance(x=[0, "1/200"]), lambda f: f.x[..., 1:])["limits"][1])


def named_quantities(c):
    pulled = flow(Numbers, lambda x: column(0 * x[0], 6 - 2 * x[1]))
    for x in ([7, 4], [7, 0]):
        end = decided(c, pulled.instance(x=x), lambda f: 2 * f.x[..., 1:] - 6)
        assert lies_in(3, end["limits"][1])
        assert lies_in(7, end["limits"][0])
    assert refuses(c, pulled.instance(x=[7, 4]), lambda f: 2 * f.x[..., 1:] - 5)
    assert refuses(c, pulled.instance(x=[7, 4]), lambda f: f.x[..., 1:] * f.x[..., 1:] + f.x[..., 1:] - 3)


def balls_are_not_left(c):
    plain = c.Gauge([[Fraction(1)]], [Fraction(0)], [[Fraction(1)]], [[0]])
    with interval_precision(64):
        record = recorded(lambda x: [1 + x[0] * Fraction(-1, 4) + x[0] * x[0] * x[0] * Fraction(1, 48)], [iv.mpf(0)])
        assert c.settled_at(plain, record, [iv.mpf(0)], [Fraction(0)], True) is None
        center = Fraction(1, 100)
        off = c.Gauge(plain.W, [center], plain.U, [[0]])
        slow = recorded(lambda x: [x[0] * Fraction(-1, 10)], [iv.mpf(1)])
        _, radius, error = c.settled_at(off, slow, [iv.mpf(1)], [center], True)
        assert error.b > 0.00999
        assert radius >= 0.98


def motions_contract_on_the_way_to_the_projection(c):
    """x_1' = 0, x_2' = x_1 + x_1^2 - x_2 - x_2^2: where x_1 = 0 its derivative in x_1 is 1, but from -2 on x_2 runs off."""
    apart = c.Gauge([[Fraction(1), Fraction(-1)]], [Fraction(0)], [[Fraction(1)], [Fraction(0)]], [[0]])
    with interval_precision(64):
        record = recorded(lambda x: [0 * x[0], x[0] + x[0] * x[0] - x[1] - x[1] * x[1]], [iv.mpf(0), iv.mpf(-2)])
        assert c.gathered(apart, record, [iv.mpf(0), iv.mpf(-2)], True) is None
        rate, _ = c.gathered(apart, record, [iv.mpf(0), iv.mpf(-1) / 1024], True)
        assert 0.9 < rate.a <= 1


def steps_contract(c):
    orbit = Halves.instance(x=[0, 3, 100])
    with interval_precision(64):
        state = orbit.replace(x=numbers(np.array([arb.of(iv.mpf(v)) for v in (0, 3, 100)], dtype=object)))
        step = lambda self: self.replace(x=self.x + (1 - self.x) * Fraction(1, 2))  # noqa: E731
        half = type("Half", (Halves,), {"step": step})
        end = c.decided(half(x=state.x, rate=state.rate), half.instance(x=[0, 3, 100]))
        assert all(lies_in(1, value) for value in end["limits"])
        for factor in (Fraction(5, 2), Fraction(-1, 2)):
            step = lambda self, by=factor: self.replace(x=self.x + (1 - self.x) * by)  # noqa: E731
            over = type("Over", (Halves,), {"step": step})
            with pytest.raises(UncaughtError):
                c.decided(over(x=state.x, rate=state.rate), over.instance(x=[0, 3, 100]))


FACTS = facts_above(globals(), "c")


@pytest.mark.parametrize("fact", FACTS)
def test_contraction_again(fact):
    fact(contraction)


@bugs_in(contraction)
def test_a_bug_planted_in_the_checker_s_contraction_is_noticed(bug):
    assert bug.is_noticed(FACTS)


# ---------------------------------------------------------------------------------------------------------------------
# Identities


def polynomials_are_what_they_are(m):
    x, y = m.variables(2)
    assert m.all_vanish(
        [(x + y) * (x - y) - x * x + y * y, x / y + y / x - (x * x + y * y) / (x * y), (x - 1) ** 2 - x * x + 2 * x - 1]
    )
    assert not m.all_vanish([x - y])
    assert not m.all_vanish([x / y + 1 / x - (x + 1) / (x + y)])
    assert not m.all_vanish([x * x - x])
    assert m.all_vanish([2 / x - 1 / (x / 2), 1 - x / x])


def functions_are_equal_where_arguments_are(m):
    x, y = m.variables(2)
    assert m.all_vanish([(x * x - y * y).exp() - ((x - y) * (x + y)).exp(), (x - x).exp() - 1])
    assert not m.all_vanish([x.exp() - y.exp()])
    assert not m.all_vanish([x.exp() - x.log()])
    assert not m.all_vanish([(x / y).exp() - (x / (y + 1)).exp()])
    assert not m.all_vanish([x.exp() - x])


def remainders_are_taken_as_far_as_they_go(m):
    x, y = m.variables(2)
    circle, line = (x * x + y * y - 1).over, (y * y - y).over
    assert m.all_vanish([x * x * x * x - (1 - y * y) * (1 - y * y), (x * x + y * y) / x - 1 / x], [circle])
    assert m.all_vanish([x * x - 1 + y], [circle, line])
    assert not m.all_vanish([x * x - y * y], [circle])
    assert m.slope((x * x * x * y).over, 0) == (3 * x * x * y).over
    assert m.slope((x * y + y).over, 0) == y.over


FORMAL_FACTS = facts_above(globals(), but=FACTS)


@pytest.mark.parametrize("fact", FORMAL_FACTS)
def test_identities_again(fact):
    fact(formal)


@bugs_in(formal)
def test_a_bug_planted_in_identities_is_noticed(bug):
    assert bug.is_noticed(FORMAL_FACTS)
