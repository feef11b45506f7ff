"""The mean escape time from states that are merged, one token per tube: of each class a mean that is linear in the scores.

States that the same picks in another order lead to are one class. From the last picks to the first, E T_2 from the states
of a class is enclosed by a linear function of their scores and a ball, of second order in the size of the class.
Section 14 of docs/escapes.md derives what is used here. Floats choose classes and what is cut, never what is concluded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from flint import arb, arb_mat

from dynamics.escapes.departures import Departure, departure, inner, middle, minus, picks_of, start_of
from dynamics.escapes.histories import FROM_ZERO, NotAloneError, TooManyHistoriesError, alone, pace
from dynamics.escapes.times import Enclosure, OpenMeanError
from dynamics.tokens.attention_chain import AttentionChain

AROUND_ZERO = arb(0, 1)
"""All numbers from -1 to 1."""

Pair = tuple[int, int]
"""A token and another one that it may pick."""


@dataclass
class _Class:
    """States within a box of places and within one of scores, where a visit is about as likely as the float `visited`.

    `after` holds, for each move that is not cut, the class that it leads to and whether it surely stays in the tubes, or
    None if it surely does not. `lost` is the chance of moves that are cut and may stay.
    """

    picked: tuple[int, ...]
    places: list[arb]
    scores: list[arb]
    visited: float = 0.0
    lost: arb = field(default_factory=lambda: arb(0))
    after: list[tuple[_Class, bool] | None] = field(default_factory=list)
    mean: _Linear | None = None


@dataclass(frozen=True)
class _Linear:
    """Means within the ball `value` + <slope, scores - centre>."""

    centre: arb_mat
    value: arb
    slope: arb_mat

    def at(self, scores: arb_mat) -> arb:
        """Bounds of the mean at such scores."""
        return self.value + (self.slope.transpose() * (scores - self.centre))[0, 0]


@dataclass(frozen=True)
class _Part:
    """A move with its `chance` at the centre: within the class its weight grows or shrinks by a factor of `growth` at most.

    E T_2 after it is within the ball `value` + <slope, scores - centre>, by the scores before it; 0 if it leads out.
    """

    chance: arb
    picks: Sequence[int]
    growth: arb
    value: arb
    slope: arb_mat


@dataclass(frozen=True)
class _Lost:
    """The same of moves that are cut, after which E T_2 is in `value`."""

    chance: arb
    value: arb
    growth: arb


def _slope(parts: Sequence[_Part], goal: arb, size: int) -> arb_mat:
    """The slope of the mean at the centre, where it is `goal`, but for what is cut."""
    found = arb_mat(size, 1)
    for part in parts:
        found += part.chance * part.slope
        for p in part.picks:
            found[p, 0] += part.chance * (part.value + 1 - goal)
    return found


def _error(parts: Sequence[_Part], lost: Sequence[_Lost], pause: arb, goal: arb, slope: arb_mat, far: Sequence[arb]) -> arb:
    """A ball of E T_2 - goal - <slope, scores - centre> in a class, `pause` the chance to stay over that to leave."""
    # E T_2 within the class is a quotient: its numerator is bent by weights that grow, and is divided by their sum.
    # The weights of all moves together, over those at the centre, at least.
    whole: list[_Part | _Lost] = [*parts, *lost]
    least = _total(one.chance / one.growth for one in whole).lower()
    gains = [part.value + 1 - goal for part in parts]
    # What vanishes at the centre if `slope` is the tangent is added up by itself: its terms cancel, their sizes do not.
    constant, linear, bent = pause, arb_mat(len(far), 1), arb(0)
    for part, gain in zip(parts, gains, strict=True):
        middle_gain, turn, once = gain.mid(), part.slope - slope, part.growth - 1
        constant += part.chance * middle_gain
        linear += part.chance * turn
        for p in part.picks:
            linear[p, 0] += part.chance * middle_gain
        # e^y - 1 - y is from 0 to e^far - 1 - far, as it is convex.
        twice = once - _total(far[p] for p in part.picks)
        bent += part.chance * (FROM_ZERO * middle_gain * twice + AROUND_ZERO * _reach(turn, far) * once)
    for one in lost:
        gain = one.value + 1 - goal + AROUND_ZERO * _reach(slope, far)
        bent += one.chance * (gain + AROUND_ZERO * abs(gain).upper() * (one.growth - 1))
    bent += constant + AROUND_ZERO * _reach(linear, far)

    # Errors after the moves are averaged: new weights change the average by what the errors differ from the usual one.
    weighed = [(part.chance, part.growth, gain.rad()) for part, gain in zip(parts, gains, strict=True)]
    weighed += [(one.chance, one.growth, arb(0)) for one in lost]
    # Any number may be taken out of an average: the middle keeps what is left small.
    average = _total(chance * radius for chance, _, radius in weighed)
    usual = average.mid()
    change = _total(chance * (growth - 1) * abs(radius - usual) for chance, growth, radius in weighed)
    rest = usual + (abs(average - usual) + change) / least
    return arb(0).union(bent) / least + AROUND_ZERO * rest.upper()


class _Move:
    """What a move does to places and to scores: both maps are linear. `picks` are the indices of its pairs."""

    def __init__(self, targets: Sequence[int], pairs: Sequence[Pair], gamma: arb) -> None:
        tokens = range(len(targets))
        self.picks = [index for index, (i, j) in enumerate(pairs) if targets[i] == j]
        rows = [[(1 - gamma) * int(k == i) + gamma * int(k == targets[i]) for k in tokens] for i in tokens]
        self.of_places = arb_mat(rows)
        # <x_i, x_j - x_i> after the move, from <x_k, x_m - x_k> before it.
        self.of_scores = arb_mat([[rows[i][k] * (rows[j][m] - rows[i][m]) for k, m in pairs] for i, j in pairs])
        self.of_slopes = self.of_scores.transpose()


def merged_mean(
    chain: AttentionChain, negligible: float, most_classes: int, cell: float | None = None
) -> tuple[Enclosure, int]:
    """E T_2 and the number of classes: states that the same picks lead to are merged, within a cell if there are cells.

    Moves of a chance below `negligible` are cut. Raises NotAloneError where two tokens share a group, TooManyStatesError
    beyond `most_classes`, and OpenMeanError where no bound is found.
    """
    if not alone(chain):
        raise NotAloneError("two tokens share a group: positions may return, and histories do not end")
    law = _Merging(chain, negligible, cell)
    found: list[_Class] = []
    layers: list[dict[object, _Class]] = [{} for _ in range(len(chain.x))] + [{None: law.start()}]
    while any(layers := layers[1:]):
        layers.append({})
        for one in layers[0].values():
            law.spread(one, layers)
            found.append(one)
        if len(found) + sum(map(len, layers[1:])) > most_classes:
            raise TooManyHistoriesError(f"more than {most_classes} classes of states can be reached inside the tubes")
    for one in reversed(found):
        one.mean = law.mean_from(one)
        one.after = []  # what follows is not needed any more, and may be all there is to a class
    mean = found[0].mean
    assert mean is not None
    # The start is alone in its class.
    value = mean.at(arb_mat(len(mean.slope.entries()), 1, found[0].scores))
    if not value.is_finite():
        raise OpenMeanError("the classes are too wide, and the mean has no upper bound")
    return Enclosure(value.lower(), value.upper()), len(found)


class _Merging:
    """Where the members of a class go, in classes, and how long they stay."""

    def __init__(self, chain: AttentionChain, negligible: float, cell: float | None) -> None:
        self._beta, self._gamma, self._square = chain.beta.item(), chain.gamma.item(), chain.eps.item() ** 2
        self._x, self._negligible, self._cell = start_of(chain), negligible, cell
        self._tokens = range(len(self._x))
        self._pairs = [(i, j) for i in self._tokens for j in self._tokens if i != j]
        self._moves: dict[tuple[int, ...], _Move] = {}
        self._chain, bounds = chain, pace(chain)
        self._longest = None if bounds is None else bounds.longest_mean

    def start(self) -> _Class:
        """The start, alone."""
        scores = [arb(self._beta * inner(self._x[i], minus(self._x[j], self._x[i]))) for i, j in self._pairs]
        return _Class((0,) * len(self._pairs), [arb(a) for place in self._x for a in place], scores, 1.0)

    def spread(self, one: _Class, layers: Sequence[dict[object, _Class]]) -> None:
        """Put what follows a class into the layers."""
        width = len(self._x[0])
        places = arb_mat(len(self._x), width, one.places)
        scores = arb_mat(len(self._pairs), 1, one.scores)
        inside = [self._is_inside(one.places, i, j) for i, j in self._pairs]
        left = self._departure(one)
        one.lost = left.dropped
        if not one.lost.is_zero():
            # Where the same moves are listed without picks that surely lead out, what is cut besides has such a pick.
            out = {s for s, stays in zip(self._pairs, inside, strict=True) if stays is False}
            within = self._departure(one, out)
            listed = [targets for targets, _ in left.moves if out.isdisjoint(enumerate(targets))]
            if listed == [targets for targets, _ in within.moves]:
                one.lost = within.dropped
        for targets, chance in left.moves:
            move = self._move(targets)
            stays = [inside[p] for p in move.picks]
            if False in stays:
                one.after.append(None)
                continue
            there = (move.of_places * places).entries()
            seen = (move.of_scores * scores).entries()
            picked = list(one.picked)
            for p in move.picks:
                picked[p] += 1
            key = tuple(picked), self._cell_of(there)
            layer = layers[len(move.picks)]
            child = layer.get(key)
            if child is None:
                child = layer[key] = _Class(key[0], there, seen)
            else:
                child.places = [a.union(b) for a, b in zip(child.places, there, strict=True)]
                child.scores = [a.union(b) for a, b in zip(child.scores, seen, strict=True)]
            child.visited += one.visited * float(chance.mid())
            one.after.append((child, None not in stays))

    def mean_from(self, one: _Class) -> _Linear:
        """E T_2 from the states of a class, where it is known from those of the classes that follow."""
        centre = arb_mat(len(self._pairs), 1, [a.mid() for a in one.scores])
        far = [abs(a - b).upper() for a, b in zip(one.scores, centre.entries(), strict=True)]
        growths = [a.exp() for a in far]
        left = self._departure(one)
        parts = []
        for (targets, chance), after in zip(left.moves, one.after, strict=True):
            move = self._move(targets)
            value, slope = arb(0), arb_mat(len(self._pairs), 1)
            if after is not None:
                child, surely = after
                mean = child.mean
                assert mean is not None
                value = mean.at(move.of_scores * centre)
                slope = move.of_slopes * mean.slope
                if not surely:
                    # All of it or nothing: half of it, and half of what it may be to either side.
                    value, slope = value / 2, slope / 2
                    value += AROUND_ZERO * (abs(value) + _reach(slope, far))
            parts.append(_Part(chance, move.picks, _product(growths, move.picks), value, slope))
        most = self._most(growths)
        lost = [_Lost(left.dropped - one.lost, arb(0), most)]
        if not one.lost.is_zero():
            lost.append(_Lost(one.lost, FROM_ZERO * self._longest_from(one), most))

        pause = left.stay / left.leave
        later = _total(part.chance * part.value for part in parts) + _total(cut.chance * cut.value for cut in lost)
        # Middles: value and slope are conventions, whatever they are off by is in the error.
        goal = (1 + pause + later).mid()
        slope = arb_mat(len(self._pairs), 1, [a.mid() for a in _slope(parts, goal, len(far)).entries()])
        error = _error(parts, lost, pause, goal, slope, far)
        return _Linear(centre, goal + error, slope)

    def _most(self, growths: Sequence[arb]) -> arb:
        """How much the weight of a move may grow: none takes more than one pick of each token."""
        largest = [max(a.upper() for (k, _), a in zip(self._pairs, growths, strict=True) if k == i) for i in self._tokens]
        return _product(largest, self._tokens)

    def _longest_from(self, one: _Class) -> arb:
        """An upper bound of E T_2 from any state that can be reached from the class. Raises OpenMeanError."""
        width = len(self._x[0])
        bounds = pace(self._chain, [one.places[i * width : (i + 1) * width] for i in self._tokens])
        known = [value for value in (self._longest, None if bounds is None else bounds.longest_mean) if value is not None]
        if not known:
            raise OpenMeanError("some picks were cut, and it is not known how long the tokens may stay after them")
        return min(known)

    def _departure(self, one: _Class, out: Collection[Pair] = ()) -> Departure:
        """How the centre of the scores is left: only moves without the picks `out` are listed, or cut."""
        # The centre need not be a state itself: members of the class have scores that differ from it by `far` at most.
        weights = {s: score.mid().exp() for s, score in zip(self._pairs, one.scores, strict=True)}
        picks = []
        for i in self._tokens:
            targets = {j: w for (k, j), w in weights.items() if k == i and (k, j) not in out}
            picks.append(picks_of(targets, _total(w for (k, j), w in weights.items() if k == i and (k, j) in out)))
        least, visited = self._negligible, one.visited
        return departure(picks, tuple(self._tokens), (lambda chance: visited * chance < least) if least > 0 else None)

    def _move(self, targets: tuple[int, ...]) -> _Move:
        found = self._moves.get(targets)
        if found is None:
            found = self._moves[targets] = _Move(targets, self._pairs, arb(self._gamma))
        return found

    def _cell_of(self, places: Sequence[arb]) -> tuple[int, ...]:
        """The cell of a box of places, of a length that is given; one for all without."""
        return () if self._cell is None else tuple(int(middle(a) // self._cell) for a in places)

    def _is_inside(self, places: Sequence[arb], i: int, j: int) -> bool | None:
        """Whether token i is in its tube after it picked j, from all of a box; None where its image meets the edge."""
        width = len(self._x[0])
        x, y = places[i * width : (i + 1) * width], places[j * width : (j + 1) * width]
        # Each ball stands there once; of a square the ends are known better than from a product of balls.
        away = [(1 - self._gamma) * a + self._gamma * b - c for a, b, c in zip(x, y, self._x[i], strict=True)]
        if sum((a.abs_lower() ** 2 for a in away), arb(0)) > self._square:
            return False
        return True if sum((a.abs_upper() ** 2 for a in away), arb(0)) <= self._square else None


def _product(growths: Sequence[arb], picks: Iterable[int]) -> arb:
    found = arb(1)
    for p in picks:
        found *= growths[p]
    return found


def _reach(slope: arb_mat, far: Iterable[arb]) -> arb:
    """A bound of |<slope, scores - centre>|."""
    return _total(abs(a) * b for a, b in zip(slope.entries(), far, strict=True)).upper()


def _total(values: Iterable[arb]) -> arb:
    return sum(values, arb(0))
