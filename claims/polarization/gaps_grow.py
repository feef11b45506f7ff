"""Gaps between value projections grow, u_i - u_j for i < j.

Theorem 3.2(b) (polarization C-3.2b) with i < j: d(u_i - u_j)/dtau = K (s_i - s_j) > 0 for t > 0.
"""

import numpy as np
from flint import fmpq

from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, exp_difference
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="section 3.1, after Theorem 3.2, and its proof",
    refs=("C-3.2b", "M2(d)", "H3"),
    statement="for i < j, we have d(u_i - u_j) > 0, driven by the preserved ordering of the attention scores.",
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores, zero_scores, ordered_values),
)


def _gap_rate(f):
    i, j = np.triu_indices(f.u.shape[-1], 1)
    return f.K[..., None] * exp_difference(f.a[..., i], f.a[..., j])


@claim.trajectory("> 0", horizon=lambda start: fmpq(4))
def gap_rate(now: LogisticFlow, start: LogisticFlow):
    """A d(u_i - u_j)/dtau = K (e^{a_i} - e^{a_j}) for i < j, A = sum_k e^{a_k} > 0."""
    return _gap_rate(now)


@claim.identity(assuming=())
def gap_rate_formula(f: LogisticFlow, *, K_factor=1):
    """A d(u_i - u_j)/dtau - K (e^{a_i} - e^{a_j}) for i < j."""
    i, j = np.triu_indices(f.u.shape[-1], 1)
    du = f.du_dtau()
    return exp(f.a).sum(axis=-1, keepdims=True) * (du[..., i] - du[..., j]) - K_factor * _gap_rate(f)
