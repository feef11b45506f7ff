"""Softmax self-attention as a flow on tokens (arXiv 2305.05465, equations `trans_dyn` and `Rres`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dynamics.arithmetic import Array, indicator, matrix_exponential, transposed
from dynamics.attention import attention
from dynamics.system import Flow, identity, quantity


# In x tokens run off: limits are asked of z = e^{-tV} x, which moves by a flow of its own.
@dataclass(frozen=True, eq=False)
class SelfAttentionFlow(Flow):
    """x_i' = sum_j P_ij V x_j with P_ij proportional to exp <x_i, B x_j>, where B = Q^T K."""

    moving: ClassVar[tuple[str, ...]] = ("x",)

    x: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    B: Array = quantity("d", "d", meaning="Q^T K", alias="key_query", default=identity)
    V: Array = quantity("d", "d", meaning="value matrix", alias="value", default=identity)

    def attention(self) -> Array:
        """P, shape (..., n, n)."""
        return attention(self.x @ self.B, self.x)

    def drift(self) -> Array:
        """x', shape (..., n, d)."""
        return self.attention() @ self.x @ transposed(self.V)

    def velocity(self) -> tuple[Array, ...]:
        """The derivative of each moving array."""
        return (self.drift(),)

    def blocks(self) -> list[range]:
        """One block for each token."""
        return token_blocks(self.x)


# Differences h_j - h_i before the weights: tokens far out differ by little, and a mean less a token would cancel.
@dataclass(frozen=True, eq=False)
class RescaledFlow(Flow):
    """z = e^{-tV} x: z_i' = sum_j P_ij V (z_j - z_i), with P evaluated at x = e^{tV} z.

    With V = I the scores are e^{2t} <z_i, B z_j>: the inverse temperature grows with t and softmax becomes hardmax.
    """

    moving: ClassVar[tuple[str, ...]] = ("z", "t")

    z: Array = quantity("n", "d", meaning="rescaled tokens", alias="tokens")
    B: Array = quantity("d", "d", meaning="Q^T K", alias="key_query", default=identity)
    V: Array = quantity("d", "d", meaning="value matrix", alias="value", default=identity)
    t: Array = quantity(meaning="time", alias="time", default=0)

    def key_query(self) -> Array:
        """e^{tV}^T B e^{tV}, by which the tokens z score one another, shape (..., d, d)."""
        growth = matrix_exponential(self.V, self.t)
        return transposed(growth) @ self.B @ growth

    def attention(self) -> Array:
        """P, shape (..., n, n)."""
        return attention(self.z @ self.key_query(), self.z)

    def drift(self) -> Array:
        """z', shape (..., n, d)."""
        return self._mean_differences(self.V @ transposed(self.z)).swapaxes(-1, -2)

    def rates(self, covectors: Array) -> Array:
        """<l, z_i'> for covectors l of shape (..., m, d), shape (..., m, n).

        Summed as sum_j P_ij <l, V (z_j - z_i)>: at a token where <l, V z> is least every term is nonnegative and nothing
        cancels, so that the sign is known however close the weights are to 0 and 1.
        """
        return self._mean_differences(covectors @ self.V @ transposed(self.z))

    def _mean_differences(self, heights: Array) -> Array:
        """sum_j P_ij (h_j - h_i) for heights (..., m, n)."""
        differences = heights[..., :, None, :] - heights[..., :, :, None]
        return (self.attention()[..., None, :, :] * differences).sum(axis=-1)

    def velocity(self) -> tuple[Array, ...]:
        """The derivative of each moving array."""
        return self.drift(), indicator(np.ones(np.shape(self.t), dtype=bool), self.z)

    def blocks(self) -> list[range]:
        """One block for each token, one for the time."""
        size = self.z.size
        return [*token_blocks(self.z), range(size, size + 1)]


# Errors are measured token by token, in the Euclidean norm: covariances and products of matrices are bounded in it
# (dynamics.trusted.attention).
def token_blocks(tokens: Array) -> list[range]:
    """The coordinates of each token of an array (n, d) in a flat state that begins with it."""
    n, d = tokens.shape
    return [range(i * d, (i + 1) * d) for i in range(n)]
