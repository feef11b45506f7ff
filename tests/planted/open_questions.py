"""Falsehoods about what the readings of the Frank-Wolfe and localmax papers ask."""

SHARPENED = [
    ("localmax.quiescent_sets_recur_with_the_sensitivity", "others_are_beyond", {"room": 4}),
    ("localmax.rare_sensitivity_lets_a_token_go", "token_was_away", {"parts": 2}),
]

DROPPED = [
    ("localmax.quiescent_sets_recur_with_the_sensitivity", "vertices_have_their_sets", "recurring_sensitivity"),
    ("localmax.quiescent_sets_recur_with_the_sensitivity", "vertices_have_their_sets", "open_step_sizes"),
    ("localmax.rare_sensitivity_lets_a_token_go", "next_visit_is_like_this", "a_visit"),
]
