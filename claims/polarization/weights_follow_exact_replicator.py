"""ds_i/dtau = s_i (f_i - sum_k s_k f_k), f_i = s_i (u_i - m): the replicator equation, but not with fitness u_i.

The paper's intuition, "amplified relative to those below average" (polarization C-rep, E5): if u_i > m > u_j then s_i
/ s_j increases. Made exact (M2(h)): scores rise exactly where u_i is above its mean m. That s_i itself increases when
u_i > m is another statement, and false.
"""

import numpy as np

from claims.polarization.setting.scores import two_scores
from claims.statement import Claim, Origin
from dynamics.arithmetic import at_most, indicator
from dynamics.differentiation import time_derivative
from dynamics.training.value_softmax import LogisticFlow

claim = Claim(
    __name__,
    where="section 3.1, intuition from replicator dynamics",
    refs=("C-rep", "M2(h)", "E5"),
    statement=(
        'coordinates with above-average "fitness" (larger u_i) are amplified relative to those below average, '
        "polarizing the mass towards the best-performing coordinates."
    ),
    origin=Origin.PRINTED,
    system=LogisticFlow,
    assumptions=(two_scores,),
)


def above_average(f):
    """u_i - m as sum_k s_k (u_i - u_k): exactly zero where all u are equal."""
    return ((f.u[..., :, None] - f.u[..., None, :]) * f.s[..., None, :]).sum(axis=-1)


@claim.identity()
def replicator_equation(f: LogisticFlow, *, strength=1):
    """ds_i/dtau along the flow minus s_i (f_i - sum_k s_k f_k)."""
    s = f.s
    fitness = s * (f.u - f.m[..., None])
    average = (s * fitness).sum(axis=-1, keepdims=True)
    return time_derivative(lambda g: g.s, f) - strength * s * (fitness - average)


@claim.state(">= 0")
def scores_rise_above_average(f: LogisticFlow):
    """a_i' (u_i - m): a' is u - <u, s> 1 up to the positive factors s_i."""
    return f.da_dtau() * above_average(f)


@claim.state(">= 0")
def ratios_of_pairs_grow(f: LogisticFlow):
    """(log s_i / s_j)' = a_i' - a_j' wherever u_i > m > u_j, else 0."""
    i, j = np.nonzero(~np.eye(f.u.shape[-1], dtype=bool))
    above = above_average(f)
    apart = ~at_most(above[..., i], 0 * above[..., i]) & ~at_most(-above[..., j], 0 * above[..., j])
    da = f.da_dtau()
    return indicator(apart, f.u) * (da[..., i] - da[..., j])
