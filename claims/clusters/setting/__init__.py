"""What the claims of the clusters paper share: notation, hypotheses, and starts near which statements are tight.

Statements about a left eigenvector phi of V are made in a basis in which phi is the first coordinate: y = Sx follows the
same equations with S^{-T} B S^{-1} and S V S^{-1}, and a positive definite B stays so. No generality is lost where a
statement measures no Euclidean length.
"""

from claims.clusters.setting.hypotheses import (
    block_value,
    definite_value,
    diagonal_value,
    dissipative_value,
    distinct_tokens,
    first_coordinate_is_eigen,
    invertible_growth,
    invertible_value,
    minus_identity_value,
    nonnegative_eigenvalue,
    nonnegative_rates,
    nonnegative_tokens,
    on_the_line,
    ordered_tokens,
    positive_eigenvalue,
    positive_first_score,
    positive_step,
    some_token,
    symmetric_up_to_values,
)
from claims.clusters.setting.notation import (
    form,
    frobenius,
    head_starts,
    mean_scores,
    omega,
    pivots,
    scores,
    sizes,
    squared_norms,
    tokens_of,
)
from claims.clusters.setting.starts import extremal_flow, extremal_rescaled_flow

__all__ = [
    "block_value",
    "definite_value",
    "diagonal_value",
    "dissipative_value",
    "distinct_tokens",
    "extremal_flow",
    "extremal_rescaled_flow",
    "first_coordinate_is_eigen",
    "form",
    "frobenius",
    "head_starts",
    "invertible_growth",
    "invertible_value",
    "mean_scores",
    "minus_identity_value",
    "nonnegative_eigenvalue",
    "nonnegative_rates",
    "nonnegative_tokens",
    "omega",
    "on_the_line",
    "ordered_tokens",
    "pivots",
    "positive_eigenvalue",
    "positive_first_score",
    "positive_step",
    "scores",
    "sizes",
    "some_token",
    "squared_norms",
    "symmetric_up_to_values",
    "tokens_of",
]
