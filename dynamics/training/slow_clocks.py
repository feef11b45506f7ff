"""The value-softmax flow after a time change: certified digits at tau = 1e12 (arXiv 2603.06248).

In the clock sigma = log(1 + tau), T = e^sigma = 1 + tau, with q_j = s_j / s_0 and w_j = u_0 - u_j for j = 1, ..., p - 1,

    W_j = w_j / T,    L_j = log(q_j T^2),    e = u_0 - K tau

move along an autonomous field with bounded coefficients, in which nothing cancels and no number is huge. The scores are
held as M_j = L_j - L_{p-1} and L_{p-1}: near the one-hot limit the linear part is then triangular with the rates
-2/p (M), -2 (L_{p-1}) and -1 (W), so errors die out. docs/limits_of_training.md derives the fields and the time map.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, UndecidedError, exp, fraction, indicator, log, numbers, peak, sign
from dynamics.system import Flow, quantity
from dynamics.training.value_softmax import FullFlow, ReducedFlow


def _total(terms: Array) -> Array:
    return numbers(terms.sum(axis=-1))


# In tau a way of 1e12 would take as many steps; in sigma it is 28 long, and steps may keep their length.
@dataclass(frozen=True, eq=False)
class SlowFlow(Flow):
    """Gaps, score ratios and leading value in the clock sigma = log(1 + tau); no trace of the loss."""

    moving: ClassVar[tuple[str, ...]] = ("gaps", "logs", "offset", "sigma")

    gaps: Array = quantity("losers", meaning="(u_0 - u_j) / (1 + tau)")
    logs: Array = quantity("losers", meaning="log(q_j / q_{p-1}) for j < p - 1, then log(q_{p-1} (1 + tau)^2)")
    offset: Array = quantity(meaning="u_0 - K tau", default=0)
    K: Array = quantity(meaning="|beta_*|^2", default=1)
    sigma: Array = quantity(meaning="log(1 + tau)", default=0)

    def validate(self) -> None:
        """Raise ValueError unless K is positive and the clock starts at zero."""
        if self.K.item() <= 0:
            raise ValueError(f"{type(self).__name__}: K = |beta_*|^2 must be positive, not {self.K.item()}")
        if self.sigma.item() != 0:
            raise ValueError(f"{type(self).__name__}: the clock starts at sigma = 0, where the coordinates are rational")

    @property
    def p(self) -> int:
        """The number of scores."""
        return int(self.gaps.shape[-1]) + 1

    @property
    def T(self) -> Array:
        """1 + tau, shape (...)."""
        return exp(self.sigma)

    @property
    def tau(self) -> Array:
        """int gamma dt since the start, shape (...)."""
        return numbers(self.T - 1)

    @property
    def weights(self) -> Array:
        """E_j = q_j T^2, shape (..., p - 1)."""
        last = exp(self.logs[..., -1:])
        return numbers(np.concatenate([last * exp(self.logs[..., :-1]), last], axis=-1))

    @property
    def q(self) -> Array:
        """s_j / s_0 for j >= 1, shape (..., p - 1)."""
        return numbers(self.weights * exp(-2 * self.sigma)[..., None])

    @property
    def s(self) -> Array:
        """The weights softmax(a), shape (..., p)."""
        q = self.q
        one = indicator(np.ones((*q.shape[:-1], 1), dtype=bool), q)
        return numbers(np.concatenate([one, q], axis=-1) / (1 + _total(q))[..., None])

    @property
    def w(self) -> Array:
        """u_0 - u_j for j >= 1, shape (..., p - 1)."""
        return numbers(self.gaps * self.T[..., None])

    @property
    def u_0(self) -> Array:
        """The leading value projection, shape (...)."""
        return numbers(self.offset + self.K * self.tau)

    @property
    def depth(self) -> Array:
        """D = u_0 - m = s_0 sum_j q_j w_j, shape (...)."""
        return numbers(_total(self.weights * self.gaps) / (1 + _total(self.q)) * exp(-self.sigma))

    @property
    def m(self) -> Array:
        """<s, u> = u_0 - D, shape (...)."""
        return numbers(self.u_0 - self.depth)

    @property
    def m_rate(self) -> Array:
        """lambda = dm/dtau = K|s|^2 + sum_i s_i^2 (u_i - m)^2, shape (...)."""
        return self._motion()[1]

    def _motion(self) -> tuple[tuple[Array, ...], Array, Array]:
        """d/dsigma of the moving arrays, lambda, and D."""
        E, W, K = self.weights, self.gaps, self.K
        inverse = exp(-self.sigma)
        square = inverse * inverse
        q = E * square[..., None]
        total = _total(E)
        lead = 1 / (1 + total * square)
        flux = E * W
        pull = lead * _total(flux)  # T D
        loss = lead[..., None] * (flux + (1 - q) * pull[..., None])
        dM = loss[..., -1:] - loss[..., :-1]
        rates = (
            (K * lead)[..., None] * (1 - q) - W,
            numbers(np.concatenate([dM, 2 - loss[..., -1:]], axis=-1)),
            numbers(-K * lead * inverse * total),
            indicator(np.ones(np.shape(W)[:-1], dtype=bool), W),
        )
        losers = q * pull[..., None] - flux
        m_rate = lead * lead * (K * (1 + _total(q * q)) + square * (pull * pull + _total(losers * losers)))
        return rates, numbers(m_rate), numbers(pull * inverse)

    def velocity(self) -> tuple[Array, ...]:
        """d/dsigma of each moving array."""
        return self._motion()[0]


# In sigma z is drawn to 1/lambda at the rate lambda T, which grows without bound: hence stiff.
@dataclass(frozen=True, eq=False)
class SlowLogisticFlow(SlowFlow):
    """Logistic loss: also z = t e^{-m}, dz/dtau = 1 + e^{-m} - lambda z. Good to log t of a few hundred; then stiff."""

    moving: ClassVar[tuple[str, ...]] = (*SlowFlow.moving, "z")

    z: Array = quantity(meaning="t e^{-m}", default=0)

    @property
    def log_t(self) -> Array:
        """log t = m + log z, shape (...)."""
        return numbers(self.m + log(self.z))

    def velocity(self) -> tuple[Array, ...]:
        """d/dsigma of each moving array."""
        rates, m_rate, depth = self._motion()
        T = self.T
        m = self.offset + self.K * (T - 1) - depth
        return (*rates, numbers(T * (1 + exp(-m) - m_rate * self.z)))


# In place of t e^{-m}, which is stiff: of a loss that falls like a power of m, t grows like a power of T.
@dataclass(frozen=True, eq=False)
class SlowPowerFlow(SlowFlow):
    """A loss with -phi'(m) = m^{-(k+1)} for m > 0: also t / T^{k+2}, which is not stiff. k = -1 is the linear loss."""

    moving: ClassVar[tuple[str, ...]] = (*SlowFlow.moving, "scaled_time")

    k: Array = quantity(meaning="decay of the loss", default=0, integer=True)
    scaled_time: Array = quantity(meaning="t / (1 + tau)^{k+2}", default=0)

    def velocity(self) -> tuple[Array, ...]:
        """d/dsigma of each moving array."""
        rates, _, depth = self._motion()
        k, inverse = int(self.k.item()), exp(-self.sigma)
        scaled_m = (self.offset - depth - self.K) * inverse + self.K  # m / T
        return (*rates, numbers(scaled_m ** (k + 1) - (k + 2) * self.scaled_time))


# Without t, which grows beyond all numbers and of which statements about the path say nothing.
@dataclass(frozen=True, eq=False)
class PathFlow(ReducedFlow):
    """u and a alone in the clock tau: the path that all aligned losses share."""

    moving: ClassVar[tuple[str, ...]] = ("u", "a")

    def velocity(self) -> tuple[Array, ...]:
        """d/dtau of u and a."""
        return self.du_dtau(), self.da_dtau()


class TooFarError(UndecidedError):
    """The state is too far from the limit for the theorem near it; more precision does not help."""

    precision_helps = False


def distance_to_limit(f: SlowFlow) -> Array:
    """A bound x on |log(q_j T^2 p K / 2)| + |W_j / K - 1|, for each j, shape (1,).

    It adds the sizes of the linear modes at the one-hot limit, each of which falls at least as fast as T^{-2/p}, and
    what the ratios q_j still force. Unlike a single error it has no zeros on the way.
    """
    losers = f.p - 1
    logs, gaps = log(f.weights * f.K * f.p / 2), numbers(f.gaps / f.K - 1)
    total, gap_total = _total(logs), _total(gaps)
    shared = (abs(total + 2 * gap_total) + 3 * abs(gap_total)) / losers + 10 / f.K * exp(-2 * f.sigma)
    if losers == 1:
        return numbers(shared[None])
    logs, gaps = logs - total / losers, gaps - gap_total / losers
    mode = logs - gaps * 2 / (losers - 1)
    return numbers(shared + peak(abs(mode)) + peak(abs(gaps)) * (losers + 1) / (losers - 1))


def later_distance(before: SlowFlow, now: SlowFlow, order: int = 2) -> Array:
    """A bound on |log(q_j T^2 p K / 2)| + |W_j / K - 1| at `now`, for each j: (T / T_now)^{order/p} x e^{6x}, shape (1,).

    T and x, the distance to the limit, are those `before`. For the order 2 and x <= 1/16 docs/limits_of_training.md proves
    it; another order is a falsehood to be found. Raises TooFarError for a single state that is not known to be that near.
    """
    x = distance_to_limit(before)
    if x.dtype == object and sign((1 - 16 * x).item()) not in (0, 1):
        raise TooFarError("the state is not known to be within 1/16 of the limit, where its later distance is bounded")
    return numbers(x * exp(6 * x + (before.sigma - now.sigma) * order / now.p))


# Its logarithm of a fraction is taken part by part: tau may be too large for a float, sigma never is.
def clock_at(tau: fmpq) -> fmpq:
    """A rational sigma near log(1 + tau), positive like tau, which may be of any size."""
    if tau < fmpq(1, 1 << 10):
        return tau * (2 - tau) / 2
    T = 1 + fraction(tau)
    return fmpq(round((math.log(T.numerator) - math.log(T.denominator)) * 2**20), 2**20)


# Of a state and not of a path: along a path g would have to change with the margin.
@dataclass(frozen=True, eq=False)
class AlignedLossFlow(FullFlow):
    """Any loss phi(<beta_*, beta>): only the number g = -phi'(m) at the state matters."""

    g: Array = quantity(meaning="-phi'(m)", default=1)

    def validate(self) -> None:
        """Raise ValueError for beta_* = 0, and unless g is positive."""
        super().validate()
        if self.g.item() <= 0:
            raise ValueError(f"{type(self).__name__}: g = -phi'(m) must be positive, not {self.g.item()}")

    def residual(self) -> Array:
        """g beta_*, shape (..., d)."""
        return numbers(self.g[..., None] * self.beta_star)
