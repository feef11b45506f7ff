"""Normalised maps become one-hot if sup f / inf f is infinite, in all the examples here; a bounded ratio prevents it.

`bounded_map_stays_dense`: For f = 1 + sigmoid, s_i < 2 / (p + 1) at every state, since 1 < f < 2. From a(0) = 0 and
u(0) = (1, 2/5, -3/10, -1/2) two scores go to each end of f, and the limit is certified.

`cube_map_polarises`: For x^k with k = 3 on positive scores: R = |a| is conserved, d(1/a_j - 1/a_0)/dtau = 3 (u_0 -
u_j)/F with F <= R^3, and u_0 - u_j ~ K tau. So a_j ~ 2 R^3 / (3 K tau^2), and s_j ~ (3 K tau^2 / (2 R^2))^{-3}. Once
index 0 leads in u and a it leads at all later times, and both limits follow.

`elu_polarises`: For elu + 1 (1 + x for x >= 0, e^x for x < 0) and two scores, s_1 ~ 2 / (K tau^2). From a(0) = 0 the
leader is on the upper branch and the loser on the lower at all times, so the flow is analytic. a_0 grows only like 2
sqrt(log tau), and s_1 w^2 / (2K) -> 1, w = u_0 - u_1, as slowly.

`normalised_sigmoid_polarises`: With G(x) = 2 x + e^x - e^{-x} = int 1/f', d(G_0 - G_j)/dtau = (u_0 - u_j)/F with F < p,
so every G_0 - G_j grows without bound and s becomes one-hot. The order is s_j ~ 2 / (K tau^2), whatever the number of
scores.

`one_plus_exponential_polarises`: For f = 1 + e^x, which stays above 1, 1 - s_0 ~ 2 / (K tau^2). Here d(e^{-a_j} -
e^{-a_0})/dtau = (u_0 - u_j)/F, and sum_i (a_i - e^{-a_i}) is conserved. Both the limit and its power are certified.

`three_halves_map_becomes_one_hot`: For x^k with k = 3/2 on positive scores x_i = b_i^2. R^2 = sum_i b_i^4 is conserved
and R^{3/2} <= F <= p^{1/4} R^{3/2}. The last of ordered scores has db_{p-1}/dtau <= -(3/4) W / (p F) with W = u_0 -
u_{p-1}, which grows, so it reaches 0; the others go on as a model with fewer scores. The certified crossing is for p =
2 and k = 3/2, at times as in `normalised_relu_becomes_one_hot`.
"""

import numpy as np
from flint import fmpq

from claims.polarization.elementwise_maps import grown, halved_times
from claims.polarization.setting.maps import four_given_values, positive_scores, unit_scores
from claims.polarization.setting.scores import (
    ASSUMPTION_3_1,
    comonotone,
    ordered_values,
    two_scores,
    two_scores_only,
    zero_scores,
)
from claims.stating.statement import Section
from dynamics.limits.traps import MapEnd, OneHot, Parted, Passed, bounded_map_trap, normalised_map_trap, passed_zero
from dynamics.training.score_maps import (
    CubeMapFlow,
    EluFlow,
    NormalisedMapFlow,
    NormalisedSigmoidFlow,
    OnePlusExponentialFlow,
    OnePlusSigmoidFlow,
    ThreeHalvesMapFlow,
)

section = Section(__name__)

bounded_map_stays_dense = section.claim(
    where="section 3.2, maps with mean-centering and bounded ratio",
    refs=("S9", "C-mech", "E20"),
    statement="f = 1 + sigmoid is mean-centered and not one-hot in the limit.",
    system=OnePlusSigmoidFlow,
    assumptions=(zero_scores, four_given_values),
)


# 1 < f < 2: a weight is at most 2 / (2 + (p - 1)), in every state and whatever the loss.
@bounded_map_stays_dense.state("> 0", assuming=(two_scores,))
def weights_stay_dense(f: OnePlusSigmoidFlow, *, most=2):
    """2 F - (p + 1) f(a_i), which is (p + 1) F times 2 / (p + 1) - s_i."""
    return most * f.F[..., None] - (f.a.shape[-1] + 1) * f.values


# Scores grow only like log tau, so the region of Lemma 11 is entered late.
@bounded_map_stays_dense.limit("== 0", times=lambda start: (160, 320, 640), trap=bounded_map_trap)
def weights_tend_to_thirds_and_sixths(limit: Parted, start: OnePlusSigmoidFlow, *, share=1):
    """s_i at the limit minus (1/3, 1/3, 1/6, 1/6)."""
    return limit.weights - [share * fmpq(k, 6) for k in (2, 2, 1, 1)]


# k = 3 stands for k > 2: the exponent -k/(k-2) is then a whole number, and the flow rational.
cube_map_polarises = section.claim(
    where="appendix D, f(x) = x^k with k > 2",
    refs=("S9", "C-fx2"),
    statement="For f(x) = x^k with k > 2, s_j ~ [k (k-2) K tau^2 / (2 R^2)]^{-k/(k-2)}.",
    system=CubeMapFlow,
    assumptions=(two_scores, unit_scores, ordered_values),
)


# G = -1/(3 x) is the antiderivative of 1/f', so its gaps move at (u_0 - u_j) / F exactly.
@cube_map_polarises.identity(assuming=(two_scores, positive_scores))
def inverse_score_gap_rate(f: CubeMapFlow, *, speed=3):
    """F d(1/a_j - 1/a_0)/dtau - 3 (u_0 - u_j)."""
    fall = -f.F[..., None] * f.da_dtau() / (f.a * f.a)
    return (fall[..., 1:] - fall[..., :1]) - speed * (f.u[..., :1] - f.u[..., 1:])


# |a|_3 <= |a|_2, strictly for two positive scores: F cannot outgrow R^3, which is conserved.
@cube_map_polarises.state("> 0", assuming=(two_scores, positive_scores, comonotone))
def total_is_bounded(f: CubeMapFlow, *, most=1):
    """R^6 - F^2."""
    return most * (f.a * f.a).sum(axis=-1) ** 3 - f.F * f.F


# In units of 1/sqrt(K), in which u and a drive each other: from level scores the leader is ahead at once.
def _late(start: NormalisedMapFlow):
    return start.time_unit() / 4, 4 * start.time_unit()


@cube_map_polarises.limit("== 0", times=_late, trap=normalised_map_trap)
def scores_become_one_hot(limit: OneHot, start: NormalisedMapFlow, *, share=1):
    """s_0 - 1 and s_j at the limit."""
    return np.concatenate([limit.weights[:1] - share, limit.weights[1:]])


@cube_map_polarises.limit("== 0", times=_late, trap=normalised_map_trap)
def losers_fall_like_power(limit: MapEnd, start: CubeMapFlow, *, K_factor=1):
    """The limit of 3 a_j w_j^2 / (2 a_0 K R^2), w_j = u_0 - u_j, minus 1; w_j ~ K tau."""
    return 3 * limit.power / 2 - K_factor


# Two scores: only then are the branches known, one score on each, and the flow stays analytic.
elu_polarises = section.claim(
    where="section 3, elu + 1",
    refs=("S9", "C-nf-C1"),
    statement="The normalised map of elu + 1 polarises.",
    system=EluFlow,
    assumptions=(two_scores_only, zero_scores, ordered_values),
)


@elu_polarises.trajectory("> 0", horizon=lambda start: 4 * start.time_unit())
def scores_stay_on_their_branches(now: EluFlow, start: EluFlow):
    """a_0 and -a_1."""
    return np.concatenate([now.a[:1], -now.a[1:]])


elu_polarises.limit("== 0", times=_late, trap=normalised_map_trap)(scores_become_one_hot)


@elu_polarises.limit("== 0", times=_late, trap=normalised_map_trap)
def loser_falls_like_inverse_square(limit: MapEnd, start: EluFlow, *, K_factor=2):
    """The limit of s_j w_j^2 / K, w_j = u_0 - u_j ~ K tau, minus 2."""
    return limit.power - K_factor


normalised_sigmoid_polarises = section.claim(
    where="section 3, normalised sigmoid",
    refs=("S9", "C-nf-C1"),
    statement="The normalised sigmoid polarises; explicitly s_j ~ 2 / (K tau^2).",
    system=NormalisedSigmoidFlow,
    assumptions=ASSUMPTION_3_1,
)


# The factor p, since f < 1 makes F < p: no lower bound of the weights is needed.
@normalised_sigmoid_polarises.state("> 0", assuming=(two_scores, comonotone))
def dwell_gap_rate(f: NormalisedSigmoidFlow, *, rate=1):
    """p d(G(a_0) - G(a_j))/dtau - (u_0 - u_j), with dG = da / f'."""
    dG = f.da_dtau() / f.slopes
    return f.a.shape[-1] * (dG[..., :1] - dG[..., 1:]) - rate * (f.u[..., :1] - f.u[..., 1:])


normalised_sigmoid_polarises.limit("== 0", times=_late, trap=normalised_map_trap)(scores_become_one_hot)


@normalised_sigmoid_polarises.limit("== 0", times=_late, trap=normalised_map_trap)
def weights_fall_like_inverse_square(limit: MapEnd, start: NormalisedSigmoidFlow, *, K_factor=2):
    """The limit of s_j w_j^2 / K, w_j = u_0 - u_j ~ K tau, minus 2."""
    return limit.power - K_factor


one_plus_exponential_polarises = section.claim(
    where="section 3.2, f = 1 + e^x",
    refs=("S9", "C-nf-C1"),
    statement="The normalised map of f = 1 + e^x polarises.",
    system=OnePlusExponentialFlow,
    assumptions=ASSUMPTION_3_1,
)


# s_0 grows at every such state; that it tends to 1 is Lemma 4, of which the limits below make use.
@one_plus_exponential_polarises.state("> 0", assuming=(two_scores, comonotone))
def leading_weight_rate(f: OnePlusExponentialFlow):
    """ds_0/dtau at every state ordered alike."""
    return f.ds_dtau()[..., :1]


one_plus_exponential_polarises.limit("== 0", times=_late, trap=normalised_map_trap)(scores_become_one_hot)


@one_plus_exponential_polarises.limit("== 0", times=_late, trap=normalised_map_trap)
def losers_fall_like_inverse_square(limit: MapEnd, start: OnePlusExponentialFlow, *, K_factor=2):
    """The limit of (p - 1) s_j w_j^2 / K, w_j = u_0 - u_j ~ K tau, minus 2."""
    return (len(start.a) - 1) * limit.power - K_factor


# In b = sqrt(a) the map x^{3/2} is b^3, a polynomial: nothing singular where a score dies.
three_halves_map_becomes_one_hot = section.claim(
    where="appendix D, f(x) = x^k with 1 < k < 2",
    refs=("S9", "C-fx2"),
    statement="For f(x) = x^k with 1 < k < 2 losers reach 0 at finite tau and s is exactly one-hot.",
    system=ThreeHalvesMapFlow,
    assumptions=(two_scores_only, positive_scores, comonotone),
)


@three_halves_map_becomes_one_hot.identity(assuming=())
def norm_rate(f: ThreeHalvesMapFlow, *, power=3):
    """F^2 sum_i b_i^3 db_i/dtau = (F^2 / 4) dR^2/dtau."""
    return (f.a**power * f.scaled_da()).sum(axis=-1)


@three_halves_map_becomes_one_hot.state(">= 0", assuming=(two_scores, positive_scores, comonotone))
def last_score_falls(f: ThreeHalvesMapFlow, *, speed=1):
    """-(4/3) p F^2 db_{p-1}/dtau - F W."""
    W = f.u[..., 0] - f.u[..., -1]
    return -4 * f.a.shape[-1] * f.scaled_da()[..., -1] / 3 - speed * f.F * W


# p R^6 - F^4 is F <= p^{1/4} R^{3/2} to the fourth power: no roots.
@three_halves_map_becomes_one_hot.state(">= 0", assuming=(two_scores, positive_scores), name="total_is_bounded")
def total_is_bounded_under_three_halves(f: ThreeHalvesMapFlow, *, most=1):
    """p R^6 - F^4."""
    F, norm = f.F, (f.a * f.a * f.a * f.a).sum(axis=-1)
    return most * f.a.shape[-1] * norm * norm * norm - F * F * F * F


def _times(start):
    """Around the zero of b_1, in the clock with dtau = F^2: until then F falls, F >= R^{3/2}, and db_1 = -(3/4) b_0^3 W.

    D = b_0 - b_1 has D' = (3/4) F W and W' >= K F R D, and b_1 <= R^{1/2} - D, where R^{1/2} <= b_0 + b_1 at the start; b_1
    falls at most as (3/4) F W, and W' <= K F^2. Raises ValueError where b_1 or W is not positive.
    """
    first, last, F, K = start.a[0], start.a[-1], start.F.item(), start.K.item()
    W, square = start.u[0] - start.u[-1], 3 * K * (first**4 + last**4) ** 2 / 4
    if not (last > 0 and W > 0):
        raise ValueError("no last score is to die")
    return halved_times(
        4 * last / (3 * W * first**3),
        lambda t: 3 * first**3 * W * t * grown(square * t**2) >= 8 * last,
        lambda t: 3 * (F * W * t + K * F**3 * t**2 / 2) < 4 * last,
    )


@three_halves_map_becomes_one_hot.limit("> 0", times=lambda start: _times(start)[::-1], trap=passed_zero(lambda f: f.a[-1]))
def last_score_reaches_zero(limit: Passed, start: ThreeHalvesMapFlow):
    """-b_{p-1} after its zero."""
    return -limit.value
