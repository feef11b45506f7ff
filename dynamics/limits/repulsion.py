"""Lemmas T5'' and N of docs/flow_limits.md: tokens that tend to 0, all of them, which no inequality need tell.

For V = -lambda I and B > 0 every start collapses; for V = lambda I and -B > 0 mirrored rescaled tokens gather.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from dynamics.arithmetic import Array, exact, numbers
from dynamics.limits.ends import LedEnd
from dynamics.limits.leaders import leader_trap
from dynamics.limits.margins import NoLemmaError, about, dot, inside, total
from dynamics.limits.splittings import is_definite
from dynamics.limits.tokens import TokenFlow, as_balls, checked, exact_matrix, is_mirrored, scalar_value, tokens_of
from dynamics.tokens.self_attention import SelfAttentionFlow


@dataclass(frozen=True)
class CollapseEnd:
    """All tokens tend to 0 and attention to 1/n.

    With o = 2 sum |x_i|_B^2 at the state and s = lambda (t - T): 1/o(t) - log o(t) >= 1/o - log o + s / (r n) for ever, or
    o(t) = o e^{-2 s} where all tokens coincide (r = 0).
    """

    limits: Array
    """Zero, shape (n, d)."""
    attention: Array
    """1/n, shape (n, n)."""
    rank: int
    """1."""
    size: Any
    """o, a ball."""
    differences: int
    """r, at least the rank of the differences of tokens."""
    pace: fmpq
    """lambda."""


@dataclass(frozen=True)
class GatheredEnd:
    """All rescaled tokens tend to 0."""

    number_of_limits: int
    """1."""


def gathering_trap(state: TokenFlow, start: TokenFlow) -> LedEnd | GatheredEnd:
    """Lemma N of an exact start that x -> -x maps to itself: V = lambda I, lambda > 0, -B symmetric positive definite.

    Lemma B2 of any other start, with what :func:`leader_trap` raises.
    """
    checked(state)
    # Mirrored tokens are decided by the start alone; any other start has to have leaders.
    pace, B = scalar_value(start), exact_matrix(start.B)
    repel = bool((B == B.T).all()) and is_definite(-B)
    return GatheredEnd(1) if repel and pace is not None and pace > 0 and is_mirrored(start) else leader_trap(state, start)


def collapse_trap(state: TokenFlow, start: TokenFlow | None = None) -> CollapseEnd:
    """Lemma T5'': V = -lambda I, lambda > 0, B symmetric positive definite: every state is caught.

    Raises NoLemmaError for another flow, UndecidedError for a state of no finite balls.
    """
    checked(state)
    about(state, SelfAttentionFlow)
    pace, B = scalar_value(state), exact_matrix(state.B)
    if pace is None or not pace < 0:
        raise NoLemmaError("V is no negative multiple of the identity")
    if (B != B.T).any() or not is_definite(B):
        raise NoLemmaError("Q^T K is not symmetric positive definite")
    x = as_balls(tokens_of(state))
    size = 2 * total(dot(row @ B, row) for row in x)
    # Every state is caught, so that finite balls are all there is to ask for.
    inside({"o is finite": size + 1})
    n, d = x.shape
    return CollapseEnd(
        limits=exact(np.zeros((n, d), dtype=int)),
        attention=numbers(np.array([[fmpq(1, n)] * n] * n, dtype=object)),
        rank=1,
        size=size,
        differences=min(n - 1, d) if start is None else _differences(tokens_of(start)),
        pace=-pace,
    )


def _differences(tokens: Array) -> int:
    """The rank of the differences of exact tokens, which never changes."""
    # In rationals: a ball around a small difference would have full rank.
    rows = (exact(tokens) - exact(tokens)[:1]).tolist()
    return int(fmpq_mat(rows).rank())
