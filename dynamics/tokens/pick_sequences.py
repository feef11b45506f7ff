"""All sequences of picks of the attention chain: its law after a few steps, and the cheapest way out of the tubes.

Positions are rational and chances are balls, those of independent picks: token i picks J with probability a_iJ and moves
to (1 - gamma) x_i + gamma x_J. With n tokens a step has n^n combinations of picks, so this is for few of both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, UndecidedError, fraction
from dynamics.attention import softmax
from dynamics.choices import guarded_in_a_formula, guarded_numbers, hull, plain
from dynamics.geometry import squared_distance_to_hull
from dynamics.tokens.attention_chain import AttentionChain, SoftmaxStep


class TooManyStatesError(UndecidedError):
    """The chain has more combinations of picks than the enumeration may follow."""

    precision_helps = False


Place = tuple[fmpq, ...]
State = tuple[Place, ...]


@dataclass
class Room:
    """How many combinations of picks may be followed within so many steps, and how many were."""

    most: int
    steps: int
    followed: int = 0

    def check(self, more: int) -> None:
        """Raise TooManyStatesError when so many more are too many."""
        if self.followed + more > self.most:
            raise TooManyStatesError(f"more than {self.most} combinations of picks within {self.steps} steps")


def overshoot(chain: AttentionChain, label: int, x: Array) -> Array:
    """dist(x, H)^2 - eps^2 for tokens x (..., d), H the first hull of the group `label`: positive outside the tube."""
    limit = chain.eps.item() ** 2
    squared = squared_distance_to_hull(x, chain.x[chain.group == label])
    return np.asarray(squared - (limit if x.dtype == object else float(fraction(limit))))


def branches(
    places: State,
    mass: Any,
    beta: Array,
    gamma: fmpq,
    is_dropped: Callable[[State, Any], bool],
    room: Room,
    likeliest: int | None = None,
) -> tuple[list[tuple[State, Any]], Any]:
    """The positions all tokens may reach in one step with their probabilities, token after token, and the dropped mass.

    With `likeliest` all but so many are dropped after each token. Raises TooManyStatesError if there are more than `room`
    allows.
    """
    x = np.array(places, dtype=object)
    picks = softmax(beta * (x @ x.T))
    found: list[tuple[State, Any]] = [((), mass)]
    cut: Any = fmpq(0)
    for i, place in enumerate(places):
        # Picking a token at the same place is the same move: its probabilities add.
        chances: dict[Place, Any] = {}
        for j, other in enumerate(places):
            chances[other] = chances.get(other, fmpq(0)) + picks[i, j]
        moves = [
            (tuple(a + gamma * (b - a) for a, b in zip(place, other, strict=True)), chance)
            for other, chance in chances.items()
        ]
        grown = []
        for moved, weight in found:
            for target, chance in moves:
                share = weight * chance
                after = (*moved, target)
                if is_dropped(after, share):
                    cut += share
                else:
                    grown.append((after, share))
            room.check(len(grown))
        if likeliest is not None and len(grown) > likeliest:
            grown.sort(key=lambda branch: plain(branch[1]), reverse=True)
            cut += sum((weight for _, weight in grown[likeliest:]), fmpq(0))
            grown = grown[:likeliest]
        found = grown
    return found, cut


@dataclass(frozen=True)
class Law:
    """Where the tokens of a chain are after some steps: the chances of the states followed, and the mass of the others."""

    masses: dict[State, Any]
    cut: Any

    def chance(self, event: Callable[[Array], bool]) -> Any:
        """The probability of an event on tokens (n, d), enclosed."""
        sure = sum((mass for state, mass in self.masses.items() if event(np.array(state, dtype=object))), fmpq(0))
        return _up_to(sure, self.cut)

    def mean(self, quantity: Callable[[Array], Any], most: Any) -> Any:
        """The expectation of a quantity in [0, most] of tokens (n, d), enclosed."""
        terms = (mass * quantity(np.array(state, dtype=object)) for state, mass in self.masses.items())
        return _up_to(sum(terms, fmpq(0)), self.cut * most)


def _up_to(sure: Any, more: Any) -> Any:
    """`sure` where that is all, else a ball around everything from there to `sure + more`."""
    if isinstance(more, fmpq) and more == 0:
        return sure
    return hull(sure, sure + more)


def law_after(
    step: SoftmaxStep | AttentionChain,
    steps: int,
    negligible: Any = 0,
    most_branches: int = 20000,
    likeliest: int | None = None,
) -> Law:
    """The law of the chain with independent picks, started at the tokens of `step`, after so many steps.

    Positions are rational, chances balls or exact. Branches of probability certainly below `negligible` are cut, and with
    `likeliest` all but so many of a step from one state. Raises TooManyStatesError when more than `most_branches`
    combinations of picks would be followed.
    """
    layer: dict[State, Any] = {tuple(map(tuple, step.x.tolist())): fmpq(1)}
    cut: Any = fmpq(0)
    room = Room(most_branches, steps)

    def is_dropped(_: State, share: Any) -> bool:
        return bool(plain(share) < plain(negligible))

    for _ in range(steps):
        following: dict[State, Any] = {}
        for places, mass in layer.items():
            # Whether a branch is cut may be open: either way its mass is counted.
            with guarded_numbers(on=False):
                moves, lost = branches(places, mass, step.beta, step.gamma.item(), is_dropped, room, likeliest)
            cut += lost
            room.followed += len(moves)
            for moved, weight in moves:
                following[moved] = following.get(moved, fmpq(0)) + weight
        layer = following
    return Law({places: guarded_in_a_formula(mass) for places, mass in layer.items()}, guarded_in_a_formula(cut))


def cheapest_way_out(chain: AttentionChain, most_branches: int = 20000) -> fmpq | None:
    """The least total cost of picks after which a token is outside its tube before t = chain.steps, or None.

    A pick of token i costs max_j <x_i, x_j> - <x_i, x_pick>, so that its chance is at most e^{-beta cost} and at least
    1/n of that. Exact, over all states that picks lead to: n^n moves from each, meant for two or three tokens.
    Raises TooManyStatesError when more than `most_branches` combinations of picks would be followed.
    """
    gamma, labels, best = chain.gamma.item(), chain.group.tolist(), None
    layer: dict[State, fmpq] = {tuple(map(tuple, chain.x.tolist())): fmpq(0)}
    room = Room(most_branches, int(chain.steps.item()))
    for _ in range(int(chain.steps.item()) - 1):
        room.check(room.followed + len(layer) * len(chain.x) ** len(chain.x))
        room.followed += len(layer) * len(chain.x) ** len(chain.x)
        following: dict[State, fmpq] = {}
        for state, spent in layer.items():
            x = np.array(state, dtype=object)
            costs = [[max(row) - entry for entry in row] for row in x @ x.T]
            for picks in product(range(len(x)), repeat=len(x)):
                cost = spent + sum((costs[i][j] for i, j in enumerate(picks)), fmpq(0))
                after = x + gamma * (x[list(picks)] - x)
                if any(overshoot(chain, label, token) > 0 for label, token in zip(labels, after, strict=True)):
                    best = cost if best is None else min(best, cost)
                    continue
                place = tuple(map(tuple, after.tolist()))
                following[place] = min(cost, following.get(place, cost))
        layer = following
    return best
