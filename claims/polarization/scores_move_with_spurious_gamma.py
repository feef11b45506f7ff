"""The proof of Theorem 3.2 prints da_i/dt = gamma s_i (u_i - gamma <s, u>), where the second gamma does not belong.

It stands there twice (E4). The term is common to all i and drops out of the differences d(e^{-a_j} - e^{-a_i})/dt that
the proof uses.
"""

from claims.polarization.setting.regression import square_model
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Claim, Origin
from dynamics.training.value_softmax import FullLogisticFlow

claim = Claim(
    __name__,
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
    corrected_by="polarization.aligned_losses_share_one_flow",
    defect=Defect(
        Kind.MISPRINT,
        quotation=(
            r"$\frac{d a_i}{dt} = \gamma \frac{\exp\{a_i\}}{\mathcal A} [u_i - \gamma \langle s, u \rangle]$, "
            r"$\frac{d \{-\exp\{-a_i\}\}}{dt} = \frac{\gamma}{\mathcal A} [u_i - \gamma \langle s, u \rangle]$."
        ),
        context=(
            r"$\mathcal A = \sum_i \exp a_i$, $s_i = \exp\{a_i\} / \mathcal A$, $\gamma = (1 + e^{\langle s, u "
            r"\rangle})^{-1}$."
        ),
        wrong=r"The second $\gamma$ in each line is one too many.",
        correction=(
            r"$\frac{d a_i}{dt} = \gamma \frac{\exp\{a_i\}}{\mathcal A} [u_i - \langle s, u \rangle]$, and the "
            r"same in the second line."
        ),
        consequences=(
            Consequence(
                "Theorem 3.2",
                why="The term is common to all $i$ and drops out of the differences that the proof uses.",
                shown_by="polarization.order_is_preserved",
            ),
        ),
    ),
)


# p = 1 shows it: J(s) u = 0 there, and u - gamma u does not vanish.
@claim.identity()
def score_velocity(f: FullLogisticFlow):
    """da/dt - gamma s (u - gamma <s, u> 1) along the gradient flow of (V, a)."""
    _, da = f.velocity()
    gamma = f.gamma[..., None]
    return da - gamma * f.s * (f.u - gamma * f.m[..., None])


@claim.by_hand(V=[[1]], a=[0], beta_star=[1])
def a_single_score(f: FullLogisticFlow):
    """One score cannot move."""
    gamma = f.gamma.item()
    yield (
        rf"Take $p = d = 1$, $\beta_* = {tex(f.beta_star[0])}$, $a = {tex(f.a[0])}$, $V = {tex(f.V[0, 0])}$: $s = "
        rf"1$, $u = 1$, $\gamma = 1/(1 + e)$."
    )
    yield r"The softmax of one score is 1 whatever the score, so the loss does not depend on $a$: $\dot a = 0$."
    yield rf"Printed: $\gamma (u - \gamma u) = \gamma (1 - \gamma) = e/(1 + e)^2 = {tex(gamma * (1 - gamma))}$."
