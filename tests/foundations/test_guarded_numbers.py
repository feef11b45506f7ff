"""Guarded numbers: what is true of all numbers in a ball, or of none, and what looks at one; bugs in a line are noticed."""

from __future__ import annotations

import operator
import pickle
import sys
from contextlib import suppress
from copy import copy
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import arb, arb_series, fmpq, fmpz

from dynamics import choices
from dynamics.arithmetic import working_precision
from tests.planting import asked_of, facts_above

# Ends that meet, touch, nest and miss; halves, which balls have exactly.
ENDS = [fmpq(k, 2) for k in range(-2, 3)]
RELATIONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)


def between(low, high):
    """The ball with exactly these ends."""
    return arb((low + high) / 2, (high - low) / 2)


def intervals():
    return [(low, high) for low, high in product(ENDS, repeat=2) if low <= high]


def ends(ball):
    """The ends of a ball, exactly: flint rounds radii up."""
    parts = [part.man_exp() for part in (ball.mid(), ball.rad())]
    middle, radius = (fmpq(int(mantissa)) * fmpq(2) ** int(exponent) for mantissa, exponent in parts)
    return middle - radius, middle + radius


def truths(relation, x, y):
    """Whether the relation holds of some numbers of two balls, and whether it fails of some."""
    (a, b), (c, d) = ends(x), ends(y)
    # Some pair of numbers of the two balls: not the balls as a whole.
    equal, unequal = a <= d and c <= b, not a == b == c == d
    return {
        operator.lt: (a < d, b >= c),
        operator.le: (a <= d, b > c),
        operator.gt: (b > c, a <= d),
        operator.ge: (b >= c, a < d),
        operator.eq: (equal, unequal),
        operator.ne: (unequal, equal),
    }[relation]


def comparisons_say_what_holds_of_all_numbers(m):
    """Apart, touching, nested and equal: an answer is given where all numbers of two balls agree, and only there."""
    with working_precision(128):
        balls = [between(*one) for one in intervals()]
        # Points, too: only they can be equal for certain.
        balls += [arb(end) for ball in balls[1::3] for end in ends(ball)]
    for (x, y), relation in product(product(balls, repeat=2), RELATIONS):
        possible = truths(relation, x, y)
        for make in (m.Ball, lambda value, m=m: m.Series(arb_series([value, 1], 2))):
            try:
                said = relation(make(x), make(y))
            except m.UndecidedError:
                assert possible == (True, True)
            else:
                assert possible == (said, not said)


def a_number_is_compared_with_itself(m):
    for value in (m.Ball(arb(1, 1)), m.Ball(arb(1)), m.Series(arb_series([arb(1, 1), 2], 2))):
        # One object is one number, however little is known of it; two with the same ball may be two.
        found = [relation(value, value) for relation in RELATIONS]
        assert found == [relation(1, 1) for relation in RELATIONS]
    assert [bool(m.Ball(arb(k))) for k in (-1, 0, 1)] == [True, False, True]
    with pytest.raises(m.UndecidedError):
        bool(m.Ball(arb(0, 1)))
    for relation in RELATIONS:
        with pytest.raises(m.UndecidedError):
            relation(*[m.Ball(arb("nan"))] * 2)


def looks_are_counted(m):
    """What is no function of the numbers alone: comparisons, maxima, absolute values, and what is refused."""
    x, y = m.Ball(arb(1, 1)), m.Ball(arb(5, 1))
    series = [m.Series(arb_series([value, 1], 2)) for value in (1, 5)]
    acts = [lambda a, b: a < b, lambda a, b: a == b, lambda a, b: a.max(b), lambda a, b: a.min(b), lambda a, b: abs(a - b)]
    for act, (a, b) in product(acts, ((x, y), series)):
        before = m.looks()
        act(a, b)
        assert m.looks() > before
    for refused in (float, int, hash, lambda a: a.mid(), lambda a: a + 0.1, lambda a: a % 2):
        before = m.looks()
        with pytest.raises(m.UndecidedError):
            refused(x)
        assert m.looks() > before
        # Also where a formula hides it: what was refused is remembered.
        with pytest.raises(m.UndecidedError), m.decided_choices(), suppress(m.UndecidedError):
            refused(x)
    before = m.looks()
    _ = (x + y) * series[0] - x / y
    assert m.looks() == before


def numbers_are_guarded_within(m):
    assert not m.guarding()
    with m.guarded_numbers():
        with m.guarded_numbers(on=False):
            assert not m.guarding()
            assert isinstance(m.ball(1), arb)
        assert m.guarding()
        with m.guarded_numbers():
            pass
        assert m.guarding()
        assert isinstance(m.ball(1), m.Ball)
    assert not m.guarding()


def swallowed_choices_are_told(m):
    def swallow():
        with suppress(m.UndecidedError):
            bool(m.Ball(arb(1, 1)) < 1)

    with pytest.raises(m.UndecidedError), m.decided_choices():
        swallow()


def extremes_hold_every_pair(m):
    for x, y in product(intervals(), repeat=2):
        pairs = list(product(x, y))
        a, b = (m.Ball(between(*one)) for one in (x, y))
        for name, extreme in (("max", max), ("min", min)):
            found = getattr(a, name)(b).plain
            assert all(found.contains(arb(extreme(pair))) for pair in pairs)
            other = getattr(a, name)(y[0]).plain
            assert all(other.contains(arb(extreme(c, y[0]))) for c in x)
        together = m.plain(m.hull(a, b))
        assert all(together.contains(between(*one)) for one in (x, y))
        assert all(m.hull(between(*x), between(*y)).contains(between(*one)) for one in (x, y))
        assert all(abs(a).plain.contains(arb(abs(c))) for c in x)


def extremes_of_series_hold_every_pair(m):
    """To first order: values and slopes of both, in either order of their lengths; longer ones only where it is sure."""
    for x, y in product(intervals(), repeat=2):
        first, second = arb_series([between(*x), 3], 2), arb_series([between(*y), -1], 2)
        for name, extreme in (("max", max), ("min", min)):
            found = getattr(m.Series(first), name)(m.Series(second)).plain
            assert all(found[0].contains(arb(extreme(pair))) for pair in product(x, y))
            # Who is larger decides whose slope it is: at a meeting it may be either's.
            ways = {extreme((a, 3), (b, -1), key=lambda one: one[0])[1] for a, b in product(x, y) if a != b}
            assert all(found[1].contains(arb(slope)) for slope in ways)
    long, short = arb_series([arb(1, 1), 3, 5], 3), arb_series([arb(1, 1), -1], 2)
    for a, b in ((long, short), (short, long)):
        assert m.Series(a).max(m.Series(b)).plain.prec == 2
    # Beyond the first order a kink has no coefficients.
    for low, high in ((long, arb_series([arb(1, 1), 7, 9], 3)),):
        for name in ("max", "min"):
            with pytest.raises(m.KinkError):
                getattr(m.Series(low), name)(m.Series(high))
    for sure, other in ((m.Series(arb_series([5, 2, 3], 3)), m.Series(long)),):
        assert sure.max(other) is sure
        assert other.max(sure) is sure
        assert sure.min(other) is other


def what_comes_out_is_exact_or_guarded(m):
    for value in (0.5, np.float64(1), arb(1), arb_series([1], 1), "1", None, 1j):
        with pytest.raises(m.ForeignNumberError):
            m.check_result(value)
    for value in (1, fmpq(1, 3), m.Ball(arb(1)), m.Series(arb_series([1], 1)), np.int64(1), True):
        m.check_result(value)
    mixed = np.empty(3, dtype=object)
    mixed[:] = [fmpq(1), arb(2), m.Ball(arb(3))]
    assert [type(entry) for entry in m.guarded(mixed)] == [fmpq, m.Ball, m.Ball]
    assert [type(entry) for entry in m.plain(mixed)] == [fmpq, arb, arb]
    # Not the numbers that are written: 0.1 is a little more than a tenth.
    for written in (0.1, 1 / 3, 1e-7):
        with pytest.raises(m.ForeignNumberError):
            m.Ball(arb(1)) + written


def sides_are_not_mixed_up(m):
    two = m.Ball(arb(2))
    for number in (3, fmpq(3), np.int64(3)):
        assert [(number - two).plain, (two - number).plain] == [1, -1]
        assert [(number / two).plain, (two / number).plain * 3] == [fmpq(3, 2), 2] or (two / number).plain.contains(
            fmpq(2, 3)
        )
        assert [(number**two).plain, (two**number).plain] == [9, 8]
    five = m.Count(5)
    # From either side, and none the other way about.
    assert [7 % five, five % 3, 17 // five, five // 2] == [2, 2, 3, 2]


def a_formula_does_not_look_inside(m):
    """Neither at a text, a copy or a size, nor at what flint's numbers tell; outside of one, objects are as they are."""
    objects = (str, repr, format, dir, sys.getsizeof, copy)
    told = [lambda x, name=name: getattr(x, name) for name in sorted(m.LOOKS)]
    for number in (m.Ball(arb(1, 1)), m.Series(arb_series([1, arb(0, 1)], 2))):
        for ask in (*objects, *told):
            with m.guarded_numbers(), pytest.raises(m.LookError):
                ask(number)
        assert str(number) == format(number) == str(number.plain)
        assert "max" in dir(number)
        assert 0 < sys.getsizeof(number) < 999
        assert str(copy(number)) == str(number)


def operands_of_every_kind_are_the_numbers_they_are(m):
    one_third = fmpq(1, 3)
    numbers = ((3, 3), (np.int64(3), 3), (np.bool_(1), 1), (m.Count(3), 3), (Fraction(1, 3), one_third), (0.5, fmpq(1, 2)))
    for number, exact in (*numbers, (fmpz(3), 3), (one_third, one_third), (arb(3), 3), (m.Ball(arb(3)), 3)):
        # As made, and as it comes out of an operation.
        for ball in (m.Ball(arb(1, 1)), +m.Ball(arb(1, 1))):
            assert str(ball - number) == str(m.Ball(arb(1, 1) - exact))
            assert str(number - ball) == str(m.Ball(exact - arb(1, 1)))
            assert str(ball.max(number)) == str(m.Ball(arb(1, 1).max(arb(exact))))
    assert [str(x) for x in m.Ball(arb(1)) + np.array([1, 2])] == [str(m.Ball(arb(k))) for k in (2, 3)]
    assert type(pickle.loads(pickle.dumps(choices.Count(3)))) is choices.Count  # noqa: S301


test_guarded_numbers, test_bugs_in_guarded_numbers = asked_of(choices, facts_above(globals()))
