"""The same with simple eigenvalues, one of them 0: false, along a kernel of V nothing moves.

The slides count eigenvalues with Re lambda_j >= 0 (clusters K4.3, O2). For V = diag(1, 0) the second coordinate of
every z_i is constant, so that of different ones there are as many limits as tokens, points in the plane. Lemma T3'' of
docs/flow_limits.md gives the first coordinate.
"""

import numpy as np

from claims.assumptions import definite_key_query
from claims.clusters.setting.hypotheses_for_limits import one_resting_direction
from claims.clusters.setting.starts_with_rates import kernel_start
from claims.statement import Claim, Origin, Standing
from dynamics.arithmetic import exact
from dynamics.limits import HyperplanesEnd, hyperplanes_trap, settling_times
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="slide 'Results are still incomplete', beyond Theorem 3",
    refs=("K4.3", "O2"),
    note=(
        "With V = diag(1, 0) no second coordinate of z ever moves, and (0, 2), (1, 0), (-2, 1), (0, 0) have four "
        "different limits, subspaces of codimension 2. What holds is that there are at most three limits of the "
        "first coordinate."
    ),
    statement=(
        "If Re(lambda_j) >= 0 for k eigenvalues of V, then convergence to at most 3 parallel codimension-k subspaces? "
        "With simple eigenvalues."
    ),
    origin=Origin.OURS,
    system=RescaledFlow,
    assumptions=(one_resting_direction, definite_key_query),
    draw=kernel_start,
    standing=Standing.FALSE,
    corrected_by="clusters.tokens_converge_to_three_hyperplanes",
)


@claim.limit(">= 0", times=settling_times(hyperplanes_trap), trap=hyperplanes_trap)
def three_less_limits(end: HyperplanesEnd, start: RescaledFlow):
    """3 minus the number of different limits: of pairs of a hyperplane and a second coordinate."""
    return exact([3 - len({(int(k), row[1]) for k, row in zip(end.classes, np.asarray(start.z), strict=True)})])
