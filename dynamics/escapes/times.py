"""The law of the escape time T_2 from the histories of the attention chain: mean, variance, chances and quantiles.

A step stays at its node or moves on, so that T_2 is a sum of geometric waiting times along a random path. Moments follow by
one pass from the ends of the graph to its start. The law is a sum of positive terms after few steps, a power of the
matrix, squared again and again, of a small graph, and an integral around the chances to move of any other graph. Sections
3 to 5 of docs/escapes.md derive them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from math import isqrt
from typing import Any

import flint
from flint import acb, arb, arb_mat, fmpq

from dynamics.arithmetic import UndecidedError, working_precision
from dynamics.escapes.departures import ALL, NOTHING
from dynamics.escapes.histories import Histories, Node


class OpenMeanError(UndecidedError):
    """Something was cut, and no upper bound of the time from there is known."""

    precision_helps = False


class TooStiffError(UndecidedError):
    """The law after that many steps needs more work than was allowed."""

    precision_helps = False


@dataclass(frozen=True)
class Enclosure:
    """Numbers between `low` and `high`."""

    low: arb
    high: arb

    @property
    def ball(self) -> arb:
        """A ball around all of it."""
        return self.low.union(self.high)

    @property
    def digits(self) -> float:
        """The number of decimal digits known."""
        ratio = (self.high - self.low) / self.low
        return float("inf") if ratio.is_zero() else -float(ratio.log().mid()) / 2.302585092994046 if ratio > 0 else 0.0


# ---------------------------------------------------------------------------------------------------------------------
# Moments


def _average(node: Node, value: Callable[[int], Enclosure]) -> Enclosure:
    """The average of a value over where the node leads; it is 0 outside."""
    low, high = arb(0), arb(0)
    for index, chance in node.edges:
        ends = value(index)
        low += chance * ends.low
        high += chance * ends.high
    for index, chance in node.unsure:  # outside, or a child inside
        high += chance * value(index).high
    return Enclosure(low, high)


def _centred(node: Node, value: Callable[[int], Enclosure]) -> Enclosure:
    """The same from chances that are wide balls: they sum to 1, so that only differences from a fixed number weigh them."""
    ends = [(value(index), chance, True) for index, chance in node.edges]
    ends += [(value(index), chance, False) for index, chance in node.unsure]
    centre = sum((chance.mid() * (end.low.mid() + end.high.mid()) / 2 for end, chance, _ in ends), arb(0)).mid()
    low = high = centre
    for end, chance, is_inside in ends:
        low += chance * ((end.low if is_inside else arb(0)) - centre)
        high += chance * (end.high - centre)
    rest = (node.out + node.dropped) * -centre
    return Enclosure(low + rest, high + rest)


def mean(histories: Histories) -> Enclosure:
    """E T_2. Raises OpenMeanError where something was cut and no bound of the time from there is known."""
    if histories.boxes:
        return escape_moments(histories)[0]
    most = _longest_mean(histories)
    # Not by `escape_moments`: the second moments would cost as much again, on each of many attempts.
    # From above the mean is larger by the longest one for what is cut; most nodes lead to nothing of that.
    low: list[arb] = [NOTHING] * len(histories.nodes)
    lost = low.copy()
    for index in range(len(low) - 1, -1, -1):
        node = histories.nodes[index]
        if node.is_cut:
            low[index], lost[index] = ALL, most - 1
            continue
        low[index] = sum((chance * low[child] for child, chance in node.edges), 1 / node.leave)
        rest = NOTHING if node.dropped is NOTHING else node.dropped * most
        for child, chance in node.edges:
            if lost[child] is not NOTHING:
                rest += chance * lost[child]
        lost[index] = rest
    return Enclosure(low[0].lower(), (low[0] + lost[0]).upper())


def _longest_mean(histories: Histories) -> arb:
    """Of what was cut; none where nothing was."""
    if histories.pace is None and not histories.whole:
        raise OpenMeanError("some picks were cut, and it is not known how long the tokens may stay after them")
    return NOTHING if histories.pace is None else histories.pace.longest_mean


def escape_moments(histories: Histories) -> tuple[Enclosure, Enclosure]:
    """E T_2 and E T_2^2. Raises OpenMeanError as :func:`mean` does."""
    nodes, most = histories.nodes, _longest_mean(histories)
    average = _centred if histories.boxes else _average
    first: list[Enclosure] = [Enclosure(arb(0), arb(0))] * len(nodes)
    second = list(first)
    for index in range(len(nodes) - 1, -1, -1):
        node = nodes[index]
        if node.is_cut:
            # Inside its tube a token needs a step at least. E T (T + 1)/2 sums E_x T over the states visited before T.
            first[index], second[index] = Enclosure(arb(1), most), Enclosure(arb(1), 2 * most * most)
            continue
        once, twice = average(node, first.__getitem__), average(node, second.__getitem__)
        wait = 1 / node.leave
        low, high = once.low.lower(), (once.high + node.dropped * most).upper()
        first[index] = (
            Enclosure((wait + low).lower(), (wait + high).upper())
            if histories.boxes
            else Enclosure(wait + once.low, wait + once.high + node.dropped * most)
        )
        squared = (1 + node.stay) * wait * wait
        ends = Enclosure(
            squared + 2 * wait * low + twice.low,
            squared + 2 * wait * high + twice.high + node.dropped * 2 * most * most,
        )
        second[index] = Enclosure(ends.low.lower(), ends.high.upper()) if histories.boxes else ends
    return _ordered(first[0]), _ordered(second[0])


def variance(histories: Histories) -> Enclosure:
    """Var T_2 = E T_2^2 - (E T_2)^2."""
    once, twice = escape_moments(histories)
    return _ordered(Enclosure(twice.low - once.high**2, twice.high - once.low**2))


def _ordered(ends: Enclosure) -> Enclosure:
    return Enclosure(ends.low.lower(), ends.high.upper())


# ---------------------------------------------------------------------------------------------------------------------
# The law

MOST_ADDED = 4096
"""Up to so many steps the law is summed step by step."""

MOST_TERMS = 2_000_000
"""Products of steps and nodes, of such a sum."""

MOST_SQUARED = 48
"""Up to so many nodes the matrix of the chain is squared."""

SPARE_BITS = 80
"""Bits that squaring has to leave: each loses one of the chances to stay and one of the result."""


def without_cuts(histories: Histories) -> tuple[list[Node], list[Node]]:
    """Two graphs in which nothing is cut: T_2 is no later than in the first, and no earlier than in the second.

    What was cut makes as many moves as there may be at the slowest pace, in the first (it never leaves where no pace is
    known), and as few as it needs at the fastest one, in the second.
    """
    if histories.whole:
        return histories.nodes, histories.nodes
    pace, needed = histories.pace, [node.needed() for node in histories.nodes]
    most = max(needed)
    if pace is None:
        return _continued(histories.nodes, arb(0), [2] * len(needed), 2), _continued(histories.nodes, arb(1), needed, most)
    late = _continued(histories.nodes, pace.slowest, [pace.moves + 1] * len(needed), pace.moves + 1)
    return late, _continued(histories.nodes, pace.fastest, needed, most)


def _continued(nodes: list[Node], leave: arb, moves: list[int], most: int) -> list[Node]:
    """The nodes, what was cut at each of them continued by so many moves that are made with the chance `leave`.

    A cut node makes all of these moves, a dropped move is the first of them.
    """
    # Of these the k-th is followed by k more, the one before it.
    first = len(nodes)
    place = {k: first + most - 1 - k for k in range(most)}

    def pause(k: int) -> Node:
        return Node(1 - leave, leave, [(place[k - 1], arb(1))] if k else [], out=arb(int(k == 0)))

    found = []
    for node, count in zip(nodes, moves, strict=True):
        if node.is_cut:
            found.append(pause(count - 1))
        elif node.dropped.is_zero():
            found.append(node)
        elif count == 1:
            found.append(replace(node, out=node.out + node.dropped, dropped=arb(0)))
        else:
            found.append(replace(node, edges=[*node.edges, (place[count - 2], node.dropped)], dropped=arb(0)))
    return found + [pause(k) for k in range(most - 1, -1, -1)]


class EscapeLaw:
    """P[T_2 < t] for any t, from histories of points: boxes have no single law.

    Raises UndecidedError for histories of boxes.
    """

    def __init__(self, histories: Histories, evaluations: int = 4000) -> None:
        if histories.boxes:
            raise UndecidedError("histories of boxes have no single law")
        late, early = without_cuts(histories)
        self._late = _Graph(late, evaluations)
        self._early = self._late if histories.whole else _Graph(early, evaluations)

    def quantile(self, q: fmpq, near: int, accuracy: float = 1e-6) -> Enclosure:
        """The least t with P[T_2 <= t] >= q, between two numbers of steps that differ by about `accuracy` of themselves.

        `near` is a guess. The bounds are wider where the law itself is known less well.
        """
        # The two edges of the law cross q at two times; where the upper one has not crossed it before the lower one does,
        # one search tells both.
        surely = self._crossing(lambda t: bool(self.before(t + 1).low >= arb(q)), near, accuracy)
        if surely[0] == 0 or self.before(surely[0] + 1).high < arb(q):
            return Enclosure(arb(surely[0] + 1), arb(surely[1]))
        possibly = self._crossing(lambda t: not self.before(t + 1).high < arb(q), near, accuracy)
        return Enclosure(arb(possibly[0] + 1), arb(surely[1]))

    def _crossing(self, is_beyond: Callable[[int], bool], near: int, accuracy: float) -> tuple[int, int]:
        """Two times, not beyond and beyond, near to each other; `is_beyond` never becomes false again."""
        low, high, factor = 0, max(near, 1), 2
        while not is_beyond(high):
            low, high, factor = high, high * factor, factor * factor
            if factor > 1 << 256:
                raise TooStiffError("the chance to leave is not seen to reach the quantile")
        if low == 0:
            low, factor = high // 2, 2
            while low > 0 and is_beyond(low):
                high, low, factor = low, low // factor, factor * factor
        while high - low > max(1, high // round(1 / accuracy)):
            # By ratios as long as the two are far apart.
            middle = isqrt(low * high) if 0 < 4 * low < high else (low + high) // 2
            low, high = (low, middle) if is_beyond(middle) else (middle, high)
        return low, high

    def before(self, t: int) -> Enclosure:
        """P[T_2 < t], enclosed. Raises TooStiffError where that is too much work."""
        # Powers of numbers near 1: as many bits more as the exponent has.
        with working_precision(flint.ctx.prec + t.bit_length()):
            low = self._late.within(t - 1)
            high = low if self._early is self._late else self._early.within(t - 1)
        low, high = low.lower(), high.upper()
        return Enclosure(low if low > 0 else arb(0), high if high < 1 else arb(1))


class _Graph:
    """Nodes that lead to later ones, and the chance to have left them from the first within so many steps."""

    def __init__(self, nodes: list[Node], evaluations: int) -> None:
        self.nodes, self.evaluations = nodes, evaluations
        self._powers: list[tuple[arb_mat, arb_mat]] = []

    def within(self, steps: int) -> arb:
        """The chance to have left within so many steps, enclosed."""
        if steps <= 0:
            return arb(0)
        # The surest way first: sums of positive terms lose no digits, squaring two bits each time, the integral keeps 44.
        if steps <= MOST_ADDED and steps * len(self.nodes) <= MOST_TERMS:
            return self._added(steps)
        if len(self.nodes) <= MOST_SQUARED and 2 * steps.bit_length() + SPARE_BITS <= flint.ctx.prec:
            return self._squared(steps)
        return self._around(steps)

    def _added(self, steps: int) -> arb:
        """By the recursion in time, every term positive."""
        now = last = [node.leave * node.out for node in self.nodes]
        for _ in range(steps - 1):
            before = now
            now = []
            for index, node in enumerate(self.nodes):
                later = sum((chance * before[child] for child, chance in node.edges), arb(0))
                now.append(last[index] + node.stay * before[index] + node.leave * later)
        return now[0]

    def _power(self, k: int) -> tuple[arb_mat, arb_mat]:
        """P^(2^k) and the chances to have left within 2^k steps."""
        if not self._powers:
            size = len(self.nodes)
            rows = [[arb(0)] * size for _ in range(size)]
            for index, node in enumerate(self.nodes):
                rows[index][index] = node.stay
                for child, chance in node.edges:
                    rows[index][child] += node.leave * chance
            self._powers.append((arb_mat(rows), arb_mat([[node.leave * node.out] for node in self.nodes])))
        while len(self._powers) <= k:
            matrix, gone = self._powers[-1]
            self._powers.append((matrix * matrix, gone + matrix * gone))
        return self._powers[k]

    def _squared(self, steps: int) -> arb:
        gone: arb_mat | None = None
        for k in range(steps.bit_length()):
            if steps >> k & 1:
                matrix, left = self._power(k)
                gone = left if gone is None else left + matrix * gone
        assert gone is not None
        return gone[0, 0]

    def _around(self, steps: int) -> arb:
        """r = (1/2 pi i) int g(eta) (1 - eta)^steps / eta d eta around 0 and all chances to move (section 5).

        The integral over the upper half of the path: from -nu up to -nu + i nu, and on at 45 degrees.
        """
        bits, depth = flint.ctx.prec, self._depth
        # The path crosses the axis left of 0, near the saddle of the integrand, which is about 1/steps away or farther.
        starts = [-arb(steps).log().mid() + k * fmpq(7, 10) for k in range(12)]
        begin = min(starts, key=lambda y: self._size(y.exp(), steps)).mid()
        nu = begin.exp()
        # |g| <= 2^depth beyond the end of the path, where |1 - eta|^steps is negligible beside the result.
        room = max(-float(self._size(nu, steps).mid()), 0.0) + 0.7 * (bits + depth)
        end = (2 * nu + arb(room) / steps).log().mid()
        if not end.exp() < (1 + 2 * nu) / 2:
            end = ((1 + 2 * nu) / 2).log().lower()
        ray = acb(1, 1)

        def integrand(eta: acb) -> acb:
            return self._transform(eta) * (1 - eta) ** steps / eta

        def upwards(y: acb, _: bool) -> acb:
            return integrand(nu * (acb(0, 1) * y - 1)) * acb(0, 1) * nu

        def along(y: acb, _: bool) -> acb:
            return integrand(ray * y.exp() - 2 * nu) * ray * y.exp()

        options: dict[str, Any] = {"rel_tol": arb(2) ** -44, "abs_tol": 0, "eval_limit": self.evaluations, "use_heap": True}
        total = acb.integral(upwards, 0, 1, **options) + acb.integral(along, begin, end, **options)
        last = ray * end.exp() - 2 * nu
        rest = arb(2) ** depth * abs(1 - last) ** steps * (((1 + 2 * nu) / end.exp()).log() + 8)
        value = rest.upper() * arb(0, 1) - total.imag / arb.pi()
        if not value.is_finite():
            raise TooStiffError(f"the law after {steps} steps needs more than {self.evaluations} evaluations")
        return value

    def _size(self, nu: arb, steps: int) -> arb:
        """log of the integrand at -nu, where it is largest on the path: of a proposal only."""
        return (self._transform(acb(-nu)).real * (1 + nu) ** steps).log()

    @cached_property
    def _depth(self) -> int:
        """The most moves from the start until nothing is followed any more."""
        depths = [0] * len(self.nodes)
        for index in range(len(self.nodes) - 1, -1, -1):
            depths[index] = 1 + max((depths[child] for child, _ in self.nodes[index].edges), default=0)
        return depths[0]

    def _transform(self, eta: acb) -> acb:
        """g(eta) = E (1 - eta)^-T from the start, of those who leave: a product of e/(e - eta) along the nodes."""
        values: list[acb] = [acb(0)] * len(self.nodes)
        for index in range(len(self.nodes) - 1, -1, -1):
            node = self.nodes[index]
            later = acb(node.out)
            for child, chance in node.edges:
                later += values[child] * chance
            values[index] = later * node.leave / (node.leave - eta)
        return values[0]


# ---------------------------------------------------------------------------------------------------------------------
# Bounds that need no law: for boxes, too


LEAST_HALVED, MOST_DOUBLED = 8, 23
"""Limits of k in nu = 2^k/steps."""


def at_most_before(histories: Histories, t: int) -> arb:
    """An upper bound of P[T_2 < t]: (1 + nu)^(t - 1) E (1 + nu)^-T_2 for the best of some nu > 0 (section 6)."""
    steps = t - 1
    if steps <= 0:
        return arb(0)
    bound = cache(partial(_at_most_within, histories, steps))
    # Any nu gives a bound, and in log(1 + nu) its logarithm is convex: the best is where it begins to grow.
    low, high = -LEAST_HALVED, MOST_DOUBLED
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if bound(middle + 1) < bound(middle) else (low, middle)
    best = bound(low)
    return best if best < 1 else arb(1)


def _at_most_within(histories: Histories, steps: int, k: int) -> arb:
    """The bound with nu = 2^k/steps."""
    pace, nu = histories.pace, (arb(2) ** k / steps).mid()
    # E (1 + nu)^-T of one geometric wait, at the fastest pace: what was cut makes as many of them as it needs.
    kept = arb(1) if pace is None else pace.fastest / (pace.fastest + nu)
    values: list[arb] = [arb(0)] * len(histories.nodes)
    for index in range(len(histories.nodes) - 1, -1, -1):
        node = histories.nodes[index]
        if node.is_cut:
            values[index] = kept ** node.needed()
            continue
        ends = [(values[child], chance) for child, chance in node.edges]
        # From a box at the edge: at once, or later.
        ends += [(arb(1), chance) for _, chance in node.unsure]
        ends.append((arb(1), node.out))
        if not node.dropped.is_zero():
            ends.append((kept ** (node.needed() - 1), node.dropped))
        wait = (node.leave / (node.leave + nu)).upper()
        values[index] = (wait * _largest_average(ends)).upper()
    return (values[0] * (1 + nu) ** steps).upper()


def _largest_average(ends: list[tuple[arb, arb]]) -> arb:
    """An upper bound of an average with chances, balls, that sum to 1: as such, or around the largest value."""
    plainly = sum((value * chance for value, chance in ends), arb(0)).upper()
    top = max(value.upper() for value, chance in ends if not chance.is_zero())
    return min(plainly, (top - sum(((top - value) * chance for value, chance in ends), arb(0)).lower()).upper(), top)
