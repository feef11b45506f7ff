"""The sum of squared distances sum_{i, j} |z_i - z_j|^2 falls along hardmax and localmax: false.

localmax LY-4. The tokens in the middle move to the ends: of -1, 1, 2 the second attends to
the third, and it grows by 3, already at delta = 0.
"""

from claims.localmax.setting.configurations import one_sided_or_any
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size
from claims.statement import Claim, Origin, Standing
from dynamics.geometry import squared_distances
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("LY-4",),
    note=(
        "Of -1, 1, 2 with gamma = 1/2 the second attends to the third and leaves the first behind: the sum grows "
        "from 28 to 31 in a step. Where neighbours are mutual, the sum over the pairs that are neighbours before "
        "the step falls."
    ),
    statement="sum_{i, j} |z_i - z_j|^2 never grows.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, open_step_size),
    standing=Standing.FALSE,
    corrected_by="localmax.energy_falls_along_its_graph",
    draw=one_sided_or_any,
)


@claim.step(">= 0")
def plain_energy_falls(f: LocalmaxStep):
    """sum_{i, j} |z_i - z_j|^2 before minus after the step."""
    before, after = (squared_distances(g.z, g.z).sum(axis=(-2, -1)) for g in (f, f.step()))
    return before - after
