"""Localmax dynamics (arXiv 2509.15958), with hardmax (arXiv 2407.01602): the claims."""

CONTENTS = (
    # SYM-1
    "permutation_commutes_with_step",
    # SYM-2
    "change_of_basis_commutes_with_step",
    # SYM-3
    "scaling_commutes_with_step",
    # SYM-4
    "neighbourhoods_grow_with_sensitivity",
    # SYM-5
    "coincident_tokens_move_together",
    "copies_change_no_mean_of_points",
    "copies_change_nothing",
    # HM-2
    "limit_hull_is_a_polytope",
    # HM-3
    "norms_grow_under_hardmax",
    # HM-4
    "hardmax_keeps_tokens_apart",
    # HM-5
    "longest_points_lead",
    "longest_tokens_lead",
    # HM-6
    "leader_margin_shrinks_by_step",
    "leader_stays_leader",
    "sensitive_leader_stays_leader",
    # HM-7
    "flat_limits_are_projections",
    "hardmax_limits_lie_in_alignment_set",
    "leaders_reach_vertices",
    "negative_scores_lead_to_the_origin",
    # HM-8
    "limit_is_an_equilibrium",
    "limit_is_an_equilibrium_of_points",
    "readings_agree_on_distinct_tokens",
    # HM-9
    "no_hardmax_step_ends_at_rest",
    # HM-10
    "every_hardmax_tail_is_geometric",
    "hardmax_tail_at_vertices_is_geometric",
    # HM-11
    "line_has_two_ends",
    # HM-12
    "vertices_apart_keep_the_hull",
    # HM-13
    "hidden_tokens_change_no_nonzero_token",
    "hidden_tokens_change_nothing",
    # HM-14
    "softmax_mass_stays_on_neighbours",
    # LM-1
    "large_sensitivity_averages_all",
    "sensitivity_joins_hardmax_to_uniform_averages",
    "sensitivity_reaches_softmax",
    # LM-2
    "hull_shrinks",
    "varying_sensitivity_shrinks_hull",
    # LM-3
    "extreme_points_survive_alone",
    # LM-4
    "limit_vertices_are_aligned",
    "limit_vertices_are_aligned_at_every_phase",
    "negative_scores_give_consensus",
    # LM-5
    "limits_have_small_self_gaps",
    "neighbourhoods_are_power_balls",
    "norm_gain_pays_for_the_gaps",
    # LM-10
    "distinct_tokens_stay_distinct",
    "pairs_need_room_to_merge",
    "sensitive_pairs_contract_by_step_at_most",
    # LM-11
    "line_limits_straddle_zero",
    "order_is_kept_on_a_line",
    # LM-12
    "two_tokens_freeze_or_meet",
    # LM-6
    "quiescent_set_stays_quiescent",
    "vertices_are_quiescent_sets",
    "vertices_are_quiescent_sets_under_every_rule",
    # LM-6b
    "separated_blocks_never_mix",
    # LM-7
    "limit_vertices_are_packed",
    "small_diameter_gives_consensus",
    # LM-9
    "every_limit_is_aligned",
    "localmax_limit_is_an_equilibrium",
    # LM-13
    "every_token_converges",
    "every_token_converges_under_other_rules",
    # LM-8
    "harmonic_sensitivity_gives_alignment",
    "recurring_steps_give_alignment",
    "vanishing_sensitivity_gives_alignment",
    "vanishing_sensitivity_recovers_hardmax_limits",
    # LM-8b
    "small_sensitivity_is_hardmax",
    # LM-8c
    "tiny_sensitivity_moves_vertices_little",
    # LM-14
    "no_step_ends_at_rest",
    "quiescent_tokens_converge_at_a_rate",
    # LM-15
    "more_sensitivity_means_fewer_clusters",
    # LY-1
    "convex_functions_never_grow",
    # LY-2
    "energy_falls_along_its_graph",
    # LY-3
    "equal_norms_make_hegselmann_krause",
    # LY-4
    "energy_falls_with_its_own_graph",
    "plain_energy_falls",
    "truncated_energy_falls_always",
    "truncated_energy_falls_with_mutual_neighbours",
    # LY-5
    "symmetric_neighbours_give_convergence",
    # LY-6
    "norm_sum_grows_under_localmax",
    "norms_fall_by_sensitivity_at_most",
    # OQ-1
    "tokens_converge_in_the_plane",
    "tokens_converge_on_a_line",
    # OQ-3
    "no_planar_step_ends_at_rest",
    "no_step_of_three_tokens_ends_at_rest",
    # OQ-4
    "quiescent_sets_hear_all_at_every_step",
    "quiescent_sets_recur_with_the_sensitivity",
    "rare_sensitivity_keeps_vertex_tokens",
    "rare_sensitivity_lets_a_token_go",
    # OQ-7
    "tokens_converge_in_space_under_positive_scores",
    "tokens_converge_under_positive_scores",
    # OQ-8
    "late_sensitivity_decides_the_sets",
    # OQ-9
    "truncated_gaps_fall_with_mutual_neighbours",
)
"""The claims in the order of the paper, under the label by which docs/labels.md and `claims list` know the statement."""
