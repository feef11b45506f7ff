"""Gradient flow of row-wise attention beta = softmax_rows(A) V (arXiv 2603.06248, section 4.1).

Logistic loss (1/T) sum_i log(1 + exp(-<beta_*, beta[i]>)). Row i of A holds the scores by which token i attends, S_i is
its softmax over the tokens that row i sees (all of them, or those up to i under a causal mask), u = V beta_* and
K = |beta_*|^2. With m_i = <S_i, u> and gamma_i = 1 / (1 + e^{m_i}),

    du/dt = (K/T) sum_i gamma_i S_i,    dA_i/dt = (gamma_i / T) J(S_i) u.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dynamics.arithmetic import Array, exp, indicator, numbers
from dynamics.attention import softmax
from dynamics.system import Flow, quantity


def _zeros(sizes: dict[str, int]) -> list[list[int]]:
    return [[0] * sizes["T"]] * sizes["T"]


def _all(sizes: dict[str, int]) -> list[list[int]]:
    return [[1] * sizes["T"]] * sizes["T"]


# A label and no minus infinity: a hidden score must have no derivative, and balls know no infinite ends that cancel.
def visible_softmax(A: Array, visible: Array) -> Array:
    """Softmax of each row of scores (..., T, T) over the tokens where `visible` (T, T) is 1, and 0 elsewhere."""
    if visible.all():
        return numbers(softmax(A))
    # A hidden score is replaced by the row's own before the shift by the winner, so that it cannot be the winner.
    own = np.arange(A.shape[-1])
    weights = softmax(np.where(visible == 1, A, A[..., own, own][..., :, None])) * indicator(visible == 1, A)
    return numbers(weights / weights.sum(axis=-1, keepdims=True))


# Hidden scores are replaced by the row's own in `visible_softmax`: if that were hidden, too, the weights could sum to 0.
def _validate_rows(flow: RowAttentionFlow | FullRowAttentionFlow) -> None:
    name = type(flow).__name__
    if not np.isin(flow.visible, (0, 1)).all():
        raise ValueError(f"{name}: visible holds 1 where row i sees token j and 0 elsewhere")
    if not np.diagonal(flow.visible).all():
        raise ValueError(f"{name}: every row must see its own token")


@dataclass(frozen=True, eq=False)
class RowAttentionFlow(Flow):
    """Value projections u and row scores A in the clock tau = int (1/T) sum_i gamma_i dt, which all rows share."""

    moving: ClassVar[tuple[str, ...]] = ("u", "A", "tau")

    u: Array = quantity("T", meaning="value projections V beta_*", alias="values")
    A: Array = quantity("T", "T", meaning="row scores", alias="row_scores", default=_zeros)
    K: Array = quantity(meaning="|beta_*|^2", default=1)
    tau: Array = quantity(meaning="int (1/T) sum_i gamma_i dt", default=0)
    visible: Array = quantity("T", "T", meaning="1 where row i sees token j", default=_all, label=True)

    def validate(self) -> None:
        """Raise ValueError unless K is positive and every row sees its own token."""
        if self.K.item() <= 0:
            raise ValueError(f"{type(self).__name__}: K = |beta_*|^2 must be positive, not {self.K.item()}")
        _validate_rows(self)

    @property
    def S(self) -> Array:
        """softmax_rows(A) over the visible tokens, shape (..., T, T)."""
        return visible_softmax(self.A, self.visible)

    @property
    def m(self) -> Array:
        """m_i = <S_i, u>, shape (..., T)."""
        return (self.S * self.u[..., None, :]).sum(axis=-1)

    @property
    def gamma(self) -> Array:
        """gamma_i = 1 / (1 + e^{m_i}), shape (..., T)."""
        return 1 / (1 + exp(self.m))

    @property
    def share(self) -> Array:
        """gamma_i / sum_k gamma_k, the speed of row i in the clock tau, shape (..., T)."""
        gamma = self.gamma
        return np.asarray(gamma / gamma.sum(axis=-1, keepdims=True))

    def du_dtau(self) -> Array:
        """K sum_i share_i S_i, shape (..., T)."""
        return self.K[..., None] * (self.share[..., None] * self.S).sum(axis=-2)

    def dA_dtau(self) -> Array:
        """share_i S_ij (u_j - m_i), shape (..., T, T); zero at the tokens a row does not see."""
        return self.share[..., None] * self.S * (self.u[..., None, :] - self.m[..., None])

    def velocity(self) -> tuple[Array, ...]:
        """d/dtau of each moving array."""
        # One softmax for the three: this is the field that trajectories evaluate thousands of times.
        S = self.S
        m = (S * self.u[..., None, :]).sum(axis=-1)
        gamma = 1 / (1 + exp(m))
        share = gamma / gamma.sum(axis=-1, keepdims=True)
        pull = share[..., None] * S
        one = indicator(np.ones(np.shape(self.u)[:-1], dtype=bool), self.u)
        return self.K[..., None] * pull.sum(axis=-2), pull * (self.u[..., None, :] - m[..., None]), one


# Rows that begin equal stay equal: T + T numbers move in place of T + T^2, and more tokens can be enclosed.
@dataclass(frozen=True, eq=False)
class EqualRowsFlow(Flow):
    """Value projections u and the one row a that all rows of A share, as from A(0) = 0 without a mask, in the clock tau."""

    moving: ClassVar[tuple[str, ...]] = ("u", "a", "tau")

    u: Array = quantity("T", meaning="value projections V beta_*", alias="values")
    a: Array = quantity("T", meaning="scores of every row", alias="scores", default=lambda sizes: [0] * sizes["T"])
    K: Array = quantity(meaning="|beta_*|^2", default=1)
    tau: Array = quantity(meaning="int gamma dt", default=0)

    def validate(self) -> None:
        """Raise ValueError unless K is positive."""
        if self.K.item() <= 0:
            raise ValueError(f"{type(self).__name__}: K = |beta_*|^2 must be positive, not {self.K.item()}")

    @property
    def s(self) -> Array:
        """softmax(a), shape (..., T)."""
        return softmax(self.a)

    def du_dtau(self) -> Array:
        """K s, shape (..., T)."""
        return self.K[..., None] * self.s

    def da_dtau(self) -> Array:
        """J(s) u / T, shape (..., T)."""
        s, T = self.s, self.a.shape[-1]
        return s * (self.u - (s * self.u).sum(axis=-1, keepdims=True)) / T

    def velocity(self) -> tuple[Array, ...]:
        """d/dtau of each moving array."""
        return self.du_dtau(), self.da_dtau(), indicator(np.ones(np.shape(self.u)[:-1], dtype=bool), self.u)


# V itself and in the clock t: for statements that compare it with what the reduced flow says.
@dataclass(frozen=True, eq=False)
class FullRowAttentionFlow(Flow):
    """Value matrix V and row scores A: dV/dt = (1/T) sum_i S_i r_i^T and dA_i/dt = (1/T) J(S_i) V r_i."""

    moving: ClassVar[tuple[str, ...]] = ("V", "A")

    V: Array = quantity("T", "d", meaning="value matrix, a row for each token", alias="value")
    A: Array = quantity("T", "T", meaning="row scores", alias="row_scores", default=_zeros)
    beta_star: Array = quantity("d", meaning="target direction", alias="target")
    visible: Array = quantity("T", "T", meaning="1 where row i sees token j", default=_all, label=True)

    def validate(self) -> None:
        """Raise ValueError for beta_* = 0, which no loss can see, and for a row that does not see its own token."""
        if all(entry == 0 for entry in self.beta_star.flat):
            raise ValueError(f"{type(self).__name__}: beta_star must not be zero")
        _validate_rows(self)

    @property
    def S(self) -> Array:
        """softmax_rows(A) over the visible tokens, shape (..., T, T)."""
        return visible_softmax(self.A, self.visible)

    @property
    def beta(self) -> Array:
        """The rows of S V, shape (..., T, d)."""
        return np.asarray(self.S @ self.V)

    @property
    def u(self) -> Array:
        """V beta_*, shape (..., T)."""
        return (self.V * self.beta_star[..., None, :]).sum(axis=-1)

    @property
    def K(self) -> Array:
        """|beta_*|^2, shape (...)."""
        return (self.beta_star * self.beta_star).sum(axis=-1)

    @property
    def m(self) -> Array:
        """m_i = <beta_*, beta[i]>, shape (..., T)."""
        return (self.beta * self.beta_star[..., None, :]).sum(axis=-1)

    @property
    def gamma(self) -> Array:
        """gamma_i = 1 / (1 + e^{m_i}), shape (..., T)."""
        return 1 / (1 + exp(self.m))

    def residual(self) -> Array:
        """r_i = gamma_i beta_*, minus the gradient of log(1 + e^{-m_i}) in beta[i], shape (..., T, d)."""
        return self.gamma[..., None] * self.beta_star[..., None, :]

    def velocity(self) -> tuple[Array, ...]:
        """d/dt of V and A."""
        S, r = self.S, self.residual()
        T = S.shape[-1]
        pulled = (self.V[..., None, :, :] * r[..., :, None, :]).sum(axis=-1)
        dV = (S[..., :, :, None] * r[..., :, None, :]).sum(axis=-3)
        return dV / T, S * (pulled - (S * pulled).sum(axis=-1, keepdims=True)) / T
