"""The search behind `claims verify`: what it counts, when it stops, and what it finds without an assumption."""

from __future__ import annotations

from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import product

import pytest
from flint import arb, fmpq

import claims.verifying.tallies
from claims.instances.drawing import unmet
from claims.polarization.setting.scores import unit_target, zero_scores
from claims.stating.assumptions import certainly_all, certainly_at_most, certainly_positive
from claims.stating.catalogue import catalogue
from claims.stating.statement import Assumption, Standing, is_costly
from claims.stating.verdict import Known, Outcome, Verdict
from claims.targets.target import Target
from claims.verifying.deciding import Effort, check
from claims.verifying.dropping import EACH, Drop, DropError, DropFinding, drop, targets_without
from claims.verifying.processes import workers
from claims.verifying.tallies import (
    HANDFUL,
    PATIENCE,
    PROFILES,
    Tally,
    dropped_from,
    examples_of,
    seed_of,
    verify_conclusion,
)
from dynamics.training.value_softmax import LogisticFlow
from tests.planting import LONG

SMOKE = PROFILES["smoke"]


def find(claim_id, name, *dropped, examples=SMOKE):
    claim = catalogue()[claim_id]
    conclusion = next(conclusion for conclusion in claim.conclusions if conclusion.name == name)
    without = dropped_from(claim, conclusion, dropped)
    assert len(without) == len(dropped)
    return claim, conclusion, verify_conclusion(claim, conclusion, examples, 0, Effort(), without)


def finding(claim, tally, unbreakable=()):
    return Drop(claim.id, claim.refs, claim.origin, claim.standing, tally, unbreakable, 0.0).finding


@pytest.mark.parametrize(
    ("claim_id", "name", "dropped"),
    [
        ("polarization.order_is_preserved", "scores_stay_ordered", ["zero_scores"]),
        *([("polarization.order_is_preserved", "values_stay_ordered", ["ordered_values"])] if LONG else []),
        ("polarization.leading_score_gaps_grow", "score_gap_rate_in_time", ["zero_scores", "ordered_values"]),
        ("polarization.score_ratios_decay", "inverse_ratio_rate", ["comonotone"]),
        *([("polarization.regression_order_is_preserved", "gamma_stays_positive", ["zero_values"])] if LONG else []),
        ("polarization.regression_clock_is_finite", "limit_is_below_length", ["two_scores"]),
        ("clusters.hull_shrinks", "edges_move_inward", ["identity_value"]),
        ("clusters.hull_shrinks", "support_never_grows", ["identity_value"]),
        ("frank_wolfe.hull_shrinks", "new_tokens_stay_in_hull", ["scalar_step"]),
        ("frank_wolfe.hardmax_step_is_frank_wolfe", "difference_of_steps", ["averaged_leaders"]),
        ("frank_wolfe.group_jumps_are_rare", "share_of_other_groups", ["tokens_near_vertices"]),
        ("localmax.hull_shrinks", "supports_contract", ["step_size_at_most_one"]),
    ],
)
def test_necessary_assumption_is_found_needed_by_an_instance_that_breaks_only_it(claim_id, name, dropped):
    claim, conclusion, tally = find(claim_id, name, *dropped)
    assert finding(claim, tally) is DropFinding.NEEDED
    # From the file's numbers and by another call: the tally might say of one instance what it found of another.
    assert set(tally.decided_by) <= {Known.EXACT, Known.CERTIFIED}
    system = claim.system.instance(**{k: v for k, v in tally.violation["instance"].items() if k != "system"})
    assert {assumption.name for assumption in unmet(claim, conclusion, system)} == set(dropped)
    assert check(conclusion, system).outcome is Outcome.VIOLATED


@pytest.mark.parametrize(
    ("claim_id", "name", "dropped"),
    [
        # gamma' = -lambda gamma from m(0) = 0 < K, and |s|^2 > 1/p, whatever the order
        ("polarization.regression_order_is_preserved", "gamma_stays_positive", "ordered_scores"),
        ("polarization.regression_clock_is_finite", "limit_is_below_length", "zero_values"),
        # a start just outside K moves as one just inside
        ("frank_wolfe.escape_takes_exponentially_long_in_diameters", "escape_before_t", "tokens_in_polytope"),
    ],
)
def test_superfluous_assumption_survives_a_longer_search(claim_id, name, dropped):
    claim, conclusion, tally = find(claim_id, name, dropped, examples=1)
    assert finding(claim, tally) is DropFinding.NOT_NEEDED
    share = 1 if conclusion.form == "state" else 4
    assert tally.instances == examples_of(conclusion, 1) * PATIENCE // share
    assert tally.holds + tally.vacuous == tally.instances, "a bound of 1 or more says nothing"
    assert tally.holds > 7 * tally.instances / 8
    assert tally.tightest is not None


def test_every_instance_that_is_decided_breaks_exactly_what_is_dropped(monkeypatch):
    decided = []

    def record(conclusion, system, effort, outside):
        decided.append(system)
        return Verdict(Outcome.HOLDS, Known.EXACT, fmpq(1))

    # Nothing is decided: what is looked at are the instances, and hundreds of searches cost their slacks.
    monkeypatch.setattr(claims.verifying.tallies, "decide", record)
    monkeypatch.setattr(claims.verifying.tallies, "second_opinion", lambda conclusion, system: None)
    if not LONG:
        monkeypatch.setattr(claims.verifying.tallies, "PATIENCE", 4)  # 16 instances, every kind and a batch among them
    built = set()
    for claim in catalogue().values():
        for target in targets_without([claim], [EACH]) if any(map(claim.assumptions_of, claim.conclusions)) else ():
            variant = target.resolve()
            conclusion, without = variant.conclusion, variant.without
            same = claim.system, without, is_costly(conclusion)
            if claim.draw or without[0].violate is None or (same in built and not LONG):
                continue
            built.add(same)  # by day each way to break an assumption of a system is tried beside the first others
            decided.clear()
            tally = verify_conclusion(claim, conclusion, 1, 0, Effort(), without)
            assert len(decided) == tally.instances > 0
            assert all(unmet(claim, conclusion, system) == list(without) for system in decided), target
    assert tally.dropped


def test_float64_batches_are_searched_without_the_assumption():
    _, _, tally = find("clusters.key_query_distances_grow", "key_query_separation_rate", "identity_value", examples=1)
    assert tally.screened > 0
    _, _, tally = find("clusters.discrete_distances_grow", "squared_distance_gained", "positive_step", examples=4)
    assert tally.kinds["proposed by float64"] > 0, "no batch breaks it: proposed rows are violated exactly"


def test_search_goes_on_for_a_handful_after_the_first_violation_and_keeps_the_smallest():
    _, _, tally = find("polarization.score_ratios_decay", "inverse_ratio_rate", "comonotone")
    assert tally.instances == tally.first_violation + HANDFUL
    tally = Tally("planted", "state")
    violated = Verdict(Outcome.VIOLATED, Known.EXACT, fmpq(-1))
    # The smallest is neither the first nor the last.
    for u in ([3, 2, 1], [1], [2, 1]):
        tally.record(LogisticFlow.instance(u=u), violated)
    assert tally.violation["instance"]["u"] == [1]
    assert (tally.first_violation, tally.violated) == (1, 3)


@pytest.mark.parametrize(
    ("claim_id", "name", "dropped", "examples", "expected"),
    [
        # no ratio of one score
        ("polarization.score_ratios_decay", "inverse_ratio_outgrows_clock", "two_scores", 1, DropFinding.UNDECIDED),
        # pairs of one score are none
        ("polarization.order_is_preserved", "values_stay_ordered", "two_scores", SMOKE, DropFinding.VACUOUS),
        # not held true, it needs nothing
        ("clusters.attention_decays_with_any_token", "distance_below_gap", "ordered_tokens", 1, DropFinding.VIOLATED),
    ],
)
def test_what_decides_nothing_without_an_assumption_says_why(claim_id, name, dropped, examples, expected):
    claim, _, tally = find(claim_id, name, dropped, examples=examples)
    assert finding(claim, tally) is expected
    if expected is DropFinding.UNDECIDED:
        assert all("no value outside the hypotheses" in reason for reason in tally.reasons)
    elif expected is DropFinding.VACUOUS:
        assert tally.vacuous == tally.instances > 0


def test_starts_that_break_something_else_are_put_aside_and_counted():
    claim = catalogue()["polarization.above_average_values_gain_weight"]
    state = next(one for one in claim.conclusions if one.name == "weight_rate_at_comonotone_states")
    idle = Assumption("idle", "planted", lambda f: True, violate=lambda f, draws: f)
    tally = verify_conclusion(claim, replace(state, assuming=(idle,)), 1, 0, Effort(), (idle,))
    assert finding(claim, tally) is DropFinding.NOT_BUILT
    assert set(tally.missed) == {"satisfy idle"}
    clumsy = replace(unit_target, name="clumsy", violate=lambda f, draws: f.replace(K=2 * f.K, a=f.a + f.u))
    # What a violation unsettles is imposed again, unless the assumption knows no way back from there.
    stuck = replace(zero_scores, restrict=lambda f: f if (f.a == f.u).all() else zero_scores.restrict(f))
    tally = verify_conclusion(claim, replace(state, assuming=(stuck, clumsy)), 1, 0, Effort(), (clumsy,))
    assert tally.missed["break zero_scores too"] > 0
    assert tally.instances > 0, "not imposing it breaks it alone"
    tally = verify_conclusion(claim, replace(state, assuming=(zero_scores, clumsy)), 1, 0, Effort(), (clumsy,))
    assert "break zero_scores too" not in tally.missed


def test_assumption_without_a_violation_is_said_to_be_undroppable():
    ((_, found),) = drop(
        [Target("frank_wolfe.group_jumps_are_rare", "share_of_other_groups", ("own_cells",))], 4, 0, Effort(), 1
    )
    assert (found.finding, found.unbreakable) == (DropFinding.UNBREAKABLE, ("own_cells",))


def test_each_drops_one_at_a_time_and_names_drop_together():
    claim = catalogue()["polarization.gaps_grow"]
    each = targets_without([claim], [EACH])
    first, second = claim.conclusions
    assert [target.dropped for target in each if target.conclusion == first.name] == [
        ("two_scores",),
        ("zero_scores",),
        ("ordered_values",),
    ]
    assert [target for target in each if target.conclusion == second.name] == [], "an identity that assumes nothing"
    together = targets_without([claim], ["ordered_values", "zero_scores"])
    assert together == [Target(claim.id, claim.conclusions[0].name, ("zero_scores", "ordered_values"))]


@pytest.mark.parametrize("standing", Standing)
def test_the_finding_without_an_assumption_is_the_strongest_that_the_counts_allow(standing):
    claim = catalogue()["polarization.gaps_grow"]
    words = {
        Standing.TRUE: (DropFinding.NEEDED, DropFinding.NOT_NEEDED),
    }.get(standing, (DropFinding.VIOLATED, DropFinding.SURVIVED))
    # All 64 combinations: in which order the counts are asked is what could be wrong.
    for unbreakable, error, violated, holds, undecided, vacuous in product((False, True), repeat=6):
        tally = Tally("c", "state", ("a",), violated=violated, holds=holds, undecided=undecided, vacuous=vacuous)
        tally.instances, tally.error = violated + holds + undecided + vacuous, "it failed" * error
        ladder = [
            (unbreakable, DropFinding.UNBREAKABLE),
            (error, DropFinding.FAILED),
            (violated, words[0]),
            (holds, words[1]),
            (undecided, DropFinding.UNDECIDED),
            (vacuous, DropFinding.VACUOUS),
            (True, DropFinding.NOT_BUILT),
        ]
        found = Drop(claim.id, (), claim.origin, standing, tally, ("a",) * unbreakable, 0.0).finding
        assert found is next(word for holds_so, word in ladder if holds_so)


def test_names_that_cannot_be_dropped_are_refused():
    chosen = [catalogue()["clusters.hull_shrinks"]]
    with pytest.raises(DropError, match="did you mean identity_value"):
        targets_without(chosen, ["identity_vale"])
    with pytest.raises(DropError, match=r"none of the chosen claims assumes scalar_step: these do: frank_wolfe\."):
        targets_without(chosen, ["scalar_step"])
    with pytest.raises(DropError, match="takes no other name"):
        targets_without(chosen, [EACH, "identity_value"])
    with pytest.raises(DropError, match="assume nothing"):
        targets_without([catalogue()["polarization.reduced_flow"]], [EACH])


def test_draws_depend_on_what_is_dropped():
    claim = catalogue()["polarization.gaps_grow"]
    seeds = [seed_of(claim, claim.conclusions[0], 5, dropped) for dropped in ((), ("zero_scores",), ("ordered_values",))]
    assert len(set(map(tuple, seeds))) == 3


def test_an_error_within_the_hypotheses_names_the_instance_on_which_it_happened():
    claim = catalogue()["localmax.hull_shrinks"]

    def broken(f):
        raise ZeroDivisionError("a slack without a value")

    conclusion = replace(claim.conclusions[0], slack=broken)
    with pytest.raises(ZeroDivisionError) as caught:
        verify_conclusion(claim, conclusion, SMOKE, 0, Effort())
    assert caught.value.__notes__[0].startswith('while deciding localmax.hull_shrinks.new_tokens_stay_in_hull on {"system"')


def test_what_is_left_open_is_put_aside_and_counted():
    """An assumption that balls do not decide is neither met nor broken."""
    claim, conclusion, _ = find("clusters.hull_shrinks", "edges_move_inward", examples=4)
    [value] = [a for a in claim.assumptions_of(conclusion) if a.name == "identity_value"]
    half_open = replace(value, satisfies=lambda f: None if (f.V[0, 0] > 0) else value.satisfies(f))
    assumptions = tuple(half_open if a is value else a for a in claim.assumptions_of(conclusion))
    told = replace(conclusion, assuming=assumptions)
    tally = verify_conclusion(claim, told, 24, 0, Effort(), (half_open,))
    assert tally.missed["leave identity_value open"] > 0
    decided = verify_conclusion(claim, conclusion, 24, 0, Effort(), (value,))
    assert not [reason for reason in decided.missed if "open" in reason]
    nothing = replace(value, satisfies=lambda f: None)
    told = replace(conclusion, assuming=(*(a for a in assumptions if a is not half_open), nothing))
    tally = verify_conclusion(claim, told, 24, 0, Effort(), (nothing,))
    assert tally.instances == 0
    assert set(tally.missed) == {"leave identity_value open"}


def test_answers_of_balls_are_three_valued():
    wide, third = arb(0, 1), arb(fmpq(1, 3))
    assert certainly_at_most(third, 1) is True
    assert certainly_at_most(1, third) is False
    assert certainly_at_most(wide, 0) is None
    assert [certainly_positive(x) for x in (third, -third, wide, fmpq(0))] == [True, False, None, False]
    assert certainly_all([]) is True
    assert certainly_all([True, None]) is None
    assert certainly_all([None, False, True]) is False
    assert certainly_all([True, True]) is True


def test_a_process_that_ends_takes_no_other_result_with_it():
    """As one does that fills the memory: what was running with it is decided all the same."""
    units = [("6 * 7",), ("__import__('os')._exit(0)",), ("6 * 8",), ("6 * 9",), ("6 * 10",)]
    with workers(2) as pool:
        found = dict(pool.results(eval, units, lambda text: "lost"))
    assert found == dict(zip(units, [42, "lost", 48, 54, 60], strict=True))
    # Without words for what is lost there is nothing to put in its place.
    with workers(2) as pool, pytest.raises(BrokenProcessPool):
        list(pool.results(eval, units[:2]))
