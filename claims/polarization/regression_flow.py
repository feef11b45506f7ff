"""Square loss: V stays beta_* u^T / K, with du/dt = gamma K s and da/dt = gamma J(s) u, gamma = 1 - m/K.

Lemma 3.5(a) and, with the right sign, (b) (polarization C-3.5a, C-3.5b). On V = beta_* c^T the flow of V is again a
multiple of beta_* in every column, and from any start the part of V orthogonal to beta_* never grows: its rate is
-2 |V_perp s|^2. So V(0) = beta_* c^T / K, in particular V(0) = 0, keeps V = beta_* u^T / K for ever, for any d and p.
"""

from claims.polarization.reduced_flow_with_printed_sign import projected_velocity
from claims.polarization.setting.scores import aligned_values
from claims.statement import Claim, Origin
from dynamics.training.value_softmax import FullSquareFlow

claim = Claim(
    __name__,
    where="Lemma 3.5(a), and the proof of (b)",
    refs=("C-3.5a", "C-3.5b", "H7"),
    statement=(
        "V = (beta_* / |beta_*|^2) u^T ... a' = [diag(s) - s s^T] u (1 - <beta_*, beta>/|beta_*|^2) ... u' = "
        "|beta_*|^2 (1 - <beta_*, beta>/|beta_*|^2) s."
    ),
    origin=Origin.PRINTED,
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


@claim.state(">= 0", assuming=())
def off_target_values_never_grow(f: FullSquareFlow):
    """-d|V_perp|^2/dt with V_perp = V - beta_* u^T / K, at any state: a part that is zero stays zero."""
    dV, _ = f.velocity()
    off = f.V - f.beta_star[..., :, None] * f.u[..., None, :] / f.K[..., None, None]
    return -2 * (off * dV).sum(axis=(-1, -2))
