"""Cells of a line, and a proposal for the mean escape time from every box of them.

Nothing here is trusted: :mod:`dynamics.escapes.boxes` certifies what comes out. Each box is left as from its worst place,
which is chosen by the function found so far; the mean escape time is then found by the elimination of Grassmann, Taksar
and Heyman, class of states after class of states. In the middles of balls: tokens that see each other have means that
differ by the chance of a stray pick, by 1e-867 of themselves, and no float tells which of them is the larger.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy  # its parts are loaded when they are used
from flint import arb, fmpq

from dynamics.arithmetic import Array, fraction
from dynamics.escapes.boxes import Boxes, Cell, Line, State
from dynamics.tokens.attention_chain import AttentionChain

ROUNDS = 60
"""Worst places are improved at most so often."""

BITS = 128
"""Bits of numbers beyond those that a rare pick needs."""

GRADE = 0.5
"""The first interval is shorter than the others of a tube by so much of beta times the slope of the scores times eps."""

PLACES = 2**40
"""A tube's edge is known to one part in so many of the line's unit."""


class _Picks(NamedTuple):
    low: arb
    high: arb
    targets: list[int]
    is_surely_inside: bool


def cells_of(chain: AttentionChain, line: Line, counts: dict[int, int]) -> dict[int, list[Cell]]:
    """For each group intervals over its tube, so many of them beyond each end of its hull, and its tokens as points.

    They are short near the hull, where the chance to pick outside is least, and grow with the displacement, so that this
    chance changes by like factors. A group of the count 0 has one interval over all of its tube.
    """
    found = {}
    inner, outer = _root(chain.eps.item() ** 2 / line.square)
    reached = min(line.coordinates), max(line.coordinates)
    steepest = max(abs(line.offset + s * line.square) for s in line.coordinates) + line.square
    growth = max(math.log1p(GRADE * float(fraction(chain.beta.item() * steepest * inner))), 1e-9)  # where it is none
    for label, count in counts.items():
        own = {s for s, other in zip(line.coordinates, chain.group.tolist(), strict=True) if other == label}
        if count == 0:
            found[label] = [Cell(max(min(own) - outer, reached[0]), min(max(own) + outer, reached[1]))]
            continue
        shares = [fmpq(int(math.expm1(growth * k / count) / math.expm1(growth) * 2**20), 2**20) for k in range(1, count)]
        # Between the two ends of the last interval lies what may or may not belong to the tube: its edge may be irrational.
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

    It is 0 for the least where a part of the box may be outside. The precision has to be `bits_of` the boxes at least.
    """
    index = {state: k for k, state in enumerate(boxes.states)}
    picks = [
        [
            _Picks(term.low, term.high, [index[one] for one in term.inside], term.is_surely_inside)
            for term in boxes.departure(state).terms
        ]
        for state in boxes.states
    ]
    h = [arb(0)] * len(index)
    for block in _classes(picks):
        counted = [int(k) for k in block if upwards or boxes.is_inside(boxes.states[k])]
        if counted:
            _solve(counted, picks, h, upwards)
    return {state: h[k] for state, k in index.items()}


def bits_of(boxes: Boxes) -> int:
    """So many that what a rare pick changes is seen beside what likely ones do."""
    # Combinations that are rarer are not listed at all.
    rarest = boxes.negligible if boxes.negligible > 0 else arb(1)
    return BITS + max(int(-float(rarest.log().mid()) / math.log(2)), 0)


def _classes(picks: list[list[_Picks]]) -> list[Array]:
    """Classes of states that lead to each other, those that are reached before those that reach them."""
    size = len(picks)
    pairs = [(k, after) for k, row in enumerate(picks) for one in row for after in one.targets] or [(0, 0)]
    rows, columns = np.array(pairs, dtype=int).T
    graph = scipy.sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(size, size)).tocsr()
    # scipy numbers a class after all that it leads to.
    number, label = scipy.sparse.csgraph.connected_components(graph, connection="strong")
    sizes = np.bincount(label, minlength=number)
    return list(np.split(np.argsort(label, kind="stable"), np.cumsum(sizes)[:-1]))


def _solve(block: list[int], picks: list[list[_Picks]], h: list[arb], upwards: bool) -> None:
    """Set h on a class of states, from h on all that it leads to."""
    place = {k: number for number, k in enumerate(block)}
    worst = max if upwards else min
    before: list[tuple[int, bool]] = []
    for _ in range(ROUNDS):
        moves = np.zeros((len(block), len(block)), dtype=object) + arb(0)
        leaves, gains = (np.zeros(len(block), dtype=object) + arb(k) for k in range(2))
        chosen: list[tuple[int, bool]] = []
        # Each round is the best policy against the h before, as in policy iteration: it ends where nothing is chosen anew.
        for number, k in enumerate(block):
            for low, high, targets, is_surely_inside in picks[k]:
                target, value = -1, arb(0)
                if targets and (upwards or is_surely_inside):
                    target = worst(targets, key=h.__getitem__)
                    value = h[target]
                # Nothing is known of the class at first: it is taken to be higher than what it leads to.
                falls = bool(value < h[k]) or (not before and target not in place)
                rate = low if falls == upwards else high
                chosen.append((target, falls))
                if target == k:
                    continue
                if target in place:
                    moves[number, place[target]] += rate
                else:
                    leaves[number] += rate
                    gains[number] += rate * value
        if chosen == before:
            return
        for k, value in zip(block, _eliminated(moves, leaves, gains), strict=True):
            h[k] = value.mid()
        if not all(h[k].is_finite() for k in block):
            return
        before = chosen


def _eliminated(moves: Array, leaves: Array, gains: Array) -> Array:
    """x with sum_j moves_ij (x_i - x_j) + leaves_i x_i = gains_i, without a subtraction; not finite where there is none."""
    totals, found = leaves.copy(), gains.copy()
    # Few states lead to each other: what is zero is left out.
    from_each: list[list[int]] = [[]] * len(leaves)
    for k in range(len(leaves) - 1, -1, -1):
        into = [j for j in range(k) if not moves[j, k].is_zero()]
        from_each[k] = [j for j in range(k) if not moves[k, j].is_zero()]
        # State k is left at these rates together: who moves to k moves on in these shares, and k is gone.
        totals[k] = leaves[k] + sum(moves[k, from_each[k]])
        share = moves[into, k] / totals[k]
        moves[np.ix_(into, from_each[k])] += share[:, None] * moves[k, from_each[k]]
        leaves[into] += share * leaves[k]
        gains[into] += share * gains[k]
    for k, others in enumerate(from_each):
        found[k] = (gains[k] + sum(moves[k, others] * found[others])) / totals[k]
    return found
