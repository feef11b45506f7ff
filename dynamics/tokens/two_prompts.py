"""Two prompts of as many tokens under one attention: the mean-field vector fields of their empirical measures."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from dynamics.arithmetic import Array, peak, transposed
from dynamics.attention import attention
from dynamics.system import System, identity, quantity


# All pairings, n! of them, exactly: transport between uniform measures is attained at one (Birkhoff), and prompts here are
# short.
@dataclass(frozen=True, eq=False)
class TwoPrompts(System):
    """mu and nu, the empirical measures of tokens x_i and y_i, and a point p where their fields are compared.

    X[mu](p) = int e^{<p, By>} Vy dmu(y) / int e^{<p, By>} dmu(y), where B = Q^T K (arXiv 2305.05465, section 2).
    """

    x: Array = quantity("n", "d", meaning="tokens of mu", alias="tokens")
    y: Array = quantity("n", "d", meaning="tokens of nu")
    p: Array = quantity("d", meaning="the point at which fields are compared", alias="point")
    B: Array = quantity("d", "d", meaning="Q^T K", alias="key_query", default=identity)
    V: Array = quantity("d", "d", meaning="value matrix", alias="value", default=identity)

    def field(self, tokens: Array, points: Array) -> Array:
        """X[mu] of the tokens (..., n, d) at points (..., m, d), shape (..., m, d)."""
        return attention(points @ self.B, tokens) @ tokens @ transposed(self.V)

    def squared_transport(self) -> Array:
        """W_2(mu, nu)^2, the least mean squared distance over all pairings of the tokens, shape (...)."""
        n = self.x.shape[-2]
        apart = self.x[..., :, None, :] - self.y[..., None, :, :]
        squared = (apart * apart).sum(axis=-1)
        costs = [squared[..., np.arange(n), list(order)].sum(axis=-1) for order in permutations(range(n))]
        return -peak(-np.stack(costs, axis=-1))[..., 0] / n
