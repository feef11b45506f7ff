"""The mean escape time from states that are merged, one token per tube: of each class a mean that is linear in the scores.

States that the same picks in another order lead to are one class. From the last picks to the first, E T_2 from its states is
enclosed by a linear function of their scores and a ball, whose radius is of second order in the size of the class.
Section 14 of docs/escapes.md derives what is used here. Floats choose classes and what is cut, never what is concluded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from flint import arb, arb_mat

from dynamics.escapes.departures import Departure, departure, inner, middle, minus, picks_of, start_of
from dynamics.escapes.histories import FROM_ZERO, NotAloneError, TooManyStatesError, alone, pace
from dynamics.escapes.times import Enclosure, OpenMeanError
from dynamics.tokens.attention_chain import AttentionChain

AROUND_ZERO = arb(0, 1)
"""All numbers from -1 to 1."""

CUT: tuple = ()
SHARE = 1e-2

Pair = tuple[int, int]
"""A token and another one that it may pick."""


@dataclass
class _Class:
    """States within a box of places and within one of scores, where a visit is about as likely as the float `visited`.

    `after` holds, for each move that is not cut, the class that it leads to and whether it surely stays in the tubes, or
    None if it surely does not.
    """

    picked: tuple[int, ...]
    places: list[arb]
    scores: list[arb]
    visited: float = 0.0
    after: list[tuple[_Class, bool] | None] = field(default_factory=list)
    mean: _Linear | None = None


@dataclass(frozen=True)
class _Linear:
    """Values within `value` + <slope, scores - centre>."""

    centre: arb_mat
    value: arb
    slope: arb_mat


class _Move:
    """What a move does to places and to scores: both maps are linear. `picks` are indices of the pairs in it."""

    def __init__(self, targets: Sequence[int], pairs: Sequence[Pair], gamma: arb) -> None:
        tokens = range(len(targets))
        self.picks = [index for index, (i, j) in enumerate(pairs) if targets[i] == j]
        rows = [[(1 - gamma) * int(k == i) + gamma * int(k == targets[i]) for k in tokens] for i in tokens]
        self.of_places = arb_mat(rows)
        # <x_i, x_j - x_i> after the move, from <x_k, x_l - x_k> before it.
        self.of_scores = arb_mat([[rows[i][k] * (rows[j][m] - rows[i][m]) for k, m in pairs] for i, j in pairs])

    @cached_property
    def of_slopes(self) -> arb_mat:
        """The transpose of the map of scores."""
        return self.of_scores.transpose()


def merged_mean(chain: AttentionChain, negligible: float, most_classes: int, cell: float | None) -> tuple[Enclosure, int]:
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
            raise TooManyStatesError(f"more than {most_classes} classes of states can be reached inside the tubes")
    for one in reversed(found):
        one.mean = law.mean_from(one)
        one.after = []
    mean = found[0].mean
    assert mean is not None
    # The start is alone in its class, and all its scores are at the centre, but for rounding.
    value = mean.value + _dot((a - b for a, b in zip(found[0].scores, mean.centre.entries(), strict=True)), mean.slope.entries())
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
        for targets, chance in self._departure(one).moves:
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
            likely = one.visited * float(chance.mid())
            if child is None and likely < self._negligible:
                one.after.append(CUT)
                continue
            if child is None:
                child = layer[key] = _Class(key[0], there, seen)
            else:
                child.places = [a.union(b) for a, b in zip(child.places, there, strict=True)]
                child.scores = [a.union(b) for a, b in zip(child.scores, seen, strict=True)]
            child.visited += likely
            one.after.append((child, None not in stays))

    def mean_from(self, one: _Class) -> _Linear:
        """E T_2 from the states of a class, where it is known from those that follow.

        With 1/Z = stay/leave at the centre c, Z(x)/Z(c) = sum q_K e^(y_K) over the moves K with their chances q_K, y_K the sum
        of the scores of K less that at c, and h = E T_2 after them

            h(x) - H - <slope, scores - c> = (1/Z + sum q_K e^(y_K) (h_K(x) + 1 - H - <slope, scores - c>)) Z(c)/Z(x).
        """
        centre = arb_mat(len(self._pairs), 1, [a.mid() for a in one.scores])
        far = [abs(a - b).upper() for a, b in zip(one.scores, centre.entries(), strict=True)]
        growths = [a.exp() for a in far]
        left = self._departure(one)
        nothing = arb_mat(len(self._pairs), 1)

        moves, follow, lost = [], [], left.dropped
        for (targets, chance), after in zip(left.moves, one.after, strict=True):
            move = self._move(targets)
            value, slope = arb(0), nothing
            if after is CUT:
                lost += chance
                continue
            if after is not None:
                child, surely = after
                mean = child.mean
                assert mean is not None
                slope = move.of_slopes * mean.slope
                value = mean.value + (mean.slope.transpose() * (move.of_scores * centre - mean.centre))[0, 0]
                if not surely:
                    # Either this, or nothing: half of it, and half of what it may be to either side.
                    value, slope = value / 2, slope / 2
                    value += AROUND_ZERO * (abs(value) + _dot(map(abs, slope.entries()), far)).upper()
            moves.append((move, chance))
            follow.append((value, slope))
        pause = left.stay / left.leave
        longest = arb(0) if lost.is_zero() else FROM_ZERO * self._longest_from(one)
        value = (1 + pause + _dot((q for _, q in moves), (v for v, _ in follow)) + lost * longest).mid()
        slope = nothing
        for (move, q), (there, tilt) in zip(moves, follow, strict=True):
            slope += q * tilt
            for p in move.picks:
                slope[p, 0] += q * (there + 1 - value)
        slope = _middles(slope)

        # Z(c)/Z(x) is at most this.
        least = _dot((q for _, q in moves), (1 / _product(growths, move.picks) for move, _ in moves))
        # No move takes more than one pick of each token.
        size = len(self._x) - 1
        wild = _most(growths, size)
        least += lost / wild
        scale = 1 / least

        constant, linear, bent, spare = pause, nothing, arb(0), []
        for (move, q), (there, tilt) in zip(moves, follow, strict=True):
            ball = there + 1 - value
            apart, radius = ball.mid(), ball.rad()
            turn = tilt - slope
            growth = _product(growths, move.picks)
            once = growth - 1
            constant += q * apart
            linear += q * turn
            for p in move.picks:
                linear[p, 0] += q * apart
            reach = _dot(map(abs, turn.entries()), far)
            twice = once - sum((far[p] for p in move.picks), arb(0))
            bent += q * (apart * FROM_ZERO * twice + AROUND_ZERO * reach * once)
            spare.append((q, radius, growth))
        if not lost.is_zero():
            ball = longest + 1 - value
            bent += lost * (ball + AROUND_ZERO * abs(ball).upper() * (wild - 1))
        bent += constant + AROUND_ZERO * _dot(map(abs, linear.entries()), far)
        rest = _dot((q for q, _, _ in spare), (r for _, r, _ in spare))
        usual = rest.mid()
        rest += sum((q * (growth * scale - 1) * abs(r - usual) for q, r, growth in spare), arb(0))
        error = bent.union(arb(0)) * scale.upper() + AROUND_ZERO * rest.upper()
        return _Linear(centre, value + error, slope)

    def _longest_from(self, one: _Class) -> arb:
        """An upper bound of E T_2 from any state that can be reached from the class. Raises OpenMeanError."""
        width = len(self._x[0])
        bounds = pace(self._chain, [one.places[i * width : (i + 1) * width] for i in self._tokens])
        known = [value for value in (self._longest, None if bounds is None else bounds.longest_mean) if value is not None]
        if not known:
            raise OpenMeanError("some picks were cut, and it is not known how long the tokens may stay after them")
        return min(known)

    def _departure(self, one: _Class) -> Departure:
        """How the centre of the scores is left, by picks wherever they lead."""
        weights = [score.mid().exp() for score in one.scores]
        picks = [
            picks_of({j: w for (k, j), w in zip(self._pairs, weights, strict=True) if k == i}, arb(0)) for i in self._tokens
        ]
        least, visited = self._negligible * SHARE, one.visited
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
        # Each ball stands there once.
        away = [(1 - self._gamma) * a + self._gamma * b - c for a, b, c in zip(x, y, self._x[i], strict=True)]
        beyond = _dot(away, away) - self._square
        if beyond > 0:
            return False
        return True if beyond <= 0 else None


def _most(growths: Sequence[arb], size: int) -> arb:
    found = arb(1)
    for k in range(0, len(growths), size):
        found *= max(a.upper() for a in growths[k : k + size])
    return found


def _product(growths: Sequence[arb], picks: Iterable[int]) -> arb:
    found = arb(1)
    for p in picks:
        found *= growths[p]
    return found


def _middles(matrix: arb_mat) -> arb_mat:
    return arb_mat(matrix.nrows(), matrix.ncols(), [a.mid() for a in matrix.entries()])


def _dot(x: Iterable[arb], y: Iterable[arb]) -> arb:
    return sum((a * b for a, b in zip(x, y, strict=True)), arb(0))
