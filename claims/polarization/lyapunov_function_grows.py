"""The function Phi_ij = (u_i - u_j)(e^{-a_j} - e^{-a_i}) never decreases, at any state.

It is the Lyapunov function in the proof of Theorem 3.2. With A = sum_k e^{a_k}, dPhi_ij/dtau = (u_i - u_j)^2 / A + (K /
A) (e^{a_i} - e^{a_j})^2 e^{-a_i - a_j}. Since Phi_ij(0) = 0 if a(0) = 0, Phi_ij becomes and stays positive, and neither
factor can change its sign.
"""

import numpy as np

from claims.polarization.setting.scores import ASSUMPTION_3_1, two_scores
from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import exp, exp_difference
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="section 3.1, after Theorem 3.2; proof of Theorem 3.2",
    refs=("C-Phi", "M2(d)", "M2(e)"),
    statement="The derivative of potential is positive, dPhi_ij > 0 ... In particular, Phi_ij(t) > 0, for all t > 0",
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=ASSUMPTION_3_1,
)


def _pairs(f):
    i, j = np.triu_indices(f.u.shape[-1], 1)
    return lambda values: (values[..., i], values[..., j])


# For any state: the two parts are squares times positive factors, whatever the order of u and a.
@claim.state(">= 0", assuming=(two_scores,))
def phi_rate(f: LogisticFlow, *, weight=1):
    """dPhi_ij/dtau for i < j by the product rule, at any state whatever."""
    at = _pairs(f)
    (u_i, u_j), (a_i, a_j), (du_i, du_j), (da_i, da_j) = map(at, (f.u, f.a, f.du_dtau(), f.da_dtau()))
    difference_rate = exp(-a_i) * da_i - exp(-a_j) * da_j
    return (du_i - du_j) * exp_difference(-a_j, -a_i) + weight * (u_i - u_j) * difference_rate


@claim.identity(assuming=(two_scores,))
def phi_rate_formula(f: LogisticFlow, *, K_factor=1):
    """A dPhi_ij/dtau minus (u_i - u_j)^2 + K (e^{a_i} - e^{a_j})^2 e^{-a_i-a_j}."""
    (u_i, u_j), (a_i, a_j) = map(_pairs(f), (f.u, f.a))
    shape = exp_difference(a_i, a_j) ** 2 * exp(-a_i - a_j)
    total = exp(f.a).sum(axis=-1, keepdims=True)
    return total * phi_rate(f) - (u_i - u_j) ** 2 - K_factor * f.K[..., None] * shape


# Phi and its rate; i < j is no loss, since exchanging i and j changes the sign of both factors of Phi.
@claim.trajectory("> 0", horizon=lambda start: 4)
def phi_is_positive(now: LogisticFlow, start: LogisticFlow):
    """Phi_ij and dPhi_ij/dtau for i < j at every t > 0 (for i > j they are the same numbers)."""
    (u_i, u_j), (a_i, a_j) = map(_pairs(now), (now.u, now.a))
    return np.concatenate([(u_i - u_j) * exp_difference(-a_j, -a_i), phi_rate(now)])
