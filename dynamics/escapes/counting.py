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
    eps, kept = chain.eps.item(), 1 - chain.gamma.item()
    hulls = {label: chain.x[chain.group == label] for label in sorted(set(chain.group.tolist()))}
    found = []
    for label, hull in hulls.items():
        # The least m with D (1 - (1 - gamma)^m) > eps, D the largest distance of a token from the hull at the start: no
        # token is ever farther away, as all stay in the first hull of all.
        farthest = arb(max(np.asarray(squared_distance_to_hull(chain.x, hull)).flat)).sqrt()
        steps, left = 1, arb(1) * kept
        # Where a ball does not tell, the smaller number stands, and so it does at the limit: fewer steps bound from above.
        while farthest * (1 - left) <= eps and steps < MOST_PICKS:
            steps, left = steps + 1, left * kept
        found.append(Stray(None if farthest <= eps else steps, _chance_outside(chain, label, hulls)))
    return found


def _chance_outside(chain: AttentionChain, label: int, hulls: dict[int, Array]) -> arb:
    """The chance at most that some token of the group picks outside it, at any state with all tokens in their tubes.

    Of a + u and b + w, a and b in the hulls, |u| and |w| at most eps, <a + u, a + u - b - w> is at least
    <a, a - b> - eps (|a - b| + 2 |a|) - 2 eps^2.
    """
    own, eps = hulls[label], chain.eps.item()
    origin = np.zeros(own.shape[1], dtype=object) + fmpq(0)
    # Over the hull <a, a - b> is at least its least square less its largest score: both ends need not be at one a.
    nearest = np.asarray(squared_distance_to_hull(origin, own)).item()
    longest = arb(max((own * own).sum(axis=-1))).sqrt()
    total = arb(0)
    for other, points in hulls.items():
        if other == label:
            continue  # a pick within the group takes no token farther from its hull
        score = max((own @ points.T).flat)
        differences = own[:, None] - points[None]
        apart = arb(max((differences * differences).sum(axis=-1).flat)).sqrt()
        gap = nearest - score - eps * (apart + 2 * longest) - 2 * eps * eps
        total += len(own) * len(points) * (-chain.beta.item() * gap).exp()
    return min(arb(1), total.upper())


def counted_bound(chain: AttentionChain, t: int) -> arb:
    """An upper bound of P[T_2 < t]."""
    total = arb(0)
    for stray in strays(chain):
        if stray.steps is not None and stray.steps < t:
            # Any m of the t - 1 steps may be those with a pick outside, each of a chance of s given all before it.
            total += arb(t - 1).bin(stray.steps) * stray.chance**stray.steps
    return min(arb(1), total.upper())
