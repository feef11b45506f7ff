"""One step of the attention chain seen from a state: with what chance something moves, and where to.

A pick of a token at one's own place changes nothing. Everything here is a sum or product of positive numbers: a chance of
1e-300 keeps all its digits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq

Place = tuple[Any, ...]
"""The coordinates of a token: rationals, or balls around a box of positions."""

State = tuple[Place, ...]


def inner(x: Place, y: Place) -> Any:
    """<x, y>, of rationals or balls."""
    return sum((a * b for a, b in zip(x, y, strict=True)), fmpq(0))


def middle(value: Any) -> float:
    """A float near a rational or the middle of a ball: for proposals only."""
    return float(value.mid()) if isinstance(value, arb) else int(value.p) / int(value.q)


@dataclass(frozen=True)
class Picks:
    """What one token may do in one step: `stay`, or go towards one of the `targets` with its chance."""

    stay: arb
    leave: arb
    targets: tuple[tuple[int, arb], ...]


def minus(x: Place, y: Place) -> Place:
    """x - y."""
    return tuple(a - b for a, b in zip(x, y, strict=True))


def picks_of(i: int, x: State, beta: fmpq, apart: Place | None = None) -> Picks:
    """The picks of token i: a_ij proportional to exp(beta <x_i, x_j>), tokens at one place counted once, chances added.

    `apart` is x_0 - x_1 of two tokens where that is known better than either of them.
    """
    scores = [inner(x[i], other) for other in x]
    best = max(range(len(x)), key=lambda j: middle(scores[j]))
    # <x_i, x_j - x_best> and not a difference of scores: boxes stay tighter. Any choice of `best` is correct.
    if apart is None:
        gaps = [inner(x[i], minus(other, x[best])) for other in x]
    else:
        gaps = [(best - j) * inner(x[i], apart) for j in range(2)]
    weights = [arb(0 if j == best else beta * gap).exp() for j, gap in enumerate(gaps)]
    total = sum(weights, arb(0))
    own, leave = arb(0), arb(0)
    chances: dict[int, arb] = {}
    for j, other in enumerate(x):
        if j == i or other == x[i]:
            own += weights[j]
            continue
        leave += weights[j]
        first = x.index(other)
        chances[first] = chances.get(first, arb(0)) + weights[j]
    return Picks(own / total, leave / total, tuple((j, one / total) for j, one in chances.items()))


def moved(x: State, i: int, j: int, gamma: fmpq) -> Place:
    """(1 - gamma) x_i + gamma x_j."""
    return tuple(a + gamma * (b - a) for a, b in zip(x[i], x[j], strict=True))


@dataclass(frozen=True)
class Departure:
    """How a state is left: the chances to `stay` and to `leave` in one step, and the moves given that it is left.

    A move is the target of each token, its own index for one that stays; `dropped` is the mass of moves not listed.
    """

    stay: arb
    leave: arb
    moves: list[tuple[tuple[int, ...], arb]]
    dropped: arb


def departure(x: State, beta: fmpq, is_dropped: Callable[[float], bool], apart: Place | None = None) -> Departure:
    """How the state x is left; moves of a conditional chance that `is_dropped` says are negligible are not listed."""
    picks = [picks_of(i, x, beta, apart) for i in range(len(x))]
    stay, leave = arb(1), arb(0)
    for one in picks:
        leave += stay * one.leave
        stay *= one.stay
    return Departure(stay, leave, *_moves(picks, leave, is_dropped))


def _moves(
    picks: Sequence[Picks], leave: arb, is_dropped: Callable[[float], bool]
) -> tuple[list[tuple[tuple[int, ...], arb]], arb]:
    """The moves with their chances given that something moves, token after token, and what was dropped of them."""
    # No move so far, or moves: only the first may lead to no move at all.
    still, dropped = arb(1) / leave, arb(0)
    found: list[tuple[tuple[int, ...], arb]] = []
    for i, one in enumerate(picks):
        grown: list[tuple[tuple[int, ...], arb]] = []
        options = ((i, one.stay), *one.targets)
        starts = [(targets, share, options) for targets, share in found]
        starts.append((tuple(range(i)), still, one.targets))
        for targets, share, choices in starts:
            for j, chance in choices:
                weight = share * chance
                if is_dropped(float(weight.mid())):
                    dropped += weight
                else:
                    grown.append(((*targets, j), weight))
        still *= one.stay
        found = grown
    return found, dropped
