"""For V = -I and Q^T K > 0 all tokens tend to 0, and attention to the matrix of entries 1/n.

Theorem 8.5 and the remark after it are printed for Q^T K = I. They hold for every symmetric Q^T K > 0, and fail without
symmetry or without positivity.

`only_zero_is_stationary`: If sum_j P_ij x_j = 0 for all i then every token minimises sum_j e^<y, Bx_j>, which is strictly
convex on the span of the tokens. Printed for V = -I, Q^T K = I.

`tokens_collapse_under_minus_identity`: Decided for every start by Lemma T5'' of docs/flow_limits.md, with a rate: 2 sum
|x_i|_B^2 is at most of the order r n/t, r the rank of their differences.

`tokens_stay_bounded_under_minus_identity`: The paper's threshold |x_i|^2 >= 2n at one time, and the sharp threshold omega_n
along trajectories.

`norms_shrink_beyond_omega`: The sharp form of Lemma `l:cas1circle`: a token whose score with itself exceeds omega_n
shrinks. B need not be symmetric.

`interaction_energy_falls`: Equation (e:finiteinegral) made exact: with Z_i = sum_j e^<x_i, Bx_j> and L = sum_i Z_i the
integral of sum_i Z_i |A x_i'|^2 is at most (L(0) - n^2)/2. That L >= n^2 needs B >= 0 (Jensen's inequality).

`interaction_energy_falls_for_dissipative_values`: L' = 2 sum_i Z_i <m_i, BVm_i> with the softmax means m_i, x_i' = V m_i.
So |A x_i|^2 <= log L(0) at all times.

`tokens_collapse_under_any_scores`: Theorem 8.5 without Q^T K > 0. From u and -u with V = Q^T K = -1, u' = u tanh(u^2)
(Lemma F of docs/flow_limits.md).

`tokens_collapse_under_dissipative_scores`: Theorem 8.5 without symmetry. Let Q^T K = G + s J, with G the form in which (1,
0), (0, 1), (-1, -1) is an equilateral triangle and J a quarter turn. For large s each token of the triangle attends to the
next one: the triangle turns and, beyond some size, grows like e^{t/2} (Lemma S of docs/flow_limits.md).

`mirrored_tokens_collapse_like_the_root_of_time`: The constant of the rate for two opposite tokens (Lemma F of
docs/flow_limits.md); for b = 1 it says that t times the covariance tends to 1/2.
"""

import numpy as np
from flint import fmpq

from claims.clusters.setting.hypotheses import (
    definite_symmetric_part,
    dissipative_value,
    invertible_value,
    minus_identity_value,
    some_token,
)
from claims.clusters.setting.hypotheses_for_limits import mirrored_pair
from claims.clusters.setting.notation import form, omega, scores, squared_norms
from claims.clusters.setting.starts import any_or_resting_flow, extremal_flow
from claims.clusters.setting.starts_of_flows import collapsing_start, mirrored_start, triangle_start
from claims.stating.assumptions import definite_key_query, identity_key_query, semidefinite_scores, symmetric_key_query
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, exact, exp, larger, numbers, peak
from dynamics.differentiation import time_derivative
from dynamics.limits import CollapseEnd, MirroredEnd, TurningEnd, collapse_trap, mirrored_trap, triangle_trap
from dynamics.tokens.self_attention import SelfAttentionFlow

section = Section(__name__, refs=("T5",), system=SelfAttentionFlow)

# V is any invertible matrix: x_i' = V m_i is 0 only where the softmax mean m_i is.
only_zero_is_stationary = section.claim(
    where="Lemma l:stationary",
    statement="If Q^T K > 0 and V is invertible then the only stationary configuration is x_1 = ... = x_n = 0.",
    origin=Origin.REPORTED,
    assumptions=(definite_key_query, invertible_value, some_token),
)


@only_zero_is_stationary.state("> 0")
def total_squared_speed(f: SelfAttentionFlow):
    """sum_i |x_i'|^2."""
    return squared_norms(f.drift()).sum(axis=-1)


# Lemma T5'' has no inequality to wait for, so that one early time is enough for every start.
tokens_collapse_under_minus_identity = section.claim(
    where="Theorem 8.5",
    statement="V = -I, Q^T K = I, or symmetric and > 0: x_i(t) -> 0 for every i; and P(t) -> (1/n) 11^T.",
    origin=Origin.REPORTED,
    assumptions=(minus_identity_value, definite_key_query),
    draw=collapsing_start,
)


@tokens_collapse_under_minus_identity.limit("== 0", times=lambda start: [fmpq(1, 8)], trap=collapse_trap)
def limits_of_tokens(end: CollapseEnd, start: SelfAttentionFlow, *, moved=0):
    """lim x_i."""
    return end.limits - moved


@tokens_collapse_under_minus_identity.limit("== 0", times=lambda start: [fmpq(1, 8)], trap=collapse_trap)
def limit_of_attention_less_uniform(end: CollapseEnd, start: SelfAttentionFlow, *, share=1):
    """n P*_ij - 1."""
    return end.attention * len(start.x) - share


@tokens_collapse_under_minus_identity.limit("== 0", times=lambda start: [fmpq(1, 8)], trap=collapse_trap)
def rank_less_one(end: CollapseEnd, start: SelfAttentionFlow, *, one=1):
    """rank P* - 1."""
    return exact([end.rank - one])


tokens_stay_bounded_under_minus_identity = section.claim(
    where="Lemma l:cas1circle",
    statement="If V = -I and Q^T K = I then |x_i| decreases while |x_i|^2 >= 2n, so that tokens stay bounded.",
    origin=Origin.REPORTED,
    assumptions=(minus_identity_value, identity_key_query),
)


# |x_i|^2 + <x_i, x_i'> is the score of i with itself less the softmax mean of its scores: at most omega_n, far below 2n.
@tokens_stay_bounded_under_minus_identity.state(">= 0")
def threshold_less_sizes(f: SelfAttentionFlow, *, times=2):
    """2n - |x_i|^2 - <x_i, x_i'>."""
    return times * f.x.shape[-2] - squared_norms(f.x) - (f.x * f.drift()).sum(axis=-1)


# |x_i|^2 - omega_n shrinks like e^{-2t} where it is positive, and never becomes positive elsewhere.
@tokens_stay_bounded_under_minus_identity.trajectory(">= 0", horizon=lambda start: fmpq(1))
def sizes_below_the_larger_ball(now: SelfAttentionFlow, start: SelfAttentionFlow):
    """max(omega_n, |x_i(0)|^2) - |x_i(t)|^2."""
    threshold, first = omega(len(start.x), start.x).item(), squared_norms(start.x)
    return np.array([larger(size, threshold) for size in first], dtype=object) - squared_norms(now.x)


norms_shrink_beyond_omega = section.claim(
    where="sharpened from Lemma l:cas1circle",
    refs=("G3", "T5", "N1"),
    statement="If V = -I then <x_i, B x_i'> <= -<x_i, B x_i> + omega_n.",
    assumptions=(minus_identity_value,),
    draw=extremal_flow,
)


@norms_shrink_beyond_omega.state(">= 0")
def omega_less_sizes(f: SelfAttentionFlow, *, gap=1):
    """omega_n - <x_i, B x_i> - <x_i, B x_i'>."""
    return gap * omega(f.x.shape[-2], f.x) - form(f.x, f.B, f.x) - form(f.x, f.B, f.drift())


interaction_energy_falls = section.claim(
    where="equation (e:finiteinegral)",
    statement="If V = -I and B = B^T then d/dt sum_ij e^{<x_i, Bx_j>} = -2 sum_i Z_i <x_i', B x_i'>.",
    assumptions=(minus_identity_value, symmetric_key_query),
)


# L itself overflows floats. It is divided by a number that is held fixed, which changes no sign.
def top(f: SelfAttentionFlow) -> Array:
    """The largest score, to divide the energy by its exponential, shape (..., 1, 1)."""
    return peak(peak(scores(f.x, f.B)).swapaxes(-1, -2))


def energy(f: SelfAttentionFlow, shift: Array) -> Array:
    """sum_ij e^{<x_i, Bx_j> - shift}, shape (...)."""
    return exp(numbers(scores(f.x, f.B) - shift)).sum(axis=(-2, -1))


# The energy is differentiated along the flow, the formula is not: it has the weights Z_i and the speeds.
@interaction_energy_falls.identity()
def rate_less_formula(f: SelfAttentionFlow, *, times=2):
    """L' + 2 sum_i Z_i <x_i', B x_i'>, divided by the largest e^<x_i, Bx_j>."""
    shift, v = top(f), f.drift()
    Z = exp(numbers(scores(f.x, f.B) - shift)).sum(axis=-1)
    return time_derivative(lambda g: energy(g, shift), f) + times * (Z * form(v, f.B, v)).sum(axis=-1)


# Jensen: sum_ij e^{s_ij} >= n^2 e^{mean s}, and the mean score is <m, B m> >= 0 for the mean m of the tokens.
@interaction_energy_falls.state(">= 0", assuming=(semidefinite_scores,))
def energy_less_its_least(f: SelfAttentionFlow, *, share=1):
    """(L - n^2) e^{-m}, m the largest score."""
    shift = top(f)
    return energy(f, shift) - share * f.x.shape[-2] ** 2 * exp(-shift)[..., 0, 0]


# V = -I is the case in which <BVy, y> = -<By, y>; nothing else of it is used.
interaction_energy_falls_for_dissipative_values = section.claim(
    where="Theorem 8.5, generalised",
    statement="If Q^T K > 0 and <BVy, y> <= 0 for all y then sum_ij e^{<x_i, Bx_j>} is nonincreasing.",
    assumptions=(definite_key_query, dissipative_value),
    draw=any_or_resting_flow,
)


@interaction_energy_falls_for_dissipative_values.state(">= 0")
def fall(f: SelfAttentionFlow):
    """-L' divided by the largest e^<x_i, Bx_j>."""
    shift = top(f)
    return -time_derivative(lambda g: energy(g, shift), f)


tokens_collapse_under_any_scores = section.claim(
    where="Theorem 8.5, any Q^T K",
    note=(
        "For V = Q^T K = -1 the tokens 1 and -1 attend to each other and move apart without bound. For V = -I and Q^T K = "
        "I all tokens tend to 0."
    ),
    statement="V = -I, any Q^T K: x_i(t) -> 0 for every i.",
    assumptions=(mirrored_pair, minus_identity_value),
    draw=mirrored_start,
    corrected_by="clusters.tokens_collapse_under_minus_identity",
)


# Lemma F decides by a sign of the exact start: any time will do.
@tokens_collapse_under_any_scores.limit(
    "== 0", times=lambda start: [fmpq(1, 8)], trap=mirrored_trap, name="tokens_that_run_off"
)
def tokens_that_run_off_under_any_scores(end: MirroredEnd, start: SelfAttentionFlow):
    """The number of x_i that grow without bound."""
    return exact([len(start.x) * int(end.runs_off)])


# The symmetric part of Q^T K is definite: so <x, Bx> > 0 alone does not make tokens collapse.
tokens_collapse_under_dissipative_scores = section.claim(
    where="Theorem 8.5, Q^T K not symmetric",
    refs=("T5", "CE14"),
    note=(
        "For V = -I and Q^T K = [[1, -3], [2, 1]] each of (1, 0), (0, 1), (-1, -1) attends to another one: the triangle "
        "turns around 0 and grows without bound. For Q^T K = I all tokens tend to 0."
    ),
    statement="V = -I and Q^T K + K^T Q > 0: x_i -> 0.",
    assumptions=(minus_identity_value, definite_symmetric_part),
    draw=triangle_start,
    corrected_by="clusters.tokens_collapse_under_minus_identity",
)


# By symmetry one token tells of all three (Lemma S), from the start on.
@tokens_collapse_under_dissipative_scores.limit(
    "== 0", times=lambda start: [fmpq(1, 64)], trap=triangle_trap, name="tokens_that_run_off"
)
def dissipated_tokens_that_run_off(end: TurningEnd, start: SelfAttentionFlow):
    """How many tokens run off."""
    return exact([len(start.x) * int(end.runs_off)])


mirrored_tokens_collapse_like_the_root_of_time = section.claim(
    where="Theorem 8.5, its rate for two opposite tokens",
    refs=("N6", "T5"),
    statement="V = -1, Q^T K = b > 0, x_2(0) = -x_1(0): 2 b t x_i^2 -> 1.",
    assumptions=(mirrored_pair, minus_identity_value, definite_key_query),
    draw=mirrored_start,
)


# (1/(2 u^2))' = |v| tanh(|b| u^2)/u^2 tends to |v b| as u falls to 0.
@mirrored_tokens_collapse_like_the_root_of_time.limit("== 0", times=lambda start: [fmpq(1, 8)], trap=mirrored_trap)
def scaled_square_less_one(end: MirroredEnd, start: SelfAttentionFlow, *, half=2):
    """lim 2 b t x_i^2 - 1 where tokens tend to 0, and whether they run off instead."""
    return exact([half * start.B[0, 0] / (2 * end.loss) - 1, int(end.runs_off)])
