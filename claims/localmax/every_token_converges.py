"""FALSE: for constant delta > 0 a token may oscillate for ever: a 2-cycle in the limit.

`every_token_converges`: localmax LM-13; standing found here. At delta = 7/2 and gamma = 1/2 (3,-4,0), (3,4,0) and
(2,-1,+-3) attend to only themselves, and a token from (2,0,0) tends to alternate between (8/3,-1/3,0) and (25/9,-2/9,0).
Attending to the first two it moves to where it attends to the others as well; these pull it back to where it does not.
Each of them is attended to less the nearer the token comes to their mean, for they lie on different sides of the way; one
token alone, attended to at times, cannot cause a to and fro of two steps. The tokens of quiescent sets do converge.

`every_token_converges_under_other_rules`: FALSE: under other rules for neighbours a token may also oscillate for ever.

localmax LM-13 under the other readings of C_i: within delta of the best score as a part of it (D2) or of the norm (D3),
strictly within, with oneself always, or averaged over points. A token between two pairs of vertices, as under the additive
rule, attends to one pair at times and the other always; only what delta is compared with differs.
"""

from claims.localmax.setting.ends import limit_phases
from claims.localmax.setting.hypotheses import (
    additive_rule,
    another_rule,
    definite_matrix,
    distinct_tokens,
    open_step_size,
    positive_sensitivity,
)
from claims.localmax.setting.starts import cycling_start, cycling_under_another_rule
from claims.statement import Section, Standing
from dynamics.tokens.localmax import LocalmaxStep

section = Section(__name__, system=LocalmaxStep)

every_token_converges = section.claim(
    "every_token_converges",
    refs=("LM-13", "OQ-1"),
    note=(
        "With delta = 17/4 and gamma = 1/2 the last of (4, 4, 0), (4, -5, 0), (3, 2, 8), (3, 2, -8), (4, 0, 0) ends "
        "in a 2-cycle between (34/9, 1/18, 0) and (11/3, 1/3, 0): at one place it attends to the first two tokens"
        " and itself, at the other to all. The tokens of quiescent sets do converge, each step leaving exactly "
        "the part 1 - gamma of their spread."
    ),
    statement="For constant delta > 0 and A symmetric positive definite every token converges.",
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity, distinct_tokens),
    standing=Standing.FALSE,
    corrected_by="localmax.quiescent_tokens_converge_at_a_rate",
    draw=cycling_start,
)


@every_token_converges.orbit("== 0", exact_only=True)
def limit_points_differ(f: LocalmaxStep, *, share=1):
    """The limit points of each token, less the first of them."""
    phases = limit_phases(f)
    return phases - share * phases[0]


every_token_converges_under_other_rules = section.claim(
    "every_token_converges_under_other_rules",
    refs=("LM-13", "OQ-10"),
    note=(
        "Under the rule that adds each token to its own neighbours, with delta = 29/4 and gamma = 1/2, the last "
        "of (7, 3, 0), (7, -3, 0), (6, 2, 8), (6, 2, -8), (0, 0, 0) ends in a 2-cycle between (20/3, 2/3, 0) and "
        "(61/9, 4/9, 0). Tokens that tend to vertices of the limit hull converge under every rule."
    ),
    statement="For constant delta > 0 and A symmetric positive definite every token converges, under another rule than D1.",
    assumptions=(another_rule, definite_matrix, open_step_size, positive_sensitivity, distinct_tokens),
    standing=Standing.FALSE,
    corrected_by="localmax.vertices_are_quiescent_sets_under_every_rule",
    draw=cycling_under_another_rule,
)


every_token_converges_under_other_rules.orbit("== 0", exact_only=True)(limit_points_differ)
