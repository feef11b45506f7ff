"""Falsehoods of the sharp asymptotics of the value-softmax model: constants wrong by a percent, orders too high."""

from flint import fmpq

PERCENT = fmpq(101, 100)

SHARPENED = [
    ("polarization.score_ratios_settle", "ratios_tend_to_limit", {"constant": fmpq(2001, 1000)}),
    ("polarization.leading_value_settles", "values_settle_like_inverse_clock", {"share": fmpq(1001, 1000)}),
    ("polarization.loss_sets_the_speed", "scores_tend_to_rate", {"constant": fmpq(2001, 1000)}),
    ("polarization.margin_tracks_log_time", "time_is_exponential_of_margin", {"constant": fmpq(1001, 1000)}),
    ("polarization.scores_decay_like_inverse_log_squared", "scores_tend_to_limit", {"constant": fmpq(2001, 1000)}),
    ("polarization.one_hot_bound_in_time", "leading_value_outgrows_time", {"growth": 20}),
    ("polarization.score_ratios_settle", "ratios_settle", {"limit": PERCENT}),
    ("polarization.score_ratios_settle", "ratios_settle", {"order": 3}),
    ("polarization.leading_value_settles", "values_settle", {"share": PERCENT}),
    ("polarization.margin_tracks_log_time", "time_settles", {"K_factor": PERCENT}),
    ("polarization.margin_tracks_log_time", "time_settles", {"order": 6}),
    ("polarization.scores_decay_like_inverse_log_squared", "scores_settle", {"limit": PERCENT}),
    ("polarization.scores_decay_like_inverse_log_squared", "scores_settle", {"order": 3}),
    ("polarization.one_hot_bound_in_time", "scores_stay_below_bound", {"growth": 2}),
    ("polarization.loss_sets_the_speed", "scores_settle", {"limit": PERCENT}),
    ("polarization.loss_sets_the_speed", "scores_settle", {"order": 3}),
    ("polarization.loss_sets_the_speed", "clock_is_power_of_time", {"limit": PERCENT}),
    ("polarization.path_ignores_the_loss", "velocity_is_shared", {"K_factor": PERCENT}),
    ("polarization.low_entropy_by_majorisation", "flows_add_up", {"share": PERCENT}),
    ("polarization.losing_mass_is_bounded_both_ways", "defect_formula", {"factor": PERCENT}),
    ("polarization.losing_mass_is_bounded_both_ways", "mass_falls_fast", {"most": fmpq(1, 100)}),
    ("polarization.losing_mass_is_bounded_both_ways", "least_gap_rate", {"rate": PERCENT}),
    ("polarization.losing_mass_is_bounded_both_ways", "mass_stays", {"share": fmpq(1, 8)}),
    ("polarization.two_scores_have_a_closed_form", "curve_moves_with_the_flow", {"speed": PERCENT}),
    ("polarization.two_scores_have_a_closed_form", "margin_and_time", {"speed": PERCENT}),
    ("polarization.stopping_loss_leaves_mass", "mass_left_at_margin", {"longest": fmpq(1, 16)}),
    ("polarization.near_ties_delay_polarisation", "polarises_not_before", {"odds": fmpq(25, 26)}),
    ("polarization.near_ties_delay_polarisation", "polarises_from_then_on", {"odds": fmpq(26, 25)}),
]

DROPPED = [
    ("polarization.low_entropy_by_majorisation", "partial_sums_grow", "comonotone"),
    ("polarization.low_entropy_by_majorisation", "entropy_falls_and_length_grows", "comonotone"),
    ("polarization.low_entropy_by_majorisation", "partial_sums_grow_in_time", "zero_scores"),
    ("polarization.losing_mass_is_bounded_both_ways", "mass_falls_fast", "comonotone"),
]
