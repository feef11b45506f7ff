"""In regression with weight decay on V the slope gamma stays above zero, and the scores become one-hot.

With (decay/2) |V|^2 added (S12), gamma' = decay (1 - gamma) - (|s|^2 + |J(s) u|^2 / K) gamma, so gamma tends to decay /
(1 + decay) instead of 0, and int gamma is infinite: 1/q_j grows like p decay K t / (1 + decay)^2. Without decay the
scores stay dense (`regression_scores_stay_dense`). Once index 0 leads in u and a it keeps leading, and the limits
follow.
"""

import numpy as np

from claims.polarization.setting.scores import ASSUMPTION_3_4
from claims.stating.statement import Claim
from dynamics.limits.traps import DecayedEnd, decayed_square_trap
from dynamics.training.value_softmax import DecayedSquareFlow

claim = Claim(
    __name__,
    where="section 3.2, with weight decay",
    refs=("S12", "C-reg5"),
    statement="With weight decay on V, s -> e_0 and s_j ~ (1 + decay)^2 / (p decay K t).",
    system=DecayedSquareFlow,
    assumptions=ASSUMPTION_3_4,
)


# Decay pulls m down and gamma up: the only term that is not a multiple of gamma, hence gamma -> 0 is impossible.
@claim.identity(assuming=())
def gamma_rate(f: DecayedSquareFlow, *, pull=1):
    """K gamma' - K decay (1 - gamma) + (K |s|^2 + |J(s) u|^2) gamma."""
    du, da, _, _ = f.velocity()
    s, pulled = f.s, f.da_dtau()
    ds = s * (da - (s * da).sum(axis=-1, keepdims=True))
    falling = (ds * f.u + s * du).sum(axis=-1)
    lam = f.K * (s * s).sum(axis=-1) + (pulled * pulled).sum(axis=-1)
    return lam * f.gamma - falling - pull * f.K * f.decay * (1 - f.gamma)


def _late(start: DecayedSquareFlow):
    """Multiples of 1 / (1 + decay), the time in which gamma settles: once t > 0 index 0 leads in u, too."""
    return tuple(n / (1 + start.decay.item()) for n in (1, 4, 16))


@claim.limit("== 0", times=_late, trap=decayed_square_trap)
def scores_become_one_hot(limit: DecayedEnd, start: DecayedSquareFlow, *, share=1):
    """s_0 - 1 and s_j at the limit."""
    return np.concatenate([limit.weights[:1] - share, limit.weights[1:]])


# At the limit s = e_0: u_0' = K gamma - decay u_0 = 0 and gamma = 1 - u_0 / K give decay / (1 + decay).
@claim.limit("== 0", times=_late, trap=decayed_square_trap)
def gamma_stays_above_zero(limit: DecayedEnd, start: DecayedSquareFlow, *, share=1):
    """(1 + decay) gamma - decay at the limit."""
    return (1 + start.decay) * limit.gamma - share * start.decay


# In t and not in tau: with gamma bounded below the two clocks are alike, and 1/q_j grows linearly.
@claim.limit("== 0", times=_late, trap=decayed_square_trap)
def inverse_ratios_grow_like_time(limit: DecayedEnd, start: DecayedSquareFlow, *, constant=1):
    """The limit of d(1/q_j)/dt times (1 + decay)^2 / (p decay K), minus the constant 1."""
    return limit.speed * (1 + start.decay) ** 2 / (len(start.a) * start.decay * start.K) - constant
