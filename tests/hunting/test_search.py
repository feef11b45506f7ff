"""The float64 search finds planted falsehoods, proposes exact instances only, and repeats itself."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from claims.hunting.margins import margins
from claims.hunting.origins import Around, restricted
from claims.hunting.search import PROBED, Found, search
from claims.hunting.terms import in_terms
from claims.instances.builders import draw_system
from claims.instances.drawing import draw_freely, draw_instance, unmet
from claims.instances.draws import BatchDraws, PlannedDraws, SeededDraws
from claims.stating.assumptions import identity_value
from claims.stating.verdict import Outcome
from claims.targets.target import Target, Variant
from claims.verifying.deciding import Effort, check
from dynamics.arithmetic import exact, fraction
from dynamics.integrate import chosen, in_float64, is_batch, members
from dynamics.tokens.self_attention import SelfAttentionFlow
from dynamics.training.value_softmax import LogisticFlow
from tests.hunting.flows import logistic
from tests.planting import LONG

FALSE = (
    Target("polarization.score_ratios_decay", "inverse_ratio_rate", sharpened=(("rate", "1001/1000"),)),
    Target("polarization.loss_vanishes", "margin_rate", sharpened=(("rate", "1001/1000"),)),
    Target("clusters.hull_shrinks", "edges_move_inward", sharpened=(("room", "999/1000"),)),
    Target("clusters.hull_shrinks", "edges_move_inward", dropped=("identity_value",)),
    Target("clusters.key_query_distances_grow", "key_query_separation_rate", dropped=("symmetric_key_query",)),
    Target("localmax.hull_shrinks", "new_tokens_stay_in_hull", dropped=("step_size_at_most_one",)),
    Target("clusters.euclidean_distances_grow_under_definite_scores", "separation_rate"),
)


@pytest.mark.parametrize("target", FALSE, ids=str)
def test_planted_falsehoods_are_found(target):
    variant = target.resolve()
    found = search(variant, [5], 2000, [])
    assert found.candidates
    for instance in found.candidates:
        assert set(unmet(variant.claim, variant.conclusion, instance)) == set(variant.without)
    assert check(variant.conclusion, found.candidates[0], Effort(bits=4096)).outcome is Outcome.VIOLATED


def test_what_holds_leaves_tight_instances_and_no_clear_candidate():
    variant = Target("clusters.pairwise_distances_grow", "separation_rate").resolve()
    found = search(variant, [5], 300, [])
    assert 300 <= found.evaluations < 400
    assert 0 < found.starts <= found.evaluations
    assert found.tight
    for tight in found.tight:
        assert tight.slack > 0
        assert not unmet(variant.claim, variant.conclusion, tight.instance)
    assert [tight.normalised for tight in found.tight] == sorted(tight.normalised for tight in found.tight)
    for instance in found.candidates:
        assert check(variant.conclusion, instance).outcome is not Outcome.VIOLATED


def test_known_instances_are_started_from():
    variant = Target("clusters.euclidean_distances_grow_under_definite_scores", "separation_rate").resolve()
    known = search(variant, [5], 2000, []).candidates[0]
    # Even the first point is the known instance itself.
    again = search(variant, [6], 40, [known])
    assert again.evaluations <= 16
    assert check(variant.conclusion, again.candidates[0]).outcome is Outcome.VIOLATED


def test_identities_are_proposed_by_more_digits_only():
    true = Target("polarization.loss_vanishes", "margin_rate_formula").resolve()
    false = Target(
        "polarization.loss_vanishes", "margin_rate_formula", sharpened=(("K_factor", "1000001/1000000"),)
    ).resolve()
    assert not search(true, [5], 60, []).candidates
    candidates = search(false, [5], 60, []).candidates
    assert check(false.conclusion, candidates[0]).outcome is Outcome.VIOLATED


def test_a_falsehood_that_random_starts_miss_is_found_in_a_tenth_of_what_they_take():
    variant = _nearly_identity_value(fmpq(1, 20))
    found = search(variant, [5], 3000, [])
    assert check(variant.conclusion, found.candidates[0]).outcome is Outcome.VIOLATED
    for turn in range(9):  # a batch for each kind of tokens
        draws = BatchDraws(np.random.default_rng([5, turn]), turn=turn, batch=-(-10 * found.evaluations // 9))
        at_random = np.asarray(variant.conclusion.slack(draw_freely(variant.claim, variant.conclusion, draws, ())))
        assert (at_random > -1e-9).all()


def _nearly_identity_value(room: fmpq) -> Variant:
    """Distances between tokens grow where V is the identity: claimed where it is so up to `room`."""
    variant = Target("clusters.pairwise_distances_grow", "separation_rate").resolve()

    def restrict(f):
        most = float(fraction(room)) if f.V.dtype != object else room
        eye = np.eye(f.V.shape[-1]) if f.V.dtype != object else exact(np.eye(f.V.shape[-1], dtype=int))
        return f.replace(V=np.minimum(np.maximum(f.V, eye - most), eye + most))

    near = replace(
        identity_value, restrict=restrict, satisfies=lambda f: bool((abs(f.V - np.eye(len(f.V), dtype=int)) <= room).all())
    )
    assuming = tuple(near if a is identity_value else a for a in variant.claim.assumptions)
    return replace(variant, conclusion=replace(variant.conclusion, assuming=assuming))


def _facts(found: Found):
    systems = [*found.candidates, *(tight.instance for tight in found.tight)]
    return found.evaluations, found.starts, found.proposed, [system.to_json() for system in systems]


def test_the_same_arguments_give_the_same_result():
    variant = Target("clusters.pairwise_distances_grow", "separation_rate").resolve()
    assert _facts(search(variant, [1, 2], 200, [])) == _facts(search(variant, [1, 2], 200, []))
    assert _facts(search(variant, [1, 2], 200, [])) != _facts(search(variant, [1, 3], 200, []))


def test_a_plan_is_drawn_like_a_batch_and_repeats():
    draws = PlannedDraws(np.random.default_rng(4), turn=5, batch=7)
    drawn = draw_system(SelfAttentionFlow, draws)
    batch = draw_system(SelfAttentionFlow, BatchDraws(np.random.default_rng(4), turn=5, batch=7))
    again = draw_system(SelfAttentionFlow, draws.replaying(draws.numbers_drawn()))
    other = draw_system(SelfAttentionFlow, draws.replaying(draws.numbers_drawn() / 2))
    for name, array in drawn.arrays().items():
        assert (array == getattr(batch, name)).all()
        assert (array == getattr(again, name)).all()
    assert (other.V == drawn.V / 2).all()


def test_constants_reach_batches_as_floats():
    variant = Target("polarization.loss_vanishes", "margin_rate", sharpened=(("rate", "101/100"),)).resolve()
    exactly = LogisticFlow.instance(u=[1, 0], a=[0, 0])
    slack = np.asarray(variant.conclusion.slack(logistic([[1, 0]])))
    assert slack.dtype == float
    assert slack.item() == pytest.approx(float(fraction(check(variant.conclusion, exactly).slack)), rel=1e-12)


@pytest.mark.parametrize("target", [t for t in FALSE if "hull" not in t.claim], ids=str)
def test_the_terms_of_a_batch_are_those_of_its_members(target):
    variant = target.resolve()
    systems = draw_freely(variant.claim, variant.conclusion, BatchDraws(np.random.default_rng(3), turn=2, batch=9), ())
    together = in_terms(variant.conclusion, systems)
    for index in range(9):
        alone = in_terms(variant.conclusion, chosen(systems, np.array([index])))
        for of_batch, of_one in zip(together, alone, strict=True):
            assert np.allclose(of_batch[index], of_one[0], rtol=1e-12, atol=0, equal_nan=True)
    assert np.allclose(together[0], margins(variant.conclusion, systems), rtol=1e-6, atol=1e-9, equal_nan=True)
    assert (together[1] >= abs(together[0]) * (1 - 1e-12)).all()


def test_instances_that_collapse_are_shown_where_more_digits_agree():
    variant = Target("polarization.cube_map_polarises", "total_is_bounded").resolve()
    found = search(variant, [5], 600, [])
    collapsed = [tight for tight in found.tight if tight.normalised < 1e-5]
    assert 0 < len(collapsed) < len(found.tight)
    for tight in collapsed:
        verdict = check(variant.conclusion, tight.instance)
        assert verdict.outcome is Outcome.HOLDS
        assert float(fraction(verdict.slack)) == pytest.approx(tight.slack, rel=1e-2)


def test_a_draw_that_makes_one_instance_at_a_time_is_searched_too():
    """Its arrays have no leading axis, which mutants would take for that of the tokens."""
    variant = Target("frank_wolfe.acute_sets_are_small", "widest_angle").resolve()
    found = search(variant, [3, 0], 64, [])
    assert 64 <= found.evaluations < 128
    assert found.tight
    assert all(one.instance.x.shape in ((4, 2), (8, 3)) for one in found.tight)


def test_what_only_rationals_decide_is_decided_as_it_is_drawn():
    variant = Target("localmax.negative_scores_lead_to_the_origin", "distance_to_the_origin").resolve()
    assert search(variant, [3, 0], 64, []).candidates


@pytest.mark.parametrize(
    ("claim", "conclusion"),
    [
        ("frank_wolfe.one_pick_escapes_are_geometric", "escape_is_at_most_exponential"),
        ("frank_wolfe.collapse_point_has_no_atoms", "two_ends_are_both_likely"),
        ("localmax.large_sensitivity_averages_all", "tokens_close_in"),
    ],
)
def test_a_restriction_for_one_instance_is_asked_about_each_member_of_a_batch(claim, conclusion):
    """It fails for a batch, or gives another number of members."""
    variant = Target(claim, conclusion).resolve()
    drawn = draw_instance(variant.claim, variant.conclusion, SeededDraws(np.random.default_rng(1), small=True), ())
    origin = Around(variant, in_float64(drawn))
    rows = 0.05 * np.random.default_rng(0).standard_normal((3, origin.dimension))
    systems = origin.systems(rows)
    assert is_batch(systems)
    assert members(systems) == 3
    for i in range(3):
        assert systems.row(i).to_json() == origin.systems(rows[i : i + 1]).row(0).to_json()
        assert variant.admits(restricted(variant, systems.row(i)))


@pytest.mark.skipif(not LONG, reason="every night: a hunt of its own")
def test_numbers_that_overflow_while_float64_proposes_are_no_news():
    """Mutants of this claim's matrices leave float64 in the constructions of its assumptions; warnings are errors here."""
    variant = Target("localmax.norms_fall_by_sensitivity_at_most", "room_of_norms").resolve()
    with np.errstate(all="warn"):
        assert search(variant, [0, 1], 3000, []).evaluations >= 3000


def test_an_assumption_left_open_is_not_broken():
    """What balls do not tell is neither met nor broken: a hunt without the assumption does not take the instance."""
    variant = Target("clusters.hull_shrinks", "edges_move_inward", dropped=("identity_value",)).resolve()
    broken = SelfAttentionFlow.instance(x=[[0], [1]], V=[[2]])
    assert variant.admits(broken)
    [dropped] = variant.without
    for answer, admitted in ((None, False), (True, False), (False, True), (np.False_, True)):
        told = replace(
            variant,
            conclusion=replace(variant.conclusion, assuming=()),
            without=(replace(dropped, satisfies=lambda f, answer=answer: answer),),
        )
        assert told.admits(broken) is admitted


def test_a_search_around_a_large_instance_asks_few_coordinates_at_a_time(monkeypatch):
    variant, asked, systems = Target("polarization.loss_vanishes", "margin_rate").resolve(), [], Around.systems
    monkeypatch.setattr(Around, "systems", lambda around, rows: asked.append(len(rows)) or systems(around, rows))
    p = PROBED + 4
    large = LogisticFlow.instance(
        u=[Fraction(i * i % 97 + 1, 16) for i in range(p)], a=[Fraction(-i, 64) for i in range(p)]
    )
    search(variant, [5], 200, [large])
    assert max(asked) == PROBED + 1
