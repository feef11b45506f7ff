"""The mean escape time from states that are merged, one token per tube: of each class its mass, first moment and a box.

States that the same picks in another order lead to are one class. How likely a visit is, and where its members are on
average, gives sums over the class of any smooth function up to a second-order error in the size of the box. Section 14 of
docs/escapes.md derives what is used here. Floats choose classes and what is cut, never what is concluded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import add

from flint import arb

from dynamics.escapes.departures import Departure, departure, inner, middle, minus, picks_of, start_of
from dynamics.escapes.histories import FROM_ZERO, NotAloneError, TooManyStatesError, alone, pace
from dynamics.escapes.times import Enclosure, OpenMeanError
from dynamics.tokens.attention_chain import AttentionChain

AROUND_ZERO = arb(0, 1)
"""All numbers from -1 to 1."""

Pair = tuple[int, int]
"""A token and another one that it may pick."""


@dataclass
class _Class:
    """States x with chances m to be visited, all within the box: `mass` holds sum m, `moment` sum m (x - centre).

    `loose` bounds the chance to visit states in the box of which nothing else is known; of those there is no moment.
    """

    picked: tuple[int, ...]
    centre: list[list[arb]]
    box: list[list[arb]]
    moment: list[list[arb]]
    mass: arb
    loose: arb


def merged_mean(chain: AttentionChain, negligible: float, most_classes: int, cell: float | None) -> tuple[Enclosure, int]:
    """E T_2 and the number of classes: states that the same picks lead to are merged, within a cell if there are cells.

    Moves of a chance below `negligible` are cut, and returned to the upper bound. Raises NotAloneError where two tokens
    share a group, TooManyStatesError beyond `most_classes`, and OpenMeanError where no bound is found.
    """
    if not alone(chain):
        raise NotAloneError("two tokens share a group: positions may return, and histories do not end")
    law = _Merging(chain, negligible, cell)
    layers: list[dict[object, _Class]] = [{} for _ in range(len(chain.x))] + [{None: law.start()}]
    low, high, count = arb(0), arb(0), 0
    while any(layers := layers[1:]):
        layers.append({})
        for one in layers[0].values():
            waits, dropped = law.spread(one, layers)
            low, high = low + waits.low, high + waits.high
            if not dropped.is_zero():
                high += dropped * law.longest_from(one)
        count += len(layers[0])
        layers[0] = {}
        if count + sum(map(len, layers)) > most_classes:
            raise TooManyStatesError(f"more than {most_classes} classes of states can be reached inside the tubes")
    if not high.is_finite():
        raise OpenMeanError("the classes are too wide, and the mean has no upper bound")
    return Enclosure(low.lower(), high.upper()), count


@dataclass(frozen=True)
class _Scores:
    """Of a class, by pairs: sums over its members of the linear part of score - score at the centre, and their bounds.

    `far` bounds the differences from the score at the centre, `bent` what is not linear in them.
    """

    sums: dict[Pair, arb]
    far: dict[Pair, arb]
    bent: dict[Pair, arb]

    def slope(self, at: dict[Pair, arb], within: dict[Pair, arb]) -> _Slope:
        """Of a function with d log f = -sum of rates d score: the rates at the centre, and balls around them in the box."""
        largest = {s: abs(rate).upper() for s, rate in within.items()}
        linear = -_total(at[s] * self.sums[s] for s in at)
        most = _total(largest[s] * self.far[s] for s in at)
        rest = _total(abs(within[s] - at[s]).upper() * self.far[s] + abs(at[s]) * self.bent[s] for s in at)
        return _Slope(linear, most, rest)


@dataclass(frozen=True)
class _Slope:
    """Of log f in the box of a class: the sum of its linear part, a bound of its differences, one of what is not linear."""

    linear: arb
    most: arb
    rest: arb

    def sum_of(self, mass: arb, members: arb) -> arb:
        """sum m f(x)/f(centre), where `members` bounds sum m."""
        if members.is_zero():
            return arb(0)
        curved = self.most * self.most * self.most.exp() / 2
        return _not_negative(mass + self.linear + members * (AROUND_ZERO * self.rest + FROM_ZERO * curved))


class _Merging:
    """Where the members of a class go, in classes."""

    def __init__(self, chain: AttentionChain, negligible: float, cell: float | None) -> None:
        self._beta, self._gamma, self._square = chain.beta.item(), chain.gamma.item(), chain.eps.item() ** 2
        self._x, self._negligible, self._cell = start_of(chain), negligible, cell
        self._tokens = range(len(self._x))
        self._pairs = [(i, j) for i in self._tokens for j in self._tokens if i != j]
        self._counted = {pair: index for index, pair in enumerate(self._pairs)}
        self._chain, bounds = chain, pace(chain)
        self._longest = None if bounds is None else bounds.longest_mean

    def start(self) -> _Class:
        """The start, alone."""
        place = [list(map(arb, one)) for one in self._x]
        nothing = [[arb(0)] * len(one) for one in self._x]
        return _Class((0,) * len(self._pairs), place, place, nothing, arb(1), arb(0))

    def longest_from(self, one: _Class) -> arb:
        """An upper bound of E T_2 from any state that can be reached from the class. Raises OpenMeanError."""
        bounds = pace(self._chain, one.box)
        known = [value for value in (self._longest, None if bounds is None else bounds.longest_mean) if value is not None]
        if not known:
            raise OpenMeanError("some picks were cut, and it is not known how long the tokens may stay after them")
        return min(known)

    def spread(self, found: _Class, layers: Sequence[dict[object, _Class]]) -> tuple[Enclosure, arb]:
        """Put what follows a class into the layers; bounds of the time at its members, and of the chance of what is cut."""
        one = _centred(found)
        c, members = one.centre, one.mass.upper()
        size = [[abs(a - b).upper() for a, b in zip(*both, strict=True)] for both in zip(one.box, c, strict=True)]
        scores = self._scores(one, size)
        weights = {(i, j): self._weight(c[i], c[j]) for i, j in self._pairs}
        images = {(i, j): self._towards(one.box[i], one.box[j]) for i, j in self._pairs}
        inside = {(i, j): self._is_inside(i, image) for (i, j), image in images.items()}
        left = self._departure(weights, inside, members + one.loose)

        rates, waits = self._rates(weights)
        rates_within, waits_within = self._rates({s: w * (AROUND_ZERO * scores.far[s]).exp() for s, w in weights.items()})
        wait = scores.slope(waits, waits_within)
        held = wait.sum_of(one.mass, members) / left.leave
        loosely = one.loose * wait.most.exp() / left.leave
        slope = scores.slope(rates, rates_within)
        # A pick turns the rate r of its pair into r - 1: what that adds to the bounds.
        turned = {
            s: (
                (abs(rates_within[s] - 1).upper() - abs(rates_within[s]).upper()) * scores.far[s],
                (abs(rates[s] - 1) - abs(rates[s])) * scores.bent[s],
            )
            for s in self._pairs
        }

        centres = {(i, j): self._towards(c[i], c[j]) for i, j in self._pairs}
        moments = {(i, j): self._towards(one.moment[i], one.moment[j]) for i, j in self._pairs}
        spans = {(i, j): self._towards(size[i], size[j]) for i, j in self._pairs}
        for i in self._tokens:
            centres[i, i], moments[i, i], images[i, i], spans[i, i] = c[i], one.moment[i], one.box[i], size[i]
        cells = {pair: self._cell_of(place) for pair, place in centres.items()}

        for targets, chance in left.moves:
            moved = list(enumerate(targets))
            picks = [s for s in moved if s[0] != s[1]]
            move = _Slope(
                sum((scores.sums[s] for s in picks), slope.linear),
                sum((turned[s][0] for s in picks), slope.most),
                sum((turned[s][1] for s in picks), slope.rest),
            )
            loose = one.loose * chance * move.most.exp()
            mass = chance * move.sum_of(one.mass, members)
            surely = all(inside[s] for s in picks)
            if not surely:
                mass, loose = arb(0), loose + mass.upper()
            picked = list(one.picked)
            for s in picks:
                picked[self._counted[s]] += 1
            place = tuple(picked), tuple(cells[s] for s in moved)
            layer = layers[len(picks)]
            if not mass.is_zero():
                child = _child((place, True), layer, place[0], centres, images, moved)
                child.mass += mass
                # Where chances differ from that at the centre, by a factor from e^-most to e^most, members are in the box.
                apart = AROUND_ZERO * (chance * members * move.most.expm1())
                for (i, j), centre, moment in zip(moved, child.centre, child.moment, strict=True):
                    moment[:] = [
                        old + chance * there + apart * reach + (now - at) * mass
                        for old, there, reach, now, at in zip(
                            moment, moments[i, j], spans[i, j], centres[i, j], centre, strict=True
                        )
                    ]
            if not loose.is_zero():
                child = _child((place, False), layer, place[0], centres, images, moved)
                child.loose += loose

        # No move takes more than one pick of each token.
        most = slope.most + sum(
            (max([arb(0), *(turned[i, j][0].upper() for j in self._tokens if j != i)]) for i in self._tokens), arb(0)
        )
        dropped = left.dropped * (members + one.loose) * most.exp()
        return Enclosure(held.lower(), (held + loosely).upper()), dropped

    def _departure(self, weights: dict[Pair, arb], inside: dict[Pair, bool | None], members: arb) -> Departure:
        """How the centre is left, without the picks that surely lead out from the whole box."""
        picks = []
        for i in self._tokens:
            targets = {j: weights[i, j] for j in self._tokens if j != i and inside[i, j] is not False}
            out = sum((weights[i, j] for j in self._tokens if j != i and inside[i, j] is False), arb(0))
            picks.append(picks_of(targets, out))
        least, visited = self._negligible, float(members.mid())
        return departure(picks, tuple(self._tokens), (lambda chance: visited * chance < least) if least > 0 else None)

    def _scores(self, one: _Class, size: list[list[arb]]) -> _Scores:
        """beta <x_i, x_j - x_i> in the box, from a = x_i - c_i and b = x_j - c_j.

        It differs from its value at c by beta (<a, c_j - 2 c_i> + <b, c_i>) + beta <a, b - a>.
        """
        beta = self._beta
        sums, far, bent = {}, {}, {}
        for i, j in self._pairs:
            along = [q - 2 * p for p, q in zip(one.centre[i], one.centre[j], strict=True)]
            sums[i, j] = beta * (_dot(along, one.moment[i]) + _dot(one.centre[i], one.moment[j]))
            bent[i, j] = beta * _dot(size[i], map(add, size[i], size[j]))
            far[i, j] = bent[i, j] + beta * (_dot(map(abs, along), size[i]) + _dot(map(abs, one.centre[i]), size[j]))
        return _Scores(sums, {s: one.upper() for s, one in far.items()}, bent)

    def _rates(self, weights: dict[Pair, arb]) -> tuple[dict[Pair, arb], dict[Pair, arb]]:
        """For each pair -d log q/d score of no pick, and -d log (1/e)/d score: v = w/(W + E), and v prod s.

        W sums the weights of a token, E is the chance that another one moves, prod s that none does. As v increases with w
        and decreases with all other weights, it is between two values where weights are balls.
        """
        totals = [sum((weights[i, j] for j in self._tokens if j != i), arb(0)) for i in self._tokens]
        rates, waits = {}, {}
        stay = arb(1)
        for total in totals:
            stay /= 1 + total
        for i in self._tokens:
            moves, others = arb(0), arb(1)
            for k in self._tokens:
                if k != i:
                    moves += others * totals[k] / (1 + totals[k])
                    others /= 1 + totals[k]
            for j in self._tokens:
                if j != i:
                    rest = moves + sum((weights[i, k] for k in self._tokens if k not in (i, j)), arb(0))
                    # 1/(1 + rest/w): each ball stands there once.
                    rates[i, j] = 1 / (1 + rest / weights[i, j])
                    waits[i, j] = stay * rates[i, j]
        return rates, waits

    def _cell_of(self, place: Sequence[arb]) -> tuple[int, ...]:
        """The cell of a place, of a length that is given; one for all without."""
        return () if self._cell is None else tuple(int(middle(a) // self._cell) for a in place)

    def _weight(self, x: Sequence[arb], y: Sequence[arb]) -> arb:
        return (self._beta * inner(tuple(x), minus(tuple(y), tuple(x)))).exp()

    def _towards(self, x: Sequence[arb], y: Sequence[arb]) -> list[arb]:
        """(1 - gamma) x + gamma y: each ball stands there once."""
        return [(1 - self._gamma) * a + self._gamma * b for a, b in zip(x, y, strict=True)]

    def _is_inside(self, i: int, place: Sequence[arb]) -> bool | None:
        """Whether all of a box is within the tube of a token; None where it meets the edge."""
        away = minus(tuple(place), self._x[i])
        beyond = inner(away, away) - self._square
        if beyond > 0:
            return False
        return True if beyond <= 0 else None


def _centred(one: _Class) -> _Class:
    """The class with its mean as the centre; one of which little is known of the mass is loose from here on."""
    # No history comes to a class twice.
    mass, loose = _chance(one.mass), _chance(one.loose).upper()
    if not mass.rad() < mass.mid() / 2:
        mass, loose = arb(0), loose + mass.upper()
        centre = [[a.mid() for a in place] for place in one.box]
        return _Class(one.picked, centre, one.box, [[arb(0)] * len(place) for place in centre], mass, loose)
    centre, moment = [], []
    for old, sums in zip(one.centre, one.moment, strict=True):
        new = [(a + b / mass).mid() for a, b in zip(old, sums, strict=True)]
        centre.append(new)
        moment.append([b - (c - a) * mass for a, b, c in zip(old, sums, new, strict=True)])
    return _Class(one.picked, centre, one.box, moment, mass, loose)


def _child(
    key: object,
    layer: dict[object, _Class],
    picked: tuple[int, ...],
    centres: dict[Pair, list[arb]],
    images: dict[Pair, list[arb]],
    moved: Iterable[Pair],
) -> _Class:
    """The class of this key, its box made to hold what arrives."""
    arrived = [images[s] for s in moved]
    found = layer.get(key)
    if found is None:
        centre = [[a.mid() for a in centres[s]] for s in moved]
        nothing = [[arb(0)] * len(place) for place in centre]
        found = layer[key] = _Class(picked, centre, arrived, nothing, arb(0), arb(0))
    else:
        found.box = [[a.union(b) for a, b in zip(*both, strict=True)] for both in zip(found.box, arrived, strict=True)]
    return found


def _total(values: Iterable[arb]) -> arb:
    return sum(values, arb(0))


def _dot(x: Iterable[arb], y: Iterable[arb]) -> arb:
    return sum((a * b for a, b in zip(x, y, strict=True)), arb(0))


def _not_negative(value: arb) -> arb:
    """The part of a ball that is not negative."""
    return value if value.lower() >= 0 else arb(0).union(value.upper())


def _chance(value: arb) -> arb:
    """The part of a ball from 0 to 1."""
    low, high = value.lower(), value.upper()
    if low >= 0 and high <= 1:
        return value
    return (low if low > 0 else arb(0)).union(high if high < 1 else arb(1))
