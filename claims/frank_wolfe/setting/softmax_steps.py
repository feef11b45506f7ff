"""Starts and hypotheses of the claims about finite inverse temperature beta (section 5)."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.steps import into_the_unit_interval
from claims.instances.builders import draw_system
from claims.stating.assumptions import size, step_size_at_most_one, with_entries
from claims.stating.statement import Assumption
from dynamics.arithmetic import Array, distinct, exact, has_columns, indicator, numbers, peak
from dynamics.attention import leaders
from dynamics.geometry import diameter_squared, membership
from dynamics.tokens.attention_chain import SoftmaxStep

# ---------------------------------------------------------------------------------------------------------------------
# The softmax step


def dyadic(draws: Any, *shape: int, size: int = 4, bits: int = 4) -> Any:
    """Multiples of 2^-bits in [-size, size]: one instance from any source of draws, since chains have no batches."""
    count, most = int(np.prod(shape)), size << bits
    units = [draws.integer(-most, most) for _ in range(count)]
    return numbers(exact(np.array(units, dtype=object).reshape(shape)) / fmpq(1 << bits))


def squared_sides(x: Array) -> Array:
    """|x_i - x_j|^2 for i < j of tokens (..., n, d), shape (..., n (n - 1) / 2)."""
    i, j = np.triu_indices(x.shape[-2], 1)
    difference = x[..., i, :] - x[..., j, :]
    return numbers((difference * difference).sum(axis=-1))


def largest(values: Array) -> Array:
    """The largest number along the last axis, shape (...), 0 where there are none.

    (a + b + |a - b|) / 2 encloses the maximum of balls, too.
    """
    if values.shape[-1] == 0:
        return numbers(values.sum(axis=-1))
    if values.dtype != object or has_columns(values):
        return numbers(peak(values)[..., 0])
    top = values[..., 0]
    for j in range(1, values.shape[-1]):
        top = (top + values[..., j] + abs(top - values[..., j])) / 2
    return numbers(top)


nonnegative_beta = Assumption(
    "nonnegative_beta",
    "beta >= 0",
    satisfies=lambda f: f.beta.item() >= 0,
    restrict=lambda f: f.replace(beta=abs(f.beta)),
    violate=lambda f, draws: f.replace(beta=-f.beta - indicator(f.beta == 0, f.x)),
)


origin_in_hull = Assumption(
    "origin_in_hull",
    "0 in K^0",
    satisfies=lambda f: membership(exact([0] * f.x.shape[1]), f.x).inside,
    # The origin comes next to the first token, a little towards the mean: in the hull, and soon left by it.
    restrict=lambda f: f.replace(x=f.x - (15 * f.x[..., :1, :] + f.x.sum(axis=-2, keepdims=True) / f.x.shape[-2]) / 16),
    violate=lambda f, draws: with_entries(f, "x", (..., 0), f.x[:, 0] + 1 - min(f.x[:, 0]) + abs(dyadic(draws, size=2))),
)

positive_step_size = replace(
    step_size_at_most_one,
    name="positive_step_size",
    statement="0 < gamma <= 1",
    satisfies=lambda f: 0 < f.gamma.item() <= 1,
    restrict=lambda f: f.replace(gamma=into_the_unit_interval(f.gamma, (f.gamma > 0) & (f.gamma <= 1))),
)


# Points are counted and not indices: tokens that have met lead together, and the hardmax step is the same.
def _has_single_leaders(f: Any) -> bool:
    led = leaders(f.x @ f.x.T)
    return all(len(distinct(f.x[row])) == 1 for row in led)


# The middle of x and -x scores 0 with all three.
single_leaders = Assumption(
    "single_leaders",
    "the leaders of each token are at one point",
    satisfies=_has_single_leaders,
    violate=lambda f, draws: f.replace(x=np.concatenate([f.x[:1], -f.x[:1], 0 * f.x[:1]])),
)

# beta has the unit of 1/<x, x>, and "large" means nothing without one: beta D^2 has none.
low_temperature_in_diameters = Assumption(
    "low_temperature_in_diameters",
    "beta D^2 >= 1000",
    satisfies=lambda f: f.beta.item() * diameter_squared(f.x) >= 1000,
    violate=lambda f, draws: f.replace(beta=f.beta / (f.beta * diameter_squared(f.x))),
)


# beta of either sign, and 0: on average the chain is the softmax step at every temperature.
def few_tokens(draws: Any) -> SoftmaxStep:
    """Two or three tokens of small size, whose chain can be enumerated for a few steps."""
    # Only the first kind is taken in turn, the others at random: few instances then meet them all.
    kind = draws.choice(("random", "symmetric", "ties", "zero token"))
    n, d = (2, 3, 2)[draws.integer(0, 2)], (1, 2, 1, 1)[draws.integer(0, 3)]
    x = dyadic(draws, n, d, size=(1, 2, 4, 1)[draws.integer(0, 3)], bits=3)
    if kind == "symmetric":
        x[-1] = -x[0]
    elif kind == "ties":
        x[-1] = x[0]
    elif kind == "zero token":
        x[0] = 0 * x[0]
    beta = (1, -1, fmpq(1, 4), 0, 2)[draws.integer(0, 4)] * (abs(dyadic(draws, size=2, bits=3)) + fmpq(1, 8))
    gamma = (fmpq(1, 2), fmpq(1), fmpq(1, 8), fmpq(7, 8))[draws.integer(0, 3)]
    return SoftmaxStep(x=x, beta=numbers(beta), gamma=numbers(gamma))


def one_to_three_tokens(draws: Any) -> SoftmaxStep:
    """The same, or the first of them alone, or two that pick one another or themselves alike, and move all the way."""
    f, n = few_tokens(draws), draws.choice((3, 3, 3, 1, 2))
    return f.replace(x=f.x[:2], beta=0 * f.beta, gamma=0 * f.gamma + 1) if n == 2 else f.replace(x=f.x[:n])


two_tokens = size(
    "two_tokens",
    "n",
    least=2,
    most=2,
    violate=lambda f, draws: f.replace(x=np.concatenate([f.x, dyadic(draws, 1, f.x.shape[-1])])),
)


# Rows of the softmax at x and -x share the least mass that |beta| D^2 allows, and for beta >= 0 the bound by it is
# attained.
def opposite_tokens(draws: Any) -> SoftmaxStep:
    """Two opposite tokens, or two in one place, mostly in the cold, with any step or gamma = 1; or any start."""
    kind, f = draws.choice(("opposite", "any", "opposite", "in one place")), draw_system(SoftmaxStep, draws)
    assert isinstance(f, SoftmaxStep)
    if kind == "any":
        return f
    gamma = f.gamma if draws.integer(0, 1) else 0 * f.gamma + 1
    other = f.x[..., :1, :] if kind == "in one place" else -f.x[..., :1, :]
    return SoftmaxStep(x=np.concatenate([f.x[..., :1, :], other], axis=-2), beta=16 * f.beta, gamma=gamma)


# The corners of a box attain the bound of Danzer and Gruenbaum: 2^d points without an obtuse angle. "round" is the inverse
# stereographic projection, which keeps rational points rational.
def two_to_the_d_tokens(draws: Any) -> SoftmaxStep:
    """Four points of the plane or eight of space: on a circle or sphere, the corners of a box, or anywhere."""
    d, kind = draws.choice((2, 3, 2, 2)), draws.choice(("round", "anywhere", "box", "anywhere"))
    if kind == "anywhere":
        return SoftmaxStep.instance(x=dyadic(draws, 2**d, d, size=2))
    if kind == "box":
        return SoftmaxStep.instance(x=exact(list(product((0, 1), repeat=d))) * (1 + abs(dyadic(draws, d, size=2))))
    flat = dyadic(draws, 2**d, d - 1, size=3, bits=3)
    square = (flat**2).sum(axis=-1, keepdims=True)
    return SoftmaxStep.instance(x=np.concatenate([2 * flat, 1 - square], axis=-1) / (1 + square))


too_many_to_be_acute = Assumption(
    "too_many_to_be_acute",
    "d >= 2 and n >= 2^d",
    satisfies=lambda f: f.x.shape[1] >= 2 and 2 ** f.x.shape[1] <= f.x.shape[0],
    violate=lambda f, draws: f.replace(x=f.x[:3]),
)


# beta <near, far> is between 1/4 and 9/4 however large beta is: the weights of softmax stay away from 0 and 1.
def tokens_near_a_wall(draws: Any) -> SoftmaxStep:
    """Two opposite tokens and a third at a distance of order 1/beta from the wall between their cells, beta large."""
    d = draws.choice((1, 2, 1, 3))
    beta = fmpq(draws.choice((4, 10, 100, 1000))) ** draws.choice((4, 2, 8, 1))
    far = dyadic(draws, d, size=2, bits=1)
    far[0] = abs(far[0]) + fmpq(1, 2)
    near = far * (abs(dyadic(draws, size=2, bits=2)) + fmpq(1, 4)) / (beta * (far @ far))
    return SoftmaxStep(
        x=np.stack([far, -far, near]), beta=numbers(beta), gamma=numbers(draws.choice((fmpq(1, 2), fmpq(1))))
    )


# ---------------------------------------------------------------------------------------------------------------------
# Where the random chain collapses

not_all_at_one_place = Assumption(
    "not_all_at_one_place",
    "the tokens are not all at one place",
    satisfies=lambda f: bool((f.x != f.x[0]).any()),
    restrict=lambda f: f if (f.x != f.x[0]).any() else f.replace(x=np.concatenate([f.x, f.x[:1] + 1])[-3:]),
    violate=lambda f, draws: f.replace(x=0 * f.x + f.x[:1]),
)


def _is_other_than_half(f: Any) -> bool:
    return bool(0 < f.gamma.item() < 1 and 2 * f.gamma.item() != 1)


# At gamma = 1/2 two tokens that pick each other meet at once, since 1 - 2 gamma = 0.
step_other_than_half = Assumption(
    "step_other_than_half",
    "0 < gamma < 1 and gamma != 1/2",
    satisfies=_is_other_than_half,
    restrict=lambda f: f if _is_other_than_half(f) else f.replace(gamma=0 * f.gamma + fmpq(3, 8)),
    violate=lambda f, draws: f.replace(gamma=0 * f.gamma + fmpq(1, 2)),
)


def few_tokens_and_other_steps(draws: Any) -> SoftmaxStep:
    """Two or three tokens, and steps so long that two of them decide which token all are nearest to."""
    gamma = (fmpq(3, 8), fmpq(7, 8), fmpq(5, 8), fmpq(3, 4))[draws.integer(0, 3)]
    f = few_tokens(draws)
    if draws.choice(("near", "near", "near", "far")) == "far":
        # Far from 0 all scores are nearly equal, so the bound by the least weight is nearly attained.
        far = 1 << draws.integer(12, 14)
        return SoftmaxStep.instance(x=[[far], [far + 1]], beta=1, gamma=gamma)
    return f.replace(gamma=0 * f.gamma + gamma)
