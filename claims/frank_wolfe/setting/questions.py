"""Starts, hypotheses and counts of the claims on open questions about hardmax runs."""

from dataclasses import replace
from typing import Any

import numpy as np
from flint import fmpq

from claims.frank_wolfe.setting.cells import polytope_with_ties, tokens_in_one_cell
from claims.frank_wolfe.setting.limits import run_of_constant_step, single_leaders
from claims.frank_wolfe.setting.run_hypotheses import exactly
from claims.frank_wolfe.setting.runs import one_at_a_time, step_with_own_cells
from claims.stating.assumptions import size
from dynamics.arithmetic import exact
from dynamics.attention import leaders
from dynamics.orbits.final_neighbours import NotSettledError
from dynamics.tokens.hardmax import HardmaxStep

# ---------------------------------------------------------------------------------------------------------------------
# Targets along a run

MOST_STEPS = 40
"""Steps after which a run stays undecided if some target is not its own target."""


# It ends where every target is its own: `unique_targets_stay` then fixes all later ones.
def targets_of(f: HardmaxStep) -> list[list[int]] | None:
    """The targets that each token has one after the other; None where different points lead a token at some state.

    A target that comes to coincide with another one is still the same. The run is followed until every target is its own:
    by `unique_targets_stay` no token changes its target then. Raises NotSettledError where that takes too long.
    """
    lists: list[list[int]] = [[] for _ in f.x]
    for _ in range(MOST_STEPS + 1):
        led = leaders(f.scores())
        first = led.argmax(axis=-1)
        for i, j in np.argwhere(led):
            if j != first[i] and (f.x[j] != f.x[first[i]]).any():
                return None
        for known, j in zip(lists, first.tolist(), strict=True):
            if not known or (j != known[-1] and (f.x[j] != f.x[known[-1]]).any()):
                known.append(j)
        if (first[first] == first).all():
            return lists
        f = f.step()
    raise NotSettledError(f"some target has another one for a target after {MOST_STEPS} steps")


def _are_targets_single(f: HardmaxStep) -> bool | None:
    """None where the run is not followed to the end."""
    try:
        return targets_of(f) is not None
    except NotSettledError:
        return None


single_targets = replace(
    single_leaders,
    satisfies=_are_targets_single,
    restrict=exactly(lambda f: f if _are_targets_single(f) is not False else single_leaders.restrict(f)),
)
"""The same for a run that is followed until every target is its own, and for steps that lead beyond the target."""

at_most_three_tokens = size("at_most_three_tokens", "n", most=3, violate=lambda f, draws: _crowd(draws))

# ---------------------------------------------------------------------------------------------------------------------
# Starts

CROWDS = (
    (11, ((11, 34), (-1, 27), (-11, 13), (8, 34), (2, 28), (47, 25))),
    (6, ((9, 14), (9, 0), (6, -4), (11, 2))),
    (8, ((15, 50), (0, 41), (-19, 18), (12, 49), (50, 40))),
    (10, ((-9, -19), (-5, 4), (-3, 3), (-6, 4), (-10, -1), (-11, -2))),
    (8, ((121, -205, -98), (121, -185, -124), (74, -250, -64), (131, -163, -121))),
)
"""Tokens most of which follow others that follow others; the step size is 1 over the number given first."""


@one_at_a_time
def run_of_a_crowd(draws: Any) -> HardmaxStep:
    """Tokens that turn to and fro between moving targets, all a little moved, and scaled; or any tokens."""
    if draws.choice(("crowd", "any")) == "any":
        return run_of_constant_step(draws)
    return _crowd(draws)


@one_at_a_time
def run_of_three(draws: Any) -> HardmaxStep:
    """A token that follows another until that has passed it, and a third, all a little moved and scaled; or any tokens."""
    if draws.choice(("three", "any")) == "any":
        return run_of_constant_step(draws)
    return _moved(draws, 2, ((30, 0), (10, 9), (0, 3)))


def _crowd(draws: Any) -> HardmaxStep:
    return _moved(draws, *CROWDS[draws.integer(0, len(CROWDS) - 1)])


# Scaling all tokens changes no target. Moves of 1/16 beside whole numbers seldom do.
def _moved(draws: Any, steps: int, places: Any) -> HardmaxStep:
    x = exact(places)
    x = (x + draws.dyadic(*x.shape, size=1, bits=3) / 16) * (1 + draws.integer(0, 2))
    return HardmaxStep.instance(x=x, P=np.eye(x.shape[-1], dtype=int) * fmpq(1, steps))


# Two tokens behind one corner: it shadows them until it leaves.
@one_at_a_time
def run_in_a_triangle(draws: Any) -> HardmaxStep:
    """Two tokens inside a triangle near a corner that leaves and uncovers them; or any tokens."""
    if draws.choice(("triangle", "any")) == "any":
        return run_of_constant_step(draws)
    corners = exact([[10, 17], [36, -29], [-63, 60]]) + draws.dyadic(3, 2, size=1) / 16
    inside = exact([[50, 13, 1], [51, 10, 3]]) @ corners / 64
    x = np.concatenate([corners, inside]) * (1 + draws.integer(0, 2))
    return HardmaxStep.instance(x=x, P=np.eye(2, dtype=int) * fmpq(1, 4))


# ---------------------------------------------------------------------------------------------------------------------
# Ties at the start


def _walled(draws: Any) -> HardmaxStep:
    """Vertices that own their cells and a token where two cells meet."""
    violate = tokens_in_one_cell.violate
    assert violate is not None
    walled: HardmaxStep = violate(step_with_own_cells(draws), draws)
    return walled


@one_at_a_time
def own_cells_and_a_wall(draws: Any) -> HardmaxStep:
    """Vertices that own their cells, half of the time with a token where two cells meet."""
    return _walled(draws) if draws.choice(("on a wall", "any")) == "on a wall" else step_with_own_cells(draws)


@one_at_a_time
def tied_targets(draws: Any) -> HardmaxStep:
    """A token where two cells meet, of vertices that own them or of vertices that move on; or ties of any kind."""
    kind = draws.choice(("on a wall", "any ties", "moving targets", "any ties"))
    if kind == "moving targets":
        return _tied_between_moving_targets(draws)
    return _walled(draws) if kind == "on a wall" else polytope_with_ties(draws)


def _tied_between_moving_targets(draws: Any) -> HardmaxStep:
    """(t, 0) is led by (1, a) and by (1, -b), which is there twice; these follow corners that are behind it."""
    t, a, b, c, e = 1 + abs(draws.dyadic(5, size=1))
    x = exact([[t / 4, 0], [1, a], [1, -b], [1, -b], [c / 4, 8 * e], [t / 8, -8 * b * draws.integer(0, 1)]])
    return HardmaxStep.instance(x=x)
