"""Along du/dtau = K s, da/dtau = J(s) u the proofs use the rates of sums, gaps and ratios; all of them are right.

With q_j = s_j / s_0, r_j = 1 / q_j, Q = 1 / s_0, w_j = u_0 - u_j, D = u_0 - m, A = sum_k e^{a_k}: sum_i u_i grows at
the constant rate K, sum_i a_i is constant, and u_0 grows at K s_0, so int s_0 dtau = (u_0 - u_0(0)) / K. Each quantity
is differentiated along the flow and compared with its formula (M2).
"""

import numpy as np

from claims.polarization.setting.scores import two_scores
from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import exp
from dynamics.differentiation import time_derivative
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="proofs of Theorems 3.2 and 3.3",
    refs=("M2(a)", "M2(b)", "M2(c)", "M2(d)", "M2(e)", "M2(f)", "M2(g)", "M2(i)", "M2(l)", "C-D1b"),
    statement=(
        "d{-(exp -a_i - exp -a_j)}/dt = (gamma/A) [u_i - u_j] ... dq_i = gamma (q_i/Q) [-q_i (u_0 - u_i) - (1 - "
        "q_i)(u_0 - <u, s>)] dt"
    ),
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores,),
)


@claim.identity()
def sums_and_margin(f: LogisticFlow, *, K_factor=1):
    """d(sum u)/dtau - K, d(sum a)/dtau, du_0/dtau - K s_0 and dm/dtau - K|s|^2 - sum_i s_i^2 (u_i - m)^2."""
    K, s = K_factor * f.K, f.s
    pull = s * (f.u - f.m[..., None])
    rates = time_derivative(lambda g: np.stack([g.u.sum(axis=-1), g.a.sum(axis=-1), g.u[..., 0], g.m], axis=-1), f)
    formulas = [K, 0 * K, K * s[..., 0], K * (s * s).sum(axis=-1) + (pull * pull).sum(axis=-1)]
    return rates - np.stack(formulas, axis=-1)


# The second line is multiplied by A, so that the softmax's denominator is gone.
@claim.identity()
def differences(f: LogisticFlow, *, factor=1):
    """For i < j: d(u_i - u_j)/dtau - K (s_i - s_j) and A d(e^{-a_j} - e^{-a_i})/dtau - (u_i - u_j), factors aside."""
    i, j = np.triu_indices(f.u.shape[-1], 1)
    total = exp(f.a).sum(axis=-1, keepdims=True)
    gaps = time_derivative(lambda g: g.u[..., i] - g.u[..., j], f)
    inverse = time_derivative(lambda g: exp(-g.a[..., j]) - exp(-g.a[..., i]), f)
    s, u = f.s, f.u
    expected = factor * f.K[..., None] * (s[..., i] - s[..., j]), factor * (u[..., i] - u[..., j])
    return np.stack([gaps - expected[0], total * inverse - expected[1]], axis=-2)


# Multiplied by Q r_j and by Q: what is left are polynomials in q, r, w and D.
@claim.identity()
def ratios(f: LogisticFlow, *, factor=1):
    """Q r_j (dq_j/dtau) + q_j w_j + (1 - q_j) D and Q dr_j/dtau - (w_j + (r_j - 1) D) for j >= 1."""
    log_r = f.a[..., :1] - f.a[..., 1:]
    q, r, w, D = exp(-log_r), exp(log_r), f.u[..., :1] - f.u[..., 1:], f.u[..., :1] - f.m[..., None]
    Q = 1 + q.sum(axis=-1, keepdims=True)
    dq = time_derivative(lambda g: exp(g.a[..., 1:] - g.a[..., :1]), f)
    dr = time_derivative(lambda g: exp(g.a[..., :1] - g.a[..., 1:]), f)
    return np.stack([Q * r * dq + q * w + (1 - q) * D, Q * dr - factor * (w + (r - 1) * D)], axis=-2)


@claim.identity()
def inverse_of_leading_weight(f: LogisticFlow, *, factor=1):
    """Q dQ/dtau + sum_j q_j^2 w_j + D sum_j q_j (1 - q_j), Q = 1 + sum_j q_j = 1 / s_0."""
    q, w, D = exp(f.a[..., 1:] - f.a[..., :1]), f.u[..., :1] - f.u[..., 1:], f.u[..., 0] - f.m
    dQ = time_derivative(lambda g: 1 / g.s[..., 0], f)
    return dQ / f.s[..., 0] + factor * (q * q * w).sum(axis=-1) + D * (q * (1 - q)).sum(axis=-1)
