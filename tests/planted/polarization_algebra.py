"""Falsehoods of the polarization paper's gradients, Jacobians, rates and steps."""

from flint import fmpq

SHARPENED = [
    ("polarization.inverse_leading_weight_sums_over_dimension", "inverse_leading_weight", {"share": 2}),
    ("polarization.loss_decreases_at_dimension_rate", "loss_decay", {"rate": fmpq(1001, 1000)}),
    ("polarization.logistic_gradient", "values_descend", {"outer": -1}),
    ("polarization.logistic_gradient", "scores_descend", {"orientation": -1}),
    ("polarization.logistic_gradient", "gradient_as_a_row", {"sign": 1}),
    ("polarization.square_gradient", "values_descend", {"scale": 2}),
    ("polarization.square_gradient", "scores_descend", {"scale": 2}),
    ("polarization.jacobians_of_the_average", "softmax_jacobian", {"diagonal": 2}),
    ("polarization.jacobians_of_the_average", "average_in_weights", {"factor": 2}),
    ("polarization.jacobians_of_the_average", "average_in_scores", {"factor": 2}),
    ("polarization.jacobians_of_the_average", "average_in_values", {"factor": 2}),
    ("polarization.attention_is_a_value_softmax", "output_is_value_softmax", {"value": -1}),
    ("polarization.weights_move_by_squared_jacobian", "weight_velocity", {"times": 1}),
    ("polarization.average_moves_by_squared_jacobian", "average_velocity", {"times": 3}),
    ("polarization.loss_ignores_common_score", "shifted_loss", {"stretch": 2}),
    ("polarization.loss_ignores_common_score", "gradient_sum", {"weight": 2}),
    ("polarization.loss_ignores_common_score", "score_sum_rate", {"weight": 2}),
    ("polarization.descent_keeps_score_sum", "score_sum_after_three_steps", {"stretch": 2}),
    ("polarization.power_scores_keep_their_norm", "gradient_is_tangent", {"weight": 2}),
    ("polarization.power_scores_keep_their_norm", "norm_after_a_step", {"growth": 2}),
    ("polarization.loss_decreases_at_gradient_rate", "loss_decay", {"rate": 2}),
    ("polarization.loss_decreases_at_gradient_rate", "loss_decay_formula", {"mass": 2}),
    ("polarization.aligned_losses_share_one_flow", "velocity_is_reduced", {"orientation": -1}),
    ("polarization.aligned_losses_share_one_flow", "values_move_along_target", {"share": 2}),
    ("polarization.aligned_losses_share_one_flow", "loss_decay_formula", {"mass": 2}),
    ("polarization.laws_of_the_reduced_flow", "sums_and_margin", {"K_factor": 2}),
    ("polarization.laws_of_the_reduced_flow", "differences", {"factor": 2}),
    ("polarization.laws_of_the_reduced_flow", "ratios", {"factor": 2}),
    ("polarization.laws_of_the_reduced_flow", "inverse_of_leading_weight", {"factor": 2}),
    ("polarization.scaling_of_the_reduced_flow", "scaled_velocity", {"power": 1}),
    ("polarization.scaling_of_the_reduced_flow", "learning_rate_of_scores", {"power": 2}),
    ("polarization.weights_follow_exact_replicator", "replicator_equation", {"strength": 2}),
    ("polarization.descent_keeps_the_leader", "lead_grows_in_one_step", {"share": 2}),
]

DROPPED = [
    ("polarization.inverse_leading_weight_sums_over_dimension", "inverse_leading_weight", "square_model"),
    ("polarization.loss_decreases_at_dimension_rate", "loss_decay", "square_model"),
    ("polarization.descent_preserves_value_order", "values_stay_ordered", "ordered_values"),
    ("polarization.descent_keeps_the_leader", "leading_score_stays_ahead", "ordered_values"),
    ("polarization.descent_keeps_the_leader", "lead_grows_in_one_step", "leader_dominates"),
    ("polarization.descent_preserves_order_in_small_steps", "scores_stay_ordered", "small_descent_step"),
]
