"""Scores and value projections are functions of the clock int gamma alone; the loss only determines how far it runs.

What is exact in "controlled by int gamma" (polarization C-reg5, M1): logistic and square loss move (u, a) along one field
of tau, and s_j / s_0 falls with tau at every state ordered alike. A factor of the loss changes the speed, not the path
nor the limit.
"""

import numpy as np

from claims.polarization.setting.regression import margin_below_target
from claims.polarization.setting.scores import comonotone, two_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import sqrt
from dynamics.training.value_softmax import FullLogisticFlow, FullSquareFlow, SquareLossClockFlow, SquareLossFlow

claim = Claim(
    __name__,
    where="section 3.2, regression",
    refs=("C-reg5", "C-reg3", "M1"),
    statement="More broadly, sparsification is controlled by the integral of the gradient magnitude",
    origin=Origin.PRINTED,
    system=SquareLossFlow,
)


def _projected(model, f):
    """gamma and (V^T beta_*)', a' along the gradient flow of (V, a), for d = 1: beta_* = sqrt(K) and V = u^T / sqrt(K)."""
    target = sqrt(f.K)[..., None]
    full = model(V=(f.u / target)[..., None, :], a=f.a, beta_star=target)
    dV, da = full.velocity()
    return full.gamma[..., None, None], np.stack([target * dV[..., 0, :], da], axis=-2)


@claim.identity()
def both_losses_move_alike(f: SquareLossFlow, *, factor=1):
    """(u', a') over gamma for the square loss minus the same for the logistic loss, times both gammas."""
    square_gamma, square = _projected(FullSquareFlow, f)
    logistic_gamma, logistic = _projected(FullLogisticFlow, f)
    return logistic_gamma * square - factor * square_gamma * logistic


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
