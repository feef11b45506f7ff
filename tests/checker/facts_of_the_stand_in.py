# ruff: noqa: E501 -- bugs are told in texts of the source as they stand
"""Facts about the numbers in flint's place."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import flint
from mpmath import iv

from dynamics.checker.intervals import interval_precision
from tests.checker.facts_of_intervals import OPERATIONS, SERIES, THIRD, flints, refused, series_truth
from tests.checker.worlds import ends, exact, fact, far, holds, is_least, span, true


def arb(w: Any, low: Any, high: Any | None = None) -> Any:
    numbers = [
        w.arithmetic.fmpq(Fraction(x).numerator, Fraction(x).denominator) for x in (low, low if high is None else high)
    ]
    return w.arithmetic.arb(numbers[0]).union(w.arithmetic.arb(numbers[1]))


UNARY: dict[str, Callable[[Any], Any]] = {
    **{name: (lambda x, name=name: getattr(x, name)()) for name in ("exp", "log", "sqrt", "expm1", "log1p", "sinh", "cosh", "tanh", "lambertw")},
    "abs": abs, "negative": lambda x: -x, "square": lambda x: x**2, "cube": lambda x: x**3, "fourth": lambda x: x**4, "fifth": lambda x: x**5,
    "inverse": lambda x: 1 / x, "inverse square": lambda x: x**-2,
}  # fmt: skip
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda x, y: x + y, "difference": lambda x, y: x - y, "product": lambda x, y: x * y, "quotient": lambda x, y: x / y,
    "max": lambda x, y: x.max(y), "min": lambda x, y: x.min(y), "number less": lambda x, y: 3 - x, "number over": lambda x, y: 3 / y,
}  # fmt: skip


@fact
def functions_of_flints_stand_in_hold_every_member(w):
    for bits in (12, 70):
        with interval_precision(bits):
            for low, high in ((THIRD, THIRD), (THIRD, 2), (-2, -THIRD), (5 * THIRD, 20), (-1, 2)):
                for name, function in UNARY.items():
                    # Without a value at a member there is none to hold.
                    if (low <= 0 and name in ("log", "sqrt", "lambertw")) or (low <= -1 and name == "log1p"):
                        continue
                    if low < 0 < high and "inverse" in name:
                        continue
                    found = function(arb(w, low, high))
                    for member in (low, high, (Fraction(low) + high) / 2):
                        holds(found, true(function, member))
                    if low == high:
                        holds(found, true(function, low), Fraction(64, 2**bits))


@fact
def operations_of_flints_stand_in_hold_every_member(w):
    pairs = ((-2, THIRD), (THIRD, 2), (-2, -THIRD), (1, 1), (THIRD, THIRD))
    with interval_precision(16):
        for (a, b), (c, d) in product(pairs, pairs):
            for name, operation in BINARY.items():
                if name in ("quotient", "number over") and c <= 0 <= d:
                    continue
                found = operation(arb(w, a, b), arb(w, c, d))
                for x, y in product((a, b), (c, d)):
                    holds(found, true(operation, x, y))


@fact
def questions_of_flints_stand_in_are_answered_for_sure_or_open(w):
    arithmetic = w.arithmetic
    with interval_precision(30):
        for (a, b), (c, d) in product(((0, 1), (1, 2), (1, 1), (2, 3), (0, 3)), repeat=2):
            x, y = arb(w, a, b), arb(w, c, d)
            sure = {
                "<": (b < c, a >= d), "<=": (b <= c, a > d), ">": (a > d, b <= c), ">=": (a >= d, b < c),
                "==": (a == b == c == d, b < c or d < a), "!=": (b < c or d < a, a == b == c == d),
            }  # fmt: skip
            asked = {"<": x.__lt__, "<=": x.__le__, ">": x.__gt__, ">=": x.__ge__, "==": x.__eq__, "!=": x.__ne__}
            for symbol, (yes, no) in sure.items():
                # What is not certain is answered with False and counted: who decides looks at the count.
                before = arithmetic.open_comparisons()
                assert asked[symbol](y) is yes, f"[{a}, {b}] {symbol} [{c}, {d}]"
                assert (arithmetic.open_comparisons() > before) is not (yes or no), f"[{a}, {b}] {symbol} [{c}, {d}]"
            for answer, truth in ((x.overlaps(y), not (b < c or d < a)), (x.contains(y), a <= c and d <= b)):
                assert answer is truth
        for x, zero, is_open in ((arb(w, 0), True, False), (arb(w, 0, 1), False, True), (arb(w, 1, 2), False, False)):
            for question, answer in ((x.is_zero, zero), (x.__bool__, not zero)):
                before = arithmetic.open_comparisons()
                assert question() is answer
                assert (arithmetic.open_comparisons() > before) is is_open
        for question in (
            lambda x: x.overlaps(arb(w, 0)),
            lambda x: x.contains(0),
            lambda x: (1 / x).is_finite(),
            lambda x: (2**60 / x).is_finite(),
        ):
            for x, is_open in ((arb(w, -1, 1), True), (arb(w, 2, 4), False)):
                before = arithmetic.open_comparisons()
                question(x)
                assert (arithmetic.open_comparisons() > before) is is_open
        # No interval at all: whatever is asked of it is open, and an answer of False must count as one.
        nothing = arb(w, -1, 1).log()
        for question in (nothing.is_finite, lambda: nothing < 1, lambda: nothing == arb(w, 1), lambda: (nothing * 0) > 1):
            before = arithmetic.open_comparisons()
            assert question() is False
            assert arithmetic.open_comparisons() > before
        for x, y in ((arb(w, -3, 1), 3), (arb(w, 1, 2), 2), (arb(w, -2, -1), 2)):
            assert ends(x.abs_upper())[1] >= y
        assert [ends(arb(w, -3, 1).abs_lower())[1], ends(arb(w, 1, 2).abs_lower())[1]] == [0, 1]
        assert [ends(arb(w, -3, 1).lower()), ends(arb(w, -3, 1).upper())] == [(-3, -3), (1, 1)]


@fact
def a_middle_and_a_radius_hold_the_interval(w):
    with interval_precision(8):
        for low, high in ((0, THIRD), (-1, 2 * THIRD), (Fraction(999, 1000), 1), (-300, 1)):
            x = arb(w, low, high)
            # At eight bits the middle is rounded, so the radius has to cover that, too.
            around = w.arithmetic.arb(w.arithmetic.arb(x).lower() * 0) + x.union(x)
            holds(around, low)
            radius = ends(x.rad())[1]
            point = getattr(x, "center", x.mid)()
            assert ends(point)[0] == ends(point)[1]
            assert ends(point)[0] - radius <= ends(x)[0]
            assert ends(x)[1] <= ends(point)[0] + radius
            # A middle depends on how an interval was computed: to ask for one counts as a guess.
            before = w.arithmetic.open_comparisons()
            assert ends(x.mid()) == ends(point)
            assert w.arithmetic.open_comparisons() > before
            ball = w.arithmetic.arb(arb(w, low), arb(w, -2, 1))
            for member in (low - 2, low + 2):
                holds(ball, member)


@fact
def series_of_flints_stand_in_have_their_coefficients(w):
    functions = {"exp": lambda x, y: x.exp(), "log": lambda x, y: x.log(), "sqrt": lambda x, y: x.sqrt()}
    more = {"cube": lambda x, y: x**3, "inverse square": lambda x, y: y**-2}
    truth = series_truth() | {name: flints(operation, SERIES) for name, operation in more.items()}
    with interval_precision(60):
        cap, w.arithmetic.ctx.cap = w.arithmetic.ctx.cap, 5
        try:
            rows = [w.arithmetic.arb_series([arb(w, c) for c in row], 5) for row in SERIES]
            wide = [
                w.arithmetic.arb_series([arb(w, c - Fraction(1, 32), c + Fraction(1, 32)) for c in row], 5)
                for row in SERIES
            ]
            for name, operation in (OPERATIONS | functions | more).items():
                found, around = operation(*rows), operation(*wide)
                assert found.prec == 5
                for k in range(5):
                    holds(found[k], truth[name][k], Fraction(1, 2**40))
                    holds(around[k], truth[name][k])
            # The shorter of two series says how much is known of both together.
            short = w.arithmetic.arb_series([arb(w, 1), arb(w, 2)], 2)
            assert [(rows[0] * short).prec, (rows[0] + short).prec, (short / rows[0]).prec, short.exp().prec] == [2] * 4
            assert (rows[0].derivative().prec, rows[0].integral().prec) == (4, 6)
            for k in range(4):
                holds(rows[0].derivative()[k], (k + 1) * SERIES[0][k + 1])
                holds(rows[0].integral()[k + 1], SERIES[0][k] / (k + 1))
            holds(short(arb(w, 3)), 7)
        finally:
            w.arithmetic.ctx.cap = cap


@fact
def zero_times_what_may_have_no_value_is_not_zero(w):
    """A formula such as 0 (1/x) at an x that may be 0 has no value that could be confirmed."""
    series = w.arithmetic.arb_series
    with interval_precision(30):
        unknown, known = 1 / arb(w, -1, 1), [arb(w, 0), arb(w, 2)]
        assert unknown.ends == w.arithmetic.WHOLE
        products = (series(known, 3) * unknown, unknown * series(known, 3), series(known, 3) * series([unknown], 3))
        for found in (*products, series([unknown], 3) * series(known, 3), series(known, 3) / arb(w, -1, 1)):
            assert [found[k].ends for k in range(2)] == [w.arithmetic.WHOLE] * 2
        # Where a function has no value, nothing is known of its slope either, though its argument stands still.
        for function in ("log", "sqrt"):
            fixed = getattr(series([arb(w, -2)], 3), function)()
            assert [fixed[k].ends for k in range(3)] == [w.arithmetic.WHOLE] * 3
            assert [fixed.exp()[k].ends for k in range(3)] == [w.arithmetic.WHOLE] * 3
        assert (series(known, 3) * series(known, 3))[0].ends == arb(w, 0).ends


@fact
def rational_matrices_are_eliminated(w):
    a = w.arithmetic
    for rows, det, rank in (
        ([[2, 1], [5, 3]], 1, 2), ([[0, 1], [1, 0]], -1, 2), ([[1, 2], [2, 4]], 0, 1), ([[0, 0], [0, 0]], 0, 0),
        ([[0, 2, 1], [3, 0, 1], [0, 0, 5]], -30, 3), ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 0, 2), ([[0, 1], [0, 2]], 0, 1),
    ):  # fmt: skip
        matrix = a.fmpq_mat([[a.fmpq(entry, 2) for entry in row] for row in rows])
        assert (matrix.det() * 2 ** len(rows), matrix.rank()) == (det, rank)
        # Rows that need no exchange, that need one, and that have no inverse.
        if det:
            goal = a.fmpq_mat([[a.fmpq(k + 1, 7)] for k in range(len(rows))])
            assert matrix * matrix.solve(goal) == goal
        else:
            refused(matrix.inv)


def shift_matrix(size: int, entry: Fraction) -> list[list[Fraction]]:
    """What moves one place on: its k-th power has one line, so that each term of an exponential stands alone."""
    return [[entry if j == i + 1 else Fraction(0) for j in range(size)] for i in range(size)]


@cache
def exponential_truth(rows: tuple[tuple[Fraction, ...], ...]) -> list[tuple[Fraction, Fraction]]:
    with far():
        entries = [flint.arb(flint.fmpq(x.numerator, x.denominator)) for row in rows for x in row]
        return [*map(ends, flint.arb_mat(len(rows), len(rows), entries).exp().entries())]


MATRIX = (
    (Fraction(1), Fraction(-1, 2), Fraction(2)),
    (Fraction(0), THIRD, Fraction(-1)),
    (Fraction(1), Fraction(1), Fraction(-2)),
)


@fact
def exponentials_of_matrices_hold_theirs(w):
    # None, few and many halvings: each squaring loses bits.
    for scale in (Fraction(0), Fraction(1, 100), Fraction(1), Fraction(5), Fraction(60)):
        rows = tuple(tuple(scale * x for x in row) for row in MATRIX)
        truth = exponential_truth(rows)
        size = max(abs(end) for pair in truth for end in pair) + 1
        with interval_precision(70):
            flat = [arb(w, x) for row in rows for x in row]
            found = w.arithmetic.arb_mat(3, 3, flat).exp().entries()
            other = [x for row in w.numbers.exponential([exact(w, *row) for row in rows]) for x in row]
            timed = [
                x
                for row in w.fields.matrix_exponential([list(row) for row in MATRIX], w.numbers.interval(scale))
                for x in row
            ]
            wide = w.fields.matrix_exponential([list(row) for row in MATRIX], span(w, scale / 2, scale * 2))
            for values, room in ((found, 40), (other, 30), (timed, 30), ([x for row in wide for x in row], None)):
                for value, number in zip(values, truth, strict=True):
                    holds(value, number, None if room is None else size / 2**room)


@fact
def the_rest_of_an_exponential_of_matrices_is_counted(w):
    """Of what moves one place on, the first term that is left out is all there is in a corner."""
    for rows, truth in (([[1, 2], [3, -4]], 7), ([[-5, 2], [3, 1]], 7), ([[0]], 0)):
        is_least(w.numbers.row_sums([exact(w, *row) for row in rows]), truth)
    for bits in (10, 24):
        # Without halving, for squares fill in what is left out: more places than terms at bits + 16.
        entry, size = Fraction(1, 8), 22
        with interval_precision(bits):
            found = w.numbers.exponential([exact(w, *row) for row in shift_matrix(size, entry)])
            factorial = Fraction(1)
            for k in range(size):
                factorial *= max(k, 1)
                holds(found[0][k], entry**k / factorial)


@fact
def exponentials_move_with_time(w):
    rows = [list(row) for row in MATRIX]
    begin, step = Fraction(1, 4), Fraction(1, 2)
    with interval_precision(80):
        moving = w.numbers.Series([w.numbers.interval(begin), iv.mpf(1), *[iv.mpf(0)] * 28])
        found = [x for row in w.fields.matrix_exponential(rows, moving) for x in row]
        truth = exponential_truth(tuple(tuple((begin + step) * x for x in row) for row in MATRIX))
        for value, number in zip(found, truth, strict=True):
            total = sum((c * w.numbers.interval(step) ** k for k, c in enumerate(value.c)), iv.mpf(0))
            holds(total + iv.mpf([-1, 1]) / 2**60, number, Fraction(1, 2**40))
        # A multiple of the identity has an exponential of its own, with exact zeros.
        same = w.fields.matrix_exponential(
            [[Fraction(3), Fraction(0)], [Fraction(0), Fraction(3)]], w.numbers.interval(THIRD)
        )
        holds(same[0][0], true(lambda x: x.exp(), 1), Fraction(1, 2**60))
        assert ends(same[0][1]) == (0, 0)
