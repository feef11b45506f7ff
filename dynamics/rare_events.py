"""Escape probabilities of the attention chain: exact where the chain can be enumerated, simulated where it cannot.

`escape_probability` follows every sequence of picks whose probability matters, with rational positions and ball
probabilities, and puts what it cut into the width of the answer: an enclosure of P[T_2 < t], however rare the escape.
`law_after` gives the whole law after a few steps. `simulate_escapes` runs the chain in float64, and `binomial_tail` turns
counts into error probabilities in balls.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from operator import ne
from typing import Any

import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import FLOAT64, Array, fraction, transposed
from dynamics.attention import softmax
from dynamics.attention_chain import AttentionChain, SoftmaxStep
from dynamics.geometry import squared_distance_to_hull


class TooManyStatesError(ArithmeticError):
    """The chain has more combinations of picks than the enumeration may follow."""


Place = tuple[fmpq, ...]
State = tuple[Place, ...]


@dataclass(frozen=True)
class EscapeProbability:
    """P[T_2 < t] lies between `escaped` and `escaped + cut`; `branches` combinations of picks were followed."""

    escaped: arb
    cut: arb
    branches: int


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


EDGE = 1e-9
"""Float64 squared distances this near the tube's edge, relative to the tokens' squared size, count for both sides."""


def _overshoot(chain: AttentionChain, label: int, x: Array) -> Array:
    """dist(x, H)^2 - eps^2 for tokens x (..., d), H the first hull of the group `label`: positive outside the tube."""
    limit = chain.eps.item() ** 2
    squared = squared_distance_to_hull(x, chain.x[chain.group == label])
    return np.asarray(squared - (limit if x.dtype == object else float(fraction(limit))))


def escape_probability(
    chain: AttentionChain, negligible: arb, most_branches: int = 20000, most_movers: int | None = None
) -> EscapeProbability:
    """Enclose P[T_2 < t] with t = chain.steps, T_2 the first step at which a token is outside its tube.

    Branches of probability certainly below `negligible`, and those in which more than `most_movers` tokens are away from
    where they started, are cut and their mass returned as `cut`.
    Raises TooManyStatesError when more than `most_branches` combinations of picks would be followed.
    """
    gamma, labels = chain.gamma.item(), chain.group.tolist()
    origin: State = tuple(map(tuple, chain.x.tolist()))
    movers = len(origin) if most_movers is None else most_movers

    @cache
    def is_outside(label: int, place: Place) -> bool:
        return bool(_overshoot(chain, label, np.array(place, dtype=object)) > 0)

    def is_dropped(after: State, share: arb) -> bool:
        return bool(share < negligible) or sum(map(ne, after, origin)) > movers

    layer: dict[State, arb] = {origin: arb(1)}
    escaped, cut, room = arb(0), arb(0), Room(most_branches, int(chain.steps.item()))
    for _ in range(int(chain.steps.item()) - 1):
        following: dict[State, arb] = {}
        for places, mass in layer.items():
            branches, lost = _branches(places, mass, chain.beta, gamma, is_dropped, room)
            cut += lost
            room.followed += len(branches)
            for moved, weight in branches:
                if any(map(is_outside, labels, moved)):
                    escaped += weight
                else:
                    following[moved] = following.get(moved, arb(0)) + weight
        layer = following
    return EscapeProbability(escaped, cut, room.followed)


def _branches(
    places: State, mass: arb, beta: Array, gamma: fmpq, is_dropped: Callable[[State, arb], bool], room: Room
) -> tuple[list[tuple[State, arb]], arb]:
    """Where all tokens may go in one step with the chances, token after token, and the mass of what was dropped.

    Raises TooManyStatesError when there are more than there is room for.
    """
    x = np.array(places, dtype=object)
    picks = softmax(beta * (x @ x.T))
    branches: list[tuple[State, arb]] = [((), mass)]
    cut = arb(0)
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
        for moved, weight in branches:
            for target, chance in moves:
                share = weight * chance
                after = (*moved, target)
                if is_dropped(after, share):
                    cut += share
                else:
                    grown.append((after, share))
            room.check(len(grown))
        branches = grown
    return branches, cut


@dataclass(frozen=True)
class Law:
    """Where the tokens of a chain are after some steps: the chances of the states followed, and the mass of the others."""

    masses: dict[State, arb]
    cut: arb

    def chance(self, event: Callable[[Array], bool]) -> arb:
        """The probability of an event on tokens (n, d), enclosed."""
        sure = sum((mass for state, mass in self.masses.items() if event(np.array(state, dtype=object))), arb(0))
        return _up_to(sure, self.cut)

    def mean(self, quantity: Callable[[Array], Any], most: Any) -> arb:
        """The expectation of a quantity in [0, most] of tokens (n, d), enclosed."""
        terms = (mass * quantity(np.array(state, dtype=object)) for state, mass in self.masses.items())
        return _up_to(sum(terms, arb(0)), self.cut * most)


def _up_to(sure: arb, more: arb) -> arb:
    """A ball around everything from `sure` to `sure + more`."""
    return sure if more.is_zero() else arb(sure).union(sure + more)


def law_after(step: SoftmaxStep | AttentionChain, steps: int, negligible: Any = 0, most_branches: int = 20000) -> Law:
    """The law of the chain with independent picks, started at the tokens of `step`, after so many steps.

    Positions are rational, chances are balls. Branches of probability certainly below `negligible` are cut.
    Raises TooManyStatesError when more than `most_branches` combinations of picks would be followed.
    """
    layer: dict[State, arb] = {tuple(map(tuple, step.x.tolist())): arb(1)}
    cut, room = arb(0), Room(most_branches, steps)

    def is_dropped(_: State, share: arb) -> bool:
        return bool(share < negligible)

    for _ in range(steps):
        following: dict[State, arb] = {}
        for places, mass in layer.items():
            branches, lost = _branches(places, mass, step.beta, step.gamma.item(), is_dropped, room)
            cut += lost
            room.followed += len(branches)
            for moved, weight in branches:
                following[moved] = following.get(moved, arb(0)) + weight
        layer = following
    return Law(layer, cut)


def cheapest_way_out(chain: AttentionChain) -> fmpq | None:
    """The least total cost of picks after which a token is outside its tube before t = chain.steps, or None.

    A pick of token i costs max_j <x_i, x_j> - <x_i, x_pick>, so that its chance is at most e^{-beta cost} and at least
    1/n of that. Exact, over all states that picks lead to: n^n moves from each, meant for two or three tokens.
    """
    gamma, labels, best = chain.gamma.item(), chain.group.tolist(), None
    layer: dict[State, fmpq] = {tuple(map(tuple, chain.x.tolist())): fmpq(0)}
    for _ in range(int(chain.steps.item()) - 1):
        following: dict[State, fmpq] = {}
        for state, spent in layer.items():
            x = np.array(state, dtype=object)
            costs = [[max(row) - entry for entry in row] for row in x @ x.T]
            for picks in product(range(len(x)), repeat=len(x)):
                cost = spent + sum((costs[i][j] for i, j in enumerate(picks)), fmpq(0))
                after = x + gamma * (x[list(picks)] - x)
                if any(_overshoot(chain, label, token) > 0 for label, token in zip(labels, after, strict=True)):
                    best = cost if best is None else min(best, cost)
                    continue
                place = tuple(map(tuple, after.tolist()))
                following[place] = min(cost, following.get(place, cost))
        layer = following
    return best


def log_chance_alone(chain: AttentionChain, most_places: int = 64) -> float:
    """The log of the chance that one token alone moves and leaves its tube before t = chain.steps; float64, exact chain.

    The other tokens pick themselves. Of the places a token may have come to, the `most_places` likeliest are followed.
    A lower bound of log P[T_2 < t] but for rounding, -inf where no such escape is possible.
    """
    x, gamma = FLOAT64.convert(chain.x), float(fraction(chain.gamma.item()))
    beta = float(fraction(chain.beta.item()))
    escapes = [-np.inf]
    with np.errstate(divide="ignore"):
        for mover in range(len(x)):
            places, masses = x[mover : mover + 1], np.zeros(1)
            for _ in range(int(chain.steps.item()) - 1):
                targets, chances = _moves(x, mover, places, beta)
                after = (places[:, None] + gamma * (targets - places[:, None])).reshape(-1, x.shape[1])
                masses = (masses[:, None] + chances).reshape(-1)
                outside = _overshoot(chain, int(chain.group[mover]), after) > 0
                escapes.append(np.logaddexp.reduce(masses[outside], initial=-np.inf))
                places, masses = _merged(after[~outside], masses[~outside], most_places)
                if not len(places):
                    break
    return float(np.logaddexp.reduce(escapes))


def _moves(x: Array, mover: int, places: Array, beta: float) -> tuple[Array, Array]:
    """Where the mover may turn from each of its places (k, d), shape (k, n, d), and the logs of the chances (k, n).

    The other tokens stay meanwhile.
    """
    tokens = np.repeat(x[None], len(places), axis=0)
    tokens[:, mover] = places
    scores = beta * (tokens @ transposed(tokens))
    scores = scores - scores.max(axis=-1, keepdims=True)
    logs = scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))
    # Picking another token at the same place is staying, too.
    together = (tokens[:, :, None] == tokens[:, None, :]).all(axis=-1)
    stays = np.logaddexp.reduce(np.where(together, logs, -np.inf), axis=-1)
    others = stays.sum(axis=-1) - stays[:, mover]
    return tokens, np.asarray(logs[:, mover] + others[:, None])


def _merged(places: Array, masses: Array, most: int) -> tuple[Array, Array]:
    """The distinct places with their total log masses, the `most` likeliest of them."""
    distinct, where = np.unique(places, axis=0, return_inverse=True)
    total = np.full(len(distinct), -np.inf)
    np.logaddexp.at(total, where.reshape(-1), masses)
    kept = np.argsort(-total, kind="stable")[:most]
    return distinct[kept], total[kept]


def simulate_escapes(chain: AttentionChain, runs: int, rng: np.random.Generator) -> tuple[int, int]:
    """In how many of `runs` independent float64 simulations T_2 < t = chain.steps: surely, and at most.

    The two differ by the runs in which a token came so near the tube's edge that float64 cannot tell.
    """
    x = np.broadcast_to(FLOAT64.convert(chain.x), (runs, *chain.x.shape)).copy()
    gamma, beta = (float(fraction(value.item())) for value in (chain.gamma, chain.beta))
    edge = EDGE * (float(fraction(chain.eps.item())) ** 2 + float((x[0] ** 2).sum(axis=-1).max()))
    surely, possibly = np.zeros((2, runs), dtype=bool)
    for _ in range(int(chain.steps.item()) - 1):
        cumulative = softmax(beta * (x @ transposed(x))).cumsum(axis=-1)
        draws = rng.random((*cumulative.shape[:-1], 1)) * cumulative[..., -1:]
        picks = (cumulative < draws).sum(axis=-1)
        x = x + gamma * (np.take_along_axis(x, picks[..., None], axis=-2) - x)
        for label in set(chain.group.tolist()):
            overshoot = _overshoot(chain, label, x[..., chain.group == label, :])
            surely |= (overshoot > edge).any(axis=-1)
            possibly |= (overshoot > -edge).any(axis=-1)
    return int(surely.sum()), int(possibly.sum())


def binomial_tail(successes: int, trials: int, p: arb) -> arb:
    """P[Binomial(trials, p) >= successes], enclosed: the regularised incomplete beta function I_p(k, n - k + 1)."""
    if successes <= 0:
        return arb(1)
    return p.beta_lower(arb(successes), arb(trials - successes + 1), regularized=1)
