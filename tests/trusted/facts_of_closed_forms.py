"""Facts about numbers in closed form: against Fractions, with X in place of e^{1/12}, and against balls of many bits."""

from __future__ import annotations

import itertools
import operator
import random
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import pytest
from flint import arb, fmpq

from dynamics.arithmetic import exp, fraction, larger, log, numbers, sign, sqrt, working_precision
from dynamics.choices import (
    Ball,
    ClosedForm,
    Count,
    LookError,
    UndecidedError,
    decided_choices,
    guarded_numbers,
    plain,
    settled,
)

UNIT = 12
"""Exponents are multiples of 1/12, so that e^{p/12} is X^p."""

TRUTH = 3000
"""Bits at which the truth is computed: far more than any near miss here needs."""


@contextmanager
def closed(m, bits=128, **more) -> Iterator[None]:
    with working_precision(bits), guarded_numbers(), decided_choices(), m.closed_forms(**more):
        yield


def e(p, q=1):
    """e^{p/q} in the numbers of the moment."""
    return exp(numbers(fmpq(p, q))).item()


def ln(x):
    return log(numbers(x)).item()


def root(x):
    return sqrt(numbers(x)).item()


def grow(x):
    return exp(numbers(x)).item()


def seen(x):
    """The sign, None where it is open."""
    try:
        return sign(x)
    except UndecidedError:
        return None


def certainly_equal(x, y):
    assert settled(x - y) == 0
    # Not a ball around 0, however narrow: a zero is known exactly or not at all.
    assert isinstance(settled(x - y), fmpq)
    assert seen(x - y) == 0


def certainly_above(x, y):
    assert seen(x - y) == 1
    assert settled(x - y) > 0
    assert x > y
    assert not x <= y
    assert x != y


# ---------------------------------------------------------------------------------------------------------------------
# Rational functions of e^{1/12}, in Fractions


class Leaf:
    """c e^{p/12}."""

    def __init__(self, rng):
        self.p, self.c = rng.randrange(-18, 19), Fraction(rng.randrange(-6, 7), rng.randrange(1, 5))

    def __call__(self, power, number):
        return number(self.c) * power(self.p)


def formula(rng, depth):
    """A random formula with its text: a function of how powers of e^{1/12} and rationals are made."""
    if depth == 0:
        return Leaf(rng)
    # Quotients are rarer: too many of them end in a division by 0.
    kind = rng.choice("+-*/+-*s")
    x = formula(rng, depth - 1)
    if kind == "s":
        k = rng.choice([-2, 0, 1, 2, 3])
        return lambda power, number: x(power, number) ** k
    # The same twice, so that differences and quotients cancel now and then.
    y = x if rng.random() < 0.2 else formula(rng, rng.randrange(depth))
    operation = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}[kind]
    return lambda power, number: operation(x(power, number), y(power, number))


def at(number, X):
    """The number with X in place of e^{1/12}, from its parts."""
    if not hasattr(number, "parts"):
        return fraction(fmpq(number))
    # Units may have been refined since the number was made.
    number.current()
    field = number.field

    def polynomial(p, low):
        total = Fraction(0)
        for exponents, c in p.to_dict().items():
            powers = [a + int(b) for a, b in zip(low, exponents, strict=True)]
            total += fraction(c) * (X ** (powers[0] * (UNIT // field.units[0])) if powers else 1)
        return total

    total = Fraction(0)
    for powers, (low, p) in number.parts.items():
        value = polynomial(p, low)
        for place, k in powers:
            value *= polynomial(field.factors[place], (0,) * len(low)) ** k
        total += value
    return total


def exact_or_none(made, X):
    try:
        return made(lambda p: X**p, lambda c: c)
    except ZeroDivisionError:
        return None


def rational_functions_are_those_of_fractions(m):
    rng, compared, zeros = random.Random(7), 0, 0
    for turn in range(160):
        # A large prime below: different rational functions of small numbers hardly agree there.
        made, X = formula(rng, 2 + turn % 4), Fraction(rng.randrange(2, 9), 7) + Fraction(1, 1000003)
        sought = exact_or_none(made, X)
        with closed(m):
            try:
                found = made(lambda p: e(p, UNIT), lambda c: fmpq(c.numerator, c.denominator))
            except ZeroDivisionError:
                assert sought is None
                continue
            assert sought is not None
            assert at(found, X) == sought
            assert (sign(found) == 0) == (sought == 0)
            compared, zeros = compared + 1, zeros + (sought == 0)
            if hasattr(found, "single"):
                assert at(found.single(), X) == sought
    assert compared > 80
    assert zeros > 2


def comparisons_are_those_of_many_bits(m):
    rng = random.Random(11)
    for _ in range(60):
        one, other = formula(rng, 3), formula(rng, 3)
        with working_precision(TRUTH):
            sides = []
            for made in (one, other):
                try:
                    sides.append(arb(made(lambda p: arb(fmpq(p, UNIT)).exp(), lambda c: fmpq(c.numerator, c.denominator))))
                except ZeroDivisionError:
                    sides.append(arb("nan"))
            difference = sides[0] - sides[1]
        # Equal at 3000 bits: these are asked of fractions above.
        if not difference.is_finite() or difference.contains(0):
            continue
        above = bool(difference > 0)
        with closed(m):
            x, y = (made(lambda p: e(p, UNIT), lambda c: fmpq(c.numerator, c.denominator)) for made in (one, other))
            assert (x > y, x >= y, x < y, x <= y, x == y, x != y) == (above, above, not above, not above, False, True)
            assert sign(x - y) == (1 if above else -1)
            assert max(x, y) is (x if above else y)
            assert larger(x, y) is (x if above else y)
            if isinstance(x, ClosedForm):
                assert x.min(y) is (y if above else x)
            assert abs(x - y) == (x - y if above else y - x)
            for value in (settled(numbers(x - y)).item(), getattr(x - y, "plain", x - y)):
                with working_precision(TRUTH):
                    assert arb(value).overlaps(difference)


def units_are_refined_on_the_way(m):
    with closed(m):
        # From here on halves are sixths, and later forty-seconds: each unit is finer than those before.
        half, third = e(1, 2), e(1, 3)
        share = half / (half + 1)
        seventh = e(1, 7)
        certainly_equal(half * third * seventh, e(41, 42))
        certainly_equal(share, e(3, 6) / (1 + e(3, 6)))
        certainly_equal(seventh**7 / half**2, fmpq(1))
        certainly_above(e(1, 10**9), fmpq(1))
        certainly_equal(share - half / (half + 1), fmpq(0))


def numbers_are_what_they_were_after_the_field_has_grown(m):
    """What is worked out of a number is asked again when units were refined, and when generators were made."""
    later = (lambda: None, lambda: e(1, 2), lambda: e(1, 15), lambda: root(fmpq(3)) + ln(fmpq(5)), lambda: grow(e(1, 3)))

    def made(a, b, two, three):
        return 1 / (1 + a) + b, a / (a + b) + b / (a + 1), two + 1 / b, three + 1 / (1 + a), (a - b) / (1 + a)

    with working_precision(TRUTH):
        truths = made(arb(1).exp(), arb(fmpq(1, 3)).exp(), arb(2).sqrt(), arb(3).log())
    for ask in (lambda x: 1 / x, lambda x: x - 2 / x, ln, root, grow, abs):
        with closed(m, 256):
            # Large enough parts that something of each number is kept for the next question.
            kept = made(e(1), e(1, 3), root(fmpq(2)), ln(fmpq(3)))
            for grown in later:
                grown()
                for number, truth in zip(kept, truths, strict=True):
                    answer = plain(ask(number))
                    with working_precision(TRUTH):
                        assert answer.overlaps(arb(ask(truth)))


def near_misses_are_seen(m):
    with closed(m):
        a, b, c = e(1, 3), e(2, 5), e(-7, 4)
        for one, other in (
            ((a + b) ** 2, a * a + 2 * a * b + b * b),
            (1 / (a + 1) + 1 / (b + 1), (a + b + 2) / ((a + 1) * (b + 1))),
            (a / (a + b + c) + b / (a + b + c), 1 - c / (a + b + c)),
            ((a * c - b) / (a - b) + 1, (a * c + a - 2 * b) / (a - b)),
        ):
            certainly_equal(one, other)
            # None of these is seen at 128 bits.
            for miss in (e(-300), fmpq(1, 10**60), fmpq(1, 10**200), a * e(-100) / (a + b)):
                certainly_above(one + miss, other)
                certainly_above(other, one - miss)
        certainly_above(e(1, 3) * e(1, 10**9), e(1, 3))
        certainly_above(e(10**9 + 1, 10**9), e(1))


def a_sign_is_looked_for_beyond_the_working_precision(m):
    with working_precision(TRUTH):
        scaled = arb(fmpq(1, 3)).exp() * 10**250
        # e^{1/3} cut after 250 digits: only far beyond the working precision it is seen to be less.
        below = fmpq(scaled.floor().unique_fmpz(), 10**250)
    for bits in (64, 128):
        with closed(m, bits):
            certainly_above(e(1, 3), below)
            certainly_above(below + fmpq(1, 10**250), e(1, 3))
            certainly_above(1 / (e(1, 3) - below), fmpq(10**250))


def large_exponents_cost_no_digits(m):
    with closed(m):
        # As a ball of 128 bits it would swallow the 1.
        huge = e(10**6)
        certainly_equal(huge * e(-(10**6)), fmpq(1))
        certainly_above(huge + 1, huge)
        certainly_above(1 / (1 + e(-(10**5))), fmpq(1) - e(-(10**5)))
        certainly_above(fmpq(1), 1 / (1 + e(-(10**5))))
        certainly_equal(huge / (huge + 1) + 1 / (huge + 1), fmpq(1))


def nothing_is_divided_by_zero(m):
    with closed(m):
        a, b = e(1, 2), e(1, 3)
        # A zero that no simplification of its parts shows.
        hidden = 1 / (a + 1) + 1 / (b + 1) - (a + b + 2) / ((a + 1) * (b + 1))
        for top in (fmpq(1), a, 3, hidden):
            for bottom in (hidden, a - a, hidden * a):
                with pytest.raises(ZeroDivisionError):
                    top / bottom
        with pytest.raises(ZeroDivisionError):
            hidden**-1
        certainly_equal((hidden + fmpq(1, 10**80)) * (1 / (hidden + fmpq(1, 10**80))), fmpq(1))
        certainly_equal(1 / (a - b) + 1 / (b - a), fmpq(0))
        certainly_equal((a * a - b * b) / (a - b), a + b)


def shares_add_up(m):
    with closed(m):
        scores = [e(p, 7) for p in (3, -2, 5, 11)]
        total = sum(scores, fmpq(0))
        shares = [score / total for score in scores]
        assert isinstance(sum(shares, fmpq(0)), fmpq)
        certainly_equal(sum(shares, fmpq(0)), fmpq(1))
        certainly_equal(sum((grow(3 * w) for w in shares), fmpq(0)) * 0, fmpq(0))
        product = fmpq(1)
        for w in shares:
            product = product * grow(w)
        certainly_equal(product, e(1))


# ---------------------------------------------------------------------------------------------------------------------
# Exponentials of exponentials, logarithms and roots


def laws_of_exponentials_hold(m):
    with closed(m, 1024):
        x, y = e(1, 2) / (1 + e(1, 3)), fmpq(2, 3) - e(-1, 5)
        certainly_equal(grow(x + y), grow(x) * grow(y))
        certainly_equal(grow(x - y) * grow(y), grow(x))
        certainly_equal(grow(x / 3) ** 3, grow(x))
        certainly_equal(grow(-x) * grow(x), fmpq(1))
        certainly_equal(grow(x + fmpq(1, 4)), e(1, 4) * grow(x))
        certainly_above(grow(x + e(-200)), grow(x))
        certainly_above(grow(e(1, 2) / (1 + e(1, 3))), grow(e(1, 2) / (2 + e(1, 3))))
        certainly_above(grow(x * fmpq(10**50 + 1, 10**50)), grow(x))
        assert isinstance(grow(x - x), fmpq)


def laws_of_logarithms_hold(m):
    with closed(m, 1024):
        a, b = e(1, 2), 2 + e(1, 3)
        certainly_equal(ln(fmpq(6)), ln(fmpq(2)) + ln(fmpq(3)))
        certainly_equal(ln(fmpq(4, 27)), 2 * ln(fmpq(2)) - 3 * ln(fmpq(3)))
        certainly_equal(ln(a), fmpq(1, 2))
        certainly_equal(ln(a * b / 3), ln(b) + fmpq(1, 2) - ln(fmpq(3)))
        certainly_equal(ln(b * b), 2 * ln(b))
        # The base is negative: half of the logarithm of a square is that of its size.
        certainly_equal(ln((a - 2) ** 2), 2 * ln(2 - a))
        certainly_equal(ln(1 / b) + ln(b), fmpq(0))
        certainly_equal(grow(ln(b)), b)
        certainly_equal(grow(2 * ln(b) + 1), b * b * e(1))
        certainly_equal(ln(grow(a / b)), a / b)
        certainly_above(ln(fmpq(6)), ln(fmpq(2)) + ln(fmpq(3) - fmpq(1, 10**60)))
        certainly_above(ln(b + e(-200)), ln(b))
        certainly_above(ln(2 - a), fmpq(-105, 100))
        certainly_above(fmpq(-104, 100), ln(2 - a))


def laws_of_roots_hold(m):
    with closed(m, 1024):
        a, b = e(1, 2), 2 + e(1, 3)
        certainly_equal(root(fmpq(2)) * root(fmpq(3)), root(fmpq(6)))
        certainly_equal(root(fmpq(8, 3)) * root(fmpq(3)), 2 * root(fmpq(2)))
        certainly_equal(root(fmpq(2)) ** 3, 2 * root(fmpq(2)))
        certainly_equal(1 / root(fmpq(5)), root(fmpq(5)) / 5)
        certainly_equal((1 + root(fmpq(2))) * (root(fmpq(2)) - 1), fmpq(1))
        certainly_equal(root(a), e(1, 4))
        certainly_equal(root(e(1, 6) * 4) ** 2, 4 * e(1, 6))
        certainly_equal(root(b) ** 2, b)
        certainly_equal(root(b) * root(b * a), b * e(1, 4))
        certainly_equal(1 / root(b), root(b) / b)
        # The root of a square is a size: a < b.
        certainly_equal(root((a - b) ** 2), b - a)
        certainly_equal(root(2 - a) ** 2, 2 - a)
        certainly_equal(root((a - b) ** 2 / (a + b) ** 2), (b - a) / (a + b))
        certainly_equal(root((a - 2) * (a - b)) ** 2, (a - 2) * (a - b))
        certainly_equal(root(1 / (b * b * b)), root(b) / b**2)
        certainly_equal(2 * ln(root(b)), ln(b))
        certainly_above(root(b + e(-200)), root(b))
        # They are equal, which no law that is used here tells; less a little the order is seen.
        certainly_above(root(fmpq(2)) + root(fmpq(3)), root(5 + 2 * root(fmpq(6))) - fmpq(1, 10**40))
        assert root(b - b) == 0


def logarithms_and_roots_of_powers_of_any_factor(m):
    """Whose coefficients are no whole numbers, which is a square or has one: powers of either sign, against balls."""
    half, third = fmpq(1, 2), fmpq(2, 3)
    factors = (
        lambda: e(1, 3) + half,
        lambda: third * e(1, 2) + e(1, 3) / 5,
        lambda: e(2, 3) + e(1, 3) + fmpq(1, 4),
        lambda: 3 * e(1) - e(2, 3) / 2 - third * e(1, 3) + fmpq(1, 9),
        lambda: (e(1, 3) + half) ** 2 * (e(1, 3) + third),
    )
    for factor, power in itertools.product(factors, range(-3, 4)):
        with working_precision(TRUTH):
            truth = arb(factor())
        with closed(m, 256):
            for found, wanted in (
                (ln(factor() ** power), truth.log() * power),
                (root(factor() ** power), truth.sqrt() ** power),
            ):
                value = settled(numbers(found)).item()
                assert arb(value).overlaps(wanted), power
                assert arb(value).rad() < fmpq(1, 10**50)


def what_is_computed_is_near_the_truth(m):
    """Random formulas with functions, in closed form and in balls of many bits."""
    functions = (grow, ln, root)

    def tree(rng, depth):
        if depth == 0:
            leaf = fmpq(rng.randrange(1, 9), rng.randrange(1, 5))
            return lambda: leaf
        kind, x, y = rng.randrange(7), tree(rng, depth - 1), tree(rng, rng.randrange(depth))
        if kind < 3:
            return lambda: functions[kind](x() / 4 + (1 if kind == 0 else fmpq(1, 3)))
        operation = (operator.add, operator.sub, operator.mul, operator.truediv)[kind - 3]
        return lambda: operation(x(), y())

    rng, seen, signs = random.Random(5), 0, 0
    for turn in range(150):
        made = tree(rng, 2 + turn % 3)
        try:
            with working_precision(TRUTH):
                truth = arb(made())
        except (ValueError, ZeroDivisionError):
            continue
        if not truth.is_finite():
            continue
        with closed(m):
            try:
                found = made()
            except ZeroDivisionError:
                assert truth.contains(0) or not truth.is_finite()
                continue
            except (UndecidedError, ValueError):
                continue
            value = settled(numbers(found)).item()
            with working_precision(TRUTH):
                # A ball without end says nothing, and is right.
                assert not arb(value if isinstance(value, arb) else fmpq(value)).is_finite() or arb(value).overlaps(truth)
                if isinstance(value, fmpq) and value == 0:
                    assert truth.contains(0)
            seen += 1
            signs += isinstance(value, fmpq) or not value.contains(0)
    assert seen > 80
    assert signs > 60


# ---------------------------------------------------------------------------------------------------------------------
# Limits, other numbers, and what a formula may ask


def beyond_the_work_it_is_a_ball(m):
    # At once, on the way, and near the end of the product there is no work left.
    for work in (3, 10, 40, 150):
        with working_precision(128), guarded_numbers(), m.closed_forms(work):
            a, b, c = e(1, 2), e(1, 3), e(1, 5)
            product = fmpq(1)
            for k in range(1, 8):
                product = product * (a + k * b + c) / (k + a * c)
            with working_precision(TRUTH), m.closed_forms(10**7):
                truth = fmpq(1)
                a, b, c = (arb(fmpq(1, k)).exp() for k in (2, 3, 5))
                for k in range(1, 8):
                    truth = truth * (a + k * b + c) / (k + a * c)
            value = settled(numbers(product)).item()
            assert isinstance(product, Ball)
            assert value.overlaps(truth)
            assert value.rad() < fmpq(1, 10**25)
    with guarded_numbers(), m.closed_forms(60):
        x = (e(1, 2) + e(1, 3) + 1) ** 3
        with pytest.raises(UndecidedError):
            bool((e(1, 7) + x) ** 2 - x * x - 2 * x * e(1, 7) - e(2, 7) == 0)


POSITIVE = (
    lambda: e(1, 2),
    lambda: 1 + e(1, 2),
    lambda: 3 * e(-1, 2),
    lambda: root(2) * e(1, 3),
    lambda: ln(3),
    lambda: ln(3) * e(2),
    lambda: ln(3) + root(2),
    lambda: (e(1, 2) + e(1, 3) + 1) ** 2 / (1 + e(1, 2)),
    lambda: e(1, 2) - root(3) * root(5) + 3,
)
FUNCTIONS = (
    grow,
    ln,
    root,
    abs,
    *(lambda x, k=k: x**k for k in (0, 1, 2, 3, -1, -2, fmpq(2), fmpq(-3), fmpq(1, 2), fmpq(-2, 3))),
    lambda x: fmpq(3, 2) ** x,
    lambda x: ln(x * x),
    lambda x: root(x * x * x),
    lambda x: ln(x) * ln(x) + x,
    lambda x: larger(x, fmpq(3, 2)),
    lambda x: 1 / (x + 1),
)


def functions_are_those_of_balls_however_much_work_there_is(m):
    """In closed form, or where there is none, or no work left for it, by flint's own functions."""
    forms = 0
    for work, number, function in itertools.product((2, 12, 60, 10**5), POSITIVE, FUNCTIONS):
        with working_precision(300):
            truth = arb(function(number()))
        with closed(m, 128, work=work):
            found = function(number())
            forms += hasattr(found, "parts")
            value = arb(plain(found))
        assert value.overlaps(truth)
        assert value.rad() < fmpq(1, 10**25)
    assert forms > 100


def generators_are_counted(m):
    with working_precision(128), guarded_numbers(), m.closed_forms():
        primes = [p for p in range(2, 200) if all(p % k for k in range(2, p))]
        roots = [root(fmpq(p)) for p in primes]
        # Each prime's root is a generator of its own.
        assert sum(hasattr(one, "parts") for one in roots) == m.MOST_GENERATORS
        assert all(type(one) is Ball for one in roots[m.MOST_GENERATORS :])


def balls_mix_with_it(m):
    with working_precision(64), guarded_numbers(), m.closed_forms():
        a = e(1, 2)
        wide = Ball(arb(1, fmpq(1, 100)))
        for one in (a + wide, wide + a, a * wide, wide * a, a - wide, wide - a, a / wide, wide / a):
            assert type(one) is Ball
        assert (wide + a).plain.overlaps(arb(1) + arb(fmpq(1, 2)).exp())
        assert (wide - a).plain.overlaps(arb(1) - arb(fmpq(1, 2)).exp())
        assert (a / wide).plain.overlaps(arb(fmpq(1, 2)).exp())
        assert a > wide
        assert wide < a
        with pytest.raises(UndecidedError):
            bool(a > wide + fmpq(649, 1000))
        with pytest.raises(UndecidedError):
            bool(wide * a == a)
        assert (a + Count(2)) - a == 2
        assert 2**a > 3
        assert a**0 == 1
        assert a**-2 == e(-1)


def formulas_learn_nothing_else(m):
    with guarded_numbers(), m.closed_forms():
        a = e(1, 2) + 1
        # What is told of a number here would depend on how it is written, or on the precision of the moment.
        for ask in (
            str,
            hash,
            float,
            int,
            repr,
            lambda x: f"{x}",
            lambda x: x.is_zero(),
            lambda x: x.mid(),
            complex,
            round,
        ):
            with pytest.raises((LookError, UndecidedError)):
                ask(a)
        with pytest.raises(TypeError):
            a + "1"


def another_evaluation_s_numbers_are_balls(m):
    with guarded_numbers(), m.closed_forms():
        old = e(1, 2)
        with m.closed_forms():
            new = e(1, 2) + e(1, 3)
            # Their fields differ: the place of a generator in one is another's in the other.
            assert type(new - old) is Ball
            assert (new - old).plain.overlaps(arb(fmpq(1, 3)).exp())


def an_open_sign_stays_open(m):
    """e^{e^{1/2}} + 1 against itself computed as a ball: nothing may be said of what no law tells."""
    with working_precision(128), guarded_numbers(), m.closed_forms():
        x = grow(e(1, 2))
        other = Ball(arb(fmpq(1, 2)).exp().exp())
        with pytest.raises(UndecidedError):
            bool(x == other)
        nested = root(fmpq(2)) + root(fmpq(3)) - root(5 + 2 * root(fmpq(6)))
        assert sign(settled(numbers(nested)).item()) in (None, 0)
        assert settled(numbers(nested)).item().contains(0)
        for value in (1 / nested, abs(nested), x / nested, larger(nested, fmpq(0)), nested.min(fmpq(0))):
            assert type(value) is Ball
        assert not isinstance(grow(nested), fmpq)
        assert all(abs(x).plain.mid() > 0 for x in (nested, -nested))
