"""Row-wise attention from A(0) = 0: every row becomes one-hot at the leading token, at an explicit rate.

Section 4.1 (polarization C-4.1, M3). The rows stay equal (`rows_follow_one_reduced_flow`), and (u/T, a) follows the reduced
flow of the one-query model with K/T in place of K: the mean over rows in the loss slows a, not u. The bound of Theorem
3.3(b) becomes q_j <= 1 / (1 + (delta/T^2) tau). The sharp order is `row_ratios_have_sharp_order`.
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.training.row_attention import EqualRowsFlow
from dynamics.training.value_softmax import LogisticFlow


def _any_values_or_two_near_the_top(draws):
    """Any values of two to four tokens; or two near the top and the others far below."""
    near = draws.choice(("any values", "two near the top")) == "two near the top"
    u, K = draws.dyadic(draws.integer(3 if near else 2, 4)), abs(draws.dyadic()) + 1
    if near:
        u[..., 2:] = u[..., 2:] / 4 - 6
        u[..., 1] = u[..., 0] - (0 * u[..., 0] + 1) / 64
    return EqualRowsFlow(u=u, a=0 * u, K=K, tau=draws.dyadic())


claim = Claim(
    __name__,
    where="section 4.1, attention sinks",
    refs=("C-4.1", "M3"),
    statement=(
        "Under Assumption 3.1 this coordinate is 0 for all rows, so sigma(A[t,:]) -> e_0 for every t, yielding an"
        " attention sink at token 0."
    ),
    origin=Origin.PRINTED,
    system=EqualRowsFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
    draw=_any_values_or_two_near_the_top,
)


@claim.identity(assuming=())
def scaled_flow_is_reduced(f: EqualRowsFlow, *, K_factor=1):
    """(u/T)' and a' minus the reduced flow of (u/T, a) with K/T."""
    T, zero = f.a.shape[-1], 0 * f.K
    one = LogisticFlow(u=f.u / T, a=f.a, K=K_factor * f.K / T, t=zero, tau=zero)
    return np.stack([f.du_dtau() / T - one.du_dtau(), f.da_dtau() - one.da_dtau()], axis=-2)


@claim.rate("> 0", horizon=lambda start: fmpq(4))
def inverse_ratio_outgrows_clock(now: EqualRowsFlow, start: EqualRowsFlow, *, rate=1):
    """T^2 d(1/q_j)/dtau - delta at every t > 0; integrated from 1 it gives q_j <= 1 / (1 + (delta/T^2) tau)."""
    delta = min(start.u[:-1] - start.u[1:])
    da = now.da_dtau()
    return len(now.a) ** 2 * exp(now.a[:1] - now.a[1:]) * (da[:1] - da[1:]) - rate * delta
