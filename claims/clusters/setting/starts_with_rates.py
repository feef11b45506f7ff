"""Starts with a leading direction or eigenspace of V, with a token at 0 on a line, or with tokens on a circle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpq

from claims.clusters.setting.starts_for_limits import line_start
from dynamics.arithmetic import Array, indicator, transposed
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow


def _diagonal(like: Array, d: int) -> Array:
    return np.asarray(indicator(np.eye(d, dtype=bool), like))


def leading_start(draws: Any, kinds: Sequence[str] = ("any", "any", "opposite pairs, one at 0")) -> RescaledFlow:
    """Two to five tokens in up to three dimensions, V_11 = 1 and the rest of V smaller, any B with B_11 = 1.

    Every third time two opposite pairs and a token at 0, which rests there.
    """
    d = draws.integer(1, 3)
    z = draws.dyadic(draws.integer(2, 5), d, size=2)
    if draws.choice(kinds) != "any":
        half = z[..., :2, :]
        z = np.concatenate([0 * half[..., :1, :], half, -half], axis=-2)
    V = draws.dyadic(d, d, size=1, bits=2) / 8
    B = draws.dyadic(d, d, size=1, bits=2) / 4
    first = indicator(np.arange(d) == 0, V)
    corner = first[:, None] * first
    rest = (1 - first)[:, None] * (1 - first)
    V, B = V * rest + corner, B * (1 - corner) + corner
    return RescaledFlow(z=z, B=B, V=V, t=0 * z[..., 0, 0])


def leading_definite_start(draws: Any) -> RescaledFlow:
    """The same with B = I + M M^T for a small M."""
    f = leading_start(draws)
    M = (f.B - _diagonal(f.B, f.B.shape[-1])) / 2
    return f.replace(B=_diagonal(f.B, f.B.shape[-1]) + M @ transposed(M))


def repelling_start(draws: Any) -> RescaledFlow:
    """The same with B_11 = -1."""
    f = leading_start(draws, ("any",))
    first = indicator(np.arange(f.B.shape[-1]) == 0, f.B)
    return f.replace(B=f.B - 2 * first[:, None] * first)


def one_sided_start(draws: Any) -> RescaledFlow:
    """Two to five tokens in the plane on one side of 0, V = I and B = -I or near it."""
    z = draws.dyadic(draws.integer(2, 5), 2, size=1)
    first = indicator(np.arange(2) == 0, z)
    z = z + 2 * first
    eye = _diagonal(z, 2)
    B = draws.dyadic(2, 2, size=1, bits=1) / 4
    return RescaledFlow(z=z, B=-eye - B @ transposed(B), V=0 * B + eye, t=0 * z[..., 0, 0])


def line_start_with_a_token_at_0(draws: Any) -> RescaledFlow:
    """Opposite pairs on a line, at least 1/2 apart, with a token at 0; or any tokens. V = Q^T K = 1, t = 0."""
    kind = draws.choice(("opposite pairs and 0", "any"))
    half = draws.dyadic(draws.integer(1, 2), 1, size=2, bits=3)
    one = indicator(np.ones((1, 1), dtype=bool), half)
    half = np.where(half == 0, half + one, half)
    pairs = np.cumsum(abs(half) + one / 2, axis=-2)
    z = half if kind == "any" else np.concatenate([pairs, 0 * half[..., :1, :], -pairs], axis=-2)
    scalar = 0 * half[..., :1, :] + one
    return RescaledFlow(z=np.asarray(z), B=scalar, V=scalar, t=0 * half[..., 0, 0])


def pairs_and_0_or_any(draws: Any) -> SelfAttentionFlow:
    """The same start of the flow of x, or two to six tokens on a line."""
    kind = draws.choice(("any on a line", "pairs and 0 on a line"))
    if kind == "any on a line":
        return line_start(draws)
    f = line_start_with_a_token_at_0(draws)
    return SelfAttentionFlow(x=f.z, B=f.B, V=f.V)


def block_start(draws: Any) -> RescaledFlow:
    """Tokens in two or three dimensions; V = 1 but for the last axis, where it is smaller; B = I or near it."""
    d = draws.integer(2, 3)
    z = draws.dyadic(draws.integer(2, 5), d, size=2)
    last = indicator(np.arange(d) == d - 1, z)
    corner = last[:, None] * last
    eye = _diagonal(z, d)
    slow = draws.dyadic(1, 1, size=1, bits=2) / 2
    M = draws.dyadic(d, d, size=1, bits=1) / 4
    return RescaledFlow(z=z, B=eye + M @ transposed(M), V=eye + (slow - 1) * corner, t=0 * z[..., 0, 0])


def pair_start(draws: Any) -> RescaledFlow:
    """(1, s) and (1, -s) with s from 1/2 to 3/2, V = B = I, t = 0."""
    s = abs(draws.dyadic(1, 1, size=1)) + _half(draws)
    one = 0 * s + indicator(np.ones((1, 1), dtype=bool), s)
    z = np.concatenate([np.concatenate([one, s], axis=-1), np.concatenate([one, -s], axis=-1)], axis=-2)
    eye = 0 * s + _diagonal(s, 2)
    return RescaledFlow(z=z, B=eye, V=eye, t=0 * s[..., 0, 0])


def _half(draws: Any) -> Any:
    one = draws.dyadic(1, 1, size=1)
    return 0 * one + (fmpq(1, 2) if one.dtype == object else 0.5)


HEPTAGON = ((6, 0), (4, 5), (-1, 6), (-5, 3), (-5, -3), (-1, -6), (4, -5))


def circle_start(draws: Any) -> RescaledFlow:
    """The first four to seven of seven tokens near a circle of radius 6, each moved a little; V = B = I."""
    corners = np.array(HEPTAGON)[: draws.integer(4, 7)]
    move = draws.dyadic(len(corners), 2, size=1, bits=3) / 4
    one = indicator(np.ones((1, 1), dtype=bool), move)
    z = move + corners * one
    eye = _diagonal(move, 2)
    start = 0 * move[..., :1, :1]
    return RescaledFlow(z=z, B=start + eye, V=start + eye, t=start[..., 0, 0])


def collapsing_start(draws: Any) -> SelfAttentionFlow:
    """Two to five tokens in up to three dimensions, V = -I and Q^T K = I."""
    d = draws.integer(1, 3)
    x = draws.dyadic(draws.integer(2, 5), d, size=2)
    eye = 0 * x[..., :1, :1] + _diagonal(x, d)
    return SelfAttentionFlow(x=x, B=eye, V=-eye)


def kernel_start(draws: Any) -> RescaledFlow:
    """Four to six tokens in the plane with different second coordinates, V = diag(1, 0), Q^T K = I."""
    z = draws.dyadic(draws.integer(4, 6), 2, size=2)
    one = indicator(np.ones((1, 1), dtype=bool), z)
    heights = np.arange(z.shape[-2])[:, None] * one
    z = np.concatenate([z[..., :1], 0 * z[..., 1:] + heights / 4], axis=-1)
    eye = 0 * z[..., :1, :1] + _diagonal(z, 2)
    first = indicator(np.arange(2) == 0, z)
    return RescaledFlow(z=np.asarray(z), B=eye, V=eye * first, t=0 * z[..., 0, 0])


def mirrored_start(draws: Any) -> SelfAttentionFlow:
    """u and -u on a line, V = -1, Q^T K = 1 or -1."""
    u = abs(draws.dyadic(1, 1, size=2))
    one = indicator(np.ones((1, 1), dtype=bool), u)
    u = np.where(u == 0, u + one, u)
    unit = 0 * u + one
    return SelfAttentionFlow(x=np.concatenate([u, -u], axis=-2), B=unit * draws.choice((1, -1)), V=-unit)


def rescaled_mirrored_start(draws: Any) -> RescaledFlow:
    """u and -u on a line, V = 1 or -1, Q^T K = 1, t = 0."""
    f = mirrored_start(draws)
    sign = draws.choice((1, -1))
    return RescaledFlow(z=f.x, B=-f.V, V=-sign * f.V, t=0 * f.x[..., 0, 0])
