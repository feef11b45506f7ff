"""Every aligned loss phi(<beta_*, beta>) moves (u, a) along one field: du/dtau = K s, da/dtau = J(s) u.

The paper derives this for two losses, and it is implicit for all (M1). The loss only sets the pace dtau = gamma dt,
gamma = -phi'(m). V moves along beta_* alone, and dl/dt = -gamma^2 (K |s|^2 + sum_i s_i^2 (u_i - m)^2). Checked for
combinations, of any signs, of six shapes of phi.
"""

import numpy as np

from claims.stating.statement import Claim
from dynamics.differentiation import gradient, time_derivative
from dynamics.training.value_softmax import FullAlignedFlow

# Combinations of six shapes of phi stand for "any loss": the formulas use nothing of phi but gamma.
claim = Claim(
    __name__,
    where="section 3, for any aligned loss",
    refs=("M1", "M2(j)", "M2(k)", "C-3/4"),
    statement="du/dt = gamma K s, da/dt = gamma J(s) u, gamma = -phi'(m); V(t) = V(0) + beta_* (u(t) - u(0))^T / K.",
    system=FullAlignedFlow,
)


# Written here and not taken from the flow: a formula that is compared with the flow must not come from it.
def _pull(f):
    """s_i (u_i - m)."""
    return f.s * (f.u - f.m[..., None])


@claim.identity()
def velocity_is_reduced(f: FullAlignedFlow, *, orientation=1):
    """-(dL/dV)^T beta_* - gamma K s and -dL/da - gamma J(s) u, from the gradient of the loss itself."""
    dV, da = -gradient(FullAlignedFlow.loss, f, "V"), -gradient(FullAlignedFlow.loss, f, "a")
    du = (dV * f.beta_star[..., :, None]).sum(axis=-2)
    pace = orientation * f.gamma[..., None]
    return np.stack([du - pace * f.K[..., None] * f.s, da - pace * _pull(f)], axis=-2)


@claim.identity()
def values_move_along_target(f: FullAlignedFlow, *, share=1):
    """K dV/dt - beta_* (du/dt)^T: every beta_perp^T V is constant."""
    dV = -gradient(FullAlignedFlow.loss, f, "V")
    du = (dV * f.beta_star[..., :, None]).sum(axis=-2)
    return f.K[..., None, None] * dV - share * f.beta_star[..., :, None] * du[..., None, :]


@claim.identity()
def loss_decay_formula(f: FullAlignedFlow, *, mass=1):
    """dl/dt + gamma^2 (K |s|^2 + sum_i s_i^2 (u_i - m)^2)."""
    s, pull = f.s, _pull(f)
    margin_rate = mass * f.K * (s * s).sum(axis=-1) + (pull * pull).sum(axis=-1)
    return time_derivative(FullAlignedFlow.loss, f) + f.gamma * f.gamma * margin_rate
