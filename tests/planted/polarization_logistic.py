"""Falsehoods of the claims on the logistic loss."""

from flint import fmpq

SHARPENED = [
    ("polarization.clock_exceeds_logarithm", "leading_value_above_logarithm", {"rate": fmpq(1001, 1000)}),
    ("polarization.leading_value_speed", "speed_upper_bound", {"most": fmpq(999, 1000)}),
    ("polarization.gradient_weight_decays", "inverse_weight_outgrows_time", {"least": fmpq(3001, 1000)}),
    ("polarization.score_ratios_decay_by_own_gap", "inverse_ratio_outgrows_clock", {"rate": fmpq(1001, 1000)}),
    ("polarization.score_ratios_decay_by_own_gap", "bound_is_tangent", {"rate": fmpq(1001, 1000)}),
    ("polarization.score_ratios_decay_by_own_gap", "second_step", {"least": fmpq(101, 100)}),
    ("polarization.score_ratios_decay_in_time", "inverse_ratio_outgrows_logarithm", {"rate": 2}),
    ("polarization.leading_value_speed", "gradient_weight_lower_bound", {"weight": -1}),
    ("polarization.leading_value_speed", "speed_lower_bound", {"least": fmpq(101, 100)}),
    ("polarization.losing_values_stay_bounded", "growth_stays_below_bound", {"most": fmpq(1, 2)}),
    ("polarization.only_leading_value_diverges", "leading_value_outgrows_clock", {"rate": fmpq(101, 100)}),
    ("polarization.losing_scores_decay_quadratically", "inverse_ratio_speeds_up", {"K_factor": 2}),
    ("polarization.losing_scores_decay_quadratically", "bound_speeds_up", {"K_factor": fmpq(1001, 1000)}),
    ("polarization.gradient_weight_decays", "inverse_weight_outgrows_time", {"rate": fmpq(1001, 1000)}),
    ("polarization.leading_gap_speed", "gap_speed_formula", {"K_factor": 2}),
    ("polarization.leading_gap_speed", "gap_speed_lower_bound", {"rate": fmpq(3, 2)}),
    ("polarization.output_settles_on_leading_column", "distance_to_column_below_bound", {"most": fmpq(1, 16)}),
    ("polarization.output_direction_converges", "off_target_part_stays_bounded", {"most": fmpq(1, 8)}),
    ("polarization.output_direction_converges", "target_part_outgrows_clock", {"rate": fmpq(3, 2)}),
    ("polarization.values_become_rank_one", "growth_has_rank_one", {"share": 2}),
    ("polarization.values_become_rank_one", "right_direction_turns_to_axis", {"most": fmpq(1, 8)}),
    ("polarization.linear_scores_keep_direction", "scores_follow_start", {"speed": fmpq(101, 100)}),
    ("polarization.linear_scores_keep_direction", "shares_stay", {"share": 2}),
    ("polarization.linear_scores_keep_direction", "growth_has_rank_one", {"share": 2}),
    ("polarization.frozen_values_also_polarise", "inverse_ratio_rate", {"rate": fmpq(1001, 1000)}),
    ("polarization.frozen_values_also_polarise", "inverse_ratio_outgrows_time", {"rate": 2}),
    ("polarization.frozen_scores_decay_like_inverse_clock", "product_tends_to_one", {"slope": 2}),
    ("polarization.frozen_scores_decay_like_inverse_clock", "product_tends_to_one", {"slope": fmpq(1, 2)}),
    ("polarization.tie_at_the_top_is_kept", "tie_is_kept", {"share": 2}),
    ("polarization.tie_at_the_top_is_kept", "other_ratios_decay", {"rate": fmpq(3, 2)}),
    ("polarization.margin_exceeds_share_less_losses", "margin_exceeds_share", {"losses": fmpq(1, 4)}),
    ("polarization.two_scores_are_integrable", "energy_is_conserved", {"K_factor": 2}),
    ("polarization.two_scores_are_integrable", "basin_coordinates_grow_and_decay", {"speed": 2}),
]

DROPPED = [
    ("polarization.score_ratios_decay_by_own_gap", "inverse_ratio_outgrows_clock", "leader_dominates"),
    ("polarization.losing_scores_decay_quadratically", "inverse_ratio_speeds_up", "leading_value"),
    ("polarization.leading_gap_speed", "gap_speed_lower_bound", "halved_ratios"),
    ("polarization.leading_value_speed", "gradient_weight_lower_bound", "leader_dominates"),
    ("polarization.linear_scores_keep_direction", "scores_follow_start", "zero_scores"),
    ("polarization.tie_at_the_top_is_kept", "tie_is_kept", "tied_leaders"),
]
