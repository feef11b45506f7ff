"""Lemma C of docs/flow_limits.md: classes of near tokens that never mix, whichever tokens lead inside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

import numpy as np
from flint import arb

from dynamics.arithmetic import Array, numbers
from dynamics.limits.margins import NotTrappedError, around, first_caught, inside, integral_bound, least
from dynamics.limits.tokens import TokenFlow, Tokens, distinct_tokens


@dataclass(frozen=True)
class ClassesEnd:
    """Tokens in classes that never mix: the limit points of each token lie in the hull of its class, widened by `reach`."""

    classes: Array
    """The number of the class of each token, shape (n,)."""
    count: int
    """How many classes there are."""
    hulls: Array
    """Balls around each token that hold its class for ever, coordinate by coordinate, shape (n, d)."""
    reach: Any
    """Every token stays within this of the hull of its class at the state."""
    leak: Any
    """The weight that a token gives to other classes, summed over all time."""


def classes_trap(state: TokenFlow, start: TokenFlow | None = None) -> ClassesEnd:
    """Lemma C: V = lambda I, lambda > 0, any B. The finest classes, merged by distance, that are seen never to mix.

    Raises NotTrappedError where only all tokens together are such a class, UndecidedError where that is open.
    """
    tokens = distinct_tokens(state, start)

    def none() -> ClassesEnd:
        raise NotTrappedError("no classes are seen to stay apart")

    # What is not shown of one partition says nothing of a coarser one: its failure is not told.
    candidates: list[Callable[[], ClassesEnd]] = [none, *(partial(_apart, tokens, one) for one in _partitions(tokens))]
    return first_caught(candidates)


def _partitions(tokens: Tokens) -> Iterator[list[list[int]]]:
    """Partitions of the places from single ones up to two classes, each by joining the two nearest classes."""
    # Single linkage, a proposal: tokens that are near score alike.
    middles = np.array([[float(v.mid()) for v in row] for row in tokens.z])
    with np.errstate(invalid="ignore"):  # a ball without a middle is caught by no margin later
        apart = np.linalg.norm(middles[:, None] - middles[None, :], axis=-1)
    classes = [[k] for k in range(len(middles))]
    while len(classes) > 1:
        yield classes
        pairs = [(apart[np.ix_(a, b)].min(), i, j) for i, a in enumerate(classes) for j, b in enumerate(classes[:i])]
        _, i, j = min(pairs)
        classes = [c for k, c in enumerate(classes) if k not in (i, j)] + [classes[i] + classes[j]]


def _apart(tokens: Tokens, classes: list[list[int]]) -> ClassesEnd:
    m, n = len(tokens.z), tokens.count
    # Within a class everything may happen, so that margins are asked only of tokens within over tokens outside.
    own = {k: members for members in classes for k in members}
    scores = tokens.queries @ tokens.z.T
    b_0 = least(scores[k, i] - scores[k, j] for k in range(m) for i in own[k] for j in range(m) if j not in own[k])
    inside({"b_0 > 0": b_0})
    G = tokens.spread()
    # While margins keep half of b_0 they grow like b_0 e^{2 tau}/2, and all that leaks is this; so they do keep it.
    leak = n * integral_bound(b_0 / 2) / 2
    inside({"3 L (b_0 + G) < b_0 / 2": b_0 / 2 - 3 * leak * (b_0 + G)})
    reach = leak * tokens.diameter()
    hulls = np.array([[reduce(arb.union, column) for column in tokens.z[own[k]].T] for k in range(m)], dtype=object)
    named = [classes.index(own[k]) for k in range(m)]
    return ClassesEnd(
        classes=np.array([named[k] for k in tokens.place]),
        count=len(classes),
        hulls=tokens.of_all(around(numbers(hulls), reach)),
        reach=reach,
        leak=leak,
    )
