"""Every check is itself checked: for each conclusion, false variants that the same code path must refute."""

from __future__ import annotations

import numpy as np
import pytest
from flint import fmpq

from claims.catalogue import catalogue
from claims.checking import check
from claims.instances import SeededDraws, draw_instance, is_costly
from claims.statement import Outcome, Standing

TURNS = {False: 400, True: 60}

SHARPENED = [
    ("clusters.hull_shrinks", "edges_move_inward", {"room": 0}),
    ("frank_wolfe.hull_shrinks", "supports_contract", {"keep": 2}),
    ("frank_wolfe.hardmax_step_is_frank_wolfe", "difference_of_steps", {"orientation": 1}),
    ("frank_wolfe.group_jumps_are_rare", "share_of_other_groups", {"cost": 3}),
    ("frank_wolfe.escape_takes_exponentially_long_in_diameters", "escape_before_t", {"cost": 4}),
    ("localmax.hull_shrinks", "supports_contract", {"keep": 2}),
    ("polarization.lyapunov_function_grows", "phi_rate", {"weight": -1}),
    ("polarization.lyapunov_function_grows", "phi_rate_formula", {"K_factor": 2}),
    ("polarization.gaps_grow", "gap_rate_formula", {"K_factor": 2}),
    ("polarization.loss_vanishes", "margin_rate", {"rate": fmpq(101, 100)}),
    ("polarization.loss_vanishes", "margin_rate_formula", {"K_factor": 2}),
    ("polarization.loss_vanishes", "margin_outgrows_time", {"rate": 2}),
    ("polarization.score_ratios_decay", "inverse_ratio_rate", {"rate": fmpq(1001, 1000)}),
    ("polarization.score_ratios_decay", "inverse_ratio_outgrows_clock", {"rate": fmpq(1001, 1000)}),
    ("polarization.clock_is_logarithmic", "clock_is_at_least_logarithmic", {"speed": fmpq(1, 2)}),
    ("polarization.clock_is_logarithmic", "clock_is_at_most_logarithmic", {"speed": 4}),
    ("polarization.leading_value_outgrows_time", "leading_value_outgrows_time", {"rate": 2}),
    ("polarization.leading_value_outgrows_time", "leading_value_rate", {"rate": 2}),
    ("polarization.clock_exceeds_leading_value", "clock_exceeds_growth", {"most": fmpq(1, 4)}),
    ("polarization.clock_exceeds_leading_value", "total_growth", {"K_factor": 2}),
    ("polarization.reduced_flow", "velocity_is_reduced", {"orientation": -1}),
    ("polarization.regression_flow", "velocity_is_reduced", {"orientation": -1}),
    ("polarization.regression_flow", "values_stay_aligned", {"share": 2}),
    ("polarization.regression_error_decays", "error_decay_rate", {"rate": fmpq(5, 2)}),
    ("polarization.regression_error_decays", "error_decay_rate_doubled", {"rate": fmpq(21, 10)}),
    ("polarization.regression_order_is_preserved", "gamma_stays_positive", {"most": 2}),
    ("polarization.regression_clock_is_finite", "clock_stays_below_limit", {"most": fmpq(1, 2)}),
    ("polarization.regression_clock_is_finite", "clock_outgrows_margin", {"most": fmpq(1, 2)}),
    ("polarization.regression_clock_is_finite", "limit_is_below_length", {"most": fmpq(1, 2)}),
    ("polarization.regression_scores_stay_dense", "one_hot_rate", {"K_factor": fmpq(1, 16)}),
]

DROPPED = [
    ("clusters.hull_shrinks", "edges_move_inward", "identity_value"),
    ("clusters.hull_shrinks", "support_never_grows", "identity_value"),
    ("clusters.half_space_distance_grows", "nearest_tokens_recede", "identity_value"),
    ("clusters.pairwise_distances_grow", "separation_rate", "identity_key_query"),
    ("clusters.pairwise_distances_grow", "separation_rate", "identity_value"),
    ("clusters.pairwise_distances_grow", "distances_never_fall_below_start", "identity_value"),
    ("clusters.key_query_distances_grow", "key_query_separation_rate", "symmetric_key_query"),
    ("frank_wolfe.hull_shrinks", "new_tokens_stay_in_hull", "scalar_step"),
    ("localmax.hull_shrinks", "new_tokens_stay_in_hull", "step_size_at_most_one"),
    ("polarization.order_is_preserved", "values_stay_ordered", "zero_scores"),
    ("polarization.order_is_preserved", "values_stay_ordered", "ordered_values"),
    ("polarization.order_is_preserved", "scores_stay_ordered", "zero_scores"),
    ("polarization.gaps_grow", "gap_rate", "ordered_values"),
    ("polarization.leading_score_gaps_grow", "score_gap_rate", "comonotone"),
    ("polarization.leading_score_gaps_grow", "weight_gap_rate", "comonotone"),
    ("polarization.score_ratios_decay", "inverse_ratio_rate", "comonotone"),
    ("polarization.regression_order_is_preserved", "values_stay_ordered", "ordered_scores"),
    ("polarization.regression_order_is_preserved", "gamma_stays_positive", "zero_values"),
]


def conclusion_of(claim_id, name):
    claim = catalogue()[claim_id]
    return claim, next(conclusion for conclusion in claim.conclusions if conclusion.name == name)


def planted():
    """Every falsehood: reversed inequalities of all true claims, sharpened constants, dropped assumptions."""
    for claim in catalogue().values():
        for conclusion in claim.conclusions:
            if claim.standing is Standing.TRUE and conclusion.relation != "== 0" and not attained(conclusion):
                yield f"{claim.id}.{conclusion.name} reversed", claim, conclusion, conclusion.reversed(), ()
    for claim_id, name, constants in SHARPENED:
        claim, conclusion = conclusion_of(claim_id, name)
        label = ", ".join(f"{key} = {value}" for key, value in constants.items())
        yield f"{claim_id}.{name} with {label}", claim, conclusion, conclusion.sharpened(**constants), ()
    for claim_id, name, dropped in DROPPED:
        claim, conclusion = conclusion_of(claim_id, name)
        without = tuple(a for a in claim.assumptions_of(conclusion) if a.name == dropped)
        assert without, f"{claim_id}.{name} does not assume {dropped}"
        yield f"{claim_id}.{name} without {dropped}", claim, conclusion, conclusion, without


def attained(conclusion):
    """Hull membership has slack exactly zero inside: its reversal is no falsehood, it is only refuted by dropping."""
    return conclusion.name == "new_tokens_stay_in_hull"


FALSEHOODS = list(planted())


@pytest.mark.parametrize(
    ("claim", "original", "variant", "without"), [case[1:] for case in FALSEHOODS], ids=[case[0] for case in FALSEHOODS]
)
def test_planted_falsehood_is_refuted(claim, original, variant, without):
    for turn in range(TURNS[is_costly(original)]):
        draws = SeededDraws(np.random.default_rng([7, turn]), is_costly(original), turn)
        system = draw_instance(claim, original, draws, without)
        if any(assumption.satisfies(system) for assumption in without):
            continue  # one dimension may leave no room: every 1 x 1 matrix is symmetric
        if check(variant, system).outcome is Outcome.VIOLATED:
            return
    pytest.fail("the planted falsehood survived")


def test_every_conclusion_has_a_planted_falsehood():
    covered = {(claim.id, original.name) for _, claim, original, _, _ in FALSEHOODS}
    for claim in catalogue().values():
        for conclusion in claim.conclusions:
            assert claim.standing is Standing.FALSE or (claim.id, conclusion.name) in covered
    print(f"planted falsehoods: {len(FALSEHOODS)}")
