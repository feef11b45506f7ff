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
    "tokens_are_interchangeable",
    # M2
    "rescaling_keeps_attention",
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
    # L6
    "rows_lean_to_one_end",
    # T1
    "attention_converges_on_a_line",
    "attention_limit_has_rank_one_or_two",
    "attention_rows_are_ordered",
    "boolean_rows_converge_doubly_exponentially",
    "rows_of_escaping_tokens_converge_doubly_exponentially",
    "unit_scalars_are_enough",
    # H1
    "half_space_distance_grows",
    "hull_shrinks",
    # T2
    "tokens_converge_to_a_polytope",
    # C2
    "attention_rank_is_at_most_the_number_of_vertices",
    "attention_rank_is_the_number_of_vertices",
    # O1
    "tokens_converge_to_vertices",
    # O4
    "tokens_converge_to_vertices_under_any_scores",
    # N1
    "softmax_mean_misses_the_maximum_by_omega",
)
"""The claims in the order of the paper, under the label by which docs/labels.md and `claims list` know the statement."""
