"""The shortest look: one decided instance, the published counterexample, and now and then a planted falsehood."""

from __future__ import annotations

from dataclasses import replace

import pytest

from claims.catalogue import catalogue
from claims.statement import AT_A_STATE, Form, Relation, Standing
from claims.verdict import Known, Outcome, Verdict
from claims.verifying import smoke
from claims.verifying.deciding import Effort
from claims.verifying.smoke import CHOICE, TENTH, TRIES, UnnoticedError, is_planted, verify_briefly

EFFORT = Effort(steps=10_000)


def test_every_cheap_conclusion_of_a_paper_is_decided_and_every_false_one_is_refuted():
    for claim in catalogue().values():
        if claim.paper.key != "localmax":
            continue
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
