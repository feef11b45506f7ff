"""Attention weights: rows of nonnegative numbers that sum to one, from an array of scores (..., n)."""

from __future__ import annotations

import numpy as np

from dynamics.arithmetic import (
    Array,
    any_summits,
    at_most,
    below_any_summit,
    below_peak,
    exp,
    has_columns,
    indicator,
    leading,
    numbers,
    transposed,
)


def softmax(scores: Array) -> Array:
    """exp(score) normalised along the last axis, shifted by the winner so that nothing overflows."""
    weights = exp(below_any_summit(scores))
    return numbers(weights / weights.sum(axis=-1, keepdims=True))


def attention(queries: Array, keys: Array) -> Array:
    """The softmax over j of the scores <q_i, k_j>, for queries (..., n, d) and keys (..., m, d), shape (..., n, m).

    Scores enter as <q_i, k_j - k_w>, w the winner of row i. Long queries and near keys lose no digits in this, and wide
    balls and power series stay far tighter than in a difference of two scores. Real float64 batches only screen: they
    take the difference of scores, ten times faster.
    """
    if queries.dtype.kind == "f" or (queries.dtype == object and has_columns(queries)):
        return softmax(queries @ transposed(keys))
    winners = any_summits(leading(queries) @ transposed(leading(keys)))[..., None]
    differences = keys[..., None, :, :] - np.take_along_axis(keys, winners, axis=-2)[..., :, None, :]
    exponents = (queries[..., :, None, :] * differences).sum(axis=-1)
    if exponents.dtype == object:
        zero = 0 * indicator(np.ones(winners.shape, dtype=bool), exponents)
        np.put_along_axis(exponents, winners, zero, axis=-1)
    weights = exp(exponents)
    # One division a row: power series divide slower than they multiply.
    return numbers(weights * (1 / weights.sum(axis=-1, keepdims=True)))


def leaders(scores: Array) -> Array:
    """Boolean mask of the maximisers along the last axis: ties are decided, not broken.

    Raises UndecidedError where balls overlap.
    """
    return near_leaders(scores, np.zeros_like(scores[..., :1]))


def near_leaders(scores: Array, tolerance: Array) -> Array:
    """Boolean mask of the entries within `tolerance` of the largest along the last axis (localmax neighbours)."""
    return at_most(-tolerance, below_peak(scores))


def average_over(mask: Array, points: Array, preference: Array | int = 1) -> Array:
    """For each row of the mask (..., m, n) the mean of the points (..., n, d) on it, shape (..., m, d).

    Weighted by `preference` (..., m, n), uniform by default.
    """
    weights, total = _weights(mask, points, preference)
    return weights @ points / total


def shares(mask: Array, like: Array, preference: Array | int = 1) -> Array:
    """The weights of :func:`average_over`: rows (..., m, n) that sum to one, 0 off the mask."""
    weights, total = _weights(mask, like, preference)
    return np.asarray(weights / total)


def _weights(mask: Array, like: Array, preference: Array | int) -> tuple[Array, Array]:
    """Weights (..., m, n) on the mask, and the sums (..., m, 1) of their rows."""
    weights = indicator(mask, like) * preference
    return weights, weights @ indicator(np.ones((mask.shape[-1], 1), dtype=bool), like)
