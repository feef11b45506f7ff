"""One step of the attention chain seen from a state: with what chance something moves, and where to.

A pick of a token at one's own place changes nothing. Everything here is a sum or product of positive numbers: a chance of
1e-300 keeps all its digits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from flint import arb, fmpq

from dynamics.tokens.attention_chain import AttentionChain

Place = tuple[Any, ...]
"""The coordinates of a token: rationals, or balls around a box of positions."""

State = tuple[Place, ...]


# Asked for by identity, too: most weights of a state are one of these, and no ball is added to what is nothing.
NOTHING, ALL = arb(0), arb(1)


def inner(x: Place, y: Place) -> Any:
    """<x, y>, of rationals or balls."""
    return sum((a * b for a, b in zip(x, y, strict=True)), fmpq(0))


def start_of(chain: AttentionChain) -> State:
    """The tokens as tuples of rationals."""
    return tuple(map(tuple, chain.x.tolist()))


def middle(value: Any) -> float:
    """A float near a rational or the middle of a ball: for proposals only."""
    return float(value.mid()) if isinstance(value, arb) else int(value.p) / int(value.q)


class WeightedPicks(NamedTuple):
    """What one token may do in one step but stay, by weights in units of that of all picks at its own place.

    It goes to one of the `targets`, of this `weight` together, or out of its tube, of the weight `out`.
    """

    targets: tuple[tuple[int, arb], ...]
    weight: arb
    out: arb


def picks_of(targets: dict[int, arb], out: arb) -> WeightedPicks:
    """From the weights of the targets and of all that leads out, those of picks at one's own place adding up to 1."""
    return WeightedPicks(tuple(targets.items()), sum(targets.values(), NOTHING) if targets else NOTHING, out)


def minus(x: Place, y: Place) -> Place:
    """x - y."""
    return tuple(a - b for a, b in zip(x, y, strict=True))


def moved(x: State, i: int, j: int, gamma: fmpq) -> Place:
    """(1 - gamma) x_i + gamma x_j."""
    return tuple(a + gamma * (b - a) for a, b in zip(x[i], x[j], strict=True))


class Departure(NamedTuple):
    """How a state is left: the chances to `stay` and to `leave` in one step, and the moves given that it is left.

    A move is the target of each token, for one that stays its own. `out` is the mass of moves in which some pick leads out,
    `dropped` that of moves not listed.
    """

    stay: arb
    leave: arb
    moves: list[tuple[tuple[int, ...], arb]]
    out: arb
    dropped: arb


def departure(picks: Sequence[WeightedPicks], own: Sequence[int], is_dropped: Callable[[float], bool] | None) -> Departure:
    """How a state is left, from the picks of its tokens, `own` the targets of those that stay.

    Moves of a conditional chance that `is_dropped` says are negligible are not listed.
    """
    # In units of the weight of all combinations in which nothing moves: of those in which something does.
    moving, some_inside = NOTHING, False
    for targets, weight, out in picks:
        some_inside = some_inside or bool(targets)
        total = weight + out if targets else out
        # (1 + moving) (1 + total) - 1, as a sum of positive terms: next to 1 a chance of 1e-300 would be lost.
        moving = total if moving is NOTHING else moving + total + moving * total
    stay = 1 / (1 + moving)
    leave = moving * stay
    if not some_inside:
        return Departure(stay, leave, [], NOTHING if moving.is_zero() else ALL, NOTHING)
    # Of those in which some pick leads out, and of those in which none does.
    outside, inside = NOTHING, ALL
    for _, weight, out in picks:
        if out is not NOTHING:
            outside += outside * (weight + out) + inside * out
        elif outside is not NOTHING:
            outside += outside * weight
        if weight is not NOTHING:
            inside += inside * weight
    # Where all tokens are at one place nothing moves, and the share is not finite.
    share = 1 / moving
    moves, dropped = _moves(picks, own, share, is_dropped)
    return Departure(stay, leave, moves, outside if outside.is_zero() else outside * share, dropped)


def _moves(
    picks: Sequence[WeightedPicks], own: Sequence[int], share: arb, is_dropped: Callable[[float], bool] | None
) -> tuple[list[tuple[tuple[int, ...], arb]], arb]:
    """The moves inside, the `share` times their weights, token after token, and what was dropped of them."""
    dropped, later = NOTHING, [ALL]
    if is_dropped is not None:
        # Of what is dropped only that counts in which no later token goes out.
        for one in picks[:0:-1]:  # from the last token to the second
            later.append(later[-1] * (1 + one.weight))
    # The first is no move.
    found = [(tuple(own), share)]
    for i, one in enumerate(picks):
        for targets, chance in found.copy() if one.targets else ():
            for j, weight in one.targets:
                after = chance * weight
                if is_dropped is not None and is_dropped(float(after) * float(later[-1 - i])):
                    dropped += after * later[-1 - i]
                else:
                    found.append(((*targets[:i], j, *targets[i + 1 :]), after))
    return found[1:], dropped
