"""Value-softmax models with another map of scores in place of the softmax (arXiv 2603.06248, appendix D).

A normalised map has s_i = f(a_i) / F with F = sum_j f(a_j), an elementwise one s_i = f(a_i). For the logistic loss (any
loss of m = <s, u>, in fact), in the clock tau = int gamma dt and with u = V^T beta_*, K = |beta_*|^2,

    normalised:   du/dtau = K s,    da_i/dtau = f'(a_i) (u_i - m) / F        (equations (30), (31))
    elementwise:  du/dtau = K s,    da_i/dtau = f'(a_i) u_i.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, exp, exp_difference, indicator, inverse_root, log, numbers
from dynamics.system import Flow, quantity
from dynamics.training.value_softmax import FullLogisticFlow, zero_scores

# ---------------------------------------------------------------------------------------------------------------------
# Maps


@dataclass(frozen=True)
class ScoreMap:
    """A function f applied to each score, with what the proofs need of it.

    `rise(x, y)` is f(x) - f(y) and `dwell(x, y)` is int_y^x dv / f'(v), each exactly zero where x and y are equal and
    free of cancellation in sign.
    """

    formula: str
    value: Callable[[Array], Array]
    slope: Callable[[Array], Array]
    rise: Callable[[Array, Array], Array]
    dwell: Callable[[Array, Array], Array]


def sigmoid(x: Array) -> Array:
    """1 / (1 + e^{-x})."""
    return 1 / (1 + exp(-x))


# A quotient of positive numbers: 1 - sigmoid(x) in its place would lose its digits, then its sign, for large x.
def _sigmoid_slope(x: Array) -> Array:
    return 1 / ((1 + exp(-x)) * (1 + exp(x)))


# A product, of which one factor has the sign, is exactly zero at x = y and loses no digits near it.
def _sigmoid_rise(x: Array, y: Array) -> Array:
    return sigmoid(x) * sigmoid(y) * exp_difference(-y, -x)


# 1 / sigmoid'(v) = 2 + e^v + e^-v, integrated: each of the three terms has the sign of x - y.
def _sigmoid_dwell(x: Array, y: Array) -> Array:
    return 2 * (x - y) + exp_difference(x, y) + exp_difference(-y, -x)


# Of 1 + e^x as well, for the slope alone counts.
def _exponential_dwell(x: Array, y: Array) -> Array:
    return exp_difference(-y, -x)


# Differences of powers are written x^k - y^k = (x - y) (x^{k-1} + ... + y^{k-1}): the sum is positive for x, y > 0, so that
# the sign of the whole is seen however near x and y are.
def power(k: int) -> ScoreMap:
    """f(x) = x^k for an integer k >= 1, on x > 0."""

    def rise(x: Array, y: Array) -> Array:
        total = 0 * x * y
        for j in range(k):
            total = total + x**j * y ** (k - 1 - j)
        return (x - y) * total

    def dwell(x: Array, y: Array) -> Array:
        if k == 1:
            return x - y
        if k == 2:
            return log(x / y) / 2
        total = 0 * x * y  # (y^{2-k} - x^{2-k}) / (k (k-2)), the difference of powers of 1/x factored
        for j in range(k - 2):
            total = total + (1 / x) ** j * (1 / y) ** (k - 3 - j)
        return (x - y) / (x * y) * total / (k * (k - 2))

    return ScoreMap(f"x^{k}", lambda x: x**k, lambda x: k * x ** (k - 1), rise, dwell)


EXPONENTIAL = ScoreMap("e^x", exp, exp, exp_difference, _exponential_dwell)
SIGMOID = ScoreMap("1/(1 + e^-x)", sigmoid, _sigmoid_slope, _sigmoid_rise, _sigmoid_dwell)
ONE_PLUS_EXPONENTIAL = ScoreMap("1 + e^x", lambda x: 1 + exp(x), exp, exp_difference, _exponential_dwell)
ONE_PLUS_SIGMOID = ScoreMap("1 + 1/(1 + e^-x)", lambda x: 1 + sigmoid(x), _sigmoid_slope, _sigmoid_rise, _sigmoid_dwell)
IDENTITY, SQUARE, CUBE = power(1), power(2), power(3)
# Its rise is the dwell of e^x, and its dwell the rise.
MINUS_DECAY = ScoreMap("-e^-x", lambda x: -exp(-x), lambda x: exp(-x), _exponential_dwell, exp_difference)
ONE_PLUS_CUBE = ScoreMap("1 + x^3", lambda x: 1 + x**3, CUBE.slope, CUBE.rise, CUBE.dwell)  # dwell has a pole at 0

# What a system with a `map` entry chooses from, by index: f' > 0, on x > 0 at least. New ones go to the end: instances in
# certificates have the index, not the name.
MAPS: tuple[ScoreMap, ...] = (EXPONENTIAL, SIGMOID, ONE_PLUS_EXPONENTIAL, ONE_PLUS_SIGMOID, IDENTITY, SQUARE, CUBE)
POSITIVE_MAPS = 4  # the first four of MAPS have f > 0 on the whole line


# ---------------------------------------------------------------------------------------------------------------------
# Flows


@dataclass(frozen=True, eq=False)
class ScoreMapFlow(Flow):
    """Value projections u and scores a in the clock tau, under a map of scores that subclasses name."""

    moving: ClassVar[tuple[str, ...]] = ("u", "a", "tau")
    map_of_scores: ClassVar[ScoreMap]

    u: Array = quantity("p", meaning="value projections V^T beta_*", alias="values")
    a: Array = quantity("p", meaning="scores", alias="scores", default=zero_scores)
    K: Array = quantity(meaning="|beta_*|^2", default=1)
    tau: Array = quantity(meaning="int gamma dt", default=0)

    def validate(self) -> None:
        """Raise ValueError unless K is positive."""
        if self.K.item() <= 0:
            raise ValueError(f"{type(self).__name__}: K = |beta_*|^2 must be positive, not {self.K.item()}")

    def time_unit(self) -> fmpq:
        """A rational within 1 % of 1/sqrt(K), the clock in which u and a drive each other, of an exact instance."""
        return inverse_root(self.K.item(), places=8, bits=7)

    @property
    def f(self) -> ScoreMap:
        """The map."""
        return type(self).map_of_scores

    @property
    def values(self) -> Array:
        """f(a_i), shape (..., p)."""
        return self.f.value(self.a)

    @property
    def slopes(self) -> Array:
        """f'(a_i), shape (..., p)."""
        return self.f.slope(self.a)

    @property
    def F(self) -> Array:
        """sum_j f(a_j), shape (...)."""
        return self.values.sum(axis=-1)

    @property
    def share(self) -> Array:
        """f(a_i) / F, shape (..., p)."""
        return self.values / self.F[..., None]

    @property
    def s(self) -> Array:
        """What the model weighs values by, shape (..., p)."""
        raise NotImplementedError

    @property
    def m(self) -> Array:
        """<s, u> = <beta_*, beta>, shape (...)."""
        return (self.s * self.u).sum(axis=-1)

    def du_dtau(self) -> Array:
        """K s, shape (..., p)."""
        return self.K[..., None] * self.s

    def da_dtau(self) -> Array:
        """Minus the gradient of the loss in a over gamma, shape (..., p)."""
        raise NotImplementedError

    def velocity(self) -> tuple[Array, ...]:
        """d/dtau of each moving array."""
        return self.du_dtau(), self.da_dtau(), indicator(np.ones(np.shape(self.tau), dtype=bool), self.u)


@dataclass(frozen=True, eq=False)
class NormalisedMapFlow(ScoreMapFlow):
    """s_i = f(a_i) / F."""

    @property
    def s(self) -> Array:
        """f(a_i) / F, shape (..., p)."""
        return self.share

    def _centered(self) -> Array:
        """u_i - m as (1/F) sum_j f(a_j) (u_i - u_j), of certain sign for the first and last of ordered values."""
        u = self.u
        return ((u[..., :, None] - u[..., None, :]) * self.values[..., None, :]).sum(axis=-1) / self.F[..., None]

    def da_dtau(self) -> Array:
        """f'(a_i) (u_i - m) / F, shape (..., p)."""
        return self.slopes * self._centered() / self.F[..., None]

    def dF_dtau(self) -> Array:
        """sum_i f'(a_i) da_i/dtau, shape (...)."""
        return (self.slopes * self.da_dtau()).sum(axis=-1)

    def ds_dtau(self) -> Array:
        """(f'(a_i) da_i/dtau - s_i dF/dtau) / F, shape (..., p)."""
        return (self.slopes * self.da_dtau() - self.s * self.dF_dtau()[..., None]) / self.F[..., None]


@dataclass(frozen=True, eq=False)
class AnyMapFlow(NormalisedMapFlow):
    """A normalised map out of MAPS: 0 e^x, 1 sigmoid, 2 1 + e^x, 3 1 + sigmoid, 4 x, 5 x^2, 6 x^3."""

    map: Array = quantity(meaning="which map, an index into MAPS", default=0, label=True)

    def validate(self) -> None:
        """Raise ValueError for an index outside MAPS."""
        super().validate()
        if not 0 <= self.map.item() < len(MAPS):
            raise ValueError(f"{type(self).__name__}: there are maps 0 to {len(MAPS) - 1}, not {self.map.item()}")

    @property
    def f(self) -> ScoreMap:
        """The map; a float64 batch shares one."""
        return MAPS[int(self.map.flat[0])]


@dataclass(frozen=True, eq=False)
class SquareMapFlow(NormalisedMapFlow):
    """f(x) = x^2."""

    map_of_scores: ClassVar[ScoreMap] = SQUARE


@dataclass(frozen=True, eq=False)
class CubeMapFlow(NormalisedMapFlow):
    """f(x) = x^3."""

    map_of_scores: ClassVar[ScoreMap] = CUBE


@dataclass(frozen=True, eq=False)
class NormalisedSigmoidFlow(NormalisedMapFlow):
    """f(x) = 1 / (1 + e^{-x}), normalised."""

    map_of_scores: ClassVar[ScoreMap] = SIGMOID


@dataclass(frozen=True, eq=False)
class OnePlusExponentialFlow(NormalisedMapFlow):
    """f(x) = 1 + e^x, normalised."""

    map_of_scores: ClassVar[ScoreMap] = ONE_PLUS_EXPONENTIAL


@dataclass(frozen=True, eq=False)
class OnePlusSigmoidFlow(NormalisedMapFlow):
    """f(x) = 1 + 1 / (1 + e^{-x}), normalised: f stays between 1 and 2."""

    map_of_scores: ClassVar[ScoreMap] = ONE_PLUS_SIGMOID


@dataclass(frozen=True, eq=False)
class MinusDecayFlow(NormalisedMapFlow):
    """f(x) = -e^{-x}, normalised: increasing, and F < 0 at all scores."""

    map_of_scores: ClassVar[ScoreMap] = MINUS_DECAY


@dataclass(frozen=True, eq=False)
class OnePlusCubeFlow(NormalisedMapFlow):
    """f(x) = 1 + x^3, normalised: increasing and positive near 0, with f'(0) = 0."""

    map_of_scores: ClassVar[ScoreMap] = ONE_PLUS_CUBE


# A clock in which nothing is divided by F: up to F = 0, where the model ends, the field is as smooth as anywhere.
@dataclass(frozen=True, eq=False)
class IdentityMapFlow(NormalisedMapFlow):
    """f(x) = x, normalised, in a clock with dtau = F^2 per unit, where the field is a polynomial.

    Only times before F = 0 belong to the model; this clock reaches F = 0, the clock t of the logistic loss does not.
    While every score is positive this is the normalised ReLU, whose dead scores stay where they are.
    """

    map_of_scores: ClassVar[ScoreMap] = IDENTITY

    def scaled_du(self) -> Array:
        """F^2 du/dtau = K F a, shape (..., p)."""
        return self.K[..., None] * self.F[..., None] * self.a

    def scaled_da(self) -> Array:
        """F^2 da/dtau = F u - <a, u> = sum_j a_j (u_i - u_j), shape (..., p)."""
        return self._centered_sum()

    def scaled_dF(self) -> Array:
        """F^2 dF/dtau = -(1/2) sum_ij (a_i - a_j)(u_i - u_j), shape (...)."""
        a, u = self.a, self.u
        return -((a[..., :, None] - a[..., None, :]) * (u[..., :, None] - u[..., None, :])).sum(axis=-1).sum(axis=-1) / 2

    def velocity(self) -> tuple[Array, ...]:
        """F^2 d/dtau of each moving array."""
        return self.scaled_du(), self.scaled_da(), self.F * self.F

    def _centered_sum(self) -> Array:
        a, u = self.a, self.u
        return ((u[..., :, None] - u[..., None, :]) * a[..., None, :]).sum(axis=-1)


# In square roots of the scores: x^{3/2} has no second derivative at 0, where a last score comes to rest.
@dataclass(frozen=True, eq=False)
class ThreeHalvesMapFlow(NormalisedMapFlow):
    """f(x) = x^{3/2}, normalised, in b_i = sqrt(x_i) and a clock with dtau = F^2 per unit, where the field is a polynomial.

    db_i/dtau = (3/4) (u_i - m) / F is regular where a score reaches 0; only times before that belong to the model, in
    which a dead score stays at 0.
    """

    a: Array = quantity("p", meaning="square roots b_i of the scores", alias="roots")

    @property
    def values(self) -> Array:
        """b_i^3, shape (..., p)."""
        return self.a * self.a * self.a

    def scaled_da(self) -> Array:
        """F^2 db/dtau = (3/4) sum_j b_j^3 (u_i - u_j), shape (..., p)."""
        u = self.u
        return 3 * ((u[..., :, None] - u[..., None, :]) * self.values[..., None, :]).sum(axis=-1) / 4

    def da_dtau(self) -> Array:
        """db/dtau, shape (..., p)."""
        return self.scaled_da() / (self.F * self.F)[..., None]

    def velocity(self) -> tuple[Array, ...]:
        """F^2 d/dtau of each moving array."""
        F = self.F
        return (self.K * F)[..., None] * self.values, self.scaled_da(), F * F


# Two scores, each on its branch: across 0, where the branches meet, a Taylor series of either would be wrong.
@dataclass(frozen=True, eq=False)
class EluFlow(NormalisedMapFlow):
    """f(x) = 1 + x for x >= 0 and e^x for x < 0, normalised, with two scores a_0 >= 0 >= a_1, each on its branch."""

    @property
    def values(self) -> Array:
        """1 + a_0 and e^{a_1}, shape (..., 2)."""
        return numbers(np.concatenate([1 + self.a[..., :1], exp(self.a[..., 1:])], axis=-1))

    @property
    def slopes(self) -> Array:
        """1 and e^{a_1}, shape (..., 2)."""
        return numbers(np.concatenate([0 * self.a[..., :1] + 1, exp(self.a[..., 1:])], axis=-1))


# Nothing is subtracted from u_i here: scores of positive values all grow, and none need win.
@dataclass(frozen=True, eq=False)
class ElementwiseMapFlow(ScoreMapFlow):
    """s_i = f(a_i), without normalisation and so without mean-centering."""

    @property
    def s(self) -> Array:
        """f(a_i), shape (..., p)."""
        return self.values

    def da_dtau(self) -> Array:
        """f'(a_i) u_i, shape (..., p)."""
        return self.slopes * self.u


@dataclass(frozen=True, eq=False)
class ElementwiseSigmoidFlow(ElementwiseMapFlow):
    """s_i = 1 / (1 + e^{-a_i})."""

    map_of_scores: ClassVar[ScoreMap] = SIGMOID


@dataclass(frozen=True, eq=False)
class ElementwiseReluFlow(ElementwiseMapFlow):
    """s_i = a_i on the active set, where every a_i > 0; a dead score, and its value projection, stay where they are."""

    map_of_scores: ClassVar[ScoreMap] = IDENTITY


@dataclass(frozen=True, eq=False)
class ElementwiseExponentialFlow(ElementwiseMapFlow):
    """s_i = e^{a_i}, in a clock with dtau = e^{-a_0} per unit: a_0 blows up at a finite tau, never in this clock."""

    map_of_scores: ClassVar[ScoreMap] = EXPONENTIAL

    @property
    def ratio(self) -> Array:
        """q_i = s_i / s_0 = e^{a_i - a_0}, shape (..., p)."""
        return exp(self.a - self.a[..., :1])

    def velocity(self) -> tuple[Array, ...]:
        """e^{-a_0} d/dtau of each moving array: K q_i, q_i u_i and e^{-a_0}."""
        q = self.ratio
        return self.K[..., None] * q, q * self.u, exp(-self.a[..., 0])


# The gradient flow itself, by the quotient rule: that u and a move as in the reduced flows is a lemma about it.
@dataclass(frozen=True, eq=False)
class FullMapFlow(FullLogisticFlow):
    """Value matrix V and scores a under a normalised map out of MAPS, logistic loss: the gradient flow itself."""

    map: Array = quantity(meaning="which map, an index into MAPS", default=0, label=True)

    @property
    def f(self) -> ScoreMap:
        """The map; a float64 batch shares one."""
        return MAPS[int(self.map.flat[0])]

    @property
    def s(self) -> Array:
        """f(a_i) / sum_j f(a_j), shape (..., p)."""
        values = self.f.value(self.a)
        return values / values.sum(axis=-1, keepdims=True)

    def jacobian(self) -> Array:
        """ds_i / da_j by the quotient rule, shape (..., p, p)."""
        values, slopes = self.f.value(self.a), self.f.slope(self.a)
        F = values.sum(axis=-1)[..., None, None]
        eye = indicator(np.eye(self.a.shape[-1], dtype=bool), self.a)
        return (eye * F - values[..., :, None]) * slopes[..., None, :] / (F * F)

    def velocity(self) -> tuple[Array, ...]:
        """d/dt of V and a: r s^T and (ds/da)^T V^T r."""
        r = self.residual()
        pulled = (self.V * r[..., :, None]).sum(axis=-2)
        return r[..., :, None] * self.s[..., None, :], (self.jacobian() * pulled[..., :, None]).sum(axis=-2)
