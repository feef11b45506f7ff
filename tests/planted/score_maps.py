"""Falsehoods about other maps of scores and other losses (polarization, section 3 and appendix D)."""

from flint import fmpq

SHARPENED = [
    ("polarization.normalised_map_flow", "velocity_is_reduced", {"centering": 0}),
    ("polarization.positive_map_keeps_order", "phi_rate_formula", {"K_factor": 2}),
    ("polarization.power_maps_conserve_norm", "norm_rate", {"power": 2}),
    ("polarization.power_maps_conserve_norm", "total_rate", {"power": 2}),
    ("polarization.square_map_polarises", "weights_follow_replicator", {"speed": 2}),
    ("polarization.square_map_polarises", "log_ratio_rate", {"speed": 2}),
    ("polarization.linear_map_leaves_simplex", "norm_rate", {"power": 2}),
    ("polarization.linear_map_leaves_simplex", "angle_rate", {"speed": 2}),
    ("polarization.elementwise_exponential_polarises", "log_ratio_decays", {"rate": 2}),
    ("polarization.elementwise_exponential_polarises", "clock_stays_below_blow_up", {"most": fmpq(1, 2)}),
    ("polarization.elementwise_sigmoid_stays_dense", "energy_rate", {"K_factor": 2}),
    ("polarization.elementwise_relu_stays_dense", "modes", {"speed": 2}),
    ("polarization.elementwise_relu_stays_dense", "shares_tend_to_those_of_growing_modes", {"most": fmpq(1, 64)}),
    ("polarization.normalised_relu_becomes_one_hot", "last_score_falls", {"speed": 2}),
    ("polarization.normalised_relu_becomes_one_hot", "total_stays_bounded", {"most": fmpq(1, 2)}),
    ("polarization.bounded_map_stays_dense", "weights_stay_dense", {"most": fmpq(3, 2)}),
    ("polarization.bounded_map_stays_dense", "weights_tend_to_thirds_and_sixths", {"times": 100}),
    ("polarization.normalised_sigmoid_polarises", "dwell_gap_rate", {"rate": 2}),
    ("polarization.normalised_sigmoid_polarises", "weights_fall_like_inverse_square", {"order": 1}),
    ("polarization.one_plus_exponential_polarises", "rest_falls_like_inverse_square", {"order": 1}),
    ("polarization.elu_polarises", "loser_falls_like_inverse_square", {"order": 1}),
    ("polarization.cube_map_polarises", "inverse_score_gap_rate", {"speed": 2}),
    ("polarization.cube_map_polarises", "total_is_bounded", {"most": fmpq(1, 2)}),
    ("polarization.cube_map_polarises", "loser_falls_like_power", {"order": 1}),
    ("polarization.kl_of_values_polarises_fully", "clock_outgrows_root_of_time", {"speed": 2}),
    ("polarization.kl_of_values_polarises_fully", "margin_rate", {"rate": 2}),
    ("polarization.kl_of_values_polarises_fully", "score_ratio_rate", {"rate": 2}),
    ("polarization.kl_of_values_stays_aligned", "velocity_is_reduced", {"power": 2}),
    ("polarization.kl_of_logits_is_like_regression", "loss_rate_formula", {"share": 2}),
    ("polarization.kl_of_logits_is_like_regression", "loss_decay_rate", {"rate": 20}),
    ("polarization.kl_of_logits_is_like_regression", "divergence_is_at_most_chi_square", {"most": fmpq(1, 2)}),
    ("polarization.three_halves_map_becomes_one_hot", "norm_rate", {"power": 2}),
    ("polarization.three_halves_map_becomes_one_hot", "last_score_falls", {"speed": 3}),
    ("polarization.three_halves_map_becomes_one_hot", "total_is_bounded", {"most": fmpq(1, 4)}),
]

DROPPED = [
    ("polarization.positive_map_keeps_order", "both_stay_ordered", "ordered_values"),
    ("polarization.positive_map_keeps_order", "both_stay_ordered", "equal_scores"),
    ("polarization.square_map_polarises", "leading_weight_gap_rate", "comonotone"),
    ("polarization.linear_map_leaves_simplex", "angle_rate", "comonotone"),
    ("polarization.elementwise_exponential_polarises", "log_ratio_decays", "positive_values"),
    ("polarization.normalised_relu_becomes_one_hot", "last_score_falls", "comonotone"),
]
