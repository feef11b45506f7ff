"""Square loss, small target: a_i(infinity) - a_i(0) = K s_i (s_i - |s|^2) / (2 |s|^4) + O(K^2), s = s(0).

The first order in K of the limit (polarization S7): u = K s tau, da/dtau = K tau J(s) s, tau_* = 1/|s|^2.
"""

import numpy as np
from flint import fmpq

from claims.assumptions import ordered_scores, small_target, two_scores, zero_values
from claims.statement import POLARIZATION, Claim
from dynamics.value_softmax import SquareLossFlow

claim = Claim(
    __name__,
    paper=POLARIZATION,
    where="section 3.2, the limit for small |beta_*|",
    refs=("S7", "T3"),
    statement="a_i(infinity) - a_i(0) = K s_i (s_i - |s|^2) / (2 |s|^4) + O(K^2), s = s(0).",
    system=SquareLossFlow,
    assumptions=(two_scores, ordered_scores, zero_values, small_target),
)


@claim.limit(">= 0", times=lambda start: (fmpq(1), fmpq(4), fmpq(16)))
def first_order_in_target(states, start: SquareLossFlow, *, share=1, constant=1):
    """constant K^2 tau^4 - |a_i - a_i(0) - K tau^2 s_i (s_i - |s|^2) / 2|, s = s(0), tau -> tau_*."""
    s = start.s
    pull = share * start.K * s * (s - (s * s).sum(axis=-1, keepdims=True)) / 2
    clocks = [now.tau - start.tau for now in states]
    defects = [abs(now.a - start.a - pull * tau**2) for now, tau in zip(states, clocks, strict=True)]
    return np.stack([constant * start.K**2 * tau**4 - defect for tau, defect in zip(clocks, defects, strict=True)])


@claim.limit(">= 0", times=lambda start: (fmpq(1), fmpq(4), fmpq(16)))
def clock_nears_inverse_spread(states, start: SquareLossFlow, *, constant=1):
    """|s|^2 tau - (1 - constant K tau^2) (1 - gamma), s = s(0): tau_* is 1/|s|^2 up to O(K)."""
    spread = (start.s * start.s).sum(axis=-1)
    clocks = [now.tau - start.tau for now in states]
    return np.stack(
        [spread * tau - (1 - constant * now.K * tau**2) * (1 - now.gamma) for now, tau in zip(states, clocks, strict=True)]
    )
