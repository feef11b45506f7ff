"""Instances reach the hypotheses and their boundary by construction, and breaking one assumption breaks only that."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from claims.instances.drawing import draw_elsewhere, draw_freely, draw_instance, unmet, violate_where_met
from claims.instances.draws import BatchDraws, SeededDraws
from claims.instances.tokens import TOKEN_STARTS
from claims.instances.training import SCORE_STARTS
from claims.stating.catalogue import catalogue
from claims.stating.statement import is_costly
from claims.targets.user_claims import claim_in
from dynamics.arithmetic import FLOAT64
from tests.hypothesis_tests.hostile import GOOD, assumed, file
from tests.planting import LONG, one_in

DRAWN = {
    (claim.id, is_costly(conclusion), conclusion.exact_only, *claim.assumptions_of(conclusion)): (claim, conclusion)
    for claim in catalogue().values()
    for conclusion in reversed(claim.conclusions)
}
PAIRS = list(DRAWN.values())
"""One conclusion for each way to draw an instance: the slack has no part in it."""

IDS = [f"{claim.id}.{conclusion.name}" for claim, conclusion in PAIRS]
TURNS = 16


def draws(turn, small):
    # A generator of its own for each turn: one start can be drawn again without those before it.
    return SeededDraws(np.random.default_rng([11, turn]), small, turn)


@pytest.mark.parametrize(("claim", "conclusion"), PAIRS, ids=IDS)
def test_every_instance_satisfies_what_is_assumed(claim, conclusion):
    costly = is_costly(conclusion)
    for turn in range((8 if claim.draw else TURNS) // (1 if LONG else 2)):
        assert unmet(claim, conclusion, draw_instance(claim, conclusion, draws(turn, costly))) == []


@pytest.mark.parametrize(("claim", "conclusion"), one_in(6, PAIRS), ids=one_in(6, IDS))
def test_dropping_an_assumption_violates_exactly_that_one(claim, conclusion):
    costly, turns = is_costly(conclusion), (8 if claim.draw else TURNS) // (1 if LONG else 2)
    for dropped in claim.assumptions_of(conclusion):
        if dropped.violate is None:
            continue
        found = Counter()
        for turn in range(turns):
            system = draw_instance(claim, conclusion, draws(turn, costly), without=(dropped,))
            found.update([tuple(assumption.name for assumption in unmet(claim, conclusion, system))])
        # Never another one: a violation that breaks two hypotheses would show that neither is needed. None at all is
        # allowed, for a system of one token or one dimension may leave no way to break it.
        assert set(found) <= {(dropped.name,), ()}, found
        assert found[dropped.name,] >= turns // 2, "dropping the assumption hardly ever breaks it"


ONE_START = "def draw(draws):\n    return Decay(x=numbers(np.array([1, 2], dtype=object)))\n"
SOME = "all(x > 0 or x < -9**6 for x in f.x)"


@pytest.mark.parametrize(
    ("setting", "found"),
    [
        (ONE_START + "assumptions = ()\n", 4),
        (ONE_START + assumed(f"given = dict(satisfies=lambda f: {SOME})"), 2),
        (ONE_START + assumed("given = dict(satisfies=lambda f: f.x[0] == 1 and f.x[1] == 2)"), 0),
        (ONE_START + assumed("given = dict(satisfies=lambda f: list(f.x) == [1, 2], restrict=draw)"), 1),
        (ONE_START + assumed("given = dict(satisfies=lambda f: 1 / (f.x[0] - f.x[0]))"), 0),
    ],
    ids=["anything", "far away", "one alone", "led to one", "no value"],
)
def test_what_a_draw_of_ones_own_never_makes_is_looked_at(setting, found):
    claim = claim_in(file(GOOD, setting), "own_start.py")
    made = [draw_elsewhere(claim, claim.conclusions[0], draws(turn, False)) for turn in range(64)]
    different = {str(one.x) for one in made if one is not None}
    assert len(different) >= found
    assert not (found == 0 and different)
    assert (found == 1) == (different == {str(claim.draw(None).x)})
    if found == 2:
        assert any(min(one.x) < -(9**6) for one in made if one is not None)
    if found == 4:
        assert any("/3" in text for text in different)
    claim = replace(claim, file=None)
    assert draw_elsewhere(claim, claim.conclusions[0], draws(0, False)) is None


def starts_of(claim):
    if claim.draw is not None or not claim.conclusions:
        return []
    fields = claim.system.fields()
    tokens = [*TOKEN_STARTS, "n = 1", "d = 1"] if "tokens" in {field.alias for field in fields.values()} else []
    return [*tokens, *(SCORE_STARTS if "a" in fields else [])]


GENERAL = {name: claim for name, claim in catalogue().items() if starts_of(claim)}


@pytest.mark.parametrize("claim", one_in(3, GENERAL.values()), ids=one_in(3, GENERAL))
def test_every_kind_of_start_is_reached_early(claim):
    conclusion = claim.conclusions[0]
    chosen = Counter()
    # Kinds are taken in turn, by the digits of the turn: with four choices a kind of the last comes late.
    for turn in range(72):
        source = draws(turn, False)
        draw_instance(claim, conclusion, source)
        chosen.update(source.chosen)
    assert all(chosen[kind] >= 2 for kind in starts_of(claim)), chosen


def test_batches_are_exact_and_satisfy_the_assumptions_row_by_row():
    for claim, conclusion in PAIRS:
        if claim.draw or is_costly(conclusion) or conclusion.exact_only:
            continue
        for turn in range(6 if LONG else 3):
            batch = BatchDraws(np.random.default_rng([13, turn]), False, turn, batch=16)
            systems = draw_instance(claim, conclusion, batch)
            # Not the first: a batch that took its first row for all others would pass.
            row = systems.row(3)
            assert unmet(claim, conclusion, row) == [], claim.id
            for name, array in row.to(FLOAT64).arrays().items():
                whole = np.asarray(getattr(systems, name))
                assert (array == (whole[3] if whole.ndim > array.ndim else whole)).all()


def test_assumption_without_a_violation_cannot_be_dropped():
    claim = catalogue()["frank_wolfe.group_jumps_are_rare"]
    with pytest.raises(ValueError, match="no way to break the assumption own_cells"):
        draw_instance(claim, claim.conclusions[0], draws(0, True), without=(claim.assumptions[0],))


def test_assumption_that_is_not_imposed_may_be_met_or_broken_but_the_others_are_met():
    claim = catalogue()["polarization.order_is_preserved"]
    free = claim.assumptions[2:]
    found = Counter()
    for turn in range(TURNS):
        system = draw_freely(claim, claim.conclusions[0], draws(turn, True), free)
        found[tuple(unmet(claim, claim.conclusions[0], system))] += 1
        broken = violate_where_met(claim, system, draws(turn, True), free)
        assert unmet(claim, claim.conclusions[0], broken) == list(free)
    assert set(found) == {free, ()}


def test_same_seed_gives_the_same_instance():
    for claim, conclusion in PAIRS[:4]:
        first, second = (draw_instance(claim, conclusion, draws(5, False)).to_json() for _ in range(2))
        assert first == second
