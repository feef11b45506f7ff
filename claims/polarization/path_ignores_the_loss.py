"""Any loss phi(<beta_*, beta>) with phi' < 0 moves u and a along the same path; the loss only sets the speed.

The loss-free form of Theorem 3.3 (polarization S2, M1, H5, C-reg5): dV/dt = g beta_* s^T and da/dt = g J(s) V^T beta_*
with g = -phi'(m), so (u, a) has the velocity g (K s, J(s) u). The system carries g itself, any positive number.
"""

import numpy as np

from claims.statement import Claim, Origin
from dynamics.training.slow_clocks import AlignedLossFlow

claim = Claim(
    __name__,
    where="Theorem 3.3, for any aligned loss",
    refs=("S2", "M1", "H5", "C-reg5"),
    statement="The path of (u, a) is the same for every loss phi(<beta_*, V s>) with phi' < 0.",
    origin=Origin.OURS,
    system=AlignedLossFlow,
)


@claim.identity()
def velocity_is_shared(f: AlignedLossFlow, *, K_factor=1):
    """(V^T beta_*)' - g K s and a' - g J(s) u, along the gradient flow of (V, a)."""
    dV, da = f.velocity()
    s, u, g = f.s, f.u, f.g[..., None]
    du = (dV * f.beta_star[..., :, None]).sum(axis=-2)
    pull = s * (u - (s * u).sum(axis=-1, keepdims=True))
    return np.concatenate([du - K_factor * g * f.K[..., None] * s, da - g * pull], axis=-1)
