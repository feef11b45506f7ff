"""Attention weights: rows of nonnegative numbers that sum to one, from an array of scores (..., n)."""

from __future__ import annotations

import numpy as np

from dynamics.arithmetic import Array, at_most, below_peak, exp, indicator


def softmax(scores: Array) -> Array:
    """exp(score) normalised along the last axis, shifted by the winner so that nothing overflows."""
    weights = exp(below_peak(scores))
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def leaders(scores: Array) -> Array:
    """Boolean mask of the maximisers along the last axis: ties are decided, not broken.

    Raises UndecidedError where balls overlap.
    """
    return near_leaders(scores, np.zeros_like(scores[..., :1]))


def near_leaders(scores: Array, tolerance: Array) -> Array:
    """Boolean mask of the entries within `tolerance` of the largest along the last axis (localmax neighbours)."""
    return at_most(-below_peak(scores), tolerance)


def average_over(mask: Array, like: Array, preference: Array | int = 1) -> Array:
    """Rows proportional to `preference` on `mask`, zero elsewhere; uniform averaging by default."""
    weights = indicator(mask, like) * preference
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
