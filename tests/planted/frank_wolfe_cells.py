"""Falsehoods about cells of polytopes and rescaled layers of the Frank-Wolfe paper."""

SHARPENED = [
    ("frank_wolfe.cells_cover_the_polytope", "cells_around_each_token", {"least": 2}),
    ("frank_wolfe.cells_have_disjoint_interiors", "tokens_in_two_cells_are_flat", {"codimension": 2}),
    ("frank_wolfe.cells_have_disjoint_relative_interiors", "codimension_of_common_tokens", {"codimension": 2}),
    ("frank_wolfe.cells_are_power_cells", "power_less_score_gaps", {"scale": 1}),
    ("frank_wolfe.equal_norms_give_own_cells", "lead_of_any_token", {"share": 2}),
    ("frank_wolfe.tied_cells_are_adjacent", "parts_of_tied_vertices", {"one": 2}),
    ("frank_wolfe.oracle_over_hull_is_attained_at_tokens", "loss_of_hull_points", {"share": 2}),
    ("frank_wolfe.layer_is_a_rescaled_step", "layer_less_rescaled_step", {"share": 2}),
    ("frank_wolfe.hardmax_layer_is_a_rescaled_step", "layer_less_rescaled_step", {"share": 2}),
]

DROPPED = [
    ("frank_wolfe.cells_have_disjoint_interiors", "tokens_in_two_cells_are_flat", "definite_key_query"),
    ("frank_wolfe.cells_have_disjoint_relative_interiors", "codimension_of_common_tokens", "definite_key_query"),
    ("frank_wolfe.cells_are_power_cells", "power_less_score_gaps", "symmetric_key_query"),
    ("frank_wolfe.cells_are_voronoi_cells", "cell_is_in_voronoi_cell", "equal_norm_vertices"),
    ("frank_wolfe.cells_are_voronoi_cells", "voronoi_cell_is_in_cell", "equal_norm_vertices"),
    ("frank_wolfe.equal_norms_give_own_cells", "own_score_leads", "definite_key_query"),
    ("frank_wolfe.equal_norms_give_own_cells", "own_score_leads", "equal_norm_vertices"),
    ("frank_wolfe.hull_may_grow_for_diagonal_values", "token_leaves_hull", "exchanged_corners"),
    ("frank_wolfe.hull_may_grow_for_diagonal_values", "token_leaves_hull", "two_rates"),
]
