"""Gradient flow of the value-softmax model beta = V softmax(a) (arXiv 2603.06248).

Logistic loss log(1 + exp(-<beta_*, beta>)) and square loss |beta - beta_*|^2 / 2. With u = V^T beta_* and
K = |beta_*|^2 both losses move (u, a) along one field in the clock tau = int gamma dt, where gamma is minus the
derivative of the loss in m = <s, u>:

    du/dtau = K s,    da/dtau = J(s) u,    dt/dtau = 1 / gamma.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dynamics.arithmetic import Array, exp, indicator, log
from dynamics.attention import softmax
from dynamics.system import Flow, quantity


def zero_scores(sizes: dict[str, int]) -> list[int]:
    """The default of scores: a = 0."""
    return [0] * sizes["p"]


# Of the kind of number of `like`: a clock beside balls, series or a float64 batch has to be one of them.
def one_like_rows(like: Array) -> Array:
    """1 for every leading index of `like` (..., n), the rate of a clock: shape (...)."""
    return indicator(np.ones(np.shape(like)[:-1], dtype=bool), like)


# In tau no loss appears: one path is that of all aligned losses, and a lemma about it holds for each of them.
@dataclass(frozen=True, eq=False)
class ReducedFlow(Flow):
    """Value projections u and scores a in the clock tau, which both losses share; `tau` was reached at time `t`."""

    moving: ClassVar[tuple[str, ...]] = ("u", "a", "t", "tau")

    u: Array = quantity("p", meaning="value projections V^T beta_*", alias="values")
    a: Array = quantity("p", meaning="scores", alias="scores", default=zero_scores)
    K: Array = quantity(meaning="|beta_*|^2", default=1)
    t: Array = quantity(meaning="time", alias="time", default=0)
    tau: Array = quantity(meaning="int gamma dt", default=0)

    def validate(self) -> None:
        """Raise ValueError unless K is positive."""
        if self.K.item() <= 0:
            raise ValueError(f"{type(self).__name__}: K = |beta_*|^2 must be positive, not {self.K.item()}")

    @property
    def s(self) -> Array:
        """softmax(a), shape (..., p)."""
        return softmax(self.a)

    @property
    def m(self) -> Array:
        """<s, u> = <beta_*, beta>, shape (...)."""
        return (self.s * self.u).sum(axis=-1)

    def du_dtau(self) -> Array:
        """K s, shape (..., p)."""
        return self.K[..., None] * self.s

    def da_dtau(self) -> Array:
        """J(s) u = s_i (u_i - m), shape (..., p)."""
        return self.motion()[1]

    def motion(self) -> tuple[Array, Array, Array]:
        """du/dtau and da/dtau, shape (..., p), and m, shape (...), from one softmax."""
        s = self.s
        m = (s * self.u).sum(axis=-1)
        return self.K[..., None] * s, s * (self.u - m[..., None]), m

    def ds_dtau(self) -> Array:
        """J(s) da/dtau, shape (..., p)."""
        s, da = self.s, self.da_dtau()
        return s * (da - (s * da).sum(axis=-1, keepdims=True))

    def dm_dtau(self) -> Array:
        """The paper's lambda = K|s|^2 + |J(s) u|^2, here by the product rule on <s, u>, shape (...)."""
        return (self.ds_dtau() * self.u + self.s * self.du_dtau()).sum(axis=-1)


# Not in the clock t: m grows like K tau and t like e^m, a time to which nothing could be followed step by step.
@dataclass(frozen=True, eq=False)
class LogisticFlow(ReducedFlow):
    """Logistic loss, in the clock tau: t' = 1 / gamma = 1 + e^m."""

    @property
    def gamma(self) -> Array:
        """-dL/dm = 1 / (1 + e^m), shape (...)."""
        return 1 / (1 + exp(self.m))

    def velocity(self) -> tuple[Array, ...]:
        """d/dtau of each moving array."""
        du, da, m = self.motion()
        return du, da, 1 + exp(m), one_like_rows(self.u)


# Not in the clock tau: there the trajectory ends at a finite tau_*, which is not known beforehand.
@dataclass(frozen=True, eq=False)
class SquareLossFlow(ReducedFlow):
    """Square loss with V(0) = beta_* u(0)^T / K, in the clock t: gamma = 1 - m/K."""

    @property
    def gamma(self) -> Array:
        """-dL/dm = 1 - m/K, shape (...)."""
        return 1 - self.m / self.K

    def velocity(self) -> tuple[Array, ...]:
        """d/dt of each moving array."""
        du, da, m = self.motion()
        gamma = 1 - m / self.K
        return gamma[..., None] * du, gamma[..., None] * da, one_like_rows(self.u), gamma


@dataclass(frozen=True, eq=False)
class DecayedSquareFlow(SquareLossFlow):
    """Square loss plus (decay/2) |V|^2, on V = beta_* u^T / K, in the clock t: u' = gamma K s - decay u."""

    decay: Array = quantity(meaning="weight decay on V", default=1)

    def validate(self) -> None:
        """Raise ValueError unless K and the decay are positive."""
        super().validate()
        if self.decay.item() <= 0:
            raise ValueError(f"{type(self).__name__}: the decay must be positive, not {self.decay.item()}")

    def velocity(self) -> tuple[Array, ...]:
        """d/dt of each moving array."""
        du, da, dt, dtau = super().velocity()
        return du - self.decay[..., None] * self.u, da, dt, dtau


# gamma as a coordinate: near tau_* it is what remains of 1 - m/K, and a ball around that difference would hold 0.
@dataclass(frozen=True, eq=False)
class SquareLossClockFlow(ReducedFlow):
    """Square loss in the clock tau < tau_*: gamma is a coordinate, gamma' = -lambda/K, and t is recovered by t' = 1/gamma.

    The same states as :class:`SquareLossFlow`, by a second clock; its own gamma must begin at 1 - m/K.
    """

    moving: ClassVar[tuple[str, ...]] = ("u", "a", "t", "tau", "slope")

    slope: Array = quantity(meaning="gamma", default=1)

    def velocity(self) -> tuple[Array, ...]:
        """d/dtau of each moving array; lambda = K|s|^2 + |J(s) u|^2."""
        s, da = self.s, self.da_dtau()
        slowing = (s * s).sum(axis=-1) + (da * da).sum(axis=-1) / self.K
        return self.du_dtau(), da, 1 / self.slope, one_like_rows(self.u), -slowing


# That (V, a) moves like (u, a) is a lemma, not a definition: these move V itself, for statements that compare both.
@dataclass(frozen=True, eq=False)
class FullFlow(Flow):
    """Value matrix V and scores a: dV/dt = r s^T, da/dt = J(s) V^T r, with r minus the gradient of the loss in beta."""

    moving: ClassVar[tuple[str, ...]] = ("V", "a")

    V: Array = quantity("d", "p", meaning="value matrix", alias="value")
    a: Array = quantity("p", meaning="scores", alias="scores", default=zero_scores)
    beta_star: Array = quantity("d", meaning="target direction", alias="target")

    def validate(self) -> None:
        """Raise ValueError for beta_* = 0, which no loss can see."""
        if all(entry == 0 for entry in self.beta_star.flat):
            raise ValueError(f"{type(self).__name__}: beta_star must not be zero")

    @property
    def s(self) -> Array:
        """softmax(a), shape (..., p)."""
        return softmax(self.a)

    @property
    def beta(self) -> Array:
        """V s, shape (..., d)."""
        return (self.V * self.s[..., None, :]).sum(axis=-1)

    @property
    def u(self) -> Array:
        """V^T beta_*, shape (..., p)."""
        return (self.V * self.beta_star[..., :, None]).sum(axis=-2)

    @property
    def K(self) -> Array:
        """|beta_*|^2, shape (...)."""
        return (self.beta_star * self.beta_star).sum(axis=-1)

    @property
    def m(self) -> Array:
        """<beta_*, beta>, shape (...)."""
        return (self.beta_star * self.beta).sum(axis=-1)

    def loss(self) -> Array:
        """l(beta), shape (...)."""
        raise NotImplementedError

    def residual(self) -> Array:
        """r = -dl/dbeta, shape (..., d)."""
        raise NotImplementedError

    def velocity(self) -> tuple[Array, ...]:
        """d/dt of V and a."""
        r, s = self.residual(), self.s
        pulled = (self.V * r[..., :, None]).sum(axis=-2)
        return (
            r[..., :, None] * s[..., None, :],
            s * (pulled - (s * pulled).sum(axis=-1, keepdims=True)),
        )


# Losses of their own and no argument `loss`: a certificate names its system, and with it what was minimised.
@dataclass(frozen=True, eq=False)
class FullLogisticFlow(FullFlow):
    """Loss log(1 + exp(-<beta_*, beta>))."""

    def loss(self) -> Array:
        """log(1 + e^{-m}), shape (...)."""
        return log(1 + exp(-self.m))

    @property
    def gamma(self) -> Array:
        """-dL/dm = 1 / (1 + e^m), shape (...)."""
        return 1 / (1 + exp(self.m))

    def residual(self) -> Array:
        """gamma beta_*, shape (..., d)."""
        return self.gamma[..., None] * self.beta_star

    def reduced(self) -> LogisticFlow:
        """The same start seen through u = V^T beta_* and K = |beta_*|^2."""
        return LogisticFlow.instance(u=self.u, a=self.a, K=self.K)


@dataclass(frozen=True, eq=False)
class FullSquareFlow(FullFlow):
    """Loss |beta - beta_*|^2 / 2."""

    def loss(self) -> Array:
        """|beta - beta_*|^2 / 2, shape (...)."""
        error = self.beta - self.beta_star
        return (error * error).sum(axis=-1) / 2

    @property
    def gamma(self) -> Array:
        """1 - m/K, the slope of the loss along beta_*, shape (...)."""
        return 1 - self.m / self.K

    def residual(self) -> Array:
        """beta_* - beta, shape (..., d)."""
        return self.beta_star - self.beta

    def reduced(self) -> SquareLossFlow:
        """The same start seen through u = V^T beta_* and K = |beta_*|^2 (exact when V = beta_* c^T)."""
        return SquareLossFlow.instance(u=self.u, a=self.a, K=self.K)


@dataclass(frozen=True, eq=False)
class FullLinearFlow(FullFlow):
    """Loss -<beta_*, beta>: at one state every differentiable loss moves (V, a) like the linear one with r = beta_*."""

    def loss(self) -> Array:
        """-<beta_*, beta>, shape (...)."""
        return -self.m

    def residual(self) -> Array:
        """beta_*, shape (..., d)."""
        return self.beta_star


# Convex and not, bounded below and not, with slopes of both signs: what is said of every aligned loss must hold for these.
@dataclass(frozen=True, eq=False)
class FullAlignedFlow(FullFlow):
    """An aligned loss phi(m): a combination, of any signs, of six shapes of phi.

    phi = c_0 (-m) + c_1 log(1 + e^{-m}) + c_2 e^{-m} + c_3 (1 - m)^2 / 2 + c_4 / (1 + e^m) + c_5 m^3.
    """

    c: Array = quantity("shapes", meaning="coefficients of the six shapes of the loss", default=[1, 1, 0, 0, 0, 0])

    def validate(self) -> None:
        """Raise ValueError unless there are six coefficients."""
        super().validate()
        if self.c.shape[-1] != 6:
            raise ValueError(f"{type(self).__name__}: c must hold six coefficients, not {self.c.shape[-1]}")

    def phi(self, m: Array) -> Array:
        """The loss as a function of the margin, shape (...)."""
        shapes = -m, log(1 + exp(-m)), exp(-m), (1 - m) * (1 - m) / 2, 1 / (1 + exp(m)), m * m * m
        total = self.c[..., 0] * shapes[0]
        for k in range(1, len(shapes)):
            total = total + self.c[..., k] * shapes[k]
        return total

    def loss(self) -> Array:
        """phi(m), shape (...)."""
        return self.phi(self.m)

    @property
    def gamma(self) -> Array:
        """-phi'(m), shape (...)."""
        m, c = self.m, self.c
        g = 1 / (1 + exp(m))
        return (
            c[..., 0]
            + c[..., 1] * g
            + c[..., 2] * exp(-m)
            + c[..., 3] * (1 - m)
            + c[..., 4] * g * (1 - g)
            - c[..., 5] * 3 * m * m
        )

    def residual(self) -> Array:
        """gamma beta_*, shape (..., d)."""
        return self.gamma[..., None] * self.beta_star


@dataclass(frozen=True, eq=False)
class FullClockFlow(FullFlow):
    """Any aligned loss l(<beta_*, beta>) in the clock tau = int gamma dt: dV/dtau = beta_* s^T, da/dtau = J(s) u."""

    moving: ClassVar[tuple[str, ...]] = ("V", "a", "tau")

    tau: Array = quantity(meaning="int gamma dt", default=0)

    def residual(self) -> Array:
        """beta_*: the gradient in beta over its size gamma, shape (..., d)."""
        return self.beta_star

    def velocity(self) -> tuple[Array, ...]:
        """d/dtau of V, a and tau."""
        return *super().velocity(), one_like_rows(self.beta_star)
