"""Falsehoods about limits and eventual behaviour of hardmax and localmax."""

SHARPENED = [
    ("localmax.limit_hull_is_a_polytope", "vertices_are_at_most_tokens", {"share": 0}),
    ("localmax.limit_vertices_are_aligned", "self_gaps_of_vertices", {"share": 2}),
    ("localmax.hardmax_limits_lie_in_alignment_set", "self_gaps_of_limits", {"share": 2}),
    ("localmax.hardmax_tail_is_geometric", "tails_at_vertices", {"share": 2}),
    ("localmax.flat_tails_are_geometric", "tails", {"share": 2}),
    ("localmax.separated_blocks_never_mix", "blocks_close_in", {"share": 2}),
    ("localmax.vanishing_sensitivity_gives_alignment", "self_gaps_of_limits", {"share": 2}),
    ("localmax.two_tokens_freeze_or_meet", "departure_from_the_fate", {"factor": 2}),
    ("localmax.quiescent_tokens_converge_at_a_rate", "tails_of_quiescent_tokens", {"share": 2}),
    ("localmax.vertices_are_quiescent_sets", "others_end_unheard", {"room": 2}),
    ("localmax.limit_vertices_are_packed", "vertices_are_apart", {"factor": 4}),
]

DROPPED = [
    ("localmax.hardmax_limits_lie_in_alignment_set", "self_gaps_of_limits", "hardmax"),
    ("localmax.hardmax_limits_lie_in_alignment_set", "limits_lie_in_the_boundary", "nonzero_tokens"),
    ("localmax.leaders_reach_vertices", "leaders_are_the_vertices", "distinct_tokens"),
    ("localmax.leaders_reach_vertices", "leaders_are_the_vertices", "hardmax"),
    ("localmax.leaders_reach_vertices", "leaders_are_the_vertices", "definite_matrix"),
    ("localmax.leaders_reach_vertices", "some_token_leads", "distinct_tokens"),
    ("localmax.flat_limits_are_projections", "scores_vary_on_the_face", "hardmax"),
    ("localmax.line_has_two_ends", "distance_to_the_own_end", "hardmax"),
    ("localmax.line_has_two_ends", "distance_to_the_own_end", "definite_matrix"),
    ("localmax.line_has_two_ends", "distance_to_the_own_end", "one_dimension"),
    ("localmax.negative_scores_give_consensus", "limits_differ", "negative_matrix"),
    ("localmax.separated_blocks_never_mix", "other_blocks_stay_unheard", "separated_blocks"),
    ("localmax.separated_blocks_never_mix", "own_block_stays_heard", "separated_blocks"),
    ("localmax.separated_blocks_never_mix", "blocks_close_in", "step_size_at_most_one"),
    ("localmax.small_diameter_gives_consensus", "limits_differ", "small_diameter"),
    ("localmax.small_diameter_gives_consensus", "limits_differ", "monotone_matrix"),
    ("localmax.two_tokens_freeze_or_meet", "departure_from_the_fate", "two_tokens"),
    ("localmax.vertices_are_quiescent_sets", "quiescent_sets_are_the_vertices", "lasting_sensitivity"),
    ("localmax.tokens_converge_in_the_plane", "limit_points_differ", "two_dimensions"),
    ("localmax.limits_have_small_self_gaps", "self_gaps_are_small_on_average", "definite_matrix"),
    ("localmax.vanishing_sensitivity_gives_alignment", "self_gaps_of_limits", "vanishing_sensitivity"),
]
