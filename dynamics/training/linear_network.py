"""Gradient flow of the linear model beta = V a, the identity in place of the softmax (arXiv 2603.06248)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dynamics.arithmetic import Array
from dynamics.system import Flow, quantity
from dynamics.training.value_softmax import one_like_rows


# In tau, as for the softmax: then the flow does not depend on the loss, and is linear, so that its solutions are known.
@dataclass(frozen=True, eq=False)
class LinearNetworkFlow(Flow):
    """An aligned loss l(<beta_*, V a>) in the clock tau = int gamma dt: dV/dtau = beta_* a^T, da/dtau = V^T beta_*.

    With u = V^T beta_* and K = |beta_*|^2: du/dtau = K a and da/dtau = u, a linear system, whatever the loss.
    """

    moving: ClassVar[tuple[str, ...]] = ("V", "a", "tau")

    V: Array = quantity("d", "p", meaning="value matrix", alias="value")
    a: Array = quantity("p", meaning="scores", alias="scores", default=lambda sizes: [0] * sizes["p"])
    beta_star: Array = quantity("d", meaning="target direction", alias="target")
    tau: Array = quantity(meaning="int gamma dt", default=0)

    def validate(self) -> None:
        """Raise ValueError for beta_* = 0, which no loss can see."""
        if all(entry == 0 for entry in self.beta_star.flat):
            raise ValueError(f"{type(self).__name__}: beta_star must not be zero")

    @property
    def u(self) -> Array:
        """V^T beta_*, shape (..., p)."""
        return (self.V * self.beta_star[..., :, None]).sum(axis=-2)

    @property
    def K(self) -> Array:
        """|beta_*|^2, shape (...)."""
        return (self.beta_star * self.beta_star).sum(axis=-1)

    def velocity(self) -> tuple[Array, ...]:
        """d/dtau of V, a and tau."""
        return self.beta_star[..., :, None] * self.a[..., None, :], self.u, one_like_rows(self.beta_star)
