"""du/dt = gamma K s and da/dt = gamma J(s) u: the flow of the value projections and the scores, logistic loss.

Equations (6), (7) with the right sign (polarization C-3/4, C-6/7, M1), compared with the gradient flow of (V, a).
"""

from claims.polarization.reduced_flow_with_printed_sign import projected_velocity
from claims.statement import POLARIZATION, Claim
from dynamics.value_softmax import FullLogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="equations (6), (7), corrected",
    refs=("C-6/7", "C-3/4", "M1"),
    statement="du/dt = gamma |beta_*|^2 s and da/dt = gamma J(s) u.",
    system=FullLogisticFlow,
)


@claim.identity()
def velocity_is_reduced(f: FullLogisticFlow, *, orientation=1):
    """(V^T beta_*)' - gamma K s and a' - gamma J(s) u, along the gradient flow of (V, a)."""
    return projected_velocity(f, orientation=orientation)
