"""Regression through a matrix, |b - X V softmax(a)|^2, and its linearisation (arXiv 2603.06248, figures 3 and 12).

In the singular basis X is diagonal. Several copies of the model move side by side, each with its own X, so that one
certified trajectory compares two conditionings at the same times.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from flint import fmpq

from dynamics.arithmetic import Array, sqrt
from dynamics.attention import softmax
from dynamics.system import Flow, quantity


# The losses of the figures are compared at the same weight, unless a claim asks for another one.
def _ones(sizes: dict[str, int]) -> list[int]:
    return [1] * sizes["copies"]


@dataclass(frozen=True, eq=False)
class ConditionedRegressionFlow(Flow):
    """Copies of the gradient flow of weight |b - X V s|^2, s = softmax(a): V' = f s^T, a' = J(s) V^T f.

    f = 2 weight X (b - X V s) is minus the gradient in beta = V s. The loss is the one of the figures, without 1/2.
    """

    moving: ClassVar[tuple[str, ...]] = ("V", "a")

    V: Array = quantity("copies", "d", "p", meaning="value matrices", alias="value")
    a: Array = quantity("copies", "p", meaning="scores", alias="scores")
    X: Array = quantity("copies", "d", meaning="singular values, the diagonal of X")
    b: Array = quantity("copies", "d", meaning="targets in the singular basis")
    weight: Array = quantity("copies", meaning="factor of the loss", default=_ones)

    def validate(self) -> None:
        """Raise ValueError unless every singular value and every weight is positive."""
        if any(value <= 0 for array in (self.X, self.weight) for value in array.flat):
            raise ValueError(f"{type(self).__name__}: singular values and weights must be positive")

    @property
    def s(self) -> Array:
        """softmax(a), shape (..., copies, p)."""
        return softmax(self.a)

    @property
    def solution(self) -> Array:
        """w with X w = b, shape (..., copies, d)."""
        return self.b / self.X

    def error(self) -> Array:
        """b - X V s, shape (..., copies, d)."""
        return self._error_at(self.s)

    def _error_at(self, s: Array) -> Array:
        return self.b - self.X * (self.V * s[..., None, :]).sum(axis=-1)

    def loss(self) -> Array:
        """|b - X V s|^2, without the weight, shape (..., copies)."""
        error = self.error()
        return (error * error).sum(axis=-1)

    def velocity(self) -> tuple[Array, ...]:
        """d/dt of V and a."""
        s = self.s
        force = 2 * self.weight[..., None] * self.X * self._error_at(s)
        pulled = (self.V * force[..., :, None]).sum(axis=-2)
        return (
            force[..., :, None] * s[..., None, :],
            s * (pulled - (s * pulled).sum(axis=-1, keepdims=True)),
        )

    def motion_left(self) -> Array:
        """A bound on how far each weight s_i can still move, for weight = 1, shape (..., copies).

        The loss l obeys -(sqrt l)' >= |f| sigma / p with sigma the least singular value (Lemma D.2 and |f| >= 2 sigma
        sqrt l), so int |f| <= e := p sqrt(l + 2^-40) / sigma from now on; |s'| <= |J|^2 |V| |f| with |J| <= 1/2, and
        |V| grows by at most e.
        """
        # A loss of zero to the working precision has no root in balls.
        left = self.a.shape[-1] * sqrt(self.loss() + fmpq(1, 2**40)) / self.X.min(axis=-1)
        return left * (sqrt((self.V * self.V).sum(axis=(-1, -2))) + left) / 4


# What the figures' explanation says, taken at its word: claims ask how far it agrees with the flow above.
@dataclass(frozen=True, eq=False)
class LinearisedGapFlow(Flow):
    """The gap a_i - a_j and the difference of columns D = V_i - V_j near uniform scores and V = 0, to first order.

    gap' = <g, D>, D' = g gap, where g = x' and x = beta tends to the solution w coordinate by coordinate, at `rate`: the
    same system for every pair of scores, a product of Lorentz boosts along g.
    """

    moving: ClassVar[tuple[str, ...]] = ("gap", "D", "x")

    w: Array = quantity("d", meaning="solution in the singular basis")
    rate: Array = quantity("d", meaning="rates of convergence, the squared singular values up to a factor")
    gap: Array = quantity(meaning="a_i - a_j over its start", default=1)
    D: Array = quantity("d", meaning="V_i - V_j over the start of the gap", default=lambda sizes: [0] * sizes["d"])
    x: Array = quantity("d", meaning="int g", default=lambda sizes: [0] * sizes["d"])

    def validate(self) -> None:
        """Raise ValueError unless every rate is positive."""
        if any(value <= 0 for value in self.rate.flat):
            raise ValueError(f"{type(self).__name__}: rates must be positive")

    def velocity(self) -> tuple[Array, ...]:
        """d/dt of the gap, D and x."""
        g = self.rate * (self.w - self.x)
        return (g * self.D).sum(axis=-1), g * self.gap[..., None], g
