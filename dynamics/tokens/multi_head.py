"""Self-attention of several heads in discrete time (arXiv 2305.05465, open problems of section 12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from dynamics.arithmetic import Array, transposed
from dynamics.attention import attention
from dynamics.system import StepMap, quantity


# Keys are given the shape of the queries by adding zeros: heads are an axis that tokens do not have.
@dataclass(frozen=True, eq=False)
class MultiHeadStep(StepMap):
    """x_i <- x_i + dt sum_h sum_j P^h_ij V_h x_j with P^h_ij proportional to exp <x_i, B_h x_j>, B_h = Q_h^T K_h."""

    x: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    B: Array = quantity("h", "d", "d", meaning="Q_h^T K_h of each head", alias="key_query")
    V: Array = quantity("h", "d", "d", meaning="value matrix of each head", alias="value")
    dt: Array = quantity(meaning="step size", alias="step_size", default=1)

    def attention(self) -> Array:
        """P^h of each head, shape (..., h, n, n)."""
        x = self.x[..., None, :, :]
        return attention(x @ self.B, x + 0 * (x @ self.B))

    def step(self) -> Self:
        """The tokens one step on."""
        means = self.attention() @ self.x[..., None, :, :]
        return self.replace(x=self.x + self.dt[..., None, None] * (means @ transposed(self.V)).sum(axis=-3))
