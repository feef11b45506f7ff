"""Facts about the checker's intervals, series and dual numbers."""

from __future__ import annotations

import types
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import flint
import numpy as np
from mpmath import iv, libmp

from dynamics.checker.intervals import interval_precision
from tests.checker.worlds import ends, exact, fact, far, holds, is_least, rational, span, true

THIRD = Fraction(1, 3)


@fact
def intervals_hold_rationals_and_their_sizes(w):
    with interval_precision(20):
        for value in (THIRD, -THIRD, Fraction(10**9 + 7), Fraction(0)):
            holds(w.numbers.interval(value), value, abs(value) / 2**18)
        for low, high in ((-3, 1), (-1, 3), (2, 5), (-5, -2), (-THIRD, 2 * THIRD)):
            value = span(w, low, high)
            holds(value, low)
            holds(value, high)
            # Of an interval around 0 the smallest size is 0, which the nearer end is not.
            largest = max(abs(Fraction(low)), abs(Fraction(high)))
            is_least(w.numbers.upper(value), largest)
            assert ends(w.numbers.lower(value))[1] <= (0 if low < 0 < high else min(abs(low), abs(high)))
        for radius in (span(w, 1, 2), span(w, THIRD, THIRD)):
            holds(w.numbers.symmetric(radius), ends(radius)[1])
            holds(w.numbers.symmetric(radius), -ends(radius)[1])
        assert w.numbers.is_zero(iv.mpf(0))
        assert not w.numbers.is_zero(iv.mpf([0, 1]))
        assert not w.numbers.is_zero(iv.mpf([-1, 0]))


@fact
def what_is_at_most_is_so_for_all_members(w):
    cases = ((1, 2, 2, 3, True), (1, 3, 2, 4, False), (1, 2, 3, 4, True), (2, 3, 1, 2, False), (0, 5, 1, 2, False))
    for a, b, c, d, answer in cases:
        assert w.numbers.at_most(iv.mpf([a, b]), iv.mpf([c, d])) is answer
        assert [*ends(w.numbers.larger(iv.mpf([a, b]), iv.mpf([c, d])))] == [max(a, c), max(b, d)]
    # An infinite end says nothing: even inf <= inf is no answer.
    whole = iv.mpf([-iv.inf, iv.inf])
    for x, y in ((whole, iv.mpf(1)), (iv.mpf(1), whole), (iv.mpf([1, iv.inf]), iv.mpf([iv.inf, iv.inf]))):
        assert not w.numbers.at_most(x, y)
    assert not w.numbers.is_finite(iv.mpf([0, iv.inf]))
    assert not w.numbers.is_finite(iv.mpf([-iv.inf, 0]))


@fact
def functions_hold_their_values_at_both_ends(w):
    functions = (
        (w.numbers.interval_exp, lambda x: x.exp(), (-THIRD, 5 * THIRD)),
        (w.numbers.interval_exp, lambda x: x.exp(), (-40, -THIRD)),
        (w.numbers.interval_log, lambda x: x.log(), (THIRD, 7)),
        (w.numbers.interval_sqrt, lambda x: x.sqrt(), (THIRD, 7)),
    )
    for bits in (12, 80):
        with interval_precision(bits):
            for function, truth, given in functions:
                for low, high in (given, given[:1] * 2, given[1:] * 2):
                    value = function(span(w, low, high))
                    holds(value, true(truth, low))
                    holds(value, true(truth, high))
                    # An interval without end would be sound: it may be wider than the values by a few last units only.
                    assert ends(value)[1] - ends(value)[0] <= true(truth, high)[1] - true(truth, low)[0] + Fraction(
                        32, 2**bits
                    ) * (1 + abs(true(truth, high)[1]))
            for values in ((3, -4), (0, -5), (1, 2, 2)):
                holds(w.numbers.norm(exact(w, *values)), true(lambda *x: sum(c * c for c in x).sqrt(), *values))
            # x * x of an interval around 0 has negative members, which a norm must not have.
            wide = w.numbers.norm([iv.mpf([-1, 3]), iv.mpf([-4, 2])])
            holds(wide, 0)
            holds(wide, 5)
    for bad in (iv.mpf([0, 1]), iv.mpf([-1, 1]), iv.mpf([1, iv.inf])):
        refused(w.numbers.interval_log, bad)
    refused(w.numbers.interval_sqrt, iv.mpf([-1, 1]))
    # Beyond the cap the value itself would fill the memory.
    assert not w.numbers.is_finite(w.numbers.interval_exp(iv.mpf([0, 2**41])))
    assert ends(w.numbers.interval_exp(iv.mpf([-(2**50), 1])))[0] == 0


def refused(function: Callable[..., Any], *arguments: Any) -> None:
    try:
        function(*arguments)
    except (ValueError, ZeroDivisionError, ArithmeticError):
        return
    raise AssertionError("an answer where there is none")


@fact
def a_last_digit_of_mpmath_does_not_matter(w):
    """Its exponentials and logarithms may be off by a unit in the last place, either way."""
    kept = iv.exp, iv.log

    def moved(function: Any, units: int) -> Any:
        def call(x: Any) -> Any:
            # As though mpmath rounded its last digit the wrong way: what is built on it must still hold the value.
            factor = 1 + Fraction(units, 2**iv.prec)
            shifted = [rational(end) * factor for end in function(x)._mpi_]
            return iv.make_mpf(tuple(libmp.from_rational(x.numerator, x.denominator, 200) for x in shifted))

        return call

    try:
        for units in (2, -2):
            iv.exp, iv.log = (moved(function, units) for function in kept)
            with interval_precision(40):
                for x in (1, -3, THIRD, 20):
                    holds(w.numbers.interval_exp(w.numbers.interval(Fraction(x))), true(lambda y: y.exp(), x))
                    if x > 0:
                        holds(w.numbers.interval_log(w.numbers.interval(Fraction(x))), true(lambda y: y.log(), x))
    finally:
        iv.exp, iv.log = kept


@fact
def what_is_positive_of_a_number_is_open_where_its_sign_is(w):
    """Intervals on either side of 0, around it, and that end there."""
    for low, high in combinations_with_replacement((-2, -1, 0, 1, 2), 2):
        x = iv.mpf([low, high])
        holds(w.fields.positive_part(x), max(low, 0))
        holds(w.fields.positive_part(x), max(high, 0))
        for number in (w.numbers.Series([x, iv.mpf(3)]), w.numbers.Dual(x, {0: iv.mpf(3)})):
            # The value at 0 is fine either way; the slope jumps there.
            if low > 0 or high < 0:
                found = w.fields.positive_part(number)
                slope = found.c[1] if isinstance(found, w.numbers.Series) else found.gradient[0]
                holds(slope, 3 if low > 0 else 0)
            else:
                refused(w.fields.positive_part, number)


@fact
def exponentials_far_away_hold_their_values(w):
    """Seen by their logarithms: the numbers themselves would fill the memory."""
    cap = w.numbers.EXPONENT_CAP
    places = (-(cap**2), -cap - 1, -cap, 1 - cap, -1, 0, 1, cap, cap + 1, cap**2)
    with interval_precision(100):
        for low, high in combinations_with_replacement(places, 2):
            x = span(w, low, high)
            for least, most in (w.numbers.interval_exp(x)._mpi_, w.arithmetic.arb.of(x).exp().ends):
                assert least in (libmp.fninf, libmp.fzero) or rational(libmp.mpf_log(least, 200, "d")) <= low
                assert most == libmp.finf or (most != libmp.fzero and rational(libmp.mpf_log(most, 200, "u")) >= high)


SERIES = (
    [Fraction(3, 2), THIRD, Fraction(-1), Fraction(2, 7), Fraction(5)],
    [Fraction(2), Fraction(-1), Fraction(1, 5), Fraction(3), THIRD],
)
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda x, y: x + y,
    "sum with a number": lambda x, y: 3 + x + 2,
    "difference": lambda x, y: x - y,
    "difference from a number": lambda x, y: 3 - x,
    "negative": lambda x, y: -x,
    "product": lambda x, y: x * y,
    "product with a number": lambda x, y: 3 * x * 2,
    "quotient": lambda x, y: x / y,
    "quotient by a number": lambda x, y: x / 3,
    "inverse": lambda x, y: 1 / x,
}


def flints(operation: Callable[..., Any], rows: Any) -> list[tuple[Fraction, Fraction]]:
    """The coefficients of an operation on series, as flint finds them."""
    cap, flint.ctx.cap = flint.ctx.cap, len(rows[0])
    with far():
        found = operation(*(flint.arb_series([flint.fmpq(c.numerator, c.denominator) for c in row]) for row in rows))
    flint.ctx.cap = cap
    return [ends(found[k]) for k in range(len(rows[0]))]


@cache
def series_truth() -> dict[str, list[tuple[Fraction, Fraction]]]:
    functions = {"exp": lambda x, y: x.exp(), "log": lambda x, y: x.log(), "sqrt": lambda x, y: x.sqrt()}
    return {name: flints(operation, SERIES) for name, operation in (OPERATIONS | functions).items()}


@fact
def series_have_their_coefficients(w):
    numbers = w.numbers
    functions = {name: lambda x, y, name=name: getattr(numbers, name)(x) for name in ("exp", "log", "sqrt")}
    with interval_precision(60):
        rows = [numbers.Series(exact(w, *row)) for row in SERIES]
        for name, operation in (OPERATIONS | functions).items():
            found = operation(*rows).c
            assert len(found) == len(SERIES[0])
            for value, truth in zip(found, series_truth()[name], strict=True):
                holds(value, truth, Fraction(1, 2**40))


@fact
def series_of_intervals_hold_those_of_their_members(w):
    numbers = w.numbers
    functions = {name: lambda x, y, name=name: getattr(numbers, name)(x) for name in ("exp", "log", "sqrt")}
    shift = Fraction(1, 16)
    with interval_precision(60):
        # Far wider than rounding: a formula that takes one end of a coefficient for both is seen.
        rows = [numbers.Series([span(w, c - shift, c + shift) for c in row]) for row in SERIES]
        for name, operation in (OPERATIONS | functions).items():
            found = operation(*rows).c
            for value, truth in zip(found, series_truth()[name], strict=True):
                holds(value, truth)


POINT = (Fraction(3, 2), Fraction(-2, 3))
SLOPES: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Fraction, Fraction], list[Any]]]] = {
    "sum": (lambda x, y: x + y, lambda x, y: [1, 1]),
    "sum with a number": (lambda x, y: 3 + x + 2, lambda x, y: [1, 0]),
    "difference": (lambda x, y: x - y, lambda x, y: [1, -1]),
    "difference from a number": (lambda x, y: 3 - x, lambda x, y: [-1, 0]),
    "product": (lambda x, y: x * y, lambda x, y: [y, x]),
    "a square": (lambda x, y: x * x, lambda x, y: [2 * x, 0]),
    "product with a number": (lambda x, y: 3 * x * 2, lambda x, y: [6, 0]),
    "quotient": (lambda x, y: x / y, lambda x, y: [1 / y, -x / y**2]),
    "quotient by a number": (lambda x, y: x / 3, lambda x, y: [THIRD, 0]),
    "inverse": (lambda x, y: 2 / y, lambda x, y: [0, -2 / y**2]),
}


@fact
def dual_numbers_have_their_slopes(w):
    numbers = w.numbers
    with interval_precision(60):
        x, y = (numbers.Dual(value, {i: iv.mpf(1)}) for i, value in enumerate(exact(w, *POINT)))
        for operation, slopes in SLOPES.values():
            found = operation(x, y)
            plain = operation(*exact(w, *POINT))
            holds(found.value, ends(plain))
            for i, slope in enumerate(slopes(*POINT)):
                # A coordinate that does not count is left out of the gradient.
                holds(found.gradient.get(i, iv.mpf(0)), slope, Fraction(1, 2**40))
        for name, slope in (("exp", lambda x: x.exp()), ("log", lambda x: 1 / x), ("sqrt", lambda x: 1 / (2 * x.sqrt()))):
            found = getattr(numbers, name)(x * 2)
            holds(found.gradient[0], tuple(2 * end for end in true(slope, 2 * POINT[0])), Fraction(1, 2**40))
            holds(found.value, true(lambda z, name=name: getattr(z, name)(), 2 * POINT[0]), Fraction(1, 2**40))


@fact
def a_polynomial_keeps_its_values_when_it_is_shifted(w):
    row = [Fraction(1), Fraction(2), Fraction(-3), Fraction(5)]
    for center, length in product((Fraction(2), Fraction(-1, 2), Fraction(0)), (1, 2, 4, 6)):
        truth = [
            row[0] + center * row[1] + center**2 * row[2] + center**3 * row[3],
            row[1] + 2 * center * row[2] + 3 * center**2 * row[3],
            row[2] + 3 * center * row[3],
            row[3],
            *[Fraction(0)] * 4,
        ]
        with interval_precision(60):
            found = w.numbers.shifted(exact(w, *row), w.numbers.interval(center), length)
            # Around an interval of centres the coefficients of every centre in it must be held.
            around = w.numbers.shifted(exact(w, *row), span(w, center - 1, center + 2), length)
        assert len(found) == length
        for value, wide, number in zip(found, around, truth, strict=False):
            holds(value, number, Fraction(1, 2**40))
            holds(wide, number)


@fact
def sums_of_products_are_whole(w):
    with interval_precision(30):
        x, y = exact(w, 0, 3, -2, THIRD), exact(w, 5, -1, 0, 7)
        holds(w.numbers.product_sum(x, y), -3 + 7 * THIRD, Fraction(1, 2**20))
        holds(w.numbers.product_sum(x[:2], y), -3)
        holds(w.numbers.total(x), 1 + THIRD, Fraction(1, 2**20))
        wide = w.numbers.product_sum([iv.mpf([-1, 2])] * 2, [iv.mpf([-3, 1]), iv.mpf([0, 2])])
        # The members at three corners: each would be lost if ends were paired with ends of the same side.
        holds(wide, 3 - 2)
        holds(wide, 3 + 4)
        holds(wide, -6 - 2)


@fact
def only_positive_pivots_are_positive_definite(w):
    yes = ([[1]], [[2, 1], [1, 2]], [[2, -1, 0], [-1, 2, -1], [0, -1, 2]])
    no = (
        [[-1]], [[0]], [[1, 0], [0, -1]], [[-1, 0], [0, 1]], [[1, 2], [2, 1]], [[1, 1], [1, 1]],
        [[1, 0, 0], [0, -1, 0], [0, 0, 1]], [[2, 1, 0], [1, 2, 0], [0, 0, 0]], [[4, 2, 2], [2, 4, -2], [2, -2, 2]],
        [[1, Fraction(99, 100), 0], [Fraction(99, 100), 1, Fraction(1, 2)], [0, Fraction(1, 2), 1]],
    )  # fmt: skip
    with interval_precision(60):
        for matrices, answer in ((yes, True), (no, False)):
            for matrix in matrices:
                assert w.numbers._positive_definite([exact(w, *row) for row in matrix]) is answer, matrix
        # One member is singular, so not every member is positive definite.
        wide = [[iv.mpf(1), iv.mpf([0, 1])], [iv.mpf([0, 1]), iv.mpf(1)]]
        assert not w.numbers._positive_definite(wide)
        assert not w.numbers._positive_definite([[iv.mpf([1, iv.inf])]])


@fact
def norms_are_at_least_those_of_every_member(w):
    rng = np.random.default_rng(7)
    with interval_precision(64):
        for size, spread in product((1, 2, 3, 4), (0.0, 0.3)):
            for _ in range(3):
                middle = np.round(rng.normal(size=(size, size)), 3)
                if size == 3:
                    middle[2] *= 100  # the last row matters most
                signs = [np.ones((size, size)), np.sign(middle), rng.choice((-1, 1), size=(size, size))]
                members = [middle, *(middle + spread * sign for sign in signs), *(middle - spread * sign for sign in signs)]
                matrix = [[iv.mpf([entry - spread, entry + spread]) for entry in row] for row in middle.tolist()]
                for member in members:
                    symmetric = (member + member.T) / 2
                    truth = np.linalg.eigvalsh(symmetric)[-1]
                    bound = float(w.numbers.logarithmic_norm(matrix).b)
                    assert bound >= truth - 1e-9, f"{bound} is below {truth}"
                    # Of a single matrix the bound is sharp; of a wide one it need only be a bound.
                    assert spread or bound <= truth + 1e-6 * (1 + abs(truth))
                    norm = float(w.numbers.spectral_norm(matrix).b)
                    truth = np.linalg.norm(member, 2)
                    assert norm >= truth - 1e-9, f"{norm} is below {truth}"
                    assert spread or norm <= truth + 1e-3 * (1 + truth)
        tall = [[iv.mpf(entry) for entry in row] for row in ([1, 2], [3, -4], [0, 12])]
        truth = np.linalg.norm(np.array([[1, 2], [3, -4], [0, 12]]), 2)
        assert truth - 1e-9 <= float(w.numbers.spectral_norm(tall).b) <= truth + 1e-3
        assert float(w.numbers.spectral_norm([[iv.mpf([-3, 1])]]).b) == 3


@fact
def a_wrong_guess_of_an_eigenvalue_is_not_believed(w):
    """The guess comes from floating point; here it is too small."""
    kept = w.numbers.fp
    # Elimination has to refuse the guess; then Gershgorin's bound is left.
    w.numbers.fp = types.SimpleNamespace(eigsy=lambda matrix, eigvals_only: [1.0], matrix=lambda rows: rows)
    try:
        with interval_precision(60):
            for matrix in ([[1, 0], [0, 9]], [[9, 0], [0, 1]], [[1, 8], [8, 1]], [[1, 0, 0], [0, 1, 0], [0, 0, 9]]):
                is_least(w.numbers.largest_eigenvalue([exact(w, *row) for row in matrix]), 9)
    finally:
        w.numbers.fp = kept
