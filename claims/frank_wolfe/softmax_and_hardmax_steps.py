"""At large beta a softmax step is near the hardmax step, except next to the walls of cells.

The abstract of version 1 ends "Thus, the hardmax dynamics accurately approximate the finite-beta process over exponentially
long horizons", and names no start.

`hardmax_approximates_softmax`: It cannot be meant uniformly: at a distance of order 1/beta from the wall of two cells
softmax moves to a point strictly between the vertices, hardmax to one of them. This excludes every accuracy below 1/2 in
units of gamma D, at every beta; tested with 1/8.

`softmax_step_is_near_hardmax`: The approximation in one step. The tokens that do not lead get at most (n - 1) e^{-beta g}
of the mass, g the gap of the best two *different* scores. So the hardmax step must average tied leaders over indices, as
softmax does; with g the gap of the best two *points* a tie would have g = 0 and no bound. For beta < 0 the bound says
nothing, so no sign is assumed.
"""

import numpy as np

from claims.frank_wolfe.setting.softmax_steps import (
    largest,
    low_temperature_in_diameters,
    single_leaders,
    squared_sides,
    tokens_near_a_wall,
)
from claims.stating.assumptions import step_size_at_most_one
from claims.stating.statement import Section
from dynamics.arithmetic import exp, indicator, numbers, transposed
from dynamics.attention import average_over, leaders
from dynamics.tokens.attention_chain import SoftmaxStep

section = Section(__name__, refs=("FW-16",), system=SoftmaxStep)

hardmax_approximates_softmax = section.claim(
    where="last sentence of the abstract, asked of every start",
    note=(
        "For tokens 32 and 2^{-19} with beta = 1 and gamma = 1/2 the second weighs both almost equally and moves to about "
        "8, under hardmax to about 16: it is next to the wall of two cells. Where the two best scores differ by g the "
        "steps differ by at most gamma D n e^{-beta g}."
    ),
    statement="If beta D^2 >= 1000, |softmax step - hardmax step| <= gamma D/8, from every start without ties.",
    assumptions=(step_size_at_most_one, single_leaders, low_temperature_in_diameters),
    corrected_by="frank_wolfe.softmax_step_is_near_hardmax",
    draw=tokens_near_a_wall,
)


# Divided by gamma^2: both steps go gamma of their way, and a short step would agree by being short.
@hardmax_approximates_softmax.step(">= 0", name="steps_agree")
def steps_agree_at_every_start(f: SoftmaxStep, *, part=8):
    """(D/8)^2 - |softmax step - hardmax step|^2/gamma^2 for each token."""
    distance = f.attention() @ f.x - average_over(leaders(f.x @ transposed(f.x)), f.x)
    return largest(squared_sides(f.x))[..., None] / part**2 - numbers((distance * distance).sum(axis=-1))


softmax_step_is_near_hardmax = section.claim(
    where="abstract, last sentence",
    statement="|softmax step - hardmax step| <= gamma D n e^{-beta g}, g the gap between the best two different scores.",
)


def score_gap(scores, mask):
    """The best score minus the best one outside the mask along the last axis, 0 where there is none."""
    top, lowest = largest(scores)[..., None], -largest(-scores)[..., None]
    led = indicator(mask, scores)
    return top[..., 0] - largest(led * lowest + (1 - led) * scores)


# D n e^{-beta g}: at most n - 1 tokens do not lead, each with a weight below e^{-beta g}, and each is within D of the
# leaders' mean.
@softmax_step_is_near_hardmax.step(">= 0")
def steps_agree(f: SoftmaxStep, *, cost=1):
    """(gamma D n e^{-beta g_i})^2 - |softmax step - hardmax step|^2 for token i."""
    scores = f.x @ transposed(f.x)
    mask = leaders(scores)
    n = f.x.shape[-2]
    D_squared = largest(squared_sides(f.x)) if n > 1 else 0 * f.beta
    distance = f.gamma[..., None, None] * (f.attention() @ f.x - average_over(mask, f.x))
    bound = (f.gamma * n)[..., None] * exp(-cost * f.beta[..., None] * score_gap(scores, mask))
    return bound**2 * D_squared[..., None] - numbers((distance * distance).sum(axis=-1))


@softmax_step_is_near_hardmax.step(">= 0")
def others_get_little(f: SoftmaxStep, *, cost=1):
    """(n - 1) e^{-beta g_i} minus the mass of the tokens that do not lead in the scores of token i."""
    scores = f.x @ transposed(f.x)
    mask = leaders(scores)
    others = f.attention() * (1 - indicator(mask, f.x))
    bound = np.asarray(f.x.shape[-2] - 1) * exp(-cost * f.beta[..., None] * score_gap(scores, mask))
    return bound - numbers(others.sum(axis=-1))
