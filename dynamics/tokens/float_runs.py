"""Runs of the attention chain in float64, and how far they may be from the chain itself.

What rounding may change in runs is a systematic error, which no number of runs makes smaller. Section 10 of docs/escapes.md
bounds it, for any size of the numbers: where it is large a statistic says nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, sqrt

import numpy as np

from dynamics.arithmetic import FLOAT64, Array, UndecidedError, fraction
from dynamics.geometry import faces, squared_distance_to_hull
from dynamics.tokens.attention_chain import AttentionChain

UNIT, LEAST = 2.0**-53, 2.0**-1022
"""The relative error of a rounded result, and the least size of a result of which it is the error."""

ULPS = 8 * UNIT
"""The relative error of NumPy's exponentials and logarithms: four units in the last place are asked of them."""

# Above what rounding changes in a few hundred steps at faces that are not flat: only longer runs use the bound itself.
EDGE = 1e-9
"""Squared distances this near the tube's edge, relative to the tokens' squared size, count for both sides in any case."""

MOST_OFF = 1e-3
"""A numerical estimate is not made where scores may be off by more: it says nothing of what rounding changes."""

SIZES = 2.0**-400, 2.0**400
"""Squared sizes of tokens and tubes that are followed: products of products neither overflow nor lose digits."""


class BeyondFloatsError(UndecidedError):
    """The numbers of a chain are too small or too large for runs in float64."""

    precision_helps = False


@dataclass(frozen=True)
class Rounding:
    """How far runs in float64 may be from the chain.

    Any sequence of picks has a chance that is right but for a factor of e^`ratio`, and for an event of chance `chance` for
    all of a run. With the same picks tokens are within `place` of where they would be. Squared distances to the hulls,
    relative to the tokens' squared size, are right up to `edge`; scores up to `score`, and none is above `most_score`.
    """

    ratio: float
    chance: float
    place: float
    edge: float
    score: float
    most_score: float


# Squared sizes are asked for here, before anything is multiplied: a product that underflows is no longer seen to have lost
# its digits.
def floats_of(chain: AttentionChain) -> tuple[Array, float, float]:
    """The tokens (n, d), beta and gamma. Raises BeyondFloatsError where they are no floats to work with."""
    try:
        x = FLOAT64.convert(chain.x)
        beta, gamma, eps = (float(fraction(value.item())) for value in (chain.beta, chain.gamma, chain.eps))
    except OverflowError:
        raise BeyondFloatsError("its numbers are beyond float64") from None
    if not SIZES[0] <= _size(x, eps) <= SIZES[1] or not LEAST <= gamma < 1 or not beta >= LEAST:
        raise BeyondFloatsError("its numbers are too small or too large for runs in float64")
    return x, beta, gamma


def rounding(chain: AttentionChain, steps: int) -> Rounding:
    """What rounding may change in runs of so many steps. Raises BeyondFloatsError."""
    x, beta, _ = floats_of(chain)
    n, d = x.shape
    eps = float(fraction(chain.eps.item()))
    size = 1.01 * sqrt(float((x**2).sum(axis=-1).max()))
    place = (steps + 1) * (8 * UNIT * size + 8 * d * LEAST)
    score = beta * (3 * size * place + (2 * d + 6) * UNIT * size**2 + 8 * d * LEAST) + LEAST
    ratio = n * steps * (2 * score + 3 * ULPS)
    chance = n * steps * (2 * n * n * UNIT + n * LEAST)
    distance = _tube_error(chain, d, size, place)
    squared = 5 * max(size, eps) * distance + distance**2 + (6 * d + 20) * UNIT * (size**2 + eps**2)
    found = Rounding(ratio, chance, place, max(EDGE, 1.01 * squared / _size(x, eps)), score, 2.5 * beta * size**2)
    if not all(map(isfinite, (ratio, chance, place, found.edge, found.most_score))):
        raise BeyondFloatsError("what rounding may change in its runs is beyond float64")
    return found


def _size(x: Array, eps: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.float64(eps) ** 2 + (x**2).sum(axis=-1).max())


# By the longest edge times the sum of its dual basis: of a flat face the dual is long, and a weight is as wrong as it is.
def _tube_error(chain: AttentionChain, d: int, size: float, place: float) -> float:
    """How far a computed distance from a first hull may be off: flat faces make it large."""
    worst = 0.0
    for points in (chain.x[chain.group == label] for label in set(chain.group.tolist())):
        for _, _, edges, dual in faces(points):
            if not len(edges):
                continue
            lengths = [np.sqrt((FLOAT64.convert(rows) ** 2).sum(axis=-1)) for rows in (edges, dual)]
            worst = max(worst, float(lengths[0].max() * lengths[1].sum()))
    return 2 * (d + 2) * (1 + 1.01 * worst) * (place + (6 * d + 19) * UNIT * size)


# Shifted by the largest: one exponential is 1, and no sum of them vanishes or overflows.
def drawn(scores: Array, rng: np.random.Generator) -> Array:
    """Which entry of each row of scores (..., n) is drawn, with chances in proportion to their exponentials, shape (...).

    A score of -inf is never drawn, however small the chances of the others are, but for a chance of 2^-53.
    """
    cumulative = np.exp(scores - scores.max(axis=-1, keepdims=True)).cumsum(axis=-1)
    draws = rng.random((*cumulative.shape[:-1], 1)) * cumulative[..., -1:]
    return np.minimum((cumulative <= draws).sum(axis=-1), scores.shape[-1] - 1)


# Where all scores are -inf the shift would be inf - inf: there nothing is shifted, and log 0 is the answer.
def log_sum(scores: Array) -> Array:
    """log sum_j exp(score_j) along the last axis, -inf where all are: no chance is too small for it."""
    top = scores.max(axis=-1, keepdims=True)
    shifted = np.exp(scores - np.where(np.isfinite(top), top, 0.0))
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(shifted.sum(axis=-1)) + top[..., 0])


# Squares less eps^2, over the squared size: no root is taken, and a tube of any size has edges of the same width.
def beyond_tubes(chain: AttentionChain, x: Array) -> Array:
    """The largest squared distance of tokens (..., n, d) from a first hull less eps^2, relative to their size."""
    eps = float(fraction(chain.eps.item()))
    worst = [
        (squared_distance_to_hull(x[..., chain.group == label, :], chain.x[chain.group == label]) - eps**2).max(axis=-1)
        for label in sorted(set(chain.group.tolist()))
    ]
    return np.asarray(np.max(worst, axis=0) / _size(FLOAT64.convert(chain.x), eps))
