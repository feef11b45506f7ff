"""Distinct tokens stay distinct also for delta > 0: false, two tokens of the plane may merge in one step.

localmax LM-10, hardmax HM-4 carried over (not printed). A token that hears P and R of mean (0, 6), and one a little to its
right that hears X = (-1, 6) too, meet where X draws the second one back by just their distance. On a line order is kept,
and no pair merges; merging takes equalities, so it is a null event.
"""

import numpy as np

from claims.localmax.configurations import about_to_merge
from claims.localmax.hardmax_keeps_tokens_apart import pair_distances
from claims.localmax.hypotheses import additive_rule, definite_matrix, open_step_size, others, positive_sensitivity, where
from claims.statement import LOCALMAX, Claim, Standing
from dynamics.localmax import LocalmaxStep, coincident

claim = Claim(
    __name__,
    paper=LOCALMAX,
    where="not printed: hardmax 2407.01602, distinct tokens stay distinct, for delta > 0",
    refs=("LM-10", "HM-4"),
    printed="If A is symmetric positive definite, 0 < gamma < 1 and delta > 0, then z_i != z_j implies z_i' != z_j'.",
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    standing=Standing.FALSE,
    corrected_by="localmax.pairs_need_room_to_merge",
    draw=about_to_merge,
)


@claim.step("> 0")
def no_pair_merges(f: LocalmaxStep):
    """|z_i' - z_j'|_A^2 for every pair of distinct tokens."""
    i, j = np.triu_indices(f.z.shape[-2], 1)
    return where((others(f) & ~coincident(f.z))[..., i, j], pair_distances(f.step()))
