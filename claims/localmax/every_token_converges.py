"""FALSE: for constant delta > 0 a token may go to and fro for ever.

localmax LM-13 (not printed; standing found here). A token of R^3 that hears two vertices moves to where it hears two more;
these pull it back to where it does not hear them. Each of the two is heard less the nearer the token comes to their mean,
for they lie on different sides of the way. A to and fro of two steps cannot hang on one token alone that is heard at times.
The tokens of quiescent sets do converge.
"""

from claims.localmax.endings import cycling_start, limit_phases
from claims.localmax.hypotheses import definite_matrix, distinct_tokens, open_step_size, positive_sensitivity
from claims.statement import LOCALMAX, Claim, Standing
from dynamics.localmax import LocalmaxStep

claim = Claim(
    __name__,
    paper=LOCALMAX,
    where="not printed",
    refs=("LM-13", "OQ-1"),
    printed="For constant delta > 0 and A symmetric positive definite every token converges.",
    system=LocalmaxStep,
    assumptions=(definite_matrix, open_step_size, positive_sensitivity, distinct_tokens),
    standing=Standing.FALSE,
    corrected_by="localmax.quiescent_tokens_converge_at_a_rate",
    draw=cycling_start,
)


@claim.orbit("== 0", exact_only=True)
def limit_points_differ(f: LocalmaxStep, *, share=1):
    """The limit points of each token, less the first of them."""
    phases = limit_phases(f)
    return phases - share * phases[0]
