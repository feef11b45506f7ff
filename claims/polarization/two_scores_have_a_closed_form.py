"""p = 2, a(0) = 0, u(0) = (c + sqrt K, c - sqrt K): the logistic flow in closed form.

Polarization oracle A, S6. With x = sqrt(K) tau / 2,

    a_0 = -a_1 = asinh x,    u = c + K tau / 2 +- sqrt(K) sqrt(1 + x^2),
    m = c + K tau,           t = tau + e^c (e^{K tau} - 1) / K.

The curve is entered at tau = 0 and its velocity is the field's at each of its points, so it is the trajectory. A drawn
a_0 gives x, and c is the drawn u_0.
"""

import numpy as np

from claims.polarization.setting.scores import two_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, exp_difference, numbers, sqrt
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="Theorem 3.3, solved for p = 2",
    refs=("S6", "S2"),
    statement="For p = 2 and u_0(0) - u_1(0) = 2 |beta_*|: sinh(a_0) = |beta_*| tau / 2 and m = m(0) + K tau.",
    origin=Origin.OURS,
    system=LogisticFlow,
    assumptions=(two_scores,),
)


def _pair(first, second):
    return np.concatenate([numbers(first)[..., None], numbers(second)[..., None]], axis=-1)


def _curve(f):
    """The point of the curve with a_0 = f.a_0 and c = f.u_0, its x, and sqrt(1 + x^2)."""
    a, c, root = f.a[..., 0], f.u[..., 0], sqrt(f.K)
    x, cosh = exp_difference(a, -a) / 2, (exp(a) + exp(-a)) / 2
    tau = 2 * x / root
    middle = c + f.K * tau / 2
    return f.replace(a=_pair(a, -a), u=_pair(middle + root * cosh, middle - root * cosh), tau=tau), x, cosh


@claim.identity()
def curve_moves_with_the_flow(f: LogisticFlow, *, speed=1):
    """da_i/dtau and du_i/dtau of the closed form minus the field, at every point of the curve."""
    on, x, cosh = _curve(f)
    root = sqrt(f.K)
    da, du = speed * root / (2 * cosh), root * root * x / (2 * cosh)
    return np.concatenate([_pair(da, -da) - on.da_dtau(), f.K[..., None] / 2 + _pair(du, -du) - on.du_dtau()], axis=-1)


@claim.identity()
def margin_and_time(f: LogisticFlow, *, speed=1):
    """m - (c + K tau), and dt/dtau = 1 + e^{c + K tau} minus the flow's 1 / gamma."""
    on, _, _ = _curve(f)
    m = f.u[..., 0] + speed * f.K * on.tau
    return _pair(on.m - m, 1 - on.gamma * (1 + exp(m)))
