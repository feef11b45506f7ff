"""In regression V stays beta_* u^T / K, with du/dt = gamma K s, da/dt = gamma J(s) u, gamma = 1 - m/K (Lemma 3.5).

`regression_flow`: Lemma 3.5(a) and, with the right sign, (b). On V = beta_* c^T every column of V' is a multiple of
beta_*, and from any start the part V_perp of V orthogonal to beta_* never grows: the rate of its square is -2 |V_perp
s|^2. So every start V(0) = beta_* c^T / K, in particular V(0) = 0, keeps this form, for any d and p.
"""

from claims.polarization.reduced_flow import projected_velocity
from claims.polarization.setting.regression import square_model
from claims.polarization.setting.scores import aligned_values
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.training.value_softmax import FullSquareFlow

section = Section(__name__, origin=Origin.PRINTED, system=FullSquareFlow)

regression_flow = section.claim(
    where="Lemma 3.5(a); proof of Lemma 3.5(b)",
    refs=("C-3.5a", "C-3.5b", "H7"),
    statement=(
        "V = (beta_* / |beta_*|^2) u^T ... a' = [diag(s) - s s^T] u (1 - <beta_*, beta>/|beta_*|^2) ... u' = "
        "|beta_*|^2 (1 - <beta_*, beta>/|beta_*|^2) s."
    ),
    assumptions=(aligned_values,),
)


@regression_flow.identity()
def velocity_is_reduced(f: FullSquareFlow, *, orientation=1):
    """(V^T beta_*)' - gamma K s and a' - gamma J(s) u, along the gradient flow of (V, a)."""
    return projected_velocity(f, orientation=orientation)


# On V = beta_* c^T the residual lies along beta_*, so V' = r s^T does.
@regression_flow.identity()
def values_stay_aligned(f: FullSquareFlow, *, share=1):
    """K V' - beta_* (V'^T beta_*)^T: no component of V' leaves the line of beta_*."""
    dV, _ = f.velocity()
    du = (dV * f.beta_star[..., :, None]).sum(axis=-2)
    return f.K[..., None, None] * dV - share * f.beta_star[..., :, None] * du[..., None, :]


# r has the part -V_perp s off beta_*: the rate is -2 |V_perp s|^2, and zero data stay zero.
@regression_flow.state(">= 0", assuming=())
def off_target_values_never_grow(f: FullSquareFlow):
    """-d|V_perp|^2/dt with V_perp = V - beta_* u^T / K, at any state: a part that is zero stays zero."""
    dV, _ = f.velocity()
    off = f.V - f.beta_star[..., :, None] * f.u[..., None, :] / f.K[..., None, None]
    return -2 * (off * dV).sum(axis=(-1, -2))


regression_flow_with_printed_sign = section.claim(
    where="Lemma 3.5(b), equations (9), (10)",
    refs=("C-3.5b", "E1"),
    note=(
        "The sign is wrong: for V = 0 and beta_* = 1 the gradient flow has u' = 1, and the printed right side is "
        "-1. Without the minus signs both equations hold."
    ),
    statement=(
        "u' = -gamma(beta) |beta_*|^2 s, a' = -gamma(beta) [diag(s) - s s^T] u, where gamma(beta) = 1 - <u, s>/|beta_*|^2."
    ),
    assumptions=(square_model, aligned_values),
    corrected_by="polarization.regression_flow",
    defect=Defect(
        Kind.MISPRINT,
        quotation=(
            r"$\dot u = -\gamma(\beta) \|\beta_*\|^2 s$, $\dot a = -\gamma(\beta) [\mathrm{diag}(s) - s s^\top] u$, where "
            r"$\gamma(\beta) = 1 - \frac{\langle u, s \rangle}{\|\beta_*\|^2}$."
        ),
        context=(
            r"Gradient flow of the loss (8), $L(V, a) = \frac12 \|\beta_* - V \sigma(a)\|^2$, under Assumption 3.4: "
            r"$V(0) = 0$ and $s_0(0) > \dots > s_{p-1}(0)$; $V = \frac{\beta_*}{\|\beta_*\|^2} u^\top$ as in (a). The "
            r"proof in appendix C has the right sign."
        ),
        wrong=r"Both right sides have the wrong sign: $-\nabla_\beta \ell = \beta_* - \beta = +\gamma \beta_*$.",
        correction=(
            r"$\dot u = \gamma(\beta) \|\beta_*\|^2 s$ and $\dot a = \gamma(\beta) [\mathrm{diag}(s) - s s^\top] u$."
        ),
        consequences=(
            Consequence(
                "section C.1, order of scores and projections",
                why="It is argued with the right sign.",
                shown_by="polarization.regression_order_is_preserved",
            ),
        ),
    ),
)

regression_flow_with_printed_sign.identity()(projected_velocity)


@regression_flow_with_printed_sign.by_hand(V=[[0]], a=[0], beta_star=[1])
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
