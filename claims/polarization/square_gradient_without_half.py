"""The flow (21), (22) is minus the gradient of |V s - beta_*|^2: false as printed in (20), by a factor of two.

Equation (20) with (21), (22) (polarization E11). Equation (8) has the factor 1/2 that they need.
"""

from claims.polarization import square_gradient
from claims.polarization.setting.regression import square_model
from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.training.value_softmax import FullSquareFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="appendix C, equation (20)",
    refs=("E11",),
    note=(
        "(20) lacks the 1/2 that (21), (22) assume: for V = 0 and beta_* = 1 the gradient of the printed loss is "
        "-2, and the printed flow has V' = 1. It is the gradient flow of |V s - beta_*|^2 / 2."
    ),
    statement=(
        "l(beta) = |beta - beta_*|^2. The gradient flow dynamics for the parameters v and a can be written as, V'"
        " = (beta_* - beta) s^T, a' = [diag(s) - s s^T] V^T (beta_* - beta)."
    ),
    origin=Origin.PRINTED,
    system=FullSquareFlow,
    assumptions=(square_model,),
    standing=Standing.FALSE,
    corrected_by="polarization.square_gradient",
)


@claim.identity()
def values_descend(f: FullSquareFlow, *, scale=2):
    """dL/dV + r s^T for the loss |V s - beta_*|^2."""
    return square_gradient.values_descend(f, scale=scale)
