"""dl/dt <= -|grad_beta l|^2 / d with d the dimension of beta, which is the number p of scores.

Lemma D.2 in its letters (polarization C-D2, E12). It needs p = d: V = 0 and uniform s have dl/dt = -|grad_beta l|^2 / p for
any d, which `loss_decreases_at_gradient_rate` has for every d and p.
"""

from claims.polarization.setting.regression import square_model
from claims.statement import Claim, Origin
from dynamics.training.value_softmax import FullLinearFlow

claim = Claim(
    __name__,
    where="Lemma D.2, V is p x p",
    refs=("C-D2", "E12"),
    statement="dl(beta)/dt <= -(1/d) |grad_beta l|^2",
    origin=Origin.PRINTED,
    system=FullLinearFlow,
    assumptions=(square_model,),
)


@claim.state(">= 0")
def loss_decay(f: FullLinearFlow, *, rate=1):
    """-dl/dt - |r|^2 / d, with dl/dt = -|dV/dt|^2 - |da/dt|^2 along the gradient flow."""
    dV, da = f.velocity()
    r = f.residual()
    return (dV * dV).sum(axis=(-2, -1)) + (da * da).sum(axis=-1) - rate * (r * r).sum(axis=-1) / r.shape[-1]
