"""Gradient flow polarizes softmax outputs (arXiv 2603.06248): the claims."""

CONTENTS = (
    # M1
    "aligned_losses_share_one_flow",
    # M3
    "scaling_of_the_reduced_flow",
    # C-2a
    "attention_is_a_value_softmax",
    # C-2b
    "logistic_gradient",
    # C-D3
    "jacobians_of_the_average",
    # C-ds
    "weights_move_by_squared_jacobian",
    # C-D1a
    "loss_ignores_common_score",
    # C-D1b
    "descent_keeps_score_sum",
    "power_maps_conserve_norm",
    "power_scores_keep_their_norm",
    # C-D2
    "average_moves_by_printed_jacobian",
    "average_moves_by_squared_jacobian",
    "loss_decreases_at_dimension_rate",
    "loss_decreases_at_gradient_rate",
    # C-6/7
    "reduced_flow",
    "reduced_flow_with_printed_sign",
    # C-rep
    "above_average_values_gain_weight",
    "values_follow_replicator",
    "weights_follow_exact_replicator",
    # C-3.2a
    "order_is_preserved",
    # C-3.2b
    "gaps_grow",
    "gaps_grow_for_all_pairs",
    # C-Phi
    "lyapunov_function_grows",
    # C-3.2c
    "leading_score_gaps_grow",
    "score_gaps_grow",
    "weight_gaps_grow",
    # C-3.3a
    "loss_vanishes",
    # C-3.3b
    "score_ratios_decay",
    "score_ratios_decay_by_own_gap",
    # C-3.3c
    "clock_is_logarithmic",
    # C-17
    "clock_exceeds_logarithm",
    "leading_value_lower_bound",
    "leading_value_outgrows_time",
    # C-18
    "clock_exceeds_leading_value",
    # M2(a)
    "laws_of_the_reduced_flow",
    # C-q
    "score_ratios_decay_in_time",
    "score_ratios_decay_in_time_with_reused_constant",
    # C-gam
    "leading_value_speed",
    # C-B1a
    "losing_values_stay_bounded",
    # C-B1b
    "losing_scores_decay_quadratically",
    "losing_scores_decay_quadratically_by_printed_chain",
    # C-B1c
    "gradient_weight_decays",
    # C-B1d
    "leading_gap_speed",
    # C-supp
    "output_settles_on_leading_column",
    # C-lin
    "linear_scores_keep_direction",
    # C-joint
    "frozen_scores_decay_like_inverse_clock",
    "frozen_values_also_polarise",
    "polarisation_needs_joint_training",
    # C-spreg
    "output_direction_converges",
    # C-dec
    "values_become_rank_one",
    # C-mild
    "strict_order_is_not_needed",
    "tie_at_the_top_is_kept",
    # C-F2
    "every_value_diverges",
    "only_leading_value_diverges",
    # C-8
    "square_gradient",
    # C-3.5a
    "regression_flow",
    # C-3.5b
    "regression_flow_with_printed_sign",
    # C-reg1
    "regression_order_is_preserved",
    # C-reg2
    "regression_error_decays",
    "regression_error_decays_at_initial_spread",
    # C-reg3
    "regression_clock_is_finite",
    # C-reg4
    "regression_scores_polarise",
    "regression_scores_stay_dense",
    # C-reg5
    "scores_depend_on_clock_only",
    "slower_decay_gives_sparser_scores",
    # C-reg6
    "ill_conditioning_slows_optimisation",
    "ill_conditioning_slows_the_start",
    "ill_conditioning_strengthens_sparsity",
    # C-F13
    "square_loss_gives_no_sparse_scores",
    # C-KL
    "kl_of_logits_is_like_regression",
    "kl_of_values_is_like_regression",
    "kl_of_values_polarises_fully",
    "kl_of_values_stays_aligned",
    # C-sig
    "elementwise_sigmoid_stays_dense",
    # C-relu
    "elementwise_relu_keeps_every_score",
    "elementwise_relu_stays_dense",
    "normalised_relu_becomes_one_hot",
    # C-mech
    "elementwise_exponential_polarises",
    "mean_centering_is_needed",
    "mean_centering_suffices",
    # C-nf
    "normalised_map_flow",
    # C-D4
    "increasing_map_keeps_order",
    "positive_map_keeps_order",
    # C-fx
    "linear_map_leaves_simplex",
    # C-fx2
    "square_map_polarises",
    # C-nf-C1
    "increasing_map_separates_scores",
    # C-4.1
    "leading_token_captures_every_row",
    "row_ratios_have_sharp_order",
    "rows_follow_one_reduced_flow",
    "rows_keep_order",
    "rows_polarize_together",
    # C-4.1b
    "tied_model_polarizes",
    # C-4.1c
    "softmax_heads_become_sinks",
    # C-F1
    "attention_sink_emerges_for_softmax_only",
    # C-4.1e
    "softmax_is_sparser_at_scale",
    # C-4.2
    "more_heads_and_layers_flip_less",
    "one_token_flips_the_label",
    "toy_leader_wins_in_transformers",
    # C-E1a
    "heads_duplicate_without_auxiliary_loss",
    # C-E1b
    "shifted_queries_give_fewer_sinks",
    # C-F15
    "no_positions_give_more_sinks",
    # C-lim
    "polarization_needs_no_alignment",
    # E4
    "scores_move_with_spurious_gamma",
    # E7
    "margin_exceeds_share_less_losses",
    "leading_value_exceeds_its_share",
    "margin_exceeds_share_of_leader",
    # E11
    "square_gradient_without_half",
    # E13
    "finite_clock_keeps_ratios_up",
    # E22
    "row_margins_with_printed_transpose",
    "tied_layer_output",
    "tied_layer_output_without_transpose",
    # E23
    "inverse_leading_weight_sums_over_dimension",
    # H1
    "leader_wins_from_any_scores",
    # H4
    "row_on_itself_captures_all_rows",
    # H5
    "stopping_loss_leaves_mass",
    # H6
    "regression_polarises_below_target",
    # H9
    "descent_keeps_the_leader",
    "descent_preserves_order",
    "descent_preserves_order_in_small_steps",
    "descent_preserves_value_order",
    # S1
    "errors_die_out_near_one_hot",
    "leading_value_settles",
    "margin_tracks_log_time",
    "score_ratios_settle",
    "scores_decay_like_inverse_log_squared",
    # S2
    "loss_sets_the_speed",
    "path_ignores_the_loss",
    # S3
    "low_entropy_by_majorisation",
    # S4
    "losing_mass_is_bounded_both_ways",
    # S5
    "one_hot_bound_in_time",
    # S6
    "two_scores_are_integrable",
    "two_scores_have_a_closed_form",
    # S7
    "large_target_leaves_two_over_target",
    "regression_gain_is_cosh",
    "small_target_barely_moves_scores",
    # S8
    "conditioned_gain_is_above_cosh",
    "conditioned_gain_is_below_product",
    # S9
    "bounded_map_stays_dense",
    "cube_map_polarises",
    "elu_polarises",
    "normalised_sigmoid_polarises",
    "one_plus_exponential_polarises",
    "three_halves_map_becomes_one_hot",
    # S10
    "first_of_two_causal_tokens_wins",
    "first_token_wins_causal_rows",
    "first_token_wins_causal_rows_from_small_values",
    "second_token_keeps_causal_rows",
    # S11
    "near_ties_delay_polarisation",
    # S12
    "weight_decay_restores_one_hot",
    # X1
    "figure_two_run",
)
"""The claims in the order of the paper, under the label by which docs/labels.md and `claims list` know the statement."""
