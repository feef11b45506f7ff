"""Where an exact orbit tends to, as a theorem of Coq: one ray, found here and decided by the kernel.

Nearly every certificate about limits is one ray: after some steps the tokens stand at s + e, and p steps lead from s + t e
to s + r t e for every t in (0, 1]. What is found here is only proposed; `Limits.v` decides it, and says what follows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np

from claims.formal.hulls import rationals
from dynamics.arithmetic import UndecidedError
from dynamics.attention import leaders
from dynamics.system import StepMap

# By name: the modules of a paper are not loaded for a formula of another.
LIMITS = {
    ("claims.localmax.setting.ends", "limits"): "limit",
    ("claims.localmax.setting.ends", "limit_phases"): "limits",
    ("claims.frank_wolfe.setting.limits", "limits_in_the_end"): "limit, run",
    ("claims.localmax.setting.ends", "settled"): "limit, states",
    ("dynamics.orbits.final_neighbours", "settle"): "limit, states",
}
"""Functions of a start that give its limit: the limit itself, the limit points by phase, or the limit and the run.

Of the run the states are known until the neighbours are final, and that they are.
"""

# How long a ray is looked for, and how many limit points may be visited in turn. Of the published orbits the latest is
# taken up after 45 steps, and the longest cycle is of five; the denominators of exact states grow with each step.
MOST_STEPS, MOST_PHASES = 64, 6

# So many turns after a ray is first seen it is taken up: nearer to the limit fewer tokens are heard.
LATER = 8


def phases_told(start: StepMap) -> list[np.ndarray] | None:
    """The limit points as the claims' own function finds them, from whatever step on; None where it does not."""
    ends = import_module("claims.localmax.setting.ends")  # here: it imports the models of a paper
    try:
        return list(rationals(ends.limit_phases(start)))
    except (UndecidedError, ArithmeticError, ValueError):
        return None


@dataclass(frozen=True)
class Lasting:
    """A mask of pairs of tokens, by the name of its definition, that is the same from a step on."""

    name: str
    since: int
    mask: np.ndarray


def final_neighbours(start: StepMap, settled: Callable[..., Any]) -> tuple[int, np.ndarray] | None:
    """The step from which the claims' own function takes neighbours to be final, and who attends to whom then.

    None where it does not, and where it leaves out states on the way.
    """
    try:
        states = settled(start).states
        for now, after in pairwise(states):
            moved = now.step()
            if any(bool((getattr(moved, name) != getattr(after, name)).any()) for name in moved.fields()):
                return None
        last = states[-1]
        return len(states) - 1, np.asarray(last.neighbours() if hasattr(last, "neighbours") else leaders(last.scores()))
    except (UndecidedError, ArithmeticError, ValueError):
        return None


@dataclass(frozen=True)
class Ray:
    """`turns` turns lead to s + e; a turn of as many steps as there are `limits` leads from s + t e to s + r t e."""

    s: np.ndarray
    e: np.ndarray
    turns: int
    r: Fraction
    limits: list[np.ndarray]

    def rotated(self, phases: list[np.ndarray]) -> Ray | None:
        """The same with these limit points, which are its own from another one on; None where they are others."""
        p = len(self.limits)
        for shift in range(p if len(phases) == p else 0):
            turned = [*self.limits[shift:], *self.limits[:shift]]
            if all((one == other).all() for one, other in zip(turned, phases, strict=True)):
                return replace(self, limits=turned)
        return None


def ray_of(start: StepMap, field: str) -> Ray | None:
    """A ray that the tokens, in the named field (n, d), seem to be on; None where none is seen."""
    states, now = [rationals(getattr(start, field))], start
    try:
        for _ in range(MOST_STEPS):
            now = now.step()
            states.append(rationals(getattr(now, field)))
    except (UndecidedError, ArithmeticError, ValueError):
        return None
    # The shortest cycle first: on a ray of one phase every second state is on a ray, too.
    for p in range(1, MOST_PHASES + 1):
        for turns in range(len(states) // p - LATER - 2):
            ray = _ray_from(states[turns * p :], p, turns)
            if ray is not None:
                return ray
    return None


def _ray_from(states: list[np.ndarray], p: int, turns: int) -> Ray | None:
    """The ray on which all of the states are, every p-th of them."""
    moved, again = states[p] - states[0], states[2 * p] - states[p]
    if not (moved != 0).any():  # it has arrived: any r does
        return Ray(states[0], 0 * moved, turns, Fraction(1, 2), states[:p])
    ratios = {b / a for a, b in zip(moved.flat, again.flat, strict=True) if a != 0}
    r = next(iter(ratios))
    if len(ratios) > 1 or not 0 < r < 1 or (again[moved == 0] != 0).any():
        return None
    e = moved / (r - 1)
    s = states[0] - e
    # Some rays are left again: a token comes near enough to be heard.
    if any((state != s + e * r**k).any() for k, state in enumerate(states[::p])):
        return None
    # A step is linear in t near the end of a ray: two points of a phase tell where it leads. Farther off other tokens may
    # be heard, so that the ray is taken up some turns later.
    limits = [(after - r * now) / (1 - r) for now, after in zip(states[:p], states[p : 2 * p], strict=True)]
    return Ray(s, e * r**LATER, turns + LATER, r, limits)
