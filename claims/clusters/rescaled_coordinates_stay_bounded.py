"""With real eigenvalues >= 0 and an eigenbasis, every rescaled coordinate stays within its initial range.

Clusters Q2 (`c:bounded`), any Q, K. Neither hypothesis can go: a negative eigenvalue makes tokens part, and a Jordan block
of eigenvalue 0 lets them run away, z_i = z_i(0) + t (mean - u_i) e_1 under uniform attention.
"""

import numpy as np

from claims.clusters.setting import diagonal_value, nonnegative_rates
from claims.statement import Claim, Origin
from dynamics.arithmetic import indicator, peak, transposed
from dynamics.tokens.self_attention import RescaledFlow

claim = Claim(
    __name__,
    where="Corollary c:bounded",
    refs=("Q2",),
    statement="If V is diagonalizable with eigenvalues >= 0 then |phi_k(z_i(t))| <= max_j |phi_k(z_j(0))| for every k.",
    origin=Origin.REPORTED,
    system=RescaledFlow,
    assumptions=(diagonal_value, nonnegative_rates),
)


@claim.state(">= 0")
def sizes_fall(f: RescaledFlow, *, room=2):
    """room lambda_k |z_ik| (max_j |z_jk| - |z_ik|) - z_ik z_ik', shape (..., d, n): no largest size grows."""
    coordinates = transposed(f.z)
    rates = f.rates(indicator(np.eye(f.V.shape[-1], dtype=bool), f.V))
    length = abs(coordinates)
    pace = f.V.diagonal(axis1=-2, axis2=-1)[..., None]
    return room * pace * length * (peak(length) - length) - coordinates * rates
