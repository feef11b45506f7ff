"""Each step of a search and of a simplification, against a recount of what it is to choose, count and keep."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from functools import partial
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from flint import arb, fmpq

from claims.hunting import search as searching
from claims.hunting import simplify as simplifying
from claims.hunting.search import COLLAPSED, DESCENTS, LOOKS, MOST_CANDIDATES, NOISE, PROGRESS, ROUNDING, Search
from claims.hunting.simplify import CLEAR, STRIKING
from claims.stating.statement import AT_A_STATE, Form, Relation
from claims.stating.verdict import Known, Outcome, Verdict
from claims.targets.target import Target
from dynamics.training.value_softmax import LogisticFlow
from tests.hunting.flows import logistic

VARIANT = Target("polarization.loss_vanishes", "margin_rate").resolve()


def a_search(confirm=lambda system: True, budget=100, deadline=math.inf, **changed):
    made = Search(VARIANT, [1], budget, [], confirm, deadline)
    vars(made).update(changed)
    return made


def batch(count):
    return logistic(np.arange(2.0 * count).reshape(count, 2))


# ---------------------------------------------------------------------------------------------------------------------
# What float64 sees


@pytest.mark.parametrize("strict", [False, True])
def test_scores_are_slacks_over_their_terms(strict):
    """Without a value infinite; what is rounding has no score, or zero where zero violates; what collapsed is set apart."""
    rng = np.random.default_rng(3)
    some = [0.0, np.nan, np.inf, -1.0, 2.0, ROUNDING / 2, -ROUNDING / 2, ROUNDING * 2, -1e-7]
    some += [COLLAPSED / 2, COLLAPSED / 4, COLLAPSED]
    for _ in range(60):
        slack, size = rng.choice(some, (3, 2)), rng.choice([0.0, 1.0, 2.0, np.nan], (3, 2), p=[0.1, 0.5, 0.3, 0.1])
        made, systems = a_search(strict=strict), batch(3)
        with np.errstate(all="ignore"):
            least, scores, parts = made._by_terms(systems, slack, size, "family")
        near = []
        for i, k in product(range(3), range(2)):
            part = float(slack[i, k]) / float(size[i, k]) if size[i, k] > 0 and np.isfinite(slack[i, k]) else np.inf
            if abs(part) < ROUNDING:
                part = 0.0 if strict else np.inf
            if 0 < part < COLLAPSED:
                near.append((part, i, k))
                part = 1.0
            assert parts[i, k] == part
        assert (scores == parts.min(axis=1)).all()
        assert all(np.array_equal(least[i], slack[i, np.argmin(parts[i])], equal_nan=True) for i in range(3))
        assert len(made.collapsed) == bool(near)
        for kept in made.collapsed:
            part, i, k = min(near)
            assert (kept.score, kept.slack, kept.entry, kept.family) == (part, slack[i, k], k, "family")
            assert (kept.system.u == systems.u[[i]]).all()
    nothing = a_search()._by_terms(batch(3), np.zeros((3, 0)), np.zeros((3, 0)), "family")
    assert all((np.isinf(one)).all() and len(one) == 3 for one in nothing)


@pytest.mark.parametrize("identity", [False, True])
def test_scores_without_terms_are_relative_to_the_member_or_to_what_is_typical(identity, monkeypatch):
    given = np.array([[4.0, -2.0], [np.nan, 1.0], [np.inf, np.nan], [0.0, 8.0]])
    for slack, typical in product((given, given[:, :1], given[:, :0]), (math.nan, 0.0, 5.0)):
        monkeypatch.setattr(searching, "margins", lambda *_, slack=slack: slack)
        origin = SimpleNamespace(typical=typical)
        least, scores, parts = a_search(identity=identity)._by_batch(origin, batch(4), 4)
        known = [abs(value) for value in slack.flat if np.isfinite(value) and value]
        if slack.size:
            assert origin.typical == (typical if typical > 0 else np.median(known))
        for i in range(4):
            row = [-abs(value) if identity else value for value in slack[i]]
            row = [value if np.isfinite(value) else math.inf for value in row] or [math.inf]
            size = max([abs(value) for value in row if np.isfinite(value)], default=0) or 1.0
            size = origin.typical if slack.shape[1] == 1 else size
            assert least[i] == min(row)
            assert scores[i] == (min(row) / size if slack.size else math.inf)
            assert parts[i].tolist() == ([value / size for value in row] if slack.size else [math.inf])


def test_what_is_clear_is_below_zero_in_more_digits_or_far_below_the_error_of_paths():
    for form, strict, identity, wrong in product(Form, (False, True), (False, True), (NOISE, 1e-3)):
        for values in product((-1, 0, 1), repeat=2):
            conclusion = SimpleNamespace(
                form=form, slack=lambda _, values=values: np.array([fmpq(v) for v in values], object)
            )
            made = a_search(conclusion=conclusion, strict=strict, identity=identity, wrong=wrong)
            if form not in AT_A_STATE:
                assert [made._is_clear(None, score) for score in (-2 * wrong, -wrong, 0.0)] == [True, False, False]
                assert made.found.evaluations == 0
                continue
            off = any(values) if identity else -1 in values or (strict and 0 in values)
            assert made._is_clear(None, -1.0) is off
            assert made.found.evaluations == 1
    none = SimpleNamespace(form=Form.STATE, slack=lambda _: 1 / 0)
    assert a_search(conclusion=none)._is_clear(None, -1.0) is False


def test_the_worst_are_looked_at_until_one_is_confirmed():
    """What is not within the hypotheses is passed over; what was only noise is kept, and leads nowhere at a state."""
    scores_given = np.array([3.0, -5.0, 0.0, -4.0, -3.0, -2.0, math.inf, -1.0])
    order = [1, 3, 4, 5, 7]
    for strict, identity, along, outside, clear, confirmed in product(
        *[(False, True)] * 3, ((), (1,), (3, 4)), ((), (3,), (1, 4)), (False, True)
    ):
        asked, scores = [], scores_given.copy()
        made = a_search(lambda system, asked=asked, confirmed=confirmed: asked.append(system) or confirmed)
        vars(made).update(strict=strict, identity=identity, along_paths=along, _as_drawn=lambda: None)
        made._exact = lambda systems, index, outside=outside: None if index in outside else f"s{index}"
        made._is_clear = lambda instance, score, clear=clear: int(instance[1:]) in clear
        made._look(None, scores)
        looked = [k for k in [*order, *([2] if strict else [])][: 1 if identity else LOOKS] if k not in outside]
        found = next((k for k in looked if k in clear and confirmed), None)
        seen = looked if found is None else looked[: looked.index(found)]
        assert asked == [f"s{k}" for k in looked[: len(seen) + 1] if k in clear]
        assert made.clear == ([] if found is None else [(scores_given[found], f"s{found}")])
        assert made.noise == ([] if identity else [(scores_given[k], f"s{k}") for k in seen])
        denied = [-100 * scores_given[k] for k in seen if k in clear]
        assert made.wrong == max([NOISE, *denied])
        assert made.found.proposed == len(order) + strict
        gone = found is None and not along
        below = {*order, *([2] if strict else [])}
        assert [k for k in range(8) if math.isinf(scores[k])] == sorted({6, *(below if gone else ())})
    made = a_search(noise=[(-9.0, "n")] * MOST_CANDIDATES, _exact=lambda *_: None, _as_drawn=lambda: "drawn")
    made._is_clear = lambda *_: False
    made._look(None, np.array([-10.0, 1.0]))
    assert made.noise == [(-10.0, "drawn"), *[(-9.0, "n")] * (MOST_CANDIDATES - 1)]


def test_what_is_decided_at_once_is_clear_where_it_is_confirmed(monkeypatch):
    for outcome, confirmed, slack in product(Outcome, (False, True), (None, fmpq(-1, 2), arb("0.5"))):
        monkeypatch.setattr(
            searching, "check", lambda *_, outcome=outcome, slack=slack: Verdict(outcome, Known.EXACT, slack)
        )
        made = a_search(lambda _, confirmed=confirmed: confirmed)
        score = math.inf if slack is None else float(arb(slack).mid())
        assert made._decided("it") == score
        violated = outcome is Outcome.VIOLATED
        assert made.found.proposed == violated
        assert made.clear == ([(score, "it")] if violated and confirmed else [])
    monkeypatch.setattr(searching, "check", lambda *_: 1 / 0)
    assert a_search()._decided("it") == math.inf
    made = a_search(_exact=lambda _, index: None if index == 1 else index, _decided=lambda index: index - 1.5)
    least, scores, parts = made._exactly("systems", 3)
    assert least.tolist() == scores.tolist() == parts[:, 0].tolist() == [-1.5, math.inf, 0.5]


def test_a_search_goes_on_within_its_evaluations_and_its_time():
    for evaluations, deadline in product((0, 99, 100, 101), (-math.inf, math.inf)):
        made = a_search(deadline=deadline)
        made.found.evaluations = evaluations
        assert made._goes_on() is (evaluations < 100 and deadline > 0)


def test_an_exact_instance_is_counted_as_within_or_by_what_it_misses(monkeypatch):
    """And is brought back into what is kept, or out of what is dropped, where it is not there."""
    monkeypatch.setattr(searching, "restricted", lambda _, instance: f"{instance}, kept")
    monkeypatch.setattr(searching, "violate_where_met", lambda claim, instance, draws, without: f"{instance}, broken")
    for keeps, breaks, admitted in product((False, True), repeat=3):
        variant = SimpleNamespace(
            claim=None,
            kept=[SimpleNamespace(satisfies=lambda _, keeps=keeps: keeps), SimpleNamespace(satisfies=lambda _: True)],
            without=[SimpleNamespace(is_broken=lambda _, breaks=breaks: breaks), SimpleNamespace(is_broken=lambda _: True)],
            admits=lambda _, admitted=admitted: admitted,
            misses=lambda _: ["a", "b"],
        )
        made = a_search(variant=variant)
        repaired = "row 3" + ", kept" * (not keeps) + ", broken" * (not breaks)
        assert made._exact(SimpleNamespace(row=lambda index: f"row {index}"), 3) == (repaired if admitted else None)
        assert (made.within, made.lost) == (int(admitted), int(not admitted))
        assert made.found.outside == (Counter() if admitted else Counter(a=1, b=1))
        made.drawn = "drawn"
        assert made._as_drawn() == ("drawn" if admitted else None)
    made = a_search()
    assert made._exact(SimpleNamespace(row=lambda _: 1 / 0), 0) is None
    assert made.found.outside == {"a formula that has no value there": 1}
    assert (made.lost, made._as_drawn()) == (0, None)


# ---------------------------------------------------------------------------------------------------------------------
# What is tried next


def test_a_descent_changes_its_strategy_when_it_does_not_improve(monkeypatch):
    """It is over after as many in a row as there are; one that raises is over at once and costs an evaluation."""
    for patience, factor in product((1, 2, 3), (PROGRESS, PROGRESS * 1.01)):
        used = []

        def move(made, descent, rng, name, used=used, factor=factor, patience=patience):
            used.append(name)
            if len(used) % patience == 0:
                descent.best *= factor

        monkeypatch.setattr(searching, "STRATEGIES", tuple((partial(move, name=name), patience) for name in "ab"))
        made = a_search()
        descent = searching._Descent("origin", np.zeros(2), np.ones(1), 1.0, "family", before=1.0)
        while not descent.over and len(used) < 12:
            made._advance(descent)
        assert used == (["a"] * 12 if factor == PROGRESS else ["a"] * patience + ["b"] * patience)
        assert made.found.evaluations == 0
    monkeypatch.setattr(searching, "STRATEGIES", ((lambda *_: 1 / 0, 5), (lambda *_: 1 / 0, 5)))
    made, descent = a_search(), searching._Descent("origin", np.zeros(2), np.ones(1), 1.0, "family")
    for number in (1, 2):
        assert not descent.over
        made._advance(descent)
        assert (descent.stuck, descent.turn, made.found.evaluations) == (number, number, number)
    assert descent.over


def test_descents_begin_at_the_best_and_at_the_least_familiar_in_turns():
    kinds = {"a": "xy", "b": "xy", "c": "xz", "d": "wy", "e": "vu", "f": "xy"}
    plans = {name: searching.Plan(VARIANT, SimpleNamespace(answers=list(kind)), (), 0) for name, kind in kinds.items()}
    points = [
        searching._Point(plans[name], np.zeros(1), 0.0, score, np.ones(1), plans[name])
        for score, name in enumerate("abcdefa")
    ]
    made = a_search(points=points[::-1], _descent_from=lambda point: SimpleNamespace(over=False, point=point))
    kept, over = SimpleNamespace(over=False, point=None), SimpleNamespace(over=True, point=None)
    going = made._renewed([over, kept])
    assert going[0] is kept
    assert len(going) == DESCENTS
    # The best; then the one of which nothing was tried; then the best again.
    assert [one.point.family for one in going[1:]] == [plans["a"], plans["e"], plans["b"]]
    again = made._renewed([])
    assert [one.point.family for one in again] == [plans["c"], plans["d"], plans["f"]] or len(again) == 3
    assert {id(one.point.family) for one in again} == {id(plans[name]) for name in "cdf"}
    assert made._renewed([]) == []


def test_a_descent_moves_to_what_is_better():
    for scores, moves in (([2.0, 0.5], True), ([1.0, 1.0], False), ([math.inf, 3.0], False)):
        made, descent = a_search(), searching._Descent("origin", np.zeros(1), np.ones(1), 1.0, "family")
        made._improve(descent, np.array([[5.0], [6.0]]), np.array(scores), np.array([[7.0], [8.0]]))
        assert (descent.best, descent.row[0], descent.parts[0]) == ((0.5, 6.0, 8.0) if moves else (1.0, 0.0, 1.0))


def test_what_is_shown_is_the_worst_first_and_of_different_families():
    """The candidates that are clear before those that may be noise; of tight ones one of each family."""
    made = a_search(clear=[(-1.0, "b"), (-2.0, "a")], noise=[(float(-k), k) for k in range(9)])
    made._tight = lambda: iter(("tight",))
    found = made._result()
    assert found.candidates == ["a", "b", 8, 7, 6, 5]
    assert found.tight == ["tight"]
    origin = [SimpleNamespace(systems=lambda rows, k=k: SimpleNamespace(k=k)) for k in range(20)]
    for lost, as_near in product((False, True), repeat=2):
        made = a_search()
        made.points = [
            searching._Point(origin[k], np.zeros(1), 10.0 * k, k / 8 - 0.25, np.ones(1), origin[k - k % 2])
            for k in range(20)
        ][::-1]
        made.collapsed = [
            searching._Collapsed(10.0**-k, 5.0 * k, 0, SimpleNamespace(k=-k), origin[4 + 2 * (k % 5)])
            for k in range(13, 5, -1)
        ]
        made._exact = lambda systems, index, lost=lost: None if lost and systems.k in (10, -13) else systems.k
        made._is_as_near = lambda instance, near, as_near=as_near: as_near
        shown = list(Search._tight(made))
        collapsed = [-12, -11] if lost and as_near else [-13, -12] if as_near else []
        assert [one.instance for one in shown[: len(collapsed)]] == collapsed
        gone = {4 + 2 * (-k % 5) for k in collapsed}
        rest = [k for k in range(20) if k / 8 > 0.25]
        firsts = []
        for k in rest:
            if k - k % 2 not in gone and not (lost and k == 10):
                firsts.append(k)
                gone.add(k - k % 2)
        assert [one.instance for one in shown[len(collapsed) :]] == firsts[: searching.MOST_TIGHT - len(collapsed)]
        assert all(
            (one.slack, one.normalised) == (10.0 * one.instance, one.instance / 8 - 0.25) for one in shown[len(collapsed) :]
        )


def test_a_collapsed_instance_counts_where_more_digits_give_about_the_same():
    for value, near in ((fmpq(1), True), (fmpq(51, 100), True), (fmpq(1, 2), False), (fmpq(2), False), (fmpq(-1), False)):
        conclusion = SimpleNamespace(slack=lambda _, value=value: np.array([fmpq(9), value], object))
        told = SimpleNamespace(entry=1, slack=1.0)
        assert a_search(conclusion=conclusion)._is_as_near(None, told) is near
    assert a_search(conclusion=SimpleNamespace(slack=lambda _: 1 / 0))._is_as_near(None, told) is False


# ---------------------------------------------------------------------------------------------------------------------
# Simplification


def a_descent(**changed):
    made = object.__new__(simplifying._Simplification)
    vars(made).update({"conclusion": SimpleNamespace(relation=Relation.NONNEGATIVE), "trials": 0, **changed})
    return made


def test_a_verdict_is_weaker_that_is_less_certain_or_only_attains_zero():
    """But for an identity, which has two sides."""
    verdicts = [
        Verdict(Outcome.VIOLATED, known, slack)
        for known in (Known.EXACT, Known.NUMERICAL)
        for slack in (fmpq(-1), fmpq(0), None)
    ]
    for relation, given, other in product(Relation, verdicts, verdicts):
        made = a_descent(given_verdict=given, conclusion=SimpleNamespace(relation=relation))
        below, at_zero = given.slack == -1, other.slack != -1
        less = given.known is Known.EXACT and other.known is not Known.EXACT
        assert made._is_weaker(other) is (less or (below and at_zero and relation is not Relation.ZERO))


def standing(violation, ties=0, count=1, length=1, largest=1, seen=True):
    look = simplifying._Look(-violation) if seen else None
    verdict = None if seen else Verdict(Outcome.VIOLATED, Known.EXACT, fmpq(-int(violation * 16000), 16000))
    return simplifying._Standing(None, (ties, (count, length, largest)), verdict, None, look)


def test_what_is_more_striking_is_no_longer_and_violates_twice_as_much():
    """Beside the size of its numbers; what is large enough already is left."""
    for seen in (True, False):
        now = standing(0.0625, ties=1, count=2, length=3, largest=1, seen=seen)
        made = a_descent(now=now)
        for given, striking in (
            ({}, True),
            ({"ties": 0, "count": 9}, True),
            ({"ties": 2}, False),
            ({"count": 3}, False),
            ({"count": 1, "length": 9}, True),
            ({"length": 4}, False),
            ({"largest": 2}, False),
            ({"largest": 0}, True),
        ):
            other = standing(0.125, **{"ties": 1, "count": 2, "length": 3, **given}, seen=seen)
            assert made._is_more_striking(other) is striking, given
        assert not made._is_more_striking(standing(0.124, ties=1, count=2, length=3, seen=seen))
    large = a_descent(now=standing(STRIKING / 2 + 0.01))
    assert not large._is_more_striking(standing(9.0))
    assert a_descent(now=standing(STRIKING / 2))._is_more_striking(standing(9.0))
    assert not a_descent(now=standing(0.0))._is_more_striking(standing(9.0))
    assert a_descent()._violation(simplifying._Standing(None, (0, (0, 0, 1)), None, None)) == 0.0


def test_a_decision_counts_and_is_of_a_violation_within_the_time(monkeypatch):
    asked = []
    monkeypatch.setattr(simplifying, "rank_of_instance", lambda *_: "rank")
    given = Verdict(Outcome.VIOLATED, Known.EXACT, fmpq(-1))
    for outcome, look, along in product(Outcome, (None, simplifying._Look(-1.0, fmpq(1, 2))), (False, True)):
        verdict = Verdict(outcome, Known.EXACT, fmpq(-2))
        monkeypatch.setattr(simplifying, "check", lambda *told, verdict=verdict: asked.append(told) or verdict)
        monkeypatch.setattr(simplifying, "_by", lambda conclusion, horizon: ("until", horizon))
        conclusion = SimpleNamespace(relation=Relation.NONNEGATIVE, form=Form.STATE)
        made = a_descent(conclusion=conclusion, given_verdict=given, along=along, trial_effort="effort", most_trials=2)
        made.deadline = math.inf
        horizon = None if look is None else look.time
        found = made._decide("system", look)
        assert made.trials == 1
        assert asked[-1] == (("until", horizon) if along and horizon is not None else conclusion, "system", "effort")
        violated = outcome is Outcome.VIOLATED
        assert found == (simplifying._Standing("system", "rank", verdict, horizon, look) if violated else None)
        made._decide("system", look)
        with pytest.raises(simplifying._SpentError):
            made._decide("system", look)
        made.trials, made.deadline = 0, -math.inf
        with pytest.raises(simplifying._SpentError):
            made._decide("system", look)
        assert (made.trials, made._verdict("system", "effort", None)) == (0, None), "no time, no verdict"


def test_the_last_that_stands_is_the_last_decided_with_all_effort():
    given = standing(0.5, seen=False)
    some = [standing(0.25 * k, seen=False) for k in (1, 2, 3)]
    for good in product((False, True), repeat=3):
        verdicts = {id(one): f"verdict {k}" for k, one in enumerate(some) if good[k]}
        made = a_descent(given=given, decided=[given, *some], effort="all", _horizon=id)
        for one in some:
            object.__setattr__(one, "system", one)
        made._verdict = lambda system, effort, horizon, verdicts=verdicts: (
            verdicts.get(id(system)) if (effort, horizon) == ("all", None) else "wrong"
        )
        last = max((k for k in range(3) if good[k]), default=None)
        expected = (given, given.verdict, id(given)) if last is None else (some[last], f"verdict {last}", id(some[last]))
        assert made._last_that_stands() == expected


def test_a_time_is_simple_by_which_most_of_a_violation_is_clear():
    """A whole number where there is one; a smaller fraction where half of the violation is there already."""
    conclusion = SimpleNamespace(form=Form.TRAJECTORY, horizon=lambda _: fmpq(7))
    times = np.array([0.05, 0.1, 0.2, 0.4, 0.9, 1.9, 2.9, 5.5, 7.0])

    def look(*slacks):
        return simplifying._read_off(conclusion, None, np.array(slacks), times)

    holds = [1.0] * 8
    assert look(*holds, -1.0) == simplifying._Look(-1.0, fmpq(7))
    assert look(*holds[:6], -0.5, 2.0, -1.0) == simplifying._Look(-1.0, fmpq(3))
    assert look(*holds[:4], -0.3, -0.4, -9.0, 1.0, 1.0) == simplifying._Look(-9.0, fmpq(1))
    assert look(1, 1, 1, -0.2, -0.3, 1, 1, 1, 1) == simplifying._Look(-0.3, fmpq(1, 2))
    assert look(1, 1, -0.11, -0.2, -0.3, 1, 1, 1, 1) == simplifying._Look(-0.3, fmpq(1, 4))
    assert look(*holds[:8], -CLEAR / 2) == simplifying._Look(-CLEAR / 2, fmpq(7))
    assert look(*[np.nan] * 8, 3.0) == simplifying._Look(3.0, fmpq(7))
    assert simplifying._read_off(conclusion, None, np.full(9, np.nan), times) is None
    short = SimpleNamespace(form=Form.RATE, horizon=lambda _: fmpq(1, 3))
    early = simplifying._read_off(short, None, np.array([1.0, -0.1, -1.0]), np.array([0.05, 0.2, 0.3]))
    assert early == simplifying._Look(-1.0, fmpq(1, 3))
    for form in set(Form) - {Form.TRAJECTORY, Form.RATE}:
        state = SimpleNamespace(form=form)
        assert simplifying._read_off(state, None, np.array([3.0, np.nan, -2.0]), np.zeros(3)) == simplifying._Look(-2.0)
    seen = [simplifying._Look(least) for least in (0.0, 1e-300, -CLEAR, -2 * CLEAR)]
    assert [one.violated for one in seen] == [True, False, True, True]
    assert [one.clear for one in seen] == [False, False, False, True]


def test_what_is_not_met_is_restored_or_given_up(monkeypatch):
    """First by the constructions of what is not met, then of all; what is dropped has to stay broken."""

    class Assumed:
        def __init__(self, name, mends, spoils=()):
            self.name, self.mends, self.spoils = name, mends, spoils

        def satisfies(self, system):
            return self.name in system.met

        def is_broken(self, system):
            return not self.satisfies(system)

        def restrict(self, system):
            if not self.mends:
                return system
            return SimpleNamespace(met=(system.met | {self.name}) - set(self.spoils), asked=[*system.asked, self.name])

    start = SimpleNamespace(met={"b"}, asked=[])
    monkeypatch.setattr(simplifying.moves, "with_arrays", lambda system: system)

    def fitted(kept, without=()):
        return simplifying.fit(SimpleNamespace(kept=kept, without=without), start)

    a, b, c = (Assumed(name, True) for name in "abc")
    assert fitted([b]) is start
    assert fitted([a, b]).asked == ["a"]
    assert fitted([a, Assumed("b", True, "a"), c]).asked == ["a", "c"]
    assert fitted([Assumed("a", False), b]) is None
    spoiling = Assumed("c", True, "a")
    assert fitted([a, spoiling]) is None
    assert fitted([spoiling, a]).asked == ["c", "a"]
    # It spoils b, which is then restored in the second turn.
    assert fitted([b, Assumed("c", True, "b"), a]) is None
    assert fitted([Assumed("c", True, "b"), b]).asked == ["c", "b"]
    assert fitted([b], [b]) is None
    assert fitted([b], [a]) is start
    assert fitted([Assumed("a", True)], [Assumed("a", True)]) is None


# ---------------------------------------------------------------------------------------------------------------------
# All steps together


def test_known_instances_come_first_each_with_its_surroundings(monkeypatch):
    asked = []
    monkeypatch.setattr(Search, "_sample", lambda made, origin, batch: asked.append((origin.start.u.tolist(), batch)))
    known = [LogisticFlow.instance(u=[k, 0]) for k in (2, 5)]
    with pytest.raises(ZeroDivisionError):
        Search(VARIANT, [1], 1, known, None, math.inf)._sample(None, 1 / 0)
    made = Search(VARIANT, [1], 0, known, None, math.inf)
    made.run()
    assert asked == [([[2.0, 0.0]], searching.FIRST_BATCH), ([[5.0, 0.0]], searching.FIRST_BATCH)]
    assert made.found.starts == 0


def test_surroundings_begin_with_the_instance_itself():
    made, evaluated = a_search(), []
    made._evaluate = lambda origin, rows, systems: evaluated.append((rows, systems))
    origin = searching.Around(SimpleNamespace(kept=()), batch(1))
    for size in (1, 5):
        made._sample(origin, size)
        rows, systems = evaluated[-1]
        assert rows.shape == (size, origin.dimension)
        assert (rows[0] == 0).all()
        assert all(0 < abs(row).max() < 0.25 for row in rows[1:])
        assert (systems.u[0] == origin.start.u[0]).all()
    assert made.found.starts == 6
    broken = SimpleNamespace(dimension=2, systems=lambda _: 1 / 0)
    made._sample(broken, 3)
    assert (made.found.starts, made.found.evaluations, len(evaluated)) == (6, 1, 2)


def test_what_is_cut_off_says_so_and_shows_what_was_clear():
    made = a_search(clear=[(float(-k), k) for k in range(9)])

    def endless():
        raise searching.OutOfTimeError

    made._go = endless
    found = made.run()
    assert found.cut
    assert found.candidates == [8, 7, 6, 5, 4, 3]
    assert found.tight == []
    assert searching.Found() == searching.Found([], [], 0, 0, 0, Counter(), cut=False)


def test_newton_s_steps_lead_to_where_slacks_vanish():
    """Of a slack that is affine in the row, the full step reaches zero: other strides fall short of it or pass it."""
    slopes, row = np.array([[1.0, -2.0], [0.5, 0.25], [-0.25, 0.5]]), np.array([0.25, 0.125, -0.25])

    class Straight:
        typical = 1.0

        def systems(self, rows):
            return logistic(rows)

    def parts_of(rows):
        return np.array([0.5, 0.75]) + rows @ slopes

    evaluated = []

    def evaluate(origin, rows, systems, family):
        assert (systems.u == rows).all()
        assert family == "family"
        parts = parts_of(rows)
        evaluated.append(rows)
        return parts.min(axis=1), parts

    for seed, breadth in ((0, 8), (1, 2)):
        evaluated.clear()
        made = a_search(_evaluate=evaluate, breadth=breadth)
        first = parts_of(row[None])[0]
        descent = searching._Descent(Straight(), row, first, float(first.min()), "family")
        made.follow(descent, np.random.default_rng(seed))
        probes, lines = evaluated
        assert len(probes) == min(3, breadth)
        moved = [np.flatnonzero(probe != row) for probe in probes]
        assert all(len(one) == 1 for one in moved)
        assert all(math.isclose(abs(probe - row).max(), searching.PROBE, rel_tol=1e-9) for probe in probes)
        along = [one[0] for one in moved]
        assert len(lines) == 2 * len(searching.STRIDES)
        for position, entry in enumerate(np.argsort(first)):
            slope = np.zeros(3)
            slope[along] = slopes[along, entry]
            step = -first[entry] * slope / (slope @ slope)
            expected = [np.clip(row + stride * step, -1, 1) for stride in searching.STRIDES]
            count = len(expected)
            assert np.allclose(lines[position * count : (position + 1) * count], expected, atol=1e-6)
        every = np.concatenate([probes, lines])
        assert descent.best == min(float(first.min()), parts_of(every).min())
        assert np.allclose(parts_of(descent.row[None]).min(), descent.best)


def test_mutants_replace_a_point_where_the_best_is_no_worse(monkeypatch):
    origin = SimpleNamespace(systems=lambda rows: batch(1), typical=3.0)
    monkeypatch.setattr(searching, "restricted", lambda _, systems: systems)
    for count, breadth, best in itertools.product((0, 3, 12), (2, 8), (0.5, 1.0, 2.0)):
        asked = []

        def made_of(system, rng, most, count=count, asked=asked):
            asked.append(most)
            whole = batch(count + 1)
            return whole.replace(u=np.where(np.arange(count + 1)[:, None] == 2, whole.u[:1], whole.u))

        monkeypatch.setattr(searching, "mutants", made_of)
        picked = [k for k in range(1, count + 1) if k != 2][:breadth]
        made, rows = a_search(breadth=breadth), []

        def evaluate(where, given, systems, family, rows=rows, best=best, picked=picked):
            rows.append(systems)
            assert (where, given, family) == (origin, None, "family")
            scores = np.full(len(picked), 5.0)
            scores[-1] = best
            return scores, scores[:, None]

        made._evaluate = evaluate
        descent = searching._Descent(origin, np.ones(2), np.ones(1), 1.0, "family")
        made.mutate(descent, np.random.default_rng(0))
        assert asked == [4 * breadth]
        if not picked:
            assert rows == []
            continue
        assert (rows[0].u == batch(count + 1).u[picked]).all()
        if best > 1.0:
            assert (descent.origin, descent.best) == (origin, 1.0)
        else:
            assert (descent.best, descent.parts.tolist(), descent.row.any()) == (best, [best], False)
            assert descent.origin.start.u.tolist() == [batch(count + 1).u[picked[-1]].tolist()]
            assert descent.origin.typical == 3.0
            assert len(descent.row) == descent.origin.dimension


def test_the_best_few_of_a_batch_are_remembered(monkeypatch):
    monkeypatch.setattr(searching, "MEMORY", 5)
    origin, scores = SimpleNamespace(typical=1.0), np.array([3.0, np.inf, 1.0, 2.0, 5.0, 4.0, 0.5])
    for identity, family in ((False, None), (False, "family"), (True, None)):
        made = a_search(by_terms=False, identity=identity)
        made._by_batch = lambda *_: (10 * scores, scores.copy(), scores[:, None])
        made._look = lambda *_: None
        rows = np.arange(7.0)[:, None]
        made._evaluate(origin, rows, batch(7), family)
        kept = [] if identity else [6, 2, 3, 0]
        assert [(point.row[0], point.slack, point.score, point.parts[0]) for point in made.points] == [
            (k, 10 * scores[k], scores[k], scores[k]) for k in kept
        ]
        assert all(point.origin is origin and point.family is (family or origin) for point in made.points)
        assert made.found.evaluations == 7
        for _ in range(2):
            made._evaluate(origin, rows, batch(7), family)
        assert [point.score for point in made.points] == ([] if identity else [0.5, 0.5, 0.5, 1.0, 1.0])


def test_starts_are_drawn_one_by_one_where_batches_do_not_do(monkeypatch):
    """Where none stayed within the hypotheses, every third without an assumption, and where the claim draws so."""
    for lost, within, without, turn in product((7, 8), (0, 1), ((), ("a",)), range(4)):
        drawn = []
        made = a_search(lost=lost, within=within, turn=turn)
        made.variant = SimpleNamespace(without=without, claim=SimpleNamespace(draw=None))
        made._explore_singly = lambda rng, drawn=drawn: drawn.append(str(rng.bit_generator.state))
        monkeypatch.setattr(searching, "draw_freely", lambda *_: 1 / 0)
        made._explore()
        lost_all = lost == 8 and within == 0 and not without
        assert made.unbatched is lost_all
        singly = lost_all or (bool(without) and turn == 2)
        assert (len(drawn), made.found.evaluations, made.turn) == (int(singly), int(not singly), turn + 1)
    for draw in (None, object()):
        made = a_search(variant=SimpleNamespace(without=(), claim=SimpleNamespace(draw=draw)))
        made.found.evaluations = 5
        made._explore()
        assert (made.unbatched, made.found.evaluations, made.found.starts) == (draw is not None, 6, 0)


def test_a_start_drawn_alone_is_decided_where_only_rationals_can(monkeypatch):
    """Then its surroundings are looked at, where rounding may have left the hypotheses, with the start itself at hand."""
    start = LogisticFlow.instance(u=[2, 0])
    monkeypatch.setattr(searching, "draw_instance", lambda *_: start)
    for singly, admitted in product((False, True), repeat=2):
        seen, decided = [], []
        variant = SimpleNamespace(without=(), claim=None, conclusion=None, admits=lambda _, admitted=admitted: admitted)
        made = a_search(singly=singly, variant=variant, _decided=decided.append)
        made._sample = lambda origin, size, made=made, seen=seen: seen.append((origin.start.u.tolist(), size, made.drawn))
        made.found.evaluations = 3
        made._explore_singly(np.random.default_rng(0))
        assert seen == [([[2.0, 0.0]], 1, start)]
        assert made.drawn is None
        assert decided == ([start] if singly and admitted else [])
        assert made.found.evaluations == 3 + (singly and admitted)
    monkeypatch.setattr(searching, "draw_instance", lambda *_: 1 / 0)
    made._explore_singly(np.random.default_rng(0))
    assert (made.found.evaluations, len(seen)) == (5, 1)


def test_arrays_are_scaled_that_may_be_four_times_as_large_and_as_small(monkeypatch):
    asked = []

    class Scaled:
        def __init__(self, variant, draws, names, drawn):
            assert (variant, draws, drawn) == (VARIANT, "draws", 2)
            (self.name,) = names

        def systems(self, rows):
            asked.append(rows.tolist())
            return 1 / 0 if self.name == "a" else self.name

    monkeypatch.setattr(searching, "Plan", Scaled)
    names = [name for name, field in VARIANT.claim.system.fields().items() if not field.integer]
    for lost in (("K", 0), ("K", 1), ("none", 0)):
        asked.clear()
        made = a_search(_exact=lambda name, index, lost=lost: None if (name, index) == lost else name)
        found = made._scalable(SimpleNamespace(draws="draws", drawn=2), np.array([0.5, -0.5]))
        assert found == tuple(name for name in names if name not in {"a", lost[0]})
        assert asked == [[[0.5, -0.5, 2 / searching.SCALES], [0.5, -0.5, -2 / searching.SCALES]]] * len(names)


def test_what_only_rationals_decide_is_not_looked_at_again():
    for singly, terms in product((False, True), repeat=2):
        asked = []
        made = a_search(singly=singly, by_terms=terms)
        scores = (np.ones(2), np.ones(2), np.ones((2, 1)))
        made._exactly = lambda *_, asked=asked, scores=scores: asked.append("exactly") or scores
        made._by_batch = lambda *_, asked=asked, scores=scores: asked.append("batch") or scores
        made._by_terms = lambda *_, asked=asked, scores=scores: asked.append("terms") or scores
        made._look = lambda *_, asked=asked: asked.append("look")
        made._evaluate(SimpleNamespace(), np.zeros((2, 1)), batch(2))
        assert asked == (["exactly"] if singly else ["terms" if terms else "batch", "look"])
    by_terms = {}
    for name in ("margin_rate", "margin_rate_formula"):
        variant = Target("polarization.loss_vanishes", name).resolve()
        by_terms[name] = Search(variant, [1], 1, [], None).by_terms
    flow = Target("clusters.pairwise_distances_grow", "distances_grow_at_every_time").resolve()
    exact = Target("localmax.negative_scores_lead_to_the_origin", "distance_to_the_origin").resolve()
    others = [Search(variant, [1], 1, [], None).by_terms for variant in (flow, exact)]
    assert (by_terms, others) == ({"margin_rate": True, "margin_rate_formula": False}, [False, False])
