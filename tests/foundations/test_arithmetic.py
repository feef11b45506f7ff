"""The numbers a formula runs on: conversion, precision, transcendental functions and comparison in every arithmetic.

Balls are compared with mpmath's intervals: a library that shares no line with flint encloses the same number to 60
digits, and the ball must contain that whole enclosure.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product

import flint
import mpmath
import numpy as np
import pytest
import scipy.linalg
from flint import arb, arb_series, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamics.arithmetic import (
    EXACT,
    FLOAT64,
    MULTIPRECISION,
    Numbers,
    UndecidedError,
    at_most,
    below_any_summit,
    below_peak,
    distinct,
    exact,
    exp,
    exp_difference,
    fraction,
    indicator,
    inverse,
    lambert_w,
    log,
    matrix_exponential,
    numbers,
    peak,
    rational,
    sign,
    sqrt,
    working_precision,
)
from dynamics.attention import average_over, leaders, near_leaders, softmax
from dynamics.choices import Ball, guarded_numbers

few = settings(derandomize=True, deadline=None, max_examples=60)
fractions = st.fractions(min_value=-30, max_value=30, max_denominator=10**6)
positive = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6, max_denominator=10**6)

BITS = 64
REFERENCE_DIGITS = 60


def exactly(raw):
    """The rational that a raw mpmath number (sign, man, exp, bc) is."""
    negative, man, exponent, _ = raw
    size = fmpq(int(man)) * fmpq(2) ** int(exponent)
    return -size if negative else size


def interval(function, value):
    """What mpmath's intervals enclose function(value) by, as two rationals."""
    # Global in mpmath, as precision is in flint.
    before, mpmath.iv.dps = mpmath.iv.dps, REFERENCE_DIGITS
    try:
        low, high = function(mpmath.iv.mpf(int(value.p)) / mpmath.iv.mpf(int(value.q)))._mpi_
    finally:
        mpmath.iv.dps = before
    return exactly(low), exactly(high)


def contains(ball, low, high):
    """Whether the ball contains the whole interval, decided by comparing the exact end points."""
    with working_precision(2000):
        return ball.contains(arb(low).union(arb(high)))


def box(value):
    """A 0-d array of one number."""
    return numbers(value)


# ---------------------------------------------------------------------------------------------------------------------
# Conversion


@given(st.integers() | st.fractions() | st.floats(allow_nan=False, allow_infinity=False))
@few
def test_rational_reads_integers_fractions_and_floats_exactly(value):
    assert fraction(rational(value)) == Fraction(value)


@given(st.integers(), st.integers(min_value=1))
@few
def test_rational_reads_quotients_and_integers_as_text_exactly(p, q):
    assert rational(f"{p}/{q}") == fmpq(p, q)
    assert rational(str(p)) == fmpq(p)


def test_rational_reads_decimals_as_the_decimals_they_say_and_floats_as_the_dyadics_they_are():
    assert rational("0.1") == fmpq(1, 10)
    assert rational("-2.5e-3") == fmpq(-1, 400)
    assert rational(0.1) == fmpq(3602879701896397, 2**55)
    assert rational(5e-324) == fmpq(1, 2**1074)
    assert rational(-0.0) == 0
    # Rationals are not changed, so there is nothing to copy.
    assert rational(value := fmpq(22, 7)) is value


@pytest.mark.parametrize("kind", ["int8", "uint8", "int32", "uint64", "int64", "float16", "float32", "float64"])
def test_rational_reads_numpy_scalars_exactly(kind):
    for value in (0, 1, 77, 100):
        assert rational(np.dtype(kind).type(value)) == value
    if kind.endswith("int64"):
        assert rational(np.dtype(kind).type(2**53 + 1)) == 2**53 + 1  # no float64 in between
    if kind.startswith("float"):
        # Each kind of float has a tenth of its own: the number that it is, not the one that is meant.
        tenth = np.dtype(kind).type("0.1")
        assert fraction(rational(tenth)) == Fraction(*float(tenth).as_integer_ratio())
        assert rational(tenth) != fmpq(1, 10)


@pytest.mark.parametrize(
    "value",
    [
        float("nan"), float("inf"), float("-inf"), np.float64("nan"), np.float32("inf"), "nan", "inf", "", "one", "1/0",
        "1//2", "1/2/3", None, 1j, np.complex128(1), [1], (1, 2), {}, b"1", arb(1), mpmath.mpf("nan"), mpmath.mpf("inf"),
    ],
)  # fmt: skip
def test_rational_rejects_what_is_not_a_finite_number_and_says_what_to_write(value):
    with pytest.raises(ValueError, match=r"is not a finite number \(write an integer, a decimal or 'p/q'\)"):
        rational(value)


@pytest.mark.parametrize("value", [True, False, np.True_, np.False_])
def test_rational_rejects_truth_values(value):
    with pytest.raises(ValueError, match=r"(True|False).* is not a number"):
        rational(value)


def test_exact_keeps_the_shape_of_nested_sequences_and_scalars():
    table = exact([[1, "1/2", 0.25], [Fraction(1, 3), np.int64(2), "1e-1"]])
    assert table.shape == (2, 3)
    assert table.tolist() == [[fmpq(1), fmpq(1, 2), fmpq(1, 4)], [fmpq(1, 3), fmpq(2), fmpq(1, 10)]]
    assert exact("2/3").shape == ()
    assert exact("2/3").item() == fmpq(2, 3)
    assert exact(np.zeros((0, 2))).shape == (0, 2)


@given(st.lists(st.fractions(max_denominator=10**9), min_size=1, max_size=4))
@few
def test_float64_conversion_rounds_to_nearest_and_exact_conversion_changes_nothing(values):
    array = exact(values)
    assert FLOAT64.convert(array).tolist() == [float(value) for value in values]
    assert FLOAT64.convert(array).dtype == np.float64
    assert EXACT.convert(array) is array


@given(st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=10**12))
@few
def test_multiprecision_conversion_is_within_an_ulp(value):
    with working_precision(200):
        converted = MULTIPRECISION.convert(exact([value]))[0]
    assert isinstance(converted, mpmath.mpf)
    assert abs(exactly(converted._mpf_) - rational(value)) <= abs(rational(value)) / fmpq(2) ** 199


# ---------------------------------------------------------------------------------------------------------------------
# Precision


def test_working_precision_sets_both_libraries_and_restores_each_to_what_it_was():
    """Whatever is changed inside, and raised; mpmath's may have been another than flint's."""

    def fails():
        with working_precision(321):
            assert (flint.ctx.prec, mpmath.mp.prec) == (321, 321)
            with working_precision(77):
                assert (flint.ctx.prec, mpmath.mp.prec) == (77, 77)
            assert (flint.ctx.prec, mpmath.mp.prec) == (321, 321)
            flint.ctx.prec, mpmath.mp.prec = 999, 111
            raise KeyError

    # Different precisions of the two libraries: each goes back to its own.
    with working_precision(80):
        mpmath.mp.prec = 90
        with pytest.raises(KeyError):
            fails()
        assert (flint.ctx.prec, mpmath.mp.prec) == (80, 90)


@pytest.mark.parametrize("bits", [1, 0, -5])
def test_working_precision_rejects_less_than_two_bits_and_changes_nothing(bits):
    before = flint.ctx.prec, mpmath.mp.prec
    with pytest.raises(ValueError, match=f"a precision of {bits} bits is impossible"), working_precision(bits):
        pass
    assert (flint.ctx.prec, mpmath.mp.prec) == before


# ---------------------------------------------------------------------------------------------------------------------
# Transcendental functions


def test_exp_log_and_sqrt_are_exact_rationals_where_the_result_is():
    assert isinstance(exp(exact([0]))[0], fmpq)
    assert exp(exact([0]))[0] == 1
    assert isinstance(log(exact([1]))[0], fmpq)
    assert log(exact([1]))[0] == 0
    # Squares of any size; a root by floats would miss the last.
    for root in (fmpq(0), fmpq(1), fmpq(3, 7), fmpq(10**40 + 1, 10**39)):
        assert isinstance(sqrt(exact([root * root]))[0], fmpq)
        assert sqrt(exact([root * root]))[0] == root


@pytest.mark.parametrize("value", [fmpq(2), fmpq(1, 2), fmpq(4, 3), fmpq(3, 4), fmpq(10**80 + 1)])
def test_sqrt_of_a_rational_that_is_no_square_is_a_ball(value):
    root = sqrt(exact([value]))[0]
    assert isinstance(root, arb)
    assert (root * root).contains(arb(value))


@pytest.mark.parametrize(("function", "known"), [(exp, mpmath.iv.exp), (log, mpmath.iv.log), (sqrt, mpmath.iv.sqrt)])
@given(data=st.data())
@few
def test_functions_enclose_and_agree_with_mpmath_to_their_precision(function, known, data):
    value = rational(data.draw(fractions if function is exp else positive))
    low, high = interval(known, value)
    with working_precision(BITS):
        found = function(box(value)).item()
        assert low <= found <= high if isinstance(found, fmpq) else contains(found, low, high)
    with working_precision(220):
        number = function(MULTIPRECISION.convert(exact([value])))[0]
    assert abs(exactly(number._mpf_) - low) <= (1 if function is log else low) / fmpq(10) ** 55
    double = function(FLOAT64.convert(exact(value))).item()
    assert double == pytest.approx(float(fraction(low)), rel=1e-14, abs=1e-16)


@given(fractions)
@few
def test_balls_of_higher_precision_lie_in_those_of_lower(value):
    balls = []
    for bits in (20, 53, 128, 300):
        with working_precision(bits):
            balls.append(arb(exp(exact([value]))[0]))
    # Not contained: the wider one is rounded, too.
    assert all(wide.overlaps(narrow) and narrow.rad() <= wide.rad() for wide, narrow in pairwise(balls))


def test_power_series_have_the_taylor_coefficients():
    x = arb_series([0, 1])
    with working_precision(100):
        for order, coefficient in enumerate(exp(box(x)).item().coeffs()):
            assert coefficient.overlaps(1 / arb(math.factorial(order)))
        for order, coefficient in enumerate(log(box(1 + x)).item().coeffs()):
            assert coefficient.overlaps(arb(0) if order == 0 else arb((-1) ** (order + 1)) / order)
        root = sqrt(box(1 + x)).item()
        assert all(c.contains(arb(expected)) for c, expected in zip((root * root).coeffs(), [1, 1] + 8 * [0], strict=False))


@given(fractions)
@few
def test_exp_difference_is_exactly_zero_at_ties_in_every_arithmetic(value):
    array = exact([value])
    assert exp_difference(array, array)[0] == 0
    number, double = MULTIPRECISION.convert(array), FLOAT64.convert(array)
    assert exp_difference(number, number)[0] == 0
    assert exp_difference(double, double)[0] == 0


@given(fractions, fractions)
@few
def test_exp_difference_encloses_the_difference_of_exponentials(x, y):
    with working_precision(BITS):
        difference = arb(exp_difference(exact([x]), exact([y]))[0])
    with working_precision(400):
        assert difference.overlaps(arb(rational(x)).exp() - arb(rational(y)).exp())
        assert sign(exp_difference(exact([x]), exact([y]))[0]) == (x > y) - (x < y)


# ---------------------------------------------------------------------------------------------------------------------
# Matrix exponential


def identity(d):
    return exact(np.eye(d, dtype=int))


def random_matrix(rng, d):
    return exact([[Fraction(int(rng.integers(-9, 10)), int(rng.integers(1, 6))) for _ in range(d)] for _ in range(d)])


@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_inverses_agree_in_rationals_mpmath_and_float64_batches(d):
    A = random_matrix(np.random.default_rng(d), d) + 8 * identity(d)
    found = inverse(A)
    assert (found @ A == identity(d)).all()
    assert (A @ found == identity(d)).all()
    with working_precision(200):
        high = inverse(MULTIPRECISION.convert(A))
        assert all(
            abs(h - MULTIPRECISION.convert(numbers(f)).item()) < mpmath.mpf(10) ** -50
            for h, f in zip(high.flat, found.flat, strict=True)
        )
    batch = inverse(np.stack([FLOAT64.convert(A), 2 * FLOAT64.convert(A)]))
    assert np.allclose(batch[0], FLOAT64.convert(found), rtol=1e-12)
    assert np.allclose(batch[1], FLOAT64.convert(found) / 2, rtol=1e-12)


@pytest.mark.parametrize("arithmetic", [EXACT, FLOAT64, MULTIPRECISION])
def test_a_singular_matrix_has_no_inverse(arithmetic):
    with pytest.raises((ZeroDivisionError, np.linalg.LinAlgError)):
        inverse(arithmetic.convert(exact([[1, 2], [2, 4]])))


@pytest.mark.parametrize("d", [2, 3, 4])
def test_matrix_exponentials_agree_in_float64_mpmath_and_balls(d):
    rng = np.random.default_rng(d)
    for _ in range(5):
        V, t = random_matrix(rng, d), exact(Fraction(int(rng.integers(-6, 7)), 5))
        with working_precision(200):
            balls = matrix_exponential(V, t)
            high = matrix_exponential(MULTIPRECISION.convert(V), MULTIPRECISION.convert(t))
        double = matrix_exponential(FLOAT64.convert(V), FLOAT64.convert(t))
        scipys = scipy.linalg.expm(float(fraction(t.item())) * FLOAT64.convert(V))
        assert balls.shape == high.shape == double.shape == (d, d)
        scale = max(abs(float(arb(b).mid())) for b in balls.flat)
        for b, h, f, s in zip(balls.flat, high.flat, double.flat, scipys.flat, strict=True):
            assert f == pytest.approx(s, abs=1e-11 * scale)
            assert f == pytest.approx(float(arb(b).mid()), abs=1e-11 * scale)
            assert arb(b).rad() < arb("1e-45") * (1 + scale)
            with working_precision(1000):
                assert (arb(b) + arb(0, 1e-40)).contains(arb(exactly(h._mpf_)))


@pytest.mark.parametrize("place", [(i, j) for i in range(3) for j in range(3) if i != j])
def test_matrix_exponential_of_a_matrix_with_one_entry_off_its_diagonal(place):
    """Above it or below: the entry is that times (e^{t l_i} - e^{t l_j})/(l_i - l_j), in every arithmetic."""
    rates, t, (i, j) = [fmpq(1), fmpq(1, 2), fmpq(-1)], fmpq(3, 4), place
    V = exact(np.diag([0] * 3)) + np.diag(np.array(rates, dtype=object))
    # One entry: where rows and columns are exchanged it stands on the other side.
    V[place] = fmpq(3)
    with working_precision(128):
        grown = [(t * rate).exp() for rate in map(arb, rates)]
        expected = 3 * (grown[i] - grown[j]) / (rates[i] - rates[j])
        found = [
            matrix_exponential(V, exact(t)),
            matrix_exponential(MULTIPRECISION.convert(V), MULTIPRECISION.convert(exact(t))),
        ]
        series = matrix_exponential(V, box(arb_series([t, 1], 3)))[place]
        balls = [arb(found[0][place]), arb(exactly(found[1][place]._mpf_)) + arb(0, "1e-30"), series[0]]
        assert all(ball.overlaps(expected) and ball.rad() < arb("1e-20") for ball in balls)
        assert all(arb(found[0][k, k]).overlaps(value) for k, value in enumerate(grown))
    double = matrix_exponential(FLOAT64.convert(V), np.asarray(0.75))
    assert double[place] == pytest.approx(float(expected.mid()), rel=1e-13)


@pytest.mark.parametrize("c", ["1", "-2/3", "0"])
def test_matrix_exponential_of_a_multiple_of_the_identity_is_diagonal_with_exact_zeros(c):
    V, t = rational(c) * identity(3), exact("3/2")
    with working_precision(128):
        balls = matrix_exponential(V, t)
        diagonal = exp(rational(c) * t).item()
        high = matrix_exponential(MULTIPRECISION.convert(V), MULTIPRECISION.convert(t))
    for (i, j), entry in np.ndenumerate(balls):
        assert entry == 0 if i != j else arb(entry).overlaps(arb(diagonal))
        assert isinstance(high[i, j], mpmath.mpf)
        assert high[i, j] == 0 if i != j else arb(entry).rad() < arb("1e-35")
        with working_precision(500):
            assert (arb(entry) + arb(0, 1e-30)).contains(arb(exactly(high[i, j]._mpf_)))


def test_matrix_exponential_is_exactly_the_identity_at_time_zero():
    at_zero = matrix_exponential(3 * identity(2), exact(0))
    assert all(isinstance(entry, fmpq) for entry in at_zero.flat)
    assert at_zero.tolist() == identity(2).tolist()


def test_matrix_exponential_in_float64_takes_batches_of_times_and_matrices():
    rng = np.random.default_rng(5)
    V, t = rng.standard_normal((4, 3, 3)), rng.standard_normal(4)
    together = matrix_exponential(V, t)
    assert together.shape == (4, 3, 3)
    shared = matrix_exponential(V[0], t)
    for k in range(4):
        assert np.array_equal(together[k], matrix_exponential(V[k], t[k : k + 1][0]))
        assert np.array_equal(shared[k], matrix_exponential(V[0], t[k : k + 1][0]))


@pytest.mark.parametrize("V", [[[1, 2], ["-1/3", "1/2"]], [[2, 0], [0, 2]]])
def test_matrix_exponential_of_a_power_series_has_its_coefficients(V):
    V, start = exact(V), fmpq(3, 4)
    with working_precision(128):
        series = matrix_exponential(V, box(arb_series([start, 1], 7)))
        expected = matrix_exponential(V, box(start))  # V^k e^{t_0 V} / k!
        for order in range(7):
            for found, value in zip(series.flat, expected.flat, strict=True):
                assert found[order].overlaps(arb(value))
                assert found[order].rad() < arb("1e-30")
            expected = V @ expected / (order + 1)
        assert V[0, 1] != 0 or all(coefficient == 0 for coefficient in series[0, 1].coeffs())


def test_matrix_exponential_of_a_curved_power_series_of_a_nilpotent_matrix_is_the_polynomial():
    V, t = exact([[0, 1, 2], [0, 0, 3], [0, 0, 0]]), arb_series([2, 1, -5, 7], 6)
    with working_precision(128):
        series = matrix_exponential(V, box(t))
        expected = [1 + 0 * t, t, 2 * t + 3 * t * t / 2, 0 * t, 1 + 0 * t, 3 * t, 0 * t, 0 * t, 1 + 0 * t]
        for found, value in zip(series.flat, expected, strict=True):
            assert all(found[order].overlaps(value[order]) for order in range(6))


# ---------------------------------------------------------------------------------------------------------------------
# Comparison


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (fmpq(-1, 3), -1), (fmpq(0), 0), (fmpq(1, 10**50), 1), (0, 0), (-7, -1), (2.5, 1), (-0.0, 0), (5e-324, 1),
        (np.float64(-1), -1), (float("nan"), None), (mpmath.mpf(-2), -1), (mpmath.mpf(0), 0), (mpmath.mpf("nan"), None),
        (arb(3), 1), (arb(-3), -1), (arb(0), 0), (arb(1, 0.5), 1), (arb(-1, 0.5), -1), (arb(0, 1), None),
        (arb(0, 1e-300), None), (arb(1, 1), None), (arb("nan"), None), (arb("inf"), None), (arb("-inf"), None),
        (arb(0, float("inf")), None), (arb(1, float("inf")), None),
    ],
)  # fmt: skip
def test_sign_is_three_valued(value, expected):
    assert sign(value) == expected
    assert sign(value) is None or type(sign(value)) is int


@pytest.mark.parametrize("value", [fmpq(-1, 3), 2.5, mpmath.mpf(0), arb(1, 0.5), arb(0, 1), arb("nan")])
def test_sign_of_a_boxed_number_is_that_of_the_number_or_refused(value):
    try:
        boxed = sign(numbers(value))
    except TypeError:
        return
    assert boxed == sign(value)


def test_sign_of_a_ball_of_width_zero_is_known_however_small_it_is():
    tiny = arb(2) ** -100000
    assert tiny.is_exact()
    assert (sign(tiny), sign(-tiny), sign(tiny - tiny)) == (1, -1, 0)


def test_peak_is_the_largest_entry_of_each_row():
    scores = exact([[1, 3, 2], [-5, -7, -6]])
    assert peak(scores).tolist() == [[3], [-5]]
    assert peak(FLOAT64.convert(scores)).tolist() == [[3.0], [-5.0]]
    assert peak(MULTIPRECISION.convert(scores)).tolist() == [[3], [-5]]
    balls = numbers(np.array([arb(1, 5), arb(2, 0.1), fmpq(3, 2)], dtype=object))
    assert peak(balls)[0].contains(arb(6))
    assert peak(balls)[0].contains(arb(2))
    assert peak(scores[None]).shape == (1, 2, 1)


def test_below_peak_is_exactly_zero_at_the_peak_in_every_arithmetic():
    scores = exact([["1/3", 2, 2], [0, "-1/7", "-5/3"]])
    expected = [[fmpq(-5, 3), 0, 0], [0, fmpq(-1, 7), fmpq(-5, 3)]]
    assert below_peak(scores).tolist() == expected
    assert (below_peak(FLOAT64.convert(scores)) == 0).tolist() == [[False, True, True], [True, False, False]]
    high = below_peak(MULTIPRECISION.convert(scores))
    assert (high == 0).tolist() == [[False, True, True], [True, False, False]]
    assert all(isinstance(entry, mpmath.mpf) for entry in high.flat)


def test_below_peak_holds_what_lies_below_the_larger_of_two_overlapping_balls():
    difference = below_peak(np.array([arb(1, 2), arb(3, 2), arb(0, 1)], dtype=object))
    # Members (3, 2, 1): the first is the largest.
    assert all(ball.contains(arb(member)) for ball, member in zip(difference, (0, -1, -2), strict=True))
    # Members (-1, 5, -1): the second is.
    assert all(ball.contains(arb(member)) for ball, member in zip(difference, (-6, 0, -6), strict=True))
    assert not difference[0] > 0


def test_below_any_summit_is_exactly_zero_at_a_wide_ball_and_at_a_power_series():
    balls = np.array([arb(1, 2), arb(5, 3), arb(0, 1)], dtype=object)
    difference = below_any_summit(balls)
    assert difference[1] == 0
    assert difference[0].contains(arb(-4))
    assert difference[0].contains(arb(1))
    series = np.empty(2, dtype=object)
    series[:] = [arb_series([1, 7, 9]), arb_series([2, arb(0, 1), 3])]
    difference = below_any_summit(series)
    assert difference[1] == 0
    assert difference[0].coeffs()[0] == -1


def test_one_ball_that_stands_for_several_numbers_is_not_taken_for_one_number():
    unknown = np.full(3, arb(0, 1))  # three independent numbers of [-1, 1], all the same object
    weights = [arb(weight) for weight in softmax(unknown)]
    with working_precision(100):
        e = arb(1).exp()
        most, least = e / (e + 2 / e), (1 / e) / (2 * e + 1 / e)
        assert all(weight.contains(most) and weight.contains(least) for weight in weights)


def test_at_most_compares_exactly_and_broadcasts():
    x = exact([["1/3", "2/3"], [1, 0]])
    assert at_most(x, exact(["2/3"])).tolist() == [[True, True], [False, True]]
    assert at_most(FLOAT64.convert(x), np.array([0.5, 0.0])).tolist() == [[True, False], [False, True]]
    half = MULTIPRECISION.convert(exact(["1/2"]))
    assert at_most(MULTIPRECISION.convert(x), half).tolist() == [[True, False], [False, True]]
    balls = np.array([arb(0, 1), arb(3, 1)], dtype=object)
    assert at_most(balls, np.array([arb(1.5), arb(1.5)], dtype=object)).tolist() == [True, False]


@pytest.mark.parametrize(
    ("x", "bound"),
    [
        *(
            (arb(0, 1), arb(0.5, 1)),
            (arb(0, 1), arb(0)),
            (arb(1), arb(1, 1e-300)),
            (arb("nan"), arb(1)),
            (arb(0), arb("inf")),
        ),
        (mpmath.nan, mpmath.mpf(1)),
    ],
)
def test_at_most_raises_where_balls_do_not_tell(x, bound):
    with pytest.raises(UndecidedError, match="<="):
        at_most(np.array([x], dtype=object), np.array([bound], dtype=object))


def test_indicator_is_one_and_zero_of_the_same_kind():
    mask = np.array([True, False])
    assert indicator(mask, np.zeros(2)).dtype == np.float64
    assert indicator(mask, np.zeros(2)).tolist() == [1.0, 0.0]
    assert [type(entry) for entry in indicator(mask, exact([2, 3]))] == [fmpq, fmpq]
    assert indicator(mask, exact([2, 3])).tolist() == [1, 0]
    assert [type(entry) for entry in indicator(mask, MULTIPRECISION.convert(exact([2, 3])))] == [mpmath.mpf] * 2


# ---------------------------------------------------------------------------------------------------------------------
# Attention weights


def test_leaders_are_all_maximisers_and_near_leaders_those_within_the_tolerance():
    scores = exact([[1, 3, 3], ["1/3", "1/3", "1/3"], [5, 4, "9/2"]])
    for convert in (FLOAT64.convert, MULTIPRECISION.convert, EXACT.convert):
        array = convert(scores)
        assert leaders(array).tolist() == [[False, True, True], [True, True, True], [True, False, False]]
        near = near_leaders(array, convert(exact([["1/2"]])))
        assert near.tolist() == [[False, True, True], [True, True, True], [True, False, True]]


def test_leaders_of_overlapping_balls_are_undecided_and_of_separate_balls_decided():
    assert leaders(np.array([arb(1, 0.1), arb(2, 0.1)], dtype=object)).tolist() == [False, True]
    with pytest.raises(UndecidedError):
        leaders(np.array([arb(1, 1), arb(2, 1)], dtype=object))


def test_average_over_a_mask_is_uniform_or_in_proportion_to_the_preference():
    mask = np.array([[True, True, False], [False, True, True]])
    points = exact(np.eye(3, dtype=int))
    assert average_over(mask, points).tolist() == [[fmpq(1, 2), fmpq(1, 2), 0], [0, fmpq(1, 2), fmpq(1, 2)]]
    weighted = average_over(mask, points, exact([[1, 2, 4], [1, 2, 4]]))
    assert weighted.tolist() == [[fmpq(1, 3), fmpq(2, 3), 0], [0, fmpq(1, 3), fmpq(2, 3)]]


# ---------------------------------------------------------------------------------------------------------------------
# 0-d arrays


LENGTH = 3  # of the series and of the arrays alike: what would broadcast unnoticed


def series(*coefficients):
    return arb_series(list(coefficients), LENGTH)


def vector(*entries):
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    return numbers(array)


def test_a_boxed_scalar_stays_a_0d_array_through_arithmetic():
    for scalar in (1.5, fmpq(1, 2), arb(2), mpmath.mpf(3), series(1, 2, 3)):
        boxed = box(scalar)
        for result in (boxed + boxed, boxed - boxed, boxed * boxed, 2 * boxed, boxed * 2, -boxed, 1 + boxed, exp(boxed)):
            assert isinstance(result, Numbers)
            assert result.shape == ()


def test_sums_of_power_series_are_0d_arrays():
    array = vector(series(1, 2, 3), series(4, 5, 6), series(7, 8, 9))
    total = array.sum(axis=-1)
    assert isinstance(total, Numbers)
    assert total.shape == ()
    assert total.item().coeffs() == [12, 15, 18]
    assert numbers(np.stack([array, array])).sum().shape == ()


def test_a_0d_power_series_times_an_array_of_its_own_length_does_not_pair_coefficients_with_entries():
    scalar = vector(series(1, 10, 100)).sum(axis=-1)
    array = vector(series(1), series(2), series(3))
    for result in (scalar * array, array * scalar, array * scalar[..., None], array + scalar, scalar - array):
        assert result.shape == (3,)
        assert all(isinstance(entry, arb_series) for entry in result)
    assert [entry.coeffs() for entry in scalar * array] == [[1, 10, 100], [2, 20, 200], [3, 30, 300]]
    assert [entry.coeffs() for entry in array + scalar] == [[2, 10, 100], [3, 10, 100], [4, 10, 100]]


def test_softmax_of_power_series_has_one_series_per_entry():
    weights = numbers(softmax(vector(series(0, 1), series(0, -1), series(0, 2))))
    assert weights.shape == (3,)
    assert [entry.coeffs()[0].contains(arb(1) / 3) for entry in weights] == [True] * 3
    first = [entry.coeffs()[1] for entry in weights]
    assert all(c.contains(arb(fmpq(k, 9))) for c, k in zip(first, (1, -5, 4), strict=True))


def test_float64_sums_and_functions_of_0d_arrays_stay_arrays():
    total = numbers(np.array([1.0, 2.0])).sum(axis=-1)
    for result in (total, exp(total), log(total), sqrt(total), total[..., None], numbers(0.5)):
        assert isinstance(result, Numbers)
    assert exp(total).shape == ()
    assert total.dtype == np.float64


def test_exponentials_of_a_stack_are_those_of_its_matrices():
    rng = np.random.default_rng(3)
    # One is zero and one is no number: they must neither stop the others nor be stopped.
    V = rng.integers(-8, 9, (6, 3, 3)) / 4.0
    V[4] = 0
    V[5] = np.nan
    t = np.array([1.0, -2.0, 1e-9, 12.0, 3.0, 1.0])
    found = np.asarray(matrix_exponential(V, t))
    for i in range(5):
        truth = np.array(mpmath.expm(mpmath.matrix((t[i] * V[i]).tolist())).tolist(), dtype=float)
        assert np.abs(found[i] - truth).max() <= 1e-12 * np.abs(truth).max()
    assert np.isnan(found[5]).all()


@few
@given(positive)
def test_lambert_w_inverts_w_times_its_exponential_in_every_arithmetic(x):
    with working_precision(BITS):
        w = lambert_w(box(rational(x))).item()
        assert (w * w.exp()).contains(arb(rational(x)))
        assert w.rel_accuracy_bits() > BITS - 8
        other = lambert_w(MULTIPRECISION.convert(box(rational(x)))).item()
        assert abs(float(w.mid()) - float(other)) <= 1e-14 * (1 + float(other))
        assert abs(lambert_w(FLOAT64.convert(box(rational(x)))).item() - float(other)) <= 1e-14 * (1 + float(other))


@pytest.mark.parametrize("convert", [EXACT.convert, MULTIPRECISION.convert])
def test_what_begins_at_zero_is_exact_there_and_refuses_what_is_below(convert):
    """A ball would be NaN, and mpmath go on with a complex number."""
    for function, told in ((sqrt, "square root of"), (lambert_w, "Lambert's W of")):
        with pytest.raises(ValueError, match=f"{told} the negative number -"):
            function(convert(exact(["-1/4"])))


def test_lambert_w_is_exact_at_zero():
    assert isinstance(lambert_w(exact([0]))[0], fmpq)
    assert lambert_w(exact([0]))[0] == 0


@pytest.mark.parametrize("function", [exp, log, sqrt, lambert_w])
def test_whole_numbers_of_the_machine_are_exact_in_a_formula_that_decides(function):
    """NumPy would make floats of them, which compare unnoticed."""
    whole = np.array([2, 3])
    assert function(whole).dtype == float
    with guarded_numbers():
        assert function(whole).dtype == object
        assert all(isinstance(one, Ball) for one in function(whole).flat)


def test_the_first_of_equal_rows_are_distinct():
    """Of all sequences of numbers and of rows; what balls leave open is said to be open."""
    for values in product(range(3), repeat=4):
        expected = [i for i, value in enumerate(values) if value not in values[:i]]
        assert distinct(exact(list(values))) == expected
        assert distinct(exact([[value // 2, value % 2] for value in values])) == expected
    assert distinct(numbers(np.array([arb(1), arb(3, 1), arb(1)], dtype=object))) == [0, 1]
    with pytest.raises(UndecidedError):
        distinct(numbers(np.array([arb(2, 1), arb(3, 1)], dtype=object)))
