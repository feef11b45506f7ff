"""Square loss: V stays beta_* u^T / K, with du/dt = gamma K s and da/dt = gamma J(s) u, gamma = 1 - m/K.

Lemma 3.5(a) and, with the right sign, (b) (polarization C-3.5a, C-3.5b). On V = beta_* c^T the flow of V is again a
multiple of beta_* in every column, so V(0) = 0 keeps V = beta_* u^T / K for ever.
"""

from claims.assumptions import aligned_values
from claims.polarization.reduced_flow_with_printed_sign import projected_velocity
from claims.statement import POLARIZATION, Claim
from dynamics.value_softmax import FullSquareFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="Lemma 3.5(a), and (b) corrected",
    refs=("C-3.5a", "C-3.5b", "C-8"),
    printed="V(t) = beta_* u(t)^T / |beta_*|^2, du/dt = gamma |beta_*|^2 s and da/dt = gamma J(s) u.",
    system=FullSquareFlow,
    assumptions=(aligned_values,),
)


@claim.identity()
def velocity_is_reduced(f: FullSquareFlow, *, orientation=1):
    """(V^T beta_*)' - gamma K s and a' - gamma J(s) u, along the gradient flow of (V, a)."""
    return projected_velocity(f, orientation=orientation)


@claim.identity()
def values_stay_aligned(f: FullSquareFlow, *, share=1):
    """K V' - beta_* (V'^T beta_*)^T: no component of V' leaves the line of beta_*."""
    dV, _ = f.velocity()
    du = (dV * f.beta_star[..., :, None]).sum(axis=-2)
    return f.K[..., None, None] * dV - share * f.beta_star[..., :, None] * du[..., None, :]
