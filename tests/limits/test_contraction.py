"""Regions in which motions contract: what both statements of the lemmas decide of systems whose limits are known.

States are exact points: no trajectory is needed to ask a trap. Each bug planted in a lemma decides something that is false,
or nothing any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from types import SimpleNamespace

import numpy as np
import pytest
from flint import arb, fmpq
from mpmath import iv

from dynamics.arithmetic import Array, UndecidedError, exp, numbers, peak, working_precision
from dynamics.checker import contraction as again
from dynamics.checker import flint_stand_in as second
from dynamics.checker import formal as identities_again
from dynamics.checker.formal import UnformalError
from dynamics.checker.intervals import interval, interval_precision
from dynamics.checker.recording import recorded
from dynamics.checker.traps import UncaughtError
from dynamics.choices import Ball, guarded_numbers
from dynamics.limits import contraction, formal
from dynamics.system import Flow, StepMap, quantity
from tests.planting import asked_of, facts_above


@dataclass(frozen=True, eq=False)
class Numbers(Flow):
    """Numbers one a row, some of which are tokens."""

    moving = ("x",)
    x: Array = quantity("n", meaning="numbers")


@dataclass(frozen=True, eq=False)
class Tokens(Flow):
    """Tokens, one a row."""

    moving = ("x",)
    x: Array = quantity("n", "d", meaning="tokens")


def column(*values):
    """An array of numbers, filled one by one: NumPy would take a power series for a list."""
    array = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        array[i] = value
    return (numbers(array),)


def on_circle(t):
    return [2 * t / (1 + t * t), (1 - t * t) / (1 + t * t)]


def flow(kind, velocity, kept=None):
    """A flow of this velocity, a function of the array."""
    methods = {"velocity": lambda self: velocity(self.x)}
    if kept is not None:
        methods["kept"] = lambda self: numbers(kept(self.x))
    return type("Own", (kind,), methods)


def to_the_mean(x):
    return (x.sum(axis=0) / len(x) - x,)


def on_a_sphere(x):
    grown = exp(numbers((x[:, None] * x[None, :]).sum(axis=-1)))
    m = (grown[..., None] * x[None, :]).sum(axis=1) / grown.sum(axis=-1)[..., None]
    return (m - (m * x).sum(axis=-1)[..., None] * x,)


def squares(x):
    return (x * x).sum(axis=-1) - 1


MEAN = flow(Tokens, to_the_mean)
PAIRS = flow(Tokens, lambda x: (np.concatenate([to_the_mean(x[:2])[0], to_the_mean(x[2:])[0]]),))
SPHERE = flow(Tokens, on_a_sphere, squares)
# Its linear part turns strongly: in the plain norm distances grow before they fall.
FOCUS = flow(Numbers, lambda x: column(x[1] - x[0] * x[0] * x[0] - x[0], -9 * x[0] - x[1] + x[1] * x[0] / 3))
# Two numbers with one limit, by the same formula; BENT has two, one of which moves the other.
SAME = flow(Numbers, lambda x: column(1 - x[0], 1 - x[1]))
BENT = flow(Numbers, lambda x: column(1 - x[0] * x[0], 2 - x[1] * x[0]))


@dataclass(frozen=True, eq=False)
class Halves(StepMap):
    """x -> x + (1 - x)/2 + (mean - x)/4, with something that rests."""

    x: Array = quantity("n", meaning="numbers")
    rate: Array = quantity(meaning="rate", default="1/2")

    def step(self):
        mean = self.x.sum(axis=-1)[..., None] / fmpq(self.x.shape[-1])
        return self.replace(x=self.x + self.rate[..., None] * (1 - self.x) + (mean - self.x) / 4)


def near(start):
    """The start with points of the checker's intervals in the place of what moves."""
    x = np.empty(start.x.shape, dtype=object)
    x.flat = [second.arb.of(interval(Fraction(int(v.p), int(v.q)))) for v in start.x.flat]
    return start.replace(x=x)


def caught(c, start, measured=None):
    """What either statement shows: limits, rate and reach as pairs of ends in floats, classes, and how many limits."""
    if hasattr(c, "Measure"):
        with working_precision(64):
            end = (c.contraction_to(measured) if measured else c.contraction)(start, start)
            limits, rate, reach = ([*map(ends, np.ravel(one))] for one in (end.limits, end.rate, end.reach))
            return SimpleNamespace(limits=limits, rate=rate[0], reach=reach[0], classes=end.classes, count=end.count)
    with interval_precision(64):
        end = c.decided(near(start), start, measured)
    limits, rate, reach = ([*map(ends, np.ravel(end[name]))] for name in ("limits", "rate", "reach"))
    return SimpleNamespace(limits=limits, rate=rate[0], reach=reach[0], classes=end["classes"], count=end.get("count"))


def ends(value):
    if isinstance(value, second.arb):
        return float(value.interval.a), float(value.interval.b)
    return float(arb(value).lower()), float(arb(value).upper())


def undecided(c, start, measured=None):
    try:
        caught(c, start, measured)
    except (UndecidedError, UncaughtError, UnformalError):
        return True
    return False


def lies_in(value, pair):
    return pair[0] <= value <= pair[1]


def holds(ball, value):
    return arb(ball).contains(arb(value))


def on_arc(*turns):
    return [on_circle(fmpq(turn)) for turn in turns]


# ---------------------------------------------------------------------------------------------------------------------
# Facts of both statements


def tokens_meet_at_their_mean(m):
    end = caught(m, MEAN.instance(x=[[0, 1], [1, 0], ["1/2", 5]]))
    assert (end.count, end.classes.tolist()) == (1, [0, 0, 0])
    assert all(lies_in(v, pair) for v, pair in zip((0.5, 2) * 3, end.limits, strict=True))
    # The rate is 1: a bound far below it would be sound and of no use.
    assert 0.99 < end.rate[1] <= 1
    assert end.reach[0] >= 3  # the farthest coordinate is 3 from the mean


def pairs_have_two_limits(m):
    end = caught(m, PAIRS.instance(x=[[0, 1], [0, "9/8"], [5, 0], [5, "1/8"]]))
    assert (end.count, end.classes.tolist()) == (2, [0, 0, 1, 1])
    assert caught(m, PAIRS.instance(x=[[0, 1], [0, "9/8"], [5, 1], [5, "9/8"]])).count == 2  # at one height


def tokens_on_a_sphere_meet(m):
    assert caught(m, SPHERE.instance(x=on_arc("2999/9000", "1/3", "3001/9000"))).count == 1


def a_focus_is_found_whose_norm_is_not_the_plain_one(m):
    end = caught(m, FOCUS.instance(x=["1/16", "1/8"]))
    assert end.classes.tolist() == [0, 1]
    assert all(lies_in(0, pair) for pair in end.limits)
    assert 0 < end.rate[0] < 1
    assert end.reach[1] > 1 / 8
    bent = caught(m, BENT.instance(x=["9/10", "21/10"]))
    assert bent.count == 2
    assert all(lies_in(v, pair) for v, pair in zip((1, 2), bent.limits, strict=True))


def equal_limits_are_one_only_where_that_is_an_identity(m):
    end = caught(m, SAME.instance(x=[0, 3]))
    assert end.count == 1
    assert lies_in(1, end.limits[0])
    assert end.reach[1] >= 2
    # No enclosure tells these limits apart: whether they are one is open, not true.
    apart = flow(Numbers, lambda x: column(1 - x[0], 1 - x[1] + (1 + 0 * x[0]) / 10**40))
    assert caught(m, apart.instance(x=[0, 0])).count is None


def no_rate_no_limit(m):
    """x' = -x^3, x' = x^2 and x' = 0 have no rate; x' = x has the wrong one; a saddle has two."""
    for velocity in (
        lambda x: column(-x[0] * x[0] * x[0]),
        lambda x: column(x[0] * x[0]),
        lambda x: column(0 * x[0]),
        lambda x: column(x[0]),
    ):
        assert undecided(m, flow(Numbers, velocity).instance(x=["1/100"]))
    # At rest in one direction, driven away in the other.
    assert undecided(m, flow(Numbers, lambda x: column(-x[0], x[1])).instance(x=["1/100", "1/100"]))


def what_drifts_does_not_rest(m):
    """All tokens meet and move on for ever, slowly."""
    # Far slower than anything that is measured here; still there is no limit.
    drift = flow(Tokens, lambda x: (to_the_mean(x)[0] + (1 + 0 * x) / 10**9,))
    assert undecided(m, drift.instance(x=[[0, 1], [1, 0]]))


def two_clusters_that_attract_a_little_are_no_two_limits(m):
    """Each pair is together, and what is between them is 10^-17 of their distance, at first: in the end all meet."""

    def pulled(x):
        apart = x[:2].sum(axis=0) - x[2:].sum(axis=0)
        pull = apart * (apart * apart).sum() / 10**17
        return (np.concatenate([to_the_mean(x[:2])[0] - pull, to_the_mean(x[2:])[0] + pull]),)

    assert undecided(m, flow(Tokens, pulled).instance(x=[[0, 1], [0, 1], [5, 0], [5, 0]]))


def y_only(f):
    return f.x[..., 1:]


def who_leaves_the_region_is_not_caught(m):
    """y' = -a y (1 - z^2), z' = b y: z - z^3/3 would be b y/a in the end, more than 2/3: z passes 1, and y grows."""
    # From 1/5 the region is left; from 1/200 the limit is known by hand, b/a times the start.
    for a, b in ((10, 100), (1, 5)):
        away = flow(Numbers, lambda x, a=a, b=b: column(b * x[1] / 10, -a * x[1] * (1 - x[0] * x[0]) / 10))
        assert undecided(m, away.instance(x=[0, "1/5"]), y_only)
        end = caught(m, away.instance(x=[0, "1/200"]), y_only)
        assert lies_in(0, end.limits[1])
        assert end.limits[0][0] <= b / a / 200 * 1.001
        assert end.limits[0][1] >= b / a / 200


def named_quantities_tend_to_what_they_are_said_to(m):
    """x_2 -> 3 at rate 2, x_1 rests; 2 x_2 - 6 is 0 there, 2 x_2 - 5 is not."""
    pulled = flow(Numbers, lambda x: column(0 * x[0], 6 - 2 * x[1]))
    for x in ([7, 4], [7, 0]):
        end = caught(m, pulled.instance(x=x), lambda f: 2 * f.x[..., 1:] - 6)
        assert end.classes.tolist() == [0, 1]
        assert all(lies_in(v, pair) for v, pair in zip((7, 3), end.limits, strict=True))
    for measured in (
        lambda f: 2 * f.x[..., 1:] - 5,
        # Not 0 at the limit, or not enough of it: 9 - 3, 9 + 3 - 3, and one number said twice.
        lambda f: f.x[..., 1:] * f.x[..., 1:] - 3,
        lambda f: f.x[..., 1:] * f.x[..., 1:] + f.x[..., 1:] - 3,
        lambda f: np.concatenate([f.x[..., 1:] - 3, 6 - 2 * f.x[..., 1:]]),
    ):
        assert undecided(m, pulled.instance(x=[7, 4]), measured)


def tokens_that_meet_in_one_coordinate_do_not_meet(m):
    level = flow(Tokens, lambda x: (to_the_mean(x)[0] * np.array([[1, 0]]),))
    end = caught(m, level.instance(x=[[0, 1], [1, 0]]), lambda f: f.x[..., 1:, 0] - f.x[..., :1, 0])
    assert end.count == 2
    assert all(lies_in(0.5, pair) for pair in end.limits[::2])


def what_is_kept_is_kept(m):
    """Off the sphere nothing is decided, nor where what is called kept is not."""
    # The second token is off the sphere by 10^-5: it would not come back.
    assert undecided(m, SPHERE.instance(x=[["3/5", "4/5"], ["3/5", "80001/100000"]]))
    # 0 at this start, and no identity of the motion.
    wrong = flow(Tokens, on_a_sphere, lambda x: (x * x).sum(axis=-1) - 1 + (5 * x[..., 0] - 3) / 5)
    assert undecided(m, wrong.instance(x=[["3/5", "4/5"], ["3/5", "4/5"]]))
    unkept = flow(Tokens, to_the_mean, lambda x: x[:1, 0] * x[:1, 0] - 1)
    assert undecided(m, unkept.instance(x=[[1, 0], [0, 0]]))


BOTH = facts_above(globals(), "m")


# ---------------------------------------------------------------------------------------------------------------------
# Facts of the suite's statement


def choices_decide_nothing(c):
    chooser = flow(Numbers, lambda x: (peak(x) - x,))
    assert undecided(c, chooser.instance(x=[0, 1]))


def steps_contract(c):
    with working_precision(64):
        # From far outside: the steps lead into the region first.
        end = c.contracted(Halves.instance(x=[0, 3, 100]), 8)
    assert end.number_of_limits == 1
    # All move half of the way to 1 in each step, and differences a quarter more.
    assert 0.45 < float(end.rate) <= 0.5
    assert all(holds(value, 1) for value in end.limits)
    with working_precision(64), guarded_numbers():
        inside = c.contracted(Halves.instance(x=[0, 3, 100]), 8)
    assert {type(value) for value in (*inside.limits, inside.rate, inside.reach)} == {Ball}


def steps_that_turn_over_do_not_contract(c):
    """x -> 1 - 3/2 (x - 1): the derivative of what is added is -5/2, which no flow would mind."""
    with pytest.raises(UndecidedError), working_precision(64):
        c.contracted(Halves.instance(x=[0], rate="5/2"), 3)


def an_orbit_is_followed_to_its_region(c):
    """x -> x^2 from 7/8: the derivative is below 1 from the second step on."""
    Squares = type("Squares", (Halves,), {"step": lambda self: self.replace(x=self.x * self.x)})
    with working_precision(64):
        assert holds(c.contracted(Squares.instance(x=["7/8"]), 4).limits[0], 0)
        with pytest.raises(UndecidedError):
            c.contracted(Squares.instance(x=["9/8"]), 4)


def a_ball_is_not_left(c):
    """Lemma P from centers that are none: 1 - x/4 + x^3/48 falls up to 2 and has no zero there, -x/10 has 0."""

    def asked(velocity, x, center):
        own = flow(Numbers, velocity).instance(x=[x])
        motion = c.Motion.of(own)
        plain = c.Measure([[fmpq(1)]], [center], [[fmpq(1)]], [range(1)], [arb(1)])
        return c.resting(motion.field(), [arb(own.x[0])], [center], plain, True)

    with working_precision(64):
        with pytest.raises(UndecidedError):
            asked(lambda x: column(1 - x[0] / 4 + x[0] * x[0] * x[0] / 48), 0, fmpq(0))
        ball = asked(lambda x: column(-x[0] / 10), 1, fmpq(1, 100))
        assert ball.error >= arb(fmpq(1, 100))
        assert ball.radius >= arb(fmpq(99, 100))


def motions_contract_on_the_way_to_the_projection(c):
    """x_1' = 0, x_2' = x_1 + x_1^2 - x_2 - x_2^2: where x_1 = 0 its derivative in x_1 is 1, but from -2 on x_2 runs off."""
    away = flow(Numbers, lambda x: column(0 * x[0], x[0] + x[0] * x[0] - x[1] - x[1] * x[1]))
    apart = c.Measure([[fmpq(1), fmpq(-1)]], [fmpq(0)], [[fmpq(1)], [fmpq(0)]], [range(1)], [arb(1)])
    field = c.Motion.of(away.instance(x=[0, 0])).field()
    with working_precision(64):
        with pytest.raises(UndecidedError):
            c.meeting(field, [arb(0), arb(-2)], apart, True)
        assert 0.9 < c.meeting(field, [arb(0), arb(-1) / 1024], apart, True).rate <= 1


def measures_hold_what_they_say(c):
    measure = c.grouped([0, 0, 2, 2], 2, 8)
    x = [arb(k * k, "0.125") for k in range(8)]
    with working_precision(64):
        assert measure.is_exact()
        box = measure.joined(x)
        nearest = measure.nearest([value.mid() for value in x])
        for ball, value, near in zip(box, x, nearest, strict=True):
            assert ball.contains(value)
            assert ball.contains(near)
            assert ball.contains((near + value.mid()) / 2)
        assert [int(value.unique_fmpz()) for value in nearest] == [0, 1, 0, 1, 16, 25, 16, 25]
        assert c.same_tokens(measure, 4, 2) == [0, 0, 2, 2]
        weighted = c.replace(measure, weights=[arb(1), arb(1), arb(4), arb(4)])
        y = [arb(v) for v in (3, 4, 12, 16)]
        assert holds(weighted.size(y), 5)
        assert weighted.spread([[arb(v) for v in (3, 4, 3, 4)]])[0] >= 25
        assert not c.replace(measure, W=[[2 * w for w in row] for row in measure.W]).is_exact()


def tokens_are_the_same_where_their_difference_is_zero(c):
    """Differences of three tokens on a line that tend to numbers: every pair that these tell is one where they are 0."""
    W, U = [[1, -1, 0], [0, 1, -1]], [[0, 0], [-1, 0], [-1, -1]]
    for width, b in product((1, 2), product((-1, 0, 1), repeat=2)):
        unit = np.eye(width, dtype=int)
        whole = [[[fmpq(int(v)) for v in row] for row in np.kron(matrix, unit)] for matrix in (W, U)]
        offsets = [fmpq(c_k if k == 0 else 0) for c_k in b for k in range(width)]
        blocks = [range(k, k + 1) for k in range(2 * width)]
        measure = c.Measure(whole[0], offsets, whole[1], blocks, [arb(1)] * (2 * width))
        assert measure.is_exact()
        places = [0, -b[0], -b[0] - b[1]]
        assert c.same_tokens(measure, 3, width) == [places.index(place) for place in places]
        alone = c.Measure(
            whole[0][:width], offsets[:width], [row[:width] for row in whole[1]], blocks[:width], [arb(1)] * width
        )
        assert c.same_tokens(alone, 3, width) == [0, 0 if b[0] == 0 else 1, 2]


def steps_are_measured_with_their_weights(c):
    """Of blocks of one number |A y| / |y| is largest where no terms of a row cancel; of other blocks it is no larger."""
    A, weights = [[1, -2, 0], [3, 0, 1], [0, 4, -1]], [1, 2, 8]
    plain = c.grouped([0, 0, 0, 0], 1, 4)
    with working_precision(64):
        for order in permutations(range(3)):
            w = [weights[k] for k in order]
            rows, scaled = [[arb(a) for a in row] for row in A], [arb(value) for value in w]
            found = c.norm_of(rows, c.replace(plain, blocks=[range(k, k + 1) for k in range(3)], weights=scaled))
            assert holds(
                found, max(fmpq(sum(abs(a) * v for a, v in zip(row, w, strict=True)), w[i]) for i, row in enumerate(A))
            )
            paired = c.replace(plain, blocks=[range(2), range(2, 3)], weights=[scaled[0], scaled[0], scaled[2]])
            y = [arb(3) / 5 * w[0], arb(-4) / 5 * w[0], arb(-w[2])]
            moved = [sum((a * v for a, v in zip(row, y, strict=True)), arb(0)) for row in rows]
            assert c.norm_of(rows, paired).upper() >= paired.size(moved).lower() / paired.size(y).upper()


test_contraction, test_bugs_in_contraction = asked_of(contraction, (*BOTH, *facts_above(globals(), "c")))


# ---------------------------------------------------------------------------------------------------------------------
# Facts of the checker's


def balls_are_not_left(k):
    plain = k.Gauge([[Fraction(1)]], [Fraction(0)], [[Fraction(1)]], [[0]])
    with interval_precision(64):
        record = recorded(lambda x: [1 + x[0] * Fraction(-1, 4) + x[0] * x[0] * x[0] * Fraction(1, 48)], [iv.mpf(0)])
        assert k.settled_at(plain, record, [iv.mpf(0)], [Fraction(0)], True) is None
        center = Fraction(1, 100)
        off = k.Gauge(plain.W, [center], plain.U, [[0]])
        slow = recorded(lambda x: [x[0] * Fraction(-1, 10)], [iv.mpf(1)])
        _, radius, error = k.settled_at(off, slow, [iv.mpf(1)], [center], True)
        assert error.b > 0.00999
        assert radius >= 0.98


def motions_contract_beside_the_projection(k):
    """x_1' = 0, x_2' = x_1 + x_1^2 - x_2 - x_2^2: where x_1 = 0 its derivative in x_1 is 1, but from -2 on x_2 runs off."""
    apart = k.Gauge([[Fraction(1), Fraction(-1)]], [Fraction(0)], [[Fraction(1)], [Fraction(0)]], [[0]])
    with interval_precision(64):
        record = recorded(lambda x: [0 * x[0], x[0] + x[0] * x[0] - x[1] - x[1] * x[1]], [iv.mpf(0), iv.mpf(-2)])
        assert k.gathered(apart, record, [iv.mpf(0), iv.mpf(-2)], True) is None
        rate, _ = k.gathered(apart, record, [iv.mpf(0), iv.mpf(-1) / 1024], True)
        assert 0.9 < rate.a <= 1


def orbits_contract(k):
    orbit = Halves.instance(x=[0, 3, 100])
    with interval_precision(64):
        state = orbit.replace(x=numbers(np.array([second.arb.of(iv.mpf(v)) for v in (0, 3, 100)], dtype=object)))
        step = lambda self: self.replace(x=self.x + (1 - self.x) * Fraction(1, 2))  # noqa: E731
        half = type("Half", (Halves,), {"step": step})
        end = k.decided(half(x=state.x, rate=state.rate), half.instance(x=[0, 3, 100]))
        assert all(lies_in(1, ends(value)) for value in end["limits"])
        for factor in (Fraction(5, 2), Fraction(-1, 2)):
            step = lambda self, by=factor: self.replace(x=self.x + (1 - self.x) * by)  # noqa: E731
            over = type("Over", (Halves,), {"step": step})
            with pytest.raises(UncaughtError):
                k.decided(over(x=state.x, rate=state.rate), over.instance(x=[0, 3, 100]))


test_contraction_again, test_bugs_in_contraction_again = asked_of(again, (*BOTH, *facts_above(globals(), "k")))


# ---------------------------------------------------------------------------------------------------------------------
# Identities


def of_two(i):
    """Two variables of either statement, whether values vanish modulo others, and what a value is above its denominator."""
    if hasattr(i, "Ring"):
        return *i.Ring(2).coordinates(), i.vanish, lambda value: value.top
    return *i.variables(2), i.all_vanish, lambda value: value.over


def polynomials_are_what_they_are(i):
    x, y, vanish, _ = of_two(i)
    zeros = [(x + y) * (x - y) - x * x + y * y, x / y + y / x - (x * x + y * y) / (x * y), (x - 1) ** 2 - x * x + 2 * x - 1]
    assert vanish([*zeros, 2 / x - 1 / (x / 2), 1 - x / x])
    for value in (x - y, x / y + 1 / x - (x + 1) / (x + y), x * x - x, x / 2 - x, x + y - x):
        assert not vanish([value])
    assert not vanish([x - x, x])


def functions_are_equal_where_arguments_are(i):
    x, y, vanish, _ = of_two(i)
    assert vanish([(x * x - y * y).exp() - ((x - y) * (x + y)).exp(), (x - x).exp() - 1])
    for value in (x.exp() - y.exp(), x.exp() - x.log(), x.exp() - x, (x / y).exp() - (x / (y + 1)).exp()):
        assert not vanish([value])


def remainders_are_taken_as_far_as_they_go(i):
    x, y, vanish, top = of_two(i)
    circle, line = top(x * x + y * y - 1), top(y * y - y)
    assert vanish([x * x * x * x - (1 - y * y) * (1 - y * y), (x * x + y * y) / x - 1 / x], [circle])
    assert vanish([x * x - 1 + y], [line, circle])
    assert not vanish([x * x - y * y], [circle])


IDENTITIES = facts_above(globals(), "i")


def what_is_kept_has_a_rate_that_vanishes(f):
    x, y = f.Ring(2).coordinates()
    circle, turn, shrink = x * x + y * y - 1, [y, -x], [-x * (x * x + y * y - 1), -y * (x * x + y * y - 1)]
    assert f.kept_polynomials([circle], turn) == [circle.top]
    assert f.kept_polynomials([circle], shrink) == [circle.top]
    assert f.kept_polynomials([], turn) == []
    for kept, speeds in (([circle], [y, x]), ([x], turn), ([x.exp() - 1], [0 * x, 0 * x]), ([1 / x], [0 * x, 0 * x])):
        with pytest.raises(f.NotFormalError):
            f.kept_polynomials(kept, speeds)


def slopes_are_those_of_powers(f):
    x, y = f.variables(2)
    assert f.slope((x * x * x * y).over, 0) == (3 * x * x * y).over
    assert f.slope((x * y + y).over, 0) == y.over


test_identities, test_bugs_in_identities = asked_of(formal, (*IDENTITIES, what_is_kept_has_a_rate_that_vanishes))
test_identities_again, test_bugs_in_identities_again = asked_of(identities_again, (*IDENTITIES, slopes_are_those_of_powers))
