"""Polarization needs no joint training: with V frozen the scores become one-hot as well, and faster.

`frozen_scores_decay_like_inverse_clock`: For p scores that start equal (E10). With w_k = u_0 - u_k, (s_0 / s_k - 1) /
w_k is the same z for every k, and dz/dtau = p s_0^2. So p tau = int_0^z (1 + sum_k 1 / (1 + w_k y))^2 dy exceeds z by
at most sum_k (2 log(1 + w_k z) + p - 1) / w_k, and is at least z / s_0^2: p w_j tau s_j - 1 lies between -s_j / s_0 and
a bound of order log(tau) / tau. As tau / t -> gamma_inf = 1 / (1 + e^{u_0}), s_j t -> 1 / (p w_j gamma_inf).

`frozen_values_also_polarise`: d(1/q_j)/dtau >= (u_0 - u_j) / p as in Theorem 3.3(b), and gamma stays above 1 / (1 +
e^{u_0}) because m < u_0. The rate 1/t beats the 1/log^2 t of joint training: a monotone function of a linear form on
the simplex is optimised at a vertex. What joint training adds is that the sparse output is chosen although dense ones
reach zero loss.

`polarisation_needs_joint_training`: False. Section 3.1 says that the polarization "is not caused by the softmax
nonlinearity in isolation, but by the joint training of the scores a and the value matrix V". This speaks of causes, and
may mean only that joint training picks a sparse output among dense ones of the same loss.
"""

import numpy as np

from claims.polarization.clock_bounds import far_leader
from claims.polarization.one_hot_limit import inverse_ratio_rate as joint_ratio_rate
from claims.polarization.setting.scores import ASSUMPTION_3_1, leader_dominates, leading_value, two_scores, zero_scores
from claims.stating.statement import Section
from dynamics.arithmetic import exp
from dynamics.limits.traps import OneHot, leader_trap
from dynamics.training.frozen_values import FrozenValuesFlow

# leading_value is enough where values are frozen: each inequality is about index 0 and one other.
section = Section(
    __name__, refs=("C-joint", "E10"), system=FrozenValuesFlow, assumptions=(two_scores, zero_scores, leading_value)
)


# With a far leader s_1 is soon small, and with it the remainder: x_1 is then followed near its limit 1.
def _far_leader(draws):
    start = far_leader(draws)
    return FrozenValuesFlow(u=start.u, a=start.a, K=start.K, t=start.t, tau=start.tau)


frozen_scores_decay_like_inverse_clock = section.claim(
    where="section 3.1, on joint training, sharpened",
    statement="If only a is trained, from a(0) = 0, p (u_0 - u_j) tau s_j -> 1 for j != 0.",
    draw=_far_leader,
)


# Two-sided in the clock tau; with tau/t -> gamma_inf it is the printed rate 1/t with its constant.
@frozen_scores_decay_like_inverse_clock.rate("> 0", horizon=lambda start: 8)
def product_tends_to_one(now: FrozenValuesFlow, start: FrozenValuesFlow, *, slope=1):
    """x_j - 1 + s_j / s_0 and s_j w_j sum_k (2 log(s_0 / s_k) + p - 1) / w_k - (x_j - 1), where x_j = p w_j tau s_j."""
    p, gaps, leads = len(start.u), start.u[:1] - start.u[1:], now.a[:1] - now.a[1:]
    scores = now.s[1:]
    product = slope * p * gaps * (now.tau - start.tau) * scores
    remainder = scores * gaps * ((2 * leads + (p - 1)) / gaps).sum(axis=-1, keepdims=True)
    return np.stack([product - 1 + exp(-leads), remainder - product + 1])


frozen_values_also_polarise = section.claim(
    where="section 3.1, on joint training, corrected",
    statement="If only a is trained, q_j <= 1 / (1 + (u_0 - u_j) t / (p (1 + e^{u_0}))) for j != 0.",
)


# da/dtau is the same with u frozen, so the inequality of joint training is asked again as it stands.
@frozen_values_also_polarise.state(">= 0", assuming=(two_scores, leader_dominates))
def inverse_ratio_rate(f: FrozenValuesFlow, *, rate=1):
    """p d(1/q_j)/dtau - (u_0 - u_j), at every state where index 0 leads."""
    return joint_ratio_rate(f, rate=rate)


# m < u_0, which is constant here: gamma stays above 1/(1 + e^{u_0}), so tau exceeds t / (1 + e^{u_0}).
@frozen_values_also_polarise.rate("> 0", horizon=lambda start: 8)
def inverse_ratio_outgrows_time(now: FrozenValuesFlow, start: FrozenValuesFlow, *, rate=1):
    """p (1 + e^{u_0}) (1/q_j - 1) - (u_0 - u_j) t."""
    grown = len(now.a) * (1 + exp(now.u[:1])) * (exp(now.a[:1] - now.a[1:]) - 1)
    return grown - rate * (now.u[:1] - now.u[1:]) * (now.t - start.t)


polarisation_needs_joint_training = section.claim(
    where="section 3.1, on joint training, read of frozen values",
    note=(
        "From u(0) = (1, 0) with V frozen the scores tend to (1, 0) as well. With frozen values they polarize at "
        "least as fast as 1/t: q_j <= 1 / (1 + (u_0 - u_j) t / (p (1 + e^{u_0})))."
    ),
    statement="If V is frozen and only a is trained, the scores do not become one-hot.",
    assumptions=ASSUMPTION_3_1,
    corrected_by="polarization.frozen_values_also_polarise",
)


@polarisation_needs_joint_training.limit("> 0", times=lambda start: (1, 4, 16), trap=leader_trap)
def leading_score_keeps_away_from_one(limit: OneHot, start: FrozenValuesFlow):
    """1 minus the limit of the largest score."""
    return 1 - max(limit.weights)
