"""Falsehoods about other maps of scores and other losses (polarization, section 3.2 and appendix D)."""

SHARPENED = [
    ("polarization.normalised_map_flow", "velocity_is_reduced", {"centering": 0}),
    ("polarization.positive_map_keeps_order", "phi_rate_formula", {"K_factor": 2}),
    ("polarization.power_maps_conserve_norm", "norm_rate", {"power": 2}),
    ("polarization.power_maps_conserve_norm", "total_rate", {"power": 2}),
    ("polarization.square_map_polarises", "weights_follow_replicator", {"speed": 2}),
    ("polarization.square_map_polarises", "log_ratio_rate", {"speed": 2}),
]

DROPPED = [
    ("polarization.positive_map_keeps_order", "both_stay_ordered", "ordered_values"),
    ("polarization.positive_map_keeps_order", "both_stay_ordered", "equal_scores"),
    ("polarization.square_map_polarises", "leading_weight_gap_rate", "comonotone"),
]
