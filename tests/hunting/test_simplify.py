"""Simplification: violations stay decided, within their hypotheses, and become what a person writes on a blackboard."""

from __future__ import annotations

import dataclasses
import functools
import itertools

import numpy as np
import pytest
from flint import fmpq

from claims.hunting import moves
from claims.hunting import simplify as simplification
from claims.hunting.moves import complexity, with_arrays
from claims.hunting.simplify import fit, simplest_near, simplify
from claims.instances.drawing import draw_instance
from claims.instances.draws import SeededDraws
from claims.localmax.setting.hypotheses import neighbours_by_score, one_dimension
from claims.stating.statement import Assumption, Claim, Form, is_costly
from claims.stating.verdict import Outcome
from claims.targets.target import Target, Variant
from claims.verifying.deciding import Effort, check
from dynamics.arithmetic import exact, numbers, sign
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.schedules import ScheduledHardmax
from dynamics.tokens.self_attention import SelfAttentionFlow
from dynamics.training.value_softmax import LogisticFlow
from tests.planting import LONG, one_in

EFFORT = Effort()
FIXED = Assumption(
    "fixed",
    "A = 1, delta = 1/8, gamma = 1/2",
    satisfies=lambda f: f.A.tolist() == [[1]] and 8 * f.delta == 1 == 2 * f.gamma,
)
SCORE_GAPS = Target("polarization.score_gaps_grow", "score_gap_rate")
DISTANCES = Target("clusters.euclidean_distances_grow_under_definite_scores", "separation_rate")


class AwkwardDraws(SeededDraws):
    """The usual choices with forty random bits more in every number."""

    def dyadic(self, *shape, size=4, bits=4):
        noise = exact(self.rng.integers(-(1 << 40), 1 << 40, size=shape)) / fmpq(1 << (42 + bits))
        return numbers(super().dyadic(*shape, size=size, bits=bits) + noise)


@functools.cache
def awkward(target, seed=11):
    """An instance of many digits that breaks the conclusion and every assumption dropped, and no other."""
    variant = target.resolve()
    costly = is_costly(variant.conclusion)
    for turn in itertools.count():
        draws = AwkwardDraws(np.random.default_rng([seed, turn]), costly, turn)
        system = draw_instance(variant.claim, variant.conclusion, draws, variant.without)
        if not within(variant, system):
            continue
        if check(variant.conclusion, system, EFFORT).outcome is Outcome.VIOLATED:
            return system
    raise AssertionError


def within(variant, system):
    return all(a.satisfies(system) for a in variant.kept) and not any(a.satisfies(system) for a in variant.without)


HARD = [
    (DISTANCES, (5, 10)),
    (Target("polarization.average_moves_by_printed_jacobian", "average_velocity"), (2, 6)),
    (Target("polarization.descent_preserves_order", "scores_stay_ordered"), (4, 12)),
    (Target("polarization.row_margins_with_printed_transpose", "margins_are_weighted_transposed_values"), (2, 6)),
    (Target("polarization.gaps_grow_for_all_pairs", "gap_rate_of_every_pair"), (1, 2)),
    (SCORE_GAPS, (2, 3)),
    (Target("polarization.leader_wins_from_any_scores", "leading_value_wins"), (2, 4)),
    (Target("clusters.pairwise_distances_grow", "separation_rate", ("identity_key_query",)), (2, 4)),
    (Target("polarization.order_is_preserved", "values_stay_ordered", ("zero_scores",)), (2, 4)),
]


@pytest.mark.parametrize(("target", "most"), one_in(10, HARD), ids=str)
def test_awkward_instance_becomes_one_for_a_blackboard(target, most):
    variant = target.resolve()
    given = awkward(target)
    found = simplify(variant, given, EFFORT, 600)
    assert complexity(found.system) < complexity(given)
    assert complexity(found.system)[:2] <= most
    assert within(variant, found.system)
    assert with_arrays(found.system).to_json() == found.system.to_json()
    assert found.verdict.outcome is Outcome.VIOLATED
    assert check(variant.conclusion, found.system, EFFORT).outcome is Outcome.VIOLATED
    assert not found.out_of_time
    assert (found.horizon is not None) == (variant.conclusion.form in (Form.TRAJECTORY, Form.RATE))
    if found.horizon is not None:
        assert found.horizon <= variant.conclusion.horizon(found.system)
        assert len(str(found.horizon)) <= 3
        shorter = dataclasses.replace(variant.conclusion, horizon=lambda start: found.horizon)
        assert check(shorter, found.system, EFFORT).outcome is Outcome.VIOLATED


def test_same_arguments_give_same_result(few_afresh):
    target = Target("clusters.pairwise_distances_grow", "separation_rate", ("identity_key_query",))
    variant, given = target.resolve(), awkward(target)
    one, other = (simplify(variant, given, EFFORT, 600) for _ in range(2))
    assert one.system.to_json() == other.system.to_json()
    assert one.trials == other.trials


def test_what_holds_is_refused():
    variant = SCORE_GAPS.resolve()
    with pytest.raises(ValueError, match="not decided as a violation: HOLDS"):
        simplify(variant, LogisticFlow.instance(u=[1, 0]), EFFORT, 600)


def test_instances_outside_the_hypotheses_are_refused():
    variant = SCORE_GAPS.resolve()
    with pytest.raises(ValueError, match="does not satisfy ordered_values"):
        simplify(variant, LogisticFlow.instance(u=[0, 1, 2]), EFFORT, 600)
    dropped = Target("polarization.score_gaps_grow", "score_gap_rate", ("ordered_values",)).resolve()
    with pytest.raises(ValueError, match="does not certainly break ordered_values, which was to be dropped"):
        simplify(dropped, LogisticFlow.instance(u=[2, 1, 0]), EFFORT, 600)


def test_what_is_simple_already_stays():
    variant = Target("polarization.gaps_grow_for_all_pairs", "gap_rate_of_every_pair").resolve()
    given = LogisticFlow.instance(u=[1, 0])
    assert simplify(variant, given, EFFORT, 600).system.to_json() == given.to_json()


def test_no_time_leaves_what_was_given_and_says_so():
    variant = SCORE_GAPS.resolve()
    given = awkward(SCORE_GAPS)
    found = simplify(variant, given, EFFORT, 0)
    assert found.out_of_time
    assert found.system.to_json() == given.to_json()
    assert found.verdict.outcome is Outcome.VIOLATED


def test_trials_are_limited(monkeypatch):
    variant = DISTANCES.resolve()
    given = awkward(DISTANCES)
    monkeypatch.setattr(simplification, "MANY_DECISIONS", 30)
    found = simplify(variant, given, EFFORT, 600)
    assert found.trials <= 30
    assert complexity(found.system) < complexity(given)


def test_planted_bug_without_assumptions_leaves_the_hypotheses(monkeypatch, few_afresh):
    variant = DISTANCES.resolve()
    given = awkward(DISTANCES)
    monkeypatch.setattr(simplification, "fit", lambda variant, system: system)
    assert not within(variant, simplify(variant, given, EFFORT, 600).system)


def test_planted_bug_that_trusts_float64_is_undone(monkeypatch):
    """A screen that calls everything a violation costs decisions, and proves nothing."""
    variant = SCORE_GAPS.resolve()
    given = awkward(SCORE_GAPS)
    monkeypatch.setattr(
        simplification, "_looks", lambda conclusion, systems: [simplification._Look(-1.0, fmpq(4))] * len(systems)
    )
    monkeypatch.setitem(simplification.DECISIONS, variant.conclusion.form, 6)
    found = simplify(variant, given, EFFORT, 600)
    assert within(variant, found.system)
    assert check(variant.conclusion, found.system, EFFORT).outcome is Outcome.VIOLATED


def test_violation_that_falls_below_zero_does_not_end_at_zero():
    """Where "> 0" is claimed, equal values attain 0: less than what was given."""
    target = Target("polarization.leading_score_gaps_grow", "score_gap_rate", ("leader_dominates",))
    found = simplify(target.resolve(), awkward(target), EFFORT, 600)
    assert sign(found.verdict.slack) == -1
    assert complexity(found.system)[:2] == (1, 2)


def test_rounding_that_breaks_an_order_is_repaired():
    variant = SCORE_GAPS.resolve()
    repaired = fit(variant, LogisticFlow.instance(u=[1, 1, 0]))
    assert repaired is not None
    assert within(variant, repaired)
    dropped = Target("polarization.score_gaps_grow", "score_gap_rate", ("ordered_values",)).resolve()
    assert fit(dropped, LogisticFlow.instance(u=[2, 1, 0])) is None


def test_simplest_near_rounds_without_a_decision(monkeypatch):
    variant = SCORE_GAPS.resolve()
    given = awkward(SCORE_GAPS)
    monkeypatch.setattr(simplification, "check", None)
    near = simplest_near(variant, given)
    assert within(variant, near)
    assert complexity(near)[1] < complexity(given)[1] // 3
    assert check(variant.conclusion, near, EFFORT).outcome is Outcome.VIOLATED


def test_simplest_near_leaves_what_float64_does_not_see_violated():
    variant = SCORE_GAPS.resolve()
    holds = LogisticFlow.instance(u=["1000001/1000000", 0])
    assert simplest_near(variant, holds) is holds


def test_complexity_counts_what_a_person_writes():
    flow = SelfAttentionFlow.instance(x=[[1, 0], ["1/3", 2]])
    assert complexity(flow) == (3, 6, 2)
    assert complexity(with_arrays(flow, V=[[2, 0], [0, 1]])) == (4, 10, 2)


def test_every_ladder_proposes_instances_of_the_model_only():
    flow = SelfAttentionFlow.instance(x=[["1/3", 2], [-5, "7/8"], [1, 1]], B=[[5, 6], [7, 8]])
    kinds = [getattr(moves, name) for name in dir(moves) if name.endswith("_ladders")]
    assert len(kinds) == 11
    for kind in kinds:
        proposals = [proposal for ladder in kind(flow) for proposal in ladder(flow)]
        assert all(with_arrays(proposal).to_json() == proposal.to_json() for proposal in proposals[:50])


def test_ladder_may_outlive_the_index_it_was_made_for():
    large = SelfAttentionFlow.instance(x=[["1/3", 2], [-5, "7/8"]], B=[[5, 6], [7, 8]])
    small = SelfAttentionFlow.instance(x=[[3]])
    for kind in (moves.size_ladders, moves.slice_ladders, moves.entry_ladders, moves.pair_ladders, moves.joint_ladders):
        for ladder in kind(large):
            assert all(proposal.x.shape[1] == 1 for proposal in ladder(small))


def test_deleting_an_index_reaches_every_array_that_has_it():
    flow = SelfAttentionFlow.instance(x=[[1, 2], [3, 4]], B=[[5, 6], [7, 8]], V=[[1, 2], [3, 4]])
    left = moves.keeping(flow, "d", [1])
    assert [array.shape for array in left.values()] == [(2, 1), (1, 1), (1, 1)]
    assert left["B"].tolist() == [[8]]


def _run(x, form=Form.ORBIT, B=(((1,),), ((1,),))):
    return moves.ties(ScheduledHardmax.instance(x=x, B=B, gamma=["1/2", "1/2"]), form)


def test_ties_are_counted_among_points_at_the_start_and_along_an_orbit():
    assert _run([[1], [2]]) == 0
    assert _run([[0], [2]]) == 1  # all tokens lead the one at 0
    assert _run([[1], [1]]) == 0  # twice one point is no tie
    repelled = (((-1,),), ((-1,),))
    assert _run([[1], [-1], [2]], Form.STATE, B=repelled) == 0
    assert _run([[1], [-1], [2]], B=repelled) == 1  # the first comes to 0, and the others lead it alike
    assert _run([[1], [-1]], B=repelled) == 0  # both go to 0, which is one point
    assert _run([[2, 0], [-2, 0], [0, 1], [0, -1]], Form.STATE, B=[[[1, 0], [0, 1]]] * 2) == 0
    meeting = [[1, 1], [-1, 1], [1, 4], [-1, -4]]
    assert _run(meeting, Form.STATE, B=[[[-1, 0], [0, 0]]] * 2) == 4
    assert moves.ties(SelfAttentionFlow.instance(x=[[0], [1]]), Form.STATE) == 0


@pytest.fixture
def few_afresh(monkeypatch):
    """Most of a simplification goes into a thousand instances of the smallest integers, which only a hunt needs."""
    monkeypatch.setattr(simplification, "TINY", {False: 50, True: 20})


def test_what_has_no_ties_is_simpler_than_what_takes_less_to_write(few_afresh):
    variant = Target("frank_wolfe.vertices_are_stationary", "vertices_stay").resolve()
    tied, free = (ScheduledHardmax.instance(x=x, B=[[[1]]], gamma=["1/2"]) for x in ([[0], [2]], [[3], [-13], [5]]))
    assert moves.rank_of_instance(free, Form.ORBIT) < moves.rank_of_instance(tied, Form.ORBIT)
    assert complexity(tied) < complexity(free)
    found = simplify(variant, tied, EFFORT, 20)
    assert moves.ties(found.system, Form.ORBIT) == 0
    assert found.verdict.outcome is Outcome.VIOLATED


def test_fewer_tokens_are_tried_again_with_another_number_changed():
    """(1/9, 1/9, 1/64, -1) loses what it breaks with any token deleted; with -1 halved as well it need not."""
    start = LocalmaxStep.instance(z=[["1/9"], ["1/9"], ["1/64"], [-1]], delta="1/8")
    proposed = [one.to_json()["z"] for ladder in moves.fewer_ladders(start) for one in ladder(start)]
    assert [["1/9"], ["1/9"], ["-1/2"]] in proposed
    assert {len(z) for z in proposed} == {3}


def test_a_counterexample_of_fewer_tokens_is_found_when_numbers_are_simple(few_afresh):
    """Tokens on a line with sum 0, distinct and not 0: from four to three no token can just be deleted."""
    few = Assumption(
        "few",
        "n >= 3, distinct, no token at 0, sum of squares at least 14",
        satisfies=lambda f: f.z.shape[0] >= 3 and len({str(x) for x in f.z.flat}) == f.z.size and all(f.z.flat)
        and (f.z * f.z).sum() >= 14 and f.z.shape[1] == 1,
    )  # fmt: skip
    claim = Claim("claims.own.sums", statement="", system=LocalmaxStep, assumptions=(few,))

    @claim.step("> 0", exact_only=True)
    def sum_is_not_zero(f):
        """|sum z|."""
        return abs(f.z.sum(axis=-2))

    variant = Variant(claim, claim.conclusions[0], ())
    start = LocalmaxStep.instance(z=[[1], [2], [3], [-6]])
    found = simplify(variant, start, EFFORT, 60).system
    assert found.z.shape == (3, 1)
    assert found.z.sum() == 0


@pytest.mark.skipif(not LONG, reason="takes seconds: nightly")
def test_few_tokens_are_enough_for_a_mean_that_falls():
    """The mean of |x_i| falls under a localmax step on a line: not four tokens, (1/9, 1/9, 1/64, -1), but two show it."""
    kept = (one_dimension, neighbours_by_score, FIXED)
    claim = Claim("claims.own.mean", statement="", system=LocalmaxStep, assumptions=kept)

    @claim.step(">= 0", exact_only=True)
    def mean_size_never_falls(f):
        """mean |x_i'| - mean |x_i|."""
        return (abs(f.step().z) - abs(f.z)).sum(axis=-2) / f.z.shape[-2]

    start = LocalmaxStep.instance(z=[["1/9"], ["1/9"], ["1/64"], [-1]], delta="1/8")
    found = simplify(Variant(claim, claim.conclusions[0], ()), start, EFFORT, 60)
    assert found.verdict.outcome is Outcome.VIOLATED
    assert len(found.system.z) == 2, "three without ladders to fewer tokens"
