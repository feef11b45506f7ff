"""Points that show which branches of a path are possible, so that no solver is asked.

Floats are enough: a branch that is followed in vain costs time, and no proof. What a path is cut for is shown exactly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from claims.proving.symbols import Condition

Points = NDArray[np.float64]
Terms = tuple[tuple[int, tuple[int, ...]], ...]
Scaled = tuple[tuple[float, tuple[int, ...]], ...]

MIXED = 2048  # points from the numbers of a sample: it has itself few that meet several hypotheses
MOVED = 48  # points on a path that are moved until a polynomial changes its sign: one that does so is enough
NEAR = 1e-9  # what a value is zero below, as a share of its terms: rounding, and no number of a sample, is so small
LONGEST = 512  # bits of a coefficient as a float, whose range is twice that: powers of points are multiplied with it
MOST = 1 << 15  # points that are kept: each polynomial has a sign at each of them


class Witnesses:
    """Points of the variables of an instance, shape (points, variables), and the signs of polynomials there."""

    def __init__(self, sample: Points) -> None:
        self._rng = np.random.default_rng(0)
        self._points = np.concatenate([sample, self._mixed(sample)])
        self._signs: dict[Terms, NDArray[np.int8]] = {}
        self._path: list[tuple[Condition, NDArray[np.bool_]]] = []

    def _mixed(self, sample: Points) -> Points:
        # Points whose numbers are those of several others: hypotheses on few numbers are met often.
        rng, (count, variables) = self._rng, sample.shape
        if not count or not variables:
            return np.zeros((0, variables))
        parts = rng.random((MIXED, variables)) < rng.random((MIXED, 1))
        one, other = sample[rng.integers(count, size=(2, MIXED))]
        drawn = rng.integers(-4, 5, size=(MIXED, variables)) / 2.0
        mixed = np.where(parts, one, other)
        return np.where(rng.random((MIXED, variables)) < rng.random((MIXED, 1)) / 2, drawn, mixed)

    def possible(self, path: Sequence[Condition], asked: Sequence[Condition]) -> list[bool]:
        """Which of some conditions hold with those of the path at a point that is known, or is found near one."""
        variables = self._points.shape[1]
        if any(any(exponents[variables:]) for one in (*path, *asked) for _, exponents in one.terms):
            return [False] * len(asked)  # roots and exponentials are at no point
        on_path = np.flatnonzero(self._holds(path))
        found = [bool(self._at(one)[on_path].any()) for one in asked]
        if len(on_path) and not all(found) and len(self._points) < MOST:
            chosen = on_path if len(on_path) <= MOVED else self._rng.choice(on_path, MOVED, replace=False)
            moved = self._moved(self._points[chosen], asked[0].terms)
            first, self._points = len(self._points), np.concatenate([self._points, moved])
            kept = self._holds(path)[first:]
            found = [was or bool(self._at(one)[first:][kept].any()) for was, one in zip(found, asked, strict=True)]
            self._keep(first, np.flatnonzero(kept)[:MOVED])
        return found

    def add(self, point: Sequence[float]) -> None:
        """One more point, shape (variables,)."""
        if len(self._points) < MOST:
            self._points = np.concatenate([self._points, [point]])

    def _keep(self, first: int, chosen: NDArray[np.intp]) -> None:
        """Forget the points from `first` on but for those chosen."""
        self._points = np.concatenate([self._points[:first], self._points[first:][chosen]])
        self._path = [(condition, holds[:first]) for condition, holds in self._path]
        for terms, signs in self._signs.items():
            if len(signs) > first:
                self._signs[terms] = np.concatenate([signs[:first], signs[first:][chosen]])

    def _moved(self, points: Points, terms: Terms) -> Points:
        """The points, one number changed to where the polynomial, linear in that number, vanishes, or to beyond."""
        found, scaled = [], _scaled(terms)
        for v in range(points.shape[1]):
            rest, slope = [], []
            for c, exponents in scaled:
                if exponents[v] == 1:
                    slope.append((c, (*exponents[:v], 0, *exponents[v + 1 :])))
                elif exponents[v] == 0:
                    rest.append((c, exponents))
            if len(rest) + len(slope) < len(terms) or not slope:
                continue
            below, above = _values(tuple(slope), points)[0], _values(tuple(rest), points)[0]
            usable = abs(below) > NEAR
            root = -above[usable] / below[usable]
            for place in (root, root + 0.125, root - 0.125, 2 * root - points[usable, v]):
                moved = points[usable].copy()
                moved[:, v] = place
                found.append(moved)
        return np.concatenate(found) if found else points[:0]

    def _holds(self, conditions: Sequence[Condition]) -> NDArray[np.bool_]:
        # Where all conditions hold. Most paths begin as the last did: what held there is kept.
        count, kept = len(self._points), self._path
        holds = np.ones(count, dtype=bool)
        for k, condition in enumerate(conditions):
            if k < len(kept) and kept[k][0] == condition:
                first = len(kept[k][1])
                if first < count:
                    later = holds[first:] & self._at(condition)[first:]
                    kept[k] = condition, np.concatenate([kept[k][1], later])
            else:
                del kept[k:]
                kept.append((condition, holds & self._at(condition)))
            holds = kept[k][1]
        return holds

    def _at(self, condition: Condition) -> NDArray[np.bool_]:
        known = self._signs.get(condition.terms, np.zeros(0, dtype=np.int8))
        if len(known) < len(self._points):
            values, sizes = _values(_scaled(condition.terms), self._points[len(known) :])
            signs = np.where(abs(values) <= NEAR * sizes, 0, np.sign(values)).astype(np.int8)
            known = self._signs[condition.terms] = np.concatenate([known, signs])
        return np.array([sign in condition.signs for sign in (-1, 0, 1)])[known + 1]


def _scaled(terms: Terms) -> Scaled:
    # The terms with floats for integers: halved alike where these are beyond their range, which keeps signs and zeros.
    longest = max(abs(c).bit_length() for c, _ in terms)
    return tuple((c / (1 << max(longest - LONGEST, 0)), exponents) for c, exponents in terms)


def _values(terms: Scaled, points: Points) -> tuple[Points, Points]:
    values, sizes = np.zeros(len(points)), np.zeros(len(points))
    for c, exponents in terms:
        term = np.full(len(points), c)
        for v, power in enumerate(exponents[: points.shape[1]]):
            for _ in range(power):
                term = term * points[:, v]
        values += term
        sizes += abs(term)
    return values, sizes
