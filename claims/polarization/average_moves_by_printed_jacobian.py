"""dbeta/dt = (|s|^2 I + V J(s) V^T) r: false as printed, the Jacobian of softmax enters squared.

Proof of Lemma D.2 (polarization E12). Both matrices are positive semidefinite, so the lemma is unharmed.
"""

from claims.polarization import average_moves_by_squared_jacobian
from claims.polarization.setting.regression import square_model
from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.training.value_softmax import FullLinearFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="proof of Lemma D.2",
    refs=("C-D2", "E12"),
    note=(
        "J(s) stands where J(s)^2 belongs: at V = [[1, 0], [0, 0]], a = 0 and beta_* = (1, 0) the first entry of "
        "dbeta/dt is less than the printed one by 1/8. With V J(s)^2 V^T it is an identity, and the lemma is "
        "unharmed."
    ),
    statement="dbeta/dt = [|s|^2 I + V (diag(s) - s s^T) V^T] r.",
    origin=Origin.PRINTED,
    system=FullLinearFlow,
    assumptions=(square_model,),
    standing=Standing.FALSE,
    corrected_by="polarization.average_moves_by_squared_jacobian",
)


@claim.identity()
def average_velocity(f: FullLinearFlow, *, times=1):
    """dbeta/dt along the flow minus |s|^2 r + V J(s) V^T r."""
    return average_moves_by_squared_jacobian.average_velocity(f, times=times)
