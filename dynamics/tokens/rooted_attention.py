"""Rescaled self-attention whose scores are given by their root: Q^T K = A^2 (arXiv 2305.05465, sections 3 and 5)."""

from __future__ import annotations

from dataclasses import dataclass

from dynamics.arithmetic import Array, transposed
from dynamics.system import System, identity, quantity
from dynamics.tokens.self_attention import RescaledFlow


# The root is the datum, as Q^T K = A^T A is then symmetric and positive semidefinite by construction, in rationals.
@dataclass(frozen=True, eq=False)
class RootedAttention(System):
    """Rescaled tokens with scores <A x_i, A x_j>, where A = (Q^T K)^{1/2}; the first k coordinates span F, the others G."""

    z: Array = quantity("n", "d", meaning="rescaled tokens", alias="tokens")
    A: Array = quantity("d", "d", meaning="root of Q^T K", alias="root", default=identity)
    V: Array = quantity("d", "d", meaning="value matrix", alias="value", default=identity)
    t: Array = quantity(meaning="time", alias="time", default=0)
    k: Array = quantity(meaning="dimension of F", default=1, label=True)

    def validate(self) -> None:
        """Raise ValueError unless F is a part of the space: 1 <= k <= d."""
        if not 1 <= int(self.k) <= self.z.shape[-1]:
            raise ValueError(f"RootedAttention: k (dimension of F) must be in 1..{self.z.shape[-1]}, not {int(self.k)}")

    def flow(self) -> RescaledFlow:
        """The rescaled flow under B = A^T A."""
        return RescaledFlow(z=self.z, B=transposed(self.A) @ self.A, V=self.V, t=self.t)
