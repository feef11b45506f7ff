"""If neighbours are mutual, we expect that the sum of all gaps, each cut off at delta, falls; it is open.

By LM-5 2 gap_i(z_j) is |z_i - z_j|_A^2 less a bonus for longer tokens; with squared distances alone the claim is false
(LY-4). There is no counterexample in 10^5 lattice starts of up to five tokens, and local search stops at tokens that
rest. It would follow from the sum over the present neighbours; there h(z_i') <= (1 - gamma) h(z_i) + gamma h(c_i) is
not enough, and a shrinking hull is needed as well (OQ-9).
"""

import numpy as np

from claims.localmax.setting.configurations import mutual_neighbours, with_mutual_neighbours
from claims.localmax.setting.hypotheses import additive_rule, definite_matrix, open_step_size, positive_sensitivity
from claims.stating.statement import Claim, Standing
from dynamics.arithmetic import Array, at_most, numbers
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("OQ-9", "LM-5"),
    statement="If j in C_i <=> i in C_j then V(z') <= V(z) for V(z) = sum_{i, j} min(gap_i(z_j), delta).",
    system=LocalmaxStep,
    assumptions=(additive_rule, definite_matrix, positive_sensitivity, mutual_neighbours, open_step_size),
    standing=Standing.OPEN,
    draw=with_mutual_neighbours,
)


# Cut off at delta, where squared distances are cut off at 2 delta: on a sphere a gap is half of one.
def truncated_gaps(f: LocalmaxStep) -> Array:
    """V(z), shape (...)."""
    gaps, delta = f.gaps(), f.delta[..., None, None]
    return numbers(np.where(at_most(gaps, delta), gaps, delta).sum(axis=(-2, -1)))


@claim.step(">= 0")
def truncated_gaps_fall(f: LocalmaxStep, *, share=1):
    """V(z) - V(z')."""
    return truncated_gaps(f) - share * truncated_gaps(f.step())
