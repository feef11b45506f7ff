"""Localmax attention steps (arXiv 2509.15958; definition M-D1, reconstructed from the abstract).

Token i listens to every token whose score is within `delta` of its best one. delta = 0 is hardmax over indices, a large
delta is uniform averaging. The neighbour rule is one method, so that another reading of the paper is one override.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from dynamics.arithmetic import Array, transposed
from dynamics.attention import average_over, near_leaders, shares
from dynamics.averaging import Averaging
from dynamics.system import StepMap, quantity


def _eye(sizes: dict[str, int]) -> Array:
    return np.eye(sizes["d"], dtype=int)


@dataclass(frozen=True, eq=False)
class LocalmaxStep(StepMap):
    """z_i <- z_i + gamma (c_i - z_i), c_i the mean of z_j over the neighbours C_i^delta of token i."""

    z: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    A: Array = quantity("d", "d", meaning="key-query matrix", alias="key_query", default=_eye)
    gamma: Array = quantity(meaning="step size alpha/(1+alpha)", alias="step_size", default="1/2")
    delta: Array = quantity(meaning="sensitivity", alias="sensitivity", default=0)

    def validate(self) -> None:
        """Raise ValueError for a negative sensitivity."""
        if self.delta.item() < 0:
            raise ValueError(f"LocalmaxStep: delta must be at least 0, not {self.delta.item()}")

    def scores(self) -> Array:
        """<A z_i, z_j>, shape (..., n, n)."""
        return self.z @ transposed(self.A) @ transposed(self.z)

    def neighbours(self) -> Array:
        """C_i^delta as a boolean mask, shape (..., n, n)."""
        return near_leaders(self.scores(), self.delta[..., None, None])

    def step(self) -> Self:
        """The system after one step."""
        means = average_over(self.neighbours(), self.z)
        return self.replace(z=self.z + self.gamma[..., None, None] * (means - self.z))

    def averaging(self) -> Averaging:
        """The averages of the next step."""
        return Averaging(self.z, self.A, self.gamma, self.delta, shares(self.neighbours(), self.z))
