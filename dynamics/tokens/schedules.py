"""Hardmax and localmax steps whose parameters change with the step (arXiv 2508.09628, SA_infinity; 2509.15958, delta_k).

A schedule lists the parameters of the first T steps; the last of them stay from then on. T = 1 is the constant case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from dynamics.arithmetic import Array, indicator, numbers
from dynamics.system import StepMap, all_ones, identity, quantity
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import ADDITIVE, LocalmaxStep


# By the least of the two: the last entry stays for ever, so that every schedule is finite data.
def entry(schedule: Array, t: Array, axes: int = 0) -> Array:
    """The entry of a schedule (..., T, *axes) at step t, its last one after the end."""
    last = schedule.shape[-1 - axes] - 1
    return numbers(np.take(schedule, min(int(t.item()), last), axis=-1 - axes))


# Arrays are named and not declared: each model declares its own, in the order in which its files list them.
class HardmaxSchedule(StepMap):
    """Hardmax steps whose parameters change: what they have in common, given the step that comes next."""

    x: Array
    B: Array
    selection: Array
    t: Array

    def validate(self) -> None:
        """Raise ValueError unless every selection weight is positive and t is not negative."""
        name = type(self).__name__
        if not all(weight > 0 for weight in self.selection.flat):
            raise ValueError(f"{name}: selection must be positive: a leader of weight 0 is no leader")
        if self.t.item() < 0:
            raise ValueError(f"{name}: t counts steps, it cannot be {self.t.item()}")

    def now(self) -> HardmaxStep:
        """The step that comes next, with its parameters for good."""
        raise NotImplementedError

    def key_query(self) -> Array:
        """B^t, shape (..., d, d)."""
        return entry(self.B, self.t, 2)

    def scores(self) -> Array:
        """<B^t x_i, x_j>, shape (..., n, n)."""
        return self.now().scores()

    def targets(self) -> Array:
        """y_i, shape (..., n, d)."""
        return self.now().targets()

    def step(self) -> Self:
        """The system after one step."""
        return self.replace(x=self.now().step().x, t=self.t + 1)


# Step by step this is hardmax with the parameters in force: what holds of one step of it is asked of `now()`.
@dataclass(frozen=True, eq=False)
class ScheduledHardmax(HardmaxSchedule):
    """x_i^{t+1} = x_i^t + gamma^t (y_i - x_i^t), y_i in the face of maximisers of <B^t x_i^t, .> over the hull.

    As in :class:`dynamics.tokens.hardmax.HardmaxStep`, `selection` weighs the leaders among which y_i is chosen.
    """

    x: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    B: Array = quantity("T", "d", "d", meaning="key-query matrix of each step")
    gamma: Array = quantity("T", meaning="step size of each step")
    selection: Array = quantity(
        "n", "n", meaning="positive weights that pick a point of the leaders' face", default=all_ones
    )
    t: Array = quantity(meaning="steps taken", default=0, integer=True)

    def step_size(self) -> Array:
        """gamma^t, shape (...)."""
        return entry(self.gamma, self.t)

    def now(self) -> HardmaxStep:
        """The step that comes next, with its parameters for good."""
        B = self.key_query()
        P = self.step_size()[..., None, None] * indicator(np.eye(B.shape[-1], dtype=bool), B)
        return HardmaxStep(x=self.x, B=B, P=P, selection=self.selection)


# The additive rule alone: what the paper says of a sensitivity that falls bounds gaps by it.
@dataclass(frozen=True, eq=False)
class ScheduledLocalmax(StepMap):
    """z_i^{k+1} = z_i^k + gamma_k (c_i - z_i^k), c_i the mean of the tokens whose score is within delta_k of the best."""

    z: Array = quantity("n", "d", meaning="tokens", alias="tokens")
    gamma: Array = quantity("T", meaning="step size of each step")
    delta: Array = quantity("T", meaning="sensitivity of each step")
    A: Array = quantity("d", "d", meaning="key-query matrix", alias="key_query", default=identity)
    t: Array = quantity(meaning="steps taken", default=0, integer=True)

    def validate(self) -> None:
        """Raise ValueError for a negative sensitivity or a negative t."""
        if any(delta < 0 for delta in self.delta):
            raise ValueError(f"{type(self).__name__}: every delta must be at least 0")
        if self.t.item() < 0:
            raise ValueError(f"{type(self).__name__}: t counts steps, it cannot be {self.t.item()}")

    def sensitivity(self) -> Array:
        """delta_k, shape (...)."""
        return entry(self.delta, self.t)

    def step_size(self) -> Array:
        """gamma_k, shape (...)."""
        return entry(self.gamma, self.t)

    def now(self) -> LocalmaxStep:
        """The step that comes next, with its parameters for good."""
        rule = np.array(ADDITIVE)
        return LocalmaxStep(z=self.z, A=self.A, gamma=self.step_size(), delta=self.sensitivity(), rule=rule)

    def scores(self) -> Array:
        """<A z_i, z_j>, shape (..., n, n)."""
        return self.now().scores()

    def neighbours(self) -> Array:
        """C_i^delta as a boolean mask, shape (..., n, n)."""
        return self.now().neighbours()

    def step(self) -> Self:
        """The system after one step."""
        return self.replace(z=self.now().step().z, t=self.t + 1)
