"""For two scores, or p - 1 tied losers, the flow has a conserved energy, and for two scores the basins are known.

Not in the paper (polarization S6, H1). With w = u_0 - u_1 and b = a_0 - a_1,

    w^2/2 - (K/p) (e^b + (p - 2) b + (p - 1) e^{-b})

is constant; for p = 2 it is w^2/2 - K cosh b. There Z = w + 2 sqrt(K) sinh(b/2) satisfies Z' = sqrt(K) Z / (2
cosh(b/2)), and w - 2 sqrt(K) sinh(b/2) decays by the same factor: s -> e_0 where Z(0) > 0 and s -> e_1 where Z(0) < 0.
So some hypothesis on a(0) is needed in Theorem 3.3: from a(0) = (-1, 1), K = 1, index 0 wins only if u_0(0) - u_1(0) >
2 sinh 1.
"""

import numpy as np

from claims.polarization.setting.scores import tied_losers, two_scores, two_scores_only
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, sqrt
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="beside Theorem 3.3",
    refs=("S6", "H1"),
    statement="For p = 2, s -> e_0 if and only if u_0 - u_1 + 2 |beta_*| sinh((a_0 - a_1)/2) > 0 at the start.",
    origin=Origin.OURS,
    system=LogisticFlow,
    assumptions=(two_scores, tied_losers),
)


def _pair(values):
    return values[..., 0] - values[..., 1]


@claim.identity()
def energy_is_conserved(f: LogisticFlow, *, K_factor=1):
    """d/dtau of the energy: w w' - (K/p)(e^b + p - 2 - (p - 1) e^{-b}) b'."""
    p, b = f.a.shape[-1], _pair(f.a)
    force = exp(b) + (p - 2) - (p - 1) * exp(-b)
    return _pair(f.u) * _pair(f.du_dtau()) - K_factor * f.K / p * force * _pair(f.da_dtau())


def basin(f):
    """w + 2 sqrt(K) sinh(b/2) and w - 2 sqrt(K) sinh(b/2), shape (..., 2)."""
    half = _pair(f.a) / 2
    arm = sqrt(f.K) * (exp(half) - exp(-half))
    return np.stack([_pair(f.u) + arm, _pair(f.u) - arm], axis=-1)


@claim.identity(assuming=(two_scores_only,))
def basin_coordinates_grow_and_decay(f: LogisticFlow, *, speed=1):
    """2 cosh(b/2) Z' -+ sqrt(K) Z for Z = w +- 2 sqrt(K) sinh(b/2)."""
    half = _pair(f.a) / 2
    double_cosh, root = exp(half) + exp(-half), sqrt(f.K)
    arm = root * double_cosh / 2 * _pair(f.da_dtau())
    dZ = np.stack([_pair(f.du_dtau()) + arm, _pair(f.du_dtau()) - arm], axis=-1)
    Z = basin(f)
    return double_cosh[..., None] * dZ - speed * root[..., None] * np.stack([Z[..., 0], -Z[..., 1]], axis=-1)
