"""What :mod:`dynamics.limits.hulls` shows, decided again: Lemma H of docs/flow_limits.md over mpmath's intervals.

Nothing is shared with it but the lemma, the formulas and the weights that the user names. Identities are those of
quotients over Fractions; bounds come from the recorded operations of both formulas, run over all that can be reached.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from mpmath import iv

from dynamics.arithmetic import numbers
from dynamics.checker.contraction import Box, Laws, Restless, exact_entry
from dynamics.checker.flint_stand_in import arb
from dynamics.checker.formal import Quotient, UnformalError, all_vanish, column, run
from dynamics.checker.integrator import jacobian
from dynamics.checker.intervals import Interval, interval, is_finite, norm, product_sum, symmetric
from dynamics.checker.recording import Own, recorded, refuse_choices
from dynamics.checker.traps import UncaughtError

STEPS = 4000


def hulls(weights: Callable[[Any], Any]) -> Callable[[Any, Any], dict[str, Any]]:
    """Stands in for the trap of that name."""

    def trap(state: Any, start: Any) -> dict[str, Any]:
        motion = Restless(state)
        if len(motion.parts) != 1 or not motion.shapes[0] or motion.shapes[0][0] < 2:
            raise UncaughtError("nothing but one array with at least two tokens is to move")
        case = Case(motion, start, weights)
        tokens = case.by_token(motion.box())
        if case.is_free():
            return case.in_their_box(tokens)
        if not motion.flows:
            raise UncaughtError("a step is not the mean that the weights say")
        squares = [sum((exact_entry(v) ** 2 for v in row), Fraction(0)) for row in case.by_token(motion.numbers(start))]
        if not case.keeps(squares):
            raise UncaughtError("tokens are drawn along themselves, too, and their lengths are not kept")
        return case.in_their_cone(tokens, squares)

    return trap


class Case:
    """One state, its formula, and the weights that are named."""

    def __init__(self, motion: Restless, start: Any, weights: Callable[[Any], Any]) -> None:
        self.motion, self.count = motion, motion.shapes[0][0]
        self.named: Callable[[Sequence[Any]], list[Any]] = lambda at: list(numbers(weights(motion.placed(at))).flat)
        laws = Laws(motion, start)
        self.x, self.modulo = laws.x, laws.modulo
        self.pace = self.by_token(run(lambda at: (column(motion.pace(at)),), self.x))
        drawn = run(lambda at: (column(self.named(at)),), self.x)
        if len(drawn) != self.count**2:
            raise UnformalError("the weights are no square of numbers")
        self.weights = self.by_token(drawn)

    def by_token(self, values: Sequence[Any]) -> list[list[Any]]:
        """Flat numbers, token by token."""
        size = len(values) // self.count
        return [list(values[k : k + size]) for k in range(0, len(values), size)]

    def left_over(self) -> list[list[Quotient]]:
        """x_i' less what the other tokens draw it by."""
        tokens, found = self.by_token(self.x), []
        for i, here in enumerate(tokens):
            row = list(self.pace[i])
            for j, there in enumerate(tokens):
                if i != j:
                    row = [v - self.weights[i][j] * (b - a) for v, a, b in zip(row, here, there, strict=True)]
            found.append(row)
        return found

    def is_free(self) -> bool:
        """Whether nothing is left over; raises UncaughtError where what is left is no multiple of the token.

        Of a map the weights are parts of a whole, too.
        """
        left = self.left_over()
        whole = [] if self.motion.flows else [[sum(row[1:], row[0]) - 1 for row in self.weights]]
        if all_vanish([value for row in left + whole for value in row], self.modulo):
            return True
        for row, token in zip(left, self.by_token(self.x), strict=True):
            # A multiple of the token, whatever the factor, has no minor with it.
            crossed = [row[a] * token[b] - row[b] * token[a] for a in range(len(row)) for b in range(a + 1, len(row))]
            if not all_vanish(crossed, self.modulo):
                raise UncaughtError("the weights do not tell how tokens move")
        return False

    def keeps(self, squares: Sequence[Fraction]) -> bool:
        """Whether |x_i|^2 is this for ever, and not 0."""
        apart = []
        for row, square in zip(self.by_token(self.x), squares, strict=True):
            apart.append(sum((v * v for v in row), row[0] * 0) - square)
        # A token at 0 has no direction in which it could be seen.
        return min(squares) > 0 and all_vanish(apart, self.modulo)

    def least_weights(self, region: Box) -> list[list[Interval]]:
        """Points below the weights over a region, where the field has a derivative. Raises UncaughtError."""
        here = [iv.mpf(value.mid.a) for value in self.motion.box()]
        try:
            # The weights are a formula of the user's, too: they may choose by the state as little as the field.
            refuse_choices(self.named, here)
            drawing = recorded(self.named, here, Own)
            rows = jacobian(self.motion.record(here), region)
            found = self.by_token([value.a for value in drawing.run(region)])
        except (ZeroDivisionError, ValueError) as pole:
            raise UncaughtError(f"a formula is not defined everywhere: {pole}") from None
        if not all(is_finite(value) for row in rows for value in row.values()):
            raise UncaughtError("the derivative is not bounded on the region")
        if not all(found[i][j] >= 0 for i, j in product(range(self.count), repeat=2) if i != j or not self.motion.flows):
            raise UncaughtError("a weight is not seen to be at least 0")
        return found

    def rate(self, least: list[list[Interval]]) -> Interval:
        """The least weight for the token that is seen best, of a map also by itself. Raises UncaughtError where it is 0."""
        best = iv.mpf(0)
        for seen in range(self.count):
            # The token that is seen does not draw itself along a flow; a map moves it like all others.
            worst = min(row[seen].a for i, row in enumerate(least) if i != seen or not self.motion.flows)
            best = max(best.a, worst)
        if not best > 0:
            raise UncaughtError("no token is seen by all others")
        return iv.mpf(best)

    def in_their_box(self, tokens: list[Box]) -> dict[str, Any]:
        """The lemma without a hemisphere."""
        box = [iv.mpf([min(v.a for v in column), max(v.b for v in column)]) for column in zip(*tokens, strict=True)]
        # The tokens are to be inside of the region, not at its faces.
        region = [v + symmetric((1 + v.delta.b) / 2**20) for v in box]
        rate = self.rate(self.least_weights(region * self.count))
        return self.told([box] * self.count, [0] * self.count, rate, max((v.delta.b for v in box), key=lambda v: v.b))

    def in_their_cone(self, tokens: list[Box], squares: list[Fraction]) -> dict[str, Any]:
        """The lemma with one: tokens of fixed lengths, seen in the plane of height 1."""
        lengths = [iv.sqrt(interval(square)) for square in squares]
        # Lengths are kept, so no coordinate ever exceeds them.
        region = [symmetric(length) for length, token in zip(lengths, tokens, strict=True) for _ in token]
        least = self.least_weights(region)
        # Any direction that all heights confirm will do; a good one makes the heights large.
        axis = towards(tokens)
        heights = [product_sum([interval(c) for c in axis], token) for token in tokens]
        if not all(height > 0 for height in heights):
            raise UncaughtError("the tokens are not seen to be in an open hemisphere")
        seen = [[v / height for v in token] for token, height in zip(tokens, heights, strict=True)]
        size = norm([interval(c) for c in axis])
        # |x_i| = height |y_i|: no height falls below |x_i|/farthest, and none exceeds size |x_i|.
        farthest = iv.mpf(max(norm(y).b for y in seen))
        lowest = [length / farthest for length in lengths]
        highest = [length * size for length in lengths]
        drawn = [[(w * lowest[j] / highest[i]).a for j, w in enumerate(row)] for i, row in enumerate(least)]
        gaps = [[norm([a - b for a, b in zip(one, other, strict=True)]).b for other in seen] for one in seen]
        wide, first = max(max(row) for row in gaps), max(gaps[0])
        limits = [[v / lengths[0] * length + symmetric(length * size * first) for v in tokens[0]] for length in lengths]
        reach = (iv.mpf(max(length.b for length in lengths)) * size * wide).b
        return self.told(limits, [squares.index(square) for square in squares], self.rate(drawn), reach)

    def told(self, limits: list[Box], first: list[int], rate: Interval, reach: Interval) -> dict[str, Any]:
        """What claims read of it."""
        values = column([arb.of(value) for row in limits for value in row])
        names = sorted(set(first))
        return {
            "limits": numbers(values.reshape(self.motion.shapes[0])),
            "classes": np.array([names.index(k) for k in first], dtype=int),
            "count": len(names),
            "number_of_limits": len(names),
            "rate": arb.of(rate),
            "reach": arb.of(iv.mpf(reach)),
        }


def towards(tokens: list[Box]) -> list[Fraction]:
    """A direction that float64 proposes: what is behind is added, ever less of it."""
    points = np.array([[float(v.mid.a) for v in token] for token in tokens])
    points = points / np.linalg.norm(points, axis=1)[:, None]
    axis = points.mean(axis=0)
    for k in range(1, STEPS):
        axis += (points[int(np.argmin(points @ axis))] - axis) / (k + 1)
    return [Fraction(round(float(c) * 2**40), 2**40) for c in axis]
