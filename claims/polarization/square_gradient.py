"""dV/dt = (beta_* - V s) s^T and da/dt = J(s) V^T (beta_* - V s): minus the gradient of |V s - beta_*|^2 / 2.

Equation (8) and (21), (22) (polarization C-8, C-3/4, E11). Equation (20) omits the factor 1/2, which these gradients need.
"""

from claims.statement import Claim, Origin
from dynamics.differentiation import gradient
from dynamics.training.value_softmax import FullSquareFlow

claim = Claim(
    __name__,
    where="section 3.2, after equation (8); (21), (22)",
    refs=("C-8", "C-3/4", "E11"),
    statement="dV = (beta_* - V s) s^T dt, da = [diag(s) - s s^T] V^T (beta_* - V s) dt.",
    origin=Origin.PRINTED,
    system=FullSquareFlow,
)


@claim.identity()
def values_descend(f: FullSquareFlow, *, scale=1):
    """dL/dV + r s^T for `scale` times the loss (8)."""
    dV, _ = f.velocity()
    return scale * gradient(FullSquareFlow.loss, f, "V") + dV


@claim.identity()
def scores_descend(f: FullSquareFlow, *, scale=1):
    """dL/da + J(s) V^T r for `scale` times the loss (8)."""
    _, da = f.velocity()
    return scale * gradient(FullSquareFlow.loss, f, "a") + da
