"""The gradient flow of the logistic loss is dV/dt = r s^T and da/dt = J(s) V^T r with r = gamma beta_*.

Equations (1), (3), (4), (5), (12)-(14) and appendix A. The loss itself is differentiated here, in every entry of V and
a, and the formulas are compared with it.
"""

import numpy as np

from claims.stating.statement import Claim, Origin
from dynamics.differentiation import gradient
from dynamics.training.value_softmax import FullLogisticFlow

claim = Claim(
    __name__,
    where="equations (3), (4), (5), (12)-(14), appendix A",
    refs=("C-2b", "C-3/4", "C-5", "C-A"),
    statement="grad_V L(V, a) = -r s^T, grad_a L(V, a) = -(diag(s) - s s^T) V^T r ... dL/dV = -s^T (x) r^T.",
    origin=Origin.PRINTED,
    system=FullLogisticFlow,
)


# The residual is written out from beta_* and gamma here, so that equation (3) does not rest on the flow's own.
@claim.identity()
def values_descend(f: FullLogisticFlow, *, outer=1):
    """dL/dV + r s^T, entry by entry."""
    r = f.gamma[..., None] * f.beta_star
    return gradient(FullLogisticFlow.loss, f, "V") + outer * r[..., :, None] * f.s[..., None, :]


@claim.identity()
def scores_descend(f: FullLogisticFlow, *, orientation=1):
    """dL/da + J(s) V^T r."""
    _, da = f.velocity()
    return gradient(FullLogisticFlow.loss, f, "a") + orientation * da


# The order of entries is the point of appendix A: columns of V one after the other, the Kronecker product the same way.
@claim.identity()
def gradient_as_a_row(f: FullLogisticFlow, *, sign=-1):
    """dL/dvec(V), the columns of V one after the other, minus the row -s^T (x) r^T."""
    dV = gradient(FullLogisticFlow.loss, f, "V")
    r, s = f.residual(), f.s
    kronecker = s[..., :, None] * r[..., None, :]
    row = np.asarray(dV.swapaxes(-1, -2)).reshape(*s.shape[:-1], -1)
    return row - sign * np.asarray(kronecker).reshape(row.shape)
