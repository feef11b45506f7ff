"""The truncated energy sum_{i, j} min(|z_i - z_j|_A^2, 2 delta) falls along localmax: false.

localmax LY-4: the Lyapunov function of Hegselmann and Krause fails where attention is one-sided. The tokens
4, 1, 0 with delta = 1 gain 2, and -6, -1, 0 with delta = 3 gain 80/9.
"""

from claims.localmax.equal_norms_make_hegselmann_krause import truncated_energy
from claims.localmax.setting.configurations import one_sided_or_any
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.statement import Claim, Origin, Standing
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LY-4",),
    note=(
        "Attention is one-sided: of 4, 1, 0 with delta = 1 and gamma = 1/2 the second leaves the third behind, "
        "and V grows from 10 to 12. For tokens of equal norms gap_i(z_j) = |z_i - z_j|_A^2 / 2, and the step is "
        "that of Hegselmann and Krause, whose energy this is."
    ),
    statement="V(z') <= V(z) for V(z) = sum_{i, j} min(|z_i - z_j|_A^2, 2 delta).",
    origin=Origin.CARRIED_OVER,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size, positive_sensitivity),
    standing=Standing.FALSE,
    corrected_by="localmax.equal_norms_make_hegselmann_krause",
    draw=one_sided_or_any,
)


@claim.step(">= 0")
def truncated_energy_falls(f: LocalmaxStep):
    """V(z) - V(z')."""
    return truncated_energy(f) - truncated_energy(f.step())
