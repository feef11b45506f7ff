"""Lemma D of docs/flow_limits.md: exact symmetries of the start last for ever, and with them ties between leaders.

A symmetry is a permutation pi of the places for which a linear map takes each z_i to z_pi(i) and keeps all scores. All of
them are found, in rationals, on the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import arb, fmpq, fmpq_mat

from dynamics.arithmetic import Array, exact, numbers
from dynamics.limits.ends import TiedEnd
from dynamics.limits.leaders import spread_over
from dynamics.limits.margins import (
    NoLemmaError,
    NotTrappedError,
    around,
    dot,
    greatest,
    inside,
    integral_bound,
    least,
    total,
)
from dynamics.limits.tokens import TokenFlow, Tokens, as_balls, distinct_tokens, tokens_of
from dynamics.tokens.self_attention import RescaledFlow

MOST_SYMMETRIES = 5000
"""Of a start with more symmetries none is used."""


@dataclass(frozen=True)
class Symmetries:
    """The symmetries of m places as permutations, the identity among them, and what they say of each place."""

    points: Array
    """The places of the exact start, shape (m, d)."""
    permutations: list[tuple[int, ...]]

    @cached_property
    def stabilisers(self) -> list[list[tuple[int, ...]]]:
        """The symmetries that keep each place."""
        return [[pi for pi in self.permutations if pi[k] == k] for k in range(len(self.points))]

    def orbit(self, k: int, i: int) -> list[int]:
        """The places to which the stabiliser of place k takes place i."""
        return sorted({pi[i] for pi in self.stabilisers[k]})

    @cached_property
    def frozen(self) -> list[bool]:
        """Whether the stabiliser fixes no other point of the affine hull: the mean of what it makes of any is the place."""
        return [
            all(
                bool((self.points[[pi[j] for pi in group]].sum(axis=0) == len(group) * self.points[k]).all())
                for j in range(len(self.points))
            )
            for k, group in enumerate(self.stabilisers)
        ]


def symmetries(start: TokenFlow, tokens: Tokens) -> Symmetries:
    """All symmetries of an exact start of V = lambda I. Raises NoLemmaError where there are too many."""
    points = exact(tokens_of(start))[[tokens.first(k) for k in range(len(tokens.z))]]
    scores = points @ tokens.B @ points.T
    # Equal scores are necessary, and cut the search; that a linear map does it is asked of what is left.
    found = []
    for pi in _score_keepers(scores, tokens.weights):
        if _is_linear(points, pi):
            found.append(pi)
            if len(found) > MOST_SYMMETRIES:
                raise NoLemmaError("too many symmetries")
    return Symmetries(points, found)


def _score_keepers(scores: Array, weights: list[int]) -> Iterator[tuple[int, ...]]:
    """The permutations with scores[pi_i, pi_j] = scores[i, j] and equal weights, place after place."""
    # Depth first, place after place: most images are refused by the first scores they are asked for.
    m = len(scores)
    chosen: list[int] = []

    def fits(image: int) -> bool:
        i = len(chosen)
        if image in chosen or weights[image] != weights[i] or scores[image, image] != scores[i, i]:
            return False
        return all(
            scores[image, other] == scores[i, j] and scores[other, image] == scores[j, i] for j, other in enumerate(chosen)
        )

    def extended() -> Iterator[tuple[int, ...]]:
        if len(chosen) == m:
            yield tuple(chosen)
            return
        for image in range(m):
            if fits(image):
                chosen.append(image)
                yield from extended()
                chosen.pop()

    yield from extended()


def _is_linear(points: Array, pi: tuple[int, ...]) -> bool:
    """Whether a linear map takes each place to its image, one to one on their span."""
    # As many independent columns with the images as without them: each image is a linear function of its place.
    rank = fmpq_mat(points.tolist()).rank()
    both = np.concatenate([points, points[list(pi)]], axis=1)
    return bool(fmpq_mat(both.tolist()).rank() == rank)


def symmetry_trap(state: TokenFlow, start: TokenFlow | None = None) -> TiedEnd:
    """Lemma D: V = lambda I, lambda > 0, any B; tokens whose best tokens are tied by a symmetry of the start.

    Raises NotTrappedError where a margin is too small, UndecidedError where it is open, NoLemmaError for another V or
    where the start is not known.
    """
    tokens = distinct_tokens(state, start)
    # Balls are never symmetric: only the exact start can be, and the flow keeps what it has.
    if start is None:
        raise NoLemmaError("symmetries are those of a start")
    found = symmetries(start, tokens)
    frozen = found.frozen
    m, w = len(tokens.z), [arb(weight) for weight in tokens.weights]
    z = tokens.z.copy()
    # What rests is known exactly, and better than any ball around it.
    for k in range(m):
        if frozen[k] and (isinstance(state, RescaledFlow) or not found.points[k].any()):
            z[k] = as_balls(found.points[k])
    free = [k for k in range(m) if not frozen[k]]
    tied = _tied_leaders(found, free, numbers(z @ tokens.B), z)
    targets = np.array([z[tied[k]].sum(axis=0) / len(tied[k]) if k in tied else z[k] for k in range(m)], dtype=object)
    margins: list[arb] = []
    for x, k in ((points, k) for points in (z, targets) for k in free):
        query = tokens.beta * (x[k] @ tokens.B)
        outside = [i for i in range(m) if i not in tied[k]]
        margins += [dot(query, z[lam] - z[i]) for lam in tied[k] for i in outside]
    M = least(margins) if margins else None
    N = greatest(total(w[i] / w[tied[k][0]] for i in range(m) if i not in tied[k]) for k in free)
    if M is not None:
        G = tokens.spread()
        inside({"M > 4": M - 4, "8 N G e^-M < M": M - 8 * N * G * (-M).exp()})
    moved = arb(0) if M is None else 2 * N * tokens.diameter() * integral_bound(M)
    return _end(tokens, found, tied, numbers(targets), M, moved)


def _tied_leaders(found: Symmetries, free: list[int], queries: Array, z: Array) -> dict[int, list[int]]:
    """Lam_k for every free place: the orbit of the one it scores highest, by the middles of balls."""
    scores = queries @ z.T
    best = {k: max(range(len(z)), key=lambda j: scores[k, j].mid()) for k in free}
    tied = {k: found.orbit(k, best[k]) for k in free}
    # Who leads must lead itself alone, or its own limit would depend on who leads it.
    leaders = [k for k in free if tied[k] == [k]]
    if any(lam not in leaders for k in free for lam in tied[k]):
        raise NotTrappedError("a token is led by one that another leads")
    return tied


def _end(
    tokens: Tokens, found: Symmetries, tied: dict[int, list[int]], targets: Array, M: arb | None, moved: arb
) -> TiedEnd:
    m, n = len(tokens.z), tokens.count
    leaders = [k for k in tied if tied[k] == [k]]
    limits = around(targets, moved)
    rows = exact(np.zeros((m, m), dtype=int))
    for k in range(m):
        if k in tied:
            rows[k, tied[k]] = fmpq(1, len(tied[k]))
        else:
            rows[k] = exact([fmpq(weight, n) for weight in tokens.weights])
            limits[k] = targets[k]
    # Two places have one limit just where the same leaders are tied for both; what rests is of one kind.
    heard = [tuple(tied.get(k, ())) for k in range(m)]
    kinds = list(dict.fromkeys(heard))
    classes = [kinds.index(kind) for kind in heard]
    named = [tokens.first(tied[k][0]) if k in tied and len(tied[k]) == 1 else -1 for k in range(m)]
    return TiedEnd(
        limits=tokens.of_all(limits),
        leaders=np.array([named[k] for k in tokens.place]),
        classes=np.array([classes[k] for k in tokens.place]),
        attention=spread_over(rows[tokens.place], tokens),
        rank=len(leaders) + int(len(tied) < m),
        vertices=np.array([tokens.first(l) for l in leaders] if leaders else [0]),
        count=_number_of(limits[[classes.index(c) for c in range(len(kinds))]]),
        frozen=np.array([int(k not in tied) for k in tokens.place]),
        between=M,
    )


def _number_of(points: Array) -> int | None:
    """How many points there are if balls (m, d) tell all of them apart, else None."""
    apart = all(any(not x.overlaps(y) for x, y in zip(a, b, strict=True)) for k, a in enumerate(points) for b in points[:k])
    return len(points) if apart else None
