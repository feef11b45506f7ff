"""Falsehoods about what the readings of the Frank-Wolfe and localmax papers ask."""

SHARPENED = [
    ("frank_wolfe.flow_crosses_ties", "rates_are_apart", {"share": 2}),
    ("frank_wolfe.three_tokens_change_one_target", "changes_left", {"most": 0}),
    ("frank_wolfe.targets_change_at_most_exponentially_often", "changes_left", {"factor": 0}),
    ("localmax.truncated_gaps_fall_with_mutual_neighbours", "truncated_gaps_fall", {"share": 2}),
    ("localmax.quiescent_sets_recur_with_the_sensitivity", "others_are_beyond", {"room": 4}),
    ("localmax.recurring_steps_give_alignment", "self_gaps_of_limits", {"share": 2}),
    ("localmax.rare_sensitivity_lets_a_token_go", "token_was_away", {"parts": 2}),
]

DROPPED = [
    ("frank_wolfe.flow_crosses_ties", "one_target_is_kept", "definite_key_query"),
    ("frank_wolfe.three_tokens_change_one_target", "changes_left", "definite_key_query"),
    ("frank_wolfe.three_tokens_change_one_target", "changes_left", "inner_scalar_step"),
    ("frank_wolfe.three_tokens_change_one_target", "changes_left", "at_most_three_tokens"),
    ("frank_wolfe.ties_can_be_broken_where_scores_see_all_steps", "differences_are_seen", "nothing_hidden"),
    ("localmax.quiescent_sets_recur_with_the_sensitivity", "vertices_have_their_sets", "recurring_sensitivity"),
    ("localmax.quiescent_sets_recur_with_the_sensitivity", "vertices_have_their_sets", "open_step_sizes"),
    ("localmax.truncated_gaps_fall_with_mutual_neighbours", "truncated_gaps_fall", "mutual_neighbours"),
    ("localmax.recurring_steps_give_alignment", "self_gaps_of_limits", "no_sensitivity"),
    ("localmax.recurring_steps_give_alignment", "self_gaps_of_limits", "open_step_sizes"),
    ("localmax.rare_sensitivity_lets_a_token_go", "next_visit_is_like_this", "a_visit"),
]
