"""Scores and value projections are functions of the clock int gamma alone; the loss only determines how far it runs.

`scores_depend_on_clock_only`: Logistic and square loss move (u, a) along one field of tau, and s_j / s_0 falls with tau
at every state ordered alike (M1). A factor of the loss changes the speed, neither the path nor the limit.

`slower_decay_gives_sparser_scores`: Section 3.2 says "the slower the gradient decays, the stronger the induced sparsity
in the attention scores". Of speed alone this is false (E14): with l -> l / 2 the gradient decays half as fast, its
integral and the limit of the scores stay, and at every finite time the scores are less sparse.
"""

import numpy as np

from claims.polarization.setting.regression import half_the_loss, margin_below_target, same_start
from claims.polarization.setting.scores import comonotone, two_scores
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import numbers, sqrt
from dynamics.training.conditioned_regression import ConditionedRegressionFlow
from dynamics.training.value_softmax import FullLogisticFlow, FullSquareFlow, SquareLossClockFlow, SquareLossFlow

section = Section(__name__)

scores_depend_on_clock_only = section.claim(
    where="section 3.2, regression",
    refs=("C-reg5", "C-reg3", "M1"),
    statement="More broadly, sparsification is controlled by the integral of the gradient magnitude",
    origin=Origin.PRINTED,
    system=SquareLossFlow,
)


# d = 1 is enough: of V the reduced flow sees V^T beta_* alone, and any u and K come from such a model.
def _projected(model, f):
    """gamma and (V^T beta_*)', a' along the gradient flow of (V, a), for d = 1: beta_* = sqrt(K) and V = u^T / sqrt(K)."""
    target = sqrt(f.K)[..., None]
    full = model(V=(f.u / target)[..., None, :], a=f.a, beta_star=target)
    dV, da = full.velocity()
    return full.gamma[..., None, None], np.stack([target * dV[..., 0, :], da], axis=-2)


# Multiplied by both gammas, so that nothing is divided by one that may be near zero.
@scores_depend_on_clock_only.identity()
def both_losses_move_alike(f: SquareLossFlow, *, factor=1):
    """(u', a') over gamma for the square loss minus the same for the logistic loss, times both gammas."""
    square_gamma, square = _projected(FullSquareFlow, f)
    logistic_gamma, logistic = _projected(FullLogisticFlow, f)
    return logistic_gamma * square - factor * square_gamma * logistic


# The square loss in the clock tau carries gamma as a coordinate: that one, too, has to move as it does in t.
@scores_depend_on_clock_only.identity(assuming=(two_scores, comonotone, margin_below_target))
def both_clocks_agree(f: SquareLossFlow, *, factor=1):
    """The velocity in the clock tau times dtau/dt minus the velocity in t, gamma included."""
    in_tau = SquareLossClockFlow(u=f.u, a=f.a, K=f.K, t=f.t, tau=f.tau, slope=f.gamma)
    (du, da, dt, dtau), (along_u, along_a, along_t, along_tau, slowing) = f.velocity(), in_tau.velocity()
    gamma = f.gamma
    falling = -(f.ds_dtau() * f.u + f.s * f.du_dtau()).sum(axis=-1) / f.K
    differences = [gamma[..., None] * along_u - du, gamma[..., None] * along_a - da]
    scalars = [gamma * along_t - dt, gamma * along_tau - dtau, factor * slowing - falling]
    return np.stack(differences + [scalar[..., None] + 0 * f.u for scalar in scalars], axis=-2)


@scores_depend_on_clock_only.state("> 0", assuming=(two_scores, comonotone))
def ratios_fall_with_clock(f: SquareLossFlow):
    """d(a_0 - a_j)/dtau, at every state ordered alike in u and a."""
    da = f.da_dtau()
    return da[..., :1] - da[..., 1:]


# X = 1, one number: only the speed is to differ, and a single singular value says nothing of conditioning.
def _two_speeds(draws):
    """One model twice, X the number 1, the second copy with half the loss."""
    target = abs(draws.dyadic(1, 1, size=2, bits=2)) + 1
    a = numbers(draws.dyadic(2, 2, size=1, bits=2))
    b = np.concatenate([target, target], axis=-2)
    weight = 0 * b[..., 0] + 1
    weight[..., 1] = weight[..., 1] / 2
    return ConditionedRegressionFlow(V=0 * a[..., None, :], a=a, X=0 * b + 1, b=b, weight=weight)


slower_decay_gives_sparser_scores = section.claim(
    where="section 3.2, on the decay of the gradient, read of its speed alone",
    refs=("C-reg5", "E14"),
    note=(
        "Half the loss is slower and has the same limit: with X = 1, b = 3 and a(0) = (1, 0) its s_0 is behind by "
        "0.0585 at t = 1. The integral of the gradient's magnitude decides."
    ),
    statement="Half the loss, whose gradient decays half as fast, gives at least as sparse scores at every time.",
    system=ConditionedRegressionFlow,
    assumptions=(same_start, half_the_loss),
    corrected_by="polarization.scores_depend_on_clock_only",
    draw=_two_speeds,
)


# At finite times: in the limit both copies have the same scores, and no enclosure parts what is equal.
@slower_decay_gives_sparser_scores.trajectory(">= 0", horizon=lambda start: 3)
def slower_copy_is_sparser(now: ConditionedRegressionFlow, start: ConditionedRegressionFlow):
    """s_0 of the copy with half the loss minus s_0 of the other, at every time."""
    return now.s[1, :1] - now.s[0, :1]
