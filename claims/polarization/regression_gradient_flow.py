"""V' = (beta_* - V s) s^T and a' = J(s) V^T (beta_* - V s) is the gradient flow of |beta - beta_*|^2 / 2.

Equations (8), (21), (22) (polarization C-8). Along a gradient flow the loss falls at the squared speed; the factor 1/2
is that of (8).
"""

from claims.polarization.regression_gradient_flow_of_whole_square import energy_balance
from claims.statement import POLARIZATION, Claim
from dynamics.value_softmax import FullSquareFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="equations (8), (21), (22)",
    refs=("C-8", "E11"),
    printed="The flow of l = |beta - beta_*|^2 / 2 is dV/dt = (beta_* - V s) s^T, da/dt = J(s) V^T (beta_* - V s).",
    system=FullSquareFlow,
)


@claim.identity()
def loss_falls_at_squared_speed(f: FullSquareFlow, *, twice_factor=1):
    """dl/dt + |dV/dt|^2 + |da/dt|^2 for l = |beta - beta_*|^2 / 2."""
    return energy_balance(f, twice_factor=twice_factor)
