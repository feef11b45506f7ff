"""Decisions fed with enclosures around the bound, in every order: each says what three-valued logic says, and no more."""

from __future__ import annotations

import operator
from itertools import product

import numpy as np
import pytest
from flint import arb, arb_series, fmpq

from claims.stating.statement import Conclusion, Form, Relation
from claims.stating.verdict import Known, Outcome
from claims.verifying import deciding
from dynamics import arithmetic
from dynamics.arithmetic import UndecidedError, numbers
from dynamics.choices import Ball, Series, guarded_numbers, plain
from dynamics.enclosures.steps import Rung, enclose_at
from dynamics.limits.margins import NotTrappedError, inside
from tests.placed import (
    NUDGE,
    ONE,
    PLACES,
    SCALES,
    ZERO,
    at_most,
    compared,
    decided,
    enclosure,
    ends_of,
    pairs_of_balls,
    rows,
    side,
)
from tests.verifying.made_up import LOGISTIC

RELATIONS = tuple(Relation)
ONCE = deciding.Effort(bits=64)
OUTCOMES = {True: Outcome.HOLDS, False: Outcome.VIOLATED, None: Outcome.UNDECIDED}


def array(entries):
    made = np.empty(len(entries), dtype=object)
    made[:] = entries
    return numbers(made)


def guarded(entries, scale=ONE):
    return array([Ball(enclosure(ends, scale)) for ends in entries])


def breaks(entries, relation):
    return [k for k, ends in enumerate(entries) if side(ends) in relation.forbidden]


def test_the_least_of_several_is_no_larger_than_any_number_of_any_of_them():
    """The narrow above the wide and beside it: the one with the lowest middle may not be the one that reaches lowest."""
    inner = tuple((fmpq(low, 4), fmpq(high, 4)) for low, high in ((-1, 0), (0, 1), (1, 1), (1, 2), (-5, 4)))
    for entries in rows((*PLACES, *inner), most=2):
        for made in (array([enclosure(ends) for ends in entries]), guarded(entries)):
            told = ends_of(arb(plain(deciding.lowest_entry(made))))[0]
            assert told == min(ends_of(arb(plain(entry)))[0] for entry in made.flat)


@pytest.mark.parametrize("relation", RELATIONS)
def test_signs_of_slacks(relation):
    for scale, entries in product(SCALES[::2], rows()):
        bad, known = breaks(entries, relation), decided(entries, relation)
        values = array([enclosure(ends, scale) for ends in entries])
        assert [arithmetic.sign(value) for value in values] == [side(ends) for ends in entries]
        witness = deciding.most_violated(values, relation, 64)
        assert (witness is None) is (known is not False), entries
        if witness is not None:
            assert witness.entry[0] in bad
            middle = {k: sum(entries[k]) for k in bad}
            worst = max(map(abs, middle.values())) if relation is Relation.ZERO else -min(middle.values())
            assert abs(middle[witness.entry[0]]) == abs(worst)
        if relation is Relation.ZERO and known is None:
            continue  # decided to so many digits: below
        found = deciding.check(
            Conclusion("made_up", Form.STATE, relation, lambda f, v=entries, s=scale: guarded(v, s)), None, ONCE
        )
        assert found.outcome is OUTCOMES[known], entries
        if known is True and any(ends != ZERO for ends in entries):
            assert found.slack.mid() == min(enclosure(ends, scale).mid() for ends in entries)


def test_identities_hold_to_digits_where_every_entry_contains_zero():
    narrow, wide = fmpq(1, 2**202), fmpq(1, 2**100)
    for entries in rows(most=2):
        for scales in product((narrow, wide), repeat=len(entries)):
            values = array([Ball(enclosure(ends, scale)) for ends, scale in zip(entries, scales, strict=True)])
            found = deciding.check(Conclusion("made_up", Form.IDENTITY, "== 0", lambda f, v=values: v), None, ONCE)
            no = any(side(ends) not in (0, None) for ends in entries)
            yes = all(side(ends) == 0 or scale is narrow for ends, scale in zip(entries, scales, strict=True))
            assert found.outcome is (Outcome.VIOLATED if no else Outcome.HOLDS if yes else Outcome.UNDECIDED), entries


def test_exact_numbers_decide_exactly():
    for relation, signs in product(RELATIONS, product((-1, 0, 1), repeat=3)):
        values = array([fmpq(sign, 10**40) for sign in signs])
        found = deciding.check(Conclusion("made_up", Form.STATE, relation, lambda f, v=values: v), None, ONCE)
        holds = not set(signs) & set(relation.forbidden)
        assert (found.outcome, found.known) == (OUTCOMES[holds], Known.EXACT)
        assert found.slack == (min(signs, key=lambda s: s if relation is not Relation.ZERO else -abs(s))) * fmpq(1, 10**40)


@pytest.fixture(scope="module")
def trajectory():
    return enclose_at(LOGISTIC, fmpq(1), Rung(64, 12, 1e-6))


def slack_of(formula):
    """The formula on guarded numbers, as a conclusion has it."""
    conclusion = Conclusion(
        "made_up", Form.TRAJECTORY, ">= 0", lambda now, start: formula(now), horizon=lambda start: fmpq(1)
    )
    return lambda now: conclusion.slack(now, LOGISTIC)


@pytest.mark.parametrize("strict", [False, True])
def test_signs_along_a_trajectory(trajectory, strict):
    relation = Relation.POSITIVE if strict else Relation.NONNEGATIVE
    for entries in rows(most=2):
        found = trajectory.decide(slack_of(lambda now, e=entries: guarded(e) + 0 * now.tau.item()), strict, 0)
        known = decided(entries, relation)
        assert found.sign == {True: 1, False: -1, None: None}[known], entries
        if known is False:
            assert found.entry in breaks(entries, relation)
            assert arithmetic.sign(found.least) == side(entries[found.entry])


@pytest.mark.parametrize("strict", [False, True])
def test_one_bad_time_of_one_entry(trajectory, strict):
    """tau - c, above zero after c, and c - tau; the wide entry beside it must neither hide the bad one nor hold."""
    width = fmpq(1, 2**20)
    for crossing in (fmpq(1, 64), fmpq(1, 2), fmpq(63, 64)):
        for direction, place, beside in product((1, -1), range(3), ("good", "open")):

            def slack(now, c=crossing, d=direction, k=place, other=beside):
                tau = now.tau.item()
                entries = [0 * tau + (Ball(arb(0, 1)) if other == "open" else 1)] * 3
                entries[k] = d * (tau - c) + Ball(arb(0, width))
                return array(entries)

            found = trajectory.decide(slack_of(slack), strict, 6)
            assert (found.sign, found.entry) == (-1, place)
            inside_of = found.time < crossing if direction == 1 else found.time > crossing
            assert inside_of, (found.time, crossing)
            held = trajectory.decide(
                slack_of(lambda now, c=crossing: array([now.tau.item() + c, 2 - now.tau.item()])), strict, 6
            )
            assert held.sign == 1


OPERATORS = {
    operator.le: at_most,
    operator.ge: lambda x, y: at_most(y, x),
    operator.lt: lambda x, y: None if (no := at_most(y, x)) is None else not no,
    operator.gt: lambda x, y: None if (no := at_most(x, y)) is None else not no,
    operator.eq: lambda x, y: None if (found := compared(x, y)) is None else found == 0,
    operator.ne: lambda x, y: None if (found := compared(x, y)) is None else found != 0,
}


def told(question):
    try:
        return bool(question())
    except UndecidedError:
        return None


def as_series(x):
    return Series(arb_series([x, arb(-7)], 2))


@pytest.mark.parametrize("compare", OPERATORS, ids=lambda compare: compare.__name__)
def test_comparisons_of_guarded_numbers(compare):
    with guarded_numbers():
        for x, y in pairs_of_balls():
            known = OPERATORS[compare](ends_of(x), ends_of(y))
            pairs = [(one(x), other(y)) for one, other in ((Ball, Ball), (as_series, as_series), (as_series, Ball))]
            pairs += [(Ball(x), y.fmpq())] if y.is_exact() else []
            pairs += [(x.fmpq(), Ball(y))] if x.is_exact() else []
            for left, right in pairs:
                assert told(lambda a=left, b=right: compare(a, b)) is known, (x, y)


def test_what_is_at_most_what():
    for x, y in pairs_of_balls():
        known = at_most(ends_of(x), ends_of(y))
        assert told(lambda a=x, b=y: arithmetic.at_most(array([a]), array([b])).item()) is known, (x, y)
        with guarded_numbers():
            assert told(lambda a=x, b=y: arithmetic.at_most(array([Ball(a)]), array([Ball(b)])).item()) is known, (x, y)


def test_the_larger_and_the_smaller_of_two_are_enclosed_by_narrow_balls():
    for x, y in pairs_of_balls():
        (a, b), (c, d) = ends_of(x), ends_of(y)
        for left, right in ((x, y), (Ball(x), Ball(y))):
            is_between(arithmetic.larger(left, right), max(a, c), max(b, d))
        is_between(Ball(x).min(Ball(y)), min(a, c), min(b, d))


def is_between(ball, low, high):
    least, most = ends_of(getattr(ball, "plain", ball))
    assert low - NUDGE <= least <= low
    assert high <= most <= high + NUDGE


@pytest.mark.parametrize("relation", RELATIONS)
def test_what_breaks_a_relation_between_two_numbers(relation):
    assert set(relation.forbidden) == {">= 0": {-1}, "> 0": {-1, 0}, "== 0": {-1, 1}}[relation.value]
    for scale, (low, high) in product((*SCALES, fmpq(1, 10**40)), product(range(-2, 3), repeat=2)):
        expected = low <= high and all(((k > 0) - (k < 0)) in relation.forbidden for k in range(low, high + 1))
        assert relation.is_broken_between(low * scale, high * scale) is expected


# ---------------------------------------------------------------------------------------------------------------------
# Limits


def test_margins_of_a_region():
    for entries in rows():
        signs = [side(ends) for ends in entries]
        for split in range(len(entries) + 1):
            values = [enclosure(ends) for ends in entries]
            margins = {"first": array(values[:split]), "second": array(values[split:])}
            if all(sign == 1 for sign in signs):
                inside(margins)
                continue
            with pytest.raises(UndecidedError) as raised:
                inside(margins)
            assert isinstance(raised.value, NotTrappedError) is any(s is not None and s <= 0 for s in signs), entries


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("trapped", [False, True])
def test_readings_of_limits(relation, trapped):
    for entries in (*rows(most=2), ()):
        reading = deciding.LimitReading(fmpq(1), array([enclosure(ends) for ends in entries]), LimitPath, trapped)
        found = deciding._of_limit(relation, reading)
        known = decided(entries, relation) if entries else True
        if known is None:
            assert found is None
        elif known or trapped:
            assert found.outcome is OUTCOMES[known], entries
        else:
            assert found.outcome is Outcome.UNDECIDED
        if entries and known is True:
            assert found.known is (Known.CERTIFIED if trapped else Known.NUMERICAL)


class LimitPath:
    bits = 64
