"""Gradient descent on the logistic loss of the value-softmax model, seen through u = V^T beta_* (arXiv 2603.06248).

One step V <- V - rate dL/dV, a <- a - rate dL/da, both from the old state, is exactly the step of (u, a) below: the
gradient in V is a multiple of beta_* in every column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from dynamics.arithmetic import Array, exp, log
from dynamics.attention import softmax
from dynamics.system import StepMap, quantity
from dynamics.training.value_softmax import zero_scores


# No subclass of the flow: what is shown of continuous time need not hold of steps, whose length counts.
@dataclass(frozen=True, eq=False)
class LogisticDescent(StepMap):
    """Steps of length `rate` on log(1 + e^{-m}), m = <softmax(a), u>."""

    u: Array = quantity("p", meaning="value projections V^T beta_*", alias="values")
    a: Array = quantity("p", meaning="scores", alias="scores", default=zero_scores)
    K: Array = quantity(meaning="|beta_*|^2", default=1)
    rate: Array = quantity(meaning="learning rate")

    def validate(self) -> None:
        """Raise ValueError unless K and the rate are positive."""
        if self.K.item() <= 0 or self.rate.item() <= 0:
            raise ValueError(f"{type(self).__name__}: K = |beta_*|^2 and the rate must be positive")

    @property
    def s(self) -> Array:
        """The weights, softmax(a), shape (..., p)."""
        return softmax(self.a)

    @property
    def m(self) -> Array:
        """<s, u> = <beta_*, beta>, shape (...)."""
        return (self.s * self.u).sum(axis=-1)

    @property
    def gamma(self) -> Array:
        """-dL/dm = 1 / (1 + e^m), shape (...)."""
        return 1 / (1 + exp(self.m))

    def loss(self) -> Array:
        """log(1 + e^{-m}), shape (...)."""
        return log(1 + exp(-self.m))

    def score_slope(self) -> Array:
        """The diagonal factor of dm/da_i = slope_i (u_i - m), shape (..., p)."""
        return self.s

    def step(self) -> Self:
        """The system after one step."""
        pace, s = (self.rate * self.gamma)[..., None], self.s
        return self.replace(
            u=self.u + pace * self.K[..., None] * s,
            a=self.a + pace * self.score_slope() * (self.u - self.m[..., None]),
        )


@dataclass(frozen=True, eq=False)
class PowerDescent(LogisticDescent):
    """The same with s_i = a_i^k / sum_j a_j^k in place of softmax."""

    k: Array = quantity(meaning="the power", integer=True)

    def validate(self) -> None:
        """Raise ValueError unless 1 <= k <= 1024, as exact powers grow long, and the powers of the scores have a sum."""
        super().validate()
        if not 1 <= self.k.item() <= 1024:
            raise ValueError(f"PowerDescent: k must be from 1 to 1024, not {self.k.item()}")
        if self._power(int(self.k.item())).sum() == 0:
            raise ValueError("PowerDescent: sum_j a_j^k must not vanish")

    def _power(self, k: int) -> Array:
        total, square = 0 * self.a + 1, self.a
        while k:
            if k % 2:
                total = total * square
            k //= 2
            square = square * square if k else square
        return total

    @property
    def s(self) -> Array:
        """a_i^k / sum_j a_j^k, shape (..., p)."""
        powers = self._power(int(self.k.item()))
        return np.asarray(powers / powers.sum(axis=-1, keepdims=True))

    def score_slope(self) -> Array:
        """k a_i^{k-1} / sum_j a_j^k, shape (..., p)."""
        k = int(self.k.item())
        return np.asarray(k * self._power(k - 1) / self._power(k).sum(axis=-1, keepdims=True))
