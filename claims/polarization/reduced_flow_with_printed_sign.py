"""du/dt = -gamma K s and da/dt = -gamma J(s) u: false as printed, the sign is wrong.

Equations (6), (7), (15), (16) (polarization C-6/7, E1), logistic loss; the derivations in the paper's appendix B have
the right sign. The gradient flow of the full model (V, a) is the judge.
"""

import numpy as np

from claims.polarization.setting.regression import square_model
from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.training.value_softmax import FullLogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="equations (6), (7), (15), (16)",
    refs=("C-6/7", "E1"),
    note=(
        "The sign is wrong: for p = 1, V = 1 and beta_* = 1 the gradient flow has u' = 0.269, and the printed "
        "right side is -0.269. Without the minus signs both equations hold."
    ),
    statement="u' = -gamma(beta) |beta_*|^2 s, a' = -gamma(beta) [diag(s) - s s^T] u.",
    origin=Origin.PRINTED,
    system=FullLogisticFlow,
    assumptions=(square_model,),
    standing=Standing.FALSE,
    corrected_by="polarization.reduced_flow",
)


@claim.identity()
def projected_velocity(f: FullLogisticFlow, *, orientation=-1):
    """(V^T beta_*)' - (orientation) gamma K s and a' - (orientation) gamma J(s) u, along the gradient flow of (V, a)."""
    dV, da = f.velocity()
    du = (dV * f.beta_star[..., :, None]).sum(axis=-2)
    s, u = f.s, f.u
    m = (s * u).sum(axis=-1, keepdims=True)
    gamma = f.gamma[..., None]
    printed = orientation * gamma * f.K[..., None] * s, orientation * gamma * s * (u - m)
    return np.stack([du - printed[0], da - printed[1]], axis=-2)
