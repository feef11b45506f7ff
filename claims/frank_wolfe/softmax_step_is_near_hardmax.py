"""The softmax step differs from the hardmax step by at most gamma D n e^{-beta g}, g the gap of the best two scores.

The one-step form of "hardmax approximates the finite-beta process" (frank_wolfe FW-16). The tokens that do not
lead get at most (n - 1) e^{-beta g} of the mass. With g the gap of the best two *different* scores the hardmax step must
average the leaders over indices, as softmax does; between two different leading points g = 0 says nothing. Nor does it at
beta < 0, so no sign is asked for.
"""

import numpy as np

from claims.frank_wolfe.setting.softmax_steps import largest, squared_sides
from claims.statement import Claim, Origin
from dynamics.arithmetic import exp, indicator, numbers, transposed
from dynamics.attention import average_over, leaders
from dynamics.tokens.attention_chain import SoftmaxStep

claim = Claim(
    __name__,
    where="abstract, last sentence",
    refs=("FW-16",),
    statement="|softmax step - hardmax step| <= gamma D n e^{-beta g}, g the gap between the best two different scores.",
    origin=Origin.OURS,
    system=SoftmaxStep,
)


def score_gap(scores, mask):
    """The best score minus the best one outside the mask along the last axis, 0 where there is none."""
    top, lowest = largest(scores)[..., None], -largest(-scores)[..., None]
    led = indicator(mask, scores)
    return top[..., 0] - largest(led * lowest + (1 - led) * scores)


@claim.step(">= 0")
def steps_agree(f: SoftmaxStep, *, cost=1):
    """(gamma D n e^{-beta g_i})^2 - |softmax step - hardmax step|^2 for token i."""
    scores = f.x @ transposed(f.x)
    mask = leaders(scores)
    n = f.x.shape[-2]
    D_squared = largest(squared_sides(f.x)) if n > 1 else 0 * f.beta
    distance = f.gamma[..., None, None] * (f.attention() @ f.x - average_over(mask, f.x))
    bound = (f.gamma * n)[..., None] * exp(-cost * f.beta[..., None] * score_gap(scores, mask))
    return bound**2 * D_squared[..., None] - numbers((distance * distance).sum(axis=-1))


@claim.step(">= 0")
def others_get_little(f: SoftmaxStep, *, cost=1):
    """(n - 1) e^{-beta g_i} minus the mass of the tokens that do not lead in the scores of token i."""
    scores = f.x @ transposed(f.x)
    mask = leaders(scores)
    others = f.attention() * (1 - indicator(mask, f.x))
    bound = np.asarray(f.x.shape[-2] - 1) * exp(-cost * f.beta[..., None] * score_gap(scores, mask))
    return bound - numbers(others.sum(axis=-1))
