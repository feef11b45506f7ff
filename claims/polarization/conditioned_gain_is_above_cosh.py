"""Near uniform scores, |b - X V s|^2 multiplies every gap a_i - a_j by at least cosh |w|, X w = b: no proof is known to us.

The lower half of the law of `conditioned_gain_is_below_product` (polarization S8, O5). cosh |w| is the gain of the straight
path from 0 to w, which equal singular values take.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import gap_alone
from claims.statement import POLARIZATION, Claim, Standing
from dynamics.arithmetic import exp, sqrt
from dynamics.conditioned_regression import LinearisedGapFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 3.2, figures 3 and 12, near uniform scores",
    refs=("S8", "O5"),
    printed="The gain G of all gaps satisfies G >= cosh |w|.",
    system=LinearisedGapFlow,
    assumptions=(gap_alone,),
    standing=Standing.OPEN,
)


@claim.limit("> 0", times=lambda start: (fmpq(1, 4), fmpq(1), fmpq(3)))
def gain_is_above_cosh(states, start: LinearisedGapFlow, *, reach=1):
    """gap - cosh |x|, x = int_0^t g."""

    def gap(now):
        length = reach * sqrt((now.x * now.x).sum(axis=-1))
        return now.gap - (exp(length) + exp(-length)) / 2

    return np.stack([gap(now) for now in states])
