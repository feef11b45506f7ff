"""All sequences of picks of the attention chain: its law after a few steps, and the cheapest way out of the tubes.

Positions are rational and chances are balls, those of independent picks: token i picks J with probability a_iJ and moves
to (1 - gamma) x_i + gamma x_J. With n tokens a step has n^n combinations of picks, so this is for few of both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from operator import mul
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
State = tuple[int, ...]
"""The numbers of the tokens' places."""


# Counted before anything is multiplied: n^n moves of a step fill the memory before a time limit is looked at.
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


# Squared distances: rational for rational tokens, where the distance itself would be a ball.
def overshoot(chain: AttentionChain, label: int, x: Array) -> Array:
    """dist(x, H)^2 - eps^2 for tokens x (..., d), H the first hull of the group `label`: positive outside the tube."""
    limit = chain.eps.item() ** 2
    squared = squared_distance_to_hull(x, chain.x[chain.group == label])
    return np.asarray(squared - (limit if x.dtype == object else float(fraction(limit))))


# Places are hashed once, as rationals with many digits: states of many steps share them, and are short tuples of small
# numbers.
class Picks:
    """The moves of a chain with independent picks. Its places are numbered, so that states are compared as whole numbers.

    What a state may become is worked out once, at the precision of that time, however often it is come to.
    """

    def __init__(self, beta: Array, gamma: fmpq) -> None:
        self.beta, self.gamma = beta, gamma
        self.places: list[Place] = []
        self._numbers: dict[Place, int] = {}
        self._products: dict[tuple[int, int], fmpq] = {}
        self._moved: dict[tuple[int, int], int] = {}
        self._moves: dict[State, list[list[tuple[int, Any]]]] = {}

    def number(self, place: Place) -> int:
        """The number of a place."""
        if place not in self._numbers:
            self._numbers[place] = len(self.places)
            self.places.append(place)
        return self._numbers[place]

    def state(self, x: Array) -> State:
        """The state of tokens x (n, d)."""
        return tuple(self.number(tuple(token)) for token in x.tolist())

    def tokens(self, state: State) -> Array:
        """The tokens (n, d) of a state."""
        return np.array([self.places[i] for i in state], dtype=object)

    def moved(self, i: int, j: int) -> int:
        """Where a token at place i comes to that picks one at place j."""
        if (i, j) not in self._moved:
            pairs = zip(self.places[i], self.places[j], strict=True)
            self._moved[i, j] = self.number(tuple(a + self.gamma * (b - a) for a, b in pairs))
        return self._moved[i, j]

    def moves(self, state: State) -> list[list[tuple[int, Any]]]:
        """Where each token may be after one step, with the chances."""
        if state not in self._moves:
            picks = softmax(self.beta * np.array([[self._product(i, j) for j in state] for i in state], dtype=object))
            self._moves[state] = [self._targets(i, state, chances) for i, chances in zip(state, picks, strict=True)]
        return self._moves[state]

    def means(self, x: Array) -> Array:
        """E[x_i] of each token after one step from tokens x (n, d): however the picks depend on one another."""
        chances = self.moves(self.state(x))
        return np.array([sum(chance * self.tokens((target,))[0] for target, chance in moves) for moves in chances])

    def _targets(self, i: int, state: State, picks: Array) -> list[tuple[int, Any]]:
        # Picking another token at the same place is the same move: its chances add.
        chances: dict[int, Any] = {}
        for j, chance in zip(state, picks, strict=True):
            chances[j] = chances[j] + chance if j in chances else chance
        return [(self.moved(i, j), chance) for j, chance in chances.items()]

    def _product(self, i: int, j: int) -> fmpq:
        if (i, j) not in self._products:
            self._products[i, j] = self._products[j, i] = sum(map(mul, self.places[i], self.places[j]), fmpq(0))
        return self._products[i, j]

    def branches(
        self,
        state: State,
        mass: Any,
        is_dropped: Callable[[State, Any], bool] | None,
        room: Room,
        likeliest: int | None = None,
    ) -> tuple[list[tuple[State, Any]], Any]:
        """The states after one step from `state` with their probabilities, token after token, and the dropped mass.

        With `likeliest` all but so many are dropped after each token. Raises TooManyStatesError if there are more than
        `room` allows.
        """
        found: list[tuple[State, Any]] = [((), mass)]
        cut: Any = fmpq(0)
        for moves in self.moves(state):
            grown = []
            for moved, weight in found:
                for target, chance in moves:
                    share = weight * chance
                    after = (*moved, target)
                    if is_dropped is not None and is_dropped(after, share):
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

    picks: Picks
    masses: dict[State, Any]
    cut: Any

    def outcomes(self) -> Iterator[tuple[Array, Any]]:
        """The tokens (n, d) of each state followed, with its chance."""
        return ((self.picks.tokens(state), mass) for state, mass in self.masses.items())

    def chance(self, event: Callable[[Array], bool]) -> Any:
        """The probability of an event on tokens (n, d), enclosed."""
        sure = sum((mass for x, mass in self.outcomes() if event(x)), fmpq(0))
        return _up_to(sure, self.cut)

    def mean(self, quantity: Callable[[Array], Any], most: Any) -> Any:
        """The expectation of a quantity in [0, most] of tokens (n, d), enclosed."""
        terms = (mass * quantity(x) for x, mass in self.outcomes())
        return _up_to(sum(terms, fmpq(0)), self.cut * most)


# An exact chance stays a rational where nothing was cut: then a claim on it is decided without balls.
def _up_to(sure: Any, more: Any) -> Any:
    """`sure` where that is all, else a ball around everything from there to `sure + more`."""
    if isinstance(more, fmpq) and more == 0:
        return sure
    return hull(sure, sure + more)


# Guards are off while branches are made: whether one is cut may be open, and its mass is counted on either side of it.
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
    picks = Picks(step.beta, step.gamma.item())
    layer: dict[State, Any] = {picks.state(step.x): fmpq(1)}
    cut: Any = fmpq(0)
    room = Room(most_branches, steps)

    def is_dropped(_: State, share: Any) -> bool:
        return bool(plain(share) < plain(negligible))

    # Of what is not negative nothing is below 0.
    drops = None if isinstance(negligible, int | fmpq) and negligible <= 0 else is_dropped
    for _ in range(steps):
        following: dict[State, Any] = {}
        for state, mass in layer.items():
            # Whether a branch is cut may be open: either way its mass is counted.
            with guarded_numbers(on=False):
                moves, lost = picks.branches(state, mass, drops, room, likeliest)
            cut += lost
            room.followed += len(moves)
            for moved, weight in moves:
                following[moved] = following[moved] + weight if moved in following else weight
        layer = following
    return Law(picks, {state: guarded_in_a_formula(mass) for state, mass in layer.items()}, guarded_in_a_formula(cut))


# Layer by layer, the least cost at each state: of two ways to one state only the cheaper can be part of the cheapest.
def cheapest_way_out(chain: AttentionChain, most_branches: int = 20000) -> fmpq | None:
    """The least total cost of picks after which a token is outside its tube before t = chain.steps, or None.

    A pick of token i costs max_j <x_i, x_j> - <x_i, x_pick>, so that its chance is at most e^{-beta cost} and at least
    1/n of that. Exact, over all states that picks lead to: n^n moves from each, meant for two or three tokens.
    Raises TooManyStatesError when more than `most_branches` combinations of picks would be followed.
    """
    labels, best = chain.group.tolist(), None
    picks = Picks(chain.beta, chain.gamma.item())
    layer: dict[State, fmpq] = {picks.state(chain.x): fmpq(0)}
    room = Room(most_branches, int(chain.steps.item()))

    @cache
    def is_outside(label: int, place: int) -> bool:
        return bool(overshoot(chain, label, picks.tokens((place,))[0]) > 0)

    for _ in range(int(chain.steps.item()) - 1):
        room.check(room.followed + len(layer) * len(chain.x) ** len(chain.x))
        room.followed += len(layer) * len(chain.x) ** len(chain.x)
        following: dict[State, fmpq] = {}
        for state, spent in layer.items():
            x = picks.tokens(state)
            costs = [[max(row) - entry for entry in row] for row in x @ x.T]
            for picked in product(range(len(state)), repeat=len(state)):
                cost = spent + sum((costs[i][j] for i, j in enumerate(picked)), fmpq(0))
                after = tuple(picks.moved(state[i], state[j]) for i, j in enumerate(picked))
                if any(map(is_outside, labels, after)):
                    best = cost if best is None else min(best, cost)
                    continue
                following[after] = min(cost, following.get(after, cost))
        layer = following
    return best
