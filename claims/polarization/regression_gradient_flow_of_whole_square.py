"""The same flow for l = |beta - beta_*|^2: false as printed, (20) lacks the 1/2 that (21) and (22) use.

Appendix C (polarization E11). Kept as printed, and refuted; `regression_gradient_flow` has the 1/2 of (8).
"""

from claims.statement import POLARIZATION, Claim, Standing
from dynamics.value_softmax import FullSquareFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="equations (20)-(22)",
    refs=("E11",),
    printed="The gradient flow of l = |beta - beta_*|^2 is dV/dt = (beta_* - V s) s^T, da/dt = J(s) V^T (beta_* - V s).",
    system=FullSquareFlow,
    standing=Standing.FALSE,
    corrected_by="polarization.regression_gradient_flow",
)


@claim.identity()
def energy_balance(f: FullSquareFlow, *, twice_factor=2):
    """dl/dt + |dV/dt|^2 + |da/dt|^2 for l = (twice_factor / 2) |beta - beta_*|^2: zero along the gradient flow of l."""
    (dV, da), s, r = f.velocity(), f.s, f.residual()
    ds = s * (da - (s * da).sum(axis=-1, keepdims=True))
    dbeta = (dV * s[..., None, :] + f.V * ds[..., None, :]).sum(axis=-1)
    return (dV * dV).sum(axis=(-1, -2)) + (da * da).sum(axis=-1) - twice_factor * (r * dbeta).sum(axis=-1)
