"""dl/dt <= -|grad_beta l|^2 / p for every differentiable loss of beta = V softmax(a).

Lemma D.2 (polarization C-D2, M2(j), E12): dl/dt = -|s|^2 |r|^2 - |J(s) V^T r|^2, and |s|^2 >= 1/p for p scores. Equality
for uniform s and V^T r proportional to 1. Only r = -grad_beta l enters, and it is any vector here.
"""

from claims.polarization.weights_move_by_squared_jacobian import pulled_back, times_softmax_jacobian
from claims.statement import Claim, Origin
from dynamics.differentiation import time_derivative
from dynamics.training.value_softmax import FullLinearFlow

claim = Claim(
    __name__,
    where="appendix C.1, of Lemma D.2",
    refs=("C-D2", "M2(j)", "E12"),
    statement="From the Lemma D.2, we have that, dl(beta)/dt <= -(1/p) |grad_beta l|^2.",
    origin=Origin.PRINTED,
    system=FullLinearFlow,
)


def _squared(x):
    return (x * x).sum(axis=-1)


@claim.state(">= 0")
def loss_decay(f: FullLinearFlow, *, rate=1):
    """-dl/dt - |r|^2 / p."""
    return -time_derivative(FullLinearFlow.loss, f) - rate * _squared(f.residual()) / f.a.shape[-1]


@claim.identity()
def loss_decay_formula(f: FullLinearFlow, *, mass=1):
    """dl/dt along the flow + |s|^2 |r|^2 + |J(s) V^T r|^2."""
    moved = _squared(times_softmax_jacobian(f.s, pulled_back(f)))
    return time_derivative(FullLinearFlow.loss, f) + mass * _squared(f.s) * _squared(f.residual()) + moved
