"""ds/dt = J(s)^2 V^T r: the square is essential.

Appendices B and D.2 (polarization C-ds): da/dt = J(s) V^T r and ds/da = J(s). One differentiable loss is as good as another
at a state, so r is the given vector.
"""

from claims.statement import Claim, Origin
from dynamics.differentiation import time_derivative
from dynamics.training.value_softmax import FullLinearFlow

claim = Claim(
    __name__,
    where="appendix B; proof of Lemma D.2",
    refs=("C-ds",),
    statement="ds/dt = (diag(s) - s s^T)^2 V^T r.",
    origin=Origin.PRINTED,
    system=FullLinearFlow,
)


def times_softmax_jacobian(s, x):
    """J(s) x."""
    return s * (x - (s * x).sum(axis=-1, keepdims=True))


def pulled_back(f):
    """V^T r."""
    return (f.V * f.residual()[..., :, None]).sum(axis=-2)


@claim.identity()
def weight_velocity(f: FullLinearFlow, *, times=2):
    """ds/dt along the flow minus J(s) applied `times` times to V^T r."""
    x = pulled_back(f)
    for _ in range(times):
        x = times_softmax_jacobian(f.s, x)
    return time_derivative(lambda g: g.s, f) - x
