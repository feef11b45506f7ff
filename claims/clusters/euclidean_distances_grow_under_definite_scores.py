"""Euclidean distances between tokens never shrink when Q^T K is any positive definite matrix: false for d >= 2.

The generalisation of Lemma `l:distnondec` (clusters L1) that the hypothesis "Q^T K > 0" of the theorems around it
invites. The scores stretch space, so the distance that grows is the one they measure.
"""

from claims.assumptions import definite_key_query, identity_value
from claims.clusters.pairwise_distances_grow import separation_rate
from claims.statement import CLUSTERS, Claim, Standing
from dynamics.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    paper=CLUSTERS,
    where="Lemma l:distnondec under the hypothesis Q^T K > 0 of Theorem 3.1 (a generalisation, not printed)",
    refs=("L1",),
    statement="If V = I and Q^T K > 0 then t -> |x_i(t) - x_j(t)| is nondecreasing for all i, j.",
    system=SelfAttentionFlow,
    assumptions=(identity_value, definite_key_query),
    standing=Standing.FALSE,
    corrected_by="clusters.key_query_distances_grow",
)

claim.state(">= 0")(separation_rate)
