"""Lemmas G, P, R and S of docs/flow_limits.md: starts whose limits follow from the exact start, whenever one looks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import rational
from dynamics.limits.margins import NoLemmaError, about, inside, integral_bound, total
from dynamics.limits.tokens import exact_matrix
from dynamics.tokens.perceptron import PerceptronFlow
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow


@dataclass(frozen=True)
class CornersEnd:
    """The corners of a box, each of which keeps to itself: z_i tends to a corner of a smaller box."""

    number_of_limits: int
    """2^d: no two tokens have the same limit."""


def corners_trap(state: RescaledFlow, start: RescaledFlow) -> CornersEnd:
    """Lemma G: V and Q^T K diagonal and positive, the tokens of the exact start all (+-u_1, ..., +-u_d), once each.

    Raises NoLemmaError for another start.
    """
    about(start, RescaledFlow)
    rates, scores = _diagonal(start.V), _diagonal(start.B)
    if not all(value > 0 for value in (*rates, *scores)):
        raise NoLemmaError("V or Q^T K is not positive")
    # Of all corners, once each, weights are products: every coordinate moves as two mirrored tokens on a line do.
    tokens = [tuple(rational(value) for value in row) for row in start.z]
    sides = [abs(value) for value in tokens[0]]
    if 0 in sides or sorted(tokens) != sorted(product(*((-u, u) for u in sides))):
        raise NoLemmaError("the tokens are not the corners of a box around 0")
    return CornersEnd(len(tokens))


@dataclass(frozen=True)
class FrozenEnd:
    """Tokens of a perceptron on a line: all but the least never move, and that never reaches the next."""

    number_of_limits: int
    """n: no two tokens have the same limit."""


def frozen_trap(state: PerceptronFlow, start: PerceptronFlow) -> FrozenEnd:
    """Lemma P: d = 1, V, W, Q^T K > 0, distinct negative tokens in the exact start.

    Raises NotTrappedError where a token may move, UndecidedError where that is open, NoLemmaError for another start.
    """
    about(start, PerceptronFlow)
    V, W, B = (exact_matrix(matrix) for matrix in (start.V, start.W, start.B))
    z = sorted(rational(value) for value in start.z.flat)
    if len(V) != 1 or not min(V[0, 0], W[0, 0], B[0, 0]) > 0:
        raise NoLemmaError("not on a line, or V, W, Q^T K are not positive")
    if len(z) < 2 or z[-1] >= 0 or any(a == b for a, b in pairwise(z)):
        raise NoLemmaError("the tokens are not two or more different negative numbers")
    beta = arb(B[0, 0]) * (2 * arb(V[0, 0]) * arb(rational(start.t.item()))).exp()
    least, others = z[0], z[1:]
    # The least token may come up to the middle of its way to the next: both margins are asked with it there.
    end = (z[0] + z[1]) / 2
    stay = [
        arb(own - end) - total((z_j - own) * (-beta * abs(own) * (z_j - end)).exp() for z_j in others if z_j > own)
        for own in others
    ]
    way = total((z_j - least) * integral_bound(beta * abs(end) * (z_j - end)) for z_j in others) * W[0, 0] / 2
    inside({"no other token moves": np.array(stay, dtype=object), "the least one stays behind": end - least - way})
    return FrozenEnd(len(z))


@dataclass(frozen=True)
class PairsEnd:
    """Mirrored pairs that look at their mirror images alone, each pair with a limit of phi(z_i) of its own."""

    number_of_limits: int
    """How many limits phi(z_i) has: as many as there are pairs, or one where all begin with the same phi(z_i)."""


def pairs_trap(state: RescaledFlow, start: RescaledFlow) -> PairsEnd:
    """Lemma R: V = diag(lambda, -mu, ..., -mu), mu >= lambda > 0, Q^T K = diag(c, -b, ..., -b), b, c > 0; (f, +-y), t = 0.

    Raises NotTrappedError where pairs may mix or meet, UndecidedError where that is open, NoLemmaError for another start.
    """
    about(start, RescaledFlow)
    rates, scores = _diagonal(start.V), _diagonal(start.B)
    if len(rates) < 2 or start.t.item() != 0 or len(set(rates[1:])) > 1 or len(set(scores[1:])) > 1:
        raise NoLemmaError("V or Q^T K is not of two parts, or the start is not at time 0")
    c, b = scores[0], -scores[1]
    if not (c > 0 and b > 0 and -rates[1] >= rates[0] > 0):
        raise NoLemmaError("the second part is no stronger, or of the wrong sign")
    tokens = [tuple(rational(value) for value in row) for row in start.z]
    mirror = {token: (token[0], *(-value for value in token[1:])) for token in tokens}
    if len(mirror) < len(tokens) or any(mirror[x] not in mirror or mirror[x] == x for x in tokens):
        raise NoLemmaError("the tokens are no pairs (f, y), (f, -y)")
    # A token prefers its mirror image to any other one by b times this, but for what heights score.
    room = min(_inner(x, x) + _inner(x, y) for x in tokens for y in tokens if y != mirror[x])
    heights = sorted(x[0] for x in tokens)[::2]  # one for each pair
    spread = heights[-1] - heights[0]
    margin = arb(b * room / 2 - c * max(abs(f) for f in heights) * spread)
    inside({"pairs keep to themselves": margin})
    leak = (len(tokens) - 1) * integral_bound(margin)
    inside({"and go on to": arb(room) / 2 - 4 * max(_inner(x, x) for x in tokens) * leak})
    if spread == 0:  # nothing moves the common height
        return PairsEnd(1)
    inside({"pairs stay apart": np.array([b - a - spread * leak for a, b in pairwise(heights)], dtype=object)})
    return PairsEnd(len(heights))


@dataclass(frozen=True)
class TurningEnd:
    """Three tokens that turn around 0 as one triangle, each seeking the next."""

    runs_off: bool
    """Whether they run off."""


def triangle_trap(state: SelfAttentionFlow, start: SelfAttentionFlow) -> TurningEnd:
    """Lemma S: V = -v I, v > 0, tokens (r, 0), (0, r), (-r, -r), Q^T K = [[c, -c/2 - s], [-c/2 + s, c]] with c > 0.

    Raises NotTrappedError where the triangle shrinks at the start, UndecidedError where that is open, NoLemmaError for
    another start.
    """
    about(start, SelfAttentionFlow)
    if start.x.shape != (3, 2):
        raise NoLemmaError("not three tokens in the plane")
    V, B = exact_matrix(start.V), exact_matrix(start.B)
    r, c = rational(start.x[0, 0]), B[0, 0]
    triangle: Any = [[r, 0], [0, r], [-r, -r]]
    if r == 0 or any(start.x[i, j] != triangle[i][j] for i in range(3) for j in range(2)):
        raise NoLemmaError("the tokens are not (r, 0), (0, r), (-r, -r)")
    if not (V[0, 0] < 0 and V[1, 1] == V[0, 0] and V[0, 1] == V[1, 0] == 0):
        raise NoLemmaError("V is not -v I")
    if not (c > 0 and B[1, 1] == c and B[0, 1] + B[1, 0] == -c):
        raise NoLemmaError("Q^T K does not turn the triangle into itself")
    s = (B[1, 0] - B[0, 1]) / 2
    # By symmetry one token tells: the weights of the other two, in units of its own, have to add up to more than 2.
    q = c * r * r
    inside({"the triangle grows": sum((arb(q * (t / c - fmpq(3, 2))).exp() for t in (s, -s)), arb(-2))})
    # Else neither exponent above is positive, whatever r is: no triangle grows.
    if not abs(s) > 3 * c / 2:
        raise NoLemmaError("no token prefers another to itself")
    return TurningEnd(runs_off=True)


def _inner(x: tuple[fmpq, ...], y: tuple[fmpq, ...]) -> fmpq:
    """<x, y> without the first coordinates."""
    return sum((a * b for a, b in zip(x[1:], y[1:], strict=True)), fmpq(0))


def _diagonal(matrix: Any) -> list[fmpq]:
    """The diagonal of an exact diagonal matrix. Raises NoLemmaError for another."""
    rows = exact_matrix(matrix)
    if any(rows[i, j] != 0 for i in range(len(rows)) for j in range(len(rows)) if i != j):
        raise NoLemmaError("V or Q^T K is not diagonal")
    return [rows[i, i] for i in range(len(rows))]
