"""Softmax at inverse temperature beta gives at most (n - 1) e^{-beta delta} of its mass to tokens outside C_i^delta.

A token outside C_i^delta scores at most h(z_i) - delta. This is the only exact link between softmax and localmax: at no
delta are the weights those of softmax, unless all scores of a token are equal. As beta -> infinity the weights tend to
1 / |C_i| on the leaders, at each state as fast as its own gaps allow (HM-14).
"""

import numpy as np

from claims.localmax.setting.hypotheses import sensitivity_is_a_gap
from claims.stating.statement import Claim, Origin
from dynamics.arithmetic import at_most, exp
from dynamics.attention import softmax
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    where="hardmax 2407.01602, softmax tends to hardmax (recalled, the bound is ours)",
    refs=("HM-14",),
    statement="At every state the softmax mass outside C_i^delta is at most (n - 1) exp(-beta delta).",
    origin=Origin.REPORTED,
    system=LocalmaxStep,
    assumptions=(sensitivity_is_a_gap,),
)

BETAS = (1, 4, 16)


# The sharpest case: one token at the top and n - 1 just beyond delta.
@claim.state(">= 0")
def mass_outside(f: LocalmaxStep, *, rate=1):
    """(n - 1) e^{-beta delta} minus the mass outside C_i^delta, for beta = 1, 4, 16."""
    outside = ~f.neighbours()
    masses = [(softmax(beta * f.scores()) * outside).sum(axis=-1) for beta in BETAS]
    bounds = [(f.z.shape[-2] - 1) * exp(-rate * beta * f.delta)[..., None] for beta in BETAS]
    return np.stack([bound - mass for bound, mass in zip(bounds, masses, strict=True)], axis=-1)


# Exact at each beta: weights over those of the leaders are e^{-beta gap}, so limits need no further argument.
@claim.identity(assuming=())
def weights_fall_with_the_gap(f: LocalmaxStep, *, rate=1):
    """|C_i| w_ij - e^{-beta gap_ij} sum_{l in C_i} w_il, w softmax weights, C_i the hardmax leaders, beta = 1, 4, 16."""
    gaps = f.gaps()
    leaders = at_most(gaps, 0 * gaps)
    slacks = []
    for beta in BETAS:
        w = softmax(beta * f.scores())
        on_leaders = (w * leaders).sum(axis=-1)[..., None]
        slacks.append(w * leaders.sum(axis=-1)[..., None] - exp(-rate * beta * gaps) * on_leaders)
    return np.stack(slacks, axis=-1)
