"""(u, K, tau) -> (c u, c^2 K, tau / c) maps solutions to solutions, with the same scores.

So |beta_*| = 1 is a restriction, not a choice of unit, once u(0) and a(0) are fixed (M3). If a learns eta times as fast
as V, then u -> eta u, K -> eta K restores the flow: only eta K matters.
"""

import numpy as np

from claims.stating.statement import Claim
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="section 3, symmetry of the flow",
    refs=("M3",),
    statement="If (u, a)(tau) solves the flow with K, then (c u, a)(c tau) solves it with c^2 K.",
    system=LogisticFlow,
)


# Made of the instance, so that no further number has to be drawn; K > 0 keeps it positive.
def _factor(f):
    """A positive number that depends on the instance; every positive number occurs."""
    return f.K * f.K + f.u[..., 0] * f.u[..., 0]


# tau -> tau / c is the third part of the law: velocities gain a factor c.
@claim.identity()
def scaled_velocity(f: LogisticFlow, *, power=2):
    """Velocity of the scaled state minus the scaled velocity c (c du/dtau), c da/dtau."""
    c = _factor(f)
    scaled = f.replace(u=c[..., None] * f.u, K=c**power * f.K)
    wide = c[..., None]
    du, da = wide * wide * f.du_dtau(), wide * f.da_dtau()
    return np.stack([scaled.du_dtau() - du, scaled.da_dtau() - da], axis=-2)


# u enters da/dtau linearly, so eta may be moved from the scores' rate into u; K follows, as u' = K s.
@claim.identity()
def learning_rate_of_scores(f: LogisticFlow, *, power=1):
    """Velocity at (eta u, eta K) minus eta du/dtau and the eta times faster eta da/dtau."""
    eta = _factor(f)
    scaled = f.replace(u=eta[..., None] * f.u, K=eta**power * f.K)
    du, da = eta[..., None] * f.du_dtau(), eta[..., None] * f.da_dtau()
    return np.stack([scaled.du_dtau() - du, scaled.da_dtau() - da], axis=-2)
