"""Two-sided bounds of E T_2 for groups of several tokens, whose displacements may return (section 9 of docs/escapes.md)."""

from __future__ import annotations

from flint import arb

from dynamics.arithmetic import Array
from dynamics.escapes.counting import counted_bound
from dynamics.escapes.departures import inner, minus
from dynamics.escapes.times import Enclosure
from dynamics.tokens.attention_chain import AttentionChain

MOST_PICKS = 10_000


def bounded_mean(chain: AttentionChain) -> Enclosure:
    """E T_2 between max_t t P[T_2 >= t], by the count of picks, and the wait for one token's run of picks.

    The upper bound is infinite where no run of one token to one other group leads out of its tube from everywhere.
    """
    low = arb(1)
    for k in range(1, 1200):
        bound = 1 - counted_bound(chain, 1 << k)
        if not bound > 0:
            break
        low = max(low, ((1 << k) * bound).lower())
    runs = [run for run in (_run(chain, a, b) for a in _labels(chain) for b in _labels(chain) if a != b) if run is not None]
    return Enclosure(low, min(runs) if runs else arb("inf"))


def _labels(chain: AttentionChain) -> list[int]:
    return sorted(set(chain.group.tolist()))


def _run(chain: AttentionChain, own: int, other: int) -> arb | None:
    """m/p^m, where from every state inside the tubes m picks in a row, each of a chance of at least p, lead out.

    One token of the group `own` picks one and the same token of `other`, which stays within its tube or has left it.
    """
    hull, target = chain.x[chain.group == own], chain.x[chain.group == other]
    eps, kept = chain.eps.item(), 1 - chain.gamma.item()
    # <l, .> separates the two hulls, l from a vertex to a vertex; the picked token is eps nearer at most.
    best: arb | None = None
    for a in hull.tolist():
        for b in target.tolist():
            direction = minus(tuple(b), tuple(a))
            top = max(inner(direction, tuple(place)) for place in hull.tolist())
            beyond = min(inner(direction, tuple(place)) for place in target.tolist()) - top
            if beyond > 0:
                room = (beyond / arb(inner(direction, direction)).sqrt() - eps).lower()
                best = room if best is None else max(best, room)
    if best is None or not best > eps:
        return None
    # Before the run the token may be eps on the other side of the hull's edge, or deeper by the hull's width.
    width = _width(hull) + eps
    share, steps = arb(1), 0
    while not best - share * (best + width) > eps:
        share, steps = share * kept, steps + 1
        if steps > MOST_PICKS:
            return None
    cost = _dearest_pick(chain)
    chance = (-chain.beta.item() * cost).exp() / len(chain.x)
    return (steps / chance**steps).upper()


def _width(points: Array) -> arb:
    differences = points[:, None] - points[None]
    return arb(max((differences * differences).sum(axis=-1).flat)).sqrt()


def _dearest_pick(chain: AttentionChain) -> arb:
    """max <x, y - z> over tokens x, y, z within the first hull: no pick costs more."""
    scores = chain.x @ chain.x.T
    return arb(max(max(row) - min(row) for row in scores.tolist()))
