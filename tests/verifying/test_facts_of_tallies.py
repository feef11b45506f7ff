"""Facts of what is counted: verdicts in any order, when a search is over, and what is put aside."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest
from flint import arb, fmpq

from claims.stating.catalogue import catalogue
from claims.stating.statement import Form, Relation, Standing
from claims.stating.verdict import Known, Verdict
from claims.verifying import tallies
from claims.verifying.deciding import Effort, Opinion
from dynamics.system import System
from tests.planting import bugs_in, facts_above, planted
from tests.verifying.made_up import HOLDS, UNDECIDED, VIOLATED

HULL = catalogue()["localmax.hull_shrinks"]
VERDICTS = [
    Verdict(UNDECIDED, None, None, "open", readings=({"name": "a"}, {"name": "b"})),
    Verdict(HOLDS, None, None, "nothing to compare"),
    Verdict(HOLDS, Known.CERTIFIED, None),
    *(Verdict(HOLDS, Known.EXACT, fmpq(*slack)) for slack in ((0, 1), (1, 2), (2, 1))),
    Verdict(HOLDS, Known.CERTIFIED, arb(1, "0.75")),
    Verdict(VIOLATED, Known.EXACT, fmpq(-1)),
    Verdict(VIOLATED, Known.CERTIFIED, arb(-2, "0.5")),
]


def verdicts_are_counted(m):
    """Sequences of verdicts on instances that are written shorter or longer, for a slack and for an identity."""
    random = np.random.default_rng(81)
    for turn in range(400):
        form = (Form.STATE, Form.IDENTITY)[turn % 2]
        tally, tightest, size = m.Tally("one", form.value), None, None
        told = [(VERDICTS[k], "x" * int(random.integers(1, 4))) for k in random.integers(0, len(VERDICTS), turn % 7)]
        for verdict, text in told:
            end = verdict.slack
            if isinstance(end, arb):
                end = abs(end).upper() if form is Form.IDENTITY else end.lower()
            is_tightest = verdict.outcome is HOLDS and end is not None
            if is_tightest and size is not None:
                is_tightest = abs(end) > abs(size) if form is Form.IDENTITY else end > 0 and (size == 0 or end < size)
            if is_tightest:
                tightest, size = (verdict, text), end
            assert tally.record({"at": text}, verdict) is bool(is_tightest)
        outcomes = [verdict.outcome for verdict, _ in told if verdict.known is not None]
        assert tally.instances == len(told)
        assert tally.undecided == sum(verdict.outcome is UNDECIDED for verdict, _ in told)
        assert tally.vacuous == len(told) - tally.undecided - len(outcomes)
        assert (tally.holds, tally.violated) == (outcomes.count(HOLDS), outcomes.count(VIOLATED))
        assert tally.decided == len(outcomes)
        assert tally.decided_by == Counter(verdict.known for verdict, _ in told if verdict.known is not None)
        assert tally.touched == sum(isinstance(v.slack, fmpq) and v.slack == 0 for v, _ in told)
        assert tally.readings == [reading for verdict, _ in told for reading in verdict.readings]
        assert tally.reasons == Counter({"open": tally.undecided} if tally.undecided else {})
        broken = [k for k, (verdict, _) in enumerate(told) if verdict.outcome is VIOLATED]
        assert tally.first_violation == (broken[0] + 1 if broken else None)
        smallest = min(broken, key=lambda k: len(told[k][1]), default=None)
        for kept, of in ((tally.violation, None if smallest is None else told[smallest]), (tally.tightest, tightest)):
            assert (kept is None) == (of is None)
            if of is not None:
                assert kept["instance"] == {"at": of[1]}
                assert (kept["slack"], kept["known"]) == (m.slack_text(form, of[0]), of[0].known.value)
        assert bool(tally.silence()) == (not outcomes)
        assert tally.summary()["slack"] == (tally.violation or tally.tightest or {"slack": None})["slack"]
        assert tally.__getstate__() == vars(tally) | {"_slack": None}
        again = m.Tally("one", form.value)
        again.add(tally)
        again.add(tally)
        for name in ("instances", "holds", "violated", "undecided", "vacuous", "touched", "decided_by", "reasons"):
            one, two = getattr(tally, name), getattr(again, name)
            assert two == (one + one if isinstance(one, Counter) else 2 * one)
        assert (again.tightest, again.violation) == (tally.tightest, tally.violation)
    assert m.Tally("one", "state", holds=3, error="lost").silence() == "one: lost"


def slacks_are_told_on_their_side(m):
    for slack in (fmpq(10**13, 3), fmpq(-(10**13), 7), arb(fmpq(1, 3)), arb(-1, "0.25")):
        for form, outcome in itertools.product((Form.STATE, Form.IDENTITY), (HOLDS, VIOLATED)):
            told = Fraction(m.slack_text(form, Verdict(outcome, Known.EXACT, slack)))
            size = abs(arb(slack))
            if form is Form.IDENTITY and outcome is HOLDS:
                assert arb(told.numerator) / told.denominator >= size.lower()
                assert told > 0
            else:
                assert abs(arb(told.numerator)) / told.denominator <= size.upper()
                assert (told > 0) == (arb(slack) > 0)
            assert m.slack_text(form.value, Verdict(outcome, Known.EXACT, fmpq(-1, 3))) == "-1/3"
    assert m.slack_text(Form.STATE, Verdict(HOLDS, Known.EXACT, None)) is None
    assert [m.is_zero(x) for x in (fmpq(0), arb(0), arb(0, 1), fmpq(1, 9), arb(1))] == [True, True, False, False, False]


def a_search_ends_where_it_is_to(m):
    goal, cheap = 32, HULL.conclusions[0]
    costly = catalogue()["polarization.score_gaps_grow"].conclusions[0]
    for standing, file, conclusion in itertools.product(Standing, (None, "own.py"), (cheap, costly)):
        claim, share = replace(HULL, standing=standing, file=file), 4 if conclusion is costly else 1

        def enough(claim=claim, conclusion=conclusion, **counts):
            return m._enough(claim, conclusion, goal, m.Tally("one", "state", **counts))

        longer = {Standing.FALSE: goal * m.PATIENCE}
        if file is not None:
            longer[Standing.OPEN] = goal * m.PATIENCE // share
        assert enough() == longer.get(standing, goal)
        assert enough(violated=1) == enough(violated=m.ENOUGH - 1, instances=30) == goal
        assert enough(violated=m.ENOUGH, instances=30) == (30 if standing is Standing.FALSE else goal)
        most, open_ = goal * m.PATIENCE // share, 2 * goal // share
        assert enough(dropped=("a",)) == enough(dropped=("a",), undecided=open_ - 1) == most
        assert enough(dropped=("a",), undecided=open_) == 0
        assert enough(dropped=("a",), undecided=open_, holds=1) == most
        for first in (1, most - m.HANDFUL // share, most):
            found = enough(dropped=("a",), violated=1, first_violation=first)
            assert found == min(most, first + m.HANDFUL // share)
    orbit = replace(cheap, form=Form.ORBIT, exact_only=True)
    asked = replace(HULL, standing=Standing.OPEN, file="own.py")
    assert m._enough(asked, orbit, goal, m.Tally("one", "orbit")) == goal
    assert m._enough(asked, replace(orbit, exact_only=False), goal, m.Tally("one", "orbit")) == goal * m.PATIENCE
    shares = {Form.STATE: 1, Form.TRAJECTORY: 16, Form.RATE: 16, Form.LIMIT: 24, Form.PROBABILITY: 4}
    for form, share in shares.items():
        assert [m.examples_of(SimpleNamespace(form=form), count) for count in (1, 960)] == [4, 960 // share]


def what_breaks_other_things_is_put_aside(m):
    """Of three assumptions one or two are dropped; each is met, broken, or open."""
    named = {name: SimpleNamespace(name=name) for name in "abc"}
    for dropped in (("a",), ("a", "c")):
        for states in itertools.product(("met", "broken", "open"), repeat=3):
            told = dict(zip("abc", states, strict=True))
            for name, one in named.items():
                one.is_broken = lambda system, state=told[name]: state == "broken"
            unmet = [named[name] for name in "abc" if told[name] != "met"]
            why = m._why_missed(HULL, unmet, [named[name] for name in dropped])
            right = all(state == ("broken" if name in dropped else "met") for name, state in told.items())
            assert bool(why) == (not right)


def the_lowest_of_a_batch_are_promising(m):
    nan, slack = float("nan"), [[3.0, 1], [-2, 5], [float("nan"), 0], [0.5, 9], [2, -9]]
    assert m._most_promising(np.array(slack), Relation.NONNEGATIVE) == [4, 1]
    assert m._most_promising(np.array(slack), Relation.POSITIVE) == [4, 1]
    assert sorted(m._most_promising(np.array(slack), Relation.ZERO)) == [3, 4]
    assert m._most_promising(np.array([[nan], [nan], [7.0]]), Relation.NONNEGATIVE)[0] == 2


def instances_in_and_out_of_the_hypotheses(m):
    """What was drawn lies within or not; what is decided there, when it ends, and what mpmath says of the tightest."""
    conclusion, system = HULL.conclusions[0], HULL.system.instance(z=[[1], [2]])
    (assumption, *_) = HULL.assumptions_of(conclusion)
    given = [
        (broken, verdict)
        for broken in (False, True)
        for verdict in (VERDICTS[4], VERDICTS[7], VERDICTS[0], VERDICTS[3], VERDICTS[7])
    ]
    for first, without in itertools.product((False, True), ((), (assumption,))):
        asked, opinions = [], []
        m._drawn = lambda *_: ((system, ["kind"], [assumption] if broken else []) for broken, _ in given)
        m._why_missed = lambda system, unmet, without: "" if unmet else "satisfy it"
        left = iter([verdict for broken, verdict in given if broken == bool(without)])
        m.decide = lambda *_, outside, left=left, asked=asked: (asked.append(outside), next(left, VERDICTS[0]))[1]
        m.second_opinion = lambda *_, opinions=opinions: (opinions.append(1), Opinion(9.0, "planted"))[1]
        found = m.verify_conclusion(HULL, conclusion, 96, 0, Effort(), without, first)
        assert set(asked) == {bool(without)}
        decided = 2 if first else 5
        assert len(asked) == decided
        assert (found.name, found.form) == (conclusion.name, conclusion.form.value)
        assert found.dropped == tuple(one.name for one in without)
        assert (found.violated, found.holds, found.undecided) == ((1, 1, 0) if first else (2, 2, 1))
        assert found.vacuous == (5 if not (first or without) else 0)
        assert found.instances == decided + found.vacuous
        assert sum(found.missed.values()) == (5 if without else 0)
        assert found.kinds == Counter({"kind": found.instances})
        assert len(opinions) == (0 if first else 1)
        assert (found.agreement, bool(found.objection)) == ((None, False) if first else (9.0, True))


def an_experiment_is_run_once(m):
    experiment = replace(HULL.conclusions[0], name="runs", form=Form.EXPERIMENT, relation=Relation.NONNEGATIVE)
    for verdict, counts in zip(VERDICTS, (*[(0, 0)] * 2, *[(1, 0)] * 5, *[(0, 1)] * 2), strict=True):
        m.check_experiment = lambda one, effort, verdict=verdict: verdict if one is experiment else None
        found = m.verify_conclusion(HULL, experiment, 96, 0, Effort(steps=9))
        assert (found.name, found.form, found.instances) == ("runs", "experiment", 1)
        assert (found.holds, found.violated) == counts
        told = found.tightest or found.violation
        assert told is None or told["instance"] == {"experiment": HULL.id, "steps": 9}


def known_instances_are_drawn_once(m):
    """For conclusions that assume the same and are decided alike; others, and what broke off, are drawn anew."""
    drawn, one = [], HULL.conclusions[0]

    def draw(claim, conclusion, entropy, goal, *_):
        assert (claim.id, conclusion.name, goal) == (HULL.id, one.name, m.MOST_TURNS)
        drawn.append(0)
        for k in range(100):
            drawn[-1] += 1
            yield k

    m._drawn = draw
    known = m.KnownInstances()

    def take(count, entropy=(1, 2), conclusion=one, claim=HULL):
        return list(itertools.islice(known.drawn(claim, conclusion, list(entropy), 9, None, ()), count))

    assert [take(3), take(5), take(2)] == [[0, 1, 2], [0, 1, 2, 3, 4], [0, 1]]
    assert drawn == [5]
    assert take(2, (1, 3)) == take(2) == [0, 1]
    assert take(1, conclusion=replace(one, assuming=())) == [0]
    assert drawn == [5, 2, 2, 1]
    costly = replace(one, form=Form.TRAJECTORY, horizon=lambda start: fmpq(1))
    others = [(one, HULL), (one, replace(HULL, system=System)), (one, replace(HULL, draw=Mock())), (costly, HULL)]
    assert all(take(1, (7, 7), conclusion, claim) == [0] for conclusion, claim in others for _ in range(2))
    assert drawn[4:] == [1, 1, 1, 1]
    for found in ([7], [7, 8]):
        m._drawn = lambda *_, found=found: iter(found)
        with pytest.raises(RuntimeError):
            take(3, (4, 4))
    assert take(2, (4, 4)) == [7, 8]


def instances_of_every_kind_have_their_turns(m):
    """Built, general, as drawn, free and proposed ones, each from chances of its own; no batch after one that fails."""
    seen, cheap = [], replace(HULL.conclusions[0], exact_only=False)
    costly = replace(cheap, form=Form.TRAJECTORY, horizon=lambda start: fmpq(1))
    m.SeededDraws = m.BatchDraws = lambda rng, small, turn, batch=1: (
        seen.append((int(rng.integers(1 << 60)), small, turn)) or SimpleNamespace(chosen=["drawn"])
    )
    m.draw_instance, m.draw_elsewhere, m.draw_as_it_is = (
        lambda *_, kind=kind: kind for kind in ("built", "far", "as it is")
    )
    m.draw_freely, m._screened, m._most_promising = (
        (lambda *_: "free"),
        (lambda *_, outside: np.zeros((9, 1))),
        (lambda *_: [4, 2]),
    )
    m.violate_where_met, m.imposed_again = (lambda _, system, *__: system), (lambda _, __, row, ___: row)
    for own, file, conclusion, without, batch in itertools.product(
        (None, Mock()), (None, "own.py"), (cheap, costly), ((), (None,)), (SimpleNamespace(row=lambda k: k), None)
    ):
        asked, claim, tally = [], replace(HULL, draw=own, file=file), m.Tally("one", "state")
        m._batch_of = lambda *_, asked=asked, batch=batch: (asked.append(0), batch)[1]
        seen.clear()
        found = [system for system, _ in m._instances(claim, conclusion, [1], 3, tally, without)]
        small, expected = conclusion is costly, []
        turns = [turn for turn in (5, 29) if not small and (own is None or file)]
        for turn in range(3 * m.PATIENCE):
            expected += ["built"] + ["far"] * bool(own and (file or not small) and not without and turn % 4 == 1)
            expected += ["free"] if without else ["as it is"] * (turn % 4 == 3)
            expected += [4, 2] * (turn in turns and batch is not None)
        assert found == expected
        assert len(asked) == len(turns if batch else turns[:1])
        assert tally.screened == (m.BATCH * len(turns) if batch else 0)
        assert len({chance for chance, *_ in seen}) == len(seen)
        assert {one[1] for one in seen} == {small}
        assert sorted({turn for *_, turn in seen}) == [*range(3 * m.PATIENCE)]


def a_batch_proposes_or_is_none(m):
    """What a formula raises within the hypotheses is raised; a draw of one's own may make no batch, and says so by none."""
    one, single = HULL.conclusions[0], HULL.system.instance(z=[[1], [2]])
    for error in (ZeroDivisionError, IndexError, ValueError):
        raising = Mock(side_effect=error)
        assert m._screened(SimpleNamespace(slack=raising), single, outside=True).size == 0
        with pytest.raises(error):
            m._screened(SimpleNamespace(slack=raising), single, outside=False)
        m.draw_freely = raising
        assert m._batch_of(replace(HULL, draw=Mock()), one, SimpleNamespace(batch=8), ()) is None
        with pytest.raises(error):
            m._batch_of(replace(HULL, draw=None), one, SimpleNamespace(batch=8), ())
    m.is_batch, m.members, m.in_float64 = (lambda system: system != 1), (lambda system: system), (lambda system: -system)
    for members, own in itertools.product((1, 7, 8), (None, Mock())):
        m.draw_freely = lambda *_, members=members: members
        found = m._batch_of(replace(HULL, draw=own), one, SimpleNamespace(batch=8), ())
        assert found == (None if members < 8 else -8 if own else 8)


def too_little_is_told(m):
    """Of a user's own claim: fewer different instances than there have to be, or a slack that is mostly empty."""
    own, starts = replace(HULL, file="own.py", draw=Mock()), [HULL.system.instance(z=[[k], [2]]) for k in range(4)]
    for empty, decided, different, led in itertools.product((0, 4, 5, 9), (3, 4, 8), (0, 1, 3, 4), (True, False)):
        systems = [starts[k % different] for k in range(decided)] if different else []
        tally = m.Tally("one", "state")
        for verdict, system in [*((VERDICTS[3], one) for one in systems), *[(VERDICTS[1], System())] * empty]:
            tally.record(system, verdict)
        other = m.Tally("one", "state")
        other.add(tally)
        m.draw_elsewhere = lambda *_, led=led: object() if led else None
        for one in (tally, other):
            told = one.too_little(own, HULL.conclusions[0])
            if empty > max(m.LEAST, len(systems)):
                assert f"no entry at {empty} instances, and some at {len(systems)} only" in told
            elif not led and min(different, len(systems)) < min(m.LEAST, len(systems)):
                assert f"{len(systems)} instances were decided, of which {different} differ" in told
            else:
                assert told == ""
            for vouched in (HULL, replace(own, standing=Standing.FALSE)):
                assert one.too_little(vouched, HULL.conclusions[0]) == ""
            assert ("differ" in one.too_little(replace(own, draw=None), HULL.conclusions[0])) is False
        tally.violated = 1
        assert tally.too_little(own, HULL.conclusions[0]) == ""


def what_is_decided_otherwise_anew_is_told(m):
    """Of a user's own claim: one of the first instances, or the smallest violation, has another verdict or slack."""
    conclusion, systems = HULL.conclusions[0], [HULL.system.instance(z=[[k], [2]]) for k in (100, 200, 300, 400, 5)]
    told = [VERDICTS[4], VERDICTS[7], VERDICTS[5], VERDICTS[7], VERDICTS[7]]
    own = replace(HULL, source="text", file="own.py")
    for changed, anew in itertools.product((None, *range(5)), (VERDICTS[0], VERDICTS[3])):
        tally = m.Tally(conclusion.name, Form.STATE.value)
        for system, verdict in zip(systems, told, strict=True):
            tally.record(system, verdict)
        verdicts = dict(zip((json.dumps(system.to_json()) for system in systems), told, strict=True))
        if changed is not None:
            verdicts[json.dumps(systems[changed].to_json())] = anew
        m.claim_in = lambda source, file: HULL
        m.check = lambda one, system, effort, verdicts=verdicts: verdicts[json.dumps(system.to_json())]
        m.ask = lambda function, *given: function(*given)
        assert bool(tally.changed(own, Effort())) == (changed is not None and (changed < m.AGAIN or changed == 4))
        assert tally.changed(HULL, Effort()) == ""
        assert replace(tally, form=Form.TRAJECTORY.value).changed(own, Effort()) == ""


FACTS = facts_above(globals())


@pytest.mark.parametrize("fact", FACTS)
def test_tallies(fact):
    fact(planted(tallies))


@bugs_in(tallies)
def test_a_bug_planted_in_tallies_is_noticed(bug):
    assert bug.is_noticed(FACTS)
