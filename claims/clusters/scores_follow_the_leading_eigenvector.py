"""Up to C e^{(lambda_1 + |lambda_2|) t} a score is c e^{2 lambda_1 t} f_i f_j, with c = <Q phi_1, K phi_1>.

Clusters Q4, `e:majorizeweights`, with C = sum over the other pairs of |<Q phi_k, K phi_l>| C_k C_l and C_k the largest
|phi_k^*(x_j)| at the start. It follows at once from the growth of coordinates; decided at a state, times the growth since.
"""

import numpy as np
from flint import fmpq

from claims.clusters.setting import diagonal_value, scores, sizes, sorted_rates
from claims.clusters.setting.starts import one_pair_or_any
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, exp, indicator, transposed
from dynamics.tokens.self_attention import RescaledFlow

ALMOST_ONE = fmpq(65, 64)
"""Above 1, where the bound is attained: no ball tells that nothing is left."""


claim = Claim(
    __name__,
    where="equation (e:majorizeweights)",
    refs=("Q4",),
    statement=(
        "If lambda_1 > |lambda_2| >= ... then |w_ij - c e^{2 lambda_1 t} f_i f_j| <= C e^{(lambda_1 + |lambda_2|) t}, "
        "c = <Q phi_1, K phi_1>."
    ),
    origin=Origin.REPORTED,
    system=RescaledFlow,
    assumptions=(diagonal_value, sorted_rates),
    draw=one_pair_or_any,
    equivalent={
        "bound_less_remainder, in other_pairs: 1 - first => 21/20 - first": (
            "C only grows, and where it was 0 so is the remainder."
        ),
        "bound_less_remainder, in other_pairs: 1 - first => 1001/1000 - first": (
            "C only grows, and where it was 0 so is the remainder."
        ),
        "bound_less_remainder: share = 65/64 => 12987/12800": "Any share above 1 holds.",
    },
)


def in_x(f: RescaledFlow) -> Array:
    """x = e^{tV} z for diagonal V."""
    return f.z * exp(f.V.diagonal(axis1=-2, axis2=-1) * f.t[..., None])[..., None, :]


def other_pairs(f: RescaledFlow, start: RescaledFlow) -> Array:
    """C: the sum over (k, l) != (1, 1) of |B_kl| C_k C_l, shape (..., 1, 1)."""
    most = sizes(abs(transposed(in_x(start))))
    d = f.V.shape[-1]
    first = indicator(np.arange(d * d).reshape(d, d) == 0, f.V)
    return (abs(f.B) * (1 - first) * most[..., :, None] * most[..., None, :]).sum(axis=(-2, -1))[..., None, None]


def growth(f: RescaledFlow, start: RescaledFlow) -> Array:
    """e^{(lambda_1 + |lambda_2|) t} since the start, shape (..., 1, 1); |lambda_2| = 0 on the line."""
    second = abs(f.V[..., 1, 1]) if f.V.shape[-1] > 1 else 0 * f.V[..., 0, 0]
    return exp((f.V[..., 0, 0] + second) * (f.t - start.t))[..., None, None]


def remainder(f: RescaledFlow) -> Array:
    """w_ij - c e^{2 lambda_1 t} f_i f_j, shape (..., n, n)."""
    x = in_x(f)
    return scores(x, f.B) - f.B[..., :1, :1] * x[..., :1] * transposed(x[..., :1])


@claim.rate(">= 0", horizon=lambda start: fmpq(1, 4))
def bound_less_remainder(now: RescaledFlow, start: RescaledFlow, *, share=ALMOST_ONE):
    """share C e^{(lambda_1 + |lambda_2|) t} - |w_ij - c e^{2 lambda_1 t} f_i f_j|, where C is not 0."""
    bound = other_pairs(start, start) * int(share.p) / int(share.q)
    if not (bound != 0).all():
        return bound[:0, 0]
    rest = remainder(now)
    grown = bound * growth(now, start)
    return np.concatenate([grown - rest, grown + rest])
