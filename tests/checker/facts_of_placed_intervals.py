"""Facts about the decisions of the checker on intervals that are placed around the bound in every order."""

from __future__ import annotations

from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import fmpq
from mpmath import iv, libmp

from claims.stating.statement import Conclusion, Form, Relation, Tail
from dynamics.checker.answers import Verdict
from dynamics.checker.intervals import interval_precision
from tests.checker.worlds import fact, rational
from tests.placed import ABOVE, CONTAINS, PLACES, Ends, at_most, decided, orders_of_four, rows, side

YES, NO = Verdict.CONFIRMED, Verdict.NOT_CONFIRMED
# At the second size the ends differ from 0 by less than a float's last digit beside 1.
SIZES = (fmpq(1), fmpq(1, 2**60))


def between(ends: Ends, size: fmpq = SIZES[0]) -> Any:
    """The interval with exactly these dyadic ends."""
    return iv.mpf([*(libmp.from_rational(int((end * size).p), int((end * size).q), 200) for end in ends)])


def told(w: Any, question: Any) -> bool | None:
    """The answer of the stand-in for flint, None where it counts the comparison as open."""
    # The stand-in answers every question, and counts those that it could not decide.
    before = w.arithmetic.open_comparisons()
    found = bool(question())
    return None if w.arithmetic.open_comparisons() != before else found


def sign_of(x: Any) -> int | None:
    """The sign of one of the stand-in's numbers, by its ends: the arithmetic of the process knows only flint's."""
    if not hasattr(x, "ends"):
        return (x > 0) - (x < 0)
    low, high = map(rational, x.ends)
    signs = {(end > 0) - (end < 0) for end in (low, high)}
    return signs.pop() if len(signs) == 1 else None


@contextmanager
def signs_by_ends(module: Any) -> Any:
    kept, module.sign = module.sign, sign_of
    try:
        yield
    finally:
        module.sign = kept


@fact
def intervals_are_compared_as_all_their_members_are(w):
    with interval_precision(80):
        for size, (x, y) in product(SIZES, orders_of_four()):
            left, right = between(x, size), between(y, size)
            assert w.numbers.at_most(left, right) is (at_most(x, y) is True), (x, y)
            a, b = w.arithmetic.arb.of(left), w.arithmetic.arb.of(right)
            known, back = at_most(x, y), at_most(y, x)
            assert told(w, lambda a=a, b=b: a <= b) is known, (x, y)
            assert told(w, lambda a=a, b=b: a >= b) is back
            assert told(w, lambda a=a, b=b: a < b) is (None if back is None else not back)
            assert told(w, lambda a=a, b=b: a > b) is (None if known is None else not known)
            same = x == y and x[0] == x[1]
            assert told(w, lambda a=a, b=b: a == b) is (True if same else None if known is None or back is None else False)
        for ends in PLACES:
            assert w.numbers.is_zero(between(ends)) is (ends[0] == ends[1] == 0)


@fact
def larger_intervals_hold_the_larger_number_and_no_more(w):
    with interval_precision(80):
        for x, y in orders_of_four():
            found = [rational(end) for end in w.numbers.larger(between(x), between(y))._mpi_]
            assert found == [Fraction(int(max(x[k], y[k]))) for k in (0, 1)], (x, y)
            a, b = (w.arithmetic.arb.of(between(ends)) for ends in (x, y))
            assert [*map(rational, a.max(b).ends)] == found
            assert [*map(rational, a.min(b).ends)] == [int(min(x[k], y[k])) for k in (0, 1)]
            assert [*map(rational, a.union(b).ends)] == [int(min(x[0], y[0])), int(max(x[1], y[1]))]


@fact
def a_violation_is_one_entry_certainly_on_the_forbidden_side(w):
    # 80 bits: all ends, of either size, are exact.
    with interval_precision(80), signs_by_ends(w.paths):
        for relation, size, entries in product(Relation, SIZES, rows()):
            values = [w.arithmetic.arb.of(between(ends, size)) for ends in entries]
            known = decided(entries, relation)
            found, _, shown = w.paths._judged(values, relation, None)
            assert found is {False: YES, True: NO, None: None}[known], (relation, entries)
            # Which entry is shown is part of the answer: of those on the forbidden side the least.
            if known is not True:
                signs = relation.forbidden if known is False else (None,)
                least = min((entry for entry in entries if side(entry) in signs), key=sum)
                assert sum(map(rational, shown._mpi_)) == Fraction(int(sum(least))) * Fraction(int(size.p), int(size.q))


@fact
def a_violation_lies_inside_the_stated_enclosure(w):
    """All orders of the four ends, moved to either side of zero; and the other entries, good or open, change nothing."""
    with interval_precision(80), signs_by_ends(w.paths):
        for relation, (x, y), shift in product(Relation, orders_of_four(), (-5, 1)):
            found, stated = (tuple(end + shift for end in ends) for ends in (x, y))
            inside = stated[0] <= found[0] and found[1] <= stated[1]
            outside = found[1] < stated[0] or found[0] > stated[1]
            bounds = tuple(Fraction(int(end)) for end in stated)
            assert w.paths._is_inside(between(found), bounds) is (True if inside else False if outside else None), (x, y)
            broken = side(found) in relation.forbidden
            expected = (YES if inside else NO if outside else None) if broken else NO
            # Of an equation the entry above would be a violation of its own.
            others = [()] if relation is Relation.ZERO or not broken else [(), (ABOVE,), (CONTAINS,)]
            for more, first in product(others, (True, False)):
                entries = [*more, found] if first else [found, *more]
                values = [w.arithmetic.arb.of(between(ends)) for ends in entries]
                assert w.paths._judged(values, relation, bounds)[0] is expected, (relation, entries, stated)


@fact
def a_chance_is_above_its_bound_or_at_most_it(w):
    """P between escaped and escaped + cut against a bound, all orders; the reverse statement has the reverse answer."""
    names = ("escapes", "interval_exp", "_passes", "numbers")
    kept = {name: getattr(w.paths, name) for name in names}
    w.paths._passes = lambda tokens: iter([(1, Fraction(1))])
    try:
        # What is followed is an interval itself, and of its width as much as there is, or none, is followed.
        for (p, bound), reverse, known in product(orders_of_four(), (False, True), (0, 1)):
            low, high, least, most = (iv.mpf(int(end) + 1) / 8 for end in (*p, *bound))
            escaped = iv.mpf([low.a, (high if known else low).b])
            w.paths.escapes = lambda *given, e=escaped, high=high: (e, iv.mpf([0, (high - e.b).b]))
            w.paths.interval_exp = lambda x, least=least, most=most: iv.mpf([least.a, most.b])
            tail = Tail(Chain, w.arithmetic.arb.of(iv.mpf(-1)), reverse)
            conclusion = Conclusion("made_up", Form.PROBABILITY, ">= 0", lambda system, tail=tail: tail)
            found = w.paths.tail_violation(conclusion, None)[0]
            above, below = p[0] > bound[1], p[1] <= bound[0]
            expected = Verdict.CANNOT_DECIDE if not (above or below) else YES if above is not reverse else NO
            assert found is expected, (p, bound, reverse)
    finally:
        for name, was in kept.items():
            setattr(w.paths, name, was)


class Chain:
    x = np.zeros((1, 1))
