"""dbeta/dt = (|s|^2 I + V J(s)^2 V^T) r.

What the display in the proof of Lemma D.2 should read (polarization C-D2, E12): beta = V s moves with V' s = |s|^2 r and
with V s' = V J(s)^2 V^T r.
"""

from claims.polarization.weights_move_by_squared_jacobian import pulled_back, times_softmax_jacobian
from claims.statement import Claim, Origin
from dynamics.differentiation import time_derivative
from dynamics.training.value_softmax import FullLinearFlow

claim = Claim(
    __name__,
    where="proof of Lemma D.2, corrected",
    refs=("C-D2", "E12"),
    statement="dbeta/dt = (|s|^2 I + V J(s)^2 V^T) r.",
    origin=Origin.OURS,
    system=FullLinearFlow,
)


@claim.identity()
def average_velocity(f: FullLinearFlow, *, times=2):
    """dbeta/dt along the flow minus |s|^2 r + V J(s)^times V^T r."""
    x = pulled_back(f)
    for _ in range(times):
        x = times_softmax_jacobian(f.s, x)
    kept = (f.s * f.s).sum(axis=-1, keepdims=True) * f.residual()
    return time_derivative(lambda g: g.beta, f) - kept - (f.V * x[..., None, :]).sum(axis=-1)
