"""Tokens that are drawn to one another: what meets, what only seems to, and bugs planted in both statements of Lemma H."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from flint import arb, fmpq

from dynamics.arithmetic import Array, UndecidedError, exp, numbers, working_precision
from dynamics.checker import hulls as again
from dynamics.checker.formal import UnformalError
from dynamics.checker.intervals import interval_precision
from dynamics.checker.traps import UncaughtError
from dynamics.limits import contraction, hulls, ranges
from dynamics.limits.formal import Ring
from dynamics.system import StepMap, quantity
from tests.limits.test_contraction import Numbers, Tokens, column, flow, near, on_circle, squares
from tests.planting import asked_of, facts_above

UNCAUGHT = (UndecidedError, UncaughtError, UnformalError)


@dataclass(frozen=True, eq=False)
class Steps(StepMap):
    """Tokens that step, one a row."""

    x: Array = quantity("n", "d", meaning="tokens")


def pulled(weights, kept=None, beside=lambda x, m: 0 * x, kind=Tokens):
    """The flow x_i' = sum_j w_ij (x_j - x_i) + what is beside it, and its weights as a function of states."""

    def velocity(x):
        apart = x[None, :] - x[:, None]
        m = (weights(x)[..., None] * apart).sum(axis=1)
        return (m + beside(x, m),)

    return flow(kind, velocity, kept), lambda f: weights(f.x)


def stepped(weights, parts=1):
    """The map x_i <- sum_j w_ij x_j, and its weights: a function of the tokens, or numbers over these for each row."""
    if not callable(weights):
        rows, below = np.array(weights), np.broadcast_to(np.array(parts), len(weights))[:, None]
        return stepped(lambda x: (rows + 0 * (x @ x.T)) / below)
    methods = {"step": lambda self: self.replace(x=numbers(weights(self.x) @ self.x))}
    return type("Own", (Steps,), methods), lambda f: weights(f.x)


def along(x, m):
    """What keeps tokens on their spheres of radius 1."""
    return -(m * x).sum(axis=-1)[..., None] * x


def hot(beta):
    """The weights of softmax attention."""

    def weights(x):
        grown = exp(numbers(beta * (x[:, None] * (x[None, :] - x[:, None])).sum(axis=-1)))
        return grown / grown.sum(axis=-1)[:, None]

    return weights


def sphere(beta):
    return pulled(hot(beta), squares, along)


def circle(*turns):
    return [on_circle(fmpq(turn)) for turn in turns]


def told(m, flow_and_weights, x, weights=None):
    """What either statement of the lemma shows: limits as pairs of ends, classes, the rate and the reach."""
    kind, own = flow_and_weights
    start = kind.instance(x=x)
    # Of the two the suite's gives an object, the checker's a table.
    if hasattr(m, "Rest"):
        with working_precision(64):
            end = m.hulls(weights or own)(start, start)
            ends = [(float(v.lower()), float(v.upper())) for v in map(arb, end.limits.flat)]
            return ends, end.classes.tolist(), end.number_of_limits, float(end.rate), float(end.reach)
    with interval_precision(64):
        end = m.hulls(weights or own)(near(start), start)
        ends = [(float(v.interval.a), float(v.interval.b)) for v in end["limits"].flat]
        numbers_of = (float(end[name].interval.a) for name in ("rate", "reach"))
        return ends, end["classes"].tolist(), end["number_of_limits"], *numbers_of


def free(m, *arguments):
    try:
        told(m, *arguments)
    except UNCAUGHT:
        return True
    return False


TWO_CLUSTERS = ("-1/3", "-5/16", "5/16", "1/3")
"""Turns of two clusters in one open hemisphere, about 70 degrees from each other."""


# ---------------------------------------------------------------------------------------------------------------------
# Facts of both


def tokens_of_a_hemisphere_meet_at_any_temperature(m):
    for beta in (0, 9, 64):
        limits, classes, count, rate, reach = told(m, sphere(beta), circle("-1/2", 0, "1/5"))
        assert (classes, count) == ([0, 0, 0], 1)
        assert 0 < rate < 1
        assert 0.5 < reach < 9
        assert all(a < 1 and b > 0 for a, b in limits[1::2])  # in the upper half
        assert limits[:2] == limits[2:4]


def the_rate_is_not_more_than_the_slowest(m):
    """Two tokens at angles +-a, uniform weights: a' = -sin(2 a)/2, so that e^{-t} is the slowest in the end."""
    turns = circle("-1/4", "1/4")
    _, _, _, rate, reach = told(m, sphere(0), turns)
    assert 0.2 < rate <= 1
    assert reach >= float(turns[1][0])
    steep = told(m, sphere(0), circle("-9/10", "9/10"))
    # Nearly opposite tokens, which hardly pull one another.
    assert steep[3] < 0.2
    # sin(2 a)/2 = a' begins at 0.0525 x 1.05 a; the rate has to be below what is seen of a wide pair, too.
    assert steep[3] < 0.11


def clusters_of_one_hemisphere_are_one_limit(m):
    """At beta = 64 they rest for longer than any trajectory is enclosed, and meet by the lemma: one limit is right."""
    assert told(m, sphere(64), circle(*TWO_CLUSTERS))[2] == 1


def tokens_all_around_are_undecided(m):
    assert free(m, sphere(4), circle("-1/8", "1/8", 8, -8))
    assert free(m, sphere(0), circle(0, 2, -2))
    assert free(m, sphere(0), circle(-1, 1))  # opposite, on the edge
    assert free(m, sphere(0), circle("1/7", 2, -3))


def tokens_of_other_lengths_end_on_one_ray(m):
    """|x_i|^2 = 1 and 4: two limits, one direction."""
    lengths = numbers(np.array([1, 4, 1], dtype=object))
    one = pulled(lambda x: (0 * (x @ x.T) + 1) / 3, lambda x: (x * x).sum(axis=-1) - lengths, _along_lengths(lengths))
    x = [on_circle(fmpq(0)), [2 * v for v in on_circle(fmpq(1, 40))], on_circle(fmpq(1, 50))]
    limits, classes, count, rate, reach = told(m, one, x)
    assert (classes, count) == ([0, 1, 0], 2)
    assert 0 < rate < 0.67
    assert 0.09 < reach < 0.2
    (a, b), (c, d) = limits[1], limits[3]
    assert 0.7 < a < 0.99
    assert 1 < b < 1.3
    assert 1.5 < c < 1.99
    assert 2 < d < 2.5


def long_tokens_are_drawn_slowly(m):
    """Lengths 1, 4 and 4, all weights 1/3, nearly one ray: the long ones close in like e^{-(1 + 4 + 4) t/12}."""
    lengths = numbers(np.array([1, 16, 16], dtype=object))
    one = pulled(lambda x: (0 * (x @ x.T) + 1) / 3, lambda x: (x * x).sum(axis=-1) - lengths, _along_lengths(lengths))
    x = [on_circle(fmpq(0)), *([4 * v for v in on_circle(fmpq(1, k))] for k in (400, 500))]
    assert 0.33 < told(m, one, x)[3] < 0.75


def _along_lengths(lengths):
    return lambda x, m: -((m * x).sum(axis=-1) / lengths)[..., None] * x


def tokens_of_a_space_meet_in_their_hull(m):
    free_ones = pulled(lambda x: (0 * (x @ x.T) + 1) / 2)
    limits, classes, count, rate, reach = told(m, free_ones, [[0, 1], [1, 0], [4, 5]])
    assert (classes, count) == ([0, 0, 0], 1)
    assert 0.49 < rate <= 0.5
    assert 5 <= reach < 5.1
    for row in (limits[:2], limits[4:]):
        (a, b), (c, d) = row
        assert -1 < a <= 0
        assert 4 <= b < 5.1
        assert -1 < c <= 0
        assert 5 <= d < 6.3


def a_token_that_all_see_is_enough(m):
    """Row i sees the tokens up to i: all end where the first rests, which no other sees."""
    mask = np.tril(np.ones((3, 3), dtype=int))
    causal = pulled(lambda x: mask + 0 * (x @ x.T))
    assert told(m, causal, [[0, 1], [1, 0], [4, 5]])[2:4] == (1, 1.0)
    chain = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    assert free(m, pulled(lambda x: chain + 0 * (x @ x.T)), [[0, 1], [1, 0], [4, 5]])  # true, but not by this lemma
    star = np.array([[0, 1, 1], [0, 0, 0], [0, 0, 0]])
    assert free(m, pulled(lambda x: star + 0 * (x @ x.T)), [[0, 1], [1, 0], [4, 5]])  # two rest
    apart = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    assert free(m, pulled(lambda x: apart + 0 * (x @ x.T)), [[0, 1], [1, 0], [4, 5]])  # two limits


def weights_are_what_the_velocity_says(m):
    kind, own = sphere(1)
    for wrong in (lambda f: 2 * own(f), lambda f: own(f).T, lambda f: hot(2)(f.x)):
        assert free(m, (kind, own), circle("-1/2", 0, "1/5"), wrong)
    diagonal = np.diag([-5, -7, -1])
    # A token's own weight pulls it nowhere, be it negative.
    assert told(m, (kind, own), circle("-1/2", 0, "1/5"), lambda f: own(f) + diagonal)[2] == 1  # which says nothing
    beside = pulled(hot(1), squares, lambda x, m: along(x, m) + np.stack([x[:, 1], -x[:, 0]], axis=-1))
    assert free(m, beside, circle("-1/2", 0, "1/5"))  # all turn for ever
    upwards = pulled(hot(0), None, lambda x, m: np.stack([0 * x[:, 0], 0 * x[:, 0] + 1], axis=-1))
    assert free(m, upwards, [[0, 1], [1, 0], [4, 5]])


def no_weight_is_negative(m):
    mixed = np.array([[0, 1, -1], [1, 0, 1], [1, 1, 0]])
    assert free(m, pulled(lambda x: mixed + 0 * (x @ x.T)), [[0, 1], [1, 0], [4, 5]])
    linear = pulled(lambda x: x @ x.T + 3, squares, along)  # 3 + <x_i, x_j> >= 2, and by coordinates >= 1
    assert told(m, linear, circle("-1/2", 0, "1/5"))[2] == 1
    assert free(m, pulled(lambda x: (2 * (x @ x.T) + 1) / 2, squares, along), circle("-1/2", 0, "1/5"))
    shrunk = pulled(lambda x: 9 - x @ x.T)
    assert told(m, shrunk, [[0, 1], [1, 0], ["1/2", 2]])[2] == 1
    assert free(m, shrunk, [[0, 1], [1, 0], [3, 3]])  # 9 - 18 at the far corner of the box


def lengths_are_kept_and_known(m):
    """x_i' = ... + x_i: tokens run off, on one ray or not, and nothing is kept."""
    assert free(m, pulled(hot(1), None, lambda x, m: x), circle("-1/2", 0, "1/5"))
    heights = pulled(hot(1), lambda x: (x * x).sum(axis=-1)[:2] - 1, along)
    assert free(m, heights, circle("-1/2", 0, "1/5"))  # of two tokens of three


def what_divides_is_not_zero(m):
    """w = 1/(x_1 + x_2)^2 is positive where it is defined, and at x_1 = -x_2 it is not."""
    square = lambda x: (x[0, 0] + x[1, 0]) * (x[0, 0] + x[1, 0])  # noqa: E731
    poles = pulled(lambda x: 0 * (x @ x.T) + 1 / square(x))
    assert free(m, poles, [[3], [-1]])
    assert told(m, poles, [[3], [1]])[2] == 1
    nothing = pulled(hot(0), None, lambda x, m: (x - x) / (x[0, 0] + x[1, 0]))
    assert free(m, nothing, [[3], [-1]])
    assert told(m, nothing, [[3], [1]])[2] == 1


def functions_lie_between_their_ends(m):
    """sigmoid, log and roots as weights: positive, with rates that are known."""
    rate = {}
    for name, weight in (
        ("sigmoid", lambda s: 1 / (1 + exp(-s))),
        ("exp", exp),
        ("far", lambda s: exp(-40 * s)),
        ("log", lambda s: np.log(s + 3)),
        ("sqrt", lambda s: np.sqrt(s + 1)),
    ):
        gated = pulled(lambda x, weight=weight: numbers(weight(x @ x.T)))
        rate[name] = told(m, gated, [[1], [2]])[3]
    assert 0.73 < rate["sigmoid"] < 0.732
    assert 2.718 < rate["exp"] < 2.7183
    assert 0 < rate["far"] < 1e-69
    assert 1.38 < rate["log"] < 1.387
    assert 1.41 < rate["sqrt"] < 1.4143
    assert free(m, pulled(lambda x: numbers(np.log(x @ x.T - 2))), [[1], [3]])


def tokens_that_step_to_means_meet(m):
    """All see themselves and the first; near misses exchange places, sum to two, or jump over the first and run off."""
    x = [[0, 1], [1, 0], [4, 5]]
    limits, classes, count, rate, reach = told(m, stepped([[3, 0, 1], [2, 2, 0], [1, 1, 2]], 4), x)
    assert (classes, count, rate) == ([0, 0, 0], 1, 0.25)
    assert 5 <= reach < 5.1
    assert limits[0][0] <= 0
    assert limits[1][1] >= 5
    assert told(m, stepped([[1, 0], [1, 0]], 1), x[:2])[2:4] == (1, 1.0)  # after one step
    warm = stepped(hot(1))
    assert told(m, warm, [[0], [1]])[2] == 1
    assert 0.06 < told(m, warm, [[0], [1]])[3] < 0.27  # at most 1/(1 + e): the second sees the first at the start
    assert free(m, stepped([[0, 1], [1, 0]], 1), x[:2])
    assert free(m, stepped([[0, 1], [1, 0]], 1), x[:2], lambda f: np.array([[1, 1], [1, 1]]) + 0 * (f.x @ f.x.T))
    assert free(m, stepped([[1, 0, 0], [1, 1, 0], [6, 0, -4]], [1, 2, 2]), x)
    assert free(m, stepped([[2, 0], [2, 0]], 1), x[:2])  # twice as far at each step
    assert free(m, (stepped([[1, 0], [1, 0]], 1)[0], lambda f: np.array([[1, 0], [0, 1]]) + 0 * (f.x @ f.x.T)), x[:2])


def other_motions_are_none_of_it(m):
    single = flow(Tokens, lambda x: (0 * x,))
    assert free(m, (single, lambda f: 0 * (f.x @ f.x.T)), [[1, 2]])
    with pytest.raises((ValueError, UnformalError), match="weights"):
        told(m, sphere(1), circle("-1/2", 0, "1/5"), lambda f: hot(1)(f.x)[:2])
    scalar = flow(Numbers, lambda x: column(x[1] - x[0], x[0] - x[1]))
    ones = lambda f: 0 * (f.x[:, None] * f.x[None, :]) + 1  # noqa: E731
    assert told(m, (scalar, ones), [0, 1])[2] == 1


FACTS = facts_above(globals())
test_hulls, test_bugs_in_hulls = asked_of(hulls, FACTS)
test_hulls_again, test_bugs_in_hulls_again = asked_of(again, FACTS)


def test_contraction_alone_leaves_cold_clusters_open():
    kind, weights = sphere(64)
    start = kind.instance(x=circle(*TWO_CLUSTERS))
    with working_precision(64):
        with pytest.raises(UndecidedError):
            contraction.contraction(start, start)
        assert hulls.hulls(weights)(start, start).number_of_limits == 1


# ---------------------------------------------------------------------------------------------------------------------
# Ends


def box(*ends):
    return [(arb(a), arb(b)) for a, b in ends]


def ends_of(r, formula, *ends):
    """The ends of a formula over a box, in floats."""
    ring = Ring(len(ends))
    value = formula(*ring.coordinates())
    return [float(end) for end in r.Ranges(ring, box(*ends)).of(value)]


def products_and_quotients_have_the_ends_of_all_four(r):
    for x, y in (((-2, 3), (-5, 7)), ((1, 2), (-5, -3)), ((-3, -1), (-7, -4)), ((-4, 1), (2, 9))):
        products = [a * b for a in x for b in y]
        assert ends_of(r, lambda x, y: x * y, x, y) == [min(products), max(products)]
        if y[0] * y[1] > 0:
            quotients = [a / b for a in x for b in y]
            for found, exact in zip(ends_of(r, lambda x, y: x / y, x, y), (min(quotients), max(quotients)), strict=True):
                assert abs(found - exact) < 1e-15
    assert ends_of(r, lambda x: 3 * x * x * x - x, (1, 2)) == [1, 23]


def what_may_be_zero_divides_nothing(r):
    for ends in ((-1, 1), (0, 1), (-1, 0)):
        with pytest.raises(UndecidedError):
            ends_of(r, lambda x: 1 / x, ends)
        ring = Ring(2)
        x, y = ring.coordinates()
        _ = (y / x, 2 / y)
        assert not r.Ranges(ring, box(ends, (1, 2))).is_defined()
        assert r.Ranges(ring, box((1, 2), (-2, -1))).is_defined()


def functions_are_taken_at_both_ends(r):
    (low, high) = ends_of(r, lambda x: (x / 2).exp(), (-100, 2))
    assert 1.9e-22 < low < 2e-22
    assert 2.718 < high < 2.719
    (low, high) = ends_of(r, lambda x: x.log() + x.sqrt(), (1, 4))
    assert 0.99 < low <= 1
    assert 3.38 < high < 3.39
    for name in ("log", "sqrt"):
        for least in (-1, 0):
            with pytest.raises(UndecidedError):
                ends_of(r, lambda x, name=name: getattr(x, name)(), (least, 4))


def ends_are_rounded_outwards(r):
    """With few bits every operation is rounded: neither end comes to lie inside of what is there, nor far outside."""
    third, seventh = fmpq(1, 3), fmpq(1, 7)
    formulas = (
        lambda x, y: x * third + y * seventh + x * y / 11,
        lambda x, y: -x / 3 - y * y * seventh - third,
        lambda x, y: (x + seventh) / (y + third) / 5,
        lambda x, y: x * y * y,
        lambda x, y: y.exp(),
        lambda x, y: x.sqrt(),
        lambda x, y: (x * third).exp() * seventh + (y + third).sqrt() + (x + third).log() / 3,
    )
    for bits, formula, ends in product(range(6, 24), formulas, (((1, 2), (1, 3)), ((5, 7), (2, 2)), ((43, 45), (53, 59)))):
        with working_precision(256):
            fine = [formula(arb(x), arb(y)) for x, y in product(*ends)]
        with working_precision(bits):
            ring = Ring(2)
            value = formula(*ring.coordinates())
            low, high = r.Ranges(ring, box(*ends)).of(value)
        with working_precision(256):
            assert all(low <= one <= high for one in fine), (bits, ends)
            narrow = r.Ranges(ring, box(*ends)).of(value)
            room = arb(64) / 2**bits * (abs(low).max(abs(high)) + 1)
            assert narrow[0] - low < room
            assert high - narrow[1] < room


test_ends, test_bugs_in_ends = asked_of(ranges, facts_above(globals(), "r"))
