"""The two Kullback-Leibler losses of arXiv 2603.06248, section 3 and figure 10.

As printed, l = -<p_*, log(V s)>: nothing keeps V s on the simplex, and the loss is unbounded below. In the authors' code
l = -<p_*, log softmax(V^T s)>: the cross-entropy of logits, which has a minimiser.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dynamics.arithmetic import Array, exp, log
from dynamics.attention import softmax
from dynamics.system import Flow, quantity
from dynamics.training.value_softmax import FullFlow, ReducedFlow, one_like_rows, zero_scores


# As printed nothing keeps V s on the simplex: where an entry of it reaches 0 the field has a pole.
@dataclass(frozen=True, eq=False)
class FullValuesKLFlow(FullFlow):
    """Loss -<p_*, log(V s)> with beta_* = sqrt(p_*) entrywise, in the clock t; V s must be positive."""

    @property
    def gamma(self) -> Array:
        """K / m, minus the derivative of the loss in m along V = beta_* u^T / K, shape (...)."""
        return self.K / self.m

    def residual(self) -> Array:
        """p_* / beta, shape (..., d)."""
        return self.beta_star * self.beta_star / self.beta


@dataclass(frozen=True, eq=False)
class ValuesKLFlow(ReducedFlow):
    """Loss -<p_*, log(V s)> on V = sqrt(p_*) u^T, in the clock t: gamma = K/m with K = |sqrt(p_*)|^2 = 1."""

    @property
    def gamma(self) -> Array:
        """K / m, shape (...)."""
        return self.K / self.m

    def velocity(self) -> tuple[Array, ...]:
        """d/dt of each moving array."""
        gamma = self.gamma
        return gamma[..., None] * self.du_dtau(), gamma[..., None] * self.da_dtau(), one_like_rows(self.u), gamma


# V has a row for each token here: the code's logits are V^T s, where the printed loss has beta = V s.
@dataclass(frozen=True, eq=False)
class LogitsKLFlow(Flow):
    """Loss -<p_*, log q> with q = softmax(V^T s), V of shape (p, d), in the clock t."""

    moving: ClassVar[tuple[str, ...]] = ("V", "a")

    V: Array = quantity("p", "d", meaning="value matrix, a row per token")
    a: Array = quantity("p", meaning="scores", alias="scores", default=zero_scores)
    weights: Array = quantity("d", meaning="p_* up to a factor")

    def validate(self) -> None:
        """Raise ValueError unless p_* is a distribution without zeros."""
        if any(entry <= 0 for entry in self.weights.flat):
            raise ValueError(f"{type(self).__name__}: weights must be positive")

    @property
    def target(self) -> Array:
        """The distribution p_*, shape (..., d)."""
        return self.weights / self.weights.sum(axis=-1, keepdims=True)

    @property
    def s(self) -> Array:
        """softmax(a), shape (..., p)."""
        return softmax(self.a)

    @property
    def logits(self) -> Array:
        """V^T s, shape (..., d)."""
        return (self.V * self.s[..., :, None]).sum(axis=-2)

    @property
    def q(self) -> Array:
        """softmax(V^T s), shape (..., d)."""
        return softmax(self.logits)

    def residual(self) -> Array:
        """p_* - q, shape (..., d)."""
        return self.target - self.q

    def log_ratio(self) -> Array:
        """log(p_* / q), shape (..., d)."""
        z = self.logits
        top = z[..., :1]
        return log(self.target) - (z - top) + log(exp(z - top).sum(axis=-1, keepdims=True))

    def velocity(self) -> tuple[Array, ...]:
        """d/dt of V and a: s r^T and J(s) V r."""
        s, r = self.s, self.residual()
        pulled = (self.V * r[..., None, :]).sum(axis=-1)
        return s[..., :, None] * r[..., None, :], s * (pulled - (s * pulled).sum(axis=-1, keepdims=True))
