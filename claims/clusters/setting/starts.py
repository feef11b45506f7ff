"""Starts at which the softmax gap is nearly omega_n: one token ahead of all others by scores of about 1 + omega_n."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq
from scipy.special import lambertw

from dynamics.arithmetic import Array
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

PLACES = 12
"""Bits of the rational in the place of omega_n."""


def _line(draws: Any) -> tuple[Array, Array]:
    """Tokens a, b, ..., b on the line with a (a - b) near 1 + omega_n, shape (..., n, 1), and zeros (..., 1, 1)."""
    n = draws.integer(2, 6)
    a = abs(draws.dyadic(1, 1, size=2)) + draws.dyadic(1, 1, size=1, bits=0) ** 2
    zero = 0 * a
    one = fmpq(1) if a.dtype == object else 1.0
    a = np.where(a == 0, zero + one, a)
    units = round((1 + lambertw((n - 1) / np.e).real) * 2**PLACES)
    ahead = one * units / 2**PLACES + draws.dyadic(1, 1, size=1) / draws.choice((1024, 64))
    others = np.broadcast_to(a - ahead / a, (*a.shape[:-2], n - 1, 1))
    return np.asarray(np.concatenate([a, others], axis=-2)), zero


def extremal_flow(draws: Any) -> SelfAttentionFlow:
    """The flow in the tokens with B = 1 at such a start."""
    x, zero = _line(draws)
    return SelfAttentionFlow(x=x, B=zero + 1, V=zero + 1)


def extremal_rescaled_flow(draws: Any) -> RescaledFlow:
    """The rescaled flow at such a start, with any rate V and B = 1 at time 0."""
    z, zero = _line(draws)
    rate = abs(draws.dyadic(1, 1, size=2))
    return RescaledFlow(z=z, B=zero + 1, V=rate + zero, t=zero[..., 0, 0])
