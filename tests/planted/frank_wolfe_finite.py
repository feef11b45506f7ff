"""Falsehoods of the claims about finite temperature."""

SHARPENED = [
    ("frank_wolfe.tokens_collapse_to_a_point", "diameter_contracts", {"cost": 0}),
    ("frank_wolfe.tokens_collapse_to_a_point", "diameter_contracts_in_three_steps", {"cost": 0}),
    ("frank_wolfe.tokens_collapse_to_a_point", "tokens_stay_in_hull", {"share": 4}),
    ("frank_wolfe.tokens_collapse_to_a_point", "depths_are_those_of_the_step", {"share": 2}),
    ("frank_wolfe.diameter_contracts_at_dobrushin_rate", "diameter_contracts", {"cost": 0}),
    ("frank_wolfe.diameter_contracts_at_dobrushin_rate", "diameter_contracts_by_itself", {"cost": 0}),
    ("frank_wolfe.picks_average_to_the_softmax_step", "mean_pick_minus_softmax_step", {"share": 2}),
    ("frank_wolfe.picks_reach_consensus", "expected_diameter_contracts", {"cost": -1}),
    ("frank_wolfe.picks_reach_consensus", "expected_diameter_contracts_by_any_choice", {"cost": -1}),
    ("frank_wolfe.softmax_step_is_near_hardmax", "steps_agree", {"cost": 2}),
    ("frank_wolfe.softmax_step_is_near_hardmax", "others_get_little", {"cost": 2}),
    ("frank_wolfe.own_vertex_wins_along_the_path", "score_gap", {"cost": 2}),
    ("frank_wolfe.hardmax_path_is_likely", "path_is_likely", {"cost": 8}),
    ("frank_wolfe.first_phase_takes_the_farthest_token", "path_ends_near_vertices", {"fewer": 1}),
    ("frank_wolfe.first_phase_takes_the_farthest_token", "path_is_likely", {"cost": 8}),
]

DROPPED = [
    ("frank_wolfe.tokens_collapse_to_a_point", "diameter_contracts", "step_size_at_most_one"),
    ("frank_wolfe.tokens_collapse_to_a_point", "tokens_stay_in_hull", "step_size_at_most_one"),
    ("frank_wolfe.diameter_contracts_at_dobrushin_rate", "diameter_contracts", "step_size_at_most_one"),
    ("frank_wolfe.picks_reach_consensus", "expected_diameter_contracts", "step_size_at_most_one"),
    ("frank_wolfe.own_vertex_wins_along_the_path", "score_gap", "tokens_in_own_cells"),
    ("frank_wolfe.own_vertex_wins_along_the_path", "score_gap", "free_tokens_in_polytope"),
    ("frank_wolfe.hardmax_path_is_likely", "path_is_likely", "token_at_each_vertex"),
    ("frank_wolfe.hardmax_path_is_likely", "path_is_likely", "free_tokens_in_polytope"),
]
