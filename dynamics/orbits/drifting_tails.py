"""Averaging dynamics that converge more slowly than geometrically: offsets (1 - gamma)^k (e + k b).

While neighbours stay, the offsets e = z - z* from the limits move by M = (1 - gamma) I + gamma W. Where W (W e) = 0,

    e^k = (1 - gamma)^k (e + k b),   b = gamma / (1 - gamma) W e,

for (1 - gamma)^-1 M = I + beta W with beta = gamma / (1 - gamma) has the powers I + k beta W on e. With t = (1 - gamma)^k

    <A z_i, z_l - z_j> - delta = a_0 + t (a_1 + k b_1) + t^2 (a_2 + k b_2 + k^2 c_2)

and its sign for all k >= 0 follows from the first terms that do not vanish, if these exceed the largest that the others can
reach: k^m t^r is largest at the first k at which another step makes it smaller. Tokens of this kind follow others that
close in by the factor 1 - gamma, as they do themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from dynamics.arithmetic import Array, numbers
from dynamics.findings import start_of, tell
from dynamics.orbits.final_neighbours import AveragingStep, NotSettledError, limits_of
from dynamics.tokens.averaging import Averaging


@dataclass(frozen=True)
class Tails:
    """Final neighbours: z^k = limits + (1 - gamma)^k (offsets + k drift) for all k >= 0, each (n, d)."""

    limits: Array
    offsets: Array
    drift: Array


def drifting_tails(start: AveragingStep, steps: int) -> Tails:
    """The tails of an exact orbit from the given step on.

    Raises NotSettledError where the neighbours of that step are not shown to be final, or the tails are of another kind,
    as they are for every step size outside (0, 1).
    """
    now = start
    for _ in range(steps):
        now = now.step()
    averages = now.averaging()
    found = _tails(averages) if 0 < averages.gamma.item() < 1 else None
    if found is None or not neighbours_stay(averages, found):
        raise NotSettledError(f"tails (1 - gamma)^k (e + k b) are not shown after {steps} steps")
    attended = [np.flatnonzero(row).tolist() for row in averages.W]
    tell("drift", start=start_of(start), since=steps, neighbours=attended, **vars(found))
    return found


def _tails(now: Averaging) -> Tails | None:
    limits = limits_of(now.W, now.z)
    offsets = now.z - limits
    pull = now.W @ offsets
    # The next power of W would add a term in k^2, which is not of this kind.
    if (now.W @ pull != 0).any():
        return None
    return Tails(limits, offsets, numbers(now.gamma.item() / (1 - now.gamma.item()) * pull))


def neighbours_stay(now: Averaging, tails: Tails) -> bool:
    """Whether every neighbour stays one at all later steps, and no other token becomes one."""
    keep, neighbours = 1 - now.gamma.item(), now.W != 0
    below, above = np.zeros((2, *neighbours.shape, len(neighbours)), dtype=bool)
    for i, l, j in np.ndindex(below.shape):
        terms = _terms(now, tails, i, l, j)
        below[i, l, j] = stays_positive([-c for c in terms], keep) or not any(terms)
        above[i, l, j] = stays_positive(terms, keep)
    return bool(np.where(neighbours, below.all(axis=1), above.any(axis=1)).all())


def _terms(now: Averaging, tails: Tails, i: int, l: int, j: int) -> list[fmpq]:
    """a_0, a_1, b_1, a_2, b_2, c_2 of <A z_i, z_l - z_j> - delta."""
    s, e, b = now.A @ tails.limits[i], now.A @ tails.offsets[i], now.A @ tails.drift[i]
    S, E, B = (part[l] - part[j] for part in (tails.limits, tails.offsets, tails.drift))
    return [s @ S - now.delta.item(), s @ E + e @ S, s @ B + b @ S, e @ E, e @ B + b @ E, b @ B]


def stays_positive(terms: list[fmpq], keep: fmpq) -> bool:
    """Whether a_0 + t (a_1 + k b_1) + t^2 (a_2 + k b_2 + k^2 c_2) > 0 is certain for t = keep^k and all k >= 0."""
    a_0, a_1, b_1, a_2, b_2, c_2 = terms
    # In the limit a_0 decides, where it does not vanish, and the other terms may not outweigh it on the way.
    if a_0 != 0:
        once, twice = largest(1, 1, keep), (largest(1, 2, keep), largest(2, 2, keep))
        return bool(a_0 > abs(a_1) + abs(b_1) * once + abs(a_2) + abs(b_2) * twice[0] + abs(c_2) * twice[1])
    if a_1 != 0 or b_1 != 0:
        # Divided by t: a_1 + k b_1 and what is left of the squares.
        return bool(b_1 >= 0 and a_1 > abs(a_2) + abs(b_2) * largest(1, 1, keep) + abs(c_2) * largest(2, 1, keep))
    return bool(a_2 > 0 and b_2 >= 0 and c_2 >= 0)


def largest(m: int, r: int, keep: fmpq) -> fmpq:
    """The largest k^m keep^(r k) over k >= 1, for m, r >= 1 and keep in (0, 1): the ratio of two of them falls with k."""
    k = 1
    # (1 + 1/k)^m keep^r falls with k, so that terms grow until it is at most 1.
    while fmpq(k + 1, k) ** m * keep**r > 1:
        k += 1
    return fmpq(k) ** m * keep ** (r * k)
