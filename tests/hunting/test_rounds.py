"""What a round decides of what a search proposes, and what a reduction hands on: every step against what it is given."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from flint import fmpq

from claims.campaigns.deadlines import OutOfTimeError
from claims.hunting import rounds
from claims.hunting.rounds import DOUBTFUL, EFFORT, KEPT, PROBES, QUICK, TIGHTEST
from claims.stating.statement import ALONG_A_FLOW, AT_A_STATE, Form
from claims.stating.verdict import Known, Outcome, Verdict
from claims.targets.target import Target
from claims.verifying.enclosing import NoEnclosureError
from tests.planting import bugs_in, facts_above, planted

TRUE = Target("localmax.hull_shrinks", "supports_contract")
PATH = Target("polarization.order_is_preserved", "values_stay_ordered", ("zero_scores",))
HOLDS, VIOLATED = (Verdict(outcome, Known.EXACT, fmpq(1, 3)) for outcome in (Outcome.HOLDS, Outcome.VIOLATED))
OPEN = Verdict(Outcome.UNDECIDED, None)


def instance(number):
    return SimpleNamespace(number=number, to_json=lambda: {"x": [number]})


def round_of(m, seen, target=TRUE, seconds=float("inf"), clear=(), candidates=(), tight=(), drawn=(), cut=False):
    """The result of a round whose search finds this, and the numbers of what was decided, in their order.

    `seen` holds the verdicts by number, which all others share.
    """
    decided = []

    def verdict_of(variant, system):
        decided.append(system.number)
        return system, seen.get(system.number, seen[None])

    def search(variant, entropy, starts, known, confirm, limit):
        assert (entropy, starts, known, limit) == ([1, 2], 7, [], seconds)
        for number in clear:
            confirm(instance(number))
        near = [
            SimpleNamespace(slack=1 + k % 5, normalised=k / 4, instance=instance(number)) for k, number in enumerate(tight)
        ]
        found = {"starts": 11, "evaluations": 12, "proposed": 13, "outside": {"a": 14}, "cut": cut, "tight": near}
        return SimpleNamespace(**found, candidates=[instance(number) for number in candidates])

    m.search, m._decided = search, verdict_of
    m.verdict_on = lambda variant, system: verdict_of(variant, system)[1]
    m.probed_instances = lambda variant, entropy: map(instance, drawn if entropy == [1, 2] else ())
    m._why_idle = lambda variant, entropy: "idle" if entropy == [1, 2] else None
    return m.searched(target.resolve(), [1, 2], 7, [], seconds), decided


def only_what_is_violated_for_certain_refutes(m):
    """Every outcome in every way to know it: by statistics, to so many digits or in floats nothing is refuted."""
    for outcome, known in product(Outcome, (None, *Known)):
        certain = outcome is Outcome.VIOLATED and known in (Known.EXACT, Known.CERTIFIED)
        assert m.is_counterexample(Verdict(outcome, known, fmpq(-1))) is certain


def what_float64_doubts_is_decided_until_one_violates(m):
    """Of a cheap conclusion, where nothing was clear; the clear ones were decided as the search went on."""
    for violating in (None, *range(10)):
        seen = {violating: VIOLATED, None: OPEN}
        found, decided = round_of(m, seen, candidates=range(10))
        there = violating is not None and violating < DOUBTFUL
        assert decided == list(range(violating + 1 if there else DOUBTFUL))
        assert found["certified"] == there
        assert found["violations"] == ([{"slack": "1/3", "instance": {"x": [violating]}}] if there else [])
        assert found["undecided"] == len(decided) - there
        assert found["idle"] is None
    assert round_of(m, {None: OPEN}, PATH, candidates=range(10))[1] == [], "costly"
    assert round_of(m, {None: OPEN, 5: VIOLATED}, clear=[5], candidates=range(3))[1] == [5]
    for order in ([100, 5], [5, 100]):
        found, _ = round_of(m, {None: VIOLATED}, clear=order)
        assert found["violations"] == [{"slack": "1/3", "instance": {"x": [number]}} for number in (5, 100)]
        assert found["certified"] == 2


def the_first_tight_one_that_is_decided_to_hold_is_told(m):
    """Of so many that are tried: three of a cheap conclusion, one of a costly one. What is open holds not."""
    near = replace(OPEN, slack=HOLDS.slack)
    for target, verdicts in product((TRUE, PATH), product((HOLDS, VIOLATED, near, Verdict(Outcome.HOLDS, None)), repeat=4)):
        found, decided = round_of(m, {None: OPEN, **dict(enumerate(verdicts))}, target, tight=range(4))
        most = TIGHTEST[target is PATH]
        holding = next((k for k in range(most) if verdicts[k] is HOLDS), None)
        assert decided == list(range(most if holding is None else holding + 1))
        there = holding is not None
        assert found["tightest"] == ({"slack": "1/3", "known": "exact", "instance": {"x": [holding]}} if there else None)
        assert found["decided"] == there
        assert found["certified"] == found["rejected"] == found["undecided"] == 0


def where_nothing_was_decided_instances_are_drawn_until_one_is(m):
    for first in range(5):
        seen = {None: OPEN, **dict.fromkeys(range(first, 9), HOLDS)}
        found, decided = round_of(m, seen, drawn=range(4))
        assert decided == list(range(min(first + 1, 4)))
        assert (found["rejected"], found["decided"]) == ((1, 1) if first < 4 else (0, 0))
        assert found["idle"] == "idle", "what is drawn was not met by the search"
    assert round_of(m, {None: HOLDS}, tight=[8], drawn=range(4))[1] == [8]
    assert round_of(m, {None: OPEN}, clear=[8], drawn=range(4))[0]["idle"] is None


def what_a_round_hands_on_is_what_was_found(m):
    found, _ = round_of(m, {None: OPEN}, tight=range(12))
    counts = {name: found[name] for name in ("starts", "evaluations", "proposed", "outside")}
    assert counts == {"starts": 11, "evaluations": 12, "proposed": 13, "outside": {"a": 14}}
    assert found["best_slack"] == 1.0
    assert found["tight"] == [{"slack": 1.0 + k % 5, "normalised": k / 4, "instance": {"x": [k]}} for k in range(KEPT)]
    assert round_of(m, {None: OPEN})[0]["best_slack"] is None


def when_the_time_is_over_one_decision_is_enough(m):
    """Of what is drawn, too, where nothing was decided before; what was cut off is left undecided, once."""
    for cut in (False, True):
        found, decided = round_of(m, {None: OPEN}, seconds=-0.5, candidates=[1, 2], tight=[3], drawn=[4], cut=cut)
        assert (decided, found["undecided"], found["idle"]) == ([3, 4], 1 + int(cut), None)
        found, decided = round_of(m, {None: HOLDS}, seconds=-0.5, clear=[9], tight=[3], drawn=[4], cut=cut)
        assert (decided, found["rejected"], found["tightest"], found["undecided"]) == ([9], 1, None, int(cut))
        found, decided = round_of(m, {None: OPEN}, seconds=-5.0, tight=[3], cut=cut)
        assert (decided, found["undecided"]) == ([], 1)


def every_start_that_can_be_built_within_the_hypotheses_is_drawn(m):
    """Each of another seed; why there is none, or no slack at it, is told."""
    for refused, raising in product((2, 3, 99), (4, 5, 98)):
        seeds: list[str] = []

        def draw(claim, conclusion, draws, without, raising=raising, seeds=seeds):
            assert (claim, without) == ("claim", ())
            seeds.append(str(draws.rng.bit_generator.state))
            if len(seeds) % raising == 0:
                raise (ValueError, ArithmeticError, IndexError)[len(seeds) % 3]
            return len(seeds)

        m.draw_instance = draw
        form = SimpleNamespace(form=Form.STATE, exact_only=False)
        variant = SimpleNamespace(claim="claim", conclusion=form, without=(), admits=lambda n, refused=refused: n % refused)
        found = list(m.probed_instances(variant, [1, 2]))
        assert found == [n for n in range(1, PROBES + 1) if n % raising and n % refused]
        assert len(set(seeds)) == PROBES
    names = tuple(SimpleNamespace(name=name) for name in "ab")
    for without, form, slacks in product(((), names), Form, product(("none", "raises", "one"), repeat=2)):
        values = {"none": np.zeros(0), "raises": None, "one": np.ones(1)}

        def slack(kind, values=values):
            if values[kind] is None:
                raise ZeroDivisionError
            return values[kind]

        variant = SimpleNamespace(without=without, conclusion=SimpleNamespace(form=form, slack=slack))
        m.probed_instances = lambda *_: iter(())
        assert m._why_idle(variant, [0]) == ("no start breaks a, b alone" if without else "no start could be built")
        m.probed_instances = lambda _, entropy, slacks=slacks: iter(slacks if entropy == [0] else ())
        nothing = form in AT_A_STATE and "one" not in slacks
        assert m._why_idle(variant, [0]) == ("nothing to compare" if nothing else None)


def a_costly_candidate_is_replaced_by_a_short_one_that_violates_too(m):
    far, near = instance(1), instance(2)
    for costly, of_near, of_far, same in product((False, True), (HOLDS, VIOLATED, OPEN), (HOLDS, VIOLATED), (False, True)):
        asked = []
        m.is_costly = lambda conclusion, costly=costly: costly
        m.simplest_near = lambda variant, system, same=same: system if same else near
        m.verdict_on = lambda variant, system, asked=asked, of_near=of_near, of_far=of_far: (
            asked.append(system.number),
            of_near if system is near else of_far,
        )[1]
        replaced = costly and not same and of_near is VIOLATED
        assert m._decided(TRUE.resolve(), far) == ((near, of_near) if replaced else (far, of_far))
        assert asked == ([2] if replaced else [2, 1] if costly and not same else [1])


def a_reduction_hands_on_what_it_is_given(m):
    """The counterexample made small within its seconds, its witness by its own horizon, and the seed of the hunt."""
    given, asked = [[1], [2]], []
    small = SimpleNamespace(system="small", verdict="seen", horizon="horizon", trials=4)
    m.simplify = lambda *told: asked.append(told) or small
    m.witnessed = lambda *told: asked.append(told) or "witnessed"
    m.certificate = lambda *told: asked.append(told) or {"c": 1}
    m._enclosed = lambda *told: asked.append(told) or {"enclosure": 5}
    now = m.time.monotonic()
    for seconds in (None, 9.0):
        asked.clear()
        found = m.work(m.reduction_spec(TRUE, {"z": given, "system": "LocalmaxStep"}, 8, seconds))
        assert found == {"trials": 4, "certificate": {"c": 1}, "enclosure": 5}
        simplified, witness, written, enclosed = asked
        assert simplified[1].z.tolist() == given
        assert simplified[2:] == (EFFORT, float("inf") if seconds is None else 9.0)
        assert witness[1:5] == ("small", "seen", EFFORT, "horizon")
        assert witness[5] == float("inf") if seconds is None else 8.9 < witness[5] - now < 60
        assert written == (TRUE, "small", "witnessed", 8)
        assert (enclosed[0], enclosed[2], enclosed[3]) == (TRUE, "witnessed", witness[5])
        assert m.certified(TRUE, "s", "v", 3) == {"c": 1}
        assert asked[-2][1:] == ("s", "v", EFFORT)
        assert asked[-1] == (TRUE, "s", "witnessed", 3)


def an_enclosure_is_written_of_what_is_along_a_flow(m):
    """Or why there is none; its name tells what was changed of the statement."""
    changes = ("", "without zero_scores", "with a = 1")
    targets = (Target("a.b", "c"), Target("a.b", "c", ("zero_scores",)), Target("a.b", "c", (), (("a", "1"),)))
    asked = []
    m.within = lambda seconds: asked.append(seconds) or nullcontext()
    for form, (target, change) in product(Form, zip(targets, changes, strict=True)):
        variant = SimpleNamespace(conclusion=SimpleNamespace(form=form))
        for error, told in (
            (None, {"enclosure": ("a.b", "c", "verdict", change)}),
            (NoEnclosureError("why"), {"no_enclosure": "why"}),
            (OutOfTimeError("late"), {"no_enclosure": "the time was over: a hunt with a larger --budget writes it"}),
        ):

            def enclosure(*given, error=error):
                if error is not None:
                    raise error
                return given

            m.enclosure = enclosure
            assert m._enclosed(target, variant, "verdict", m.time.monotonic() + 30) == (
                told if form in ALONG_A_FLOW else {}
            )
    assert all(29 < seconds <= 30 for seconds in asked)
    with suppress(OutOfTimeError):
        m._enclosed(targets[0], SimpleNamespace(conclusion=SimpleNamespace(form=Form.RATE)), "verdict", 0.0)
    assert asked[-1] == m.SPARE_SECONDS


def each_round_is_of_its_own_seed_and_gets_what_it_is_given(m):
    """Of the seed, the target, the generation and the shard: another one of any makes another search."""
    asked = []
    m.searched = lambda *given: asked.append(given) or {"found": len(asked)}
    spec = m.round_spec(TRUE, 1, 2, 3, 40, ({"x": 1},))
    told = {"kind": "round", "target": TRUE.to_json(), "seed": 1, "generation": 2, "shard": 3, "starts": 40}
    assert spec == told | {"known": [{"x": 1}]}
    assert m.round_spec(TRUE, 1, 2, 3, 40, ({"x": 1},), 5.0) == spec | {"seconds": 5.0}
    assert m.work(spec) == {"found": 1}
    for changed in ({"seed": 2}, {"generation": 1}, {"shard": 1}, {"target": PATH.to_json()}, {"seconds": 0.5}):
        m.work(spec | changed)
    assert [given[2:] for given in asked] == [(40, [{"x": 1}], float("inf"))] * 5 + [(40, [{"x": 1}], 0.5)]
    assert len({tuple(given[1]) for given in asked}) == 5
    assert asked[0][1] == asked[-1][1]
    assert all(type(part) is int for given in asked for part in given[1])


def decisions_of_a_round_are_quick_and_may_be_outside(m):
    """Numbers outside the hypotheses are decided too: some are dropped."""
    asked = []
    m.decide = lambda *given, **named: asked.append((given, named)) or "verdict"
    variant = SimpleNamespace(conclusion="conclusion")
    assert m.verdict_on(variant, "system") == "verdict"
    assert asked == [(("conclusion", "system", QUICK), {"outside": True})]


FACTS = facts_above(globals())


@pytest.mark.parametrize("fact", FACTS)
def test_a_round(fact):
    fact(planted(rounds))


@bugs_in(rounds)
def test_a_bug_planted_in_rounds_is_noticed(bug):
    assert bug.is_noticed(FACTS)
