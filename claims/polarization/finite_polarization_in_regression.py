"""In regression the scores never become one-hot, but the leader gains a factor that grows with |beta_*|^2 (appendix C.1).

`regression_scores_stay_dense`: From every finite start 1/(1 - s_0) <= 1/(1 - s_0(0)) + K tau^2, in rates d/dtau 1/(1 -
s_0) < 2 K tau, and tau_* <= 1/|s(0)|^2 (`regression_clock_is_finite`). This bounds 1 - s_0 from below at all times. It
is nearly attained by two scores of which one leads far.

`finite_clock_keeps_ratios_up`: The paper infers this from a finite int gamma without a reason (E13): the bound of
Theorem 3.3(b) points the other way. Here log(s_0/s_j) grows by less than K tau^2 / (6 sqrt 3). With w_k = u_0 - u_k,
(a_0 - a_j)' = (s_0 - s_j) sum_k s_k w_k + s_j w_j, and w_k <= K tau (s_0 - s_k) because s_0 - s_k grows. So (a_0 -
a_j)' <= K tau (s_0 - s_j)(s_0 - |s|^2 + s_j), at most K tau d (1 - d^2) / 2 for d = s_0 - s_j, which is largest at d =
1/sqrt 3.

`regression_scores_polarise`: Theorem 3.3(b) is empty here, since delta = min (u_i - u_j)(0) = 0. With the clock xi =
int s_0 dtau = u_0 / K, r_j = s_0 / s_j and w_j = u_0 - u_j obey r_j' >= w_j and w_j' = K (1 - 1/r_j), hence

    r_j >= r_j(0) + (1 - q_j(0)) u_0^2 / (2K),

and u_0 >= m -> K. However small the gaps, a large target makes the scores as sparse as one likes.
"""

import numpy as np

from claims.polarization.gaps_grow import gaps_to_leader
from claims.polarization.setting.scores import (
    ASSUMPTION_3_4,
    comonotone,
    ordered_scores,
    scores_nearly_tied,
    two_scores,
    where_unmet,
    zero_values,
)
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import exp, sqrt
from dynamics.limits.remaining_motion import SquareLossEnd, square_loss_limit
from dynamics.training.value_softmax import SquareLossFlow

section = Section(__name__, system=SquareLossFlow, assumptions=ASSUMPTION_3_4)


# Where 1 - s_0 is of order e^-11, s_0 is 1 and u_0 - u_1 is K tau up to that: the rate of 1/(1 - s_0) is nearly 2 K tau.
def _any_scores_or_far_leader(draws):
    """Any two to four scores, values zero; or two, of which one is ten to twelve ahead."""
    far = draws.choice(("any scores", "far leader")) == "far leader"
    a, K = draws.dyadic(2 if far else draws.integer(2, 4), size=1), abs(draws.dyadic()) + 1
    a[..., 0] = a[..., 0] + (11 if far else 0)
    return SquareLossFlow(u=0 * a, a=a, K=K, t=draws.dyadic(), tau=draws.dyadic())


regression_scores_stay_dense = section.claim(
    where="appendix C, last sentence",
    refs=("C-reg4", "T6"),
    statement=(
        "This implies that the attention scores do not converge to a one-hot vector in the case of linear regression."
    ),
    origin=Origin.PRINTED,
    draw=_any_scores_or_far_leader,
)


# For two scores the rate is 2 s_0^2 (u_0 - u_1), and u_0 - u_1 <= K tau.
@regression_scores_stay_dense.rate("> 0", horizon=lambda start: 6)
def one_hot_rate(now: SquareLossFlow, start: SquareLossFlow, *, K_factor=1):
    """2 K tau - d/dtau 1/(1 - s_0) at every t > 0."""
    rest = now.s[1:].sum(axis=-1, keepdims=True)
    return 2 * K_factor * now.K * (now.tau - start.tau) - now.ds_dtau()[:1] / (rest * rest)


@regression_scores_stay_dense.limit("> 0", times=lambda start: (16, 32, 64), trap=square_loss_limit)
def rest_stays_above_bound(limit: SquareLossEnd, start: SquareLossFlow, *, K_factor=1):
    """1/(1 - s_0(0)) + K tau_*^2 - 1/(1 - s_0(infinity)), and the same with 1/|s(0)|^2 for tau_*."""
    clocks = np.stack([limit.tau - start.tau, 1 / (start.s * start.s).sum()])
    return 1 / start.s[1:].sum() + K_factor * start.K * clocks**2 - 1 / limit.s[1:].sum()


# d (1 - d^2) / 2, d = s_0 - s_1, is largest at d = 1/sqrt 3, that is at a_0 - a_1 = 1.317; 21/16 = 1.3125.
def _any_scores_or_steepest(draws):
    """Any scores, or two of them with s_0 - s_1 near 1/sqrt 3."""
    steepest = draws.choice(("any scores", "steepest scores")) == "steepest scores"
    a = draws.dyadic(2 if steepest else draws.integer(2, 4), size=2)
    if steepest:
        a = np.stack([a[..., 1] + (0 * a[..., 1] + 21) / 16, a[..., 1]], axis=-1)
    K = abs(draws.dyadic(size=4)) + (0 * a[..., 0] + 1) / 16
    return SquareLossFlow(u=0 * a, a=a, K=K, t=draws.dyadic(), tau=draws.dyadic())


finite_clock_keeps_ratios_up = section.claim(
    where="appendix C.1, last lines",
    refs=("E13", "C-reg4", "H1"),
    statement=(
        "Therefore, the integral int_0^t gamma(h) dh converges to a finite value as t -> infinity. This implies "
        "that the attention scores do not converge to a one-hot vector in the case of linear regression."
    ),
    origin=Origin.PRINTED,
    draw=_any_scores_or_steepest,
)


# sqrt 27 and not 3 sqrt 3: constants of statements are rational.
@finite_clock_keeps_ratios_up.rate("> 0", horizon=lambda start: 2)
def ratios_stay_up(now: SquareLossFlow, start: SquareLossFlow, *, square=27):
    """K tau - sqrt(27) d(a_0 - a_j)/dtau at every t > 0; integrated, a_0 - a_j grows by less than K tau^2 / (6 sqrt 3)."""
    return now.K * (now.tau - start.tau) - sqrt(square + 0 * now.K) * gaps_to_leader(now.da_dtau())


# A start that meets the hypothesis stays as it is drawn: moved apart by the usual ramp it would be no near tie.
regression_scores_polarise = section.claim(
    where="section 3.2, appendix C.1, in place of Theorem 3.3(b)",
    refs=("C-reg4", "E13", "E17"),
    statement="1/q_j(infinity) >= r_j(0) + (K/2)(1 - q_j(0)) for j != 0.",
    assumptions=(two_scores, where_unmet(ordered_scores), zero_values),
    draw=scores_nearly_tied,
)


def _ratios(f):
    return exp(f.a[..., :1] - f.a[..., 1:])


# As a product of factors that are >= 0, where the difference of the two rates would cancel near a tie.
@regression_scores_polarise.state(">= 0", assuming=(two_scores, comonotone))
def ratio_rate(f: SquareLossFlow, *, rate=1):
    """(dr_j/dtau) / s_0 - (u_0 - u_j) = (r_j - 1)(u_0 - m), at every state ordered alike in u and a."""
    gaps = f.u[..., :1] - f.u[..., 1:]
    margin = (f.s[..., 1:] * gaps).sum(axis=-1)
    return (_ratios(f) - 1) * margin[..., None] - (rate - 1) * gaps


@regression_scores_polarise.identity(assuming=(two_scores,))
def ratio_rate_formula(f: SquareLossFlow, *, rate=1):
    """dr_j/dtau by the product rule, minus s_0 (u_0 - u_j) + s_0 (r_j - 1)(u_0 - m), times s_j / s_0."""
    da, s, leading = f.da_dtau(), f.s, f.u[..., :1]
    formula = s[..., 1:] * (leading - f.u[..., 1:]) + rate * (s[..., :1] - s[..., 1:]) * (leading - f.m[..., None])
    return da[..., :1] - da[..., 1:] - formula


@regression_scores_polarise.rate("> 0", horizon=lambda start: 4)
def ratios_outgrow_leading_value(now: SquareLossFlow, start: SquareLossFlow, *, share=1):
    """dr_j/dtau - (1 - q_j(0)) u_0 s_0 at every t > 0; integrated it is r_j > r_j(0) + (1 - q_j(0)) u_0^2 / (2K)."""
    da = now.da_dtau()
    return _ratios(now) * (da[:1] - da[1:]) - share * (1 - 1 / _ratios(start)) * now.u[:1] * now.s[:1]


@regression_scores_polarise.trajectory("> 0", horizon=lambda start: 4)
def leading_value_exceeds_margin(now: SquareLossFlow, start: SquareLossFlow):
    """u_0 - u_j for j != 0, so that u_0 > m, and u_0 >= K at the limit."""
    return now.u[:1] - now.u[1:]


# u_0 >= m -> K at the limit, so the bound that grows with u_0^2 / (2K) ends at K/2 at least.
@regression_scores_polarise.limit(">= 0", times=lambda start: (16, 32, 64), trap=square_loss_limit)
def limit_ratios_exceed_bound(limit: SquareLossEnd, start: SquareLossFlow, *, share=1):
    """1/q_j(infinity) - r_j(0) - (K/2) (1 - q_j(0))."""
    r = _ratios(start)
    return limit.s[0] / limit.s[1:] - r - share * start.K * (1 - 1 / r) / 2
