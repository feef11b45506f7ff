"""Averaging dynamics that never settle: a cycle of neighbours, certified to repeat for ever.

Where the neighbours of steps 0, ..., p - 1 repeat, p steps are linear: from phase r on, z^{r + k p} = P_r^k z^r with P_r
the product of the p step matrices, in the order in which they act. P_r is stochastic with a positive diagonal, so that
P_r^k z^r has a limit s_r, and the offsets e = z^r - s_r move by P_r, too. So at all later visits of phase r the scores are
as near to those at s_r as :func:`dynamics.finality.swings` says. Where this keeps every neighbour one, and every other
token none, at every phase, the cycle repeats by induction over the steps, and s_0, ..., s_{p-1} are all the limit points.
If they differ, the tokens do not converge. A state that recurs exactly, which step sizes of one often lead to, needs no
such bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self, TypeVar

import numpy as np

from dynamics.arithmetic import Array, numbers
from dynamics.averaging import Averaging
from dynamics.finality import AveragingStep, NotSettledError, limits_of, settle, swings


class State(Protocol):
    """A step map with its whole state."""

    def arrays(self) -> dict[str, Array]:
        """The arrays by name."""

    def step(self) -> Self:
        """The system after one step."""


class AveragingState(AveragingStep, State, Protocol):
    """A step map that can say which averages it takes, with its whole state."""


R = TypeVar("R", bound=State)


def limit_points(start: AveragingState, steps: int, longest: int = 6) -> Array:
    """The limits of every phase of an exact orbit, shape (p, n, d), in the order in which they are visited.

    p = 1 where the tokens converge. Raises NotSettledError where neither final neighbours nor a cycle of at most `longest`
    steps is shown within so many steps. For a step size outside (0, 1) only an exact recurrence counts.
    """
    if not 0 < start.averaging().gamma.item() < 1:
        return numbers(np.stack([now.averaging().z for now in recurrence(start, steps)]))
    try:
        return numbers(settle(start, steps).final.limits[None])
    except NotSettledError:
        pass
    now: AveragingStep = start
    for _ in range(steps):
        now = now.step()
    path = _averages(now, 2 * longest)
    for p in range(1, longest + 1):
        if all(_same(path[k], path[k + p]) for k in range(longest)):
            cycle, phases = path[:p], cycle_limits(path[:p])
            if all(repeats(average, s, never_apart(cycle)) for average, s in zip(cycle, phases, strict=True)):
                return phases
    raise NotSettledError(f"neither final neighbours nor a cycle of at most {longest} steps is shown after {steps} steps")


def recurrence(start: R, steps: int) -> list[R]:
    """The states of an exact orbit between the first two that are equal, which repeat for ever; one for a fixed point.

    Nothing is asked of the step but to be a function of the state. Raises NotSettledError where none recurs within so many
    steps.
    """
    met: dict[tuple[str, ...], int] = {}
    states = [start]
    for _ in range(steps + 1):
        place = tuple(str(entry) for array in states[-1].arrays().values() for entry in array.flat)
        if place in met:
            return states[met[place] : -1]
        met[place] = len(states) - 1
        states.append(states[-1].step())
    raise NotSettledError(f"no state recurs within {steps} steps")


def _averages(now: AveragingStep, count: int) -> list[Averaging]:
    path = []
    for _ in range(count):
        path.append(now.averaging())
        now = now.step()
    return path


def _same(one: Averaging, other: Averaging) -> bool:
    return bool(((one.W != 0) == (other.W != 0)).all())


def cycle_limits(path: Sequence[Averaging]) -> Array:
    """lim_k P_r^k z^r for each of the p phases of a path of averages, shape (p, n, d)."""
    matrices = [_step_matrix(now) for now in path]
    phases = []
    for r, now in enumerate(path):
        turn = np.eye(len(now.z), dtype=int)
        for matrix in matrices[r:] + matrices[:r]:
            turn = matrix @ turn
        phases.append(limits_of(numbers(turn), now.z))
    return numbers(np.stack(phases))


def _step_matrix(now: Averaging) -> Array:
    keep = 1 - now.gamma.item()
    return numbers(keep * np.eye(len(now.z), dtype=int) + now.gamma.item() * now.W)


def repeats(now: Averaging, limits: Array, together: Array) -> bool:
    """Whether the neighbours of this phase are certain to be the same at all its later visits, should all others be.

    `together` says which tokens are certain to be at one place at all of them, a boolean mask (n, n).
    """
    scores = limits @ now.A.T @ limits.T
    # gap[i, l, j] is <A s_i, s_l - s_j> - delta, swing[i, l, j] how far it may ever be from its limit.
    gap = scores[:, :, None] - scores[:, None, :] - now.delta.item()
    swing = swings(now.A, now.z - limits, limits)
    stays = (gap + swing <= 0) | together[None, :, :]
    neighbours = now.W != 0
    return bool(np.where(neighbours, stays.all(axis=1), (gap - swing > 0).any(axis=1)).all())


def never_apart(path: Sequence[Averaging]) -> Array:
    """Which tokens start at one place and take the same average at every phase of a cycle, a boolean mask (n, n)."""
    z = path[0].z
    same = (z[:, None, :] == z[None, :, :]).all(axis=-1)
    for now in path:
        same = same & (now.W[:, None, :] == now.W[None, :, :]).all(axis=-1)
    return np.asarray(same)
