"""Square loss: the scores never become one-hot.

Section 3.2, appendix C.1 (polarization C-reg4), for every finite start: 1/(1 - s_0) <= 1/(1 - s_0(0)) + K tau^2, and
tau is bounded (`regression_clock_is_finite`). Checked as the rate d/dtau 1/(1 - s_0) < 2 K tau at every time,
and itself at growing times. With tau_* <= 1/|s(0)|^2 it bounds 1 - s_0 from below for ever.
The paper's own inference, "int gamma finite, therefore not one-hot", is a gap: `finite_clock_keeps_ratios_up`.
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
    refs=("C-reg4", "T6"),
    statement="For the square loss the scores do not converge to a one-hot vector.",
    system=SquareLossFlow,
    assumptions=(two_scores, ordered_scores, zero_values),
)


@claim.rate("> 0", horizon=lambda start: fmpq(6))
def one_hot_rate(now: SquareLossFlow, start: SquareLossFlow, *, K_factor=1):
    """2 K tau - d/dtau 1/(1 - s_0) at every t > 0."""
    rest = now.s[1:].sum(axis=-1, keepdims=True)
    return 2 * K_factor * now.K * (now.tau - start.tau) - now.ds_dtau()[:1] / (rest * rest)


@claim.limit("> 0", times=lambda start: (fmpq(2), fmpq(6), fmpq(12)))
def rest_stays_above_bound(states, start: SquareLossFlow, *, K_factor=1):
    """1/(1 - s_0(0)) + K / |s(0)|^4 - 1/(1 - s_0(t)), and the same with tau(t) for 1/|s(0)|^2."""

    def inverse_rest(f):
        return 1 / f.s[1:].sum(axis=-1)

    most = 1 / (start.s * start.s).sum(axis=-1)
    clocks = [(now, clock) for now in states for clock in (most, now.tau - start.tau)]
    return np.stack([inverse_rest(start) + K_factor * f.K * clock**2 - inverse_rest(f) for f, clock in clocks])
