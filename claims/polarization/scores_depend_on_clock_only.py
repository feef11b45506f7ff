"""Scores and value projections are functions of the clock int gamma alone; the loss only says how far it runs.

What is exact in "controlled by int gamma" (polarization C-reg5, M1): logistic and square loss move (u, a) along one field
of tau, and s_j / s_0 falls with tau at every state ordered alike. A factor of the loss changes the speed, not the path
nor the limit.
"""

import numpy as np

from claims.assumptions import comonotone, margin_below_target, two_scores
from claims.statement import POLARIZATION, Claim
from dynamics.value_softmax import LogisticFlow, SquareLossClockFlow, SquareLossFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 3.2, the role of int gamma",
    refs=("C-reg5", "C-reg3", "M1"),
    printed="The sparsity of s is controlled by int gamma.",
    system=SquareLossFlow,
)


@claim.identity()
def both_losses_move_alike(f: SquareLossFlow, *, factor=1):
    """gamma (du/dtau, da/dtau) of the logistic loss minus (du/dt, da/dt) of the square loss, at the same state."""
    other = LogisticFlow(u=f.u, a=f.a, K=f.K, t=f.t, tau=f.tau)
    du, da, _, _ = f.velocity()
    along_u, along_a, _, _ = other.velocity()
    gamma = factor * f.gamma[..., None]
    return np.stack([gamma * along_u - du, gamma * along_a - da], axis=-2)


@claim.identity(assuming=(two_scores, comonotone, margin_below_target))
def both_clocks_agree(f: SquareLossFlow, *, factor=1):
    """The velocity in the clock tau times dtau/dt minus the velocity in t, gamma included."""
    in_tau = SquareLossClockFlow(u=f.u, a=f.a, K=f.K, t=f.t, tau=f.tau, slope=f.gamma)
    (du, da, dt, dtau), (along_u, along_a, along_t, along_tau, slowing) = f.velocity(), in_tau.velocity()
    gamma = f.gamma
    falling = -(f.ds_dtau() * f.u + f.s * f.du_dtau()).sum(axis=-1) / f.K
    differences = [gamma[..., None] * along_u - du, gamma[..., None] * along_a - da]
    scalars = [gamma * along_t - dt, gamma * along_tau - dtau, factor * slowing - falling]
    return np.stack(differences + [scalar[..., None] + 0 * f.u for scalar in scalars], axis=-2)


@claim.state("> 0", assuming=(two_scores, comonotone))
def ratios_fall_with_clock(f: SquareLossFlow):
    """d(a_0 - a_j)/dtau, at every state ordered alike in u and a."""
    da = f.da_dtau()
    return da[..., :1] - da[..., 1:]
