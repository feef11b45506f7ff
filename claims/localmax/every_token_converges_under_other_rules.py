"""FALSE: under other rules for neighbours a token may also oscillate for ever.

localmax LM-13 under the other readings of C_i: within delta of the best score as a part of it (D2) or of the norm (D3),
strictly within, with oneself always, or averaged over points. A token between two pairs of vertices, as under the additive
rule, attends to one pair at times and the other always; only what delta is compared with differs.
"""

from claims.localmax.every_token_converges import limit_points_differ
from claims.localmax.setting.hypotheses import (
    another_rule,
    definite_matrix,
    distinct_tokens,
    open_step_size,
    positive_sensitivity,
)
from claims.localmax.setting.starts import cycling_under_another_rule
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LM-13", "OQ-10"),
    note=(
        "Under the rule that adds each token to its own neighbours, with delta = 29/4 and gamma = 1/2, the last "
        "of (7, 3, 0), (7, -3, 0), (6, 2, 8), (6, 2, -8), (0, 0, 0) ends in a 2-cycle between (20/3, 2/3, 0) and "
        "(61/9, 4/9, 0). Tokens that tend to vertices of the limit hull converge under every rule."
    ),
    statement="For constant delta > 0 and A symmetric positive definite every token converges, under another rule than D1.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(another_rule, definite_matrix, open_step_size, positive_sensitivity, distinct_tokens),
    standing=Standing.FALSE,
    corrected_by="localmax.vertices_are_quiescent_sets_under_every_rule",
    draw=cycling_under_another_rule,
)

claim.orbit("== 0", exact_only=True)(limit_points_differ)
