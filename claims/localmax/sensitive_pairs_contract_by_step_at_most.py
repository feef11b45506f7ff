"""Distances shrink by 1 - gamma at most also for delta > 0: false.

localmax LM-10, hardmax HM-4 carried over. With a tolerance the average no longer is a monotone function of
the token: of (2,1), (3,3), (3,0) with delta = 3 the third attends to all, the first not to itself.
"""

from claims.localmax.hardmax_keeps_tokens_apart import pairs_contract_by_step_at_most
from claims.localmax.setting.configurations import about_to_merge
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="hardmax 2407.01602, pairwise distances, for delta > 0",
    refs=("LM-10", "HM-4"),
    note=(
        "With delta = 52 and gamma = 1/2 the second of (13, 1), (16, 1) attends to one token more than the first:"
        " their distance falls from 3 to 1.11, below 3/2. Along A (z_i - z_j) a step brings them closer than that"
        " by at most gamma kappa delta, with a kappa below 1."
    ),
    statement="If A is symmetric positive definite and delta > 0, |z_i' - z_j'|_A >= (1 - gamma) |z_i - z_j|_A.",
    origin=Origin.CARRIED_OVER,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    standing=Standing.FALSE,
    corrected_by="localmax.pairs_need_room_to_merge",
    draw=about_to_merge,
)

claim.step(">= 0")(pairs_contract_by_step_at_most)
