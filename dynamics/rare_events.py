"""Escape probabilities of the attention chain: exact where the chain can be enumerated, simulated where it cannot.

`escape_probability` follows every sequence of picks whose probability matters, with rational positions and ball
probabilities, and puts what it cut into the width of the answer: an enclosure of P[T_2 < t], however rare the escape.
`simulate_escapes` runs the chain in float64, and `binomial_tail` turns counts into error probabilities in balls.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from operator import ne
from typing import Any

import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import FLOAT64, Array, fraction, transposed
from dynamics.attention import softmax
from dynamics.attention_chain import AttentionChain
from dynamics.geometry import squared_distance_to_hull


class TooManyStatesError(ArithmeticError):
    """The chain has more combinations of picks than the enumeration may follow."""


Place = tuple[fmpq, ...]


@dataclass(frozen=True)
class EscapeProbability:
    """P[T_2 < t] lies between `escaped` and `escaped + cut`; `branches` combinations of picks were followed."""

    escaped: arb
    cut: arb
    branches: int


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
    origin: tuple[Place, ...] = tuple(map(tuple, chain.x.tolist()))
    movers = len(origin) if most_movers is None else most_movers

    @cache
    def is_outside(label: int, place: Place) -> bool:
        return bool(_overshoot(chain, label, np.array(place, dtype=object)) > 0)

    layer: dict[tuple[Place, ...], arb] = {origin: arb(1)}
    escaped, cut, followed = arb(0), arb(0), 0
    for _ in range(int(chain.steps.item()) - 1):
        following: dict[tuple[Place, ...], arb] = {}
        for places, mass in layer.items():
            picks = chain.replace(x=np.array(places, dtype=object)).attention()
            branches: list[tuple[tuple[Place, ...], arb]] = [((), mass)]
            for i, place in enumerate(places):
                # Picking a token at the same place is the same move: its probabilities add.
                chances: dict[Place, Any] = {}
                for j, other in enumerate(places):
                    chances[other] = chances.get(other, fmpq(0)) + picks[i, j]
                moves = [
                    (tuple(x + gamma * (y - x) for x, y in zip(place, other, strict=True)), chance)
                    for other, chance in chances.items()
                ]
                grown = []
                for moved, weight in branches:
                    for target, chance in moves:
                        share = weight * chance
                        after = (*moved, target)
                        if share < negligible or sum(map(ne, after, origin)) > movers:
                            cut += share
                        else:
                            grown.append((after, share))
                    if followed + len(grown) > most_branches:
                        raise TooManyStatesError(
                            f"more than {most_branches} combinations of picks within {chain.steps} steps"
                        )
                branches = grown
            followed += len(branches)
            for moved, weight in branches:
                if any(map(is_outside, labels, moved)):
                    escaped += weight
                else:
                    following[moved] = following.get(moved, arb(0)) + weight
        layer = following
    return EscapeProbability(escaped, cut, followed)


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
