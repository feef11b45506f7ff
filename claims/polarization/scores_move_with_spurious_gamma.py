"""da_i/dt = gamma s_i (u_i - gamma <s, u>): false as printed, the second gamma does not belong there.

Twice in the proof of Theorem 3.2 (polarization E4). The term is common to all i and drops out of the differences
d(e^{-a_j} - e^{-a_i})/dt that the proof uses.
"""

from claims.polarization.setting.regression import square_model
from claims.statement import POLARIZATION, Claim, Origin, Standing
from dynamics.training.value_softmax import FullLogisticFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="proof of Theorem 3.2",
    refs=("E4",),
    note=(
        "There is a factor gamma too many: for p = 1, V = 1 and beta_* = 1 the only score cannot move, and the "
        "printed right side is 0.197. Without the second gamma it is an identity, da/dt = gamma J(s) u."
    ),
    statement="da_i/dt = gamma (exp{a_i}/A) [u_i - gamma <s, u>].",
    origin=Origin.PRINTED,
    system=FullLogisticFlow,
    assumptions=(square_model,),
    standing=Standing.FALSE,
    corrected_by="polarization.aligned_losses_share_one_flow",
)


@claim.identity()
def score_velocity(f: FullLogisticFlow):
    """da/dt - gamma s (u - gamma <s, u> 1) along the gradient flow of (V, a)."""
    _, da = f.velocity()
    gamma = f.gamma[..., None]
    return da - gamma * f.s * (f.u - gamma * f.m[..., None])
