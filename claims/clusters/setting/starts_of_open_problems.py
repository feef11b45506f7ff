"""Starts for what the paper leaves open: different rates, larger moduli, perceptrons, several heads, turning values."""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamics.arithmetic import Array, indicator
from dynamics.tokens.multi_head import MultiHeadStep
from dynamics.tokens.perceptron import PerceptronFlow
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow


def _units(draws: Any, *shape: int) -> Array:
    """From 1 to 2, in sixteenths."""
    drawn = abs(draws.dyadic(*shape, size=1))
    return np.asarray(drawn + indicator(np.ones(shape, dtype=bool), drawn))


def _placed(entries: Array, pattern: Any) -> Array:
    """Entries (..., 1, 1) times a pattern of whole numbers, shape (..., *pattern)."""
    return np.asarray(entries * np.array(pattern))


def corners_start(draws: Any) -> RescaledFlow:
    """The corners of a rectangle around 0, V = diag(a + b, a), Q^T K = diag(c, c'), all positive, t = 0."""
    u, v, a, b, c, other = (_units(draws, 1, 1) for _ in range(6))
    signs = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])
    z = _placed(u, signs * [1, 0]) + _placed(v, signs * [0, 1])
    V = _placed(a, np.eye(2, dtype=int)) + _placed(b, [[1, 0], [0, 0]])
    B = _placed(c, [[1, 0], [0, 0]]) + _placed(other, [[0, 0], [0, 1]])
    return RescaledFlow(z=z, B=B, V=V, t=0 * u[..., 0, 0])


def different_rates_start(draws: Any) -> RescaledFlow:
    """Three or four tokens in the plane, V = diag(2, 1), Q^T K = I, t = 0."""
    z = draws.dyadic(draws.integer(3, 4), 2, size=2)
    one = indicator(np.ones((1, 1), dtype=bool), z) + 0 * z[..., :1, :1]
    return RescaledFlow(z=z, B=_placed(one, np.eye(2, dtype=int)), V=_placed(one, [[2, 0], [0, 1]]), t=0 * z[..., 0, 0])


DIRECTIONS = np.array([[7, 0], [0, 7], [5, 5], [5, -5]])
"""Four directions of nearly one length, any two of them far from opposite."""


def mirrored_pairs_start(draws: Any) -> RescaledFlow:
    """Four pairs (f, y), (f, -y), y from DIRECTIONS, V = diag(1, -mu, -mu), mu >= 1, Q^T K = diag(1, -1, -1), t = 0."""
    move = draws.dyadic(4, 1, size=1, bits=3) / 32
    one = indicator(np.ones((1, 1), dtype=bool), move) + 0 * move[..., :1, :1]
    f = move + np.array([[-3], [-1], [1], [3]]) * one / 8
    rows = [np.concatenate([f, sign * DIRECTIONS * one], axis=-1) for sign in (1, -1)]
    mu = _units(draws, 1, 1)
    return RescaledFlow(
        z=np.concatenate(rows, axis=-2),
        B=_placed(one, np.diag([1, -1, -1])),
        V=_placed(one, np.diag([1, 0, 0])) - _placed(mu, np.diag([0, 1, 1])),
        t=0 * one[..., 0, 0],
    )


def triangle_start(draws: Any) -> SelfAttentionFlow:
    """(r, 0), (0, r), (-r, -r), r from 1 to 2, V = -I, Q^T K = [[c, -c/2 - s], [-c/2 + s, c]] with s from 5c/2 on."""
    r, c, more = (_units(draws, 1, 1) for _ in range(3))
    s = c * (3 + 2 * more) / 2
    B = _placed(c / 2, [[2, -1], [-1, 2]]) + _placed(s, [[0, -1], [1, 0]])
    V = -_placed(0 * c + indicator(np.ones((1, 1), dtype=bool), c), np.eye(2, dtype=int))
    return SelfAttentionFlow(x=_placed(r, [[1, 0], [0, 1], [-1, -1]]), B=B, V=V)


def perceptron_line_start(draws: Any) -> PerceptronFlow:
    """Two to six distinct tokens below 0 on a line, V = W = Q^T K = 1, t = 0."""
    steps = _units(draws, draws.integer(2, 6), 1)
    z = -np.cumsum(steps, axis=-2)
    one = indicator(np.ones((1, 1), dtype=bool), z) + 0 * z[..., :1, :]
    return PerceptronFlow(z=z, B=one, V=one, W=one, t=0 * z[..., 0, 0])


def perceptron_start(draws: Any) -> PerceptronFlow:
    """One to four tokens in up to three dimensions, of size 1, at a time up to 3; any matrices of size 1."""
    d = draws.integer(1, 3)
    z = draws.dyadic(draws.integer(1, 4), d, size=1)
    B, V, W = (draws.dyadic(d, d, size=1) for _ in range(3))
    return PerceptronFlow(z=z, B=B, V=V, W=W, t=abs(draws.dyadic(size=draws.choice((1, 3)))))


def pair_far_apart(draws: Any) -> SelfAttentionFlow:
    """Two tokens on a line, from 1 to 3 on either side of 0, or any one to four in up to three dimensions."""
    kind = draws.choice(("far apart", "any"))
    d = 1 if kind == "far apart" else draws.integer(1, 3)
    x = draws.dyadic(2 if kind == "far apart" else draws.integer(1, 4), d, size=2)
    B = draws.dyadic(d, d, size=1)
    if kind == "far apart":
        one = indicator(np.ones((1, 1), dtype=bool), x)
        sides = np.array([[1], [-1]])
        x, B = sides * (abs(x) + one), 0 * B + one
    return SelfAttentionFlow(x=np.asarray(x), B=np.asarray(B), V=np.asarray(0 * B))


def heads_start(draws: Any) -> MultiHeadStep:
    """Two to five tokens on a line, one to three heads with positive scores and values, a step size from 1/4 to 1/2."""
    n, h = draws.integer(2, 5), draws.integer(1, 3)
    x, B, V = draws.dyadic(n, 1, size=2, bits=5), _units(draws, h, 1, 1), _units(draws, h, 1, 1)
    return MultiHeadStep(x=x, B=B, V=V, dt=_units(draws, 1, 1)[..., 0, 0] / 4)


def turning_start(draws: Any) -> SelfAttentionFlow:
    """Two or three tokens in the plane, V = I + omega J with omega from 1/2 to 1 of either sign, Q^T K = I."""
    x = draws.dyadic(draws.integer(2, 3), 2, size=2)
    omega = _units(draws, 1, 1) * draws.choice((1, -1)) / 2
    one = indicator(np.ones((1, 1), dtype=bool), x) + 0 * omega
    V = _placed(one, np.eye(2, dtype=int)) + _placed(omega, [[0, -1], [1, 0]])
    return SelfAttentionFlow(x=x, B=_placed(one, np.eye(2, dtype=int)), V=V)


def rescaled_turning_start(draws: Any) -> RescaledFlow:
    """The rescaled flow from the same tokens, apart or all in one place, any Q^T K of size 1, at a time up to 1."""
    f, B = turning_start(draws), draws.dyadic(2, 2, size=1)
    z = f.x[..., :1, :] + draws.choice((1, 1, 0)) * (f.x - f.x[..., :1, :])
    return RescaledFlow(z=z, B=B, V=f.V, t=abs(draws.dyadic(size=1)))


def negative_rate_start(draws: Any) -> SelfAttentionFlow:
    """Two to four tokens in the plane, V = diag(1, -mu) with mu from 1 to 2, Q^T K = I."""
    x, mu = draws.dyadic(draws.integer(2, 4), 2, size=2), _units(draws, 1, 1)
    one = 0 * mu + indicator(np.ones((1, 1), dtype=bool), mu)
    V = _placed(one, [[1, 0], [0, 0]]) - _placed(mu, [[0, 0], [0, 1]])
    return SelfAttentionFlow(x=x, B=_placed(one, np.eye(2, dtype=int)), V=V)


def beyond_the_curve_start(draws: Any) -> SelfAttentionFlow:
    """Two tokens on a line, the first at -513/1000 or below, the second from 1/4 to 4; V = Q^T K = 1."""
    first = draws.dyadic(1, 1, size=1, bits=10) / draws.choice((64, 1))
    one = 0 * first + indicator(np.ones((1, 1), dtype=bool), first)
    second = (one + abs(draws.dyadic(1, 1, size=15))) / 4
    x = np.concatenate([-one * 513 / 1000 - abs(first), second], axis=-2)
    return SelfAttentionFlow(x=x, B=one, V=one)


def skew_block_start(draws: Any) -> RescaledFlow:
    """Two or three tokens in space, V = diag(1, 1, 1/2), any Q^T K of size 1, t = 0."""
    z = draws.dyadic(draws.integer(2, 3), 3, size=2)
    one = indicator(np.ones((1, 1), dtype=bool), z) + 0 * z[..., :1, :1]
    B = _placed(one, np.eye(3, dtype=int)) + draws.dyadic(3, 3, size=1, bits=2) / 2
    return RescaledFlow(z=z, B=B, V=_placed(one, np.diag([2, 2, 1])) / 2, t=0 * z[..., 0, 0])
