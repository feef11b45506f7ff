"""FALSE for delta > 0: the sum of the squared A-norms need not grow.

localmax LY-6, the Lyapunov function of hardmax carried over. Tokens 1, 1/2 that attend to one another tend to 3/4.
"""

from claims.localmax.setting.hypotheses import definite_matrix, gaps_below_sensitivity, open_step_size, positive_sensitivity
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="the Lyapunov function of hardmax carried over",
    refs=("LY-6",),
    note=(
        "Of 0 and 1 with delta = 2 and gamma = 1/2 both attend to both and step to 1/4 and 3/4: the sum of "
        "squares falls from 1 to 5/8. What is true is that no |z_i|_A^2 falls by more than 2 gamma delta in a "
        "step."
    ),
    statement="The sum of r_i = |z_i|_A^2 never falls.",
    origin=Origin.CARRIED_OVER,
    system=LocalmaxStep,
    assumptions=(definite_matrix, gaps_below_sensitivity, open_step_size, positive_sensitivity),
    standing=Standing.FALSE,
    corrected_by="localmax.norms_fall_by_sensitivity_at_most",
)


@claim.step(">= 0")
def gain_of_the_sum(f: LocalmaxStep):
    """sum_i r_i' - r_i."""
    return (f.step().squared_norms() - f.squared_norms()).sum(axis=-1)
