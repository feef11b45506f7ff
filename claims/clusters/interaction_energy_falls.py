"""With V = -I the energy L = sum_ij e^<x_i, Bx_j> falls at the rate 2 sum_i Z_i <x_i', Bx_i'>, and is at least n^2.

Equation `e:finiteinegral` (clusters T5), made exact: Z_i = sum_j e^<x_i, Bx_j>, so that the integral of sum_i Z_i |A
x_i'|^2 is (L(0) - n^2)/2 at most. B symmetric; L >= n^2 needs B >= 0, by Jensen's inequality.
"""

from claims.assumptions import semidefinite_scores, symmetric_key_query
from claims.clusters.setting import form, minus_identity_value, scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, exp, numbers, peak
from dynamics.differentiation import time_derivative
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(
    __name__,
    where="equation (e:finiteinegral)",
    refs=("T5",),
    statement="If V = -I and B = B^T then d/dt sum_ij e^{<x_i, Bx_j>} = -2 sum_i Z_i <x_i', B x_i'>.",
    origin=Origin.OURS,
    system=SelfAttentionFlow,
    assumptions=(minus_identity_value, symmetric_key_query),
)


def top(f: SelfAttentionFlow) -> Array:
    """The largest score, to divide the energy by its exponential, shape (..., 1, 1)."""
    return peak(peak(scores(f.x, f.B)).swapaxes(-1, -2))


def energy(f: SelfAttentionFlow, shift: Array) -> Array:
    """sum_ij e^{<x_i, Bx_j> - shift}, shape (...)."""
    return exp(numbers(scores(f.x, f.B) - shift)).sum(axis=(-2, -1))


@claim.identity()
def rate_less_formula(f: SelfAttentionFlow, *, times=2):
    """L' + 2 sum_i Z_i <x_i', B x_i'>, divided by the largest e^<x_i, Bx_j>."""
    shift, v = top(f), f.drift()
    Z = exp(numbers(scores(f.x, f.B) - shift)).sum(axis=-1)
    return time_derivative(lambda g: energy(g, shift), f) + times * (Z * form(v, f.B, v)).sum(axis=-1)


@claim.state(">= 0", assuming=(semidefinite_scores,))
def energy_less_its_least(f: SelfAttentionFlow, *, share=1):
    """(L - n^2) e^{-m}, m the largest score."""
    shift = top(f)
    return energy(f, shift) - share * f.x.shape[-2] ** 2 * exp(-shift)[..., 0, 0]
