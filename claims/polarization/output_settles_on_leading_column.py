"""The output beta = V s tends to the leading column of V: |beta - v_0| = O(1 / log t).

The columns move along beta_* only, v_j - v_0 by at most |beta_*| xi with xi = (u_0 - u_0(0)) / K, and s_j <= 1 /
R_j(xi) by `losing_scores_decay_quadratically`, where R_j grows like K xi^2 / 2.
"""

import numpy as np

from claims.polarization.losing_scores_decay_quadratically import least_inverse_ratio
from claims.polarization.setting.scores import leading_column, two_columns, zero_scores
from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import sqrt
from dynamics.training.value_softmax import FullClockFlow


def near_or_far_columns(draws):
    """Two rows and up to three columns, up to 64 apart, or nearer, or along the target; the first leads by 1/4 or more.

    A lead near zero, where the logarithms of the bound cancel, costs minutes and stays undecided.
    """
    V, target = draws.dyadic(2, draws.integer(2, 3)), draws.dyadic(2, size=2)
    target[..., 0] = abs(target[..., 0]) + 1
    V[..., 0, 0] = V[..., 0, 0] + 1  # otherwise nearly every lead is the smallest possible
    kind = draws.choice(("near columns", "far columns", "one far column", "along the target"))
    if kind == "far columns":
        V = V * 16
    elif kind == "one far column":
        V[..., 1] = V[..., 1] - 16 * target
    elif kind == "along the target":
        V = target[..., :, None] * V[..., :1, :] / 64
    u = (V * target[..., :, None]).sum(axis=-2)
    missing = np.maximum(4 * (u[..., 1:].max(axis=-1) - u[..., 0]) + 1, 0)
    V[..., 0] = V[..., 0] + target * (missing / (4 * (target * target).sum(axis=-1)))[..., None]
    return FullClockFlow(V=V, a=draws.dyadic(V.shape[-1]), beta_star=target, tau=draws.dyadic())


# zero_scores, for R_j starts at 1. The draw has any a, for statements of this start that assume nothing of a.
claim = Claim(
    __name__,
    where="section 3.1, after Theorem 3.3",
    refs=("C-supp",),
    statement="Thus, in the limit, beta(t) becomes supported on a single column of V(t)",
    origin=Origin.PRINTED,
    system=FullClockFlow,
    assumptions=(two_columns, zero_scores, leading_column),
    draw=near_or_far_columns,
)


# beta - v_0 = sum_j s_j (v_j - v_0), where s_j <= q_j <= 1 / R_j(xi) and v_j - v_0 moves by at most |beta_*| xi.
@claim.rate("> 0", horizon=lambda start: 2)
def distance_to_column_below_bound(now: FullClockFlow, start: FullClockFlow, *, most=1):
    """(sum_j (|v_j(0) - v_0(0)| + |beta_*| xi) / R_j(xi))^2 - |beta - v_0|^2, at every time: the bound is O(1 / log t)."""
    apart = start.V[:, 1:] - start.V[:, :1]
    xi = (now.u[:1] - start.u[:1]) / now.K
    reach = sqrt((apart * apart).sum(axis=0)) + sqrt(now.K) * xi
    bound = (reach / least_inverse_ratio(now.K, start.u[:1] - start.u[1:], xi)).sum(axis=-1)
    off = now.beta - now.V[:, 0]
    return most * bound * bound - (off * off).sum(axis=-1)
