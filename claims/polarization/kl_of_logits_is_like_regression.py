"""The loss -<p_*, log softmax(V^T s)> of the authors' code is like regression: a minimiser, and partial polarization.

Section 3.2, figure 10 (polarization C-KL, E18, X4). With r = p_* - q the loss falls at |s|^2 |r|^2 + |J(s) V r|^2, at
least |r|^2 / p, and KL(p_* | q) <= sum_i r_i^2 / q_i. As the loss never rises, q stays away from 0; so the loss tends
to its minimum exponentially, in finite total motion of V and a, and finite scores are not one-hot.
"""

import numpy as np

from claims.experiments import Reading
from claims.statement import Claim, Origin
from dynamics.differentiation import time_derivative
from dynamics.training.kl_loss import LogitsKLFlow

claim = Claim(
    __name__,
    where="section 3.2, KL divergence, with the loss of figure 10",
    refs=("C-KL", "E18", "X4"),
    statement=(
        "The resulting gradient-flow dynamics are analogous to the regression case, and we again observe "
        "polarization, albeit with diminishing strength compared to the case of classification (Figure 10)."
    ),
    origin=Origin.PRINTED,
    system=LogitsKLFlow,
)


def _divergence(f):
    """KL(p_* | q), which is the loss less its least value."""
    return (f.target * f.log_ratio()).sum(axis=-1)


@claim.identity()
def loss_rate_formula(f: LogitsKLFlow, *, share=1):
    """-dl/dt - |s|^2 |r|^2 - |J(s) V r|^2."""
    (_, da), s, r = f.velocity(), f.s, f.residual()
    rest = share * (s * s).sum(axis=-1) * (r * r).sum(axis=-1) + (da * da).sum(axis=-1)
    return time_derivative(_divergence, f) + rest


@claim.state(">= 0")
def loss_decay_rate(f: LogitsKLFlow, *, rate=1):
    """-p dl/dt - |p_* - q|^2."""
    r = f.residual()
    return -f.a.shape[-1] * time_derivative(_divergence, f) - rate * (r * r).sum(axis=-1)


@claim.state(">= 0")
def divergence_is_at_most_chi_square(f: LogitsKLFlow, *, most=1):
    """sum_i (p_i - q_i)^2 / q_i - sum_i p_i log(p_i / q_i)."""
    r = f.residual()
    return most * (r * r / f.q).sum(axis=-1) - _divergence(f)


@claim.experiment()
def figure_10(steps):
    """Figure 10: V (10 x 10) = 0.1 randn, a = 0, p_* = softmax(10 rand(10)), seed 123, lr 0.1 (digits of a re-run)."""
    rng = np.random.RandomState(123)
    V = 0.1 * rng.randn(10, 10)
    a = 0 * rng.randn(10)
    target = np.exp(10 * rng.rand(10))
    target /= target.sum()
    printed = {1_000: ("0.388", None), 10_000: ("0.937", None), 100_000: (None, "1.2e-5")}
    readings = []
    for step in range(1, max((c for c in printed if c <= steps), default=0) + 1):
        e = np.exp(a - a.max())
        s = e / e.sum()
        z = np.exp(s @ V)
        q = z / z.sum()
        r = target - q
        pulled = V @ r
        V += np.multiply.outer(0.1 * s, r)
        a = a + 0.1 * s * (pulled - s @ pulled)
        if step in printed:
            share, gap = printed[step]
            if share:
                e = np.exp(a - a.max())
                readings.append(Reading(f"{step} steps: max s", float(e.max() / e.sum()), share))
            if gap:
                excess = float((target * np.log(target / q)).sum())
                readings.append(Reading(f"{step} steps: KL(p_* | q)", excess, gap))
    return readings
