"""Starts whose limits are soon decided: a few tokens of moderate size at time 0, some tied, mirrored or at 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dynamics.arithmetic import Array, indicator, transposed
from dynamics.limits import TiedEnd, TokensEnd
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.tokens.two_starts import TwoStarts

TIES = (
    "any",
    "two coincide",
    "mirrored, one on the mirror",
    "on a face, one in its middle",
    "corners and midpoints",
    "opposite pairs, one at 0",
)


def tokens_with_ties(draws: Any, d: int, kinds: Sequence[str] = TIES) -> Array:
    """Two to six tokens of one of the kinds, shape (..., n, d)."""
    kind = draws.choice(kinds)
    n = draws.integer(2, 5)
    x = draws.dyadic(n, d, size=2)
    if kind == "two coincide":
        x[..., -1, :] = x[..., 0, :]
    elif kind == "mirrored, one on the mirror":
        half = x[..., : n // 2, :]
        mirror = half.copy()
        mirror[..., -1] = -mirror[..., -1]
        middle = x[..., -1:, :].copy()
        middle[..., -1] = 0 * middle[..., -1]
        x = np.concatenate([middle, half, mirror], axis=-2)
    elif kind in ("on a face, one in its middle", "corners and midpoints"):
        ends = x[..., : 1 if kind == "on a face, one in its middle" else 2, :]
        height = np.concatenate([0 * ends[..., :1, :-1], 1 + abs(x[..., :1, -1:])], axis=-1)
        middle = ends - ends * indicator(np.arange(d) == d - 1, x)
        x = np.concatenate([middle, middle + height, middle - height], axis=-2)
    elif kind == "opposite pairs, one at 0":
        half = x[..., : n // 2, :]
        x = np.concatenate([0 * half[..., :1, :], half, -half], axis=-2)
    return np.asarray(x)


def _matrices(draws: Any, d: int) -> tuple[Array, Array]:
    """B symmetric and positive definite, for half of the draws the identity, with the mirror as a symmetry; and I."""
    M = draws.dyadic(d, d, size=1, bits=1)
    eye = indicator(np.eye(d, dtype=bool), M)
    scale = draws.integer(0, 1)
    last = indicator(np.arange(d) == d - 1, M)
    M = M * (1 - last) * (1 - last[:, None])
    return np.asarray(eye + scale * (M @ transposed(M))), np.asarray(0 * M + eye)


def rescaled_start(draws: Any) -> RescaledFlow:
    """Tokens in the plane or in space with V = I and B > 0."""
    d = draws.integer(2, 3)
    z = tokens_with_ties(draws, d)
    B, V = _matrices(draws, d)
    return RescaledFlow(z=z, B=B, V=V, t=0 * z[..., 0, 0])


def nearly_alike_or_rescaled(draws: Any) -> RescaledFlow:
    """The same; or one token alone, a polytope with one vertex; or two mirrored ones far out, with Q^T K = I.

    The two score hardly more with themselves than with each other.
    """
    kind = draws.choice(("nearly alike", "one alone", *TIES[::-1]))
    if kind != "nearly alike":
        d = draws.integer(2, 3)
        z = draws.dyadic(1, d, size=2) if kind == "one alone" else tokens_with_ties(draws, d, (kind,))
        B, V = _matrices(draws, d)
        return RescaledFlow(z=z, B=B, V=V, t=0 * z[..., 0, 0])
    height = 1 + abs(draws.dyadic(1, 1, size=1)) / 16
    far = 64 + 0 * height
    z = np.concatenate([np.concatenate([far, sign * height], axis=-1) for sign in (1, -1)], axis=-2)
    eye = 0 * height + indicator(np.eye(2, dtype=bool), z)
    return RescaledFlow(z=z, B=eye, V=eye, t=0 * z[..., 0, 0])


def start_with_a_token_at_0(draws: Any) -> RescaledFlow:
    """The same, but opposite pairs with a token at 0 come first."""
    d = draws.integer(2, 3)
    z = tokens_with_ties(draws, d, TIES[::-1])
    B, V = _matrices(draws, d)
    return RescaledFlow(z=z, B=B, V=V, t=0 * z[..., 0, 0])


def at_rest(end: TokensEnd, start: RescaledFlow) -> Array:
    """Which tokens rest at 0 at all times, between others or with all of them, shape (n,)."""
    if isinstance(end, TiedEnd):
        return np.asarray((end.frozen == 1) & (start.z == 0).all(axis=-1))
    return np.array([bool((start.z == 0).all())] * len(start.z))


def untied_start(draws: Any) -> RescaledFlow:
    """The same in the plane without symmetries; two tokens may coincide. Exact ties have no leader."""
    z = tokens_with_ties(draws, 2, TIES[:2])
    B, V = _matrices(draws, 2)
    return RescaledFlow(z=z, B=B, V=V, t=0 * z[..., 0, 0])


def steep_start(draws: Any) -> RescaledFlow:
    """Two or three tokens in the plane, V = I, Q^T K = c e_1 e_1^T with c = 2, 1 or 3; the identity is added later."""
    z = draws.dyadic(draws.integer(2, 3), 2, size=2, bits=1)
    eye = 0 * z[..., :1, :1] + indicator(np.eye(2, dtype=bool), z)
    first = indicator(np.arange(2) == 0, z)
    return RescaledFlow(z=z, B=draws.choice((2, 1, 3)) * first * first[:, None] * eye, V=eye, t=0 * z[..., 0, 0])


def any_scores_start(draws: Any) -> RescaledFlow:
    """Tokens in the plane with V = I and any B."""
    z, B = draws.dyadic(draws.integer(2, 5), 2, size=2), draws.dyadic(2, 2, size=1, bits=2)
    return RescaledFlow(z=z, B=B, V=0 * B + indicator(np.eye(2, dtype=bool), B), t=0 * z[..., 0, 0])


def line_start(draws: Any) -> SelfAttentionFlow:
    """Two to six tokens on a line with Q^T K = V = 1."""
    x = draws.dyadic(draws.integer(2, 6), 1, size=2, bits=6)
    one = 0 * x[..., :1, :] + indicator(np.ones((1, 1), dtype=bool), x)
    return SelfAttentionFlow(x=x, B=one, V=one)


def rescaled_line_start(draws: Any) -> RescaledFlow:
    """The same start of the rescaled flow, at time 0."""
    f = line_start(draws)
    return RescaledFlow(z=f.x, B=f.B, V=f.V, t=0 * f.x[..., 0, 0])


def bracket(draws: Any) -> TwoStarts:
    """Two tokens on a line: the second at 1 or beyond; the first at most -1 in one start, in [-1/4, 0) in the other."""
    second = 1 + abs(draws.dyadic(1, 1, size=1, bits=3))
    low, high = (abs(draws.dyadic(1, 1, size=1, bits=4)) for _ in range(2))
    one = 0 * second + indicator(np.ones((1, 1), dtype=bool), second)
    both = [np.concatenate([first, second], axis=-2) for first in (-one - low, -(one + high) / 8)]
    return TwoStarts(x=both[0], y=both[1], B=one, V=one)
