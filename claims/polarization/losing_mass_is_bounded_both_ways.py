"""S = sum_{j>=1} s_j / s_0 obeys 1/S <= 1/(p-1) + 2 w_{p-1}(0) tau + K tau^2, and -dS/dtau >= w (p/(p-1)) S^2 / (1+S)^2.

This sharpens Theorem 3.3(b) from both sides (S4), w the smallest gap u_0 - u_j, w' >= K (1-S)_+ / (1+S). Integrated,
the upper bound has the exact constant S ~ 2 (p-1) / (p K tau^2). For p = 2 it is an equality; in general Q^2 times its
defect is a sum of terms >= 0, Q = 1 + S: Q sum q_j^2 (w_j - w) + sum q_k (w_k - w) sum q_j (1 - q_j) + (w/(p-1))
sum_{j<k} (q_j - q_k)^2.
"""

import numpy as np
from flint import fmpq

from claims.polarization.clock_bounds import far_leader
from claims.polarization.setting.scores import ASSUMPTION_3_1, comonotone, two_scores
from claims.stating.statement import Claim
from dynamics.arithmetic import exp, exp_difference
from dynamics.training.value_softmax import LogisticFlow


# Two scores are among the starts: there the bound on the fall of S is an equality (T8).
def _any_state_or_far_leader(draws):
    """Any scores, with any values or a far leader."""
    f = far_leader(draws)
    return f.replace(a=f.a + draws.dyadic(f.u.shape[-1]))


claim = Claim(
    __name__,
    where="Theorem 3.3(b), two-sided",
    refs=("S4", "C-3.3b", "M2(i)", "T8"),
    statement="1/S <= 1/(p-1) + 2 w_{p-1}(0) tau + K tau^2 and dS/dtau <= -w (p/(p-1)) S^2 / (1+S)^2.",
    system=LogisticFlow,
    assumptions=ASSUMPTION_3_1,
    draw=_any_state_or_far_leader,
)


def _losers(f):
    """q_j, w_j for j >= 1, the smallest gap w (of index 1 where u is ordered), and Q."""
    q = exp(f.a[..., 1:] - f.a[..., :1])
    w = f.u[..., :1] - f.u[..., 1:]
    return q, w, w[..., :1], 1 + q.sum(axis=-1, keepdims=True)


# q_j - q_k as a difference of exponentials over e^{a_0}: near ties of losers it does not cancel.
def _defect(f):
    """The sum of nonnegative terms, shape (..., 1)."""
    q, w, least, Q = _losers(f)
    j, k = np.triu_indices(q.shape[-1], 1)
    excess = q * (w - least)
    differences = exp_difference(f.a[..., 1:][..., j], f.a[..., 1:][..., k]) * exp(-f.a[..., :1])
    total = Q * (q * excess).sum(axis=-1, keepdims=True)
    total = total + excess.sum(axis=-1, keepdims=True) * (q * (1 - q)).sum(axis=-1, keepdims=True)
    return total + least * (differences * differences).sum(axis=-1, keepdims=True) / q.shape[-1]


# At any state, so that the sum of squares is known to be the defect also where some of its terms are negative.
@claim.identity(assuming=(two_scores,))
def defect_formula(f: LogisticFlow, *, factor=1):
    """-Q^2 dS/dtau - w (p/(p-1)) S^2 minus its formula."""
    q, _, least, Q = _losers(f)
    da = f.da_dtau()
    rate = (q * (da[..., 1:] - da[..., :1])).sum(axis=-1, keepdims=True)
    p, S = f.a.shape[-1], Q - 1
    return -Q * Q * rate - factor * least * S * S * p / (p - 1) - _defect(f)


@claim.state(">= 0", assuming=(two_scores, comonotone))
def mass_falls_fast(f: LogisticFlow, *, most=0):
    """-Q^2 dS/dtau - w (p/(p-1)) S^2 at every state ordered alike in u and a, by its formula; and less `most` w S^2."""
    _, _, least, Q = _losers(f)
    return _defect(f) - most * least * (Q - 1) ** 2


@claim.identity(assuming=(two_scores,))
def least_gap_rate(f: LogisticFlow, *, rate=1):
    """Q (u_0 - u_1)' - K (1 - q_1), where q_1 <= S: so w' >= K (1 - S) / (1 + S)."""
    q, _, _, Q = _losers(f)
    du = f.du_dtau()
    return Q * (du[..., :1] - du[..., 1:2]) - rate * f.K[..., None] * (1 - q[..., :1])


# (1/S)' <= 2 w_{p-1}, as D <= w_{p-1} S / Q, and w_{p-1} <= w_{p-1}(0) + K tau: integrated, this bound.
@claim.rate("> 0", horizon=lambda start: 6)
def mass_stays(now: LogisticFlow, start: LogisticFlow, *, share=1):
    """S (1/(p-1) + 2 w_{p-1}(0) tau + K tau^2) - 1."""
    tau, most = now.tau - start.tau, start.u[:1] - start.u[-1:]
    q, _, _, Q = _losers(now)
    return (Q - 1) * (fmpq(1, len(q)) + share * (2 * most * tau + now.K * tau * tau)) - 1
