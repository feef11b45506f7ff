"""Lemma K of docs/flow_limits.md: tokens on a grid move as the tokens of its sides do, and attention is a product."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, UndecidedError, numbers
from dynamics.limits.ends import TiedEnd, TokensEnd
from dynamics.limits.leaders import leader_trap
from dynamics.limits.margins import NoLemmaError
from dynamics.limits.symmetry import symmetry_trap
from dynamics.limits.thresholds import threshold_trap
from dynamics.limits.tokens import TokenFlow, checked, exact_matrix, places, scalar_value, tokens_of
from dynamics.tokens.self_attention import RescaledFlow


def product_trap(state: TokenFlow, start: TokenFlow | None = None) -> TiedEnd:
    """Lemma K: V = lambda I, lambda > 0; the exact start is a product of two sets of tokens, which B does not mix.

    Raises NoLemmaError for another start, and what :func:`tokens_trap` raises of a side.
    """
    checked(state)
    pace = scalar_value(state)
    if start is None or pace is None or not pace > 0:
        raise NoLemmaError("products are those of a start of V = lambda I, lambda > 0")
    for own in _parts(exact_matrix(start.B)):
        other = [a for a in range(len(start.B)) if a not in own]
        sides = _side(start, own), _side(start, other)
        if _is_product(*sides):
            ends = [tokens_trap(_side(state, part), side) for part, side in zip((own, other), sides, strict=True)]
            return _end(ends[0], ends[1], [places(side) for side in sides], own + other)
    raise NoLemmaError("the tokens are not a product of two sets")


def _parts(B: Array) -> Iterator[list[int]]:
    """The sets of coordinates with the first one, not all of them, that B does not mix with the others."""
    # With the first coordinate always on one side each way to split them comes once.
    d = len(B)
    for size in range(d - 1):
        for more in combinations(range(1, d), size):
            own = [0, *more]
            other = [a for a in range(d) if a not in own]
            if not (B[np.ix_(own, other)].any() or B[np.ix_(other, own)].any()):
                yield own


def _side(flow: TokenFlow, own: list[int]) -> TokenFlow:
    """The flow of some coordinates: as many tokens, several of them at one place."""
    # Scores are sums over the two blocks, and V = lambda I acts on each of them by itself.
    block = np.ix_(own, own)
    moved = {"z" if isinstance(flow, RescaledFlow) else "x": tokens_of(flow)[:, own]}
    return flow.replace(B=flow.B[block], V=flow.V[block], **moved)


def _is_product(one: TokenFlow, other: TokenFlow) -> bool:
    """Whether each pair of places has the tokens at the one times those at the other, of all n."""
    a, b = places(one), places(other)
    # Multiplicities, too, have to be products: attention counts every token.
    pairs = list(zip(a, b, strict=True))
    return all(pairs.count((k, l)) * len(a) == a.count(k) * b.count(l) for k in set(a) for l in set(b))


def _end(one: TokensEnd, other: TokensEnd, place: list[list[int]], coordinates: list[int]) -> TiedEnd:
    ends, n = (one, other), len(place[0])
    pairs = list(zip(*place, strict=True))

    def corner(k: int, l: int) -> int:
        """The first token whose sides are those of tokens k and l."""
        return pairs.index((place[0][k], place[1][l]))

    limits = np.concatenate([one.limits, other.limits], axis=1)[:, np.argsort(coordinates)]
    leaders = [corner(k, l) if min(k, l) >= 0 else -1 for k, l in zip(one.leaders, other.leaders, strict=True)]
    kinds = list(zip(one.classes.tolist(), other.classes.tolist(), strict=True))
    still = [
        end.frozen if isinstance(end, TiedEnd) else np.full(n, int(len(set(at)) == 1))
        for end, at in zip(ends, place, strict=True)
    ]
    return TiedEnd(
        limits=numbers(limits),
        leaders=np.array(leaders),
        classes=np.array([sorted(set(kinds)).index(kind) for kind in kinds]),
        # A place is shared by n_k tokens on one side and by m_l on the other, their corner by n_k m_l / n of them.
        attention=numbers(fmpq(n) * one.attention * other.attention),
        rank=one.rank * other.rank,
        vertices=np.array([corner(k, l) for k in one.vertices for l in other.vertices]),
        count=None if one.count is None or other.count is None else one.count * other.count,
        frozen=still[0] * still[1],
        between=None,
    )


def tokens_trap(state: TokenFlow, start: TokenFlow | None = None) -> TokensEnd:
    """Lemma B2, else D, else K: the limits of all tokens and of attention for V = lambda I, lambda > 0, and any B.

    Raises what :func:`symmetry_trap` raises where none catches, or UndecidedError where more bits may tell.
    """
    failures: list[UndecidedError] = []
    for trap in (leader_trap, symmetry_trap, product_trap):
        try:
            return trap(state, start)
        except UndecidedError as error:
            failures.append(error)
    # Where one of them is open more bits may help: that is told first.
    raise next((error for error in failures if error.precision_helps), failures[1])


def line_trap(state: TokenFlow, start: TokenFlow | None = None) -> TokensEnd:
    """Lemma A', else D: tokens on a line that run off, or rest at 0 between opposite ones.

    Raises what :func:`threshold_trap` raises where neither catches.
    """
    try:
        return threshold_trap(state, start)
    except UndecidedError:
        with suppress(UndecidedError):
            return symmetry_trap(state, start)
        raise
