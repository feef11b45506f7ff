"""In regression the total clock tau_* = int_0^infinity gamma is finite: 1 < 1/s_0(infinity) <= tau_* <= 1/|s(0)|^2 < p.

The paper has Theta(1); these constants hold for every K. Both ends are approached: p at scores near uniform
(`regression_gain_is_cosh`), 1 for large K. Apart from the limits themselves, tau(t) < 1/|s(0)|^2 and m < K s_0 tau are
checked at every time; the second gives the lower bound as m -> K.
"""

import numpy as np

from claims.polarization.setting.scores import ASSUMPTION_3_4
from claims.stating.statement import Claim, Origin
from dynamics.limits.remaining_motion import SquareLossEnd, square_loss_limit
from dynamics.training.value_softmax import SquareLossFlow

claim = Claim(
    __name__,
    where="section 3.2, regression",
    refs=("C-reg3", "T3"),
    statement="A key difference is that the cumulative polarization strength is finite: int_0^infinity gamma ds = Theta(1)",
    origin=Origin.PRINTED,
    system=SquareLossFlow,
    assumptions=ASSUMPTION_3_4,
)


# gamma <= e^{-|s(0)|^2 t}, integrated. A long horizon: near uniform scores the two sides meet only as t grows.
@claim.rate("> 0", horizon=lambda start: 16)
def clock_stays_below_limit(now: SquareLossFlow, start: SquareLossFlow, *, most=1):
    """1/|s(0)|^2 - tau."""
    return most / (start.s * start.s).sum(axis=-1) - (now.tau - start.tau)


# m <= u_0 = K int s_0 dtau <= K s_0 tau, as s_0 grows; at the limit m = K it bounds tau_* from below.
@claim.rate("> 0", horizon=lambda start: 6)
def clock_outgrows_margin(now: SquareLossFlow, start: SquareLossFlow, *, most=1):
    """K s_0 tau - m: at the limit m = K it reads tau_* >= 1/s_0."""
    return most * now.K * now.s[:1] * (now.tau - start.tau) - now.m


@claim.state("> 0")
def limit_is_below_length(f: SquareLossFlow, *, most=1):
    """p |s(0)|^2 - 1."""
    s = f.s
    return most * f.a.shape[-1] * (s * s).sum(axis=-1) - 1


# The flow comes to rest: what motion remains is bounded (Lemma 8), so that the limit is known as a ball.
@claim.limit("> 0", times=lambda start: (16, 32, 64), trap=square_loss_limit)
def clock_lies_between(limit: SquareLossEnd, start: SquareLossFlow, *, least=1, most=1):
    """tau_* - 1/s_0(infinity), 1/s_0(infinity) - 1 and 1/|s(0)|^2 - tau_*."""
    tau, inverse = limit.tau - start.tau, 1 / limit.s[0]
    return np.stack([tau - least * inverse, inverse - least, most / (start.s * start.s).sum() - tau])
