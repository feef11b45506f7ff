"""Attention at finite inverse temperature beta: the softmax step and the random chain whose mean it is (arXiv 2508.09628).

The chain is `softmax.process` with independent picks (the joint law of the picks in one step is not fixed by the paper):
token i picks J with probability a_iJ and moves to (1 - gamma) x_i + gamma x_J.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, distinct, numbers, sqrt, transposed
from dynamics.attention import softmax
from dynamics.geometry import diameter_squared, gram
from dynamics.system import StepMap, System, quantity


# The joint law of the picks of one step is not fixed by the paper: what holds of means holds for all of them, and the step
# has the means alone.
@dataclass(frozen=True, eq=False)
class SoftmaxStep(StepMap):
    """x_i <- (1 - gamma) x_i + gamma sum_j a_ij x_j with a_ij proportional to exp(beta <x_i, x_j>)."""

    x: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    beta: Array = quantity(meaning="inverse temperature", default=1)
    gamma: Array = quantity(meaning="step size", alias="step_size", default="1/2")

    def attention(self) -> Array:
        """a, shape (..., n, n)."""
        return softmax(self.beta[..., None, None] * (self.x @ transposed(self.x)))

    def step(self) -> Self:
        """The system after one step."""
        return self.replace(x=self.x + self.gamma[..., None, None] * (self.attention() @ self.x - self.x))


# Vertices and tokens apart: the hulls that tubes are around are those of the tokens at the start, not of the vertices.
@dataclass(frozen=True, eq=False)
class AttentionChain(System):
    """Tokens grouped near the vertices of a polytope, watched until one leaves the eps-tube of its group's first hull."""

    v: Array = quantity("kappa", "d", meaning="vertices of the polytope K", alias="vertices")
    x: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    group: Array = quantity("n", meaning="index of the vertex each token starts near", label=True)
    beta: Array = quantity(meaning="inverse temperature")
    gamma: Array = quantity(meaning="step size", alias="step_size")
    eps: Array = quantity(meaning="width of the tube")
    steps: Array = quantity(meaning="the t of P[T_2 >= t]", integer=True, default=2)

    def validate(self) -> None:
        """Raise ValueError for groups that name no vertex, or parameters out of range."""
        kappa = len(self.v)
        if kappa < 2 or not all(0 <= label < kappa for label in self.group):
            raise ValueError(f"AttentionChain: group must name vertices 0..{kappa - 1}, of which there must be two or more")
        if len(distinct(self.v)) < kappa:
            raise ValueError("AttentionChain: two of the vertices v coincide")
        beta, gamma, eps, steps = (value.item() for value in (self.beta, self.gamma, self.eps, self.steps))
        for needs, met, value in (
            ("beta > 0", beta > 0, beta),
            ("0 < gamma < 1", 0 < gamma < 1, gamma),
            ("eps > 0", eps > 0, eps),
            ("steps >= 1", steps >= 1, steps),
        ):
            if not met:
                raise ValueError(f"AttentionChain: needs {needs}, not {value}")

    def attention(self) -> Array:
        """a, shape (n, n): the probabilities of the picks."""
        return softmax(self.beta * (self.x @ self.x.T))

    @property
    def c_0(self) -> fmpq:
        """The largest c_0 with <v_i, v_i> >= <v_i, v_l> + c_0 for i != l."""
        scores = gram(self.v)
        others = ~np.eye(len(scores), dtype=bool)
        return min((scores.diagonal()[:, None] - scores)[others])

    @property
    def R(self) -> Array:
        """max_i |v_i|, shape ()."""
        return sqrt(numbers(max((self.v * self.v).sum(axis=-1))))

    @property
    def diameter(self) -> Array:
        """D(K), shape ()."""
        return sqrt(numbers(diameter_squared(self.v)))

    @property
    def rho(self) -> Array:
        """The largest distance of a token from its vertex at the start, shape ()."""
        offset = self.x - self.v[self.group]
        return sqrt(numbers(max((offset * offset).sum(axis=-1))))
