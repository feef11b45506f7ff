"""A finite int gamma is not one-hot: log(s_0/s_j) grows by less than K tau^2 / (6 sqrt 3) in the clock tau.

The last inference of appendix C.1 (polarization E13, C-reg4). The paper leaves its reason out: the bound of Theorem 3.3(b)
points the other way, and is empty for u(0) = 0. With w_k = u_0 - u_k, (a_0 - a_j)' = (s_0 - s_j) sum_k s_k w_k + s_j w_j,
and w_k <= K tau (s_0 - s_k) because s_0 - s_k grows. So (a_0 - a_j)' <= K tau (s_0 - s_j)(s_0 - |s|^2 + s_j), at most K tau
d (1 - d^2) / 2 for d = s_0 - s_j, which is largest at d = 1/sqrt 3.
"""

import numpy as np
from flint import fmpq

from claims.polarization.leading_score_gaps_grow import gaps_to_leader
from claims.polarization.setting.scores import ordered_scores, two_scores, zero_values
from claims.statement import Claim, Origin
from dynamics.arithmetic import sqrt
from dynamics.training.value_softmax import SquareLossFlow


def _any_scores_or_steepest(draws):
    """Any scores, or two of them with s_0 - s_1 near 1/sqrt 3."""
    steepest = draws.choice(("any scores", "steepest scores")) == "steepest scores"
    a = draws.dyadic(2 if steepest else draws.integer(2, 4), size=2)
    if steepest:
        a = np.stack([a[..., 1] + (0 * a[..., 1] + 21) / 16, a[..., 1]], axis=-1)
    K = abs(draws.dyadic(size=4)) + (0 * a[..., 0] + 1) / 16
    return SquareLossFlow(u=0 * a, a=a, K=K, t=draws.dyadic(), tau=draws.dyadic())


claim = Claim(
    __name__,
    where="appendix C.1, last lines",
    refs=("E13", "C-reg4", "H1"),
    statement=(
        "Therefore, the integral int_0^t gamma(h) dh converges to a finite value as t -> infinity. This implies "
        "that the attention scores do not converge to a one-hot vector in the case of linear regression."
    ),
    origin=Origin.PRINTED,
    system=SquareLossFlow,
    assumptions=(two_scores, ordered_scores, zero_values),
    draw=_any_scores_or_steepest,
)


@claim.rate("> 0", horizon=lambda start: fmpq(2))
def ratios_stay_up(now: SquareLossFlow, start: SquareLossFlow, *, square=27):
    """K tau - sqrt(27) d(a_0 - a_j)/dtau at every t > 0; integrated, a_0 - a_j grows by less than K tau^2 / (6 sqrt 3)."""
    return now.K * (now.tau - start.tau) - sqrt(square + 0 * now.K) * gaps_to_leader(now.da_dtau())
