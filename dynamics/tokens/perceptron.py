"""Self-attention followed by a perceptron layer, in rescaled tokens (arXiv 2305.05465, open problems of section 12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dynamics.arithmetic import Array, elementwise, indicator, larger, transposed
from dynamics.system import Flow, identity, quantity
from dynamics.tokens.self_attention import RescaledFlow, token_blocks


# In balls the larger of x and 0, not a choice between them: a token at the kink is enclosed, and only a series of higher
# order is refused.
def positive_part(x: Array) -> Array:
    """max(x, 0), entry by entry. Raises KinkError for a power series whose first coefficient may be 0."""
    return np.maximum(x, 0) if x.dtype.kind == "f" else elementwise(lambda value: larger(value, 0 * value), x)


# No RescaledFlow: its lemmas are about averages, and relu cuts them coordinate by coordinate.
@dataclass(frozen=True, eq=False)
class PerceptronFlow(Flow):
    """z_i' = W relu(V sum_j P_ij (z_j - z_i)), with P evaluated at x = e^{tV} z and relu taken entry by entry."""

    moving: ClassVar[tuple[str, ...]] = ("z", "t")

    z: Array = quantity("n", "d", meaning="rescaled tokens", alias="tokens")
    B: Array = quantity("d", "d", meaning="Q^T K", alias="key_query", default=identity)
    V: Array = quantity("d", "d", meaning="value matrix", alias="value", default=identity)
    W: Array = quantity("d", "d", meaning="output matrix", default=identity)
    t: Array = quantity(meaning="time", alias="time", default=0)

    def attention_alone(self) -> RescaledFlow:
        """The flow without the perceptron."""
        return RescaledFlow(z=self.z, B=self.B, V=self.V, t=self.t)

    def drift(self) -> Array:
        """z', shape (..., n, d)."""
        return positive_part(self.attention_alone().drift()) @ transposed(self.W)

    def velocity(self) -> tuple[Array, ...]:
        """The derivative of each moving array."""
        return self.drift(), indicator(np.ones(np.shape(self.t), dtype=bool), self.z)

    def blocks(self) -> list[range]:
        """One block for each token, one for the time."""
        size = self.z.size
        return [*token_blocks(self.z), range(size, size + 1)]
