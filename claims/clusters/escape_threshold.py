"""For V = I and symmetric Q^T K a token whose score with itself exceeds omega_n = W((n - 1)/e) escapes; this is sharp.

Lemma `l:auxiliary` has, on the line with V = Q^T K = 1, the threshold A, the root of A^2 = n^2 e^{-A^2}, instead of
sqrt(omega_n): for n = 2 it is 1.096 instead of 0.528.

`drift_of_a_positive_token`: The two bounds in the proof of the lemma. x_i x_i' >= x_i^2 - omega_n is sharper than the
first.

`tokens_beyond_the_printed_threshold_grow`: The lemma's growth, as an inequality at one time; its exponential growth
follows.

`norms_grow_beyond_omega`: <x_i, B x_i'> is the softmax mean of the scores of token i, so at least their maximum less
omega_n. B need not be symmetric; if it is, this is half the rate of <x_i, B x_i>.

`escape_threshold_is_sharp`: On the line with V = Q^T K = 1 the token x among n - 1 others at -1/x satisfies x_1 x_1'
(e^{x^2} + (n - 1)/e) = x^2 e^{x^2} - (n - 1)/e, so it moves away from 0 exactly if x^2 > omega_n.

`tokens_outside_the_ball_escape`: The lemma in sharp and explicit form: a token outside the ball |Ax|^2 = omega_n escapes.
In z = e^{-t} x it says that <z_i, B z_i> - omega_n e^{-2t} never falls.
"""

import math

import numpy as np
from flint import fmpq

from claims.clusters.setting.hypotheses import on_the_line, symmetric_or_wider
from claims.clusters.setting.notation import form, omega
from claims.clusters.setting.starts import extremal_flow, extremal_rescaled_flow
from claims.stating.assumptions import identity_key_query, identity_value
from claims.stating.statement import Assumption, Draws, Origin, Section
from dynamics.arithmetic import Array, exp, exp_difference, indicator, lambert_w, numbers
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

section = Section(__name__, system=SelfAttentionFlow, assumptions=(on_the_line, identity_value, identity_key_query))


# omega_n + 1 is 2.1 for n = 10. The others' scores with the small token, -2, are about that much below its own, and there
# the softmax mean misses the maximum by most.
def _any_or_one_of_many(draws: Draws) -> SelfAttentionFlow:
    """Up to four tokens on the line; or one near 0 among eight to eleven others whose scores with it are -2."""
    if draws.choice(("any", "one of many")) == "any":
        x = draws.dyadic(draws.integer(1, 4), 1, size=2)
    else:
        units = 0 * draws.dyadic(draws.integer(9, 12), 1) - 8
        x = np.concatenate([-units[..., :1, :] / 32, units[..., 1:, :]], axis=-2) * draws.choice((1, -1))
    return SelfAttentionFlow(x=x, B=0 * x[..., :1, :] + 1, V=0 * x[..., :1, :] + 1)


drift_of_a_positive_token = section.claim(
    where="Lemma l:auxiliary, its proof",
    refs=("L2",),
    statement="If d = V = Q^T K = 1 and x_i = a > 0, then x_i' >= a - n/a and x_i' >= a/n - n e^{-a^2}/a.",
    origin=Origin.REPORTED,
    draw=_any_or_one_of_many,
)


@drift_of_a_positive_token.state(">= 0")
def speed_less_first_bound(f: SelfAttentionFlow, *, share=1):
    """x_i x_i' - x_i^2 + n, which is the statement times |x_i|, for either sign of x_i."""
    x, v = f.x[..., 0], f.drift()[..., 0]
    return x * v - x**2 + share * f.x.shape[-2]


# The largest token has a weight of at least 1/n. A token y < 0 takes off at most e^{-x^2}/(e x), since y e^{xy} >= -1/(e x)
# and the weights are divided by at least e^{x^2}.
@drift_of_a_positive_token.state(">= 0")
def speed_less_second_bound(f: SelfAttentionFlow, *, part=1):
    """n x_i x_i' - x_i^2 + n^2 e^{-x_i^2}, in the same way, times n."""
    x, v, n = f.x[..., 0], f.drift()[..., 0], f.x.shape[-2]
    square = x**2
    return np.asarray(n * x * v - part * square + n**2 * exp(numbers(-square)))


# It follows from `norms_grow_beyond_omega`, as omega_n = W((n - 1)/e) < W(n^2) = A^2. It is stated as printed all the same.
tokens_beyond_the_printed_threshold_grow = section.claim(
    where="Lemma l:auxiliary",
    refs=("L2",),
    statement="With d = V = Q^T K = 1 and A^2 = n^2 e^{-A^2}, a token beyond A escapes: x_i^2 - A^2 <= x_i x_i'.",
    origin=Origin.REPORTED,
)


@tokens_beyond_the_printed_threshold_grow.state(">= 0")
def growth_less_excess(f: SelfAttentionFlow, *, squares=1):
    """x_i x_i' - x_i^2 + A^2, with A^2 = W(n^2)."""
    x, v, n = f.x[..., 0], f.drift()[..., 0], f.x.shape[-2]
    threshold = lambert_w(n * n * squares * indicator(np.ones((), dtype=bool), f.x))
    return x * v - x**2 + threshold


norms_grow_beyond_omega = section.claim(
    where="sharpened from Lemma l:auxiliary",
    refs=("G1", "L2", "N1"),
    statement="If V = I then <x_i, B x_i'> >= <x_i, B x_i> - omega_n.",
    assumptions=(identity_value,),
    draw=extremal_flow,
)


# V = I, so the speed is the mean of the tokens under softmax, and <x_i, B x_i'> the mean of the scores.
@norms_grow_beyond_omega.state(">= 0")
def growth_less_size(f: SelfAttentionFlow, *, gap=1):
    """<x_i, B x_i'> - <x_i, B x_i> + omega_n."""
    return form(f.x, f.B, f.drift()) - form(f.x, f.B, f.x) + gap * omega(f.x.shape[-2], f.x)


# Only for this conclusion B has to be symmetric: else <x_i, B x_i'> is not half the rate of <x_i, B x_i>.
@norms_grow_beyond_omega.state(">= 0", assuming=(identity_value, symmetric_or_wider))
def half_the_rate_less_size(f: SelfAttentionFlow, *, gap=1):
    """(1/2) d/dt <x_i, B x_i> - <x_i, B x_i> + omega_n, by the product rule."""
    v = f.drift()
    half = (form(v, f.B, f.x) + form(f.x, f.B, v)) / 2
    return half - form(f.x, f.B, f.x) + gap * omega(f.x.shape[-2], f.x)


SMALLEST = 1 << 6


# Powers of two, for which -1/x is exact in floats; the 1/64 keeps x_1 away from 0.
def _reciprocal(x: Array) -> Array:
    """(x, -1/x, ..., -1/x) with x > 0 from the first token, shape (..., n, 1), n > 1; of floats a power of two."""
    first = abs(x[..., :1, :]) + (1 / indicator(np.ones((), dtype=bool), x)) / SMALLEST
    if first.dtype != object:
        # The reciprocal of a power of two is exact in float64: x_1 x_i = -1 to the last bit.
        first = np.exp2(np.round(np.log2(first)))
    return np.asarray(np.concatenate([first, *[-1 / first] * max(1, x.shape[-2] - 1)], axis=-2))


def _is_reciprocal(x: Array) -> bool:
    return len(x) > 1 and x[0, 0] > 0 and bool((x[1:, 0] * x[0, 0] == -1).all())


# The others have the score -1 with the first, which is 1 + omega_n below its own, x^2, where x^2 = omega_n: equality in the
# softmax inequality.
others_at_minus_reciprocal = Assumption(
    "others_at_minus_reciprocal",
    "x_1 > 0 and x_i = -1/x_1 for i > 1, n > 1",
    satisfies=lambda f: _is_reciprocal(f.x),
    restrict=lambda f: f.replace(x=_reciprocal(f.x)),
    # Of one sign: no product is -1.
    violate=lambda f, draws: f.replace(x=abs(f.x) / draws.choice((8, 2))),
)

escape_threshold_is_sharp = section.claim(
    where="sharpness of the threshold in Lemma l:auxiliary",
    refs=("L2", "N1"),
    statement="For tokens x, -1/x, ..., -1/x the velocity of the first has the sign of x^2 - W((n - 1)/e).",
    assumptions=(on_the_line, identity_value, identity_key_query, others_at_minus_reciprocal),
)


# One product, and not two signs: both factors vanish together.
@escape_threshold_is_sharp.state(">= 0")
def velocity_times_excess(f: SelfAttentionFlow, *, threshold=1):
    """x_1' (x_1^2 - omega_n)."""
    return f.drift()[..., 0, 0] * (f.x[..., 0, 0] ** 2 - threshold * omega(f.x.shape[-2], f.x))


# Multiplied by the sum of the exponentials: what is left is an identity between exponentials, without a quotient.
@escape_threshold_is_sharp.identity()
def velocity_less_formula(f: SelfAttentionFlow, *, others=1):
    """x_1 x_1' (e^{x^2} + (n - 1)/e) - x^2 e^{x^2} + (n - 1)/e."""
    x, v, n = f.x[..., 0, 0], f.drift()[..., 0, 0], f.x.shape[-2]
    own = exp(numbers(x**2))
    rest = (n - 1) * exp(-indicator(np.ones((), dtype=bool), f.x)) * others
    return x * v * (own + rest) - x**2 * own + rest


PLACES = 20
"""Bits of the rational that replaces e^{-2t}."""


def _extremal_at_any_time(draws: Draws) -> RescaledFlow:
    """A start at which the mean score misses the largest by nearly omega_n; at time t with e^{-2t} B for B."""
    f, time = extremal_rescaled_flow(draws), draws.integer(0, 3)
    # Scores in z are weighed with e^{2t}: a B that is so much smaller keeps the start extremal at its time.
    return f.replace(B=f.B * round(math.exp(-2 * time) * 2**PLACES) / 2**PLACES, t=f.t + time)


tokens_outside_the_ball_escape = section.claim(
    where="sharpened from Lemma l:auxiliary",
    refs=("L2", "G1", "G2"),
    statement="If V = I and B = B^T then <x_i, Bx_i>(t) - omega_n >= (<x_i, Bx_i>(s) - omega_n) e^{2(t - s)} for t >= s.",
    system=RescaledFlow,
    assumptions=(identity_value, symmetric_or_wider),
    draw=_extremal_at_any_time,
)


# Times e^{-2t} all terms stay bounded, and the exponentials are subtracted without cancellation. One unit of time is
# enough, for any state may be a start.
@tokens_outside_the_ball_escape.rate(">= 0", horizon=lambda start: fmpq(1))
def rescaled_size_falls_by_less_than_omega(now: RescaledFlow, start: RescaledFlow, *, pace=2):
    """<z_i, Bz_i>(t) - <z_i, Bz_i>(s) + omega_n (e^{-2s} - e^{-2t}): the statement times e^{-2t}."""
    if len(start.z) == 1:
        return 0 * start.z[:, 0]  # one token alone stays where it is: exactly 0, where two balls would differ
    threshold = omega(len(start.z), start.z) * exp_difference(-pace * start.t, -pace * now.t)
    return form(now.z, now.B, now.z) - form(start.z, start.B, start.z) + threshold
