"""The value-softmax model with V frozen: only the scores a are trained (arXiv 2603.06248, section 3.1, for contrast)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dynamics.arithmetic import Array
from dynamics.system import quantity
from dynamics.training.value_softmax import LogisticFlow, one_like_rows


# A LogisticFlow although u rests: the lemmas on who leads ask only that no gap u_0 - u_j falls.
@dataclass(frozen=True, eq=False)
class FrozenValuesFlow(LogisticFlow):
    """Logistic loss with u = V^T beta_* constant, in the clock tau = int gamma dt: da/dtau = J(s) u, dt/dtau = 1 + e^m.

    K plays no part: it is the speed of the values that do not move.
    """

    moving: ClassVar[tuple[str, ...]] = ("a", "t", "tau")

    K: Array = quantity(meaning="|beta_*|^2, without effect here", default=1)

    def du_dtau(self) -> Array:
        """Zero, shape (..., p)."""
        return 0 * self.u

    def velocity(self) -> tuple[Array, ...]:
        """d/dtau of each moving array."""
        return self.da_dtau(), 1 / self.gamma, one_like_rows(self.u)
