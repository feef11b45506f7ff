"""Escape probabilities of the attention chain: exact where the chain can be enumerated, simulated where it cannot.

`escape_probability` follows every sequence of picks whose probability matters, with rational positions and ball
probabilities, and puts what it cut into the width of the answer: an enclosure of P[T_2 < t], however rare the escape.
`simulate_escapes` runs the chain in float64, and `binomial_tail` turns counts into error probabilities in balls.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import FLOAT64, Array, fraction
from dynamics.attention import softmax
from dynamics.attention_chain import AttentionChain
from dynamics.geometry import squared_distance_to_hull


class TooManyStatesError(ArithmeticError):
    """The chain has more combinations of picks than the enumeration may follow."""


@dataclass(frozen=True)
class EscapeProbability:
    """P[T_2 < t] lies between `escaped` and `escaped + cut`; `branches` combinations of picks were followed."""

    escaped: arb
    cut: arb
    branches: int


def _escaped(chain: AttentionChain, x: Array) -> Array:
    """Whether some token of x (..., n, d) is farther than eps from its group's hull in `chain`, shape (...)."""
    out = np.zeros(x.shape[:-2], dtype=bool)
    limit = chain.eps.item() ** 2
    for label in set(chain.group.tolist()):
        members = np.flatnonzero(chain.group == label)
        squared = squared_distance_to_hull(x[..., members, :], chain.x[members])
        beyond = squared > (limit if x.dtype == object else float(fraction(limit)))
        out = out | beyond.astype(bool).any(axis=-1)
    return np.asarray(out)


def escape_probability(chain: AttentionChain, negligible: arb, most_branches: int = 20000) -> EscapeProbability:
    """Enclose P[T_2 < t] with t = chain.steps, T_2 the first step at which a token is outside its tube.

    Branches of probability certainly below `negligible` are cut and their mass returned as `cut`.
    Raises TooManyStatesError when more than `most_branches` combinations of picks would be followed.
    """
    gamma = chain.gamma.item()
    layer: dict[tuple[tuple[object, ...], ...], tuple[Array, arb]] = {_key(chain.x): (chain.x, arb(1))}
    escaped, cut, visited = arb(0), arb(0), 0
    for _ in range(int(chain.steps.item()) - 1):
        following: dict[tuple[tuple[object, ...], ...], tuple[Array, arb]] = {}
        for x, mass in layer.values():
            picks = chain.replace(x=x).attention()
            branches: list[tuple[list[Array], arb]] = [([], mass)]
            for i in range(len(x)):
                # Picking a token at the same place is the same move: its probabilities add.
                moves: dict[tuple[object, ...], tuple[Array, object]] = {}
                for j in range(len(x)):
                    place = tuple(map(str, x[j]))
                    target, probability = moves.get(place, (x[i] + gamma * (x[j] - x[i]), fmpq(0)))
                    moves[place] = target, probability + picks[i, j]
                grown = []
                for places, weight in branches:
                    for target, probability in moves.values():
                        share = weight * probability
                        if share < negligible:
                            cut += share
                        else:
                            grown.append(([*places, target], share))
                branches = grown
            visited += len(branches)
            if visited > most_branches:
                raise TooManyStatesError(f"more than {most_branches} combinations of picks within {chain.steps} steps")
            for places, weight in branches:
                y = np.array([list(place) for place in places], dtype=object)
                if _escaped(chain, y):
                    escaped += weight
                else:
                    key = _key(y)
                    following[key] = (y, following[key][1] + weight if key in following else weight)
        layer = following
    return EscapeProbability(escaped, cut, visited)


def _key(x: Array) -> tuple[tuple[object, ...], ...]:
    return tuple(tuple(map(str, row)) for row in x)


def simulate_escapes(chain: AttentionChain, runs: int, rng: np.random.Generator) -> int:
    """In how many of `runs` independent float64 simulations T_2 < t = chain.steps."""
    x = np.broadcast_to(FLOAT64.convert(chain.x), (runs, *chain.x.shape)).copy()
    gamma, beta = (float(fraction(value.item())) for value in (chain.gamma, chain.beta))
    alive = np.ones(runs, dtype=bool)
    for _ in range(int(chain.steps.item()) - 1):
        cumulative = softmax(beta * (x @ x.swapaxes(-1, -2))).cumsum(axis=-1)
        draws = rng.random((*cumulative.shape[:-1], 1)) * cumulative[..., -1:]
        picks = (cumulative < draws).sum(axis=-1)
        x = x + gamma * (np.take_along_axis(x, picks[..., None], axis=-2) - x)
        alive &= ~_escaped(chain, x)
    return runs - int(alive.sum())


def binomial_tail(successes: int, trials: int, p: arb) -> arb:
    """P[Binomial(trials, p) >= successes], enclosed: the regularised incomplete beta function I_p(k, n - k + 1)."""
    if successes <= 0:
        return arb(1)
    return p.beta_lower(arb(successes), arb(trials - successes + 1), regularized=1)

