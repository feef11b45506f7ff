"""Distinct tokens stay distinct also for delta > 0: false, two tokens of the plane may merge in one step.

localmax LM-10, hardmax HM-4 carried over. With delta = 27/2 the token (3,3) attends to (-1,15) and (9,1), while
(4,3) also attends to (1,8), which draws it back by just the distance between the two: at gamma = 1/2 both step to
(7/2,11/2). On a line the order is kept, and no pair merges. Merging takes equalities: it is a null event.
"""

from claims.localmax.hardmax_keeps_tokens_apart import no_pair_merges
from claims.localmax.setting.configurations import about_to_merge
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="hardmax 2407.01602, distinct tokens stay distinct, for delta > 0",
    refs=("LM-10", "HM-4", "OQ-3"),
    note=(
        "With delta = 27 and gamma = 1/2 the token (7, 1) attends to (-7, 150) and (7, 34), while (8, 1) attends "
        "to (-3, 92) as well: both step to (7/2, 93/2). Pairs that have enough room, |z_i - z_j|_A^2 > alpha "
        "kappa delta with alpha = gamma/(1 - gamma) and a kappa below 1, stay distinct."
    ),
    statement="If A is symmetric positive definite, 0 < gamma < 1 and delta > 0, then z_i != z_j implies z_i' != z_j'.",
    origin=Origin.CARRIED_OVER,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    standing=Standing.FALSE,
    corrected_by="localmax.pairs_need_room_to_merge",
    draw=about_to_merge,
)

claim.step("> 0")(no_pair_merges)
