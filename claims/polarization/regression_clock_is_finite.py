"""Square loss: the total clock tau_* = int_0^infinity gamma is finite and of order one.

Section 3.2 (polarization C-reg3), with explicit constants: 1 < 1/s_0(infinity) <= tau_* <= 1/|s(0)|^2 < p, whatever K. Both
ends are approached: p at scores near uniform (`regression_gain_is_cosh`), 1 for large K. Checked at every
finite time: tau(t) < 1/|s(0)|^2, and m <= K s_0 tau, which gives the lower bound as m -> K.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import ordered_scores, two_scores, zero_values
from claims.statement import POLARIZATION, Claim
from dynamics.value_softmax import SquareLossFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 3.2, appendix C.1",
    refs=("C-reg3", "T3"),
    statement="int_0^infinity gamma = Theta(1); explicitly 1 < 1/s_0(infinity) <= tau_* <= 1/|s(0)|^2 < p.",
    system=SquareLossFlow,
    assumptions=(two_scores, ordered_scores, zero_values),
)


@claim.rate("> 0", horizon=lambda start: fmpq(6))
def clock_stays_below_limit(now: SquareLossFlow, start: SquareLossFlow, *, most=1):
    """1/|s(0)|^2 - tau."""
    return most / (start.s * start.s).sum(axis=-1) - (now.tau - start.tau)


@claim.rate("> 0", horizon=lambda start: fmpq(6))
def clock_outgrows_margin(now: SquareLossFlow, start: SquareLossFlow, *, most=1):
    """K s_0 tau - m: at the limit m = K it reads tau_* >= 1/s_0."""
    return most * now.K * now.s[:1] * (now.tau - start.tau) - now.m


@claim.state("> 0")
def limit_is_below_length(f: SquareLossFlow, *, most=1):
    """p |s(0)|^2 - 1."""
    s = f.s
    return most * f.a.shape[-1] * (s * s).sum(axis=-1) - 1


@claim.limit("> 0", times=lambda start: (fmpq(16),))
def clock_exceeds_way(states, start: SquareLossFlow, *, least=1):
    """tau - (1 - gamma) at t = 16: at the limit gamma = 0 it reads tau_* >= 1."""
    return np.stack([now.tau - start.tau - least * (1 - now.gamma) for now in states])
