"""Gradient flow of the tied model, one matrix for values and keys (arXiv 2603.06248, section 4.1 and figure 11).

Logistic loss log(1 + e^{-m}), m = <beta_*, output>, in the clock tau = int gamma dt with gamma = 1 / (1 + e^m), so that
the velocity is the gradient of m. The authors' code runs U softmax(U a); the layer that the paper derives it from has
output R^T softmax(R a).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dynamics.arithmetic import Array, exp
from dynamics.attention import softmax
from dynamics.system import Flow, quantity


# Products and sums, not @: beside a batch of matrices NumPy would take a batch of vectors for one matrix.
def _applied(matrix: Array, vector: Array) -> Array:
    """M x, shape (..., rows)."""
    return np.asarray((matrix * vector[..., None, :]).sum(axis=-1))


def _applied_transposed(matrix: Array, vector: Array) -> Array:
    """M^T x, shape (..., columns)."""
    return np.asarray((matrix * vector[..., :, None]).sum(axis=-2))


def _outer(x: Array, y: Array) -> Array:
    return np.asarray(x[..., :, None] * y[..., None, :])


def _centred(s: Array, values: Array) -> Array:
    """J(s) values, shape (..., D)."""
    return np.asarray(s * (values - (s * values).sum(axis=-1, keepdims=True)))


# In the clock tau of the logistic loss: then the field is the gradient of m, and holds for every aligned loss.
@dataclass(frozen=True, eq=False)
class TiedFlow(Flow):
    """Output U softmax(U a): the columns of U are the values, its rows the keys."""

    moving: ClassVar[tuple[str, ...]] = ("U", "a")

    U: Array = quantity("D", "D", meaning="the tied matrix")
    a: Array = quantity("D", meaning="query", alias="query")
    beta_star: Array = quantity("D", meaning="target direction", alias="target")

    def validate(self) -> None:
        """Raise ValueError for beta_* = 0, which no loss can see."""
        if all(entry == 0 for entry in self.beta_star.flat):
            raise ValueError(f"{type(self).__name__}: beta_star must not be zero")

    @property
    def s(self) -> Array:
        """softmax(U a), shape (..., D)."""
        return softmax(_applied(self.U, self.a))

    @property
    def output(self) -> Array:
        """U softmax(U a), shape (..., D)."""
        return _applied(self.U, self.s)

    @property
    def m(self) -> Array:
        """<beta_*, output>, shape (...)."""
        return (self.beta_star * self.output).sum(axis=-1)

    @property
    def gamma(self) -> Array:
        """-dL/dm = 1 / (1 + e^m), shape (...)."""
        return 1 / (1 + exp(self.m))

    def velocity(self) -> tuple[Array, ...]:
        """The gradient of m: beta_* s^T + v a^T in U and U^T v in a, where v = J(s) U^T beta_*."""
        s = self.s
        v = _centred(s, _applied_transposed(self.U, self.beta_star))
        return _outer(self.beta_star, s) + _outer(v, self.a), _applied_transposed(self.U, v)

    def dm_dtau(self) -> Array:
        """dm/dtau by the product rule on <beta_*, U softmax(U a)>, shape (...)."""
        dU, da = self.velocity()
        s = self.s
        ds = _centred(s, _applied(dU, self.a) + _applied(self.U, da))
        return (self.beta_star * (_applied(dU, s) + _applied(self.U, ds))).sum(axis=-1)


# The other reading: text and code differ by a transpose, and which of them the statement means is not said.
@dataclass(frozen=True, eq=False)
class TransposedTiedFlow(TiedFlow):
    """Output U^T softmax(U a): the rows of U are the tokens, at once keys and values."""

    @property
    def output(self) -> Array:
        """U^T softmax(U a), shape (..., D)."""
        return _applied_transposed(self.U, self.s)

    def velocity(self) -> tuple[Array, ...]:
        """The gradient of m: s beta_*^T + v a^T in U and U^T v in a, where v = J(s) U beta_*."""
        s = self.s
        v = _centred(s, _applied(self.U, self.beta_star))
        return _outer(s, self.beta_star) + _outer(v, self.a), _applied_transposed(self.U, v)

    def dm_dtau(self) -> Array:
        """dm/dtau by the product rule on <beta_*, U^T softmax(U a)>, shape (...)."""
        dU, da = self.velocity()
        s = self.s
        ds = _centred(s, _applied(dU, self.a) + _applied(self.U, da))
        return (self.beta_star * (_applied_transposed(dU, s) + _applied_transposed(self.U, ds))).sum(axis=-1)
