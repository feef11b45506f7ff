"""Averaging dynamics whose neighbours do not settle: a cycle of neighbour sets, certified to repeat for ever.

Where the neighbours of steps 0, ..., p - 1 repeat, p steps are linear: from phase r on, z^{r + k p} = P_r^k z^r with P_r
the product of the p step matrices, in the order in which they act. P_r is stochastic with a positive diagonal, so that
P_r^k z^r has a limit s_r, and the offsets e = z^r - s_r move by P_r, too. What :mod:`dynamics.orbits.final_neighbours` says
of one step holds for a turn, at all later visits of phase r, with these limits and with rates per turn: where (P_r e)_i =
omega_i e_i, and all tokens that i attends in the turn have rates, those that are not at their limits the same one, e_i is
multiplied by omega_i in each turn. Where this keeps every neighbour one, and every other token none, at every phase, the
cycle repeats by induction over the steps, and s_0, ..., s_{p-1} are all the limit points. If they differ, the tokens do not
converge. A state that recurs exactly, which step sizes of one often lead to, needs no such bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, Self, TypeVar

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, numbers
from dynamics.findings import start_of, tell
from dynamics.orbits.final_neighbours import (
    AveragingStep,
    NotSettledError,
    limits_of,
    moving_together,
    multiple,
    neighbours_stay,
    settle,
    tell_ending,
)
from dynamics.tokens.averaging import Averaging


class State(Protocol):
    """A step map with its whole state."""

    def arrays(self) -> dict[str, Array]:
        """The arrays by name."""

    def step(self) -> Self:
        """The system after one step."""


class AveragingState(AveragingStep, State, Protocol):
    """A step map that exposes the averages it takes, with its whole state."""


R = TypeVar("R", bound=State)


def limit_points(start: AveragingState, steps: int, longest: int = 6) -> Array:
    """The limits of every phase of an exact orbit, shape (p, n, d), in the order in which they are visited.

    p = 1 where the tokens converge. Raises NotSettledError where neither final neighbours nor a cycle of at most `longest`
    steps is shown within so many steps. For a step size outside (0, 1) only an exact recurrence counts.
    """
    if not 0 < start.averaging().gamma.item() < 1:
        return numbers(np.stack([now.averaging().z for now in recurrence(start, steps)]))
    # Final neighbours are a cycle of one: they are shown from more starts, and sooner.
    try:
        return numbers(settle(start, steps).final.limits[None])
    except NotSettledError:
        pass
    now: AveragingStep = start
    for _ in range(steps):
        now = now.step()
    path = []
    for _ in range(2 * longest):
        path.append(now.averaging())
        now = now.step()
    # A repetition that is seen proves nothing: it picks the length for which the certificate is worth its price.
    for p in range(1, longest + 1):
        if all(same_neighbours(path[k], path[k + p]) for k in range(longest)):
            phases = repeated(path[:p], start, steps)
            if phases is not None:
                return phases
    raise NotSettledError(f"neither final neighbours nor a cycle of at most {longest} steps is shown after {steps} steps")


def recurrence(start: R, steps: int) -> list[R]:
    """The states of an exact orbit between the first two that are equal, which repeat for ever; one for a fixed point.

    The step need only be a function of the state. Raises NotSettledError where none recurs within so many
    steps.
    """
    met: dict[tuple[str, ...], int] = {}
    states = [start]
    for _ in range(steps + 1):
        # Whole texts of all numbers: a state that comes back but for one digit, or one clock, does not recur.
        place = tuple(str(entry) for array in states[-1].arrays().values() for entry in array.flat)
        if place in met:
            tell("recurrence", start=start_of(start), since=met[place], period=len(states) - 1 - met[place])
            return states[met[place] : -1]
        met[place] = len(states) - 1
        states.append(states[-1].step())
    raise NotSettledError(f"no state recurs within {steps} steps")


def same_neighbours(one: Averaging, other: Averaging) -> bool:
    """Whether all tokens attend to the same others in both."""
    return bool(((one.W != 0) == (other.W != 0)).all())


def repeated(cycle: Sequence[Averaging], start: object = None, since: int = 0) -> Array | None:
    """The limits of each phase, shape (p, n, d), if the p steps are certain to repeat for ever, else None.

    They are told as what becomes of the orbit of `start` from the step `since` on.
    """
    products, limits, rates = list(turns(cycle)), [], []
    for now, turn in zip(cycle, products, strict=True):
        s = limits_of(turn, now.z)
        known = turn_rates(turn, numbers(now.z - s))
        if not neighbours_stay(now, s, known, moving_together(now, cycle)):
            return None
        limits.append(s)
        rates.append(known)
    tell_ending(start, since, cycle, products, limits, rates)
    return numbers(np.stack(limits))


def turns(path: Sequence[Averaging]) -> Iterator[Array]:
    """P_r for each phase: the product of the step matrices of one turn that begins there, (n, n)."""
    unit = np.eye(len(path[0].z), dtype=int)
    matrices = [numbers((1 - now.gamma.item()) * unit + now.gamma.item() * now.W) for now in path]
    for r in range(len(path)):
        turn = unit
        # The step that acts first stands on the right.
        for matrix in matrices[r:] + matrices[:r]:
            turn = matrix @ turn
        yield numbers(turn)


def turn_rates(turn: Array, e: Array) -> Array:
    """What multiplies the offset e_i (d,) of each token in every turn (n, n), 0 at its limit; None if not known; (n,)."""
    rates = np.empty(len(e), dtype=object)
    rates[:] = [_rate(after, before) for after, before in zip(turn @ e, e, strict=True)]
    # Who attends to one that has lost its rate has none either, at any remove.
    while True:
        lost = [i for i in range(len(rates)) if rates[i] is not None and not _lasts(rates[turn[i] != 0].tolist())]
        if not lost:
            return rates
        rates[lost] = None


def _lasts(attended: Sequence[fmpq | None]) -> bool:
    """A token attends to itself in every turn: where all that move have one rate, it is its own."""
    return None not in attended and len({rate for rate in attended if rate != 0}) <= 1


def _rate(after: Array, before: Array) -> fmpq | None:
    """The omega > 0 with after = omega before, 0 where both vanish, or None."""
    omega = multiple(after, before)
    return omega if omega is not None and (omega > 0 or not before.any()) else None
