"""The Jacobians of softmax and average are ds/da = J(s), dbeta/ds = V, dbeta/da = V J(s), dbeta/dvec(V) = s^T (x) I_d.

Property D.3, with beta = V s, s = softmax(a), J(s) = diag(s) - s s^T. The last one has d rows and d p columns; the
paper prints d x d^2, its shape for p = d (E23).
"""

import numpy as np

from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import indicator
from dynamics.attention import softmax
from dynamics.differentiation import gradient, jacobian
from dynamics.training.value_softmax import FullLinearFlow

# The softmax and the average are differentiated themselves, entry by entry: no formula of the flow enters.
claim = Claim(
    __name__,
    where="Property D.3, equations (25)-(29)",
    refs=("C-D3", "C-A", "E23"),
    statement=(
        "dsigma(a)/da = diag(sigma(a)) - sigma(a) sigma(a)^T, dbeta/dV = s^T (x) I_d, dbeta/ds = V, dbeta/da = V "
        "ds/da = V (diag(s) - s s^T)."
    ),
    origin=Origin.PRINTED,
    system=FullLinearFlow,
)


def _eye(size, like):
    return indicator(np.eye(size, dtype=bool), like)


def _softmax_jacobian(s):
    return s[..., :, None] * _eye(s.shape[-1], s) - s[..., :, None] * s[..., None, :]


@claim.identity()
def softmax_jacobian(f: FullLinearFlow, *, diagonal=1):
    """ds_i/da_j - J_ij."""
    s = f.s
    return jacobian(softmax, f.a) - _softmax_jacobian(s) - (diagonal - 1) * s[..., :, None] * _eye(s.shape[-1], s)


@claim.identity()
def average_in_weights(f: FullLinearFlow, *, factor=1):
    """dbeta/ds - V, of x -> V x at x = s."""
    return jacobian(lambda s: (f.V * s[..., None, :]).sum(axis=-1), f.s) - factor * f.V


@claim.identity()
def average_in_scores(f: FullLinearFlow, *, factor=1):
    """dbeta/da - V J(s)."""
    return gradient(lambda g: g.beta, f, "a") - factor * f.V @ _softmax_jacobian(f.s)


@claim.identity()
def average_in_values(f: FullLinearFlow, *, factor=1):
    """dbeta/dvec(V) - s^T (x) I_d: the derivative of beta_i in V_kj is s_j when i = k, else 0."""
    d = f.V.shape[-2]
    kronecker = f.s[..., None, None, :] * _eye(d, f.s)[..., :, :, None]
    return gradient(lambda g: g.beta, f, "V") - factor * kronecker
