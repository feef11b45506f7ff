"""For the logistic loss du/dt = gamma K s and da/dt = gamma J(s) u; equations (6), (7) print the wrong sign.

`reduced_flow_with_printed_sign`: (6), (7), (15), (16) are false as printed (E1); the derivations in appendix B have the
right sign. They are compared with the gradient flow of the full model (V, a).
"""

import numpy as np

from claims.polarization.setting.regression import square_model
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.training.value_softmax import FullLogisticFlow

section = Section(__name__, origin=Origin.PRINTED, system=FullLogisticFlow)

# square_model, since the paper has V in R^{p x p}: the smallest counterexample, p = 1, is of this kind.
reduced_flow_with_printed_sign = section.claim(
    where="equations (6), (7), (15), (16)",
    refs=("C-6/7", "E1"),
    note=(
        "The sign is wrong: for p = 1, V = 0 and beta_* = 1 the gradient flow has u' = 1/2, and the printed right side is "
        "-1/2. Without the minus signs both equations hold."
    ),
    statement="u' = -gamma(beta) |beta_*|^2 s, a' = -gamma(beta) [diag(s) - s s^T] u.",
    assumptions=(square_model,),
    corrected_by="polarization.reduced_flow",
    defect=Defect(
        Kind.MISPRINT,
        quotation=(
            r"$\dot u = -\gamma(\beta) \|\beta_*\|^2 s$, $\dot a = -\gamma(\beta) [\mathrm{diag}(s) - s s^\top] u$."
        ),
        context=(
            r"Gradient flow (2) of the loss (5), $L(V, a) = \log(1 + e^{-\langle \beta_*, V \sigma(a) \rangle})$, with"
            r" $\gamma(\beta) = (1 + e^{\langle \beta_*, \beta \rangle})^{-1}$, $u = V^\top \beta_*$, $s = \sigma(a)$."
            r" The two displays before (6) carry the same sign; appendix B, before (15), has it right."
        ),
        wrong=r"Both right sides have the wrong sign: $-\nabla_\beta \ell = +\gamma \beta_*$.",
        correction=(
            r"$\dot u = \gamma(\beta) \|\beta_*\|^2 s$ and $\dot a = \gamma(\beta) [\mathrm{diag}(s) - s s^\top] u$."
        ),
        consequences=(
            Consequence(
                "Theorems 3.2 and 3.3", why="Their proofs use the right sign.", shown_by="polarization.order_is_preserved"
            ),
        ),
    ),
)


# From V' and a' of the full model: that u and a form a system of their own is what the equations say.
@reduced_flow_with_printed_sign.identity()
def projected_velocity(f: FullLogisticFlow, *, orientation=-1):
    """(V^T beta_*)' - (orientation) gamma K s and a' - (orientation) gamma J(s) u, along the gradient flow of (V, a)."""
    dV, da = f.velocity()
    du = (dV * f.beta_star[..., :, None]).sum(axis=-2)
    s, u = f.s, f.u
    m = (s * u).sum(axis=-1, keepdims=True)
    gamma = f.gamma[..., None]
    printed = orientation * gamma * f.K[..., None] * s, orientation * gamma * s * (u - m)
    return np.stack([du - printed[0], da - printed[1]], axis=-2)


@reduced_flow_with_printed_sign.by_hand(V=[[0]], a=[0], beta_star=[1])
def one_token(f: FullLogisticFlow):
    """The gradient of log(1 + e^-v) at v = 0."""
    dV, _ = f.velocity()
    u_dot, gamma = dV[0, 0] * f.beta_star[0], f.gamma.item()
    yield (
        rf"Take $p = d = 1$, $\beta_* = {tex(f.beta_star[0])}$, $a = {tex(f.a[0])}$, $V = {tex(f.V[0, 0])}$. Then "
        rf"$s = 1$, $u = V$ and $L = \log(1 + e^{{-V}})$."
    )
    yield rf"Gradient flow: $\dot u = \dot V = -L'(V) = 1/(1 + e^V) = {tex(u_dot)}$."
    yield rf"Printed: $-\gamma \|\beta_*\|^2 s = -1/(1 + e^0) = {tex(-gamma)}$."
    yield (
        r"For $a$: take $p = 2$, $a = (0, 0)$, $u = (1, -1)$. Then $m = \langle s, u \rangle = 0$, and $m$ rises with "
        r"$a_0$, so that $L$ falls and $\dot a_0 > 0$. Printed: $\dot a_0 = -\gamma s_0 (u_0 - m) = -\tfrac{1}{4}$."
    )


reduced_flow = section.claim(
    where="appendix B, gradient flow over logistic loss",
    refs=("C-6/7", "C-3/4", "M1"),
    statement="dV/dt = gamma beta_* s^T, da/dt = gamma (diag(s) - s s^T) V^T beta_* ... du/dt = gamma s |beta_*|^2.",
)


@reduced_flow.identity()
def velocity_is_reduced(f: FullLogisticFlow, *, orientation=1):
    """(V^T beta_*)' - gamma K s and a' - gamma J(s) u, along the gradient flow of (V, a)."""
    return projected_velocity(f, orientation=orientation)
