"""Euclidean distances between tokens never shrink when Q^T K is any positive definite matrix: false for d >= 2.

The lemma for Q^T K = I (clusters L1, slide "Lemma (any d >= 1)"), asked under the hypothesis "Suppose Q^T K > 0" of the
theorems around it. The scores stretch space, so the distance that grows is the one they measure.
"""

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.pairwise_distances_grow import separation_rate
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="slide 'Lemma (any d >= 1)', under the hypothesis of the slides' Theorem 2",
    refs=("L1",),
    note=(
        "Scores stretch space: with Q^T K = diag(1, 4) and a third token at (-4, 4) the distance between (1, 1) "
        "and (0, 0) begins to shrink, <x_i' - x_j', x_i - x_j> being -0.66. What never shrinks is <B (x_i - x_j),"
        " x_i - x_j>."
    ),
    statement="If V = I and Q^T K > 0 then t -> |x_i(t) - x_j(t)| is nondecreasing for all i, j.",
    origin=Origin.CARRIED_OVER,
    system=SelfAttentionFlow,
    assumptions=(identity_value, definite_key_query),
    standing=Standing.FALSE,
    corrected_by="clusters.key_query_distances_grow",
)

claim.state(">= 0")(separation_rate)
