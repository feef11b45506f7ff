"""An upper bound of P[T_2 < t] for groups of any size, in closed form: so many steps with a pick outside the group.

A group leaves its tube only after some number m of steps in which one of its tokens picks outside the group (section 7 of
docs/escapes.md), and as long as no token has left, such a step has a chance of at most s:

    P[T_2 < t] <= sum over groups of C(t - 1, m) s^m.

No joint law of the picks within a step is assumed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq

from dynamics.arithmetic import Array
from dynamics.geometry import squared_distance_to_hull
from dynamics.tokens.attention_chain import AttentionChain

MOST_PICKS = 10_000


@dataclass(frozen=True)
class Stray:
    """Of one group: the number of steps with a pick outside that it needs to leave, None for never, and their chance."""

    steps: int | None
    chance: arb


def strays(chain: AttentionChain) -> list[Stray]:
    """For each group that has tokens, what it needs to leave its tube."""
    groups = sorted(set(chain.group.tolist()))
    hulls = {label: chain.x[chain.group == label] for label in groups}
    return [Stray(_steps_to_leave(chain, hulls[label]), _chance_outside(chain, label, hulls)) for label in groups]


def _steps_to_leave(chain: AttentionChain, hull: Array) -> int | None:
    """The least m with D (1 - (1 - gamma)^m) > eps, D the largest distance of a token from the hull at the start."""
    farthest = arb(max(np.asarray(squared_distance_to_hull(chain.x, hull)).flat)).sqrt()
    eps, kept = chain.eps.item(), 1 - chain.gamma.item()
    if farthest <= eps:
        return None
    left = arb(1)
    for steps in range(1, MOST_PICKS + 1):
        left *= kept
        if not farthest * (1 - left) <= eps:
            return steps
    return MOST_PICKS


def _chance_outside(chain: AttentionChain, label: int, hulls: dict[int, Array]) -> arb:
    """The chance at most that some token of the group picks outside it, at any state with all tokens in their tubes.

    Of a + u and b + w, a and b in the hulls, |u| and |w| at most eps, <a + u, a + u - b - w> is at least
    <a, a - b> - eps (|a - b| + 2 |a|) - 2 eps^2.
    """
    own, eps = hulls[label], chain.eps.item()
    origin = np.zeros(own.shape[1], dtype=object) + fmpq(0)
    nearest = np.asarray(squared_distance_to_hull(origin, own)).item()
    longest = arb(max((own * own).sum(axis=-1))).sqrt()
    total = arb(0)
    for other, points in hulls.items():
        if other == label:
            continue
        score = max((own @ points.T).flat)
        differences = own[:, None] - points[None]
        apart = arb(max((differences * differences).sum(axis=-1).flat)).sqrt()
        gap = nearest - score - eps * (apart + 2 * longest) - 2 * eps * eps
        total += len(own) * len(points) * (-chain.beta.item() * gap).exp()
    total = total.upper()
    return total if total < 1 else arb(1)


def counted_bound(chain: AttentionChain, t: int) -> arb:
    """An upper bound of P[T_2 < t]."""
    total = arb(0)
    for stray in strays(chain):
        if stray.steps is None or stray.steps > t - 1:
            continue
        total += arb(t - 1).bin(stray.steps) * stray.chance**stray.steps
    total = total.upper()
    return total if total < 1 else arb(1)
