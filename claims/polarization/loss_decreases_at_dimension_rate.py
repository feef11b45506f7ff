"""dl/dt <= -|grad_beta l|^2 / d with d the dimension of beta: false where d is below the number p of scores.

Lemma D.2 with its constant as printed (polarization C-D2, E12); the paper sets p = d, which nothing else needs. V = 0 and
uniform s have dl/dt = -|grad_beta l|^2 / p.
"""

from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.value_softmax import FullLinearFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Lemma D.2, V is p x p",
    refs=("C-D2", "E12"),
    statement="dl(beta)/dt <= -(1/d) |grad_beta l|^2",
    origin=Origin.PRINTED,
    system=FullLinearFlow,
    standing=Standing.FALSE,
    corrected_by="polarization.loss_decreases_at_gradient_rate",
)


@claim.state(">= 0")
def loss_decay(f: FullLinearFlow):
    """-dl/dt - |r|^2 / d, with dl/dt = -|dV/dt|^2 - |da/dt|^2 along the gradient flow."""
    dV, da = f.velocity()
    r = f.residual()
    return (dV * dV).sum(axis=(-2, -1)) + (da * da).sum(axis=-1) - (r * r).sum(axis=-1) / r.shape[-1]
