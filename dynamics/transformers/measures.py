"""What the paper plots of a trained transformer, from its attention (samples, layers, heads, T, T)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamics.transformers.settings import TINY

Reals = NDArray[np.float64]


def sink_scores(rows: Any) -> Reals:
    """The scores (layers, heads) that figures 4, 14 and 15 plot: a quotient of sums over positions 1, ..., T - 3.

    It is taken for each sample, then averaged: the share of the attention that goes to BOS where the next token is a
    random one. For maps of both signs it need not be between 0 and 1.
    """
    bos, total = _bos_and_total(rows)
    return (bos.sum(axis=-1) / (total.sum(axis=-1) + TINY)).mean(axis=0)


def printed_sink_scores(rows: Any) -> Reals:
    """The scores (layers, heads) as E.1 prints them: the mean of the quotients at each position, not yet clipped."""
    bos, total = _bos_and_total(rows)
    return (bos / (total + TINY)).mean(axis=(0, -1))


def _bos_and_total(rows: Any) -> tuple[Reals, Reals]:
    # Without BOS, the last random token and the query: to those the next token is no random one, or there is none.
    among = np.asarray(rows, np.float64)[..., 1:-2, :]
    return among[..., 0], among.sum(axis=-1)


def attention_shares(rows: Any) -> Reals:
    """Attention as shares that sum to one: of signed maps, of the absolute values."""
    sizes = np.abs(np.asarray(rows, np.float64))
    return sizes / np.maximum(sizes.sum(axis=-1, keepdims=True), TINY)


def head_distances(rows: Any, positions: slice) -> list[float]:
    """The mean distance in total variation of the rows at `positions`, for each pair of heads of the last layer."""
    last = attention_shares(np.asarray(rows)[:, -1, :, positions])
    pairs = combinations(range(last.shape[1]), 2)
    return [float(np.abs(last[:, one] - last[:, other]).sum(axis=-1).mean() / 2) for one, other in pairs]


def largest_shares(rows: Any) -> Reals:
    """The mean largest share of the attention of the last position, CLS, over samples: (layers, heads)."""
    return attention_shares(np.asarray(rows)[..., -1, :]).max(axis=-1).mean(axis=0)


def flips(
    look: Callable[[Any], tuple[Any, Any]], inputs: Any, labels: Any, pairs: Any
) -> tuple[NDArray[np.int64] | None, int]:
    """How many swaps of one token turn the label (E.3), (layers, heads), and how many were tried for each head.

    `pairs` (number, 2) are indices of inputs (B, n + 1) with different labels; the token with the largest attention of CLS
    in the first is replaced by that of the second, and conversely. The order of tokens tells the model nothing. No hits
    but None where logits are not finite: the largest of them means nothing.
    """
    inputs, labels, pairs = np.asarray(inputs), np.asarray(labels), np.asarray(pairs)
    both = np.concatenate([pairs, pairs[:, ::-1]])  # a flip one way says nothing of the way back
    logits, rows = look(inputs)
    if not np.isfinite(logits).all():
        return None, len(both)
    places = rows[..., -1, :-1].argmax(axis=-1)  # (B, layers, heads): which of the tokens
    hits = np.zeros(places.shape[1:], np.int64)
    for layer, head in np.ndindex(hits.shape):
        place = places[:, layer, head]
        swapped = inputs[both[:, 0]].copy()
        swapped[np.arange(len(both)), place[both[:, 0]]] = inputs[both[:, 1], place[both[:, 1]]]
        # The swapped token goes to the place of the one it replaces: without positions the order of tokens tells nothing.
        logits, _ = look(swapped)
        if not np.isfinite(logits).all():
            return None, len(both)
        hits[layer, head] = (logits[:, -1].argmax(axis=-1) == labels[both[:, 1]]).sum()
    return hits, len(both)


def kendall(first: Any, second: Any) -> float:
    """The share of pairs of entries that stand in the same order, less the share in opposite order."""
    first, second = np.asarray(first), np.asarray(second)
    signs = [np.sign(first[i] - first[j]) * np.sign(second[i] - second[j]) for i, j in combinations(range(len(first)), 2)]
    return float(np.mean(signs))
