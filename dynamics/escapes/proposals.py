"""Cells of a line, and a float's proposal for the mean escape time from every box of them.

Nothing here is trusted: :mod:`dynamics.escapes.boxes` certifies what comes out. Each box is left as from its worst place,
which is chosen by the function found so far; the mean escape time is then found by the elimination of Grassmann, Taksar
and Heyman, class of states after class of states. Long floats, whose exponents reach 1e4932 where the machine has them.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from flint import arb, fmpq
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from dynamics.arithmetic import Array, fraction
from dynamics.escapes.boxes import Boxes, Cell, Line, State
from dynamics.tokens.attention_chain import AttentionChain

ROUNDS = 60
"""Worst places are improved at most so often."""

SPARE = 1e-9
"""The function gains so much more than it needs, in units of itself: room for the rounding of floats."""

GRADE = 0.5
"""The first interval is shorter than the others of a tube by so much of beta times the slope of the scores times eps."""

CLOSE = 1e-14
"""Two values of the function that differ by less, relatively, are not told apart."""

PLACES = 2**40
"""A tube's edge is known to one part in so many of the line's unit."""


class _Picks(NamedTuple):
    low: np.longdouble
    high: np.longdouble
    targets: Array
    is_surely_inside: bool


def cells_of(chain: AttentionChain, line: Line, counts: dict[int, int]) -> dict[int, list[Cell]]:
    """For each group intervals over its tube, so many of them beyond each end of its hull, and its tokens as points.

    They are short near the hull, where the chance to pick outside is least, and grow with the displacement, so that this
    chance changes by like factors.
    """
    found = {}
    inner, outer = _root(chain.eps.item() ** 2 / line.square)
    reached = min(line.coordinates), max(line.coordinates)
    steepest = max(abs(line.offset + s * line.square) for s in line.coordinates) + line.square
    growth = math.log1p(GRADE * float(fraction(chain.beta.item() * steepest * inner)))
    for label, count in counts.items():
        own = {s for s, other in zip(line.coordinates, chain.group.tolist(), strict=True) if other == label}
        shares = [fmpq(int(math.expm1(growth * k / count) / math.expm1(growth) * 2**20), 2**20) for k in range(1, count)]
        # Between the two ends of the last interval lies what may or may not belong to the tube.
        away = [share * inner for share in shares] + [inner, outer]
        cuts = own | {max(own) + one for one in away} | {min(own) - one for one in away}
        for one, other in pairwise(sorted(own)):
            cuts |= {one + (other - one) * fmpq(k, count) for k in range(count)}
        cuts = {min(max(cut, reached[0]), reached[1]) for cut in cuts}
        cells = []
        ends = sorted(cuts)
        for k, low in enumerate(ends):
            cells += [Cell(low, low)] if low in own else []
            cells += [Cell(low, high) for high in ends[k + 1 : k + 2]]
        found[label] = cells
    return found


def _root(square: fmpq) -> tuple[fmpq, fmpq]:
    """The square root between two rationals, which agree where it is one."""
    exact = fmpq(square.p.isqrt(), square.q.isqrt())
    if exact * exact == square:
        return exact, exact
    scaled = square * PLACES**2
    root = int((scaled.p // scaled.q).isqrt())
    return fmpq(root, PLACES), fmpq(root + 1, PLACES)


def states_of(chain: AttentionChain, cells: dict[int, list[Cell]]) -> int:
    """How many states there are."""
    labels, total = chain.group.tolist(), 1
    for label, found in cells.items():
        total *= math.comb(len(found) + labels.count(label) - 1, labels.count(label))
    return total


def proposal(boxes: Boxes, upwards: bool) -> dict[State, arb]:
    """A function of states that nearly solves h - P h = 1, with the most of each image if `upwards`, else the least.

    It is 0 for the least where a part of the box may be outside.
    """
    index = {state: k for k, state in enumerate(boxes.states)}
    picks = [
        [
            _Picks(
                _number(term.low), _number(term.high), np.array([index[one] for one in term.inside]), term.is_surely_inside
            )
            for term in boxes.departure(state).terms
        ]
        for state in boxes.states
    ]
    h = np.zeros(len(index), dtype=np.longdouble)
    may_count = np.array([upwards or boxes.is_inside(state) for state in boxes.states])
    for block in _classes(picks):
        counted = block[may_count[block]]
        if len(counted):
            _solve(counted, picks, h, upwards)
    return {state: _ball(h[k]) for state, k in index.items()}


def _classes(picks: list[list[_Picks]]) -> list[Array]:
    """Classes of states that lead to each other, those that are reached before those that reach them."""
    size = len(picks)
    pairs = [(k, after) for k, row in enumerate(picks) for one in row for after in one.targets] or [(0, 0)]
    rows, columns = np.array(pairs, dtype=int).T
    graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(size, size)).tocsr()
    # scipy numbers a class after all that it leads to.
    number, label = connected_components(graph, connection="strong")
    sizes = np.bincount(label, minlength=number)
    return list(np.split(np.argsort(label, kind="stable"), np.cumsum(sizes)[:-1]))


def _solve(block: Array, picks: list[list[_Picks]], h: Array, upwards: bool) -> None:
    """Set h on a class of states, from h on all that it leads to."""
    place = {int(k): number for number, k in enumerate(block)}
    spare = np.zeros(len(block), dtype=np.longdouble)
    before: list[tuple[int, bool]] = []
    for _ in range(ROUNDS):
        moves = np.zeros((len(block), len(block)), dtype=np.longdouble)
        leaves, gains = np.zeros((2, len(block)), dtype=np.longdouble)
        chosen: list[tuple[int, bool]] = []
        for number, k in enumerate(block):
            for low, high, targets, is_surely_inside in picks[k]:
                target, value = -1, np.longdouble(0)
                if len(targets) and (upwards or is_surely_inside):
                    ends = h[targets]
                    best = int(ends.argmax() if upwards else ends.argmin())
                    target, value = int(targets[best]), ends[best]
                # Nothing is known of the class at first: it is taken to be higher than what it leads to.
                falls = bool(value < h[k]) or (not before and target not in place)
                if before:
                    # What differs by a rounding is not changed: it would go to and fro for ever.
                    old_target, old_falls = before[len(chosen)]
                    if old_target >= 0 and abs(h[old_target] - value) <= CLOSE * value:
                        target, value = old_target, h[old_target]
                    if abs(h[k] - value) <= CLOSE * value:
                        falls = old_falls
                rate = low if falls == upwards else high
                chosen.append((target, falls))
                if target == k:
                    continue
                if target in place:
                    moves[number, place[target]] += rate
                else:
                    leaves[number] += rate
                    gains[number] += rate * value
        h[block] = _eliminated(moves, leaves, 1 + gains + spare)
        if not np.isfinite(h[block]).all():
            return
        if chosen == before:
            if spare.any():
                return
            spare = (SPARE if upwards else -SPARE) * (moves.sum(axis=1) + leaves) * h[block]
        before = chosen


def _eliminated(moves: Array, leaves: Array, gains: Array) -> Array:
    """x with sum_j moves_ij (x_i - x_j) + leaves_i x_i = gains_i, without a subtraction."""
    totals, found = np.zeros((2, len(leaves)), dtype=leaves.dtype)
    with np.errstate(divide="ignore", invalid="ignore"):
        for k in range(len(leaves) - 1, -1, -1):
            totals[k] = leaves[k] + moves[k, :k].sum()
            share = moves[:k, k] / totals[k]
            moves[:k, :k] += share[:, None] * moves[k, :k]
            leaves[:k] += share * leaves[k]
            gains[:k] += share * gains[k]
        for k in range(len(leaves)):
            found[k] = (gains[k] + moves[k, :k] @ found[:k]) / totals[k]
    return found


def _number(value: arb) -> np.longdouble:
    """The middle of a ball in a long float, whose exponent is not that of a float."""
    mantissa, exponent = map(int, value.mid().man_exp())
    shift = max(mantissa.bit_length() - 53, 0)
    return np.longdouble(np.ldexp(np.longdouble(mantissa >> shift), exponent + shift))


def _ball(value: np.longdouble) -> arb:
    if not np.isfinite(value):
        return arb("inf")
    mantissa, exponent = np.frexp(value)
    return arb(float(mantissa)) * arb(2) ** int(exponent)
