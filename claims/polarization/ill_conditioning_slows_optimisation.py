"""A larger condition number makes the loss fall more slowly: false, polarisation speeds the end up.

Caption of figure 12 (polarization C-reg6, E15). The loss falls at a rate proportional to |s|^2, which polarisation
raises from 1/p towards 1: in the authors' runs kappa = 2, which polarises least of kappa = 2..5, is the slowest in
the end. Certified for kappa = 1 and 17/16 in the plane. What is true is `ill_conditioning_slows_the_start`.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import conditioned_in_order, same_singular_vectors, same_start
from claims.statement import POLARIZATION, Claim, Standing
from dynamics.conditioned_regression import ConditionedRegressionFlow


def _mildly_conditioned(draws):
    """kappa = 1 and 17/16 (or 2), b along the small singular value, scores near uniform."""
    far = draws.choice(("far target", "near target", "scattered target"))
    p, size, least, b = {
        "far target": (4, fmpq(1, 512), fmpq(16, 17), 8),
        "near target": (2, fmpq(1, 8), fmpq(1, 2), 1),
        "scattered target": (2, fmpq(1, 8), fmpq(1, 2), draws.integer(1, 2)),
    }[far]
    scores = [size * (p - 1 - k) / (p - 1) for k in range(p)]
    return ConditionedRegressionFlow.instance(
        V=[[[0] * p] * 2] * 2, a=[scores] * 2, X=[[1, 1], [1, least]], b=[[0, b]] * 2, weight=[1, 1]
    )


claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="figure 12, caption",
    refs=("C-reg6", "E15"),
    printed="Higher kappa leads to slower optimisation.",
    system=ConditionedRegressionFlow,
    assumptions=(same_start, conditioned_in_order, same_singular_vectors),
    standing=Standing.FALSE,
    corrected_by="polarization.ill_conditioning_slows_the_start",
    draw=_mildly_conditioned,
)


@claim.limit(">= 0", times=lambda start: (fmpq(1), fmpq(15, 2)) if abs(start.b[0, 1]) >= 8 else (fmpq(1), fmpq(2)))
def worse_conditioned_copy_is_slower(states, start: ConditionedRegressionFlow):
    """Loss of the last copy minus loss of the first."""
    return np.stack([now.loss()[-1] - now.loss()[0] for now in states])
