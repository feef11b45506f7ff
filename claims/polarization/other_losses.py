"""For other aligned losses Theorem 3.3 holds along the same path, at another speed.

`loss_sets_the_speed`: For -phi'(m) = m^{-(k+1)} (the linear loss is k = -1), t = int m^{k+1} dtau, where m - K tau
converges, and q_j tau^2 -> 2 / (p K). So K tau ~ (K (k+2) t)^{1/(k+2)}: such losses make scores one-hot as fast as a
power of t, against 1/log^2 t for the logistic loss. It needs k >= -1, that is t' = m^{k+1} does not fall; for k <= -2
there is no such power of t. The limits follow once index 0 leads (docs/limits_of_training.md).

`path_ignores_the_loss`: dV/dt = g beta_* s^T and da/dt = g J(s) V^T beta_* with g = -phi'(m), so (u, a) has the
velocity g (K s, J(s) u). The system carries g itself, any positive number.
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.clocks import leading_index, loss_not_too_steep, positive_margin
from claims.stating.statement import Section
from dynamics.limits.traps import Approach, approach_trap
from dynamics.training.slow_clocks import AlignedLossFlow, SlowPowerFlow

section = Section(__name__)

# positive_margin: m^{k+1} has to be real and not zero from the start on.
loss_sets_the_speed = section.claim(
    where="Theorem 3.3, rates for other losses",
    refs=("S2", "H5", "C-reg5"),
    statement="s_j ~ (2K/p) (K (k+2) t)^{-2/(k+2)} for phi' ~ -m^{-(k+1)}; 2 / (p K t^2) for the linear loss.",
    system=SlowPowerFlow,
    assumptions=(leading_index, positive_margin, loss_not_too_steep),
)


def _times(start):
    return fmpq(1, 4), 1, 3


# s_j ~ q_j, as s_0 -> 1: the two limits that the trap gives, of q_j tau^2 and of tau over a power of t, are combined.
@loss_sets_the_speed.limit("== 0", times=_times, trap=approach_trap)
def scores_tend_to_rate(limit: Approach, start: SlowPowerFlow, *, constant=2):
    """p / K times the limit of s_j (K (k+2) t)^{2/(k+2)}, minus 2."""
    return start.p * start.K * limit.ratio / limit.power_clock**2 - constant


@loss_sets_the_speed.limit("== 0", times=_times, trap=approach_trap)
def clock_is_power_of_time(limit: Approach, start: SlowPowerFlow, *, share=1):
    """The limit of K tau / (K (k+2) t)^{1/(k+2)}, minus 1."""
    return np.array([limit.power_clock - share])


# g is a coordinate of its own, so "for every loss" is for every positive number in place of gamma.
path_ignores_the_loss = section.claim(
    where="Theorem 3.3, for any aligned loss",
    refs=("S2", "M1", "H5", "C-reg5"),
    statement="The path of (u, a) is the same for every loss phi(<beta_*, V s>) with phi' < 0.",
    system=AlignedLossFlow,
)


@path_ignores_the_loss.identity()
def velocity_is_shared(f: AlignedLossFlow, *, K_factor=1):
    """(V^T beta_*)' - g K s and a' - g J(s) u, along the gradient flow of (V, a)."""
    dV, da = f.velocity()
    s, u, g = f.s, f.u, f.g[..., None]
    du = (dV * f.beta_star[..., :, None]).sum(axis=-2)
    pull = s * (u - (s * u).sum(axis=-1, keepdims=True))
    return np.concatenate([du - K_factor * g * f.K[..., None] * s, da - g * pull], axis=-1)
