"""The emergence of clusters in self-attention dynamics (arXiv 2305.05465): the claims."""

CONTENTS = (
    # L1
    "euclidean_distances_grow_under_definite_scores",
    "key_query_distances_grow",
    "pairwise_distances_grow",
    # H1
    "half_space_distance_grows",
    "hull_shrinks",
)
"""The claims in the order of the paper, under the label by which docs/labels.md and `claims list` know the statement."""
