"""Falsehoods about row-wise attention, causal rows and the tied model of the polarization paper."""

from flint import fmpq

SHARPENED = [
    ("polarization.rows_follow_one_reduced_flow", "margins_are_weighted_values", {"share": 2}),
    ("polarization.rows_follow_one_reduced_flow", "velocity_is_reduced", {"K_factor": -1}),
    ("polarization.rows_follow_one_reduced_flow", "equal_rows_move_alike", {"share": 2}),
    ("polarization.rows_follow_one_reduced_flow", "equal_rows_follow_one_row", {"K_factor": 2}),
    ("polarization.rows_polarize_together", "scaled_flow_is_reduced", {"K_factor": 2}),
    ("polarization.rows_polarize_together", "inverse_ratio_outgrows_clock", {"rate": fmpq(1001, 1000)}),
    ("polarization.row_ratios_have_sharp_order", "ratios_tend_to_sharp_order", {"order": fmpq(2001, 1000)}),
    ("polarization.row_ratios_have_sharp_order", "ratios_are_near_sharp_order", {"order": 1}),
    ("polarization.leading_token_captures_every_row", "inverse_ratio_rate", {"rate": 2}),
    ("polarization.leading_token_captures_every_row", "lead_rates_formula", {"K_factor": 2}),
    ("polarization.rows_keep_order", "value_gap_rate_formula", {"K_factor": 2}),
    ("polarization.second_token_keeps_causal_rows", "rates_formula", {"K_factor": 2}),
    ("polarization.second_token_keeps_causal_rows", "second_value_escapes_first", {"feed": 3}),
    ("polarization.first_of_two_causal_tokens_wins", "first_value_catches_up", {"feed": 2}),
    ("polarization.first_of_two_causal_tokens_wins", "turning_formula", {"turn": 2}),
    ("polarization.tied_model_polarizes", "margin_rate_formula", {"share": 2}),
    ("polarization.tied_layer_output", "output_is_mean_of_tokens", {"share": 2}),
    ("polarization.tied_layer_output", "margin_rate_formula", {"share": 2}),
]

DROPPED = [
    ("polarization.rows_follow_one_reduced_flow", "equal_rows_move_alike", "equal_rows"),
    ("polarization.rows_polarize_together", "inverse_ratio_outgrows_clock", "zero_scores"),
    ("polarization.leading_token_captures_every_row", "inverse_ratio_rate", "first_token_leads"),
    ("polarization.rows_keep_order", "order_is_kept", "zero_row_scores"),
    ("polarization.row_on_itself_captures_all_rows", "rows_tend_to_last_token", "last_row_on_itself"),
    ("polarization.second_token_keeps_causal_rows", "second_value_escapes_first", "held_by_second_token"),
    ("polarization.first_of_two_causal_tokens_wins", "second_row_turns_little", "second_value_leads"),
    ("polarization.first_of_two_causal_tokens_wins", "rows_tend_to_first_token", "causal_rows"),
    ("polarization.first_token_wins_causal_rows_from_small_values", "rows_tend_to_first_token", "causal_rows"),
]
