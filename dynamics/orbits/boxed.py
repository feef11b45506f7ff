"""Limits under any rule for neighbours: offsets stay in a box, and a rule that is decided on the box is decided for ever.

Where the neighbours of steps 0, ..., p - 1 repeat, z^{r + k p} = P_r^k z^r at phase r, with P_r stochastic and s_r = lim
P_r^k z^r, as in :mod:`dynamics.orbits.cycles`. The offsets z - s_r move by P_r, too, so that at all later visits of phase
r each coordinate of each offset is between the least and the largest that it now has among the tokens, 0 included. So every
token i stays in the box s_i + [low, high]. Where the rule, whatever it is, makes the same tokens neighbours for all places
in these boxes, at every phase, the turn repeats by induction over the steps, and s_0, ..., s_{p-1} are all the limit
points.

What the rule compares is bounded in rational intervals: with u = A z_i in [A s_i + A low, A s_i + A high], taken entry by
entry, and w = z_l - z_j in s_l - s_j + [low - high, high - low], or 0 for tokens that stay at one place,

    gap_i(z_j) = max_l <u, w>,    h(z_i) = max_l <u, z_l>,    r_i = <u, z_i>.

Averages over distinct points change where tokens meet, and here none do: at one place they would have the same neighbours,
so those of their boxes are the same, at this phase and, as they stay together, at all others; but tokens that take the same
averages keep their difference up to positive factors. :mod:`dynamics.orbits.final_neighbours` decides more where delta
bounds the gaps: there equalities that hold in the limit alone are no obstacle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dynamics.arithmetic import Array, numbers
from dynamics.enclosures.remembered import once
from dynamics.orbits.cycles import turns
from dynamics.orbits.final_neighbours import NotSettledError, alike, at_one_place, limits_of, tell_ending
from dynamics.tokens.averaging import Averaging
from dynamics.tokens.localmax import RELATIVE, SELF, STRICT, WEIGHTED, LocalmaxStep


@dataclass(frozen=True)
class Turn:
    """p steps that repeat for ever, each at a later visit nearer to its limit: their states, and the limits (p, n, d)."""

    states: Sequence[LocalmaxStep]
    limits: Array

    def __post_init__(self) -> None:
        # It is shared by all who ask for the same end.
        self.limits.flags.writeable = False


def lasting_turn(start: LocalmaxStep, steps: int, longest: int = 4) -> Turn:
    """Follow an exact orbit under any rule until a turn of at most `longest` steps is certain to repeat for ever.

    Raises NotSettledError where none is within so many steps, ValueError for a step size outside (0, 1).
    """
    if not 0 < start.gamma.item() < 1:
        raise ValueError(f"a step size in (0, 1) is needed, not {start.gamma.item()}")
    return once(start, ("turn", steps, longest), lambda: _lasting_turn(start, steps, longest))


def _lasting_turn(start: LocalmaxStep, steps: int, longest: int) -> Turn:
    states = [start]
    near = [start.neighbours()]
    for _ in range(steps + longest):
        # Short turns first: a turn of p steps repeats as one of 2 p, too.
        for p in range(1, longest + 1):
            if len(states) > p and all((near[-1 - k] == near[-1 - k - p]).all() for k in range(min(p, len(near) - p))):
                turn = repeated(states[-p:], start, len(states) - p)
                if turn is not None:
                    return turn
        states.append(states[-1].step())
        near.append(states[-1].neighbours())
    raise NotSettledError(f"no turn of at most {longest} steps is certain to repeat after {steps} steps")


def repeated(cycle: Sequence[LocalmaxStep], start: object = None, since: int = 0) -> Turn | None:
    """The turn of these p steps if it is certain to repeat for ever, else None.

    It is told as what becomes of the orbit of `start` from the step `since` on.
    """
    path = [Averaging(now.z, now.A, now.gamma, now.delta, now.weights()) for now in cycle]
    same_average = np.logical_and.reduce([alike(now) for now in path])
    products, limits = list(turns(path)), []
    for state, now, turn in zip(cycle, path, products, strict=True):
        s = limits_of(turn, now.z)
        if not _stays(state, s, same_average & at_one_place(now)):
            return None
        limits.append(s)
    tell_ending(start, since, path, products, limits, [np.full(len(now.z), None) for now in path])
    return Turn(tuple(cycle), numbers(np.stack(limits)))


def _stays(f: LocalmaxStep, s: Array, together: Array) -> bool:
    """Whether all tokens in their boxes around the limits s (n, d) have the neighbours of this state."""
    near, far = _certain(f, s, *_box(numbers(f.z - s)), together)
    now = f.neighbours()
    return bool((near | ~now).all() and (far | now).all())


def _box(e: Array) -> tuple[Array, Array]:
    """The least and the largest of each coordinate of the offsets (n, d) and of 0: what averages of them cannot leave."""
    return np.minimum(e.min(axis=0), 0), np.maximum(e.max(axis=0), 0)


def _certain(f: LocalmaxStep, s: Array, low: Array, high: Array, together: Array) -> tuple[Array, Array]:
    """Who is a neighbour of whom everywhere in the boxes, and who nowhere; boolean (n, n) each."""
    ends = np.stack([f.A * low, f.A * high])
    u = s @ f.A.T
    directions = u + ends.min(axis=0).sum(axis=-1), u + ends.max(axis=0).sum(axis=-1)
    # Each token may be anywhere in its box, so that two differ by up to a width more or less; those together stay so.
    apart = s[:, None, :] - s[None, :, :]
    wide = (~together)[..., None] * (high - low)
    # [i, l, j] of <A z_i, z_l - z_j>, and the largest over l: at least 0, which l = j gives.
    by_token = tuple(end[:, None, None, :] for end in directions)
    least, most = _inner(by_token, (apart - wide, apart + wide))
    gap_low, gap_high = least.max(axis=1), most.max(axis=1)
    delta, rule = f.delta.item(), f.which
    own = np.eye(len(s), dtype=bool)
    # Near at the upper end of a gap and the lower one of its tolerance, far the other way about.
    if rule == RELATIVE:
        low_scores, high_scores = _inner(tuple(end[:, None, :] for end in directions), (s + low, s + high))
        tolerance = [np.maximum(delta * scores.max(axis=-1), 0)[:, None] for scores in (low_scores, high_scores)]
        return np.asarray(gap_high <= tolerance[0]), np.asarray(gap_low > tolerance[1])
    if rule == WEIGHTED:
        norms = [np.maximum(end, 0)[:, None] for end in _inner(directions, (s + low, s + high))]
        near, far = (gap * gap for gap in (gap_high, gap_low))
        return np.asarray(near <= delta * delta * norms[0]), np.asarray(far > delta * delta * norms[1])
    if rule == STRICT:
        return np.asarray((gap_high < delta) | (gap_high <= 0)), np.asarray((gap_low >= delta) & (gap_low > 0))
    near, far = np.asarray(gap_high <= delta), np.asarray(gap_low > delta)
    return (near | own, far & ~own) if rule == SELF else (near, far)


def _inner(x: tuple[Array, ...], y: tuple[Array, ...]) -> tuple[Array, Array]:
    """The least and the largest <x, y> for entries in the intervals given by their ends, along the last axis."""
    products = np.stack([one * other for one in x for other in y])
    return products.min(axis=0).sum(axis=-1), products.max(axis=0).sum(axis=-1)
