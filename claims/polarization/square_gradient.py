"""The flow (21), (22) is minus the gradient of |V s - beta_*|^2 / 2, not of the loss as (20) prints it."""

from claims.polarization.setting.regression import square_model
from claims.stating.defects import Consequence, Defect, Kind, tex
from claims.stating.statement import Origin, Section
from dynamics.differentiation import gradient
from dynamics.training.value_softmax import FullSquareFlow

section = Section(__name__, origin=Origin.PRINTED, system=FullSquareFlow)

square_gradient = section.claim(
    where="section 3.2, after equation (8); equations (21), (22)",
    refs=("C-8", "C-3/4", "E11"),
    statement="dV = (beta_* - V s) s^T dt, da = [diag(s) - s s^T] V^T (beta_* - V s) dt.",
)


# `scale` is the factor of the loss that the two equations disagree about.
@square_gradient.identity()
def values_descend(f: FullSquareFlow, *, scale=1):
    """dL/dV + r s^T for `scale` times the loss (8)."""
    dV, _ = f.velocity()
    return scale * gradient(FullSquareFlow.loss, f, "V") + dV


@square_gradient.identity()
def scores_descend(f: FullSquareFlow, *, scale=1):
    """dL/da + J(s) V^T r for `scale` times the loss (8)."""
    _, da = f.velocity()
    return scale * gradient(FullSquareFlow.loss, f, "a") + da


square_gradient_without_half = section.claim(
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
    assumptions=(square_model,),
    corrected_by="polarization.square_gradient",
    defect=Defect(
        Kind.MISPRINT,
        quotation=(
            r"$\ell(\beta) = \|\beta - \beta_*\|^2$. The gradient flow dynamics for the parameters $v$ and $a$ can be "
            r"written as, $\dot V = (\beta_* - \beta) s^\top$, $\dot a = [\mathrm{diag}(s) - s s^\top] V^\top (\beta_* - "
            r"\beta)$."
        ),
        context=r"$\beta = V s$, $s = \sigma(a)$; gradient flow (11), $\dot V = -\nabla_V L$, $\dot a = -\nabla_a L$.",
        wrong=r"(20) lacks the factor $\frac12$ that (21) and (22) assume and that (8) has.",
        correction=r"$\ell(\beta) = \frac12 \|\beta - \beta_*\|^2$ in (20).",
        consequences=(
            Consequence(
                "section C.1",
                why=r"It is written for $\ell = \frac12 \|\beta - \beta_*\|^2$; its rate $\frac1p$ may even be $\frac2p$.",
                shown_by="polarization.regression_error_decays",
            ),
        ),
    ),
)


@square_gradient_without_half.identity(name="values_descend")
def values_descend_without_half(f: FullSquareFlow, *, scale=2):
    """dL/dV + r s^T for the loss |V s - beta_*|^2."""
    return values_descend(f, scale=scale)


@square_gradient_without_half.by_hand(V=[[0]], a=[0], beta_star=[1])
def one_token(f: FullSquareFlow):
    """The gradient of (v - 1)^2 at v = 0."""
    dV, _ = f.velocity()
    slope = 2 * (f.V[0, 0] * f.s[0] - f.beta_star[0])
    yield (
        rf"Take $p = d = 1$, $\beta_* = {tex(f.beta_star[0])}$, $a = {tex(f.a[0])}$, $V = {tex(f.V[0, 0])}$. Then "
        rf"$s = 1$ and (20) reads $L = (V - 1)^2$."
    )
    yield rf"Gradient flow of (20): $\dot V = -2 (V - 1) = {tex(-slope)}$."
    yield rf"(21): $\dot V = (\beta_* - \beta) s = {tex(dV[0, 0])}$."
