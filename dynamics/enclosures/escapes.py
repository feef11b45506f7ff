"""Escape probabilities of the attention chain: exact where the chain can be enumerated, simulated where it cannot.

`escape_probability` follows every sequence of picks whose probability matters, with rational positions and ball
probabilities, and puts what it cut into the width of the answer: an enclosure of P[T_2 < t], however rare the escape.
`simulate_escapes` runs the chain in float64, and `binomial_tail` turns counts into error probabilities in balls.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from itertools import permutations
from operator import ne

import numpy as np
from flint import arb

from dynamics.arithmetic import FLOAT64, Array, fraction, transposed
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.float_runs import beyond_tubes, drawn, floats_of, rounding
from dynamics.tokens.pick_sequences import Picks, Room, State, TooManyStatesError, overshoot

__all__ = [
    "TooManyStatesError",
    "binomial_tail",
    "chance_of_straight_picks",
    "escape_probability",
    "log_chance_alone",
    "picks_of_chain",
    "simulate_escapes",
]


@dataclass(frozen=True)
class EscapeProbability:
    """P[T_2 < t] lies between `escaped` and `escaped + cut`; `branches` combinations of picks were followed."""

    escaped: arb
    cut: arb
    branches: int


MOST_STRAIGHT = 256
"""Picks of the same token one after the other that are followed."""


def escape_probability(
    chain: AttentionChain,
    negligible: arb,
    most_branches: int = 20000,
    most_movers: int | None = None,
    picks: Picks | None = None,
) -> EscapeProbability:
    """Enclose P[T_2 < t] with t = chain.steps, T_2 the first step at which a token is outside its tube.

    Branches of probability certainly below `negligible`, and those in which more than `most_movers` tokens are away from
    where they started, are cut and their mass returned as `cut`. `picks` are the moves known of this chain.
    Raises TooManyStatesError when more than `most_branches` combinations of picks would be followed.
    """
    labels = chain.group.tolist()
    picks = picks or picks_of_chain(chain)
    origin = picks.state(chain.x)
    movers = len(origin) if most_movers is None else most_movers

    @cache
    def is_outside(label: int, place: int) -> bool:
        return bool(overshoot(chain, label, picks.tokens((place,))[0]) > 0)

    def is_dropped(after: State, share: arb) -> bool:
        return bool(share < negligible) or sum(map(ne, after, origin)) > movers

    layer: dict[State, arb] = {origin: arb(1)}
    escaped, cut, room = arb(0), arb(0), Room(most_branches, int(chain.steps.item()))
    for _ in range(int(chain.steps.item()) - 1):
        following: dict[State, arb] = {}
        for state, mass in layer.items():
            moves, lost = picks.branches(state, mass, is_dropped, room)
            cut += lost
            room.followed += len(moves)
            for moved, weight in moves:
                # T_2 is the first such step: what comes of the tokens later does not count.
                if any(map(is_outside, labels, moved)):
                    escaped += weight
                else:
                    following[moved] = following.get(moved, arb(0)) + weight
        layer = following
    return EscapeProbability(escaped, cut, room.followed)


def picks_of_chain(chain: AttentionChain) -> Picks:
    """The moves of a chain, none worked out so far."""
    return Picks(chain.beta, chain.gamma.item())


def chance_of_straight_picks(chain: AttentionChain, picks: Picks | None = None) -> arb:
    """A lower bound of P[T_2 < t]: from the start one token picks the same other one, which rests as all others do.

    It is that of the likeliest pair; 0 where no token leaves its tube before t = chain.steps so. `picks` are the moves
    known of this chain.
    """
    labels = chain.group.tolist()
    picks = picks or picks_of_chain(chain)
    origin = picks.state(chain.x)
    best = arb(0)
    most = min(int(chain.steps.item()) - 1, MOST_STRAIGHT)
    for i, j in permutations(range(len(origin)), 2):
        if not overshoot(chain, labels[i], chain.x[j]) > 0:
            continue
        state, mass = origin, arb(1)
        for _ in range(most):
            moved = picks.moved(state[i], origin[j])
            after = (*state[:i], moved, *state[i + 1 :])
            # All other branches are dropped as soon as one of their first tokens is somewhere else.
            ((state, mass),), _ = picks.branches(state, mass, partial(_is_not, after), Room(2, 1))
            if overshoot(chain, labels[i], picks.tokens((moved,))[0]) > 0:
                best = max(best, mass.lower())
                break
            if not mass > best:
                break  # it only falls
    return best


def _is_not(after: State, first: State, _: arb) -> bool:
    """Whether the places of the first tokens are others than in `after`."""
    return first != after[: len(first)]


def log_chance_alone(chain: AttentionChain, most_places: int = 64) -> float:
    """log P of the event that one token alone moves and leaves its tube before t = chain.steps; float64, exact chain.

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
                outside = overshoot(chain, int(chain.group[mover]), after) > 0
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
    # Logarithms all the way: a chance below 1e-308 is what rare escapes are made of.
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
    # Unbuffered: places that coincide are added one after the other.
    np.logaddexp.at(total, where.reshape(-1), masses)
    # Stable, so that equal chances leave the same places on every machine.
    kept = np.argsort(-total, kind="stable")[:most]
    return distinct[kept], total[kept]


def simulate_escapes(chain: AttentionChain, runs: int, rng: np.random.Generator) -> tuple[int, int]:
    """In how many of `runs` independent float64 simulations T_2 < t = chain.steps: certainly, and at most.

    The two differ by the runs in which a token came too near the tube's edge for float64 to decide. What rounding may
    change in the law of the picks is :func:`dynamics.tokens.float_runs.rounding`. Raises BeyondFloatsError.
    """
    tokens, beta, gamma = floats_of(chain)
    steps = int(chain.steps.item()) - 1
    edge = rounding(chain, steps).edge
    x = np.broadcast_to(tokens, (runs, *tokens.shape)).copy()
    surely, possibly = np.zeros((2, runs), dtype=bool)
    for _ in range(steps):
        picks = drawn(beta * (x @ transposed(x)), rng)
        x = x + gamma * (np.take_along_axis(x, picks[..., None], axis=-2) - x)
        beyond = beyond_tubes(chain, x)
        surely |= beyond > edge
        possibly |= beyond > -edge
    return int(surely.sum()), int(possibly.sum())


def binomial_tail(successes: int, trials: int, p: arb) -> arb:
    """P[Binomial(trials, p) >= successes], enclosed: the regularised incomplete beta function I_p(k, n - k + 1)."""
    if successes <= 0:
        return arb(1)
    return p.beta_lower(arb(successes), arb(trials - successes + 1), regularized=1)
