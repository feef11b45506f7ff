"""Square loss: gamma(t) <= exp(-|s(0)|^2 t), better than exp(-t/p).

Appendix C.1 (polarization C-reg2), with |s(0)|^2 in place of 1/p: gamma' = -(|s|^2 + |J(s) u|^2 / K) gamma, and |s|^2 grows
at every state ordered alike in u and a, because the scores grow in majorisation order (S3).
"""

import numpy as np
from flint import fmpq

from claims.assumptions import comonotone, ordered_scores, two_scores, zero_values
from claims.statement import POLARIZATION, Claim
from dynamics.arithmetic import exp
from dynamics.value_softmax import SquareLossFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="appendix C.1, sharpened",
    refs=("C-reg2", "S3", "T4"),
    statement="1 - m/K <= exp(-|s(0)|^2 t) <= exp(-t/p).",
    system=SquareLossFlow,
    assumptions=(two_scores, ordered_scores, zero_values),
)


@claim.state(">= 0", assuming=(two_scores, comonotone))
def spread_rate(f: SquareLossFlow):
    """d|s|^2/dtau / 2, at every state ordered alike in u and a."""
    return (f.s * f.ds_dtau()).sum(axis=-1)


@claim.rate("> 0", horizon=lambda start: fmpq(6))
def gamma_decay_rate(now: SquareLossFlow, start: SquareLossFlow, *, rate=1):
    """-(log gamma)' - 1/p, which is |s|^2 + |J(s) u|^2 / K - 1/p."""
    return now.dm_dtau() / now.K - rate / fmpq(len(now.a))


@claim.limit("> 0", times=lambda start: (fmpq(1), fmpq(4), fmpq(12)))
def gamma_decays_at_initial_spread(states, start: SquareLossFlow, *, rate=1):
    """1 - gamma(t) exp(|s(0)|^2 t)."""
    spread = rate * (start.s * start.s).sum(axis=-1)
    return np.stack([1 - now.gamma * exp(spread * (now.t - start.t)) for now in states])
