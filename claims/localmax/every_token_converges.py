"""For constant delta > 0 a token need not converge: it may oscillate between two places.

`every_token_converges`: False in R^3 (LM-13). Where the token attends to two vertices, it moves to a place where it
attends to another pair as well; with that pair in the average it is pulled back to where it does not. The nearer the
token comes to the middle of that pair, the less it attends to it, since the two lie on different sides of its way. One
vertex that is attended to at times cannot pull it to and fro in two steps.

`every_token_converges_under_other_rules`: False under each of the other readings of C_i: delta relative to the best
score (D2) or to the norm (D3), a strict inequality, each token always its own neighbour, averages over points. The
mechanism is the same; only the quantity that delta is compared with differs.
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
from claims.stating.statement import Section
from dynamics.tokens.localmax import LocalmaxStep

section = Section(__name__, system=LocalmaxStep)

every_token_converges = section.claim(
    refs=("LM-13", "OQ-1"),
    note=(
        "With delta = 17/4 and gamma = 1/2 the last of (4, 4, 0), (4, -5, 0), (3, 2, 8), (3, 2, -8), (4, 0, 0) ends "
        "in a 2-cycle between (34/9, 1/18, 0) and (11/3, 1/3, 0): at one place it attends to the first two tokens"
        " and itself, at the other to all. The tokens of quiescent sets do converge, and their spread "
        "shrinks by exactly 1 - gamma in each step."
    ),
    statement="For constant delta > 0 and A symmetric positive definite every token converges.",
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity, distinct_tokens),
    corrected_by="localmax.quiescent_tokens_converge_at_a_rate",
    draw=cycling_start,
)


@every_token_converges.orbit("== 0", exact_only=True)
def limit_points_differ(f: LocalmaxStep, *, share=1):
    """The limit points of each token, less the first of them."""
    phases = limit_phases(f)
    return phases - share * phases[0]


# The reading of C_i is ours, so the counterexample is shown under each of the others as well.
every_token_converges_under_other_rules = section.claim(
    refs=("LM-13", "OQ-10"),
    note=(
        "Under the rule that adds each token to its own neighbours, with delta = 29/4 and gamma = 1/2, the last "
        "of (7, 3, 0), (7, -3, 0), (6, 2, 8), (6, 2, -8), (0, 0, 0) ends in a 2-cycle between (20/3, 2/3, 0) and "
        "(61/9, 4/9, 0). Tokens that tend to vertices of the limit hull converge under every rule."
    ),
    statement="For constant delta > 0 and A symmetric positive definite every token converges, under another rule than D1.",
    assumptions=(another_rule, definite_matrix, open_step_size, positive_sensitivity, distinct_tokens),
    corrected_by="localmax.vertices_are_quiescent_sets_under_every_rule",
    draw=cycling_under_another_rule,
)

every_token_converges_under_other_rules.orbit("== 0", exact_only=True)(limit_points_differ)
