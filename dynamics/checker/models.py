"""The suite's step maps, with their steps restated by the checker.

A system declares its arrays and reads them; what it does with them is restated here, method by method, from
:mod:`dynamics.checker.steps`. Only in the checker's process, after :func:`dynamics.checker.stand_ins.stand_in`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dynamics.arithmetic import Array, exp, log, numbers, sqrt
from dynamics.checker import stand_ins as own
from dynamics.checker import steps as restated
from dynamics.checker.matrices import factor_of_identity
from dynamics.tokens import (
    attention_chain,
    hardmax,
    localmax,
    paired_localmax,
    periodic_schedules,
    preconditioned_schedules,
    schedules,
    vanishing_sensitivity,
)
from dynamics.tokens.averaging import Averaging
from dynamics.training import gradient_descent

RESTATED: list[tuple[type, type]] = []
"""Whose methods take the place of whose."""


def restates(theirs: type) -> Callable[[type], type]:
    """Register a class whose methods take the place of those of a model."""

    def register(ours: type) -> type:
        RESTATED.append((ours, theirs))
        return ours

    return register


# ---------------------------------------------------------------------------------------------------------------------
# Localmax


def _method(function: Callable[..., Any], of: Callable[..., Array] = own.mapped, /, **axes: int) -> Callable[[Any], Array]:
    """The function of lists as a method, of the system's arrays of these names with so many axes each."""

    def method(self: Any) -> Array:
        return of(function, tuple(axes.values()), *(getattr(self, name) for name in axes))

    return method


RULED = {"z": 2, "A": 2, "delta": 0, "rule": 0}


@restates(localmax.LocalmaxStep)
class _Localmax:
    @property
    def which(self: Any) -> int:
        return int(self.rule.item())

    scores = _method(restated.table, z=2, A=2)
    gaps = _method(lambda z, A: restated.shortfalls(restated.table(z, A)), z=2, A=2)
    squared_norms = _method(lambda z, A: [restated.inner(restated.image(A, p), p) for p in z], z=2, A=2)
    neighbours = _method(restated.localmax_heard, own.masked, **RULED)
    weights = _method(restated.localmax_weights, **RULED)
    targets = _method(restated.localmax_targets, **RULED)
    _moved = _method(restated.localmax_step, z=2, A=2, gamma=0, delta=0, rule=0)

    def step(self: Any) -> Any:
        return self.replace(z=self._moved())

    def averaging(self: Any) -> Averaging:
        # The lemmas on limits bound gaps by delta, which the other rules measure by something else.
        if int(self.rule.item()) != 0:
            raise ValueError("only under the additive rule delta bounds the gaps")
        return Averaging(self.z, self.A, self.gamma, self.delta, self.weights())


def coincident(z: Array) -> Array:
    """Which tokens of (..., n, d) are at the same point, a boolean mask (..., n, n)."""
    return own.masked(lambda rows: [[p == q for q in rows] for p in rows], (2,), z)


@restates(paired_localmax.TwoSensitivities)
class _Sensitivities:
    def under(self: Any, delta: Array) -> Any:
        return localmax.LocalmaxStep(z=self.z, A=self.A, gamma=self.gamma, delta=delta, rule=np.array(0))


@restates(schedules.ScheduledLocalmax)
class _LocalmaxInTime:
    def sensitivity(self: Any) -> Array:
        return _at(self.delta, self.t)

    def step_size(self: Any) -> Array:
        return _at(self.gamma, self.t)

    def now(self: Any) -> Any:
        return localmax.LocalmaxStep(z=self.z, A=self.A, gamma=self.step_size(), delta=self.sensitivity(), rule=np.array(0))

    scores = _method(restated.table, z=2, A=2)

    def neighbours(self: Any) -> Array:
        return self.now().neighbours()

    def step(self: Any) -> Any:
        return self.replace(z=self.now().step().z, t=self.t + 1)


@restates(periodic_schedules.PeriodicLocalmax)
class _LocalmaxInTurn:
    @property
    def period(self: Any) -> int:
        return len(self.delta)

    def sensitivity(self: Any) -> Array:
        return _in_turn(self.delta, self.t)

    def step_size(self: Any) -> Array:
        return _in_turn(self.gamma, self.t)

    def step(self: Any) -> Any:
        # Kept within one period, so that a state that comes back is equal to the first.
        after = (int(self.t.item()) + 1) % self.delta.shape[-1]
        return self.replace(z=self.now().step().z, t=0 * self.t + after)

    def phase(self: Any) -> Averaging:
        return self.now().averaging()


def _at(schedule: Array, t: Array, axes: int = 0) -> Array:
    """The entry of a schedule (..., T, *axes) at step t, its last one after the end."""
    # The axis of the schedule stands before those of an entry.
    steps = list(np.moveaxis(np.asarray(schedule), -1 - axes, 0))
    return numbers(restated.lasting(steps, int(t.item())))


def _in_turn(schedule: Array, t: Array) -> Array:
    steps = list(np.moveaxis(np.asarray(schedule), -1, 0))
    return numbers(restated.recurring(steps, int(t.item())))


@restates(vanishing_sensitivity.HarmonicLocalmax)
class _LocalmaxInTheEnd:
    def now(self: Any) -> Any:
        delta = numbers(self.c.item() / (int(self.k.item()) + 1))
        return localmax.LocalmaxStep(z=self.z, A=self.A, gamma=self.gamma, delta=delta, rule=np.array(0))

    def step(self: Any) -> Any:
        return self.replace(z=self.now().step().z, k=self.k + 1)


# ---------------------------------------------------------------------------------------------------------------------
# Hardmax


@restates(hardmax.HardmaxStep)
class _Hardmax:
    scores = _method(restated.table, x=2, B=2)
    targets = _method(restated.hardmax_targets, x=2, B=2, selection=2)
    _moved = _method(restated.hardmax_step, x=2, B=2, P=2, selection=2)
    _chosen = _method(restated.hardmax_weights, x=2, B=2, selection=2)

    def step(self: Any) -> Any:
        return self.replace(x=self._moved())

    def averaging(self: Any) -> Averaging:
        gamma = factor_of_identity(self.P.tolist())
        if gamma is None:
            raise ValueError("tokens move part of the way to an average only where P = gamma I")
        # Only the best are averaged: to the lemmas a sensitivity of 0.
        return Averaging(self.x, self.B, numbers(gamma), numbers(0 * gamma), self._chosen())


def frank_wolfe_step(x: Array, B_star: Array, gamma: Array) -> Array:
    """x_i + gamma (y_i - x_i), y_i the mean of the tokens at which <B_* x_i, .> is least."""
    return own.mapped(restated.frank_wolfe_step, (2, 2, 0), x, B_star, gamma)


@restates(schedules.HardmaxSchedule)
class _HardmaxInTime:
    def key_query(self: Any) -> Array:
        return _at(self.B, self.t, 2)

    def scores(self: Any) -> Array:
        return own.mapped(restated.table, (2, 2), self.x, self.key_query())

    def targets(self: Any) -> Array:
        return self.now().targets()

    def step(self: Any) -> Any:
        return self.replace(x=self.now().step().x, t=self.t + 1)


@restates(schedules.ScheduledHardmax)
class _HardmaxOfStepSizes:
    def step_size(self: Any) -> Array:
        return _at(self.gamma, self.t)

    def now(self: Any) -> Any:
        d = self.x.shape[-1]
        P = own.mapped(lambda gamma: [[gamma if a == b else 0 for b in range(d)] for a in range(d)], (0,), self.step_size())
        return hardmax.HardmaxStep(x=self.x, B=self.key_query(), P=P, selection=self.selection)


@restates(preconditioned_schedules.PreconditionedHardmax)
class _HardmaxOfMatrices:
    def step_matrix(self: Any) -> Array:
        return _at(self.P, self.t, 2)

    def now(self: Any) -> Any:
        return hardmax.HardmaxStep(x=self.x, B=self.key_query(), P=self.step_matrix(), selection=self.selection)


# ---------------------------------------------------------------------------------------------------------------------
# Softmax


def _attention(x: Array, beta: Array) -> Array:
    return own.softmax(numbers(numbers(beta)[..., None, None] * own.gram(x)))


@restates(attention_chain.SoftmaxStep)
class _Softmax:
    def attention(self: Any) -> Array:
        return _attention(self.x, self.beta)

    def step(self: Any) -> Any:
        moved = own.mapped(restated.softmax_step, (2, 0, 2), self.x, self.gamma, self.attention())
        return self.replace(x=moved)


@restates(attention_chain.AttentionChain)
class _Chain:
    def attention(self: Any) -> Array:
        return _attention(self.x, self.beta)

    @property
    def c_0(self: Any) -> Any:
        v = self.v.tolist()
        inner = restated.inner
        # Each vertex against each other one: the least margin of a cell.
        return min(inner(a, a) - inner(a, b) for i, a in enumerate(v) for j, b in enumerate(v) if i != j)

    @property
    def R(self: Any) -> Array:
        return sqrt(numbers(max(restated.inner(a, a) for a in self.v.tolist())))

    @property
    def diameter(self: Any) -> Array:
        return sqrt(numbers(own.diameter_squared(self.v)))

    @property
    def rho(self: Any) -> Array:
        v, x, labels = self.v.tolist(), self.x.tolist(), self.group.tolist()
        away = [restated.minus(p, v[label]) for p, label in zip(x, labels, strict=True)]
        return sqrt(numbers(max(restated.inner(e, e) for e in away)))


# ---------------------------------------------------------------------------------------------------------------------
# Gradient descent


@restates(gradient_descent.LogisticDescent)
class _Descent:
    @property
    def s(self: Any) -> Array:
        return own.softmax(self.a)

    m = property(_method(restated.inner, s=1, u=1))

    @property
    def gamma(self: Any) -> Array:
        return 1 / (1 + exp(self.m))

    def loss(self: Any) -> Array:
        return log(1 + exp(-self.m))

    def score_slope(self: Any) -> Array:
        return self.s

    def step(self: Any) -> Any:
        # Both arrays in one, for u and a move by the same m.
        def moved(u: Any, a: Any, weights: Any, slopes: Any, K: Any, rate: Any) -> Any:
            return restated.descended(u, a, weights, slopes, K, rate, own.exponential)

        both = own.mapped(moved, (1, 1, 1, 1, 0, 0), self.u, self.a, self.s, self.score_slope(), self.K, self.rate)
        return self.replace(u=both[..., 0, :], a=both[..., 1, :])


@restates(gradient_descent.PowerDescent)
class _PowerDescent:
    @property
    def s(self: Any) -> Array:
        return self._shares(0)

    def score_slope(self: Any) -> Array:
        return self._shares(1)

    def _shares(self: Any, which: int) -> Array:
        k = int(self.k.item())
        return own.mapped(lambda a: restated.power_shares(a, k)[which], (1,), self.a)


# ---------------------------------------------------------------------------------------------------------------------


def restate() -> None:
    """Put the methods above, and the functions beside them, in the place of the suite's."""
    for ours, theirs in RESTATED:
        for name, method in vars(ours).items():
            # What Python gives a class of itself stays theirs.
            if not name.startswith("__"):
                setattr(theirs, name, method)
    # Functions beside the classes, which their methods and claims call by these names.
    localmax.coincident = coincident
    hardmax.frank_wolfe_step = frank_wolfe_step
    schedules.entry = _at
