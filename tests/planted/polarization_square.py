"""Falsehoods about the square loss of the polarization paper."""

from flint import fmpq

SHARPENED = [
    ("polarization.large_target_leaves_two_over_target", "rest_is_two_over_target", {"share": fmpq(21, 20)}),
    ("polarization.large_target_leaves_two_over_target", "clock_nears_one", {"least": fmpq(21, 20)}),
    ("polarization.weight_decay_restores_one_hot", "gamma_rate", {"pull": 2}),
    ("polarization.weight_decay_restores_one_hot", "scores_become_one_hot", {"share": fmpq(1001, 1000)}),
    ("polarization.weight_decay_restores_one_hot", "gamma_stays_above_zero", {"share": fmpq(1001, 1000)}),
    ("polarization.weight_decay_restores_one_hot", "inverse_ratios_grow_like_time", {"constant": fmpq(1001, 1000)}),
    ("polarization.ill_conditioning_slows_the_start", "loss_rate_formula", {"factor": 2}),
    ("polarization.conditioned_gain_is_below_product", "boost_is_conserved", {"share": 2}),
    ("polarization.conditioned_gain_is_below_product", "gain_is_below_product", {"reach": fmpq(19, 20)}),
    ("polarization.conditioned_gain_is_above_cosh", "gain_is_above_cosh", {"reach": fmpq(21, 20)}),
    ("polarization.regression_clock_is_finite", "clock_lies_between", {"least": fmpq(21, 20)}),
    ("polarization.regression_clock_is_finite", "clock_lies_between", {"most": fmpq(19, 20)}),
    ("polarization.regression_clock_is_finite", "clock_outgrows_margin", {"most": fmpq(19, 20)}),
    ("polarization.regression_clock_is_finite", "clock_stays_below_limit", {"most": fmpq(19, 20)}),
    ("polarization.regression_scores_stay_dense", "rest_stays_above_bound", {"K_factor": fmpq(19, 20)}),
    ("polarization.regression_scores_stay_dense", "one_hot_rate", {"K_factor": fmpq(19, 20)}),
    ("polarization.regression_order_is_preserved", "gamma_rate", {"share": 2}),
    ("polarization.regression_error_decays", "error_decay_rate", {"rate": fmpq(2001, 1000)}),
    ("polarization.regression_error_decays", "error_decay_rate_of_whole_square", {"rate": fmpq(4001, 1000)}),
    ("polarization.finite_clock_keeps_ratios_up", "ratios_stay_up", {"square": fmpq(27027, 1000)}),
    ("polarization.regression_scores_polarise", "ratio_rate", {"rate": 2}),
    ("polarization.regression_scores_polarise", "ratios_outgrow_leading_value", {"share": fmpq(21, 20)}),
    ("polarization.regression_error_decays_at_initial_spread", "gamma_decay_rate", {"rate": 2}),
    ("polarization.regression_scores_polarise", "limit_ratios_exceed_bound", {"share": fmpq(21, 20)}),
    ("polarization.regression_error_decays_at_initial_spread", "gamma_rate_formula", {"rate": fmpq(1001, 1000)}),
    ("polarization.regression_gain_is_cosh", "gaps_grow_by_cosh", {"speed": fmpq(1001, 1000)}),
    ("polarization.regression_gain_is_cosh", "gaps_grow_by_cosh", {"length": fmpq(1001, 1000)}),
    ("polarization.regression_scores_polarise", "ratio_rate_formula", {"rate": 2}),
    ("polarization.small_target_barely_moves_scores", "first_order_in_target", {"share": fmpq(21, 20)}),
    ("polarization.small_target_barely_moves_scores", "clock_nears_inverse_spread", {"most": fmpq(19, 20)}),
    ("polarization.scores_depend_on_clock_only", "both_losses_move_alike", {"factor": 2}),
    ("polarization.scores_depend_on_clock_only", "both_clocks_agree", {"factor": 2}),
]

DROPPED = [
    ("polarization.ill_conditioning_slows_the_start", "loss_rate_at_start", "falling_singular_values"),
    ("polarization.conditioned_gain_is_above_cosh", "gain_is_above_cosh", "gap_alone"),
    ("polarization.regression_error_decays_at_initial_spread", "spread_rate", "comonotone"),
    ("polarization.regression_scores_polarise", "ratio_rate", "comonotone"),
    ("polarization.regression_polarises_below_target", "leading_gaps_grow", "margin_below_target"),
    ("polarization.regression_polarises_below_target", "leading_gaps_grow", "comonotone"),
    ("polarization.regression_polarises_below_target", "leading_gaps_close_above_target", "margin_above_target"),
    ("polarization.scores_depend_on_clock_only", "ratios_fall_with_clock", "comonotone"),
]
