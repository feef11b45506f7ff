"""Starts and hypotheses of the claims about finite inverse temperature beta (section 5 of arXiv 2508.09628)."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq

from claims.statement import Assumption, Draws
from dynamics.arithmetic import Array, exact, indicator, numbers
from dynamics.attention_chain import SoftmaxStep
from dynamics.geometry import membership

# ---------------------------------------------------------------------------------------------------------------------
# The softmax step


def squared_distances(x: Array) -> Array:
    """|x_i - x_j|^2 for i < j of tokens (..., n, d), shape (..., n (n - 1) / 2)."""
    i, j = np.triu_indices(x.shape[-2], 1)
    difference = x[..., i, :] - x[..., j, :]
    return numbers((difference * difference).sum(axis=-1))


def largest(values: Array) -> Array:
    """The largest number along the last axis, shape (...): (a + b + |a - b|) / 2 encloses the maximum of balls, too."""
    top = values[..., 0]
    for j in range(1, values.shape[-1]):
        top = (top + values[..., j] + abs(top - values[..., j])) / 2
    return numbers(top)


def _not_negative(f: Any) -> Any:
    return f.replace(beta=abs(f.beta))


nonnegative_beta = Assumption(
    "nonnegative_beta",
    "beta >= 0",
    satisfies=lambda f: f.beta.item() >= 0,
    restrict=_not_negative,
    violate=lambda f, draws: f.replace(beta=-f.beta - indicator(f.beta == 0, f.x)),
)


def _near_the_origin(f: Any) -> Any:
    """The tokens moved together so that the origin is next to the first of them, a little towards the mean."""
    n = f.x.shape[-2]
    mean = f.x.sum(axis=-2, keepdims=True) / n
    return f.replace(x=f.x - (15 * f.x[..., :1, :] + mean) / 16)


def _away_from_the_origin(f: Any, draws: Draws) -> Any:
    shift = 1 - min(f.x[:, 0]) + abs(draws.dyadic(size=2))
    return f.replace(x=f.x + shift * indicator(np.arange(f.x.shape[1]) == 0, f.x))


origin_in_hull = Assumption(
    "origin_in_hull",
    "0 in K^0",
    satisfies=lambda f: membership(exact([0] * f.x.shape[1]), f.x).inside,
    restrict=_near_the_origin,
    violate=_away_from_the_origin,
)


def few_tokens(draws: Any) -> SoftmaxStep:
    """Two or three tokens of small size, whose chain can be enumerated for a few steps."""
    n, d = draws.choice((2, 3, 2)), draws.choice((1, 2, 1, 1))
    x = draws.dyadic(n, d, size=draws.choice((1, 2, 4, 1)), bits=3)
    kind = draws.choice(("random", "symmetric", "ties", "zero token"))
    if kind == "symmetric":
        x[-1] = -x[0]
    elif kind == "ties":
        x[-1] = x[0]
    elif kind == "zero token":
        x[0] = 0 * x[0]
    beta = draws.choice((1, -1, fmpq(1, 4), 0, 2)) * (fmpq(1, 8) + abs(draws.dyadic(size=2, bits=3)))
    gamma = draws.choice((fmpq(1, 2), fmpq(1), fmpq(1, 8), fmpq(7, 8)))
    return SoftmaxStep(x=x, beta=numbers(beta), gamma=numbers(gamma))


def tokens_near_a_wall(draws: Any) -> SoftmaxStep:
    """Two opposite tokens and a third at a distance of order 1/beta from the wall between their cells, beta large."""
    d = draws.choice((1, 2, 1, 3))
    beta = fmpq(draws.choice((4, 10, 100, 1000))) ** draws.choice((4, 2, 8, 1))
    far = draws.dyadic(d, size=2, bits=1)
    far[0] = abs(far[0]) + fmpq(1, 2)
    near = far * (fmpq(1, 4) + abs(draws.dyadic(size=2, bits=2))) / (beta * (far @ far))
    return SoftmaxStep(
        x=np.stack([far, -far, near]), beta=numbers(beta), gamma=numbers(draws.choice((fmpq(1, 2), fmpq(1))))
    )
