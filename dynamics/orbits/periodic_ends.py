"""Localmax orbits under parameters that recur: turns that repeat for ever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dynamics.arithmetic import Array, numbers
from dynamics.orbits.cycles import recurrence, repeated, same_neighbours
from dynamics.orbits.final_neighbours import NotSettledError
from dynamics.tokens.periodic_schedules import PeriodicLocalmax


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
    # The step matrices need positive diagonals, or powers of a turn have no limit.
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
            # The last state begins the next turn: what is looked at ends with the step before it.
            seen = path[:-1]
            if len(seen) < 2 * p or not all(same_neighbours(seen[-k], seen[-k - p]) for k in range(1, p + 1)):
                continue
            limits = repeated(seen[-p:], start, len(seen) - p)
            if limits is not None:
                return PeriodicEnd(tuple(states[-p - 1 : -1]), limits)
        wait, look_at = wait + 1, turn + wait
    raise NotSettledError(f"no turn of at most {most_periods} periods is certain to repeat after {turns} periods")
