"""For two scores the flow is integrable, and the winner is known from the start.

`two_scores_are_integrable`: With w = u_0 - u_1 and b = a_0 - a_1, and for p - 1 tied losers,

    w^2/2 - (K/p) (e^b + (p - 2) b + (p - 1) e^{-b})

is constant (S6); for p = 2 it is w^2/2 - K cosh b. There Z = w + 2 sqrt(K) sinh(b/2) satisfies Z' = sqrt(K) Z / (2
cosh(b/2)), and w - 2 sqrt(K) sinh(b/2) decays by the same factor: s -> e_0 where Z(0) > 0 and s -> e_1 where Z(0) < 0.
So Theorem 3.3 needs some hypothesis on a(0): from a(0) = (-1, 1), K = 1, index 0 wins only if u_0(0) - u_1(0) > 2 sinh
1.

`two_scores_have_a_closed_form`: From a(0) = 0, u(0) = (c + sqrt K, c - sqrt K), with x = sqrt(K) tau / 2,

    a_0 = -a_1 = asinh x,    u = c + K tau / 2 +- sqrt(K) sqrt(1 + x^2),
    m = c + K tau,           t = tau + e^c (e^{K tau} - 1) / K.

The curve starts at tau = 0 and has the velocity of the field at each of its points, so it is the trajectory. A drawn
a_0 gives x, and c is the drawn u_0.
"""

import numpy as np

from claims.polarization.setting.scores import tied_losers, two_scores, two_scores_only
from claims.stating.statement import Section
from dynamics.arithmetic import exp, exp_difference, numbers, sqrt
from dynamics.training.value_softmax import LogisticFlow

# Any number of tied losers has the energy; the basin and the closed form are for p = 2.
section = Section(__name__, system=LogisticFlow)

two_scores_are_integrable = section.claim(
    where="beside Theorem 3.3",
    refs=("S6", "H1"),
    statement="For p = 2, s -> e_0 if and only if u_0 - u_1 + 2 |beta_*| sinh((a_0 - a_1)/2) > 0 at the start.",
    assumptions=(two_scores, tied_losers),
)


def _pair(values):
    return values[..., 0] - values[..., 1]


# w' = K (s_0 - s_1) and b' come from the flow; the force is dE/db, so the sum vanishes identically.
@two_scores_are_integrable.identity()
def energy_is_conserved(f: LogisticFlow, *, K_factor=1):
    """d/dtau of the energy: w w' - (K/p)(e^b + p - 2 - (p - 1) e^{-b}) b'."""
    p, b = f.a.shape[-1], _pair(f.a)
    force = exp(b) + (p - 2) - (p - 1) * exp(-b)
    return _pair(f.u) * _pair(f.du_dtau()) - K_factor * f.K / p * force * _pair(f.da_dtau())


def basin(f):
    """w + 2 sqrt(K) sinh(b/2) and w - 2 sqrt(K) sinh(b/2), shape (..., 2)."""
    half = _pair(f.a) / 2
    arm = sqrt(f.K) * (exp(half) - exp(-half))
    return np.stack([_pair(f.u) + arm, _pair(f.u) - arm], axis=-1)


# Z' has the sign of Z: its zero set cannot be crossed, which parts the two basins.
@two_scores_are_integrable.identity(assuming=(two_scores_only,))
def basin_coordinates_grow_and_decay(f: LogisticFlow, *, speed=1):
    """2 cosh(b/2) Z' -+ sqrt(K) Z for Z = w +- 2 sqrt(K) sinh(b/2)."""
    half = _pair(f.a) / 2
    double_cosh, root = exp(half) + exp(-half), sqrt(f.K)
    arm = root * double_cosh / 2 * _pair(f.da_dtau())
    dZ = np.stack([_pair(f.du_dtau()) + arm, _pair(f.du_dtau()) - arm], axis=-1)
    Z = basin(f)
    return double_cosh[..., None] * dZ - speed * root[..., None] * np.stack([Z[..., 0], -Z[..., 1]], axis=-1)


two_scores_have_a_closed_form = section.claim(
    where="Theorem 3.3, solved for p = 2",
    refs=("S6", "S2"),
    statement="For p = 2 and u_0(0) - u_1(0) = 2 |beta_*|: sinh(a_0) = |beta_*| tau / 2 and m = m(0) + K tau.",
    assumptions=(two_scores,),
)


def _pair_in_time(first, second):
    return np.concatenate([numbers(first)[..., None], numbers(second)[..., None]], axis=-1)


# a_0 in place of tau as the parameter, since sinh(a_0) = sqrt(K) tau / 2 is explicit only in this direction.
def _curve(f):
    """The point of the curve with a_0 = f.a_0 and c = f.u_0, its x, and sqrt(1 + x^2)."""
    a, c, root = f.a[..., 0], f.u[..., 0], sqrt(f.K)
    x, cosh = exp_difference(a, -a) / 2, (exp(a) + exp(-a)) / 2
    tau = 2 * x / root
    middle = c + f.K * tau / 2
    return f.replace(a=_pair_in_time(a, -a), u=_pair_in_time(middle + root * cosh, middle - root * cosh), tau=tau), x, cosh


@two_scores_have_a_closed_form.identity()
def curve_moves_with_the_flow(f: LogisticFlow, *, speed=1):
    """da_i/dtau and du_i/dtau of the closed form minus the field, at every point of the curve."""
    on, x, cosh = _curve(f)
    root = sqrt(f.K)
    da, du = speed * root / (2 * cosh), root * root * x / (2 * cosh)
    return np.concatenate(
        [_pair_in_time(da, -da) - on.da_dtau(), f.K[..., None] / 2 + _pair_in_time(du, -du) - on.du_dtau()], axis=-1
    )


# 1 / gamma is e^m + 1 along the flow, so t is integrated in closed form.
@two_scores_have_a_closed_form.identity()
def margin_and_time(f: LogisticFlow, *, speed=1):
    """m - (c + K tau), and dt/dtau = 1 + e^{c + K tau} minus the flow's 1 / gamma."""
    on, _, _ = _curve(f)
    m = f.u[..., 0] + speed * f.K * on.tau
    return _pair_in_time(on.m - m, 1 - on.gamma * (1 + exp(m)))
