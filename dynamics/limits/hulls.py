"""Tokens that are drawn to one another all meet: Lemma H of docs/flow_limits.md, with no rate asked of the derivative.

The user names the weights. That the motion is what they say is an identity of the formula, that they are positive is
shown for all states that can ever be reached; of the state itself only a hemisphere is asked, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import rational
from dynamics.limits.contraction import ROOM, Identities, Motion, Rest, rest_of, widened
from dynamics.limits.formal import Formal, evaluated, vanish
from dynamics.limits.margins import NoLemmaError, NotTrappedError, dot, entries, inside
from dynamics.limits.ranges import Range, Ranges
from dynamics.system import System
from dynamics.trusted.taylor import euclidean, largest_size, upper

MOST_TURNS = 2000
"""Steps towards the pole of the hemisphere, in float64."""

MARGIN = arb(fmpq(1, 2**20))
"""By how much the region is wider than the hull of the tokens, for each side and for its width."""

Rows = list[list[Any]]


def hulls(weights: Callable[[Any], Any]) -> Callable[[System, System], Rest]:
    """The trap of tokens that move towards one another: x_i' = sum_j w_ij (x_j - x_i) + s_i x_i, or x_i <- sum_j w_ij x_j.

    `weights(state)` is w, shape (n, n). No w_ij, j not i, may be negative, and one token has a positive weight for all
    others. Where some s_i is not zero, `kept` has to keep the length of tokens, and the state has to lie in an open
    hemisphere. The weights of a map make means, with w_ii: each row sums to one. It is asked by
    `contracted(start, steps, hulls(weights))`. Raises UndecidedError, and TypeError for weights that are no function.
    """
    if not callable(weights):
        raise TypeError(f"hulls is given a function of the state, hulls(MyFlow.weights), not {weights!r:.80}")

    def trap(state: System, start: System) -> Rest:
        motion = Motion.of(state)
        if len(motion.names) != 1 or not (shape := getattr(state, motion.names[0]).shape):
            raise NoLemmaError("the lemma is about a system of which one array of tokens moves")
        n = shape[0]
        if n < 2:
            raise NotTrappedError("one token has no other to move to")
        identities = Identities(motion, start)
        drawn = evaluated(lambda values: (weights(motion.at(values)),), identities.ring, identities.coordinates)
        if len(drawn) != n * n:
            raise ValueError(f"the weights of {n} tokens are {n} rows of {n}, not {len(drawn)} numbers")
        named = [drawn[i * n : (i + 1) * n] for i in range(n)]
        x = _rows([arb(value) for value in motion.state()], n)
        if what_is_left(motion, identities, named) == 0:
            if not motion.is_flow and not make_means(named, identities):
                raise NoLemmaError("the weights of a map make means: each row sums to one, with its w_ii")
            return _in_the_hull(x, identities, named, shape, motion.is_flow)
        if not motion.is_flow:
            raise NoLemmaError("a step does not lead each token to the mean of all that its weights say")
        return _in_a_hemisphere(x, motion_lengths(start, motion, identities), identities, named, shape)

    return trap


# ---------------------------------------------------------------------------------------------------------------------
# Identities


def what_is_left(motion: Motion, identities: Identities, named: Rows) -> int:
    """0 where the velocity is sum_j w_ij (x_j - x_i), 1 where a multiple of x_i is added. Else raises NoLemmaError."""
    ring, n = identities.ring, len(named)
    x = _rows(identities.coordinates, n)
    speeds = _rows(evaluated(motion.speeds, ring, identities.coordinates), n)
    left = list[list[Formal]]()
    for i in range(n):
        pulls = [[named[i][j] * (b - a) for a, b in zip(x[i], x[j], strict=True)] for j in range(n) if j != i]
        left.append(
            [speed - sum(pull, ring.constant(0)) for speed, pull in zip(speeds[i], zip(*pulls, strict=True), strict=True)]
        )
    if vanish([value for row in left for value in row], identities.modulo):
        return 0
    # What is left is a multiple of x_i just where all minors of the two vanish: the multiple itself is never needed.
    minors = [
        row[k] * at[m] - row[m] * at[k] for row, at in zip(left, x, strict=True) for m in range(len(at)) for k in range(m)
    ]
    if vanish(minors, identities.modulo):
        return 1
    raise NoLemmaError("the velocity is not that of the weights: something else than the token itself is left")


def make_means(named: Rows, identities: Identities) -> bool:
    """Whether each row of the weights sums to one."""
    return vanish([sum(row, identities.ring.constant(-1)) for row in named], identities.modulo)


def motion_lengths(start: System, motion: Motion, identities: Identities) -> list[fmpq]:
    """|x_i|^2 for ever, exact. Raises NoLemmaError where it is not kept, NotTrappedError for a token at 0."""
    n = getattr(start, motion.names[0]).shape[0]
    squares = [
        sum((rational(v) * rational(v) for v in row), fmpq(0)) for row in _rows(Motion(start, motion.names).state(), n)
    ]
    # |x_i|^2 is asked to vanish with what is kept, less its value at the exact start.
    differences = [
        sum((v * v for v in row), identities.ring.constant(-square))
        for row, square in zip(_rows(identities.coordinates, n), squares, strict=True)
    ]
    if not vanish(differences, identities.modulo):
        raise NoLemmaError("tokens are drawn along themselves, too, and nothing in `kept` keeps their length")
    if not all(square > 0 for square in squares):
        raise NotTrappedError("a token is at 0")
    return squares


# ---------------------------------------------------------------------------------------------------------------------
# Bounds for all states that can be reached


def drawn_at_least(identities: Identities, named: Rows, region: Sequence[Range], is_flow: bool = True) -> list[list[arb]]:
    """Exact numbers below the weights over a box, 0 on the diagonal of a flow, which says nothing.

    Raises NotTrappedError for a weight that may be negative, and where the formula may divide by zero.
    """
    # Positive over the whole box, at every state that may ever be met: no trajectory is followed.
    ranges = Ranges(identities.ring, region)
    if not ranges.is_defined():
        raise NotTrappedError("the formula may divide by zero")
    found = [[arb(0) if i == j and is_flow else ranges.of(w)[0] for j, w in enumerate(row)] for i, row in enumerate(named)]
    if not all(low >= 0 for row in found for low in row):
        raise NotTrappedError("a weight may be negative, or is too small to be told from 0")
    return found


def seen_by_all(least: Rows, is_flow: bool = True) -> arb:
    """The largest number that is below the weights of one token for all others, of a map for itself, too.

    Raises NotTrappedError where it is 0.
    """
    n = len(least)
    # What all see of one token r draws any two of them together at that rate, whatever else they see.
    found = max(min(least[i][r] for i in range(n) if i != r or not is_flow) for r in range(n))
    if not found > 0:
        raise NotTrappedError("no token has a positive weight for all others")
    return found


# ---------------------------------------------------------------------------------------------------------------------
# The lemma


def _in_the_hull(x: Rows, identities: Identities, named: Rows, shape: tuple[int, ...], is_flow: bool) -> Rest:
    box = [reduce(arb.union, column) for column in zip(*x, strict=True)]
    # A point has a hull of no width, and the ends of a ball are rounded: a little more than the hull is looked at.
    wider = [(v - v.rad() * MARGIN - MARGIN, v + v.rad() * MARGIN + MARGIN) for v in box]
    region = [(low.lower(), high.upper()) for _ in x for low, high in wider]
    rate = seen_by_all(drawn_at_least(identities, named, region, is_flow), is_flow)
    width = largest_size([upper(v.upper() - v.lower()) for v in box])
    limits = widened(box, [v.rad() / 4 for v in box])
    # Tokens of the hull stay in it, so that all of what was seen is a bound: one limit is certain, where it lies is not.
    return rest_of(limits * len(x), shape, rate, [width], [0] * len(x), apart=True)


def _in_a_hemisphere(x: Rows, squares: list[fmpq], identities: Identities, named: Rows, shape: tuple[int, ...]) -> Rest:
    lengths = [arb(square).sqrt() for square in squares]
    # Weights are asked over all that lengths allow, not over what is near: no region need be shown to hold the tokens.
    least = drawn_at_least(
        identities, named, [((-r).lower(), r.upper()) for r, row in zip(lengths, x, strict=True) for _ in row]
    )
    pole = pole_of(x)
    heights = [dot(pole, row) for row in x]
    inside({"in an open hemisphere": entries(heights)})
    # In the plane of height 1 the tokens are at y_i, and nearer to 0 than `far` for ever.
    y = [[v / height for v in row] for row, height in zip(x, heights, strict=True)]
    far, steep = largest_size([euclidean(row) for row in y]), euclidean([arb(c) for c in pole])
    weights = [
        [arb((low * lengths[j] / (lengths[i] * steep * far)).lower()) for j, low in enumerate(row)]
        for i, row in enumerate(least)
    ]
    rate = seen_by_all(weights)
    apart = largest_size([euclidean([a - b for a, b in zip(one, other, strict=True)]) for one in y for other in y])
    first = largest_size([euclidean([a - b for a, b in zip(y[0], other, strict=True)]) for other in y])
    limits = [widened([v * r / lengths[0] for v in x[0]], [ROOM * r * steep * first for _ in x[0]]) for r in lengths]
    classes = [squares.index(square) for square in squares]
    reach = upper(largest_size(lengths) * steep * apart)
    # On one ray limits of other lengths differ, whether their balls tell or not.
    return rest_of([v for row in limits for v in row], shape, rate, [reach], classes, apart=True)


def pole_of(x: Rows) -> list[fmpq]:
    """A direction with a positive product with all tokens, if float64 sees one: the point of their hull nearest to 0."""
    points = np.array([[float(v.mid()) for v in row] for row in x])
    # Lengths do not matter for a direction, and long tokens would outweigh the others.
    points /= np.maximum(np.linalg.norm(points, axis=-1, keepdims=True), 1e-300)
    at = points.mean(axis=0)
    for _ in range(MOST_TURNS):
        to = points[np.argmin(points @ at)] - at
        square = to @ to
        step = np.clip(-(at @ to) / square, 0, 1) if square else 0
        if step < 1e-9:
            break  # no point is on the other side of the nearest so far
        at = at + step * to
    if not np.abs(at).max() > 0:
        raise NotTrappedError("the tokens are not seen to be in an open hemisphere")
    return [fmpq(round(c * 2**30), 2**30) for c in at / np.abs(at).max()]


def _rows(values: Sequence[Any], n: int) -> Rows:
    width = len(values) // n
    return [list(values[i * width : (i + 1) * width]) for i in range(n)]
