"""What a trap shows of the tokens of self-attention, decided again: docs/flow_limits.md restated over mpmath's intervals.

Nothing is shared with :mod:`dynamics.limits` but the lemmas. A state is a mapping from the names of arrays to nested lists,
of intervals where they move and of Fractions where they do not; a start is one of Fractions alone. Each trap returns the
attributes by which a claim reads the end: Fractions, intervals and whole numbers, in nested lists. Middles of intervals and
float64 propose leaders, partitions and norms; what is proposed is shown in intervals or in Fractions.

In the checker's process these functions stand in the place of :mod:`dynamics.limits`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import floor, lcm, log2
from types import SimpleNamespace
from typing import Any, TypeVar

import mpmath
import numpy as np
from mpmath import iv

from dynamics.checker.flows import matrix_exponential
from dynamics.checker.intervals import (
    Interval,
    interval,
    interval_exp,
    interval_log,
    interval_sqrt,
    is_finite,
    larger,
    symmetric,
)
from dynamics.checker.matrices import (
    characteristic,
    diagonal,
    factor_of_identity,
    inverse,
    is_definite,
    negative,
    plus,
    product,
    rank,
    reduced,
    transposed,
    unit,
)
from dynamics.checker.polytopes import distinct
from dynamics.checker.traps import Shown, State, UncaughtError, enclosed, need

T = TypeVar("T")

Exact = list[list[Fraction]]
Points = list[list[Interval]]

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


class OutsideError(UncaughtError):
    """A margin is certainly not positive: the state lies outside of the region."""


class ForeignError(UncaughtError):
    """The flow is not one that the lemma is about."""


def _need(*margins: Interval) -> None:
    """Raises OutsideError where a margin is certainly not positive, else UncaughtError where one is open."""
    if any(is_finite(margin) and margin.b <= 0 for margin in margins):
        raise OutsideError("the state lies outside of the region of the trap")
    need(*margins)


def _first_caught(proposals: Iterable[T], lemma: Callable[[T], Shown], none: str) -> Shown:
    """What the lemma shows by the first proposal that it holds with. Raises UncaughtError, never OutsideError."""
    failure = none
    for one in proposals:
        try:
            return lemma(one)
        except ForeignError:
            raise
        except UncaughtError as error:
            failure = str(error)
    raise UncaughtError(failure)  # another proposal might catch the state: nothing is certain


# ---------------------------------------------------------------------------------------------------------------------
# Numbers


def _sum(values: Iterable[Any]) -> Interval:
    result = iv.mpf(0)
    for value in values:
        result += enclosed(value)
    return result


def _inner(x: Sequence[Any], y: Sequence[Any]) -> Interval:
    return _sum(enclosed(a) * enclosed(b) for a, b in zip(x, y, strict=True))


def _apart(x: Sequence[Interval], y: Sequence[Interval]) -> list[Interval]:
    return [a - b for a, b in zip(x, y, strict=True)]


def _most(values: Iterable[Interval]) -> Interval:
    """The largest of the numbers; 0 where there are none."""
    found = list(values)
    result = found[0] if found else iv.mpf(0)
    for value in found[1:]:
        result = larger(result, value)
    return result


def _least(values: Iterable[Interval]) -> Interval:
    return -_most([-value for value in values])


def _root(x: Interval) -> Interval:
    """The root of a number that is >= 0, whatever its interval says."""
    return interval_sqrt(larger(x, iv.mpf(0)))


def _joined(x: Interval, y: Interval) -> Interval:
    return iv.mpf([min(x.a, y.a), max(x.b, y.b)])


def _middle(x: Interval) -> Any:
    """A point to propose by."""
    if not is_finite(x):
        raise UncaughtError("a number of the state is not bounded")
    return x.mid.a


def _integral(x: Interval) -> Interval:
    """e^-x log(1 + 1/x) >= E_1(x)."""
    return interval_exp(-x) * interval_log(1 + 1 / x)


def gap_constant(n: int) -> Interval:
    """omega_n with omega e^omega = (n - 1) / e: proposed, and shown by the signs of the difference on both sides."""
    if n == 1:
        return iv.mpf(0)
    goal = (n - 1) * interval_exp(iv.mpf(-1))
    # mpmath proposes; w e^w on both sides decides, for it grows with w.
    with mpmath.workprec(iv.prec):
        near = mpmath.lambertw((n - 1) * mpmath.exp(-1)).real
        room = mpmath.ldexp(near + 1, 16 - iv.prec)
        low, high = iv.mpf(near - room), iv.mpf(near + room)
    if not ((low * interval_exp(low)).b < goal.a and (high * interval_exp(high)).a > goal.b):
        raise UncaughtError("the constant omega is not enclosed")
    return iv.mpf([low.a, high.b])


# ---------------------------------------------------------------------------------------------------------------------
# Exact matrices


def _exact(value: Any) -> Any:
    if isinstance(value, list):
        return [_exact(entry) for entry in value]
    if isinstance(value, Fraction | int):
        return Fraction(value)
    raise ForeignError("a number of the flow is not exact")


def _inverse(A: Exact) -> Exact:
    """Raises ForeignError for a singular matrix."""
    found = inverse(A)
    if found is None:
        raise ForeignError("a matrix is singular")
    return found


def _diagonal_of(matrix: Any) -> list[Fraction]:
    if not (entries := diagonal(_exact(matrix))):
        raise ForeignError("a matrix is not diagonal")
    return entries


def _is_mirrored(begun: Exact) -> bool:
    """Whether x -> -x maps the tokens of a start to themselves."""
    return all(begun.count(row) == begun.count([-value for value in row]) for row in begun)


# ---------------------------------------------------------------------------------------------------------------------
# Tokens under V = lambda I


def _need_system(system: str, *known: str) -> None:
    if system not in known:
        raise ForeignError(f"the lemma is not about {system}")


def _name_of_tokens(system: str) -> str:
    _need_system(system, "SelfAttentionFlow", "RescaledFlow")
    return "x" if system == "SelfAttentionFlow" else "z"


def _pace(V: Any) -> Fraction:
    """The lambda > 0 of V = lambda I."""
    pace = factor_of_identity(_exact(V))
    if pace is None or pace <= 0:
        raise ForeignError("V is no positive multiple of the identity")
    return Fraction(pace)


@dataclass(frozen=True)
class Tokens:
    """The places where tokens are, each once: scores are beta e^{2 tau} <z_i, B z_j>, weights count the tokens there."""

    z: Points
    weights: list[int]
    place: list[int]
    B: Exact
    beta: Interval
    start: Exact
    """The places at the start."""

    @property
    def places(self) -> range:
        """The numbers of the places."""
        return range(len(self.z))

    @property
    def count(self) -> int:
        """n, tokens at one place each counted."""
        return len(self.place)

    def score(self, x: Sequence[Interval], y: Sequence[Interval]) -> Interval:
        """beta <x, B y>."""
        return self.beta * _sum(enclosed(b) * x[i] * y[j] for i, row in enumerate(self.B) for j, b in enumerate(row) if b)

    def spread(self) -> Interval:
        """G = beta max <z_k, B (z_i - z_j)>."""
        rows = [[self.score(x, y) for y in self.z] for x in self.z]
        return _most(_most(row) - _least(row) for row in rows)

    def diameter(self) -> Interval:
        """D = max |z_i - z_j|."""
        return _most(_root(_sum(abs(v) ** 2 for v in _apart(x, y))) for x, y in combinations(self.z, 2))

    def first(self, place: int) -> int:
        """The first token at a place."""
        return self.place.index(place)

    def each(self, values: Sequence[Any]) -> list[Any]:
        """What is said of places, said of tokens."""
        return [values[place] for place in self.place]

    def rows(self, weights: Sequence[dict[int, Fraction]]) -> Exact:
        """Rows of attention from the weight that each place gives to places: shared by the tokens at one place."""
        return [
            [weights[i].get(j, Fraction(0)) / self.weights[j] for j in self.place]  # one entry for each token
            for i in self.place
        ]


def _tokens(system: str, state: State, start: State) -> Tokens:
    name = _name_of_tokens(system)
    pace, begun = _pace(state["V"]), _exact(start[name])
    # Who coincides is read from the exact start: intervals never say that two tokens are at one place.
    seen = [begun[k] for k in distinct(begun)]
    place = [seen.index(token) for token in begun]
    z = [[enclosed(value) for value in state[name][place.index(k)]] for k in range(len(seen))]
    beta = iv.mpf(1) if name == "x" else interval_exp(2 * interval(pace) * enclosed(state["t"]))
    return Tokens(z, [place.count(k) for k in range(len(seen))], place, _exact(state["B"]), beta, seen)


def _led(tokens: Tokens, limits: list[Any], leader: list[int]) -> Shown:
    """What is so wherever each place ends with the leader that alone it attends to."""
    leaders = sorted(set(leader))
    counts = dict.fromkeys(("rank", "number_of_vertices", "count", "number_of_limits"), len(leaders))
    return counts | {
        "limits": tokens.each(limits),
        "leaders": tokens.each([tokens.first(l) for l in leader]),
        "classes": tokens.each([leaders.index(l) for l in leader]),
        "attention": tokens.rows([{l: Fraction(1)} for l in leader]),
        "vertices": [tokens.first(l) for l in leaders],
    }


def _best(scores: Sequence[Interval]) -> int:
    return max(range(len(scores)), key=lambda j: _middle(scores[j]))


# ---------------------------------------------------------------------------------------------------------------------
# Lemma B2


def leader_trap(system: str, state: State, start: State) -> Shown:
    """Lemma B2: every token prefers its leader, and will for ever."""
    tokens = _tokens(system, state, start)
    z, w, places = tokens.z, tokens.weights, tokens.places
    leader = [_best([tokens.score(z[k], z[j]) for j in places]) for k in places]
    # A leader that is led does not stay: those behind it would have to change.
    if any(leader[l] != l for l in leader):
        raise UncaughtError("a token is led by one that another leads")
    margin = [[tokens.score(z[k], _apart(z[leader[k]], z[i])) for i in places] for k in places]
    led = [i for i in places if leader[i] != i]
    leaders = [l for l in places if leader[l] == l]
    inside = {i: [margin[k][i] for k in places if leader[k] == leader[i]] for i in led}
    beyond = {k: [i for i in places if leader[i] != leader[k]] for k in places}
    # What is proposed may be wrong, and another proposal hold: nothing is said to be outside.
    need(*(y for values in inside.values() for y in values), *(margin[k][i] for k in places for i in beyond[k]))

    # Y and M are the least margins of Lemma B2 inside classes and between them; h and H what tokens lose to others.
    m = {i: _least(inside[i]) for i in led}
    Y = _least(m.values()) if led else None
    M = _least(margin[k][i] for k in places for i in beyond[k]) if len(leaders) > 1 else None
    ratio = {i: Fraction(w[i], w[leader[i]]) for i in led}
    lost = {i: interval(ratio[i]) * interval_exp(-m[i]) for i in led}
    H = _most(_sum(lost[i] * _most(inside[i]) for i in led if leader[i] == l) for l in leaders)
    h = _most(_sum(interval(Fraction(w[i], w[leader[k]])) * interval_exp(-margin[k][i]) for i in beyond[k]) for k in places)
    eta = _most(_sum(lost[i] for i in led if leader[i] == l) for l in leaders) + h
    G = tokens.spread()
    sigma_y, sigma_b = H + 2 * G * h, H + 4 * G * h
    if Y is not None:
        _need((interval(HALF) - eta) * Y - sigma_y, (1 - eta) * Y - 1 - eta - sigma_y * (1 + 1 / Y))
    if M is not None:
        _need(M - interval(4 * THIRD), M / 2 - sigma_b)

    N_Y = max(sum((ratio[i] for i in led if leader[i] == l), Fraction(0)) for l in leaders)
    N_M = max(sum((Fraction(w[i], w[leader[k]]) for i in beyond[k]), Fraction(0)) for k in places)
    moved = strayed = iv.mpf(0)
    if Y is not None:
        moved += 2 * interval(N_Y) * _integral(Y)
        strayed += 2 * interval(N_Y) * interval_exp(-Y) * (1 / Y + 1 / (Y * Y))
    if M is not None:
        moved += interval(2 * THIRD * N_M) * _integral(M)
        strayed += interval(2 * THIRD * N_M) * interval_exp(-M) / M
    D = tokens.diameter()
    # An offset is a difference, both ends of which may stray.
    moved, strayed = D * moved, 2 * D * strayed
    limits = [[value + symmetric(moved) for value in z[l]] for l in leader]
    offsets = [
        [value + symmetric(strayed) if k != l else iv.mpf(0) for value in _apart(z[l], z[k])] for k, l in enumerate(leader)
    ]
    return _led(tokens, limits, leader) | {
        "in_class": Y,
        "between": M,
        "in_weight": interval(N_Y),
        "between_weight": interval(N_M),
        "moved": moved,
        "offsets": tokens.each(offsets),
        "least_margin": None if M is None else 3 * M / (4 * tokens.beta),
    }


# ---------------------------------------------------------------------------------------------------------------------
# Lemma A'


def threshold_trap(system: str, state: State, start: State) -> Shown:
    """Lemma A': on a line every token runs off to one side."""
    tokens = _tokens(system, state, start)
    if len(tokens.z[0]) != 1 or not tokens.B[0][0] > 0:
        raise ForeignError("not one coordinate with Q^T K > 0")
    z = [row[0] for row in tokens.z]
    scale = interval_sqrt(tokens.beta * interval(tokens.B[0][0]))
    x = [scale * value for value in z]
    omega, n, places = gap_constant(tokens.count), tokens.count, tokens.places
    order = sorted(places, key=lambda i: _middle(x[i]))
    bottom, top = order[0], order[-1]
    _need(*(x[b] - x[a] for a, b in pairwise(order)))
    for value in x:
        if not (is_finite(value) and (value.a > 0 or value.b < 0)):
            raise UncaughtError("the side of a token is open")
    side = [1 if x[i].a > 0 else -1 for i in places]
    end = [top if side[i] > 0 else bottom for i in places]
    one_side = len(set(side)) == 1
    if one_side:
        nearest = _least(abs(value) for value in x)
        squares = gains = [nearest * nearest for _ in places]
    else:
        gains = [x[i] * x[end[i]] - omega for i in places]
        squares = [value * value for value in x]
        _need(*gains)

    def gap(i: int) -> Interval:
        return x[top] - x[order[-2]] if end[i] == top else x[order[1]] - x[bottom]

    limits = []
    for i in places:
        e, inwards = end[i], iv.mpf(0)
        if len(x) > 1:
            own = x[e] * x[e] - omega
            if not own.a > 0 and not one_side:
                raise UncaughtError("the last token of a side is not certainly beyond the threshold")
            rho = interval_sqrt(own) if own.a > 0 else interval_sqrt(gains[e])
            inwards = (n - 1) * (z[top] - z[bottom]) * _integral(gap(i) * rho)
        # The last token of a side moves inwards only.
        limits.append([_joined(z[e], z[e] - side[i] * inwards)])
    return _led(tokens, limits, end) | {
        "sides": tokens.each(side),
        "gap": _least(gap(i) for i in places) if len(x) > 1 else None,
        "squares": tokens.each(squares),
        "gains": tokens.each(gains),
    }


# ---------------------------------------------------------------------------------------------------------------------
# Lemma C


def classes_trap(system: str, state: State, start: State) -> Shown:
    """Lemma C: classes of near tokens that never mix."""
    tokens = _tokens(system, state, start)
    return _first_caught(
        _joined_by_distance(tokens), lambda classes: _unmixed(tokens, classes), "no classes are seen to stay apart"
    )


def _joined_by_distance(tokens: Tokens) -> Iterator[list[list[int]]]:
    """Partitions of the places from single ones up to two classes, the two nearest classes joined each time."""
    middles = [[float(_middle(value)) for value in row] for row in tokens.z]

    def way(pair: tuple[list[int], list[int]]) -> float:
        return min(sum((a - b) ** 2 for a, b in zip(middles[i], middles[j], strict=True)) for i in pair[0] for j in pair[1])

    # Fine partitions say more, and catch less: they are asked first.
    classes = [[k] for k in tokens.places]
    while len(classes) > 1:
        yield classes
        one, other = min(combinations(classes, 2), key=way)
        classes = [members for members in classes if members not in (one, other)] + [one + other]


def _unmixed(tokens: Tokens, classes: list[list[int]]) -> Shown:
    z, n = tokens.z, tokens.count
    label = {k: number for number, members in enumerate(classes) for k in members}
    b = _least(
        tokens.score(z[k], _apart(z[i], z[j]))
        for members in classes
        for k in members
        for i in members
        for j in tokens.places
        if label[j] != label[k]
    )
    _need(b)
    leak = n * _integral(b / 2) / 2
    _need(b / 2 - 3 * leak * (b + tokens.spread()))
    reach = leak * tokens.diameter()
    hulls = []
    for k in tokens.places:
        box = list(z[k])
        for i in classes[label[k]]:
            box = [_joined(a, value) for a, value in zip(box, z[i], strict=True)]
        hulls.append([value + symmetric(reach) for value in box])
    return {
        "classes": tokens.each([label[k] for k in tokens.places]),
        "count": len(classes),
        "hulls": tokens.each(hulls),
        "reach": reach,
        "leak": leak,
    }


# ---------------------------------------------------------------------------------------------------------------------
# Lemma D

MOST_SYMMETRIES = 5000


def symmetry_trap(system: str, state: State, start: State) -> Shown:
    """Lemma D: tokens whose best tokens are tied by an exact symmetry of the start."""
    tokens = _tokens(system, state, start)
    # Ties that intervals cannot show are ties for ever where a symmetry of the exact start makes them.
    group = _symmetries(tokens)
    w, n, places, points = tokens.weights, tokens.count, tokens.places, tokens.start
    keepers = [[pi for pi in group if pi[k] == k] for k in places]
    # A place rests where the symmetries that keep it average every other point to it.
    frozen = [
        all(
            sum(points[pi[j]][a] for pi in keepers[k]) == len(keepers[k]) * x
            for j in places
            for a, x in enumerate(points[k])
        )
        for k in places
    ]
    z = list(tokens.z)
    for k, begun in enumerate(tokens.start):
        if frozen[k] and (system == "RescaledFlow" or not any(begun)):
            z[k] = [interval(value) for value in begun]
    free = [k for k in places if not frozen[k]]
    best = {k: _best([tokens.score(z[k], z[j]) for j in places]) for k in free}
    tied = {k: sorted({pi[best[k]] for pi in keepers[k]}) for k in free}
    if any(tied.get(lead) != [lead] for heard in tied.values() for lead in heard):
        raise UncaughtError("a token is led by one that another leads")
    leaders = [k for k in free if tied[k] == [k]]
    middle = [
        [_sum(z[lead][a] for lead in tied[k]) / len(tied[k]) for a in range(len(z[k]))] if k in tied else z[k]
        for k in places
    ]
    margins, outside = [], {k: [i for i in places if i not in tied[k]] for k in free}
    for k in free:
        # Now and at the limit; in between it is an average of the two.
        for query in (z[k], middle[k]):
            margins += [tokens.score(query, _apart(z[lead], z[i])) for lead in tied[k] for i in outside[k]]
    moved, M = iv.mpf(0), None
    if margins:
        need(*margins)
        M = _least(margins)
        N = interval(max(sum((Fraction(w[i], w[tied[k][0]]) for i in outside[k]), Fraction(0)) for k in free))
        _need(M - 4, M - 8 * N * tokens.spread() * interval_exp(-M))
        moved = 2 * N * tokens.diameter() * _integral(M)
    limits = [row if frozen[k] else [value + symmetric(moved) for value in row] for k, row in enumerate(middle)]
    weights = [
        {j: Fraction(w[j], n) for j in places} if frozen[k] else dict.fromkeys(tied[k], Fraction(1, len(tied[k])))
        for k in places
    ]
    heard = [tied.get(k, []) for k in places]
    kinds = [heard[k] for k in distinct(heard)]
    label = [kinds.index(one) for one in heard]
    ends = [limits[label.index(number)] for number in range(len(kinds))]
    # Only limits that are told apart are counted: two classes may end at one place.
    apart = all(any(a.b < b.a or b.b < a.a for a, b in zip(x, y, strict=True)) for x, y in combinations(ends, 2))
    shown: Shown = {
        "limits": tokens.each(limits),
        "leaders": tokens.each([tokens.first(tied[k][0]) if k in tied and len(tied[k]) == 1 else -1 for k in places]),
        "classes": tokens.each(label),
        "attention": tokens.rows(weights),
        "rank": len(leaders) + int(any(frozen)),
        "vertices": [tokens.first(k) for k in leaders] or [0],
        "number_of_vertices": len(leaders) or 1,
        "count": len(ends) if apart else None,
        "frozen": tokens.each([int(one) for one in frozen]),
        "between": M,
    }
    return shown | ({"number_of_limits": len(ends)} if apart else {})


def _symmetries(tokens: Tokens) -> list[tuple[int, ...]]:
    """The permutations of places by a linear map that keeps weights and scores. Raises UncaughtError for too many."""
    points, places = tokens.start, tokens.places
    scores, dimension = product(points, tokens.B, transposed(points)), rank(points)
    partial: list[tuple[int, ...]] = [()]
    for i in places:
        partial = [
            (*pi, image)
            for pi in partial
            for image in places
            if image not in pi
            and tokens.weights[image] == tokens.weights[i]
            and all(
                scores[image][other] == scores[i][j] and scores[other][image] == scores[j][i]
                for j, other in enumerate((*pi, image))
            )
        ]
        if len(partial) > MOST_SYMMETRIES:
            raise UncaughtError("too many symmetries")
    return [
        pi
        for pi in partial
        if rank([[*point, *points[image]] for point, image in zip(points, pi, strict=True)]) == dimension
    ]


# ---------------------------------------------------------------------------------------------------------------------
# Lemma K


def product_trap(system: str, state: State, start: State) -> Shown:
    """Lemma K: the places are all pairs of a place of the one side and one of the other, and scores are sums."""
    name = _name_of_tokens(system)
    _pace(state["V"])
    B, begun = _exact(state["B"]), _exact(start[name])
    d, n = len(B), len(begun)
    # The fewest coordinates for the first side, then the first of them.
    for mask in sorted(range(1, 2 ** (d - 1)), key=lambda mask: (-mask.bit_count(), -mask)):
        # The second side never has the first coordinate.
        second = [a for a in range(1, d) if mask >> (a - 1) & 1]
        first = [a for a in range(d) if a not in second]
        # A score across would make the sides one flow.
        if any(B[a][b] or B[b][a] for a in first for b in second):
            continue
        keys = [[tuple(row[a] for a in side) for row in begun] for side in (first, second)]
        both = list(zip(*keys, strict=True))
        if any(both.count((x, y)) * n != keys[0].count(x) * keys[1].count(y) for x in keys[0] for y in keys[1]):
            continue
        # Each side is a flow of its own, whose tokens are counted with multiplicity.
        parts = [
            tokens_trap(system, _restricted(name, state, side), _restricted(name, start, side)) for side in (first, second)
        ]
        return _product(parts, keys, first + second)
    raise ForeignError("the tokens are no product of two sets")


def _restricted(name: str, state: State, side: list[int]) -> State:
    """A state without the coordinates of the other side."""
    squares = {key: [[state[key][a][b] for b in side] for a in side] for key in ("B", "V")}
    return {**state, **squares, name: [[row[a] for a in side] for row in state[name]]}


def _product(parts: list[Shown], keys: list[list[Any]], order: list[int]) -> Shown:
    one, other = parts
    n, both = len(keys[0]), list(zip(*keys, strict=True))

    def meeting(k: int, l: int) -> int:
        return both.index((keys[0][k], keys[1][l]))

    joined = [x + y for x, y in zip(one["limits"], other["limits"], strict=True)]
    kinds = list(zip(one["classes"], other["classes"], strict=True))
    rest = [part.get("frozen", [int(len(set(key)) == 1)] * n) for part, key in zip(parts, keys, strict=True)]
    known = [part["count"] for part in parts]
    count = None if None in known else known[0] * known[1]
    shown: Shown = {
        "limits": [[row[order.index(a)] for a in range(len(order))] for row in joined],
        "leaders": [-1 if min(k, l) < 0 else meeting(k, l) for k, l in zip(one["leaders"], other["leaders"], strict=True)],
        "classes": [sorted(set(kinds)).index(kind) for kind in kinds],
        "attention": [
            [n * a * b for a, b in zip(x, y, strict=True)]
            for x, y in zip(one["attention"], other["attention"], strict=True)
        ],
        "rank": one["rank"] * other["rank"],
        "vertices": [meeting(k, l) for k in one["vertices"] for l in other["vertices"]],
        "number_of_vertices": one["number_of_vertices"] * other["number_of_vertices"],
        "count": count,
        "frozen": [a * b for a, b in zip(*rest, strict=True)],
        "between": None,
    }
    return shown | ({} if count is None else {"number_of_limits": count})


def tokens_trap(system: str, state: State, start: State) -> Shown:
    """Lemma B2, else Lemma D, else Lemma K."""
    failures: list[UncaughtError] = []
    for trap in (leader_trap, symmetry_trap, product_trap):
        try:
            return trap(system, state, start)
        except UncaughtError as error:
            failures.append(error)
    # What is open comes first: more bits may close a margin, where being outside would be final.
    raise next((error for error in failures if not isinstance(error, OutsideError | ForeignError)), failures[1])


def line_trap(system: str, state: State, start: State) -> Shown:
    """Lemma A', else Lemma D."""
    try:
        return threshold_trap(system, state, start)
    except UncaughtError as error:
        try:
            return symmetry_trap(system, state, start)
        except UncaughtError:
            raise error from None


# ---------------------------------------------------------------------------------------------------------------------
# Splittings of V


NO_NORM = "no norm shows that V is smaller beside its eigenspace"


@dataclass(frozen=True)
class Split:
    """y in F and g in G of the tokens x, and how V and the scores look there; |.|_Q on G grows by e^{mu s} at most."""

    pace: Fraction
    phi: list[Fraction]
    """The first row of R^-1."""
    N: Exact
    size: int
    y: Points
    g: Points
    Q: Exact
    mu: Fraction

    @property
    def n(self) -> int:
        """How many tokens there are."""
        return len(self.y)

    def length(self, g: Sequence[Interval]) -> Interval:
        """|g|_Q."""
        return _length(self.Q, g)

    def largest(self) -> Interval:
        """C = max |g_i|."""
        return _most(self.length(row) for row in self.g)

    def widest(self) -> Interval:
        """O = max |g_i - g_j|."""
        return _most(self.length(_apart(a, b)) for a, b in combinations(self.g, 2))

    def dual(self, covector: Sequence[Any]) -> Interval:
        """|c|_*."""
        return _length(_inverse(self.Q), [enclosed(value) for value in covector])

    def block(self, rows: str, columns: str) -> Exact:
        """A block of N, "F" or "G" by "F" or "G"."""
        part = {"F": slice(0, self.size), "G": slice(self.size, None)}
        return [row[part[columns]] for row in self.N[part[rows]]]

    def norm(self, matrix: Exact, left: Exact) -> Interval:
        """Frobenius bound of sup a^T M g / (|a|_left |g|_Q)."""
        if not matrix or not matrix[0]:
            return iv.mpf(0)
        square = product(_inverse(left), matrix, _inverse(self.Q), transposed(matrix))
        return interval_sqrt(interval(sum((row[i] for i, row in enumerate(square)), Fraction(0))))


def _length(form: Exact, x: Sequence[Interval]) -> Interval:
    return _root(_sum(enclosed(form[i][j]) * x[i] * x[j] for i in range(len(x)) for j in range(len(x))))


def _splits(system: str, state: State) -> Iterator[Split]:
    name, V, B = _name_of_tokens(system), _exact(state["V"]), _exact(state["B"])
    d = len(V)
    pace = _leading_eigenvalue(V)
    rest = plus(V, [[-pace * one for one in row] for row in unit(d)])
    echelon, pivots = reduced(rest)
    F = []
    for unknown in (j for j in range(d) if j not in pivots):
        vector = [Fraction(int(j == unknown)) for j in range(d)]
        for row, pivot in zip(echelon, pivots, strict=True):
            vector[pivot] = -row[unknown]
        F.append(vector)
    G = reduced(transposed(rest))[0]
    R = transposed([*F, *G])
    # F is the eigenspace and G the range of V - lambda: they meet in 0 unless V has a Jordan block.
    L = _inverse(R)  # singular for a Jordan block
    size = len(F)
    V_G = [row[size:] for row in product(L, V, R)[size:]]
    x = [[enclosed(value) for value in token] for token in state[name]]
    if name == "z":
        growth = matrix_exponential(V, enclosed(state["t"]))
        x = [[_inner(row, token) for row in growth] for token in x]
    coordinates = [[_inner(row, token) for row in L] for token in x]
    y, g = [row[:size] for row in coordinates], [row[size:] for row in coordinates]
    N = product(transposed(R), B, R)
    for Q, mu in _norms(V_G, pace, g):
        yield Split(pace, L[0], N, size, y, g, Q, mu)


def _leading_eigenvalue(V: Exact) -> Fraction:
    """The largest real eigenvalue, where it is rational and positive. Raises ForeignError.

    Newton's iteration from beyond all roots of the characteristic polynomial proposes it: where it is larger than the
    modulus of all others the iterates fall to it. With whole coefficients it is a multiple of one over the leading one.
    """
    coefficients = characteristic(V)
    whole = lcm(*(value.denominator for value in coefficients))
    with mpmath.workprec(
        200 + 4 * len(V) * (whole.bit_length() + max(abs(v.numerator) for v in coefficients).bit_length())
    ):
        numbers = [mpmath.mpf(value.numerator) / value.denominator for value in coefficients]
        x = 1 + sum(abs(value) for value in numbers)
        for _ in range(600):
            height = slope = mpmath.mpf(0)
            for value in reversed(numbers):
                height, slope = height * x + value, slope * x + height
            if slope == 0 or height == 0:
                break
            x -= height / slope
            if abs(height) * len(V) * 4 * whole < abs(slope):  # the root is at most d steps away
                break
        near = Fraction(int(mpmath.nint(x * whole)), whole)
    if near <= 0 or sum((value * near**k for k, value in enumerate(coefficients)), Fraction(0)) != 0:
        raise ForeignError("V has no positive rational eigenvalue ahead of all others")
    return near


def _norms(V_G: Exact, pace: Fraction, g: Points) -> Iterator[tuple[Exact, Fraction]]:
    """Q > 0 and mu < lambda with V_G^T Q V_G <= mu^2 Q: proposed in float64, shown in Fractions."""
    size = len(V_G)
    if not size:
        yield [], Fraction(0)
        return
    for matrix, near in _proposed_norms(np.array([[float(v) for v in row] for row in V_G]), float(pace), g):
        if not np.isfinite(matrix).all() or not matrix.any():
            continue
        unit = Fraction(2) ** (floor(log2(float(abs(matrix).max()))) - 40)
        # Rounded to 40 bits: definiteness is shown of the rounded matrix.
        half = [[Fraction(float(matrix[i, j] + matrix[j, i])) / 2 for j in range(size)] for i in range(size)]
        Q = [[round(value / unit) * unit for value in row] for row in half]
        # At the spectral radius itself a rounded norm rarely fits; a little above it does, and the region is nearly as
        # wide.
        for room in (Fraction(0), Fraction(1, 1 << 30), Fraction(1, 1 << 12), Fraction(1, 1 << 6)):
            mu = Fraction(near) + room * pace if room else Fraction(near).limit_denominator(10**6)
            kept = plus([[mu * mu * value for value in row] for row in Q], negative(product(transposed(V_G), Q, V_G)))
            if mu < pace and is_definite(Q) and is_definite(kept, strictly=False):
                yield Q, mu
                break


def _proposed_norms(V: Any, pace: float, g: Points) -> Iterator[tuple[Any, float]]:
    """From eigenvectors, scaled to the tokens or not; then sums of powers of V / mu."""
    # With eigenvectors the norm grows by the spectral radius exactly.
    values, vectors = np.linalg.eig(V)
    radius = float(np.abs(values).max())
    if np.linalg.cond(vectors) < 1e8:
        left = np.linalg.inv(vectors)
        sizes = np.abs(np.array([[float(_middle(v)) for v in row] for row in g]) @ left.T).max(axis=0)
        floor_of_sizes = 1 + sizes.max()
        # Scaled to the tokens, each direction counts by how far they reach in it.
        for scale in (np.where(sizes > 1e-12 * floor_of_sizes, sizes, floor_of_sizes), np.ones(len(V))):
            rows = left / scale[:, None]
            yield (rows.conj().T @ rows).real, radius
    # Sums of powers make a norm of any V, at a rate between its radius and lambda.
    for share in (0.25, 0.5, 0.75):
        mu = radius + share * (pace - radius)
        if mu > radius:
            power, whole = np.eye(len(V)), np.eye(len(V))
            for _ in range(200):
                power = power @ V / mu
                whole = whole + power.T @ power
            yield whole, mu


# ---------------------------------------------------------------------------------------------------------------------
# Lemmas T3'', N3'' and T4''


def hyperplanes_trap(system: str, state: State, start: State) -> Shown:
    """Lemma T3'', N3'' or N: tokens tend to two hyperplanes, or to one; beside two a token may rest at 0."""
    age, begun = _age(system, state), _exact(start[_name_of_tokens(system)])
    mirrored = _is_mirrored(begun)
    rests = [mirrored and not any(row) for row in begun]
    return _first_caught(_splits(system, state), lambda split: _hyperplanes(split, age, rests, mirrored), NO_NORM)


def _age(system: str, state: State) -> Interval:
    return enclosed(state["t"]) if system == "RescaledFlow" else iv.mpf(0)


def _hyperplanes(split: Split, age: Interval, rests: list[bool], mirrored: bool) -> Shown:
    if split.size != 1:
        raise ForeignError("the leading eigenvalue of V is not simple")
    c, pace, mu = split.N[0][0], split.pace, split.mu
    if c == 0:
        raise ForeignError("the leading eigenvector does not score itself")
    F = [row[0] for row in split.y]
    # Mirrored tokens that repel one another keep the mean 0, and all heights tend to it.
    if c < 0 and mirrored:
        zero = [0] * len(F)
        alone = {"covector": split.phi, "heights": [iv.mpf(0) for _ in F], "sides": zero, "classes": zero, "count": 1}
        return alone | {"pace": pace, "mu": mu}
    if not all(rest or (is_finite(f) and (f.a > 0 or f.b < 0)) for f, rest in zip(F, rests, strict=True)):
        raise UncaughtError("the side of a token is open")
    side = [0 if rest else 1 if f.a > 0 else -1 for f, rest in zip(F, rests, strict=True)]
    height = [abs(f) for f in F]
    C, O, omega = split.largest(), split.widest(), gap_constant(split.n)
    kappa = split.dual([row[0] for row in split.N[1:]]) * C
    h_1 = interval(pace / (pace - mu)) * split.dual(split.N[0][1:]) * O
    h_2 = omega / 2 + interval(pace / (2 * pace - 2 * mu)) * split.norm(split.block("G", "G"), split.Q) * C * O
    if c > 0:
        limit = _of_two(height, side, interval(c), kappa, h_1, h_2)
    else:
        if len(set(side)) > 1 or 0 in side:
            raise OutsideError("tokens are on both sides, or at 0")
        low = _least(height)
        H = interval(-c) * low - kappa
        _need(H)
        limit = dict.fromkeys(side, _joined(low, low + (h_2 + h_1 * low) / H))
    # The lemma is about x; z = e^{-tV} x is asked for.
    shrunk = interval_exp(-interval(pace) * age)
    return {
        "covector": split.phi,
        "heights": [shrunk * one * limit[one] for one in side],
        "sides": side,
        "classes": [sorted(set(side), key=side.index).index(one) for one in side],
        "count": len(set(side)),
        "pace": pace,
        "mu": mu,
    }


def _of_two(
    height: Sequence[Interval], side: Sequence[int], c: Interval, kappa: Interval, h_1: Interval, h_2: Interval
) -> dict[int, Interval]:
    """The size of the limit on each side, by Lemma T3''."""
    a = c * h_2 + kappa * h_1
    _need(*(c * f - kappa - h_1 - _root(2 * a) for f, one in zip(height, side, strict=True) if one))
    limit = {0: iv.mpf(0)}
    for one in set(side) - {0}:
        top = _most(f for f, own in zip(height, side, strict=True) if own == one)
        # The quadratic of Lemma T3'' has real roots where the margin above is positive.
        H = _root((c * top - kappa - h_1) ** 2 - 2 * a)
        _need(H)
        limit[one] = _joined(top - (h_2 + h_1 * (kappa + H) / c) / H, top)
    return limit


def polytope_trap(system: str, state: State, start: State) -> Shown:
    """Lemma T4'': projections of tokens tend to the boundary of a polytope."""
    age, begun = _age(system, state), _exact(start[_name_of_tokens(system)])
    mirrored = _is_mirrored(begun)
    moving = [any(row) for row in begun] if mirrored else [True] * len(begun)
    return _first_caught(_splits(system, state), lambda split: _polytope(split, age, moving), NO_NORM)


def _polytope(split: Split, age: Interval, moving: list[bool]) -> Shown:
    S, pace, mu = split.block("F", "F"), split.pace, split.mu
    if not is_definite(S):
        raise ForeignError("B is not symmetric and positive definite on the eigenspace")
    C, O = split.largest(), split.widest()
    mixed = iv.mpf(0)
    if split.Q:
        across = split.block("G", "F")
        mixed = _most(split.dual([_inner(row, _apart(a, b)) for row in across]) for a, b in combinations(split.y, 2))
    late = interval(pace / (pace - mu))
    E_0 = gap_constant(split.n) / 2 + late * split.norm(split.block("G", "G"), split.Q) * C * O / 2 + late * C * mixed
    h_1 = late * split.norm(split.block("F", "G"), S) * O
    size = [_length(S, row) for row, moves in zip(split.y, moving, strict=True) if moves]
    _need(*(value - h_1 - _root(2 * E_0) for value in size))
    R = _most(size)
    shrunk = interval_exp(-2 * interval(pace) * age)
    return {
        "squares": [shrunk * ((value - h_1) ** 2 - 2 * E_0) for value in size],
        "residual": [(R**2 - value**2 + 2 * (E_0 + R * h_1)) / (2 * interval(pace)) for value in size],
        "dimension": split.size,
        "pace": pace,
    }


# ---------------------------------------------------------------------------------------------------------------------
# Lemmas T5'' and E


def collapse_trap(system: str, state: State, start: State) -> Shown:
    """Lemma T5'': all tokens tend to 0."""
    if system != "SelfAttentionFlow":
        raise ForeignError("the statement is about x")
    pace, B = factor_of_identity(_exact(state["V"])), _exact(state["B"])
    if pace is None or pace >= 0:
        raise ForeignError("V is no negative multiple of the identity")
    if not is_definite(B):
        raise ForeignError("Q^T K is not symmetric and positive definite")
    x, begun = [[enclosed(value) for value in token] for token in state["x"]], _exact(start["x"])
    size = 2 * _sum(enclosed(B[i][j]) * token[i] * token[j] for token in x for i in range(len(B)) for j in range(len(B)))
    _need(size + 1)
    n = len(x)
    return {
        "limits": [[Fraction(0)] * len(B) for _ in x],
        "attention": [[Fraction(1, n)] * n for _ in x],
        "rank": 1,
        "size": size,
        "differences": rank([[a - b for a, b in zip(token, begun[0], strict=True)] for token in begun]),
        "pace": -pace,
    }


def between_trap(system: str, state: State, start: State) -> Shown:
    """Lemma E: between two starts whose first token runs off to different sides there is one where it stays bounded."""
    if system != "TwoStarts":
        raise ForeignError(f"{system} is no pair of starts")
    x, y, B, V = (_exact(start[name]) for name in "xyBV")
    if (len(x), len(x[0]), B, V) != (2, 1, [[1]], [[1]]):
        raise ForeignError("not two tokens on a line with Q^T K = V = 1")
    if x[1] != y[1] or x[1][0] < 1:
        raise ForeignError("the second tokens differ, or are below 1")
    # The starts whose first token runs off to one side are an open set, and so are those of the other: between them is one
    # of neither.
    sides = []
    for name in "xy":
        now, begun = ({"x": one[name], "B": one["B"], "V": one["V"]} for one in (state, start))
        sides.append(threshold_trap("SelfAttentionFlow", now, begun)["sides"][0])
    if sides[0] == sides[1]:
        raise OutsideError("the first tokens run off to the same side")
    return {"doubly_exponential": -1, "attention": [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]}


def gathering_trap(system: str, state: State, start: State) -> Shown:
    """Lemma N of a mirrored start, V = lambda I, lambda > 0, -B symmetric positive definite; Lemma B2 of another."""
    begun = _exact(start[_name_of_tokens(system)])
    pace, B = factor_of_identity(_exact(start["V"])), _exact(start["B"])
    repels = is_definite(negative(B))
    mirrored = _is_mirrored(begun)
    if pace is not None and pace > 0 and repels and mirrored:
        return {"number_of_limits": 1}
    return leader_trap(system, state, start)


def mirrored_trap(system: str, state: State, start: State) -> Shown:
    """Lemma F: u and -u on a line, for any V and Q^T K but 0. The square of x grows for V Q^T K > 0 and else falls to 0."""
    tokens, V, B = (_exact(start[name]) for name in (_name_of_tokens(system), "V", "B"))
    if len(tokens) != 2 or len(V) != 1 or tokens[0][0] + tokens[1][0] != 0 or tokens[0][0] == 0:
        raise ForeignError("the start is not two opposite tokens on a line")
    sign = V[0][0] * B[0][0]
    if sign == 0:
        raise ForeignError("V or Q^T K is 0")
    return {"runs_off": sign > 0, "rescaled_runs_off": V[0][0] < 0, "loss": -sign}


def corners_trap(system: str, state: State, start: State) -> Shown:
    """Lemma G: 2^d tokens at the corners of a box around 0, V and Q^T K diagonal and positive."""
    _need_system(system, "RescaledFlow")
    if min(*_diagonal_of(start["V"]), *_diagonal_of(start["B"])) <= 0:
        raise ForeignError("a rate or a score is not positive")
    corners = _exact(start["z"])
    sizes = [abs(value) for value in corners[0]]
    signs = {tuple(value > 0 for value in corner) for corner in corners}
    at_corners = all([abs(value) for value in corner] == sizes for corner in corners)
    if 0 in sizes or not at_corners or not len(signs) == len(corners) == 2 ** len(sizes):
        raise ForeignError("the tokens are not the corners of a box, each once")
    return {"number_of_limits": 2 ** len(sizes)}


def frozen_trap(system: str, state: State, start: State) -> Shown:
    """Lemma P: negative tokens on a line under a perceptron, all at rest but the least, which stops half way or before."""
    _need_system(system, "PerceptronFlow")
    V, W, B = (_exact(start[name]) for name in "VWB")
    if len(V) > 1 or min(V[0][0], W[0][0], B[0][0]) <= 0:
        raise ForeignError("not on a line, or a matrix is not positive")
    z = sorted((row[0] for row in _exact(start["z"])), reverse=True)
    if len(z) < 2 or len(set(z)) < len(z) or z[0] >= 0:
        raise ForeignError("the tokens are not different and negative, two or more")
    beta = interval(B[0][0]) * interval_exp(interval(2 * V[0][0] * _exact([[start["t"]]])[0][0]))
    # The least token stops half way to the next one or before: all that is used of it.
    low, stop = z[-1], (z[-1] + z[-2]) / 2
    for i, own in enumerate(z[:-1]):
        # Only tokens above draw it upwards; what those below do the perceptron cuts off.
        pull = [interval(up - own) * interval_exp(beta * interval(own * (up - stop))) for up in z[:i]]
        _need(interval(own - stop) - _sum(pull))
    moves = [interval(up - low) * _integral(beta * interval(-stop * (up - stop))) for up in z[:-1]]
    _need(interval(stop - low) - interval(W[0][0] / 2) * _sum(moves))
    return {"number_of_limits": len(z)}


def triangle_trap(system: str, state: State, start: State) -> Shown:
    """Lemma S: (r, 0), (0, r), (-r, -r) under V = -v I, each token seeking another one of the triangle that they remain."""
    _need_system(system, "SelfAttentionFlow")
    x, V, B = (_exact(start[name]) for name in "xVB")
    size, own = x[0][0], B[0][0]
    if len(V) != 2 or size == 0 or x != [[size, 0], [0, size], [-size, -size]]:
        raise ForeignError("the tokens are not the triangle of the lemma")
    if (factor_of_identity(V) or 1) > 0 or own <= 0 or B[1][1] != own or B[0][1] + B[1][0] != -own:
        raise ForeignError("V or Q^T K is not of the form of the lemma")
    turn = abs(B[1][0] - B[0][1]) / 2 / own
    if turn <= 3 * HALF:
        raise ForeignError("every token prefers itself")
    reach = own * size**2
    _need(interval_exp(interval(reach * (turn - 3 * HALF))) + interval_exp(interval(-reach * (turn + 3 * HALF))) - 2)
    return {"runs_off": True}


def pairs_trap(system: str, state: State, start: State) -> Shown:
    """Lemma R: tokens (f, y) and (f, -y) that look at one another alone, so that f stays nearly where it is."""
    if system != "RescaledFlow" or _exact([[start["t"]]]) != [[0]]:
        raise ForeignError("the lemma is about the rescaled flow from time 0")
    (pace, *rates), (own, *others) = _diagonal_of(start["V"]), _diagonal_of(start["B"])
    if not rates or set(rates) != {rates[0]} or set(others) != {others[0]}:
        raise ForeignError("V or Q^T K has not two parts")
    if not (pace > 0 and pace <= -rates[0] and own > 0 and others[0] < 0):
        raise ForeignError("a part of V or Q^T K has the wrong sign or size")
    tokens = _exact(start["z"])
    count = len(tokens)
    image = [[token[0], *(-value for value in token[1:])] for token in tokens]
    if any(
        tokens.count(token) > 1 or token == other or other not in tokens for token, other in zip(tokens, image, strict=True)
    ):
        raise ForeignError("the tokens are no mirrored pairs")

    def product_of(i: int, j: int) -> Fraction:
        return sum((a * b for a, b in zip(tokens[i][1:], tokens[j][1:], strict=True)), Fraction(0))

    free = min(product_of(i, i) + product_of(i, j) for i in range(count) for j in range(count) if tokens[j] != image[i])
    heights = [token[0] for token in tokens]
    width = max(heights) - min(heights)
    margin = interval(-others[0] * free / 2 - own * max(map(abs, heights)) * width)
    _need(margin)
    leak = (count - 1) * _integral(margin)
    _need(interval(free / 2) - 4 * interval(max(product_of(i, i) for i in range(count))) * leak)
    if not width:
        return {"number_of_limits": 1}
    # The two tokens of a pair have one height.
    each = sorted(heights)[::2]
    _need(*(interval(above - below) - interval(width) * leak for below, above in pairwise(each)))
    return {"number_of_limits": len(each)}


# ---------------------------------------------------------------------------------------------------------------------
# In the place of dynamics.limits

TRAPS: tuple[Callable[[str, State, State], Shown], ...] = tuple(
    function for name, function in list(globals().items()) if name.endswith("_trap")
)
"""All that are called so: claims name them, and none can be forgotten here."""

ENDS = tuple(
    type(name, (SimpleNamespace,), {"__doc__": "What a trap shows."})
    for name in (
        *(
            "BoundedBetween",
            "ClassesEnd",
            "CollapseEnd",
            "CornersEnd",
            "FrozenEnd",
            "GatheredEnd",
            "HyperplanesEnd",
            "LedEnd",
        ),
        *("MirroredEnd", "PairsEnd", "PolytopeEnd", "ThresholdEnd", "TiedEnd", "TokensEnd", "TurningEnd"),
    )
)
"""By these names claims say what they read."""


@dataclass(frozen=True)
class AnyTime:
    """The times of a limit that was looked for: whenever the trap catches, the statement is proved for ever."""

    trap: Callable[..., Any]

    def __call__(self, start: Any) -> Any:
        """Raises NotImplementedError: the checker looks for no time."""
        raise NotImplementedError("the time is the one that a certificate states")


def settling_times(trap: Callable[..., Any], latest: Any = None) -> AnyTime:
    """In the place of a search in float64, which the checker does not repeat."""
    return AnyTime(trap)
