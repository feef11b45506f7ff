"""Self-attention in discrete time: explicit Euler steps of the flow (arXiv 2305.05465, Remarks 1.1 and 3.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from dynamics.arithmetic import Array, indicator, inverse, numbers, transposed
from dynamics.attention import attention
from dynamics.system import StepMap, identity, quantity
from dynamics.tokens.self_attention import SelfAttentionFlow


# By the flow's own drift: a step of Euler's differs from the flow in nothing but time.
@dataclass(frozen=True, eq=False)
class AttentionStep(StepMap):
    """x_i <- x_i + dt sum_j P_ij V x_j with P_ij proportional to exp <x_i, B x_j>, where B = Q^T K."""

    x: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    B: Array = quantity("d", "d", meaning="Q^T K", alias="key_query", default=identity)
    V: Array = quantity("d", "d", meaning="value matrix", alias="value", default=identity)
    dt: Array = quantity(meaning="step size", alias="step_size", default=1)

    def step(self) -> Self:
        """The tokens one step on."""
        drift = SelfAttentionFlow(x=self.x, B=self.B, V=self.V).drift()
        return self.replace(x=self.x + self.dt[..., None, None] * drift)


@dataclass(frozen=True, eq=False)
class RescaledAttentionStep(StepMap):
    """z^k = R^{-k} x^k with R = I + dt V: z_i <- z_i + dt sum_j P_ij R^{-1} V (z_j - z_i), with P evaluated at R^k z.

    A step raises ZeroDivisionError, or for floats numpy.linalg.LinAlgError, where R is singular.
    """

    z: Array = quantity("n", "d", meaning="rescaled tokens", alias="tokens")
    B: Array = quantity("d", "d", meaning="Q^T K", alias="key_query", default=identity)
    V: Array = quantity("d", "d", meaning="value matrix", alias="value", default=identity)
    dt: Array = quantity(meaning="step size", alias="step_size", default=1)
    k: Array = quantity(meaning="steps taken", default=0, label=True)

    def growth(self) -> Array:
        """R = I + dt V, shape (..., d, d)."""
        return indicator(np.eye(self.V.shape[-1], dtype=bool), self.V) + self.dt[..., None, None] * self.V

    def unscaled(self) -> AttentionStep:
        """The tokens x^k = R^k z^k, with the same matrices."""
        R, x = transposed(self.growth()), self.z
        for _ in range(int(self.k)):
            x = x @ R
        return AttentionStep(x=x, B=self.B, V=self.V, dt=self.dt)

    def attention(self) -> Array:
        """P at R^k z, shape (..., n, n)."""
        x = self.unscaled().x
        return attention(x @ self.B, x)

    def moves(self, covectors: Array) -> Array:
        """<l, z_i^{k+1} - z_i^k> for covectors l of shape (..., m, d), shape (..., m, n).

        Summed as differences, so that a sign that all of them have is known however close the weights are to 0 and 1.
        """
        pace = self.dt[..., None, None] * inverse(self.growth()) @ self.V
        heights = covectors @ pace @ transposed(self.z)
        differences = heights[..., :, None, :] - heights[..., :, :, None]
        return numbers((self.attention()[..., None, :, :] * differences).sum(axis=-1))

    def step(self) -> Self:
        """The rescaled tokens one step on."""
        axes = indicator(np.eye(self.V.shape[-1], dtype=bool), self.V)
        return self.replace(z=self.z + transposed(self.moves(axes)), k=self.k + 1)
