"""Square loss, du/dt = -gamma K s and da/dt = -gamma J(s) u: false as printed, the sign is wrong.

Lemma 3.5(b), equations (9), (10) (polarization C-3.5b, E1).
"""

from claims.polarization.reduced_flow_with_printed_sign import projected_velocity
from claims.polarization.setting.regression import square_model
from claims.polarization.setting.scores import aligned_values
from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.training.value_softmax import FullSquareFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Lemma 3.5(b), equations (9), (10)",
    refs=("C-3.5b", "E1"),
    note=(
        "The sign is wrong: for V = 0 and beta_* = 1 the gradient flow has u' = 1, and the printed right side is "
        "-1. Without the minus signs both equations hold."
    ),
    statement=(
        "u' = -gamma(beta) |beta_*|^2 s, a' = -gamma(beta) [diag(s) - s s^T] u, where gamma(beta) = 1 - <u, s>/|beta_*|^2."
    ),
    origin=Origin.PRINTED,
    system=FullSquareFlow,
    assumptions=(square_model, aligned_values),
    standing=Standing.FALSE,
    corrected_by="polarization.regression_flow",
)

claim.identity()(projected_velocity)
