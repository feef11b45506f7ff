# ruff: noqa: E501 -- bugs are told in texts of the source as they stand
"""The independent checker's arithmetic and its two integrators: facts on values, and the bugs that none may survive.

A *fact* is about a world w: fresh copies of the modules, one of which may hold a bug. It is checked at arguments where the
term that one might forget dominates. A bug that merely crashes a fact does not count as caught by it.
"""

from __future__ import annotations

import sys
import time
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import flint
import numpy as np
import pytest
from hypothesis import settings
from mpmath import iv, libmp, mp

import claims.checker.paths
import dynamics.checker.flint_stand_in
import dynamics.checker.flows
import dynamics.checker.integrator
import dynamics.checker.intervals
import dynamics.checker.recording
import dynamics.checker.trajectories
from claims.statement import Relation
from dynamics.checker.intervals import interval_precision
from dynamics.checker.trajectory_format import StepRecord

ORDER = {
    "numbers": dynamics.checker.intervals,
    "fields": dynamics.checker.flows,
    "arithmetic": dynamics.checker.flint_stand_in,
    "recording": dynamics.checker.recording,
    "integrator": dynamics.checker.integrator,
    "checker": dynamics.checker.trajectories,
    "paths": claims.checker.paths,
}
"""The modules of a world, each after those that it imports."""

TRUTH = 400
"""Bits at which the truth is computed."""


@cache
def source_of(name: str) -> str:
    return Path(ORDER[name].__file__).read_text(encoding="utf-8")


@cache
def code_of(name: str, old: str = "", new: str = "") -> Any:
    source = source_of(name)
    if old:
        assert source.count(old) == 1, f"{old!r} occurs {source.count(old)} times in {name}"
        source = source.replace(old, new)
    return compile(source, ORDER[name].__file__, "exec")


@contextmanager
def in_place_of(copies: dict[str, types.ModuleType]) -> Iterator[None]:
    """Modules executed meanwhile import the copies."""
    kept = {name: sys.modules[name] for name in copies}
    sys.modules.update(copies)
    try:
        yield
    finally:
        sys.modules.update(kept)


def world(where: str = "", old: str = "", new: str = "") -> Any:
    """Copies of all modules, with a text replaced in one of them, which must occur there exactly once."""
    copies: dict[str, types.ModuleType] = {}
    for name, module in ORDER.items():
        made = types.ModuleType(module.__name__)
        made.__dict__["__file__"] = module.__file__
        copies[module.__name__] = made
        with in_place_of(copies):
            exec(code_of(name, old, new) if name == where else code_of(name), made.__dict__)  # noqa: S102
    return types.SimpleNamespace(**{name: copies[module.__name__] for name, module in ORDER.items()})


# ---------------------------------------------------------------------------------------------------------------------
# Truth


def rational(raw: Any) -> Fraction:
    sign, mantissa, exponent, _ = raw
    assert raw not in (libmp.finf, libmp.fninf, libmp.fnan), "no finite end"
    return (-1) ** int(sign) * int(mantissa) * Fraction(2) ** int(exponent)


def ends(value: Any) -> tuple[Fraction, Fraction]:
    """The ends of an interval of either kind."""
    low, high = value.ends if hasattr(value, "ends") else iv.mpf(value)._mpi_
    return rational(low), rational(high)


def true(function: Callable[[Any], Any], *arguments: Fraction) -> tuple[Fraction, Fraction]:
    """What flint says of a function of exact numbers, as two rationals around it."""
    before, flint.ctx.prec = flint.ctx.prec, TRUTH
    try:
        found = function(*(flint.arb(flint.fmpq(x.numerator, x.denominator)) for x in map(Fraction, arguments)))
        return tuple(Fraction(int(end.fmpq().p), int(end.fmpq().q)) for end in (found.lower(), found.upper()))
    finally:
        flint.ctx.prec = before


def holds(value: Any, truth: Any, width: Fraction | None = None) -> None:
    """Assert that an interval has the number as a member, and that it is no wider than this."""
    low, high = ends(value)
    least, most = truth if isinstance(truth, tuple) else (Fraction(truth), Fraction(truth))
    assert low <= most, f"{value} is above {float(most)}"
    assert least <= high, f"{value} is below {float(least)}"
    assert width is None or high - low <= width, f"{value} is wide"


def is_least(bound: Any, truth: Any, factor: Fraction | None = None) -> None:
    """Assert that a bound is at least the number, and at most so many times it."""
    least = truth[0] if isinstance(truth, tuple) else Fraction(truth)
    assert rational(iv.mpf(bound)._mpi_[1]) >= least, f"{bound} is below {float(least)}"
    assert factor is None or ends(bound)[0] <= factor * least, f"{bound} is far above {float(least)}"


def span(w: Any, low: Any, high: Any) -> Any:
    return w.numbers.between(Fraction(low), Fraction(high))


def exact(w: Any, *values: Any) -> list[Any]:
    return [w.numbers.interval(Fraction(value)) for value in values]


FACTS: list[Callable[[Any], None]] = []


def fact(check: Callable[[Any], None]) -> Callable[[Any], None]:
    FACTS.append(check)
    return check


# ---------------------------------------------------------------------------------------------------------------------
# Intervals, series and dual numbers of mpmath

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
                    assert ends(value)[1] - ends(value)[0] <= true(truth, high)[1] - true(truth, low)[0] + Fraction(
                        32, 2**bits
                    ) * (1 + abs(true(truth, high)[1]))
            for values in ((3, -4), (0, -5), (1, 2, 2)):
                holds(w.numbers.norm(exact(w, *values)), true(lambda *x: sum(c * c for c in x).sqrt(), *values))
            wide = w.numbers.norm([iv.mpf([-1, 3]), iv.mpf([-4, 2])])
            holds(wide, 0)
            holds(wide, 5)
    for bad in (iv.mpf([0, 1]), iv.mpf([-1, 1]), iv.mpf([1, iv.inf])):
        refused(w.numbers.interval_log, bad)
    refused(w.numbers.interval_sqrt, iv.mpf([-1, 1]))
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
    before, flint.ctx.prec = flint.ctx.prec, TRUTH
    cap, flint.ctx.cap = flint.ctx.cap, len(rows[0])
    try:
        found = operation(*(flint.arb_series([flint.fmpq(c.numerator, c.denominator) for c in row]) for row in rows))
        told = [found[k] for k in range(len(rows[0]))]
        return [tuple(Fraction(int(e.fmpq().p), int(e.fmpq().q)) for e in (c.lower(), c.upper())) for c in told]
    finally:
        flint.ctx.prec, flint.ctx.cap = before, cap


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
    w.numbers.fp = types.SimpleNamespace(eigsy=lambda matrix, eigvals_only: [1.0], matrix=lambda rows: rows)
    try:
        with interval_precision(60):
            for matrix in ([[1, 0], [0, 9]], [[9, 0], [0, 1]], [[1, 8], [8, 1]], [[1, 0, 0], [0, 1, 0], [0, 0, 9]]):
                is_least(w.numbers.largest_eigenvalue([exact(w, *row) for row in matrix]), 9)
    finally:
        w.numbers.fp = kept


# ---------------------------------------------------------------------------------------------------------------------
# The numbers in flint's place


def arb(w: Any, low: Any, high: Any | None = None) -> Any:
    numbers = [
        w.arithmetic.fmpq(Fraction(x).numerator, Fraction(x).denominator) for x in (low, low if high is None else high)
    ]
    return w.arithmetic.arb(numbers[0]).union(w.arithmetic.arb(numbers[1]))


UNARY: dict[str, Callable[[Any], Any]] = {
    **{name: (lambda x, name=name: getattr(x, name)()) for name in ("exp", "log", "sqrt", "expm1", "log1p", "sinh", "cosh", "tanh")},
    "abs": abs, "negative": lambda x: -x, "square": lambda x: x**2, "cube": lambda x: x**3, "fifth": lambda x: x**5,
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
                    if (low <= 0 and name in ("log", "sqrt")) or (low <= -1 and name == "log1p"):
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
                before = arithmetic.doubts()
                assert asked[symbol](y) is yes, f"[{a}, {b}] {symbol} [{c}, {d}]"
                assert (arithmetic.doubts() > before) is not (yes or no), f"[{a}, {b}] {symbol} [{c}, {d}]"
            for answer, truth in ((x.overlaps(y), not (b < c or d < a)), (x.contains(y), a <= c and d <= b)):
                assert answer is truth
        for x, zero, is_open in ((arb(w, 0), True, False), (arb(w, 0, 1), False, True), (arb(w, 1, 2), False, False)):
            for question, answer in ((x.is_zero, zero), (x.__bool__, not zero)):
                before = arithmetic.doubts()
                assert question() is answer
                assert (arithmetic.doubts() > before) is is_open
        nothing = arb(w, -1, 1).log()
        for question in (nothing.is_finite, lambda: nothing < 1, lambda: nothing == arb(w, 1), lambda: (nothing * 0) > 1):
            before = arithmetic.doubts()
            assert question() is False
            assert arithmetic.doubts() > before
        for x, y in ((arb(w, -3, 1), 3), (arb(w, 1, 2), 2), (arb(w, -2, -1), 2)):
            assert ends(x.abs_upper())[1] >= y
        assert [ends(arb(w, -3, 1).abs_lower())[1], ends(arb(w, 1, 2).abs_lower())[1]] == [0, 1]
        assert [ends(arb(w, -3, 1).lower()), ends(arb(w, -3, 1).upper())] == [(-3, -3), (1, 1)]


@fact
def a_middle_and_a_radius_hold_the_interval(w):
    with interval_precision(8):
        for low, high in ((0, THIRD), (-1, 2 * THIRD), (Fraction(999, 1000), 1), (-300, 1)):
            x = arb(w, low, high)
            around = w.arithmetic.arb(w.arithmetic.arb(x).lower() * 0) + x.union(x)
            holds(around, low)
            radius = ends(x.rad())[1]
            point = getattr(x, "center", x.mid)()
            assert ends(point)[0] == ends(point)[1]
            assert ends(point)[0] - radius <= ends(x)[0]
            assert ends(x)[1] <= ends(point)[0] + radius
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
def rational_matrices_are_eliminated(w):
    a = w.arithmetic
    for rows, det, rank in (
        ([[2, 1], [5, 3]], 1, 2), ([[0, 1], [1, 0]], -1, 2), ([[1, 2], [2, 4]], 0, 1), ([[0, 0], [0, 0]], 0, 0),
        ([[0, 2, 1], [3, 0, 1], [0, 0, 5]], -30, 3), ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 0, 2), ([[0, 1], [0, 2]], 0, 1),
    ):  # fmt: skip
        matrix = a.fmpq_mat([[a.fmpq(entry, 2) for entry in row] for row in rows])
        assert (matrix.det() * 2 ** len(rows), matrix.rank()) == (det, rank)
        if det:
            goal = a.fmpq_mat([[a.fmpq(k + 1, 7)] for k in range(len(rows))])
            assert matrix * matrix.solve(goal) == goal
        else:
            refused(matrix.inv)


def shift_matrix(size: int, entry: Fraction) -> list[list[Fraction]]:
    """What moves one place on: its k-th power has one line, so that each term of an exponential stands alone."""
    return [[entry if j == i + 1 else Fraction(0) for j in range(size)] for i in range(size)]


@fact
def the_rest_of_an_exponential_of_matrices_is_counted(w):
    """The first term that is left out is all there is in a corner."""
    with interval_precision(30):
        for rows, truth in (([[1, 2], [3, -4]], 7), ([[-5, 2], [3, 1]], 7), ([[0]], 0)):
            is_least(w.arithmetic._row_sum_norm([[arb(w, x) for x in row] for row in rows]).interval, truth)
    for bits, size, entry in ((10, 7, Fraction(1, 2)), (20, 9, Fraction(1, 4))):
        with interval_precision(bits):
            rows = [[arb(w, value) for value in row] for row in shift_matrix(size, entry)]
            found = w.arithmetic._small_exponential(rows)
            for k in range(size):
                factorial = Fraction(1)
                for j in range(1, k + 1):
                    factorial *= j
                holds(found[0][k], entry**k / factorial)


@cache
def exponential_truth(rows: tuple[tuple[Fraction, ...], ...]) -> list[tuple[Fraction, Fraction]]:
    before, flint.ctx.prec = flint.ctx.prec, TRUTH
    try:
        size = len(rows)
        entries = [flint.arb(flint.fmpq(x.numerator, x.denominator)) for row in rows for x in row]
        found = flint.arb_mat(size, size, entries).exp().entries()
        return [tuple(Fraction(int(e.fmpq().p), int(e.fmpq().q)) for e in (x.lower(), x.upper())) for x in found]
    finally:
        flint.ctx.prec = before


MATRIX = (
    (Fraction(1), Fraction(-1, 2), Fraction(2)),
    (Fraction(0), THIRD, Fraction(-1)),
    (Fraction(1), Fraction(1), Fraction(-2)),
)


@fact
def exponentials_of_matrices_hold_theirs(w):
    for scale in (Fraction(1, 100), Fraction(1), Fraction(5)):
        rows = tuple(tuple(scale * x for x in row) for row in MATRIX)
        truth = exponential_truth(rows)
        size = max(abs(end) for pair in truth for end in pair) + 1
        with interval_precision(70):
            flat = [arb(w, x) for row in rows for x in row]
            found = w.arithmetic.arb_mat(3, 3, flat).exp().entries()
            other = [x for row in w.fields._exponential([exact(w, *row) for row in rows]) for x in row]
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
def the_rest_of_the_other_exponential_is_counted(w):
    with interval_precision(24):
        for rows, truth in (([[1, 2], [3, -4]], 7), ([[-5, 2], [3, 1]], 7)):
            is_least(w.fields._row_sums([exact(w, *row) for row in rows]), truth)
        size = 8 + 24 // 3 + 1
        found = w.fields._exponential([exact(w, *row) for row in shift_matrix(size, Fraction(1, 2))])
        factorial = Fraction(1)
        for k in range(1, size):
            factorial *= k
        holds(found[0][-1], Fraction(1, 2) ** (size - 1) / factorial)


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
        same = w.fields.matrix_exponential(
            [[Fraction(3), Fraction(0)], [Fraction(0), Fraction(3)]], w.numbers.interval(THIRD)
        )
        holds(same[0][0], true(lambda x: x.exp(), 1), Fraction(1, 2**60))
        assert ends(same[0][1]) == (0, 0)


# ---------------------------------------------------------------------------------------------------------------------
# The integrator


def statement(w: Any, start: list[Any], field: Any, blocks: Any = None, clocks: Any = None) -> Any:
    size = len(start)
    return w.fields.Statement(
        [Fraction(x) for x in start], blocks or [range(i, i + 1) for i in range(size)], clocks or {}, field
    )


@fact
def defects_bound_what_a_polynomial_misses(w):
    """x' = x and x' = x^2 along polynomials that are far from solutions: every order of the miss matters somewhere."""
    fields = {"x": (lambda s: [s[0]], lambda x: x), "x^2": (lambda s: [s[0] * s[0]], lambda x: x * x)}
    rows = ([1, 1, 1, 1], [1, 1, Fraction(1, 2), 0], [0, 1, 0, 0], [0, 0, 0, 1], [2, 0, 0, 0], [0, 0, 1, 0])
    for (field, plain), row, length in product(fields.values(), rows, (Fraction(1), Fraction(1, 4), Fraction(3))):
        with interval_precision(60), mp.workprec(60):
            record = w.integrator.recorded(field, exact(w, row[0]))
            (bound,) = w.integrator.defects(record, [exact(w, *row)], length, 60)
        for k in range(9):
            t = length * k / 8
            p = sum(Fraction(c) * t**j for j, c in enumerate(row))
            slope = sum(j * Fraction(c) * t ** (j - 1) for j, c in enumerate(row) if j)
            is_least(bound, abs(slope - plain(p)))


@fact
def comparisons_bound_the_jacobian(w):
    """x' = y z, y' = z x, z' = x y over a box, in blocks."""
    field = lambda s: [s[1] * s[2], s[2] * s[0], s[0] * s[1]]  # noqa: E731
    with interval_precision(60):
        box = [span(w, 1, 2), span(w, -3, -1), span(w, 2, 5)]
        record = w.integrator.recorded(field, [value.mid for value in box])
        derivative = w.integrator.jacobian(record, box)
        for point in product((1, 2), (-3, -1), (2, 5)):
            x, y, z = point
            truth = np.array([[0, z, y], [z, 0, x], [y, x, 0]], dtype=float)
            for i, j in product(range(3), repeat=2):
                holds(derivative[i].get(j, iv.mpf(0)), Fraction(truth[i, j]))
            for blocks in (((0,), (1,), (2,)), ((0, 1), (2,)), ((0,), (1, 2)), ((0, 1, 2),)):
                found = w.integrator.comparison(derivative, blocks)
                for a, block in enumerate(blocks):
                    for b, other in enumerate(blocks):
                        part = truth[np.ix_(block, other)]
                        least = np.linalg.eigvalsh((part + part.T) / 2)[-1] if a == b else np.linalg.norm(part, 2)
                        assert float(found[a][b].b) >= least - 1e-9


@fact
def errors_are_propagated_in_full(w):
    with interval_precision(64):
        chain = [[iv.mpf(1 if j == i + 1 else 0) for j in range(17)] for i in range(17)]
        for last in (3, 12, 15, 16):
            vector = [iv.mpf(int(i == last)) for i in range(17)]
            found = w.integrator.propagate(chain, iv.mpf(1), vector)
            factorial = Fraction(1)
            for k in range(1, last + 1):
                factorial *= k
            is_least(found[0], 1 / factorial)
        for rows, h in (
            ([[-3, 1], [2, Fraction(1, 2)]], Fraction(1, 2)), ([[-50, 1], [1, -1]], THIRD), ([[2]], 3), ([[-2]], 3), ([[0, 5], [0, 0]], 2),
        ):  # fmt: skip
            truth = exponential_truth(tuple(tuple(Fraction(x) * h for x in row) for row in rows))
            vector = [Fraction(k + 1) for k in range(len(rows))]
            found = w.integrator.propagate(
                [exact(w, *row) for row in rows], w.numbers.interval(Fraction(h)), exact(w, *vector)
            )
            for i in range(len(rows)):
                least = sum(truth[i * len(rows) + j][0] * vector[j] for j in range(len(rows)))
                is_least(found[i], least, Fraction(1001, 1000))


@fact
def the_best_of_partitions_is_taken_where_each_is_true(w):
    with interval_precision(30):
        partitions = [[(0,), (1,)], [(0, 1)]]
        found = w.integrator.single([exact(w, 1, 5), exact(w, 3)], partitions)
        assert [ends(value)[1] for value in found] == [1, 3]
        near = w.integrator._rounded([iv.mpf([1, 3]), iv.mpf([0, 8])], [exact(w, 1, 5), exact(w, 3)], partitions)
        assert [ends(point) for point in near.points] == [(2, 2), (4, 4)]
        for known, least in zip(near.errors, ([2, 9], [3 + Fraction(41, 10)]), strict=True):
            for error, number in zip(known, least, strict=True):
                is_least(error, number, Fraction(11, 10))
        paths = []
        kept, w.integrator._part = w.integrator._part, lambda record, path, sizes, known, *_: paths.append(path) or known
        try:
            record, shape = w.integrator.recorded(lambda s: [s[0]], exact(w, 1)), types.SimpleNamespace(partitions=[[(0,)]])
            w.integrator.step(record, [exact(w, 1, 1)], exact(w, 0), [exact(w, 0)], Fraction(1), shape, 2)
        finally:
            w.integrator._part = kept
        for (path,), members in zip(paths, ((1, Fraction(3, 2)), (Fraction(3, 2), 2)), strict=True):
            for member in members:
                holds(path, member)
        assert [ends(x)[1] for x in w.integrator._raised([exact(w, -2, 3)])[0]] == [0, 3]


@fact
def errors_stay_in_a_tube_that_holds_them(w):
    """Beside p = 0: x' = x^2 from 1/2, and x' = y^2, y' = 100 x from (1/100, 0), which leaves the first tube in y alone."""

    def after(field: Any, errors: list[Any], h: Fraction, partitions: Any) -> Any:
        nothing = exact(w, *[0] * len(errors))
        record = w.integrator.recorded(field, nothing)
        shape = w.integrator.Shape(partitions, w.integrator.Rung(*COARSE), iv.mpf(2) ** -50, w.integrator.Restated)
        known = [exact(w, *errors) for _ in partitions]
        return w.integrator._part(record, nothing, nothing, known, w.numbers.interval(h), shape)

    with interval_precision(64):
        found = after(lambda s: [s[0] * s[0]], [Fraction(1, 2)], Fraction(1, 4), [[(0,)]])
        is_least(found[0][0], Fraction(4, 7))
        for h in (Fraction(1), Fraction(1, 10)):
            found = after(lambda s: [s[1] * s[1], s[0] * 100], [Fraction(1, 100), 0], h, [[(0,), (1,)]])
            if found is not None:
                is_least(found[0][0], Fraction(1, 100) + h**3 / 3)


COARSE = (60, 6, 12)


@fact
def solutions_are_where_they_are(w):
    """Where defects, rounding, growth, decay and couplings matter, each in turn."""

    def at(start, field, times, rung=COARSE, **more):
        return w.integrator.enclosures(
            statement(w, start, field, **more), [Fraction(t) for t in times], w.integrator.Rung(*rung)
        )

    ((value,),) = at([1], lambda s: [s[0] * 4], [1])
    holds(value, true(lambda x: x.exp(), 4), Fraction(8))
    ((value,), (later,)) = at([1], lambda s: [-s[0] * 6], [THIRD, 2])
    holds(value, true(lambda x: x.exp(), -2))
    holds(later, true(lambda x: x.exp(), -12))
    ((value,),) = at([THIRD], lambda s: [(s[0] * 3 - 1) * 8 / 3], [3], (60, 14, 50))
    holds(value, THIRD)
    (values,) = at([1, 0], lambda s: [-s[1], s[0]], [2])
    holds(values[0], true(lambda x: x.cos(), 2), Fraction(1, 2))
    holds(values[1], true(lambda x: x.sin(), 2), Fraction(1, 2))
    ((value,),) = at([1], lambda s: [s[0] * s[0]], [Fraction(3, 4)], (60, 10, 30))
    holds(value, 4, Fraction(1))
    both = lambda s: [(s[0] * 24 - 8 + s[1] * 3 - 1) / 3, (s[1] * 24 - 8 + s[0] * 3 - 1) / 3]  # noqa: E731
    for blocks in (None, [range(2)]):
        (values,) = at([THIRD, THIRD], both, [Fraction(5, 2)], (60, 14, 50), blocks=blocks)
        for value in values:
            holds(value, THIRD)
    (values,) = at([0, 1], lambda s: [s[0] * 0 + 1, s[1] * s[0]], [2], (60, 10, 30))
    holds(values[0], 2, Fraction(1, 100))
    holds(values[1], true(lambda x: x.exp(), 2), Fraction(1, 2))
    wide = w.integrator.enclosures(
        statement(w, [0], lambda s: [s[0]]),
        [Fraction(1)],
        w.integrator.Rung(60, 14, 50),
        start=[span(w, 0, Fraction(1, 1000))],
    )
    holds(wide[0][0], 0)
    holds(wide[0][0], true(lambda x: x.exp() / 1000, 1))


RECORDED: dict[str, Callable[[Any, Any], Any]] = {
    **OPERATIONS,
    "a constant over": lambda x, y: 5 / (x + y) * 2 - 1,
    "powers": lambda x, y: x * x * x - 1 / (y * y),
    "of constants": lambda x, y: (x * 0 + 2) * y + (x * 0 + 3) / y - (x * 0 + 1),
}


@fact
def a_record_does_what_the_field_does(w):
    with interval_precision(60), mp.workprec(60):
        for name in (*RECORDED, "exp", "log", "sqrt"):
            operation = RECORDED.get(name) or (lambda x, y, name=name: getattr(w.numbers, name)(x))
            record = w.integrator.recorded(lambda s, f=operation: [f(s[0], s[1]), s[0]], exact(w, 1, 1))
            rows = [w.numbers.Series(exact(w, *row)) for row in SERIES]
            found, plain = record.run(rows)[0], operation(*rows)
            for value, truth in zip(found.c, plain.c, strict=True):
                holds(value, ends(truth), Fraction(1, 2**30))


@fact
def rescaled_tokens_are_where_they_are(w):
    """One token alone stays where it is; two on a line with V = 1 keep their middle and come nearer."""

    class RescaledFlow:
        def __init__(self, **arrays):
            self.given = {name: np.array(value, dtype=object) for name, value in arrays.items()}

        def arrays(self):
            return self.given

    RescaledFlow.__module__ = "dynamics.here"
    F = Fraction
    one = RescaledFlow(z=[[F(1), F(2)]], B=[[F(1), F(0)], [F(0), F(1)]], V=[[F(1), F(1, 2)], [F(0), F(-1)]], t=F(1, 3))
    ((x, y, t),) = w.integrator.states_at(one, [F(3, 4)], w.integrator.LADDER[0])
    holds(x, 1, F(1, 10**6))
    holds(y, 2, F(1, 10**6))
    holds(t, F(13, 12), F(1, 10**9))


# ---------------------------------------------------------------------------------------------------------------------
# The judge of trajectory files


def judged(w: Any, flow: Any, finest: int = 16, **step: Any) -> str:
    """The verdict on one step, with polynomials given as short rows."""
    given = {
        "length": Fraction(1),
        "weights": [Fraction(1)] * len(flow.start),
        "start": 0,
        "error": 0,
        "slope": 0,
        "final": 0,
    }
    given |= step
    numbers = {name: Fraction(given[name]) for name in ("length", "start", "error", "slope", "final")}
    rows = [[Fraction(c) for c in row] for row in given["polynomials"]]
    record = StepRecord(polynomials=rows, weights=[Fraction(x) for x in given["weights"]], method="remainder", **numbers)
    return str(w.checker._step(flow, record, 64, finest)[0])


YES, NO = "CONFIRMED", "NOT CONFIRMED"


@fact
def bounds_of_a_step_hold_inside_and_at_its_end(w):
    """x = t^20 beside p = 0, with a clock: late and steep."""
    power = statement(w, [0, 0], lambda s: [power_of(s[1], 19) * 20, s[1] * 0 + 1], clocks={1: Fraction(1)})
    flat = {"polynomials": [[0], [0, 1]], "weights": [1, 0]}
    assert judged(w, power, **flat, error=2, slope=0, final=2) == YES
    assert judged(w, power, **flat, error=Fraction(1, 2), slope=0, final=2) != YES
    assert judged(w, power, **flat, error=2, slope=0, final=Fraction(9, 10)) == NO
    assert judged(w, power, **flat, error=0, slope=Fraction(1, 2), final=2) != YES
    assert judged(w, power, **flat, error=Fraction(1, 1000), slope=2, final=2) == YES


def power_of(x: Any, k: int) -> Any:
    result = x
    for _ in range(k - 1):
        result = result * x
    return result


@fact
def errors_grow_as_the_field_says(w):
    """x' = x from an error of 1 beside p = 0: e^t."""
    growing = statement(w, [0], lambda s: [s[0] * 1])
    start = {"polynomials": [[0]], "start": 1, "error": 1}
    assert judged(w, growing, **start, slope=2, final=Fraction(272, 100)) == YES
    assert judged(w, growing, **start, slope=2, final=Fraction(271, 100)) != YES
    assert judged(w, growing, **start, slope=Fraction(3, 2), final=Fraction(272, 100)) != YES
    assert judged(w, growing, **start, slope=0, final=3) != YES
    falling = statement(w, [0], lambda s: [s[0] * -1])
    assert judged(w, falling, **start, slope=Fraction(1, 100), final=Fraction(37, 100)) == YES
    assert judged(w, falling, **start, slope=Fraction(1, 100), final=Fraction(36, 100)) != YES
    assert judged(w, falling, polynomials=[[0]], start=1, error=Fraction(9, 10), slope=0, final=1) == NO


@fact
def defects_add_up_from_piece_to_piece(w):
    """x' = 1 beside p = 0."""
    steady = statement(w, [0], lambda s: [s[0] * 0 + 1])
    assert judged(w, steady, polynomials=[[0]], error=Fraction(3, 10), slope=0, final=Fraction(3, 10)) != YES
    assert judged(w, steady, polynomials=[[0]], error=Fraction(1, 10), slope=1, final=Fraction(11, 10)) == YES
    assert judged(w, steady, polynomials=[[0]], error=Fraction(1, 10), slope=0, final=Fraction(1, 2)) == NO


@fact
def what_is_true_and_not_seen_is_not_refuted(w):
    """Errors that turn: |e| never exceeds sqrt 2, which bounds of single coordinates do not see."""
    turn = {"start": 1, "error": Fraction(3, 2), "slope": Fraction(1, 1000)}
    damped = statement(w, [0, 0], lambda s: [s[1] * 3 - s[0] * 2, s[0] * -3 - s[1] * 2])
    assert judged(w, damped, polynomials=[[0], [0]], **turn, final=Fraction(1, 4)) == "CANNOT DECIDE"
    beside = statement(w, [0, 0, 0], lambda s: [s[1] * 1, s[0] * -1, s[2] * 0 + 1])
    given = {"polynomials": [[0], [0], [0]], "weights": [1, 1, 4]}
    assert judged(w, beside, **given, **turn, final=Fraction(3, 2)) == "CANNOT DECIDE"


@fact
def errors_couple_with_the_ratio_of_their_weights(w):
    """x' = y, y' = 0: an error w_y of y moves x by w_y t."""
    coupled = statement(w, [0, 0], lambda s: [s[1] * 1, s[1] * 0])
    given = {"polynomials": [[0], [0]], "start": 1, "error": 1}
    assert judged(w, coupled, **given, weights=[1, 8], slope=20000, final=10000) == YES
    assert judged(w, coupled, **given, weights=[1, 8], slope=4, final=5) != YES
    # True, but more than this method shows.
    assert judged(w, coupled, **given, weights=[1, 8], slope=8, final=9) == "CANNOT DECIDE"
    assert judged(w, coupled, **given, weights=[8, 1], slope=Fraction(1, 4), final=Fraction(5, 4)) == YES
    assert judged(w, coupled, **given, weights=[8, 1], slope=Fraction(1, 16), final=Fraction(17, 16)) != YES


@fact
def growth_is_that_of_the_widest_tube_of_a_piece(w):
    """x' = x^2 in a tube that widens from 0 to 8 around p = 0: DF = 2 x is at most 16 at its end."""
    square = statement(w, [0], lambda s: [s[0] * s[0]])
    record = StepRecord(Fraction(1), [[Fraction(0)]], [Fraction(1)], *(Fraction(x) for x in (0, 0, 8, 8)), "remainder")
    with interval_precision(100):
        for begin, length in ((Fraction(0), Fraction(1)), (Fraction(1, 2), Fraction(1, 4))):
            piece = w.checker._piece(square, record, begin, length, 3)
            is_least(piece.growth, 16 * (begin + length), Fraction(102, 100))
            is_least(piece.couplings[0], 16 * (begin + length), Fraction(102, 100))
        tilted = StepRecord(Fraction(1), [[Fraction(0), Fraction(5)]], [Fraction(1)], *(Fraction(0),) * 4, "remainder")
        piece = w.checker._piece(square, tilted, Fraction(0), Fraction(1), 3)
        is_least(piece.growth, 10)
        is_least(piece.defect, 20)  # |5 - 25 t^2| at t = 1
        piece = w.checker._piece(square, tilted, Fraction(1, 2), Fraction(1, 2), 3)
        is_least(piece.defect, 20)
        total = Fraction(5, 2) - Fraction(25, 3) * Fraction(7, 8)
        holds(piece.moves[0], total)


@fact
def a_defect_is_seen_between_the_middle_and_the_ends(w):
    """p' - F(p) of every order, around the middle of a piece."""
    line = statement(w, [0, 0], lambda s: [power_of(s[1], 5), s[1] * 0 + 1], clocks={1: Fraction(1)})
    record = StepRecord(
        Fraction(2),
        [[Fraction(0)], [Fraction(-1), Fraction(1)]],
        [Fraction(1), Fraction(0)],
        *(Fraction(0),) * 4,
        "remainder",
    )
    with interval_precision(80):
        for order in (1, 2, 3, 6):
            piece = w.checker._piece(line, record, Fraction(0), Fraction(2), order)
            is_least(piece.defect, 1)
            holds(piece.moves[0], 0)
            late = w.checker._piece(
                line,
                replace(record, polynomials=[[Fraction(0)], [Fraction(0), Fraction(1)]]),
                Fraction(0),
                Fraction(2),
                order,
            )
            holds(late.moves[0], Fraction(-32, 3))


@fact
def steps_hang_together(w):
    """Starts, hand-overs, clocks, blocks and times, in rationals."""
    from dynamics.checker.trajectory_format import Certificate

    flow = statement(w, [1, 0], lambda s: [s[0] * 0, s[1] * 0 + 1], clocks={1: Fraction(1)})

    still = statement(w, [1], lambda s: [s[0] * 0])

    def answer(times=(0, 1, 2), horizon=2, blocks=None, flow=flow, **changes):
        steps = []
        for k in range(2):
            given = {
                "polynomials": [[1], [k, 1]],
                "weights": [1, 0],
                "start": k,
                "error": 3,
                "slope": 0,
                "final": 1,
                "length": 1,
            }
            given |= changes.get(f"step{k}", {})
            rows = [[Fraction(c) for c in row] for row in given.pop("polynomials")]
            weights, box = [Fraction(x) for x in given.pop("weights")], given.pop("box", None)
            steps.append(
                StepRecord(
                    polynomials=rows, weights=weights, method="remainder", box=None if box is None else [Fraction(x) for x in box],
                    **{name: Fraction(value) for name, value in given.items()},
                )
            )  # fmt: skip
        made = Certificate(
            "", {}, 64, 20, Fraction(horizon), [Fraction(t) for t in times], blocks or flow.blocks, steps, {}, []
        )
        return w.checker._structure(made, flow)

    assert answer() is None
    alone = {"polynomials": [[1]], "weights": [1]}
    assert answer(flow=still, step0=alone, step1=alone) is None
    assert answer(flow=still, step0=alone | {"length": 2}, step1=alone) is not None
    assert answer(step0={"weights": [0, 0]}) is not None
    assert answer(step1={"start": 2, "polynomials": [[2], [1, 1]]}) is None
    for changes in (
        {"times": (0, 1)}, {"times": (1, 1, 2)}, {"times": (0, 1, 3)}, {"horizon": 3}, {"blocks": [range(2)]},
        {"step0": {"length": 2}}, {"step0": {"polynomials": [[2], [0, 1]]}}, {"step0": {"polynomials": [[1], [1, 1]]}},
        {"step1": {"polynomials": [[1], [0, 1]]}}, {"step1": {"polynomials": [[1], [1, 2]]}}, {"step1": {"polynomials": [[1], [1, 1, 1]]}},
        {"step1": {"polynomials": [[1], [1]]}}, {"step1": {"weights": [0, 0]}}, {"step1": {"start": Fraction(1, 2)}},
        {"step1": {"start": 0}}, {"step1": {"polynomials": [[2], [1, 1]]}}, {"step0": {"final": 2}}, {"step1": {"weights": [1]}},
        {"step1": {"polynomials": [[1]]}}, {"step1": {"box": [Fraction(1, 2), 0]}}, {"step1": {"box": [1]}},
        {"step0": {"weights": [2, 0]}}, {"step1": {"weights": [Fraction(1, 2), 0]}},
    ):  # fmt: skip
        assert answer(**changes) is not None, changes


# ---------------------------------------------------------------------------------------------------------------------
# Violations


@fact
def an_enclosure_must_hold_what_was_found(w):
    F = Fraction
    with interval_precision(60):
        for found, stated, answer in (
            ((1, 2), (1, 2), True), ((1, 2), (0, 3), True), ((1, 2), (F(3, 2), 3), None), ((1, 2), (0, F(3, 2)), None),
            ((1, 2), (F(5, 4), F(3, 2)), None), ((1, 2), (3, 4), False), ((1, 2), (-1, 0), False), ((1, 1), (1, 1), True),
            ((1, 2), (2, 3), None), ((F(1), F(1)), (F(1), F(2)), True),
        ):  # fmt: skip
            assert w.paths._is_inside(span(w, *found), tuple(map(F, stated))) is answer, (found, stated)
        for values, relation, stated, verdict in (
            ([(-2, -1)], ">= 0", (-3, 0), YES), ([(-2, 1)], ">= 0", (-3, 0), None), ([(1, 2)], ">= 0", None, NO),
            ([(0, 0)], "> 0", (0, 0), YES), ([(0, 0)], ">= 0", None, NO), ([(-2, -1)], ">= 0", (-9, -8), NO),
            ([(-2, -1)], ">= 0", (F(-3, 2), 0), None), ([(-2, -1), (3, 4)], ">= 0", None, YES), ([(3, 4), (-1, 1)], ">= 0", None, None),
            ([(1, 2)], "== 0", None, YES), ([(-2, -1)], "== 0", None, YES), ([(0, 0)], "== 0", None, NO),
        ):  # fmt: skip
            arbs = [w.arithmetic.arb.of(span(w, *ends_)) for ends_ in values]
            # The sign is taken by the arithmetic of the process: here by comparison.
            kept, w.paths.sign = (
                w.paths.sign,
                lambda x: 0 if x.ends[0] == x.ends[1] == libmp.fzero else 1 if x > 0 else -1 if x < 0 else None,
            )
            try:
                found = w.paths._judged(arbs, Relation(relation), None if stated is None else tuple(map(F, stated)))[0]
            finally:
                w.paths.sign = kept
            assert (None if found is None else str(found)) == verdict, (values, relation, stated)


@fact
def distances_to_hulls_are_exact(w):
    F = Fraction
    corners = [(F(0), F(0)), (F(2), F(0)), (F(0), F(2)), (F(1, 2), F(1, 2))]
    for x, truth in (((1, 1), 0), ((2, 2), 2), ((-1, 1), 1), ((-1, -1), 2), ((3, 0), 1), ((3, -1), 2), ((1, F(1, 2)), 0)):
        assert w.paths.distance_squared(tuple(map(F, x)), corners) == truth
    # Nearest to one side of a triangle, and nearer to the line of another, beyond that side.
    for triangle, x, truth in (
        ([(0, 0), (1, 3), (2, -1)], (-1, F(-5, 2)), F(36, 5)),
        ([(0, 0), (2, 0), (4, 1), (0, 3)], (F(7, 2), F(-1, 2)), F(5, 4)),
    ):
        assert w.paths.distance_squared(tuple(map(F, x)), [tuple(map(F, y)) for y in triangle]) == truth


@fact
def escapes_are_counted_in_full(w):
    """Two tokens on a line, one step at inverse temperature 0: each picks either with chance 1/2, and a move escapes."""

    def chain(steps, beta=0, eps="1/8"):
        given = {"beta": beta, "gamma": Fraction(1, 2), "eps": Fraction(eps), "steps": steps}
        arrays = {name: np.array(value, dtype=object) for name, value in given.items()}
        points = np.array([[Fraction(0)], [Fraction(1)]], dtype=object)
        return types.SimpleNamespace(x=points, group=np.array([0, 1]), **arrays)

    with interval_precision(80):
        nothing = iv.mpf(0)
        for steps, movers, truth in ((2, 2, Fraction(3, 4)), (2, 1, Fraction(1, 2)), (1, 2, 0), (3, 2, Fraction(15, 16))):
            escaped, dropped = w.paths.escapes(chain(steps), nothing, movers)
            holds(escaped, truth, Fraction(1, 2**60))
            holds(dropped, {(2, 1): Fraction(1, 4)}.get((steps, movers), 0))
            assert movers == 1 or ends(dropped)[1] < Fraction(1, 2**60)
        # At beta = 2 a token at 1 picks 0 with chance 1 / (1 + e^2), one at 0 either with 1/2.
        escaped, _ = w.paths.escapes(chain(2, 2), nothing, 2)
        holds(escaped, true(lambda x: 1 - x.exp() / (1 + x.exp()) / 2, 2), Fraction(1, 2**60))
        # A negligible pick is dropped, and counted as such.
        escaped, dropped = w.paths.escapes(chain(2, 2), iv.mpf(1) / 4, 2)
        holds(escaped + dropped, true(lambda x: 1 - x.exp() / (1 + x.exp()) / 2, 2))
        # Ratios of logarithms: P is at most 1.
        found = w.paths._log_ratio(exact(w, -3)[0], exact(w, Fraction(1, 4))[0], exact(w, 2)[0])
        holds(found, -3)
        holds(found, true(lambda x: x.log() - 3, 4))
        assert ends(found)[0] >= -3 - Fraction(1, 2**40)


# ---------------------------------------------------------------------------------------------------------------------
# Bugs

Bug = tuple[str, str, str, str]
"""A name, a module, a text that occurs once in it, and what it is replaced by."""

BUGS: list[Bug] = [
    # What auditors planted, and no test had noticed.
    (
        "tube width at the start of a piece",
        "checker",
        "reach = interval((step.error + step.slope * (begin + length))",
        "reach = interval((step.error + step.slope * begin)",
    ),
    (
        "no bound inside a piece",
        "checker",
        "if not at_most(_swollen(piece, error, time), interval(step.error + step.slope * end)):",
        "if False:",
    ),
    ("exponential without tail", "fields", "tail = symmetric(2 * beyond * q / terms)", "tail = symmetric(iv.mpf(0))"),
    ("the rest of an exponential over 128", "arithmetic", "entry + arb(0, 2 * bound)", "entry + arb(0, bound / 64)"),
    (
        "last pivot unseen",
        "numbers",
        "    for k in range(size):\n        if not (is_finite(work",
        "    for k in range(size - 1):\n        if not (is_finite(work",
    ),
    # Intervals
    (
        "rationals rounded to the nearest",
        "numbers",
        "    return iv.mpf(value.numerator) / iv.mpf(value.denominator)",
        "    return (iv.mpf(value.numerator) / iv.mpf(value.denominator)).mid",
    ),
    ("a radius from its lower end", "numbers", "iv.mpf([-radius.b, radius.b])", "iv.mpf([-radius.a, radius.a])"),
    ("a radius on one side", "numbers", "iv.mpf([-radius.b, radius.b])", "iv.mpf([0, radius.b])"),
    ("the size of the upper end", "numbers", "    return abs(value).b", "    return abs(value.b).b"),
    ("at most by the middles", "numbers", "bool(x.b <= y.a)", "bool(x.mid <= y.mid)"),
    ("at most by the lower ends", "numbers", "bool(x.b <= y.a)", "bool(x.a <= y.a)"),
    ("at most what is infinite", "numbers", "return is_finite(x) and is_finite(y) and", "return True and"),
    (
        "the larger by its lower end",
        "numbers",
        "iv.mpf([max(x.a, y.a), max(x.b, y.b)])",
        "iv.mpf([max(x.a, y.a), max(x.a, y.a)])",
    ),
    (
        "exponentials no wider than mpmath's",
        "numbers",
        "    ulp = iv.mpf(2) ** (3 - iv.prec)\n    return iv.mpf([(low",
        "    ulp = iv.mpf(0)\n    return iv.mpf([(low",
    ),
    ("exponentials of the lower end alone", "numbers", "(iv.exp(x.b) * (1 + ulp)).b", "(iv.exp(x.a) * (1 + ulp)).b"),
    (
        "logarithms no wider than mpmath's",
        "numbers",
        "    return iv.log(x) * iv.mpf([1 - ulp, 1 + ulp]) + symmetric(ulp)",
        "    return iv.log(x)",
    ),
    ("norms from lower ends", "numbers", "total += abs(value) * abs(value)", "total += abs(value.a) * abs(value.a)"),
    ("zero when the lower end is", "numbers", "return bool(value._mpi_ == _ZERO)", "return bool(value._mpi_[0] == fzero)"),
    # Series and dual numbers
    (
        "a product of series without its last term",
        "numbers",
        "product_sum(self.c[: k + 1], backwards",
        "product_sum(self.c[:k] or self.c[:1], backwards",
    ),
    (
        "a quotient of series without corrections",
        "numbers",
        "(a - product_sum(quotient, other.c[k:0:-1])) / other.c[0]",
        "a / other.c[0]",
    ),
    (
        "exponentials of series without k",
        "numbers",
        "y.append(product_sum(slopes[1 : k + 1], y[::-1]) / k)",
        "y.append(product_sum(slopes[1 : k + 1], y[::-1]))",
    ),
    ("logarithms of series without j", "numbers", "rest -= j * y[j] * x[k - j]", "rest -= y[j] * x[k - j]"),
    ("roots of series without products", "numbers", "                rest -= y[j] * y[k - j]\n", "                pass\n"),
    (
        "a difference from a series with the wrong sign",
        "numbers",
        "return self._lift(other) - self\n",
        "return self - self._lift(other)\n",
    ),
    (
        "the product rule with one term",
        "numbers",
        "gradient = _merged(_scaled(self.gradient, other.value), _scaled(other.gradient, self.value))",
        "gradient = _scaled(self.gradient, other.value)",
    ),
    (
        "the quotient rule with the wrong sign",
        "numbers",
        "_scaled(other.gradient, -quotient * inverse)",
        "_scaled(other.gradient, quotient * inverse)",
    ),
    (
        "gradients that replace one another",
        "numbers",
        "return x | {k: x[k] + d if k in x else d for k, d in y.items()}",
        "return x | y",
    ),
    ("slopes of roots doubled", "numbers", "_scaled(self.gradient, 1 / (2 * value))", "_scaled(self.gradient, 1 / value)"),
    (
        "polynomials shifted by the middle",
        "numbers",
        "work[j] = work[j] + center * work[j + 1]",
        "work[j] = work[j] + center.mid * work[j + 1]",
    ),
    (
        "polynomials shifted once less",
        "numbers",
        "for k in range(min(length, len(work))):",
        "for k in range(min(length, len(work)) - 1):",
    ),
    (
        "sums of products of lower ends",
        "numbers",
        "result = mpi_add(result, mpi_mul(left, right, bits), bits)",
        "result = mpi_add(result, mpi_mul((left[0], left[0]), right, bits), bits)",
    ),
    # Eigenvalues
    (
        "a guess that is not proved",
        "numbers",
        "if point.b < bound.a and _positive_definite(",
        "if point.b < bound.a or _positive_definite(",
    ),
    ("pivots that may be zero", "numbers", "and work[k][k].a > 0):", "and work[k][k].a >= 0):"),
    ("pivots by their upper ends", "numbers", "and work[k][k].a > 0):", "and work[k][k].b > 0):"),
    (
        "elimination without its products",
        "numbers",
        "work[i][j] = work[i][j] - factor * work[k][j]",
        "work[i][j] = work[i][j]",
    ),
    (
        "Gershgorin without the other entries",
        "numbers",
        "rows = [total([matrix[i][i].b, *(upper(matrix[i][j]) for j in range(size) if j != i)]).b for i in range(size)]",
        "rows = [matrix[i][i].b for i in range(size)]",
    ),
    ("Gershgorin of the first row", "numbers", "    for row in rows[1:]:\n        bound = larger(bound, row)\n", ""),
    (
        "logarithmic norms of one triangle",
        "numbers",
        "(matrix[i][j] + matrix[j][i]) / 2 for j in size",
        "matrix[max(i, j)][min(i, j)] for j in size",
    ),
    (
        "spectral norms of the wrong product",
        "numbers",
        "total([row[i] * row[j] for row in matrix])",
        "total([row[i] * row[i] if i == j else row[i] * 0 for row in matrix])",
    ),
    (
        "norms that are squares",
        "numbers",
        "return iv.sqrt(larger(square, iv.mpf(0))).b",
        "return larger(square, iv.mpf(0)).b",
    ),
    # The numbers in flint's place
    (
        "ends to the nearest",
        "arithmetic",
        "(libmp.mpf_div(p, q, iv.prec, FLOOR), libmp.mpf_div(p, q, iv.prec, CEILING))",
        "(libmp.mpf_div(p, q, iv.prec, 'n'), libmp.mpf_div(p, q, iv.prec, 'n'))",
    ),
    ("below by the lower ends", "arithmetic", "return bool(mpf_lt(x[1], y[0]))", "return bool(mpf_lt(x[0], y[0]))"),
    (
        "not above though they touch inside",
        "arithmetic",
        "return bool(mpf_le(x[1], y[0]))",
        "return bool(mpf_le(x[0], y[0]))",
    ),
    ("the same when the middles are", "arithmetic", "return bool(x[0] == x[1] == y[0] == y[1])", "return bool(x == y)"),
    ("open comparisons that are not counted", "arithmetic", "(not surely_not(self.ends, ends) and _doubt())", "False"),
    (
        "truth values that are not counted",
        "arithmetic",
        "        if _is_open_at_zero(self):\n            _doubt()\n        return not",
        "        return not",
    ),
    (
        "negation without exchange",
        "arithmetic",
        "return _interval((mpf_neg(self.ends[1]), mpf_neg(self.ends[0])))",
        "return _interval((mpf_neg(self.ends[0]), mpf_neg(self.ends[0])))",
    ),
    (
        "even powers of intervals by multiplication",
        "arithmetic",
        "square = abs(half) * abs(half) if isinstance(half, arb) else half * half",
        "square = half * half.mid() if isinstance(half, arb) else half * half",
    ),
    ("inverse powers that are none", "arithmetic", "return 1 / _power(base, -exponent)", "return _power(base, -exponent)"),
    (
        "a radius to the nearer end",
        "arithmetic",
        "reach = _largest(mpf_sub(middle, low",
        "reach = _least(mpf_sub(middle, low",
    ),
    (
        "a union of lower ends",
        "arithmetic",
        "(_least(self.ends[0], _needed(other)[0]), _largest(self.ends[1], _needed(other)[1]))",
        "(_least(self.ends[0], _needed(other)[0]), _largest(self.ends[1], _needed(other)[0]))",
    ),
    (
        "a minimum like a maximum",
        "arithmetic",
        "return _interval((_least(self.ends[0], ends[0]), _least(self.ends[1], ends[1])))",
        "return _interval((_least(self.ends[0], ends[0]), _largest(self.ends[1], ends[1])) if False else (_largest(self.ends[0], ends[0]), _largest(self.ends[1], ends[1])))",
    ),
    (
        "exponentials of the lower end",
        "arithmetic",
        "highest = libmp.mpf_exp(_largest(high, mpf_neg(_CAP)), iv.prec, CEILING)",
        "highest = libmp.mpf_exp(_largest(low, mpf_neg(_CAP)), iv.prec, CEILING)",
    ),
    (
        "logarithms of the upper end",
        "arithmetic",
        "libmp.mpf_log(low, iv.prec, FLOOR)",
        "libmp.mpf_log(high, iv.prec, FLOOR)",
    ),
    (
        "series with a radius of one side",
        "arithmetic",
        "_interval(libmp.mpi_add(self.ends, (mpf_neg(reach), reach), iv.prec))",
        "_interval(libmp.mpi_add(self.ends, (fzero, reach), iv.prec))",
    ),
    (
        "products of series cut",
        "arithmetic",
        "product = [arb(0)] * min(size, max(0, len(self.c) + len(other.c) - 1))",
        "product = [arb(0)] * min(size, max(len(self.c), len(other.c)) - 1)",
    ),
    (
        "sums of series of the longer length",
        "arithmetic",
        "        size = min(self.prec, series.prec)\n        longest",
        "        size = max(self.prec, series.prec)\n        longest",
    ),
    (
        "integrals without division",
        "arithmetic",
        "*(c / (k + 1) for k, c in enumerate(self.c))",
        "*(c for k, c in enumerate(self.c))",
    ),
    ("determinants without the sign of exchanges", "arithmetic", "            sign = -sign\n", ""),
    (
        "norms of the first row",
        "arithmetic",
        "        largest = largest.max(total)\n",
        "        largest = largest.max(total)\n        break\n",
    ),
    (
        "one squaring too few",
        "arithmetic",
        "            for _ in range(halvings):\n                grown = _product(grown, grown)",
        "            for _ in range(halvings - 1):\n                grown = _product(grown, grown)",
    ),
    # Flows
    (
        "the other exponential squared once too few",
        "fields",
        "    for _ in range(halvings):\n        result",
        "    for _ in range(halvings - 1):\n        result",
    ),
    (
        "the time at its middle",
        "fields",
        "around = _exponential([[entry * (t - center) for entry in row] for row in matrix])",
        "around = _exponential([[entry * 0 for entry in row] for row in matrix])",
    ),
    (
        "time derivatives without factorials",
        "fields",
        "powers.append([[entry / k for entry in row]",
        "powers.append([[entry for entry in row]",
    ),
    (
        "sizes of the first row",
        "fields",
        "    for value in sums[1:]:\n        largest = larger(largest, value)\n    return largest\n\n\ndef _product",
        "    return largest\n\n\ndef _product",
    ),
    # The integrator
    (
        "defects without their last coefficient",
        "integrator",
        "for value in (*low[i], series.c[degree]):",
        "for value in low[i]:",
    ),
    (
        "defects without the first",
        "integrator",
        "for value in (*low[i], series.c[degree]):",
        "for value in (iv.mpf(0), *low[i][1:], series.c[degree]):",
    ),
    ("the remainder at the start", "integrator", "    around = iv.mpf([0, h.b])\n", "    around = iv.mpf(0)\n"),
    (
        "defects by lower ends",
        "integrator",
        "            bound += upper(value) * power\n",
        "            bound += abs(value).a * power\n",
    ),
    (
        "couplings left out",
        "integrator",
        "line.append((logarithmic_norm(part) if other == block else spectral_norm(part)).b)",
        "line.append(logarithmic_norm(part).b if other == block else iv.mpf(0))",
    ),
    (
        "norms for logarithmic norms of the others",
        "integrator",
        "if other == block else spectral_norm(part)).b)",
        "if len(part) == len(part[0]) else spectral_norm(part)).b)",
    ),
    ("propagation without its rest", "integrator", "rest = largest * q / (terms - q)", "rest = iv.mpf(0)"),
    (
        "propagation without the shift back",
        "integrator",
        "interval_exp(-shift * h)).b for value in result]",
        "interval_exp(-2 * shift * h)).b for value in result]",
    ),
    (
        "propagation for half the time",
        "integrator",
        "raised = [[(matrix[i][j] + (shift if i == j else 0)) * h",
        "raised = [[(matrix[i][j] + (shift if i == j else 0)) * h / 2",
    ),
    (
        "rounding that is not handed on",
        "integrator",
        "[_sums(known, _norms(away, blocks)) for known, blocks in zip(errors, partitions, strict=True)]",
        "[list(known) for known in errors]",
    ),
    (
        "tubes that need hold one coordinate",
        "integrator",
        "if all(bound < radius for bound, radius in zip(reached, tube, strict=True)):",
        "if any(bound < radius for bound, radius in zip(reached, tube, strict=True)):",
    ),
    (
        "tubes that need not hold",
        "integrator",
        "if all(bound < radius for bound, radius in zip(reached, tube, strict=True)):",
        "if True:",
    ),
    (
        "no tube",
        "integrator",
        "[value + symmetric(radius) for value, radius in zip(path, tube, strict=True)]",
        "list(path)",
    ),
    (
        "defects that are not added",
        "integrator",
        "    moves = [(size * h).b for size in sizes]\n",
        "    moves = [iv.mpf(0) for size in sizes]\n",
    ),
    (
        "defects of one part alone",
        "integrator",
        "following = _part(record, path, sizes, carried,",
        "following = _part(record, path, [size / parts**4 for size in sizes], carried,",
    ),
    (
        "errors that are not carried",
        "integrator",
        "        carried = [list(known) for known in errors]\n",
        "        carried = [[iv.mpf(0) for _ in known] for known in errors]\n",
    ),
    (
        "growth that may shrink what is added",
        "integrator",
        "return [[larger(entry, iv.mpf(0)).b for entry in line] for line in matrix]",
        "return [[-larger(-entry, iv.mpf(0)) for entry in line] for line in matrix]",
    ),
    ("the path at its middle", "integrator", "around = symmetric(interval(length / (2 * parts)))", "around = iv.mpf(0)"),
    (
        "the worst of partitions as if the best",
        "integrator",
        "best[i] = min(best[i], error.b)",
        "best[i] = min(best[i], error.b / 2)",
    ),
    (
        "starts without their width",
        "integrator",
        "near = _rounded(begin, ",
        "near = _rounded([value.mid for value in begin], ",
    ),
    (
        "enclosures without their errors",
        "integrator",
        "[point + symmetric(radius) for point, radius in zip(near.points, radii, strict=True)]",
        "list(near.points)",
    ),
    (
        "a clock that starts at zero",
        "integrator",
        "states.append([*_mapped(V, -begin - time, x), interval(begin + time)])",
        "states.append([*_mapped(V, -begin - time, x), interval(time)])",
    ),
    ("tokens mapped back for the elapsed time", "integrator", "_mapped(V, -begin - time, x)", "_mapped(V, -time, x)"),
    (
        "records that forget a constant",
        "recording",
        'return self if is_zero(constant) else self.noted("move"',
        'return self if True else self.noted("move"',
    ),
    (
        "records with operands exchanged",
        "recording",
        '"sub": lambda v, i, j, c: v[i] - v[j],',
        '"sub": lambda v, i, j, c: v[j] - v[i],',
    ),
    # The judge of trajectory files
    ("tubes that do not widen", "checker", "(step.error + step.slope * (begin + length))", "(step.error)"),
    (
        "a defect without remainder",
        "checker",
        "        sizes.append((bound + last).b)\n",
        "        sizes.append(bound.b)\n",
    ),
    (
        "a defect at the middle",
        "checker",
        "            power *= radius\n            if k",
        "            power *= 0\n            if k",
    ),
    ("a Jacobian at the middle", "checker", "+ moving.gradient.get(j, nothing).c[1] * around", ""),
    (
        "growth without couplings",
        "checker",
        "                total += spectral_norm(part) * interval(others / weight)\n",
        "                pass\n",
    ),
    ("ratios of weights upside down", "checker", "interval(others / weight)", "interval(weight / others)"),
    ("growth of the last block", "checker", "        growth = larger(growth, total.b)\n", "        growth = total.b\n"),
    (
        "no defect in the march",
        "checker",
        "    moved = piece.defect * time * interval_exp(larger(piece.growth, iv.mpf(0)) * time)\n",
        "    moved = iv.mpf(0)\n",
    ),
    (
        "a march that does not grow",
        "checker",
        "    return (error * interval_exp(piece.growth * time) + moved).b",
        "    return (error + moved).b",
    ),
    (
        "a march from nothing",
        "checker",
        "    error = interval(step.start).b\n    for k, piece",
        "    error = iv.mpf(0)\n    for k, piece",
    ),
    ("the end unseen", "checker", 'return "" if at_most(error, interval(step.final)) else', 'return "" if True else'),
    ("moves without the remainder", "checker", "moves.append(move + symmetric(2 * last * radius))", "moves.append(move)"),
    ("a refutation without the drift", "checker", "- moves[i]) - drifts[i]", "- moves[i])"),
    (
        "a refutation of what is small",
        "checker",
        "                    if least.a > interval(weight * min(last, stated)).b:",
        "                    if least.b > interval(weight * min(last, stated) / 2).b:",
    ),
    (
        "hand-overs of the first step alone",
        "checker",
        "reach = steps[k - 1].weights[b] * steps[k - 1].final if k else Fraction(0)",
        "reach = Fraction(0)",
    ),
    (
        "hand-overs by the first coordinate",
        "checker",
        "if room < 0 or sum(miss**2 for miss in misses) > room**2:",
        "if room < 0:",
    ),
    ("clocks of any speed", "checker", "or _degree_one(row) != speed:", "or _degree_one(row) is None:"),
    ("clocks that bend", "checker", "return None if any(row[2:]) else", "return"),
    (
        "weight 0 for anything",
        "checker",
        '                if i not in statement.clocks:\n                    return no(f"coordinate {i} has weight 0 but is no clock", k)\n',
        "                if i not in statement.clocks:\n                    continue\n",
    ),
    ("lengths of any size", "checker", "        if times[k] + step.length != times[k + 1]:", "        if False:"),
    (
        "boxes that are not looked at",
        "checker",
        "if step.box is not None and any(miss + reach",
        "if False and any(miss + reach",
    ),
    # Violations
    (
        "an overlap for an enclosure",
        "paths",
        "if found.a >= lower.b and found.b <= upper.a:",
        "if found.b >= lower.a and found.a <= upper.b:",
    ),
    (
        "an enclosure of the lower end",
        "paths",
        "if found.a >= lower.b and found.b <= upper.a:",
        "if found.a >= lower.b and found.a <= upper.a:",
    ),
    (
        "outside when not inside",
        "paths",
        "return False if found.b < lower.a or found.a > upper.b else None",
        "return False",
    ),
    ("zero never breaks > 0", "paths", "if found in relation.forbidden", "if found == -1"),
    ("zero always breaks", "paths", "if found in relation.forbidden", "if found in (-1, 0)"),
    (
        "stated enclosures that are not looked at",
        "paths",
        "    inside = True if stated is None else _is_inside(worst, stated)\n",
        "    inside = True\n",
    ),
    ("open signs that pass for none", "paths", "    if not bad and None not in signs:", "    if not bad:"),
    ("a chance above 1", "paths", "interval_log(most).b if 0 < most < 1 else 0", "interval_log(most).b"),
    ("picks away counted once", "paths", "away + (target != start[len(moved)])", "away"),
    ("dropped picks that are lost", "paths", "            dropped += iv.mpf([0, max((mass - kept).b, iv.mpf(0).b)])\n", ""),
    ("one step more", "paths", "for _ in range(int(chain.steps.item()) - 1):", "for _ in range(int(chain.steps.item())):"),
    (
        "picks without beta",
        "paths",
        "heights = [beta * _inner(x, y) for y in state]",
        "heights = [_inner(x, y) for y in state]",
    ),
    ("the first projection", "paths", "if all(_inner(away, _minus(y, nearest)) <= 0 for y in corners):", "if True:"),
    (
        "projections beyond a simplex",
        "paths",
        "if shares is None or any(share < 0 for share in shares) or sum(shares) > 1:",
        "if shares is None or sum(shares) > 1:",
    ),
]


NAMED = 5
"""The first of the bugs are planted in every run."""

SHARE = 1 if settings().max_examples > 100 else 8
"""Of the others one in so many is planted in a run that is not a long one."""


def failed(check: Callable[[Any], None], w: Any) -> bool:
    """Whether a fact is found false; a crash of another kind is none."""
    cap, bits = dynamics.checker.flint_stand_in.ctx.cap, iv.prec
    try:
        check(w)
    except AssertionError:
        return True
    except Exception:  # noqa: BLE001 -- whatever a bug does
        return False
    finally:
        iv.prec = bits
        dynamics.checker.flint_stand_in.ctx.cap = cap
    return False


def test_every_bug_has_its_place():
    """Those too that are planted in a long run only."""
    assert [name for name, where, old, _ in BUGS if source_of(where).count(old) != 1] == []


@pytest.mark.parametrize("check", FACTS, ids=lambda check: check.__name__)
def test_facts(check):
    check(world())


def test_every_planted_bug_is_caught(capsys):
    sound, costs = world(), {}
    for check in FACTS:
        begin = time.process_time()
        assert not failed(check, sound)
        costs[check] = time.process_time() - begin
    facts, caught = sorted(FACTS, key=costs.__getitem__), {}
    planted = [*BUGS[:NAMED], *BUGS[NAMED::SHARE]]
    for name, *bug in planted:
        broken = world(*bug)
        caught[name] = next((check.__name__ for check in facts if failed(check, broken)), None)
        # Neighbours in the list are often caught by the same fact: it is tried first.
        facts.sort(key=lambda check, by=caught[name]: check.__name__ != by)
    assert len(caught) == len(planted)
    with capsys.disabled():
        found = len(planted) - list(caught.values()).count(None)
        print(f"\nindependent checker: planted bugs: {found} of {len(planted)} caught")
    assert [name for name, by in caught.items() if by is None] == []
