"""Localmax steps whose parameters recur (arXiv 2509.15958, delta_k with gaps of bounded length), and what becomes of them.

A turn of such an orbit is a whole number of periods, each phase with its own step size and sensitivity; that it repeats for
ever is decided as in :mod:`dynamics.periodic_orbits`. A schedule that is zero at some phase needs the rates: there tokens
that meet at one vertex have equal scores in the limit. Tokens that tend to one vertex have the product of all 1 - gamma_k
for a rate: each step either brings all of them nearer to their mean or to one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from dynamics.arithmetic import Array, numbers
from dynamics.averaging import Averaging
from dynamics.finality import NotSettledError
from dynamics.periodic_orbits import recurrence, repeated, same_neighbours
from dynamics.schedules import ScheduledLocalmax


def recurring(schedule: Array, t: Array) -> Array:
    """The entry of a schedule (..., T) at step t, which recurs after T steps."""
    return numbers(np.take(schedule, int(t.item()) % schedule.shape[-1], axis=-1))


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


# ---------------------------------------------------------------------------------------------------------------------
# The turns that repeat for ever


@dataclass(frozen=True)
class PeriodicEnd:
    """A turn that repeats for ever: its p states, one after the other, and the limits (p, n, d) of each of its phases."""

    states: Sequence[PeriodicLocalmax]
    limits: Array


def periodic_end(start: PeriodicLocalmax, turns: int, most_periods: int = 3) -> PeriodicEnd:
    """Follow an exact orbit until a turn of at most so many periods is shown to repeat for ever.

    For a step size outside (0, 1) only an exact recurrence counts. Raises NotSettledError where none is within `turns`
    periods.
    """
    if not all(0 < gamma < 1 for gamma in start.gamma):
        cycle = recurrence(start, turns * start.period)
        return PeriodicEnd(tuple(cycle), numbers(np.stack([now.z for now in cycle])))
    states, path = [start], [start.phase()]
    # The certificate costs more than a step: it is asked for ever more rarely.
    wait, look_at = 1, 2
    for turn in range(1, turns + 1):
        for _ in range(start.period):
            states.append(states[-1].step())
            path.append(states[-1].phase())
        if turn < look_at:
            continue
        for p in range(start.period, most_periods * start.period + 1, start.period):
            limits = _repeated(path[:-1], p, start)
            if limits is not None:
                return PeriodicEnd(tuple(states[-p - 1 : -1]), limits)
        wait, look_at = wait + 1, turn + wait
    raise NotSettledError(f"no turn of at most {most_periods} periods is certain to repeat after {turns} periods")


def _repeated(path: Sequence[Averaging], p: int, start: PeriodicLocalmax) -> Array | None:
    """The limits of the last p steps of the path where they are certain to repeat for ever, else None."""
    if len(path) < 2 * p or not all(same_neighbours(path[-k], path[-k - p]) for k in range(1, p + 1)):
        return None
    return repeated(path[-p:], start, len(path) - p)
