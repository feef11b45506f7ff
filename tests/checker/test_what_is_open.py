"""What the checker of certificates leaves open, or finds false, is never confirmed: tables of all that may be answered.

It runs in this process, on flint: hypotheses and paths answer what is said beforehand.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from flint import fmpq

from claims.certificates.format import MalformedError, digest
from claims.checker import paths, recheck
from claims.checker.sharing import Shared
from claims.stating.statement import Assumption, Conclusion, Form, Relation, Tail
from dynamics.arithmetic import UndecidedError
from dynamics.checker.answers import Verdict
from dynamics.checker.intervals import interval
from tests.checker.genuine import leaves
from tests.planting import asked_of

FAILING = [ArithmeticError("a"), IndexError("i"), ValueError("v"), UndecidedError("u"), ZeroDivisionError("z")]
ANSWERS = [True, False, None, *FAILING]
FOREIGN = [np.bool_(True), np.bool_(False), np.array([True, False]), 1, 0]
"""What an own claim's test may answer besides; two answers at once are none."""


def outcome(question) -> str:
    """What becomes of a question, in a word."""
    try:
        question()
    except recheck.NotConfirmedError:
        return "not confirmed"
    except recheck.CannotDecideError:
        return "cannot decide"
    return "confirmed"


def answering(answer, opened: list[int]):
    def satisfies(*_: object) -> bool | None:
        opened[0] += opened[1]
        if isinstance(answer, Exception):
            raise answer
        return answer

    return satisfies


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("is_own", [True, False])
def test_a_hypothesis_is_met_where_it_is_kept_and_broken_where_it_is_dropped(kept, is_own, monkeypatch):
    """Decided as it is restated, if it is; an own claim's by its own test. What fails or is open is neither."""
    for restated, tested, opens in product([*ANSWERS, ...], [*ANSWERS, *FOREIGN], (0, 1)):
        # Not from 0: a count left by what was asked before must not be taken for one of now.
        opened = [7, opens]
        monkeypatch.setattr(recheck.flint_stand_in, "open_comparisons", lambda opened=opened: opened[0])
        answer = None if restated is ... else restated
        monkeypatch.setattr(recheck.restated_assumptions, "satisfies", answering(answer, opened))
        assumption, shared = Assumption("any", "any", answering(tested, opened)), Shared()
        plain = None if is_own else {}
        # An open restatement, too, leaves the decision to the suite's own test, and that is told as shared.
        decisive = tested if is_own or answer is None else answer
        found = outcome(partial(recheck._need, assumption, None, plain, kept, shared))
        if decisive is None or isinstance(decisive, Exception | np.ndarray) or opens:
            expected = "cannot decide"
        else:
            expected = "confirmed" if decisive == kept else "not confirmed"
        assert found == expected, (restated, tested, opens)
        assert shared.assumptions == (["any"] if is_own or answer is None else [])


FOUND = [None, interval(Fraction(-1))]


@pytest.mark.parametrize("form", [Form.TRAJECTORY, Form.RATE, Form.LIMIT, Form.PROBABILITY])
def test_a_path_confirms_only_what_it_finds_violated(form, monkeypatch):
    for verdict, found, times, is_trapped in product(Verdict, FOUND, ([], [1], [1, 2]), (True, False)):
        conclusion = Conclusion(
            "any", form, Relation.NONNEGATIVE, lambda *_: 0, times=lambda f: [], horizon=lambda f: 1,
            trap=(lambda *_: None) if is_trapped and form is Form.LIMIT else None,
        )  # fmt: skip
        monkeypatch.setattr(paths, "violation", lambda *_, answer=(verdict, "said so", found): answer)
        said = {"times": times, "entry": []}
        there = outcome(partial(recheck._along_path, said, conclusion, None, (0, 0), Shared()))
        # A chance has no time, everything else one; and a limit without a trap is none.
        counted = len(times) == (form is not Form.PROBABILITY) and (form is not Form.LIMIT or is_trapped)
        right = verdict is Verdict.CONFIRMED and found is not None
        refuted = not counted or verdict is Verdict.NOT_CONFIRMED
        assert there == ("not confirmed" if refuted else "confirmed" if right else "cannot decide"), (verdict, found, times)


@pytest.mark.parametrize("error", [UndecidedError("u"), ArithmeticError("a"), IndexError("i"), ValueError("v")])
def test_a_path_that_fails_confirms_nothing(error, monkeypatch):
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(paths, "violation", fail)
    conclusion = Conclusion("any", Form.TRAJECTORY, Relation.NONNEGATIVE, lambda *_: 0, horizon=lambda f: 1)
    said = {"times": [1], "entry": []}
    found = outcome(partial(recheck._along_path, said, conclusion, None, (0, 0), Shared()))
    # What is undecided may be true. An error means that the file asks for what cannot be computed.
    assert found == ("cannot decide" if isinstance(error, UndecidedError) else "not confirmed")


def test_the_entry_of_a_slack_is_there_or_it_is_said():
    for shape in ((), (1,), (3,), (2, 3), (0,)):
        values = np.arange(int(np.prod(shape)), dtype=object).reshape(shape)
        for entry in product(range(4), repeat=2):
            # Too many indices, too few, none: a shape without axes has one entry, named by none.
            for place in (entry, entry[:1], ()):
                inside = len(place) == len(shape) and all(k < size for k, size in zip(place, shape, strict=False))
                found = outcome(partial(recheck._entry_of, values, place))
                assert found == ("confirmed" if inside else "not confirmed"), (shape, place)
                if inside:
                    assert recheck._entry_of(values, place) == (values[place] if place else values.item())


def test_facts_are_those_that_are_stated_one_by_one():
    facts = [{"kind": "a", "x": [1]}, {"kind": "b"}, {"kind": "a", "x": [2]}]
    for stated, found in product(product(facts, repeat=2), repeat=2):
        # Also in another order, twice, and more or fewer than were found.
        for some, others in ((stated, found), (stated[:1], found), (stated, found[:1]), ((), found), (stated, ())):
            there = outcome(partial(recheck._compare_facts, list(some), list(others)))
            assert (there == "confirmed") is (list(some) == list(others))


PLAIN = [1, "1", None, {}, {"a": None}, {"a": 1}, {"a": 2}, {"b": 1}, {"a": 1, "b": 1}, [{"a": 1}], [{"a": 1, "b": 1}]]
PLAIN += [{"a": inner} for inner in PLAIN if isinstance(inner, dict)]


def what_is_said_is_what_is_there_and_no_more(module):
    for said, today in product(PLAIN, repeat=2):
        try:
            module._compare(said, today, "here")
        except module.NotConfirmedError:
            assert said != today, said
        else:
            assert said == today, (said, today)


test_comparing, test_bugs_in_comparing = asked_of(recheck, [what_is_said_is_what_is_there_and_no_more])


def test_a_constant_that_was_changed_is_an_exact_number():
    constants = {"a": {"value": "1", "printed": "1"}, "b": {"value": "2/3", "printed": "1"}}
    assert recheck._sharpened(constants) == (("b", "2/3"),)
    for value in ("1.5", "x", "1/0", "", 0.5, None):
        with pytest.raises(MalformedError):
            recheck._sharpened({"a": {"value": value, "printed": "1"}})


def test_the_digest_is_of_every_field_but_itself(genuine):
    """Without a new digest no change goes unnoticed, wherever it is."""
    data = genuine["dropped"]
    for path in leaves(data):
        if not path or path == ("digest",):
            continue
        for other in (..., "another", None):
            # Copies along the path alone: the certificate is shared by all tests.
            made = {**data}
            holder = made
            for name in path[:-1]:
                holder[name] = holder[name].copy()
                holder = holder[name]
            if other is ...:
                del holder[path[-1]]
            elif holder[path[-1]] == other:
                continue
            else:
                holder[path[-1]] = other
            assert digest(made) != data["digest"], path
    assert digest(data | {"digest": "another"}) == data["digest"]


HORIZON = Fraction(3, 2)


def test_a_time_is_within_the_horizon_or_one_of_those_of_the_limit(monkeypatch):
    monkeypatch.setattr(paths, "_decided_at", lambda *given: (Verdict.CONFIRMED, "reached", None))
    # Before the start, at it, within, at the end, and beyond.
    times = [Fraction(k, 4) for k in range(-2, 9)]
    later = Conclusion("any", Form.TRAJECTORY, Relation.NONNEGATIVE, lambda *_: 0, horizon=lambda f: fmpq(3, 2))
    listed = lambda f: [fmpq(1, 4), fmpq(1)]  # noqa: E731
    limit = Conclusion("any", Form.LIMIT, Relation.NONNEGATIVE, lambda *_: 0, times=listed, trap=lambda *_: None)
    for time in times:
        found = paths.violation(later, None, time)[0]
        assert found is (Verdict.CONFIRMED if 0 < time <= HORIZON else Verdict.NOT_CONFIRMED), time
        found = paths.violation(limit, None, time)[0]
        # A trap that is not restated decides nothing.
        assert found is (Verdict.CANNOT_DECIDE if time in (Fraction(1, 4), 1) else Verdict.NOT_CONFIRMED), time


def what_rests_on_an_open_comparison_is_open(module):
    """Of a horizon, of times, of what is said of a chance: each of them opens a comparison in turn, or none does."""
    opened = [0]
    module.open_comparisons = lambda: opened[0]
    module._decided_at = lambda *_: (Verdict.CONFIRMED, "reached", None)
    module.escapes = lambda *_: (interval(Fraction(1, 2)), interval(0))

    def opening(value, opens: bool):
        def told(*_: object):
            opened[0] += opens
            return value

        return told

    tail = Tail(SimpleNamespace(x=[0]), fmpq(-1))
    for form, opens in product((Form.TRAJECTORY, Form.LIMIT, Form.PROBABILITY), (False, True)):
        value = {Form.TRAJECTORY: fmpq(1), Form.LIMIT: [fmpq(1, 2)], Form.PROBABILITY: tail}[form]
        conclusion = Conclusion(
            "any", form, Relation.NONNEGATIVE, opening(value, opens), times=opening(value, opens),
            horizon=opening(value, opens), trap=(lambda *_: None) if form is Form.LIMIT else None,
        )  # fmt: skip
        try:
            found = module.violation(conclusion, None, Fraction(1, 2))[0]
        except UndecidedError:
            found = Verdict.CANNOT_DECIDE
        assert found is (Verdict.CANNOT_DECIDE if opens or form is Form.LIMIT else Verdict.CONFIRMED), (form, opens)


def a_slack_that_opens_a_comparison_waits_for_more_bits(module):
    """Or the trap under it: on each rung of the ladder one opens or not, and the first rung that opens none decides."""
    opened, system = [0], SimpleNamespace(with_state=lambda values: values)
    module.open_comparisons = lambda: opened[0]
    module.states_at = lambda *_, **__: [[]]
    for opens in product((0, 1), repeat=len(module.LADDER)):
        # How many rungs were taken is seen by how many turns are left.
        turns = iter(opens)

        def slack(_, turns=turns):
            opened[0] += next(turns)
            return np.array([fmpq(-1)], dtype=object)

        found = module._decided_at(system, Fraction(1), slack, Relation.NONNEGATIVE, None, 60.0, "at")
        assert found[0] is (Verdict.CANNOT_DECIDE if all(opens) else Verdict.CONFIRMED), opens
        assert len(list(turns)) == len(opens) - 1 - (opens.index(0) if 0 in opens else len(opens) - 1)


OPEN = (what_rests_on_an_open_comparison_is_open, a_slack_that_opens_a_comparison_waits_for_more_bits)


test_open_comparisons, test_bugs_in_open_comparisons = asked_of(paths, OPEN, "open comparisons")
