"""One step of the attention chain seen from a state: with what chance something moves, and where to.

A pick of a token at one's own place changes nothing. Everything here is a sum or product of positive numbers: a chance of
1e-300 keeps all its digits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq

from dynamics.tokens.attention_chain import AttentionChain

Place = tuple[Any, ...]
"""The coordinates of a token: rationals, or balls around a box of positions."""

State = tuple[Place, ...]


def inner(x: Place, y: Place) -> Any:
    """<x, y>, of rationals or balls."""
    return sum((a * b for a, b in zip(x, y, strict=True)), fmpq(0))


def start_of(chain: AttentionChain) -> State:
    """The tokens as tuples of rationals."""
    return tuple(map(tuple, chain.x.tolist()))


def middle(value: Any) -> float:
    """A float near a rational or the middle of a ball: for proposals only."""
    return float(value.mid()) if isinstance(value, arb) else int(value.p) / int(value.q)


@dataclass(frozen=True)
class Picks:
    """What one token may do in one step: `stay`, go to one of the `targets` with its chance, or `out` of its tube."""

    stay: arb
    targets: tuple[tuple[int, arb], ...]
    out: arb
    leave: arb
    inside: arb


def picks_of(targets: dict[int, arb], out: arb) -> Picks:
    """From the weights of the targets and of all that leads out, those of picks at one's own place adding up to 1."""
    weight = sum(targets.values(), arb(0))
    share = 1 / (1 + weight + out)
    return Picks(
        share, tuple((k, w * share) for k, w in targets.items()), out * share, (weight + out) * share, (1 + weight) * share
    )


def minus(x: Place, y: Place) -> Place:
    """x - y."""
    return tuple(a - b for a, b in zip(x, y, strict=True))


def moved(x: State, i: int, j: int, gamma: fmpq) -> Place:
    """(1 - gamma) x_i + gamma x_j."""
    return tuple(a + gamma * (b - a) for a, b in zip(x[i], x[j], strict=True))


@dataclass(frozen=True)
class Departure:
    """How a state is left: the chances to `stay` and to `leave` in one step, and the moves given that it is left.

    A move is the target of each token, for one that stays its own. `out` is the mass of moves in which some pick leads out,
    `dropped` that of moves not listed.
    """

    stay: arb
    leave: arb
    moves: list[tuple[tuple[int, ...], arb]]
    out: arb
    dropped: arb


def departure(picks: Sequence[Picks], own: Sequence[int], is_dropped: Callable[[float], bool] | None) -> Departure:
    """How a state is left, from the picks of its tokens, `own` the targets of those that stay.

    Moves of a conditional chance that `is_dropped` says are negligible are not listed.
    """
    stay, inside, leave, out = arb(1), arb(1), arb(0), arb(0)
    for one in picks:
        leave += stay * one.leave
        out += inside * one.out
        stay *= one.stay
        inside *= one.inside
    share = 1 / leave
    moves, dropped = _moves(picks, own, share, is_dropped)
    # Where all tokens are at one place nothing moves, and the share is not finite.
    return Departure(stay, leave, moves, out if out.is_zero() else out * share, dropped)


def _moves(
    picks: Sequence[Picks], own: Sequence[int], still: arb, is_dropped: Callable[[float], bool] | None
) -> tuple[list[tuple[tuple[int, ...], arb]], arb]:
    """The moves inside with their chances given that something moves, token after token, and what was dropped of them."""
    # No move so far, or moves: only the first may lead to no move at all.
    dropped = arb(0)
    # Of what is dropped, too, only that counts in which no later token goes out.
    later = [arb(1)]
    for one in picks[:0:-1]:
        later.append(later[-1] * one.inside)
    found: list[tuple[tuple[int, ...], arb]] = []
    for i, one in enumerate(picks):
        grown: list[tuple[tuple[int, ...], arb]] = []
        options = ((own[i], one.stay), *one.targets)
        starts = [(targets, share, options) for targets, share in found]
        starts.append((tuple(own[:i]), still, one.targets))
        for targets, share, choices in starts:
            for j, chance in choices:
                weight = share * chance
                if is_dropped is not None and is_dropped(float(weight.mid())):
                    dropped += weight * later[-1 - i]
                else:
                    grown.append(((*targets, j), weight))
        still *= one.stay
        found = grown
    return found, dropped
