"""The emergence of clusters in self-attention dynamics (arXiv 2305.05465): the claims."""

CONTENTS = (
    # G1
    "norms_grow_beyond_omega",
    # G2
    "rescaled_norms_almost_grow",
    # G3
    "norms_shrink_beyond_omega",
    # G4
    "leading_coordinates_almost_grow",
    # M1
    "attention_rows_are_stochastic",
    "every_token_diverges",
    "tokens_are_interchangeable",
    "tokens_reach_consensus",
    # M2
    "rescaling_keeps_attention",
    # M3
    "discrete_coordinates_contract",
    "discrete_distances_grow",
    "discrete_forms_almost_grow",
    "discrete_hull_shrinks",
    "discrete_norms_almost_grow",
    "discrete_rescaling",
    # W1
    "solutions_are_lipschitz",
    "speed_is_bounded_by_the_largest_token",
    # W2
    "rescaled_speed_is_bounded_by_differences",
    # W3
    "mean_field_is_bounded",
    "mean_field_is_lipschitz",
    "mean_field_is_lipschitz_in_the_measure",
    "mean_field_is_sharply_lipschitz",
    # W4
    "measures_part_at_most_exponentially",
    "weak_form_has_the_current_field",
    "weak_form_has_the_final_field",
    # L0
    "tokens_climb_log_sum_exp",
    # L1
    "distances_grow_in_the_values_form",
    "euclidean_distances_grow_under_definite_scores",
    "gaps_grow_by_their_cube",
    "key_query_distances_grow",
    "order_is_kept_on_the_line",
    "pairwise_distances_grow",
    # L2
    "drift_of_a_positive_token",
    "escape_threshold_is_sharp",
    "tokens_beyond_the_printed_threshold_grow",
    "tokens_outside_the_ball_escape",
    # L3
    "attention_decays_with_any_token",
    "attention_decays_with_the_token",
    "rows_of_unbounded_tokens_end_at_the_outer_ones",
    # L4
    "tokens_of_a_side_grow_alike",
    # L5
    "at_most_one_token_is_bounded",
    # L6
    "bounded_first_token_ignores_every_token",
    "bounded_outer_tokens_attend_to_themselves",
    "rows_lean_to_one_end",
    # L7
    "bounded_inner_token_weighs_all",
    # T1
    "attention_converges_on_a_line",
    "attention_limit_has_rank_one_or_two",
    "attention_on_a_line_has_rank_at_most_three",
    "attention_rows_are_ordered",
    "boolean_rows_converge_doubly_exponentially",
    "rows_of_escaping_tokens_converge_doubly_exponentially",
    "unit_scalars_are_enough",
    # R7.9
    "two_tokens_beside_the_axis_form_one_cluster",
    "two_tokens_beside_the_axis_part",
    # H1
    "half_space_distance_grows",
    "hull_of_unscaled_tokens_shrinks",
    "hull_shrinks",
    # H2
    "rescaled_tokens_stay_in_the_first_hull",
    # T2
    "norms_grow_away_from_s_on_the_line",
    "points_of_s_inside_a_face_are_one",
    "solutions_in_the_limit_lie_on_the_boundary",
    "tokens_converge_to_a_polytope",
    # C2
    "attention_has_full_rank",
    "attention_rank_is_at_most_the_number_of_limits",
    "attention_rank_is_at_most_the_number_of_vertices",
    "attention_rank_is_the_number_of_vertices",
    "numerical_rank_is_below_rank",
    # TS
    "softmax_drift_is_near_hardmax",
    "softmax_drift_is_near_the_sum_over_leaders",
    # Q1
    "coordinates_contract",
    "values_have_an_orthonormal_eigenbasis",
    # Q2
    "rescaled_coordinates_stay_bounded",
    "rescaled_coordinates_stay_bounded_in_jordan_blocks",
    # Q3
    "coordinates_grow_by_their_eigenvalue",
    "jordan_coordinates_grow_barely_faster",
    # Q4
    "scores_expand_in_different_eigenvectors",
    "scores_expand_in_eigenvectors",
    "scores_follow_the_leading_eigenvector",
    # D4.1
    "ginibre_matrices_lead_with_a_real_eigenvalue",
    "larger_moduli_give_three_hyperplanes",
    # T3
    "double_eigenvalues_give_three_lines",
    "good_triples_give_three_hyperplanes",
    "leading_moduli_give_three_hyperplanes",
    "tokens_converge_to_three_hyperplanes",
    "tokens_of_one_side_converge_to_one_hyperplane",
    "two_hyperplanes_are_enough",
    # K4.3
    "almost_all_tokens_reach_three_points",
    "different_rates_give_three_points",
    "growing_directions_give_three_subspaces",
    "resting_directions_give_three_subspaces",
    # T4
    "tokens_converge_to_a_polytope_and_a_subspace",
    "tokens_leave_the_inside_of_the_polytope",
    # 5a
    "projected_hull_shrinks",
    # 5b
    "inner_points_are_no_solutions",
    "inner_solutions_are_feet",
    # 5c
    "projected_scores_have_small_remainders",
    "remainders_leave_the_subspace",
    # 5d
    "limits_of_projections_lie_in_the_projected_set",
    "projected_norms_almost_grow",
    # T5
    "interaction_energy_falls",
    "interaction_energy_falls_for_dissipative_values",
    "only_zero_is_stationary",
    "tokens_collapse_under_any_scores",
    "tokens_collapse_under_dissipative_scores",
    "tokens_collapse_under_minus_identity",
    "tokens_stay_bounded_under_minus_identity",
    # O1
    "no_more_vertices_than_leaders_at_the_start",
    "tokens_converge_to_vertices",
    # O4
    "tokens_converge_to_vertices_under_any_scores",
    "tokens_converge_to_a_polytope_and_a_subspace_under_any_scores",
    # O5
    "perceptrons_give_three_hyperplanes",
    "perceptrons_move_coordinates_up",
    # O6
    "every_head_ends_boolean",
    "heads_send_all_tokens_but_one_away",
    # N1
    "softmax_mean_misses_the_maximum_by_omega",
    # N2
    "negative_scores_gather_tokens",
    # N3
    "negative_first_scores_give_one_hyperplane",
    # N4
    "coordinates_of_a_falling_rate_stay_bounded",
    # N5
    "turning_values_leave_a_polytope",
    "two_tokens_approach_under_turning_values",
    # N6
    "mirrored_tokens_collapse_like_the_root_of_time",
    # N7
    "first_tokens_beyond_the_curve_run_off",
    # N8
    "attention_converges_for_every_start",
    # section 11
    "frozen_attention_is_first_order",
)
"""The claims in the order of the paper, under the label by which docs/labels.md and `claims list` know the statement."""
