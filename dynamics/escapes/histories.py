"""The moves of the attention chain until a token leaves its tube, one token per tube: a graph without cycles.

A node is the positions of all tokens after so many moves; steps in which nothing moves are the loop at the node. Positions
are rational. With `cell` positions that are reached by the same picks in another order, and are that near, become one
node: a box that holds them all. What is not followed is kept as mass of the node from which it left.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations, permutations
from math import lcm
from operator import mul, ne
from typing import Any

from flint import arb, fmpq

from dynamics.arithmetic import UndecidedError
from dynamics.escapes.departures import (
    ALL,
    NOTHING,
    Place,
    State,
    WeightedPicks,
    departure,
    inner,
    middle,
    minus,
    moved,
    picks_of,
    start_of,
)
from dynamics.tokens.attention_chain import AttentionChain


class TooManyHistoriesError(UndecidedError):
    """The histories have more states than may be followed."""

    precision_helps = False


class NotAloneError(UndecidedError):
    """Two tokens share a tube: positions may return, and this way of following them does not end."""

    precision_helps = False


@dataclass(slots=True)
class Node:
    """A state, or a box of states: `leave` is the chance that something moves, `edges` where to, given that it does.

    `out` is the chance that the move leads out; of an `unsure` edge, from a box that meets the edge of a tube, it is not
    known whether it does. `dropped` is the chance of moves that are not followed. A node that `is_cut` is not followed at
    all. Where something is not followed, at least `needed` moves lead from the node out of the tubes.
    """

    stay: arb
    leave: arb
    edges: Sequence[tuple[int, arb]] = ()
    unsure: Sequence[tuple[int, arb]] = ()
    out: arb = field(default_factory=lambda: NOTHING)
    dropped: arb = field(default_factory=lambda: NOTHING)
    is_cut: bool = False
    needed: Callable[[], int] = lambda: 1


FROM_ZERO = arb(0.5, 0.5)
"""All numbers from 0 to 1."""


@dataclass(frozen=True)
class Pace:
    """Bounds over all states that can be reached inside the tubes.

    At most so many `moves` until a token leaves; the chance that something moves in a step is from `slowest` to `fastest`.
    """

    moves: int
    slowest: arb
    fastest: arb

    @property
    def longest_mean(self) -> arb:
        """An upper bound of E T_2 from any of these states."""
        return (self.moves / self.slowest).upper()


@dataclass(frozen=True)
class Histories:
    """Nodes in the order of the number of moves of single tokens that lead there, the start first.

    No `pace` is known where picks lead to and fro.
    """

    nodes: list[Node]
    pace: Pace | None
    boxes: bool

    @property
    def whole(self) -> bool:
        """Whether nothing was cut."""
        return not any(node.is_cut or not node.dropped.is_zero() for node in self.nodes)


def alone(chain: AttentionChain) -> bool:
    """Whether each token has a group, and a tube, of its own."""
    return len(set(chain.group.tolist())) == len(chain.group)


def follow(
    chain: AttentionChain, negligible: float = 0.0, most_states: int = 20000, cell: float | None = None
) -> Histories:
    """The histories of the chain from its start; states and moves of a chance below `negligible` are cut.

    Raises NotAloneError where two tokens share a group, and TooManyStatesError beyond `most_states` nodes.
    """
    if not alone(chain):
        raise NotAloneError("two tokens share a group: positions may return, and histories do not end")
    states: _Points | _Boxes = _Points(chain) if cell is None else _Boxes(chain, cell)
    reached = _Reached(states, negligible)
    # By the number of moves of single tokens that lead to a state: every edge leads to a later layer.
    layers: list[dict[Any, int]] = [{} for _ in range(len(chain.x))] + [{None: reached.new(states.start)}]
    order: list[int] = []
    with _uncollected():
        while any(layers := layers[1:]):
            layers.append({})
            for number in layers[0].values():
                reached.follow(number, layers)
                if len(reached.states) > most_states:
                    raise TooManyHistoriesError(f"more than {most_states} states can be reached inside the tubes")
            order += layers[0].values()
        nodes = reached.nodes(order)
    return Histories(nodes, pace(chain), cell is not None)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without searches for cycles of references: there are none among states, and a fifth of the time goes to them."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


class _Reached:
    """States by number as they are reached, how likely a visit is, floats that only say what to cut, and their nodes."""

    def __init__(self, states: _Points | _Boxes, negligible: float) -> None:
        self._of, self._negligible = states, negligible
        self.states: list[Any] = []
        self._visited: list[float] = []
        self._nodes: list[Any] = []

    def new(self, state: Any, visited: float = 1.0) -> int:
        """The number of one more state."""
        self.states.append(state)
        self._visited.append(visited)
        self._nodes.append(None)
        return len(self.states) - 1

    def nodes(self, order: list[int]) -> list[Node]:
        """The nodes in this order, with the indices of those that they lead to."""
        index = [0] * len(order)
        for k, number in enumerate(order):
            index[number] = k
        for node in self._nodes:
            if node.edges:
                node.edges = tuple([(index[child], chance) for child, chance in node.edges])
            if node.unsure:
                node.unsure = tuple([(index[child], chance) for child, chance in node.unsure])
        return [self._nodes[number] for number in order]

    def follow(self, number: int, layers: list[dict[Any, int]]) -> None:
        """Find the node of a state of the first layer; where it leads is put into the layers."""
        of, negligible, visited, state = self._of, self._negligible, self._visited[number], self.states[number]
        if visited < negligible:
            self._nodes[number] = Node(NOTHING, ALL, is_cut=True, needed=cache(partial(of.needed, state)))
            return
        # What is cut is chosen by how likely a visit is now: layers are done in order, so that nobody leads here any more.
        own = of.own(state)
        is_dropped = (lambda chance: visited * chance < negligible) if negligible > 0 else None
        left = departure(of.picks(state), own, is_dropped)
        out = left.out
        edges: dict[int, arb] = {}
        unsure: dict[int, arb] = {}
        for targets, chance in left.moves:
            key, after, inside = of.after(state, targets)
            if inside is False:
                out += chance
                continue
            layer = layers[sum(map(ne, own, targets))]
            child = layer.get(key)
            if child is None:
                child = layer[key] = self.new(after, 0.0)
            elif of.joins:
                self.states[child] = self.states[child].joined(after)
            if negligible > 0:
                self._visited[child] += visited * float(chance)
            found = edges if inside else unsure
            before = found.get(child)
            found[child] = chance if before is None else before + chance
        node = Node(left.stay, left.leave, tuple(edges.items()), tuple(unsure.items()), out, left.dropped)
        if not left.dropped.is_zero():
            node.needed = cache(partial(of.needed, state))
        self._nodes[number] = node


class _Points:
    """Rational states. Places are numbered, and a state is a number for each token.

    A place x is known by its products <x, x_m> with the first tokens, and by shares of these that give it, whole numbers in
    one unit for all: scores and distances come from them. What two tokens do to each other is worked out once for any two
    places. States that a symmetry of the start takes to each other have the same law of T_2, and are one.
    """

    joins = False

    def __init__(self, chain: AttentionChain) -> None:
        self._x, self._chain = start_of(chain), chain
        every = range(len(self._x))
        gram = [[inner(x, y) for y in self._x] for x in self._x]
        self._gamma, self._parts = int(chain.gamma.item().p), int(chain.gamma.item().q)
        self._unit = lcm(*(int(a.q) for row in gram for a in row))
        # Whole numbers of Python instead of rationals: sums of products in one unit need no common denominators.
        # By number: shares in units of parts^-level, products in units of that over unit; how often parts divides both.
        self._shares: list[tuple[int, ...]] = []
        self._products: list[tuple[int, ...]] = []
        self._squares: list[int] = []
        self._divisible: list[int] = []
        self._numbers: dict[tuple[int, ...], int] = {}
        self._level = 0
        self._score, square = chain.beta.item() / self._unit, chain.eps.item() ** 2
        self._rooms = [(square - gram[i][i]) * self._parts**2 * self._unit for i in every]
        kept = self._parts - self._gamma
        self._kept_square, self._mixed, self._gamma_square = kept**2, 2 * kept * self._gamma, self._gamma**2
        self._set_units()
        products = [tuple(int(a * self._unit) for a in row) for row in gram]
        for i, place in enumerate(products):
            if place not in self._numbers:
                self._number(tuple(int(m == i) for m in every), place, 0)
        self.start = tuple(self._numbers[place] for place in products)
        self._pairs = list(combinations(every, 2))
        self._between = cache(self._towards_each_other)
        # Where each token of an image comes from, and the images of places.
        self._symmetries = [
            ([order.index(m) for m in every], cache(partial(self._image, [order.index(m) for m in every])))
            for order in score_symmetries(self._x)
        ]

    def own(self, state: tuple[int, ...]) -> tuple[int, ...]:
        """Where each token is."""
        return state

    def needed(self, state: tuple[int, ...]) -> int:
        """At least so many moves lead out."""
        columns = list(zip(*self._x, strict=True))
        shares = [tuple(fmpq(one, self._parts**self._level) for one in self._shares[a]) for a in state]
        return _needed(tuple(tuple(inner(one, column) for column in columns) for one in shares), self._x, self._chain)

    def picks(self, state: tuple[int, ...]) -> list[WeightedPicks]:
        """The picks of all tokens; tokens at one place are one target."""
        targets: list[dict[int, arb]] = [{} for _ in state]
        out, alike = [NOTHING] * len(state), [1] * len(state)
        for i, j in self._pairs:
            a, b = state[i], state[j]
            if a == b:
                alike[i] += 1
                alike[j] += 1
                continue
            for k, weight, place in self._between(i, a, j, b):
                if place is None:
                    out[k] = weight if out[k] is NOTHING else out[k] + weight
                else:
                    before = targets[k].get(place)
                    targets[k][place] = weight if before is None else before + weight
        for k, own in enumerate(alike):
            if own > 1:
                # Weights are in units of that of all picks of one's own place.
                targets[k], out[k] = {place: weight / own for place, weight in targets[k].items()}, out[k] / own
        return list(map(picks_of, targets, out))

    def after(self, _: tuple[int, ...], targets: tuple[int, ...]) -> tuple[Any, tuple[int, ...], bool]:
        """The state after a move inside the tubes, the first of those that symmetries make of it."""
        found = targets
        for sources, image in self._symmetries:
            found = min(found, tuple([image(targets[m]) for m in sources]))
        return found, found, True

    def _towards_each_other(self, i: int, a: int, j: int, b: int) -> tuple[tuple[int, arb, int | None], ...]:
        """Of token i at x and j at y, places of these numbers: the token, e^{beta <x, y - x>}, and (1 - gamma) x + gamma y.

        None instead of its number where that is outside the tube of the token.
        """
        product = sum(map(mul, self._shares[a], self._products[b]))
        inside = self._is_inside(i, a, b, product), self._is_inside(j, b, a, product)
        weight = (self._scale * (product - self._squares[a])).exp()
        back = (self._scale * (product - self._squares[b])).exp()
        return (
            (i, weight, self._pick(a, b) if inside[0] else None),
            (j, back, self._pick(b, a) if inside[1] else None),
        )

    def _is_inside(self, i: int, a: int, b: int, product: int) -> bool:
        """Whether |x' - x_i| <= eps for x' = (1 - gamma) x + gamma y, x_i a first token and `product` <x, y>."""
        # parts^2 |x'|^2 - 2 parts^2 <x', x_i> <= parts^2 (eps^2 - |x_i|^2)
        from_first = self._twice_kept * self._products[a][i] + self._twice_gamma * self._products[b][i]
        square = self._kept_square * self._squares[a] + self._mixed * product + self._gamma_square * self._squares[b]
        return square - from_first <= self._tubes[i]

    def _pick(self, a: int, b: int) -> int:
        """The number of (1 - gamma) x + gamma y."""
        if not (self._divisible[a] and self._divisible[b]):
            self._refine()
        products = self._weighed(self._products[a], self._products[b])
        found = self._numbers.get(products)
        if found is None:
            left = min(self._divisible[a], self._divisible[b]) - 1
            found = self._number(self._weighed(self._shares[a], self._shares[b]), products, left)
        return found

    def _weighed(self, x: tuple[int, ...], y: tuple[int, ...]) -> tuple[int, ...]:
        """(1 - gamma) x + gamma y."""
        gamma, parts = self._gamma, self._parts
        return tuple([p + gamma * (q - p) // parts for p, q in zip(x, y, strict=True)])

    def _refine(self) -> None:
        """Make the units of shares so small that more picks give whole numbers."""
        # Ever larger leaps, as each touches all places.
        more = 4 + self._level // 2
        times = self._parts**more
        self._level += more
        self._shares = [tuple([times * a for a in place]) for place in self._shares]
        self._products = [tuple([times * a for a in place]) for place in self._products]
        self._squares = [times * times * square for square in self._squares]
        self._divisible = [count + more for count in self._divisible]
        self._numbers = {place: number for number, place in enumerate(self._products)}
        self._set_units()

    def _set_units(self) -> None:
        """What depends on the units: that of scores, and what distances from the first tokens are made of."""
        # A square is a whole number of units, so that it exceeds a bound just where it exceeds its floor.
        fine, gamma, kept = self._parts**self._level, self._gamma, self._parts - self._gamma
        self._scale = arb(self._score / (fine * fine))
        self._twice_kept, self._twice_gamma = 2 * self._parts * fine * kept, 2 * self._parts * fine * gamma
        self._tubes = [int((room * (fine * fine)).floor()) for room in self._rooms]

    def _number(self, shares: tuple[int, ...], products: tuple[int, ...], divisible: int) -> int:
        """The number of a new place."""
        self._shares.append(shares)
        self._products.append(products)
        self._squares.append(sum(map(mul, shares, products)))
        self._divisible.append(divisible)
        return self._numbers.setdefault(products, len(self._numbers))

    def _image(self, sources: list[int], a: int) -> int:
        """The place that a symmetry takes a place to, `sources` the tokens that it takes to the first ones."""
        shares, products = (tuple([one[m] for m in sources]) for one in (self._shares[a], self._products[a]))
        found = self._numbers.get(products)
        return self._number(shares, products, self._divisible[a]) if found is None else found


MOST_PERMUTED = 5
"""Of so many tokens at most symmetries are looked for."""


def score_symmetries(x: State) -> list[tuple[int, ...]]:
    """The permutations of tokens, but for the identity, that keep all scores: an isometry permutes the tokens so."""
    if len(x) > MOST_PERMUTED:
        return []
    # Equal scores are all that is asked: an isometry maps points to any others of the same Gram matrix.
    scores = [[inner(a, b) for b in x] for a in x]
    every = range(len(x))
    return [
        order
        for order in permutations(every)
        if order != tuple(every) and all(scores[order[i]][order[j]] == scores[i][j] for i in every for j in every)
    ]


@dataclass(frozen=True)
class _Box:
    """Balls around the places of all tokens, and who picked whom how often: boxes join what differs by the order alone.

    Of two tokens `apart` is x_0 - x_1, which the counts determine.
    """

    x: State
    picked: tuple[int, ...]
    apart: Place | None

    def joined(self, other: _Box) -> _Box:
        """A box that holds both."""
        x = tuple(tuple(a.union(b) for a, b in zip(p, q, strict=True)) for p, q in zip(self.x, other.x, strict=True))
        return _Box(x, self.picked, self.apart)


class _Boxes:
    """States in boxes of a side `cell`. A target is the index of a token."""

    joins = True

    def __init__(self, chain: AttentionChain, cell: float) -> None:
        self._x, self._chain, self._cell = start_of(chain), chain, cell
        self._beta, self._gamma, self._square = chain.beta.item(), chain.gamma.item(), chain.eps.item() ** 2
        # x_0 - x_1 shrinks by an exact factor with each move: of two tokens only one place is left to be enclosed.
        apart = minus(*self._x) if len(self._x) == 2 else None
        self.start = _Box(tuple(tuple(map(arb, place)) for place in self._x), (0,) * len(self._x) ** 2, apart)

    def own(self, box: _Box) -> tuple[int, ...]:
        """Tokens that stay pick themselves."""
        return tuple(range(len(box.x)))

    def needed(self, box: _Box) -> int:
        """At least so many moves lead out."""
        return _needed(box.x, self._x, self._chain)

    def picks(self, box: _Box) -> list[WeightedPicks]:
        """The picks of all tokens; those that lead out from the whole box are out."""
        found = []
        for i, place in enumerate(box.x):
            targets: dict[int, arb] = {}
            out = arb(0)
            for j, other in enumerate(box.x):
                if i == j:
                    continue
                way = minus(other, place) if box.apart is None else tuple((j - i) * -a for a in box.apart)
                weight = (self._beta * inner(place, way)).exp()
                away = minus(tuple(a + self._gamma * b for a, b in zip(place, way, strict=True)), self._x[i])
                # Only what is out from all of the box is: the rest is a target, which may turn out to meet the edge.
                if inner(away, away) > self._square:
                    out += weight
                else:
                    targets[j] = weight
            found.append(picks_of(targets, out))
        return found

    def after(self, box: _Box, targets: tuple[int, ...]) -> tuple[Any, _Box, bool | None]:
        """The box after a move, and whether it is inside the tubes."""
        after = tuple(
            place if i == j else moved(box.x, i, j, self._gamma)
            for (i, j), place in zip(enumerate(targets), box.x, strict=True)
        )
        apart = box.apart
        if apart is not None:
            movers = sum(i != j for i, j in enumerate(targets))
            # One of two that moves comes nearer by gamma of what lay between them.
            first = after[0] if targets[0] == 0 else minus(box.x[0], tuple(self._gamma * a for a in apart))
            apart = tuple((1 - movers * self._gamma) * a for a in apart)
            after = first, minus(first, apart)
        picked = list(box.picked)
        for i, j in enumerate(targets):
            picked[i * len(targets) + j] += i != j
        # Of two tokens the second place follows from the first.
        cell = tuple(int(middle(a) // self._cell) for place in (after if apart is None else after[:1]) for a in place)
        inside: bool | None = True
        for i in (i for i, j in enumerate(targets) if i != j):
            offset = minus(after[i], self._x[i])
            beyond = inner(offset, offset) - self._square
            if beyond > 0:
                inside = False
                break
            if not beyond <= 0:
                inside = None
        return (tuple(picked), apart, cell), _Box(after, tuple(picked), apart), inside


def _needed(x: State, origin: State, chain: AttentionChain) -> int:
    """At least so many moves lead from the state x inside the tubes out of them.

    Each brings a token by gamma nearer to some token, and no token is farther from its start than the farthest one now.
    """
    eps, kept, least = arb(chain.eps.item()), 1 - chain.gamma.item(), MOST_NEEDED
    for i, start in enumerate(origin):
        # Upper ends throughout: where a token seems to be farther on, it needs fewer moves.
        distances = [arb(inner(away, away)).upper().sqrt().upper() for away in (minus(place, start) for place in x)]
        farthest, gone, moves = max(distances), distances[i], 0
        while gone <= eps and moves < least:
            gone, moves = (farthest - kept * (farthest - gone)).upper(), moves + 1
        least = min(least, moves)
    return max(least, 1)


MOST_NEEDED = 1001
"""Moves are counted up to here: fewer than are needed are a bound, too."""


def pace(chain: AttentionChain, places: Sequence[Sequence[arb]] | None = None) -> Pace | None:
    """Bounds for a chain of one token per tube, from places in its tubes (n, d) on, balls, the start if none are given.

    None where a token's picks do not all lead the same way. Section 2 of docs/escapes.md derives them.
    """
    first, gamma, eps, beta = list(map(tuple, chain.x.tolist())), chain.gamma.item(), chain.eps.item(), chain.beta.item()
    x, n = first if places is None else list(map(tuple, places)), len(first)
    # x_i = y_i - sum_m w_im (y_i - y_m) with w_im >= 0 of sum at most weights[i], y the given places.
    away = [[minus(x[i], x[m]) for m in range(n)] for i in range(n)]
    directions = [
        tuple(sum(a - b for b in others) / (n - 1) for a, others in zip(first[i], zip(*first, strict=True), strict=True))
        for i in range(n)
    ]
    least = [min(arb(inner(directions[i], away[i][m])).lower() for m in range(n) if m != i) for i in range(n)]
    if not all(gap > 0 for gap in least):
        return None
    # Each pick of token i leads it down d_i by gamma of a gap at least, and the tube is so deep: that bounds the moves.
    # <d_i, y_i - x_i> is at most so much inside the tube.
    spans = [
        (arb(inner(one, one)).sqrt() * eps - inner(one, minus(a, b))).upper().max(arb(0))
        for one, a, b in zip(directions, first, x, strict=True)
    ]
    weights = [(span / gap).upper() for span, gap in zip(spans, least, strict=True)]
    boxes = [
        tuple(
            a - sum((FROM_ZERO * b * weights[i] for b in steps), arb(0)) for a, *steps in zip(x[i], *away[i], strict=True)
        )
        for i in range(n)
    ]
    moves = 1
    for i in range(n):
        gap = min(inner(directions[i], minus(boxes[i], boxes[m])).lower() for m in range(n) if m != i)
        if not gap > 0:
            return None
        moves += int((spans[i] / (gamma * gap)).upper().floor().unique_fmpz())
    leave, stay, fastest = arb(0), arb(1), arb(0)
    for i in range(n):
        most = least_sum = arb(0)
        for j in range(n):
            if j == i:
                continue
            # <x_i, x_i - x_j> by the mean value theorem in w: the weights of one token sum to at most weights[i].
            twice = tuple(2 * a - b for a, b in zip(boxes[i], boxes[j], strict=True))
            parts = (
                [-inner(away[i][m], twice) * weights[i] for m in range(n) if m != i],
                [inner(boxes[i], away[j][m]) * weights[j] for m in range(n) if m != j],
            )
            start = inner(x[i], away[i][j])
            high = start + sum((_largest([arb(0), *part]) for part in parts), arb(0))
            low = start - sum((_largest([arb(0), *(-one for one in part)]) for part in parts), arb(0))
            least_sum += (-beta * high.upper()).exp()
            most += (-beta * low.lower()).exp()
        # 1 - prod (1 - a_i), which increases in each a_i, as a sum of positive terms.
        leave += stay * least_sum / (1 + least_sum)
        stay /= 1 + least_sum
        fastest += (most / (1 + most)).upper()
    slowest = leave.lower()
    return Pace(moves, slowest, min(arb(1), fastest.upper())) if slowest > 0 else None


def _largest(values: list[arb]) -> arb:
    return max(value.upper() for value in values)
