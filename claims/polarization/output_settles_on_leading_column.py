"""The output beta = V s becomes the leading column of V: |beta - v_0| = O(1 / log t).

Section 3.1, after Theorem 3.3 (polarization C-supp). The columns move along beta_* only, v_j - v_0 by at most |beta_*|
xi with xi = (u_0 - u_0(0)) / K, and s_j <= 1 / R_j(xi) by `losing_scores_decay_quadratically`, where R_j grows like K
xi^2 / 2.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import leading_column, two_columns, zero_scores
from claims.polarization.losing_scores_decay_quadratically import least_inverse_ratio
from claims.statement import POLARIZATION, Claim
from dynamics.arithmetic import sqrt
from dynamics.value_softmax import FullClockFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 3.1, after Theorem 3.3",
    refs=("C-supp",),
    statement="beta(t) = sum_j s_j v_j becomes supported on one column: |beta - v_0| -> 0.",
    system=FullClockFlow,
    assumptions=(two_columns, zero_scores, leading_column),
)


@claim.limit("> 0", times=lambda start: (fmpq(1, 2), fmpq(2), fmpq(6)))
def distance_to_column_below_bound(states, start: FullClockFlow, *, most=1):
    """(sum_j (|v_j(0) - v_0(0)| + |beta_*| xi) / R_j(xi))^2 - |beta - v_0|^2 at tau = 1/2, 2, 6."""
    apart = start.V[:, 1:] - start.V[:, :1]
    margins = []
    for now in states:
        xi = (now.u[:1] - start.u[:1]) / now.K
        reach = sqrt((apart * apart).sum(axis=0)) + sqrt(now.K) * xi
        bound = (reach / least_inverse_ratio(now.K, start.u[:1] - start.u[1:], xi)).sum()
        off = now.beta - now.V[:, 0]
        margins.append(most * bound * bound - (off * off).sum())
    return np.stack(margins)
