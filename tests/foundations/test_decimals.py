"""Bounds as text: never on the wrong side of what they bound, and within a unit of the last digit."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path

import pytest
from flint import arb, fmpq

from dynamics import decimals
from dynamics.arithmetic import fraction, rational, working_precision
from tests.planting import asked_of, facts_above

ROOT = Path(__file__).parents[2]

# Digits that carry when they are rounded up, what needs none, the ends of float64, and what is far beyond it.
EXACT = [
    fmpq(0), fmpq(1), fmpq(2), fmpq(5, 2), fmpq(1, 3), fmpq(2, 3), fmpq(1, 8), fmpq(12345, 10), fmpq(12335, 10000),
    fmpq(99995, 10), fmpq(1, 10**30), fmpq(10**40 + 1), 0.1, 1.9999999999999998, 5e-324, 1e308, 3,
    fmpq(10**5000, 3), fmpq(10**5000 - 1), fmpq(3, 10**5000), fmpq(1, 10**5000 - 1),
]  # fmt: skip
VALUES = [sign * value for value in EXACT for sign in (1, -1)]


def texts_are_on_their_side_and_near(m):
    for digits in (3, 4, 13):
        for value in VALUES:
            exact = fraction(rational(value))
            low, near, high = (Fraction(m.outward(value, side, digits)) for side in (-1, 0, 1))
            assert low <= exact <= high
            assert high - low <= abs(exact) * Fraction(1, 10 ** (digits - 1))
            # The nearest text is one of the two outward ones, and no farther away than half of a digit.
            assert near in (low, high)
            assert abs(near - exact) <= (high - low) / 2
            if low != high:
                assert low < exact < high  # exact values are written as they are


NO_BOUNDS = {
    "lowest": "of a float64 trajectory, which decides nothing",
    "room": "in floats, as is said beside it",
    "end": "a time of a picture, known exactly",
    "end[0]": "a time of a picture",
    "(end[1] + end[2]) / 2": "the middle of a picture's last value",
    "(x0 + x1) / 2 + bend": "a place in a picture",
    "(y0 + y1) / 2 - bend": "a place in a picture",
    "(low + high) / 2": "the middle of an enclosure, whose ends stand beside the dot and whose width in the caption",
    "price": "how steep a picture is",
    "as_float(wait.low)": "an exponent that is known exactly",
    "corrected": "a slope of a picture",
    "float(radius)": "errors that are given up on",
}
"""What is formatted as a float and is named as bounds are, and why it is none."""

OF_BOUNDS = re.compile(r"low|high|bound|upper|room|slack|reach|least|most|radius|width|limit|end|wait|corrected|cost|price")


def test_no_bound_is_formatted_as_a_float():
    """A float is rounded to the nearest, and so are its digits: whatever is printed as a bound goes through `outward`."""
    files = [*ROOT.glob("claims/**/*.py"), *ROOT.glob("dynamics/**/*.py")]
    texts = [path.read_text(encoding="utf-8") for path in files]
    found = {
        value for text in texts for value in re.findall(r"\{([^{}]+):[+]?[.]?\d*[gef]\}", text) if OF_BOUNDS.search(value)
    }
    # A new bound that is formatted so is found, and so is an exception that is no more.
    assert found == set(NO_BOUNDS)


def balls_count_with_their_ends(m):
    for middle, radius in ((2, "1e-300"), (-2, "1e-30"), (0, "1e-5"), (1, "0.5"), (1000, "1e-3")):
        ball = arb(middle, radius)
        low, high = (arb(m.outward(ball, side, 4)) for side in (-1, 1))
        with working_precision(2000):
            assert low <= ball.lower()
            assert high >= ball.upper()
            assert high - low <= 2 * arb(radius) + 3 * arb(10) ** -3 * max(abs(middle), arb(radius))
    assert m.outward(arb(2), -1) == m.outward(arb(2), 1) == "2"
    assert m.outward(arb(2, "0.5"), 0) == "2"


def numbers_far_beyond_floats_are_bounded(m):
    for end in (arb(10**9).exp(), (-arb(10**9)).exp(), arb(10) ** 5000, arb(3) ** -9000, arb(2) ** 20000):
        for value in (end, -end):
            with working_precision(300):
                low, high = (arb(m.outward(value, side, 4)) for side in (-1, 1))
                assert low <= value.lower()
                assert high >= value.upper()
                assert abs(high - low) <= abs(value) * arb("0.01")


def infinities_are_named_and_nothing_is_no_number(m):
    for value in (arb("inf"), math.inf):
        assert [m.outward(sign * value, side) for sign in (1, -1) for side in (-1, 1)] == ["inf", "inf", "-inf", "-inf"]
    for value in (arb("nan"), math.nan):
        for side in (-1, 0, 1):
            with pytest.raises(ValueError, match="no number"):
                m.outward(value, side)


def sizes_are_told_no_larger_and_no_smaller_than_they_are(m):
    for digits in (3, 6):
        for value in VALUES:
            exact = abs(fraction(rational(value)))
            low, high = Fraction(m.certain(value, digits)), Fraction(m.size_at_most(value, digits))
            assert abs(low) <= exact <= high
            assert exact - abs(low) <= exact * Fraction(1, 10 ** (digits - 1))
            assert low * fraction(rational(value)) >= 0
    for middle in (3, -3):
        assert abs(Fraction(m.certain(arb(middle, "0.25"), 4))) in (Fraction("2.749"), Fraction("2.75"))
        assert Fraction(m.size_at_most(arb(middle, "0.25"), 4)) in (Fraction("3.25"), Fraction("3.251"))
    # What may be zero is told to be zero: with zero inside, at an end that flint rounds, or exactly at one.
    for size in (1, 3, "1e-30"):
        # An end that is exactly 0: flint's radius is rounded, and may reach beyond it.
        from_zero = arb(0, size).nonnegative_part()
        assert from_zero.lower() == 0
        for ball in (arb(0, size), from_zero, -from_zero, arb(size, size), arb(0), arb(0).union(-arb(size))):
            assert m.certain(ball) == "0"


def decimals_of_any_size_are_shortened(m):
    for text, less, more in (
        ("1.23456e-300", "1.23e-300", "1.24e-300"),
        ("-1.23456e-987654321", "-1.23e-987654321", "-1.24e-987654321"),
        ("9.9999e+123456789", "9.99e123456789", "1e123456790"),
        # Exponents that no float has, and that no power of ten can be made of.
        ("1.60457e-5456105832330580888", "1.6e-5456105832330580888", "1.61e-5456105832330580888"),
        ("0.00170553", "0.0017", "0.00171"),
        ("-12.5000", "-12.5", "-12.5"),
    ):
        assert (m.shortened(text, 3), m.shortened(text, 3, at_most=True)) == (less, more)


def intervals_are_told_around_what_they_are(m):
    for low, high in ((0.125, 0.375), (-0.005, 0.995), (Fraction(1, 3), Fraction(2, 3)), (0.0, 1.0)):
        for told in (m.interval_text(low, high, 2), m.fixed_span(low, high), m.fixed_span(low, high, signed=True)):
            first, last = (Fraction(end) for end in told.split(" to "))
            assert Fraction(low) - Fraction(1, 50) <= first <= low
            assert high <= last <= Fraction(high) + Fraction(1, 50)
    assert m.fixed_span(0.0, 0.25, signed=True) == "+0.00 to +0.25"


def floats_beside_a_number_are_next_to_it(m):
    with working_precision(2000):
        values = [arb(value) for value in VALUES] + [arb(sign) * arb(10) ** k for sign in (1, -1) for k in (-400, 400)]
        for exact in [end for value in values for end in (value.lower(), value.upper())]:
            low, high = m.float_beside(exact, -1), m.float_beside(exact, 1)
            assert arb(low) <= exact <= arb(high)
            # Beside each other, or the same where the number is a float.
            assert high in (low, math.nextafter(low, math.inf))
    for endless in (math.inf, -math.inf):
        assert m.float_beside(endless, 1) == m.float_beside(endless, -1) == endless


test_decimals, test_bugs_in_decimals = asked_of(decimals, facts_above(globals()))
