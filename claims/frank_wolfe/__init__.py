"""Attention's forward pass and Frank-Wolfe (arXiv 2508.09628): the claims."""

CONTENTS = (
    # FW-1
    "singular_scores_tie_often",
    "step_keeps_full_measure",
    "ties_can_be_broken",
    "ties_can_be_broken_under_scalar_steps",
    # FW-2
    "hull_shrinks",
    "scheduled_hull_shrinks",
    # FW-3
    "hull_may_grow_for_diagonal_values",
    # FW-4
    "hardmax_step_is_frank_wolfe",
    "oracle_over_hull_is_attained_at_tokens",
    # FW-5
    "diameters_fall_under_any_energies",
    "energy_contracts_while_hull_holds_origin",
    "energy_decays_like_inverse_time",
    "energy_decays_while_hull_holds_origin",
    "energy_gap_contracts",
    "energy_gap_contracts_by_one_minus_the_step",
    "energy_gap_contracts_in_one_step",
    "energy_gap_contracts_under_any_energies",
    "energy_gap_decays_like_inverse_square",
    "energy_tends_to_zero",
    "hulls_leave_the_origin",
    "limit_is_not_the_origin",
    "limit_is_within_a_step_of_the_origin",
    "limit_is_within_a_step_of_the_origin_on_the_line",
    "line_limit_under_open_loop_steps",
    "tokens_contract_to_one_cluster",
    "tokens_contract_to_the_origin",
    "tokens_meet_under_semidefinite_energies",
    # FW-6
    "duality_gap_is_small_at_any_temperatures",
    "duality_gap_is_small_at_some_step",
    "energy_grows_along_every_token",
    # FW-7
    "cells_are_convex",
    "cells_cover_the_polytope",
    "cells_have_disjoint_interiors",
    "cells_have_disjoint_interiors_for_semidefinite_scores",
    "cells_have_disjoint_relative_interiors",
    # FW-9
    "gaussian_vertices_own_their_cells",
    "two_gaussian_vertices_own_their_cells",
    # FW-10
    "neighbours_and_origin_tell_own_cells",
    "neighbours_tell_own_cells",
    # FW-11
    "cells_are_power_cells",
    "cells_are_voronoi_cells",
    "cells_are_voronoi_cells_for_any_norms",
    "cells_are_voronoi_cells_of_all_points",
    "equal_norms_give_own_cells",
    # FW-12
    "euler_steps_follow_the_flow",
    "flow_keeps_its_targets",
    "perturbed_vertex_token_wins",
    "perturbed_vertices_win",
    # FW-13
    "diameter_contracts_at_dobrushin_rate",
    "picks_reach_consensus",
    "regular_simplex_lives_exponentially_long",
    "tokens_collapse_to_a_point",
    "tokens_collapse_to_the_origin",
    "two_tokens_meet_after_half_steps",
    # FW-14
    "acute_sets_are_small",
    "first_phase_has_the_printed_probability",
    "first_phase_takes_margins_times_distances",
    "first_phase_takes_the_farthest_token",
    "first_phase_takes_the_nearest_token",
    "hardmax_path_is_likely",
    "own_vertex_wins_along_the_path",
    # FW-15
    "escape_exponent_is_the_cheapest_way_out",
    "escape_happens_in_exponential_time",
    "escape_takes_as_many_picks_as_diameters",
    "escape_takes_exponentially_long",
    "escape_takes_exponentially_long_at_unit_diameter",
    "escape_takes_exponentially_long_at_unit_radius",
    "escape_takes_exponentially_long_in_diameters",
    "group_jumps_are_rare",
    "group_jumps_are_rare_by_diameter",
    "group_jumps_cost_the_gap",
    "nearest_token_is_picked_first",
    "one_pick_escapes_are_geometric",
    "tubes_hold_for_exponential_times",
    "tubes_widen_by_other_groups_only",
    # FW-16
    "hardmax_approximates_softmax",
    "interior_tokens_reach_vertices_in_constant_time",
    "softmax_step_is_near_hardmax",
    "softmax_steps_pass_three_phases",
    "tokens_keep_their_cells",
    "vertices_are_stationary",
    # FW-M2
    "hardmax_layer_is_a_rescaled_step",
    "layer_is_a_rescaled_step",
    # FW-M8
    "picks_average_to_the_softmax_step",
    # FW-8
    "few_gaussian_clouds_own_their_cells",
    "largest_energy_stays",
    "limits_own_their_cells",
    "orbits_do_not_repeat",
    "targets_are_farther_out",
    "tied_cells_are_adjacent",
    "tokens_move_straight_to_their_vertices",
    "tokens_reach_their_vertices",
    "tokens_reach_their_vertices_under_bounded_steps",
    "unique_targets_stay",
    # Q5
    "clusters_are_at_most_the_corners",
    "gaussian_tokens_seldom_change_targets",
    "left_targets_are_not_taken_again",
    "targets_change_at_most_exponentially_often",
    "targets_change_less_often_than_tokens_are",
    "three_tokens_change_one_target",
    # Q6
    "mean_escape_exponent_is_always_the_first_pick",
    "mean_escape_exponent_is_the_first_pick",
    "mean_escape_exponent_is_the_longest_wait",
    "mean_escape_exponent_is_the_whole_way",
    # Q8
    "collapse_point_has_no_atoms",
    # Q11
    "flow_crosses_ties",
    "flow_has_one_solution",
    # Q13
    "ties_can_be_broken_where_scores_see_all_steps",
)
"""The claims in the order of the paper, under the label by which docs/labels.md and `claims list` know the statement."""
