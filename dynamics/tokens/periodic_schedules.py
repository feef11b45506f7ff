"""Localmax steps whose parameters recur (arXiv 2509.15958, delta_k with gaps of bounded length), and their limits.

A turn of such an orbit is a whole number of periods, each phase with its own step size and sensitivity; that it repeats for
ever is decided as in :mod:`dynamics.orbits.cycles`. A schedule that is zero at some phase needs the rates: there tokens
that meet at one vertex have equal scores in the limit. Tokens that tend to one vertex have the product of all 1 - gamma_k
for a rate: each step either brings all of them nearer to their mean or to one of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from dynamics.arithmetic import Array, numbers
from dynamics.tokens.averaging import Averaging
from dynamics.tokens.schedules import ScheduledLocalmax


# The same arrays as a schedule that ends, read in turn: a claim may state both of one instance.
def recurring(schedule: Array, t: Array) -> Array:
    """The entry of a schedule (..., T) at step t, which recurs after T steps."""
    return numbers(np.take(schedule, int(t.item()) % schedule.shape[-1], axis=-1))


# The step is counted within a period: else no state of an orbit would ever be the same as an earlier one.
@dataclass(frozen=True, eq=False)
class PeriodicLocalmax(ScheduledLocalmax):
    """A localmax step whose step size gamma_k and sensitivity delta_k recur after T steps."""

    @property
    def period(self) -> int:
        """T."""
        return int(self.delta.shape[-1])

    def sensitivity(self) -> Array:
        """delta_k, shape (...)."""
        return recurring(self.delta, self.t)

    def step_size(self) -> Array:
        """gamma_k, shape (...)."""
        return recurring(self.gamma, self.t)

    def step(self) -> Self:
        """The system after one step; t is counted within a period, so that a state may recur."""
        after = super().step()
        return after.replace(t=after.t % self.period)

    def phase(self) -> Averaging:
        """The averages of the next step, which are not those of the steps after it."""
        return self.now().averaging()
