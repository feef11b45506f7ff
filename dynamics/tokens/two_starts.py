"""Two starts of as many tokens, followed at once: what must happen between them (arXiv 2305.05465)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dynamics.arithmetic import Array
from dynamics.system import Flow, identity, quantity
from dynamics.tokens.self_attention import SelfAttentionFlow, token_blocks


# Both under one clock: what must happen somewhere between two starts is decided at times that both have reached.
@dataclass(frozen=True, eq=False)
class TwoStarts(Flow):
    """The flow of softmax self-attention from two starts, each on its own: x_i' = sum_j P_ij V x_j, and y likewise."""

    moving: ClassVar[tuple[str, ...]] = ("x", "y")

    x: Array = quantity("n", "d", meaning="tokens of the first start", alias="tokens")
    y: Array = quantity("n", "d", meaning="tokens of the second start")
    B: Array = quantity("d", "d", meaning="Q^T K", alias="key_query", default=identity)
    V: Array = quantity("d", "d", meaning="value matrix", alias="value", default=identity)

    def first(self) -> SelfAttentionFlow:
        """The flow of x alone."""
        return SelfAttentionFlow(x=self.x, B=self.B, V=self.V)

    def second(self) -> SelfAttentionFlow:
        """The flow of y alone."""
        return SelfAttentionFlow(x=self.y, B=self.B, V=self.V)

    def velocity(self) -> tuple[Array, ...]:
        """The derivative of each moving array."""
        return self.first().drift(), self.second().drift()

    def blocks(self) -> list[range]:
        """One block for each token of each start."""
        size = self.x.size
        return [*token_blocks(self.x), *(range(b.start + size, b.stop + size) for b in token_blocks(self.y))]
