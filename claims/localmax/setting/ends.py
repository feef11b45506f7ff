"""Limits of localmax tokens, and their quiescent sets.

Limits come from a certificate that the neighbours are final (:mod:`dynamics.orbits.final_neighbours`), so every margin here
is a rational.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from dynamics.arithmetic import Array, exact, numbers
from dynamics.orbits.boxed import lasting_turn
from dynamics.orbits.cycles import limit_points, recurrence
from dynamics.orbits.drifting_tails import drifting_tails
from dynamics.orbits.exact import orbit
from dynamics.orbits.final_neighbours import Final, NotSettledError, Settled, settle
from dynamics.polytopes import vertices
from dynamics.tokens.localmax import ADDITIVE, LocalmaxStep
from dynamics.tokens.schedules import ScheduledLocalmax

CYCLE_STEPS = 48
"""Steps until a cycle is looked for: an offset shrinks by a factor two or so in each."""

LONGEST_CYCLE = 6
"""Steps of the longest cycle that is looked for."""

RECURRENCE_STEPS = 16
"""Steps in which a state must recur where only that counts: numbers may grow in every step."""

MOST_STEPS = 240
"""Steps in which the neighbours must be shown to be final; of lattice starts hardly one in a thousand needs as many."""

BOXED_STEPS = 48
"""Steps in which a turn under another rule must be shown to repeat."""

MOST_DOUBLINGS = 64
"""How often blocks may be moved out to twice the distance until no token attends to another block."""

# ---------------------------------------------------------------------------------------------------------------------
# The limit of an orbit


# Only there is every comparison one of a quadratic form with delta, which the certificate decides for all later steps.
def has_certificates(f: LocalmaxStep) -> bool:
    """Whether finality can be certified: delta bounds the gaps, and the step size is in (0, 1)."""
    return f.which == ADDITIVE and bool(0 < f.gamma.item() < 1)


# For gamma = 0, 1 or beyond, offsets need not shrink: there a state has to recur exactly, and the orbit is a finite one.
def settled(f: LocalmaxStep) -> Settled[LocalmaxStep]:
    """The orbit until its neighbours are final; for a step size outside (0, 1) until it is at rest.

    Under another rule than the additive one the states between the start and the last are left out, and rates are unknown.

    Raises UndecidedError where that is not shown.
    """
    if has_certificates(f):
        return settle(f, MOST_STEPS)
    if 0 < f.gamma.item() < 1:
        turn = lasting_turn(f, BOXED_STEPS)
        if len(turn.states) > 1:
            raise NotSettledError(f"the tokens go round {len(turn.states)} places without end")
        (limits_, last), unknown = (turn.limits[0], turn.states[0]), np.full(len(f.z), None)
        return Settled((f, last), Final(limits_, unknown, f.gamma.item()))
    cycle = recurrence(f, RECURRENCE_STEPS)
    if len(cycle) > 1:
        raise NotSettledError(f"the tokens go round {len(cycle)} states")
    rest = cycle[0]
    return Settled((f, rest), Final(rest.z, exact([0] * len(rest.z)), f.gamma.item()))


def limits(f: LocalmaxStep) -> Array:
    """lim_k z_i^k, shape (n, d); its hull is Kinf. Raises UndecidedError where the neighbours are not known to be final."""
    return settled(f).final.limits


# A cycle of neighbours has limits for each of its phases; a token converges if all of its phases agree.
def limit_phases(f: LocalmaxStep) -> Array:
    """The limit points of the tokens in the order of their visits, shape (p, n, d); p = 1 where the tokens converge.

    For a step size outside (0, 1) only exact recurrence counts. Raises UndecidedError where neither final
    neighbours nor a cycle of them is shown.
    """
    if has_certificates(f):
        return limit_points(f, CYCLE_STEPS, LONGEST_CYCLE)
    if 0 < f.gamma.item() < 1:
        return lasting_turn(f, BOXED_STEPS).limits
    return numbers(np.stack([now.z for now in recurrence(f, RECURRENCE_STEPS)]))


# CYCLE_STEPS on, so that the neighbours are those of the cycle that limit_points has just shown to be final.
def late_states(f: LocalmaxStep) -> Sequence[LocalmaxStep]:
    """States whose neighbours, in turn, are those of all later ones: one where they are final.

    Raises UndecidedError where neither final neighbours nor a cycle of them is shown.
    """
    try:
        return settled(f).states[-1:]
    except NotSettledError:
        if has_certificates(f):
            limit_points(f, CYCLE_STEPS, LONGEST_CYCLE)
            return orbit(f, CYCLE_STEPS + LONGEST_CYCLE)[CYCLE_STEPS:]
    return lasting_turn(f, BOXED_STEPS).states if 0 < f.gamma.item() < 1 else recurrence(f, RECURRENCE_STEPS)


# From the last entry on the parameters are constant, and the certificate for constant ones applies.
def after_schedule(f: ScheduledLocalmax) -> LocalmaxStep:
    """The tokens at the step from which on the parameters are constant."""
    while int(f.t.item()) < len(f.delta) - 1:
        f = f.step()
    return f.now()


def self_gaps(points: Array, A: Array, share: int = 1) -> Array:
    """e_i = max_l <A s_i, s_l> - <A s_i, s_i> of points (n, d): zero on the maximal alignment set S; shape (n,)."""
    scores = points @ A.T @ points.T
    return numbers(scores.max(axis=-1) - share * scores.diagonal())


def corners(points: Array) -> Array:
    """The vertices of the hull of the points (n, d), shape (m, d)."""
    return points[vertices(points)]


def quiescent_sets(f: LocalmaxStep) -> list[list[int]]:
    """The sets Q of tokens with C_i = Q for every i in Q."""
    rows = f.neighbours()
    members = [np.flatnonzero(row).tolist() for row in rows]
    return [Q for i, Q in enumerate(members) if Q[0] == i and all(members[j] == Q for j in Q)]


# Sets, not rows: a token that attends to one other alone is no leader.
def leaders_of(end: Settled[LocalmaxStep]) -> list[int]:
    """The tokens that attend only to themselves once neighbours are final."""
    return [Q[0] for Q in quiescent_sets(end.states[-1]) if len(Q) == 1]


# Three steps: a constant factor in two successive ones and the right value of it say that the tail is geometric.
def tail_errors(f: LocalmaxStep, is_meant: Callable[[Array, Array], bool], share: int = 1) -> Array:
    """z_i^k - s_i - (1 - gamma)^k (z_i^0 - s_i) for three steps once neighbours are final, shape (3, m, d).

    `is_meant` selects the tokens: it is given a limit s_i (d,) and all limits (n, d).
    """
    end = settled(f)
    last, s = end.states[-1], end.final.limits
    meant = [i for i, place in enumerate(s) if is_meant(place, s)]
    keep = 1 - share * f.gamma.item()
    return numbers(np.stack([(now.z - s - keep**k * (last.z - s))[meant] for k, now in enumerate(orbit(last, 3))][1:]))


# b is exact where all tails have the shape (1 - gamma)^k (e + k b): one nonzero b shows that a tail is not geometric.
def drifts(f: LocalmaxStep) -> Array:
    """b (n, d) where all z_i^k - s_i are (1 - gamma)^k (e + k b); elsewhere :func:`tail_errors` of all tokens."""
    if f.which == ADDITIVE:
        with suppress(NotSettledError):
            return drifting_tails(f, 16).drift
    return tail_errors(f, lambda s, end: True)


# n steps: along a class each offset is averaged with all others after n - 1 steps at most, so the largest one has shrunk.
def approach(f: LocalmaxStep) -> Array:
    """max_i |z_i - s_i|, the largest coordinate, once neighbours are final, minus what it is n steps later, shape (m,).

    Nothing where tokens are at their limits. Offsets move by a stochastic matrix with a positive diagonal, and vanish on
    average over each class of tokens that attend only to one another: so this is positive, unless the limits are wrong.
    """
    end = settled(f)
    last, s = end.states[-1], end.final.limits
    before, after = (max(abs(now.z - s).flat) for now in (last, orbit(last, len(s))[-1]))
    return margins([before - after] if before > 0 else [])


def margins(values: Sequence[Any]) -> Array:
    """Exact margins collected one by one, shape (m,)."""
    return exact([value.item() if isinstance(value, np.ndarray) else value for value in values])
