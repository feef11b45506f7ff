"""The shortest look: one decided instance, the published counterexample, and now and then a planted falsehood."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from flint import arb, fmpq

from claims.stating.catalogue import catalogue
from claims.stating.statement import AT_A_STATE, Conclusion, Form, Relation, Standing
from claims.stating.verdict import Known, Outcome, Verdict
from claims.verifying import smoke
from claims.verifying.deciding import Effort
from claims.verifying.smoke import CHOICE, TENTH, TRIES, UnnoticedError, is_planted, verify_briefly
from tests.planting import one_in

EFFORT = Effort(steps=10_000)


def test_every_cheap_conclusion_of_a_paper_is_decided_and_every_false_one_is_refuted():
    for claim in one_in(2, (claim for claim in catalogue().values() if claim.paper.key == "localmax")):
        tallies = [verify_briefly(claim, one, 0, EFFORT) for one in claim.conclusions if one.form in AT_A_STATE]
        if claim.standing is Standing.TRUE:
            assert all(tally.holds and not tally.violated and tally.instances <= TRIES for tally in tallies), claim.id
        if claim.standing is Standing.FALSE and tallies:
            assert any(tally.violated for tally in tallies), claim.id


def test_every_conclusion_has_its_turn_to_be_reversed():
    pairs = [(claim, one) for claim in catalogue().values() for one in claim.conclusions]
    turns = [[is_planted(claim, one, seed) for claim, one in pairs] for seed in range(TENTH)]
    assert all(sum(column) == 1 for column in zip(*turns, strict=True))
    assert all(len(pairs) / 20 < sum(turn) < len(pairs) / 5 for turn in turns)


def test_a_planted_falsehood_that_is_not_refuted_stops_the_run(monkeypatch):
    claim, conclusion, seed = next(
        (claim, one, seed)
        for claim in catalogue().values()
        for one in claim.conclusions
        for seed in range(TENTH)
        if claim.standing is Standing.TRUE and one.form is Form.STATE and one.relation is Relation.NONNEGATIVE
        and is_planted(claim, one, seed)
    )  # fmt: skip
    assert verify_briefly(claim, conclusion, seed, EFFORT).holds
    monkeypatch.setattr(smoke, "check", lambda *_: Verdict(Outcome.HOLDS, Known.EXACT, 1))
    with pytest.raises(UnnoticedError, match="reversed is not refuted"):
        verify_briefly(claim, conclusion, seed, EFFORT)
    verify_briefly(claim, conclusion, seed + 1, EFFORT)


def test_a_true_claim_that_is_violated_is_told():
    claim = catalogue()["localmax.hull_shrinks"]
    wrong = replace(claim.conclusions[0], slack=lambda f: f.gamma - 2)
    assert verify_briefly(claim, wrong, 0, EFFORT).violated == 1


def test_of_several_starts_of_a_costly_conclusion_the_smallest_come_first():
    claim = catalogue()["polarization.order_is_preserved"]
    costly = next(one for one in claim.conclusions if one.form is Form.TRAJECTORY)
    sizes = [sum(array.size for array in system.arrays().values()) for system, _ in smoke._cheap_first(claim, costly, 0)]
    assert len(sizes) == TRIES
    parts = [sizes[first : first + CHOICE] for first in range(0, TRIES, CHOICE)]
    assert all(part == sorted(part) for part in parts)
    assert all(part[0] < part[-1] for part in parts)


def test_a_published_counterexample_is_enough(monkeypatch):
    monkeypatch.setattr(smoke, "draw_instance", None)
    claim = catalogue()["clusters.two_hyperplanes_are_enough"]
    tally = verify_briefly(claim, claim.conclusions[0], 0, EFFORT)
    assert (tally.instances, tally.violated) == (1, 1)


SLACKS = [(None, False), (fmpq(0), False), (fmpq(1), True), (arb(0), False), (arb(1, 2), True), (arb(3), True)]
"""And whether they are known not to be exactly zero."""


def test_a_reversed_inequality_that_holds_is_told_wherever_it_says_something(monkeypatch):
    """It contradicts what holds with a slack that is not zero; an identity has no opposite, a limit none without a trap."""
    claim = catalogue()["localmax.hull_shrinks"]
    system = smoke.draw_instance(claim, claim.conclusions[0], smoke.SeededDraws(smoke.np.random.default_rng(0)))
    for outcome, (slack, is_strict), relation, form, trap, reversed_outcome in product(
        Outcome, SLACKS, Relation, (Form.STATE, Form.LIMIT), (None, str), Outcome
    ):
        conclusion = Conclusion("any", form, relation, lambda f: 1, times=lambda f: [], trap=trap)
        monkeypatch.setattr(smoke, "_decided", lambda *_, found=reversed_outcome: Verdict(found, Known.EXACT, None))
        may_be_reversed = relation is not Relation.ZERO and (form is not Form.LIMIT or trap is not None)
        expected = outcome is Outcome.HOLDS and may_be_reversed and is_strict and reversed_outcome is Outcome.HOLDS
        verdict = Verdict(outcome, Known.EXACT, slack)
        try:
            smoke._plant(claim, conclusion, system, verdict, EFFORT)
            assert not expected, (outcome, slack, relation, form, trap, reversed_outcome)
        except UnnoticedError:
            assert expected, (outcome, slack, relation, form, trap, reversed_outcome)


@pytest.mark.parametrize("standing", Standing)
@pytest.mark.parametrize("is_costly", [False, True])
def test_it_looks_until_something_is_decided_and_of_what_is_false_until_it_is_refuted(standing, is_costly, monkeypatch):
    claim = catalogue()["localmax.hull_shrinks"]
    claim = replace(claim, standing=standing, corrected_by="none" if standing is Standing.FALSE else None, file="own.py")
    start = claim.system.instance(z=[[1], [2]])
    undecided, vacuous = Verdict(Outcome.UNDECIDED, None), Verdict(Outcome.HOLDS, None)
    holds, violated = Verdict(Outcome.HOLDS, Known.EXACT, fmpq(1)), Verdict(Outcome.VIOLATED, Known.EXACT, fmpq(-1))
    monkeypatch.setattr(smoke, "is_costly", lambda conclusion: is_costly)
    monkeypatch.setattr(smoke, "is_planted", lambda *_: False)
    monkeypatch.setattr(smoke, "_cheap_first", lambda *_: ((start, []) for _ in range(TRIES)))
    for script in product((undecided, vacuous, holds, violated, "unmet"), repeat=3):
        given = iter(script)
        now = []

        def unmet(*_, given=given, now=now):
            now[:] = [next(given, holds)]
            return [1] if now == ["unmet"] else []

        monkeypatch.setattr(smoke, "unmet", unmet)
        monkeypatch.setattr(smoke, "_decided", lambda *_, now=now: now[0])
        tally = verify_briefly(claim, claim.conclusions[0], 0, EFFORT)
        seen = []
        for one in [*script, *[holds] * (TRIES - 3)]:
            seen.append(one)
            goes_on = standing is Standing.FALSE and not is_costly and one is not violated
            if one in (holds, violated) and not goes_on:
                break
        assert (tally.instances, tally.holds, tally.violated, tally.undecided) == (
            len(seen), seen.count(holds), seen.count(violated), seen.count(undecided)
        ), script  # fmt: skip
        assert tally.vacuous == seen.count(vacuous) + seen.count("unmet"), script


def test_the_lowest_precision_is_enough_where_it_decides(monkeypatch):
    claim = catalogue()["localmax.hull_shrinks"]
    for is_costly, first in product([False, True], Outcome):
        asked = []

        def check(conclusion, system, effort, first=first, asked=asked):
            asked.append(effort.trajectory_bits)
            return Verdict(first if len(asked) == 1 else Outcome.VIOLATED, None)

        monkeypatch.setattr(smoke, "is_costly", lambda conclusion, is_costly=is_costly: is_costly)
        monkeypatch.setattr(smoke, "check", check)
        found = smoke._decided(claim.conclusions[0], None, EFFORT)
        low = [64] if is_costly else []
        goes_on = not is_costly or first is Outcome.UNDECIDED
        assert asked == low + [EFFORT.trajectory_bits] * goes_on
        assert found.outcome is (Outcome.VIOLATED if is_costly and goes_on else first)
