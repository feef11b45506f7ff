"""Under the loss -<p_*, log(V s)> a value matrix V = sqrt(p_*) u^T stays one, with gamma = 1/m.

An exact aligned family of the KL loss (polarization C-KL, E18): with beta_* = sqrt(p_*), beta = beta_* m / K and
r = p_* / beta = (K / m) beta_*, so du/dt = gamma K s and da/dt = gamma J(s) u with gamma = K/m, K = sum p_* = 1.
"""

import numpy as np

from claims.polarization.setting.maps import positive_model
from claims.polarization.setting.scores import aligned_values
from claims.statement import Claim, Origin
from dynamics.training.kl_loss import FullValuesKLFlow

claim = Claim(
    __name__,
    where="section 3.2, KL divergence as it is written",
    refs=("C-KL", "E18"),
    statement="V(0) = sqrt(p_*) u(0)^T > 0 stays of this form, du/dt = gamma s and da/dt = gamma J(s) u with gamma = 1/m.",
    origin=Origin.OURS,
    system=FullValuesKLFlow,
    assumptions=(positive_model, aligned_values),
)


@claim.identity()
def velocity_is_reduced(f: FullValuesKLFlow, *, power=1):
    """V' - gamma beta_* s^T and a' - gamma J(s) u, along the gradient flow of (V, a)."""
    dV, da = f.velocity()
    s, u, gamma = f.s, f.u, (f.K / f.m**power)[..., None]
    m = (s * u).sum(axis=-1, keepdims=True)
    dV_printed = gamma[..., None] * f.beta_star[..., :, None] * s[..., None, :]
    return np.concatenate([dV - dV_printed, (da - gamma * s * (u - m))[..., None, :]], axis=-2)
