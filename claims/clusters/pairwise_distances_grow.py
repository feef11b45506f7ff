"""For V = I and Q^T K >= 0 distances between tokens, measured in the form of Q^T K, never shrink.

The lemma on the slides, "any d >= 1" (`l:distnondec`), has Q^T K = V = I and the Euclidean distance. What is sharper: it
holds for symmetric Q^T K in the form of Q^T K, and the Euclidean distance may shrink.

`tokens_climb_log_sum_exp`: The proof of the lemma: each token climbs the convex f(y) = log sum_j e^<y, x_j>, whose Hessian
is the covariance of the tokens under softmax. The velocity is also that of the continuity equation on slide "What can we
expect?": the empirical measure divides the sum by n, which does not change the gradient.

`pairwise_distances_grow`: <x_i' - x_j', x_i - x_j> >= 0 because f is convex; it equals KL(P_i|P_j) + KL(P_j|P_i). On the
slides QK = V = 1, for d > 1 read as Q^T K = V = I.

`gaps_grow_by_their_cube`: As gaps do not shrink, tokens that are not all at one place cannot all stay bounded.

`order_is_kept_on_the_line`: So tokens that are distinct at the start never collide.

`euclidean_distances_grow_under_definite_scores`: The lemma under the hypothesis Q^T K > 0 of the theorems around it; false
for d >= 2.

`distances_grow_in_the_values_form`: <M(x_i - x_j), x_i' - x_j'> is sum_k (P_ik - P_jk) <x_i - x_j, B x_k>, the same sum of
two divergences. For V = I, M is the form of the scores; for Q^T K = I and symmetric V it is V^{-1}.

`key_query_distances_grow`: <x_i - x_j, B x_k> is log(P_ik / P_jk) up to a constant, so half the rate is KL(P_i|P_j) +
KL(P_j|P_i). The form is a squared distance for B > 0; the inequality needs only symmetry.
"""

import numpy as np
from flint import fmpq

from claims.clusters.setting.hypotheses import on_the_line, ordered_tokens, symmetric_up_to_values
from claims.clusters.setting.notation import sizes
from claims.stating.assumptions import definite_key_query, identity_key_query, identity_value, symmetric_key_query
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import Array, exp, inverse, log, numbers, transposed
from dynamics.attention import softmax
from dynamics.differentiation import jacobian
from dynamics.tokens.self_attention import SelfAttentionFlow

section = Section(__name__, refs=("L1",), system=SelfAttentionFlow, assumptions=(identity_value, identity_key_query))

tokens_climb_log_sum_exp = section.claim(
    where="slide 'Lemma (any d >= 1)', its proof",
    refs=("L0", "M1"),
    statement="Have x_i'(t) = nabla f(x_i(t)) where f(z) = log sum_{j=1}^n e^{<z, x_j>} is convex.",
    origin=Origin.PRINTED,
)


# Without the usual shift by the largest score: f itself is differentiated, and a maximum has kinks.
def log_sum_exp(y: Array, x: Array) -> Array:
    """log sum_j e^<y_i, x_j>, shape (..., n); for lengths at which floats do not overflow."""
    return log(numbers(exp(y @ transposed(x)).sum(axis=-1)))


# f is differentiated and not its gradient written down, so that the two sides share no formula.
@tokens_climb_log_sum_exp.identity()
def velocity_less_gradient(f: SelfAttentionFlow, *, slope=1):
    """x_i' - grad f(x_i)."""
    rates = jacobian(lambda y: log_sum_exp(y, f.x).sum(axis=-1), f.x, axes=2)
    return f.drift() - slope * rates


# The differences of tokens span all directions in which the covariance is not 0.
@tokens_climb_log_sum_exp.state(">= 0")
def curvature(f: SelfAttentionFlow):
    """<(D grad f)(x_i) h, h> for h the differences x_k - x_i, by differentiating the gradient."""
    apart = f.x[..., None, :, :] - f.x[..., :, None, :]
    means = jacobian(lambda y: softmax(y @ transposed(f.x)) @ f.x, f.x, axes=2)
    own = np.stack([means[..., i, :, i, :] for i in range(f.x.shape[-2])], axis=-3)
    return ((apart @ transposed(own)) * apart).sum(axis=-1)


pairwise_distances_grow = section.claim(
    where="slide 'Lemma (any d >= 1)', proof of Theorem 1",
    statement="Setup: d = 1, QK = V = 1. Lemma (any d >= 1) t -> ||x_i(t) - x_j(t)|| is increasing for any i, j in [n].",
    origin=Origin.PRINTED,
)


@pairwise_distances_grow.state(">= 0")
def separation_rate(f: SelfAttentionFlow):
    """<x_i' - x_j', x_i - x_j> for every pair i < j."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    v = f.drift()
    return ((v[..., i, :] - v[..., j, :]) * (f.x[..., i, :] - f.x[..., j, :])).sum(axis=-1)


# The flow is autonomous: what grows for a short time from every start grows for ever. A longer enclosure costs more, and
# tells nothing new.
@pairwise_distances_grow.trajectory(">= 0", horizon=lambda start: fmpq(1))
def distances_never_fall_below_start(now: SelfAttentionFlow, start: SelfAttentionFlow):
    """|x_i(t) - x_j(t)|^2 - |x_i(0) - x_j(0)|^2 for the pairs that start apart."""
    return _squared_distances(now, start) - _squared_distances(start, start)


# Strict: of two distinct tokens <x_i - x_j, .> is different at x_i and x_j, so that their rows are never equal.
@pairwise_distances_grow.trajectory("> 0", horizon=lambda start: fmpq(1))
def distances_grow_at_every_time(now: SelfAttentionFlow, start: SelfAttentionFlow):
    """<x_i' - x_j', x_i - x_j> at every time, strictly, for the pairs that start apart; the others stay together."""
    i, j = _pairs_apart(start)
    v = now.drift()
    return ((v[i] - v[j]) * (now.x[i] - now.x[j])).sum(axis=-1)


# Tokens in one place stay together, since solutions are unique. Their difference is a ball around 0, whose sign no
# precision tells.
def _pairs_apart(start: SelfAttentionFlow):
    i, j = np.triu_indices(len(start.x), 1)
    apart = (start.x[i] != start.x[j]).any(axis=-1)
    return i[apart], j[apart]


def _squared_distances(f: SelfAttentionFlow, start: SelfAttentionFlow):
    i, j = _pairs_apart(start)
    return ((f.x[i] - f.x[j]) ** 2).sum(axis=-1)


gaps_grow_by_their_cube = section.claim(
    where="Lemma l:distnondec, its quantitative form",
    refs=("L1", "L5"),
    statement="If d = V = Q^T K = 1 and all |x_k| <= R then x_j' - x_i' >= e^{-2R^2}/(2n) (x_j - x_i)^3 for x_i <= x_j.",
    origin=Origin.REPORTED,
    assumptions=(on_the_line, identity_value, identity_key_query, ordered_tokens),
)


# x_j' - x_i' is the integral over [x_i, x_j] of the variance under softmax. A variance is at least min_k P_k (x_j -
# x_i)^2/2, and P_k >= e^{-2 R^2}/n within |y| <= R.
@gaps_grow_by_their_cube.state(">= 0")
def rate_less_cube(f: SelfAttentionFlow, *, room=2):
    """x_j' - x_i' - e^{-2R^2}/(2n) (x_j - x_i)^3 for i < j, with R the largest |x_k|."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    x, v = f.x[..., 0], f.drift()[..., 0]
    weight = exp(-2 * sizes(x**2)) / (room * x.shape[-1])
    return v[..., j] - v[..., i] - weight[..., None] * (x[..., j] - x[..., i]) ** 3


# Neighbours are enough: all other gaps are sums of theirs.
order_is_kept_on_the_line = section.claim(
    where="equation (e:infdist), after Lemma l:distnondec",
    refs=("L1", "L3"),
    statement="If d = V = Q^T K = 1 and x_1(0) < ... < x_n(0), then x_{i+1}(t) - x_i(t) >= x_{i+1}(0) - x_i(0) > 0.",
    origin=Origin.REPORTED,
    assumptions=(on_the_line, identity_value, identity_key_query, ordered_tokens),
)


@order_is_kept_on_the_line.trajectory("> 0", horizon=lambda start: fmpq(1))
def gaps_exceed_the_first_ones(now: SelfAttentionFlow, start: SelfAttentionFlow):
    """x_{i+1}(t) - x_i(t) less what it was at the start."""
    after, before = now.x[..., 0], start.x[..., 0]
    return (after[..., 1:] - after[..., :-1]) - (before[..., 1:] - before[..., :-1])


# The lemma stands between theorems for Q^T K > 0, and a reader may carry that hypothesis over.
euclidean_distances_grow_under_definite_scores = section.claim(
    where="slide 'Lemma (any d >= 1)', under the hypothesis of the slides' Theorem 2",
    note=(
        "Scores stretch space: for Q^T K = diag(1, 4) and a third token at (-4, 4) the distance between (1, 1) and (0, 0) "
        "shrinks at first, since <x_i' - x_j', x_i - x_j> = -0.66. What never shrinks is <B (x_i - x_j), x_i - x_j>."
    ),
    statement="If V = I and Q^T K > 0 then t -> |x_i(t) - x_j(t)| is nondecreasing for all i, j.",
    origin=Origin.CARRIED_OVER,
    assumptions=(identity_value, definite_key_query),
    corrected_by="clusters.key_query_distances_grow",
)

euclidean_distances_grow_under_definite_scores.state(">= 0")(separation_rate)

distances_grow_in_the_values_form = section.claim(
    where="Lemma l:distnondec, generalised",
    statement="If Q^T K = M V with M symmetric then t -> <M(x_i - x_j), x_i - x_j> is nondecreasing for all i, j.",
    assumptions=(symmetric_up_to_values,),
)


# M + M^T and not 2 M: without the hypothesis M need not be symmetric, and the rate of the form is asked all the same.
@distances_grow_in_the_values_form.state(">= 0", name="separation_rate")
def separation_rate_in_the_values_form(f: SelfAttentionFlow):
    """d/dt <M(x_i - x_j), x_i - x_j> for every pair i < j, by the product rule, with M = B V^{-1}."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    v = f.drift()
    gap, rate = f.x[..., i, :] - f.x[..., j, :], v[..., i, :] - v[..., j, :]
    M = f.B @ inverse(f.V)
    return (rate @ (M + M.swapaxes(-1, -2)) * gap).sum(axis=-1)


# No sign of B is asked. Where B is not definite the form is no squared distance, and grows nevertheless.
key_query_distances_grow = section.claim(
    where="Lemma l:distnondec, generalised",
    statement="If V = I and B = Q^T K is symmetric then t -> <B (x_i - x_j), x_i - x_j> is nondecreasing for all i, j.",
    assumptions=(identity_value, symmetric_key_query),
)


@key_query_distances_grow.state(">= 0")
def key_query_separation_rate(f: SelfAttentionFlow):
    """d/dt <B (x_i - x_j), x_i - x_j> for every pair i < j, by the product rule."""
    i, j = np.triu_indices(f.x.shape[-2], 1)
    v = f.drift()
    gap, rate = f.x[..., i, :] - f.x[..., j, :], v[..., i, :] - v[..., j, :]
    return (rate @ (f.B + f.B.swapaxes(-1, -2)) * gap).sum(axis=-1)
