"""Square loss with weight decay on V: the slope gamma stays above zero and the scores become one-hot.

Not in the paper (polarization S12). With (decay/2) |V|^2 added, gamma' = decay (1 - gamma) - (|s|^2 + |J(s) u|^2 / K)
gamma, so gamma tends to decay / (1 + decay) instead of 0 and int gamma is infinite: 1/q_j grows like p decay K t / (1
+ decay)^2, that is s_j ~ (1 + decay)^2 / (p decay K t). Without decay the scores stay dense
(`regression_scores_stay_dense`). The leader starts well ahead of all others together, and these level, so that the limit
shows at t = 12 (12 / decay above decay = 1, for rates are in units of 1 + decay); by log2(1/decay) later gamma, which
starts at 1 and falls like e^{-t}, shows its own.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import leading_score_ahead, two_scores, zero_values
from claims.statement import POLARIZATION, Claim
from dynamics.arithmetic import exp
from dynamics.value_softmax import DecayedSquareFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 3.2, with weight decay (not printed)",
    refs=("S12", "C-reg5"),
    statement="With weight decay on V, s -> e_0 and s_j ~ (1 + decay)^2 / (p decay K t).",
    system=DecayedSquareFlow,
    assumptions=(two_scores, zero_values, leading_score_ahead),
)


def _ratio_growth(f):
    """d(1/q_j)/dt (1 + decay)^2 / (p decay K): tends to 1."""
    _, da, _, _ = f.velocity()
    rise = exp(f.a[:1] - f.a[1:]) * (da[:1] - da[1:])
    return rise * (1 + f.decay) ** 2 / (len(f.a) * f.decay * f.K)


@claim.identity(assuming=())
def gamma_rate(f: DecayedSquareFlow, *, pull=1):
    """K gamma' - K decay (1 - gamma) + (K |s|^2 + |J(s) u|^2) gamma."""
    du, da, _, _ = f.velocity()
    s, pulled = f.s, f.da_dtau()
    ds = s * (da - (s * da).sum(axis=-1, keepdims=True))
    falling = (ds * f.u + s * du).sum(axis=-1)
    lam = f.K * (s * s).sum(axis=-1) + (pulled * pulled).sum(axis=-1)
    return lam * f.gamma - falling - pull * f.K * f.decay * (1 - f.gamma)


def _after_the_fall(start: DecayedSquareFlow):
    """12 / max(1, decay) + log2(1/decay), this rounded up: then e^{-(1 + decay) t} is small beside decay."""
    decay = start.decay.item()
    return (12 / max(fmpq(1), decay) + int(1 / decay).bit_length(),)


@claim.limit("> 0", times=_after_the_fall)
def gamma_nears_its_limit(states, start: DecayedSquareFlow, *, width=1):
    """width / 8 - |gamma (1 + decay) / decay - 1| at t = 12 / max(1, decay) + log2(1/decay)."""
    defects = [abs(now.gamma * (1 + now.decay) / now.decay - 1) for now in states]
    return fmpq(width) / 8 - np.stack(defects)


@claim.limit("> 0", times=_after_the_fall)
def inverse_ratios_grow_like_time(states, start: DecayedSquareFlow, *, constant=1):
    """1/2 - |d(1/q_j)/dt (1 + decay)^2 / (p decay K) - constant| at t = 12 / max(1, decay) + log2(1/decay)."""
    return fmpq(1, 2) - np.stack([abs(_ratio_growth(now) - constant) for now in states])
