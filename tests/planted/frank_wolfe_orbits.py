"""Falsehoods about hardmax runs as Frank-Wolfe runs."""

from flint import fmpq

SHARPENED = [
    ("frank_wolfe.energy_decays_while_hull_holds_origin", "room_below_the_bound", {"constant": fmpq(1, 8)}),
    ("frank_wolfe.energy_contracts_while_hull_holds_origin", "largest_energy_contracts", {"factor": fmpq(3, 4)}),
    ("frank_wolfe.energy_gap_contracts_in_one_step", "gap_to_tokens", {"share": 2}),
    ("frank_wolfe.energy_gap_contracts_in_one_step", "gap_to_least_energy", {"share": 2}),
    ("frank_wolfe.energy_gap_contracts", "gap_contracts", {"factor": fmpq(31, 32)}),
    ("frank_wolfe.energy_gap_decays_like_inverse_square", "gap_decays", {"constant": 1}),
    ("frank_wolfe.tokens_contract_to_one_cluster", "distances_contract", {"constant": fmpq(3, 2)}),
    ("frank_wolfe.line_limit_under_open_loop_steps", "distances_from_the_limit", {"share": 1}),
    ("frank_wolfe.duality_gap_is_small_at_some_step", "gap_is_below_the_average", {"share": fmpq(3, 4)}),
    ("frank_wolfe.energy_grows_along_every_token", "energy_gain", {"share": 4}),
    ("frank_wolfe.energy_grows_along_every_token", "energy_never_falls", {"orientation": -1}),
    ("frank_wolfe.targets_are_farther_out", "gain_of_the_target", {"share": 4}),
    ("frank_wolfe.largest_energy_stays", "change_of_the_largest", {"later": 2}),
    ("frank_wolfe.unique_targets_stay", "straight_paths", {"moved": 2}),
    ("frank_wolfe.euler_steps_follow_the_flow", "distance_between_steps", {"constant": fmpq(1, 2)}),
    ("frank_wolfe.tokens_move_straight_to_their_vertices", "distance_from_the_formula", {"factor": 2}),
    ("frank_wolfe.tokens_move_straight_to_their_vertices", "vertices_stay", {"factor": 2}),
    ("frank_wolfe.tokens_reach_their_vertices_under_bounded_steps", "distance_is_below_the_power", {"factor": fmpq(9, 8)}),
    ("frank_wolfe.limit_is_within_a_step_of_the_origin_on_the_line", "room_of_the_limit", {"constant": fmpq(1, 2)}),
    ("frank_wolfe.limit_is_not_the_origin", "distance_of_the_limit", {"least": fmpq(1, 4)}),
]

DROPPED = [
    ("frank_wolfe.energy_decays_while_hull_holds_origin", "room_below_the_bound", "origin_in_every_hull"),
    ("frank_wolfe.energy_contracts_while_hull_holds_origin", "largest_energy_contracts", "origin_in_every_hull"),
    ("frank_wolfe.energy_gap_contracts_in_one_step", "gap_to_tokens", "symmetric_energies"),
    ("frank_wolfe.energy_gap_contracts", "gap_contracts", "steps_at_most_one"),
    ("frank_wolfe.tokens_contract_to_one_cluster", "distances_contract", "constant_step"),
    ("frank_wolfe.duality_gap_is_small_at_some_step", "gap_is_below_the_average", "nonnegative_scores"),
    ("frank_wolfe.energy_grows_along_every_token", "energy_never_falls", "concave_energies"),
    ("frank_wolfe.targets_are_farther_out", "gain_of_the_target", "symmetric_energies"),
    ("frank_wolfe.largest_energy_stays", "change_of_the_largest", "one_matrix"),
    ("frank_wolfe.unique_targets_stay", "straight_paths", "one_matrix"),
    ("frank_wolfe.ties_can_be_broken", "ties_move_under_translation", "invertible_key_query"),
    ("frank_wolfe.ties_can_be_broken_under_scalar_steps", "ties_are_no_identities", "nonzero_key_query"),
    ("frank_wolfe.tokens_move_straight_to_their_vertices", "vertices_stay", "own_vertex_cells"),
    ("frank_wolfe.tokens_reach_their_vertices_under_bounded_steps", "distance_is_below_the_power", "one_matrix"),
    ("frank_wolfe.flow_keeps_its_targets", "least_gap", "tokens_in_one_cell"),
    ("frank_wolfe.limit_is_within_a_step_of_the_origin_on_the_line", "room_of_the_limit", "on_a_line"),
    ("frank_wolfe.limit_is_within_a_step_of_the_origin_on_the_line", "room_of_the_limit", "origin_in_hull"),
    ("frank_wolfe.tokens_meet_under_semidefinite_energies", "limits_are_one", "semidefinite_energy"),
]
