"""Square loss: the scores never become one-hot.

Section 3.2, appendix C.1 (polarization C-reg4), for every finite start: 1/(1 - s_0) <= 1/(1 - s_0(0)) + K tau^2, and
tau is bounded (`regression_clock_is_finite`): in rates d/dtau 1/(1 - s_0) < 2 K tau. With tau_* <= 1/|s(0)|^2 it bounds
1 - s_0 from below for ever. Nearly attained by two scores of which one leads far.
The paper's own inference, "int gamma finite, therefore not one-hot", is a gap: `finite_clock_keeps_ratios_up`.
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.scores import ordered_scores, two_scores, zero_values
from claims.statement import Claim, Origin
from dynamics.limits.remaining_motion import SquareLossEnd, square_loss_limit
from dynamics.training.value_softmax import SquareLossFlow


def _any_scores_or_far_leader(draws):
    """Any two to four scores, values zero; or two, of which one is ten to twelve ahead."""
    far = draws.choice(("any scores", "far leader")) == "far leader"
    a, K = draws.dyadic(2 if far else draws.integer(2, 4), size=1), abs(draws.dyadic()) + 1
    a[..., 0] = a[..., 0] + (11 if far else 0)
    return SquareLossFlow(u=0 * a, a=a, K=K, t=draws.dyadic(), tau=draws.dyadic())


claim = Claim(
    __name__,
    where="appendix C, last sentence",
    refs=("C-reg4", "T6"),
    statement=(
        "This implies that the attention scores do not converge to a one-hot vector in the case of linear regression."
    ),
    origin=Origin.PRINTED,
    system=SquareLossFlow,
    assumptions=(two_scores, ordered_scores, zero_values),
    draw=_any_scores_or_far_leader,
)


@claim.rate("> 0", horizon=lambda start: fmpq(6))
def one_hot_rate(now: SquareLossFlow, start: SquareLossFlow, *, K_factor=1):
    """2 K tau - d/dtau 1/(1 - s_0) at every t > 0."""
    rest = now.s[1:].sum(axis=-1, keepdims=True)
    return 2 * K_factor * now.K * (now.tau - start.tau) - now.ds_dtau()[:1] / (rest * rest)


@claim.limit("> 0", times=lambda start: (fmpq(16), fmpq(32), fmpq(64)), trap=square_loss_limit)
def rest_stays_above_bound(limit: SquareLossEnd, start: SquareLossFlow, *, K_factor=1):
    """1/(1 - s_0(0)) + K tau_*^2 - 1/(1 - s_0(infinity)), and the same with 1/|s(0)|^2 for tau_*."""
    clocks = np.stack([limit.tau - start.tau, 1 / (start.s * start.s).sum()])
    return 1 / start.s[1:].sum() + K_factor * start.K * clocks**2 - 1 / limit.s[1:].sum()
