"""du/dt = gamma K s and da/dt = gamma J(s) u: the flow of the value projections and the scores, logistic loss.

Equations (6), (7) with the right sign (polarization C-3/4, C-6/7, M1), compared with the gradient flow of (V, a).
"""

from claims.polarization.reduced_flow_with_printed_sign import projected_velocity
from claims.statement import Claim, Origin
from dynamics.training.value_softmax import FullLogisticFlow

claim = Claim(
    __name__,
    where="appendix B, gradient flow over logistic loss",
    refs=("C-6/7", "C-3/4", "M1"),
    statement="dV/dt = gamma beta_* s^T, da/dt = gamma (diag(s) - s s^T) V^T beta_* ... du/dt = gamma s |beta_*|^2.",
    origin=Origin.PRINTED,
    system=FullLogisticFlow,
)


@claim.identity()
def velocity_is_reduced(f: FullLogisticFlow, *, orientation=1):
    """(V^T beta_*)' - gamma K s and a' - gamma J(s) u, along the gradient flow of (V, a)."""
    return projected_velocity(f, orientation=orientation)
