"""Square loss, du/dt = -gamma K s and da/dt = -gamma J(s) u: false as printed, the sign is wrong.

Lemma 3.5(b), equations (9), (10) (polarization C-3.5b, E1).
"""

from claims.defects import Consequence, Defect, Kind, tex
from claims.polarization.reduced_flow_with_printed_sign import projected_velocity
from claims.polarization.setting.regression import square_model
from claims.polarization.setting.scores import aligned_values
from claims.statement import Claim, Origin, Standing
from dynamics.training.value_softmax import FullSquareFlow

claim = Claim(
    __name__,
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
    defect=Defect(
        Kind.MISPRINT,
        quotation=(
            r"$\dot u = -\gamma(\beta) \|\beta_*\|^2 s$, "
            r"$\dot a = -\gamma(\beta) [\mathrm{diag}(s) - s s^\top] u$,"
            r" where $\gamma(\beta) = 1 - \frac{\langle u, s \rangle}{\|\beta_*\|^2}$."
        ),
        context=(
            r"Gradient flow of the loss (8), $L(V, a) = \frac12 \|\beta_* - V \sigma(a)\|^2$, under Assumption 3.4:"
            r" $V(0) = 0$ and $s_0(0) > \dots > s_{p-1}(0)$; $u = V^\top \beta_*$. The proof in appendix C has "
            r"the right sign."
        ),
        wrong=r"Both right sides have the wrong sign: $-\nabla_\beta \ell = \beta_* - \beta = +\gamma \beta_*$.",
        correction=(
            r"$\dot u = \gamma(\beta) \|\beta_*\|^2 s$ and $\dot a = \gamma(\beta) [\mathrm{diag}(s) - s s^\top] "
            r"u$."
        ),
        consequences=(
            Consequence(
                "section C.1, order of scores and projections",
                survives=True,
                why="It is argued with the right sign.",
                shown_by="polarization.regression_order_is_preserved",
            ),
        ),
    ),
)

claim.identity()(projected_velocity)


@claim.by_hand(V=[[0]], a=[0], beta_star=[1])
def one_token(f: FullSquareFlow):
    """The gradient of (1 - v)^2 / 2 at v = 0."""
    dV, _ = f.velocity()
    u_dot, gamma = dV[0, 0] * f.beta_star[0], 1 - f.u[0] * f.s[0]
    yield (
        rf"Take $p = d = 1$, $\beta_* = {tex(f.beta_star[0])}$, $a = {tex(f.a[0])}$, $V = {tex(f.V[0, 0])}$. Then "
        rf"$s = 1$, $u = V$ and $L = \frac12 (1 - V)^2$."
    )
    yield rf"Gradient flow: $\dot u = \dot V = -L'(V) = 1 - V = {tex(u_dot)}$."
    yield rf"Printed: $\gamma = 1 - u = {tex(gamma)}$, so $-\gamma \|\beta_*\|^2 s = {tex(-gamma)}$."
