"""The numbers that take flint's place enclose what they should: compared with flint, which they share no code with."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import iv, libmp

from claims.stating.catalogue import catalogue
from claims.stating.formulas import formula
from dynamics.checker import flint_stand_in as second
from dynamics.checker import stand_ins as second_stand_ins
from dynamics.checker.intervals import interval_precision
from tests.checker.worlds import ends, holds, true

NASTY = (
    "0", "1", "-1", "2", "1/3", "-1/3", "4", "9/4", "1/1000000007", "1e-40", "-1e-40", "1e40", "709.78", "-745.2", "999",
    "-999", "1.0000000000000000000000001", "0.9999999999999999999999999", "0.6931471805599453", "2.718281828459045",
)  # fmt: skip

rationals = st.one_of(
    st.sampled_from(NASTY).map(Fraction),
    st.fractions(min_value=-100, max_value=100, max_denominator=10**6),
    st.builds(lambda m, e: Fraction(m) * Fraction(2) ** e, st.integers(-(2**70), 2**70), st.integers(-200, 20)),
)
precisions = st.sampled_from((24, 53, 64, 200))


def mine(value: Fraction) -> second.fmpq:
    return second.fmpq(value.numerator, value.denominator)


def theirs(value: Fraction) -> flint.fmpq:
    return flint.fmpq(value.numerator, value.denominator)


# ---------------------------------------------------------------------------------------------------------------------
# Rationals


@given(rationals, rationals)
def test_rationals_compute_like_fractions_and_stay_rationals(x, y):
    a, b = mine(x), mine(y)
    for result, expected in ((a + b, x + y), (a - b, x - y), (a * b, x * y), (-a, -x), (abs(a), abs(x)), (a**3, x**3)):
        assert type(result) is second.fmpq
        assert (result.numerator, result.denominator) == (expected.numerator, expected.denominator)
    assert (a < b, a <= b, a == b, a != b, a > b, a >= b) == (x < y, x <= y, x == y, x != y, x > y, x >= y)
    assert (a.floor(), a.ceil(), str(a), hash(a)) == (x.__floor__(), x.__ceil__(), str(theirs(x)), hash(x))
    if y:
        assert type(a / b) is second.fmpq
        assert a / b == x / y
        assert b**-2 == y**-2


def test_rationals_meet_integers_of_numpy_without_overflow():
    third = second.fmpq(1, 3)
    # Twice that is no int64 any more.
    huge = np.int64(2**62)
    for result in (third + huge, huge + third, third * huge * huge, second.fmpq(huge) * huge):
        assert type(result) is second.fmpq
    assert second.fmpq(huge) * huge == 2**124
    assert (second.fmpq(2**124) > huge) is True
    assert (np.array([third, third], dtype=object).sum() * 3) == 2


@pytest.mark.parametrize("number", [0.5, np.float64(0.5), 1j, "1/2", None])
def test_rationals_refuse_what_is_not_exact(number):
    with pytest.raises(TypeError):
        second.fmpq(number)
    for operation in (lambda x: x + number, lambda x: number * x, lambda x: x < number, lambda x: x**number):
        with pytest.raises(TypeError):
            operation(second.fmpq(1, 2))
    assert second.fmpq(1, 2) != number


def test_rational_parts_and_roots_are_flints():
    for text in ("49/36", "2", "0", "1/3"):
        x, y = mine(Fraction(text)), theirs(Fraction(text))
        assert (int(x.p), int(x.q)) == (int(y.p), int(y.q))
        assert int(x.p.isqrt()) == int(y.p.isqrt())
    with pytest.raises(ZeroDivisionError):
        second.fmpq(1, 0)
    with pytest.raises(ZeroDivisionError):
        second.fmpq(1) / 0


# ---------------------------------------------------------------------------------------------------------------------
# Intervals

FUNCTIONS = {
    "exp": lambda x: x.exp(),
    "log": lambda x: x.log(),
    "sqrt": lambda x: x.sqrt(),
    "lambertw": lambda x: x.lambertw(),
    "square": lambda x: x**2,
    "cube": lambda x: x**3,
    "inverse square": lambda x: x**-2,
    "fifth": lambda x: 1 + x**5,
}
DOMAIN = {
    "log": lambda x: x > 0,
    "sqrt": lambda x: x >= 0,
    "lambertw": lambda x: x >= 0,
    "inverse square": lambda x: x != 0,
    "exp": lambda x: abs(x) < 1000,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=60)
@given(x=rationals, bits=precisions)
def test_functions_of_points_enclose_what_flint_says_and_are_tight(name, x, bits):
    if not DOMAIN.get(name, lambda _: True)(x):
        return
    with interval_precision(bits):
        is_exact = second.arb(mine(x)).is_exact()
        value = FUNCTIONS[name](second.arb(mine(x)))
    truth = true(FUNCTIONS[name], x)
    holds(value, truth)
    if is_exact:
        low, high = ends(value)
        # A few units in the last place, of the value or of the number 1 beside it.
        # Near a zero of log, or of 1 + x^5, digits cancel against a 1.
        size = max(abs(truth[0]), abs(truth[1]), Fraction(1) if name in ("fifth", "log") else Fraction(0))
        assert high - low <= 64 * size * Fraction(1, 2**bits)


@settings(max_examples=60)
@given(x=rationals, y=rationals, bits=precisions)
def test_operations_enclose_the_exact_result(x, y, bits):
    with interval_precision(bits):
        a, b = second.arb(mine(x)), second.arb(mine(y))
        found = [
            (a + b, x + y),
            (a - b, x - y),
            (a * b, x * y),
            (mine(x) * b, x * y),
            (a - mine(y), x - y),
            (mine(x) - b, x - y),
        ]
        found += [
            (a.min(b), min(x, y)),
            (a.max(b), max(x, y)),
            (abs(a), abs(x)),
            (-a, -x),
            (a.union(b), x),
            (a.union(b), y),
        ]
        found += [(a / b, x / y), (mine(x) / b, x / y)] if y else []
    for value, truth in found:
        low, high = ends(value)
        assert low <= truth <= high
        size = max(abs(x), abs(y), abs(truth), Fraction(1, 10**99)) * (1 + (1 / abs(y) if y else 0))
        assert high - low <= 2 * abs(x - y) or high - low <= 16 * size * (1 + size) * Fraction(1, 2**bits)


def test_logarithms_and_roots_of_what_may_be_negative_tell_nothing():
    across = second.arb(0, 1)
    for value in (across.log(), across.sqrt(), second.arb(0).log(), 1 / across, across / 0, second.arb(-1).sqrt()):
        assert not value.is_finite()
        assert [value > 0, value < 0, value == 0, value != 0] == [False] * 4
        assert not (value * 0).is_finite()


def test_a_planted_last_digit_error_of_mpmath_would_not_escape(monkeypatch):
    """The widening covers an exponential that mpmath rounds the wrong way by a unit in the last place."""
    real = libmp.mpf_exp

    def off(x, bits, rounding):
        value = real(x, bits, rounding)
        # Inwards by a unit in the last place, at both ends.
        unit = libmp.mpf_mul(value, libmp.mpf_shift(libmp.fone, -bits))
        return libmp.mpf_add(value, unit if rounding == "f" else libmp.mpf_neg(unit), bits, "n")

    monkeypatch.setattr(libmp, "mpf_exp", off)
    for x in (Fraction(1), Fraction(-7, 2), Fraction(31)):
        with interval_precision(64):
            holds(second.arb(mine(x)).exp(), true(FUNCTIONS["exp"], x))


THIRD = second.fmpq(1, 3)


@pytest.mark.parametrize(
    "scores",
    [
        [THIRD, second.arb(THIRD)],
        [second.arb(THIRD), THIRD, second.arb(0, 1)],
        [second.arb(0, 2), second.arb(0, 1)],
        [second.arb_series([second.arb(0, 2), second.arb(1)], 3), second.arb_series([second.arb(0, 1)], 3)],
    ],
)
def test_a_softmax_is_right_whatever_it_refers_to_and_a_maximum_is_not(scores):
    row = np.empty(len(scores), dtype=object)
    row[:] = scores
    # A softmax may refer to any score: no comparison is counted. Who leads is counted.
    before = second.open_comparisons()
    shares = second_stand_ins.softmax(row)
    assert second.open_comparisons() == before
    whole = sum(shares.tolist()[1:], shares[0])
    assert (whole[0] if isinstance(whole, second.arb_series) else whole).contains(1)
    before = second.open_comparisons()
    second_stand_ins.near_leaders(row, np.array([second.fmpq(0)], dtype=object))
    assert second.open_comparisons() > before


def test_integers_never_become_floats():
    seven, two = second.fmpz(7), second.fmpz(2)
    for value, expected in (
        (seven / two, Fraction(7, 2)), ((seven + 1) / 3, Fraction(8, 3)), (1 / seven, Fraction(1, 7)),
        (two**-3, Fraction(1, 8)), (-seven / 2, Fraction(-7, 2)), (seven // two / 2, Fraction(3, 2)),
        (abs(-seven) % 4 / 2, Fraction(3, 2)), (second.fmpq(7, 2).floor() / two, Fraction(3, 2)),
    ):  # fmt: skip
        assert isinstance(value, Fraction)
        assert value == expected


def test_intervals_are_read_and_told_like_balls():
    assert second.arb(0.5) == second.fmpq(1, 2)
    with pytest.raises(TypeError):
        second.arb("1/2")
    assert str(second.arb(3)) == "3.0"
    assert str(second.arb(1).log().exp() * 0 + second.fmpq(1, 3)).startswith("[0.333")
    assert second.arb.of(iv.mpf([1, 2])).interval == iv.mpf([1, 2])


# ---------------------------------------------------------------------------------------------------------------------
# Series and matrices

coefficients = st.lists(st.fractions(-4, 4, max_denominator=16), min_size=1, max_size=6)


@settings(max_examples=40)
@given(coefficients, coefficients, st.integers(1, 8))
def test_series_enclose_flints(x, y, length):
    operations = {
        "sum": lambda a, b: a + b,
        "difference": lambda a, b: 3 - (a - b),
        "product": lambda a, b: a * b * 2,
        "exponential": lambda a, b: a.exp(),
        "power": lambda a, b: a**3,
    }
    # Only then there are a logarithm, a root and a quotient.
    if x[0] > 0:
        operations |= {"log": lambda a, b: a.log(), "root": lambda a, b: a.sqrt(), "quotient": lambda a, b: b / a}
        operations |= {"reciprocal": lambda a, b: 1 / a, "halved": lambda a, b: b / 2}
    flint.ctx.cap, cap = 20, flint.ctx.cap
    second.ctx.cap, own = 20, second.ctx.cap
    before, flint.ctx.prec = flint.ctx.prec, 400
    try:
        for name, operation in operations.items():
            with interval_precision(100):
                value = operation(*(second.arb_series([mine(c) for c in z], length) for z in (x, y)))
            truth = operation(*(flint.arb_series([theirs(c) for c in z], length) for z in (x, y)))
            assert value.prec == truth.prec, name
            for k in range(length):
                holds(value[k], ends(flint.arb(truth[k])), Fraction(1, 2**40))
    finally:
        flint.ctx.cap, second.ctx.cap, flint.ctx.prec = cap, own, before


def test_series_compose_with_what_begins_at_order_one():
    outer = second.arb_series([1, 2, 3], 3)
    inner = second.arb_series([0, 1, 1], 3)
    assert [c == k for c, k in zip(outer(inner).coeffs(), (1, 2, 5), strict=True)] == [True] * 3
    assert outer(second.arb(2)) == 17
    with pytest.raises(ValueError, match="order 1"):
        outer(outer)


matrices = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(-3, 3), min_size=n, max_size=n), min_size=n, max_size=n)
)


@settings(max_examples=60)
@given(matrices)
def test_rational_matrices_are_flints(rows):
    a, b = second.fmpq_mat(rows), flint.fmpq_mat(rows)
    assert str(a.det()) == str(b.det())
    assert a.rank() == b.rank()
    assert [[str(e) for e in row] for row in (a * a.transpose()).tolist()] == [
        [str(e) for e in row] for row in (b * b.transpose()).tolist()
    ]
    goal = [[1] for _ in rows]
    if a.det() != 0:
        assert a * a.solve(second.fmpq_mat(goal)) == second.fmpq_mat(goal)
        assert a * a.inv() == second.fmpq_mat([[int(i == j) for j in range(len(rows))] for i in range(len(rows))])
    else:
        with pytest.raises(ZeroDivisionError):
            a.solve(second.fmpq_mat(goal))
    whole, common = second.fmpq_mat([[second.fmpq(1, 6), second.fmpq(3, 4)]]).numer_denom()
    assert (whole, common) == ([[2, 9]], 12)


# ---------------------------------------------------------------------------------------------------------------------
# In the place of flint


def test_flint_is_not_replaced_where_it_is_imported():
    with pytest.raises(RuntimeError, match="imported already"):
        second.stand_in_for_flint()
    assert sys.modules["flint"] is flint


def test_every_claim_is_imported_on_these_numbers_and_has_the_same_formulas():
    """In a process of its own: a rational in a formula has one text, and a choice by middles is the suite's own code."""
    script = """
import sys
from dynamics.checker import flint_stand_in as second
second.stand_in_for_flint(); second.stand_in_for_flint()
import flint
assert flint.fmpq is second.fmpq and flint.arb is second.arb and not hasattr(flint, "__file__")
from claims.checker.__main__ import forbid_deciding_code
forbid_deciding_code()
from claims.stating.catalogue import catalogue
assert len(catalogue()) > 100
import numpy as np
from dynamics.arithmetic import any_summits, below_any_summit, summits, working_precision
from mpmath import iv
with working_precision(77): assert iv.prec == 77
assert not [name for name in sys.modules if name.startswith(("flint.", "dynamics.trusted", "claims.verifying"))]
third = second.fmpq(1, 3)
row = np.array([third, second.arb(third), second.arb(0, 1)], dtype=object)
assert any_summits(row) in (0, 1)
assert below_any_summit(row)[any_summits(row)] == 0
assert second.open_comparisons() == 0
try:
    summits(row)
except ArithmeticError:
    pass
assert second.open_comparisons() > 0
from claims.stating.formulas import formula
claim = catalogue()["polarization.losing_values_stay_bounded"]
for conclusion in claim.conclusions: print(*formula(conclusion.slack), sep="\\n")
"""
    told = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.splitlines()
    claim = catalogue()["polarization.losing_values_stay_bounded"]
    assert told == [line for conclusion in claim.conclusions for line in formula(conclusion.slack)]
    assert "PI = fmpq(355, 113)" in told
