"""The moves of the attention chain until a token leaves its tube, one token per tube: a graph without cycles.

A node is the positions of all tokens after so many moves; steps in which nothing moves are the loop at the node. Positions
are rational. With `cell` positions that are reached by the same picks in another order, and are that near, become one
node: a box that holds them all. What is not followed is kept as mass of the node from which it left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations
from operator import ne
from typing import Any

from flint import arb, fmpq

from dynamics.arithmetic import UndecidedError
from dynamics.escapes.departures import (
    Picks,
    Place,
    State,
    departure,
    inner,
    middle,
    minus,
    moved,
    picks_of,
    start_of,
)
from dynamics.tokens.attention_chain import AttentionChain


class TooManyStatesError(UndecidedError):
    """The histories have more states than may be followed."""

    precision_helps = False


class NotAloneError(UndecidedError):
    """Two tokens share a tube: positions may return, and this way of following them does not end."""

    precision_helps = False


@dataclass
class Node:
    """A state, or a box of states: `leave` is the chance that something moves, `edges` where to, given that it does.

    `out` is the chance that the move leads out; of an `unsure` edge, from a box that meets the edge of a tube, it is not
    known whether it does. `dropped` is the chance of moves that are not followed. A node that `is_cut` is not followed at
    all. Where something is not followed, at least `needed` moves lead from the node out of the tubes.
    """

    stay: arb
    leave: arb
    edges: list[tuple[int, arb]] = field(default_factory=list)
    unsure: list[tuple[int, arb]] = field(default_factory=list)
    out: arb = field(default_factory=lambda: arb(0))
    dropped: arb = field(default_factory=lambda: arb(0))
    is_cut: bool = False
    needed: int = 1


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
    found: list[_Waiting] = []
    # By the number of moves of single tokens that lead to a state: every edge leads to a later layer.
    layers: list[dict[Any, _Waiting]] = [{} for _ in range(len(chain.x))] + [{None: _Waiting(states.start, 1.0)}]

    while any(layers := layers[1:]):
        layers.append({})
        for waiting in layers[0].values():
            waiting.index = len(found)
            found.append(waiting)
            waiting.node = _followed(states, waiting, negligible, layers)
        reached = len(found) + sum(map(len, layers[1:]))
        if reached > most_states:
            raise TooManyStatesError(f"more than {most_states} states can be reached inside the tubes")
    return Histories([waiting.numbered() for waiting in found], pace(chain), cell is not None)


@dataclass
class _Waiting:
    """A state that is reached, how likely a visit is, a float that only says what to cut, its node and where it leads."""

    state: Any
    chance: float
    index: int = -1
    node: Node | None = None
    edges: list[tuple[_Waiting, arb]] = field(default_factory=list)
    unsure: list[tuple[_Waiting, arb]] = field(default_factory=list)

    def numbered(self) -> Node:
        """The node, with the indices of those that it leads to."""
        assert self.node is not None
        self.node.edges = [(child.index, chance) for child, chance in self.edges]
        self.node.unsure = [(child.index, chance) for child, chance in self.unsure]
        return self.node


def _followed(states: _Points | _Boxes, waiting: _Waiting, negligible: float, layers: list[dict[Any, _Waiting]]) -> Node:
    """The node of a state of the first layer; where it leads is put into the layers."""
    visited, state = waiting.chance, waiting.state
    if visited < negligible:
        return Node(arb(0), arb(1), is_cut=True, needed=states.needed(state))
    own = states.own(state)
    left = departure(states.picks(state), own, (lambda chance: visited * chance < negligible) if negligible > 0 else None)
    node = Node(left.stay, left.leave, out=left.out, dropped=left.dropped)
    if not left.dropped.is_zero():
        node.needed = states.needed(state)
    edges: dict[int, tuple[_Waiting, arb]] = {}
    unsure: dict[int, tuple[_Waiting, arb]] = {}
    for targets, chance in left.moves:
        key, after, inside = states.after(state, targets)
        if inside is False:
            node.out += chance
            continue
        layer = layers[sum(map(ne, own, targets))]
        child = layer.get(key)
        if child is None:
            child = layer[key] = _Waiting(after, 0.0)
        elif states.joins:
            child.state = child.state.joined(after)
        if negligible > 0:
            child.chance += visited * float(chance.mid())
        found = edges if inside else unsure
        before = found.get(id(child))
        found[id(child)] = child, chance if before is None else before[1] + chance
    waiting.edges, waiting.unsure = list(edges.values()), list(unsure.values())
    return node


class _Points:
    """Rational states. Places are numbered, and a state is a number for each token.

    What a pick does is worked out once for any two places. States that a symmetry of the start takes to each other have the
    same law of T_2, and are one.
    """

    joins = False

    def __init__(self, chain: AttentionChain) -> None:
        self._x = start_of(chain)
        self._chain = chain
        self._beta, self._gamma, self._square = chain.beta.item(), chain.gamma.item(), chain.eps.item() ** 2
        self._places: list[Place] = []
        # Of a place the one that it came from and the one that was picked there.
        self._origins: dict[int, tuple[int, int]] = {}
        self._numbers: dict[Any, int] = {}
        self._picked: dict[tuple[int, int, int], tuple[arb, int | None]] = {}
        self._symmetries = symmetries(self._x)
        self._images: list[dict[int, int]] = [{} for _ in self._symmetries]
        self.start = tuple(map(self._number, self._x))
        # Of tokens that start at one place only the first gives it: shares sum to 1.
        self._shares: dict[int, Place] = {
            a: tuple(fmpq(m == self.start.index(a)) for m in range(len(self.start))) for a in self.start
        }

    def own(self, state: tuple[int, ...]) -> tuple[int, ...]:
        """Where each token is."""
        return state

    def needed(self, state: tuple[int, ...]) -> int:
        """At least so many moves lead out."""
        return _needed(tuple(self._places[a] for a in state), self._x, self._chain)

    def picks(self, state: tuple[int, ...]) -> list[Picks]:
        """The picks of all tokens; tokens at one place are one target."""
        found = []
        for i, a in enumerate(state):
            targets: dict[int, arb] = {}
            out = arb(0)
            own = 0
            for b in state:
                if a == b:
                    own += 1
                    continue
                weight, place = self._picked.get((i, a, b)) or self._pick(i, a, b)
                if place is None:
                    out += weight
                else:
                    before = targets.get(place)
                    targets[place] = weight if before is None else before + weight
            if own > 1:
                # Weights are in units of that of all picks of one's own place.
                targets, out = {place: weight / own for place, weight in targets.items()}, out / own
            found.append(picks_of(targets, out))
        return found

    def after(self, _: tuple[int, ...], targets: tuple[int, ...]) -> tuple[Any, tuple[int, ...], bool]:
        """The state after a move inside the tubes, the first of those that symmetries make of it."""
        found = min([targets, *(self._image(k, targets) for k in range(len(self._symmetries)))])
        return found, found, True

    def _pick(self, i: int, a: int, b: int) -> tuple[arb, int | None]:
        """e^{beta <x, y - x>} for the places x and y of these numbers, and the number of (1 - gamma) x + gamma y.

        None instead of the number where that is outside the tube of token i.
        """
        x, y = self._places[a], self._places[b]
        way = minus(y, x)
        after = tuple(p + self._gamma * q for p, q in zip(x, way, strict=True))
        away = minus(after, self._x[i])
        is_inside = inner(away, away) <= self._square
        weight = arb(self._beta * inner(x, way)).exp()
        place = self._number(after) if is_inside else None
        if place is not None:
            self._origins.setdefault(place, (a, b))
        found = self._picked[i, a, b] = weight, place
        return found

    def _number(self, place: Place) -> int:
        # Rationals themselves are slow to look up.
        key = tuple((one.p, one.q) for one in place)
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self._places)
            self._places.append(place)
        return found

    def _shares_of(self, a: int) -> Place:
        """Weights of the first tokens that give a place: symmetries permute them."""
        found = self._shares.get(a)
        if found is None:
            x, y = map(self._shares_of, self._origins[a])
            found = self._shares[a] = tuple(p + self._gamma * (q - p) for p, q in zip(x, y, strict=True))
        return found

    def _image(self, k: int, state: tuple[int, ...]) -> tuple[int, ...]:
        """The state that the k-th symmetry takes a state to."""
        symmetry, images = self._symmetries[k], self._images[k]
        found = [0] * len(state)
        for i, a in enumerate(state):
            image = images.get(a)
            if image is None:
                shares: list[Any] = [fmpq(0)] * len(state)
                for m, share in enumerate(self._shares_of(a)):
                    shares[symmetry[m]] = share
                place = tuple(inner(tuple(shares), column) for column in zip(*self._x, strict=True))
                image = images[a] = self._number(place)
                self._shares.setdefault(image, tuple(shares))
            found[symmetry[i]] = image
        return tuple(found)


MOST_PERMUTED = 5
"""Of so many tokens at most symmetries are looked for."""


def symmetries(x: State) -> list[tuple[int, ...]]:
    """The permutations of tokens, but for the identity, that keep all scores: an isometry permutes the tokens so."""
    if len(x) > MOST_PERMUTED:
        return []
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
        apart = minus(*self._x) if len(self._x) == 2 else None
        self.start = _Box(tuple(tuple(map(arb, place)) for place in self._x), (0,) * len(self._x) ** 2, apart)

    def own(self, box: _Box) -> tuple[int, ...]:
        """Tokens that stay pick themselves."""
        return tuple(range(len(box.x)))

    def needed(self, box: _Box) -> int:
        """At least so many moves lead out."""
        return _needed(box.x, self._x, self._chain)

    def picks(self, box: _Box) -> list[Picks]:
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
        inside = _is_inside(after, self._x, targets, self._square)
        key = (tuple(picked), apart, _cell_of(after if apart is None else after[:1], self._cell))
        return key, _Box(after, tuple(picked), apart), inside


def _cell_of(x: State, cell: float) -> tuple[int, ...]:
    return tuple(int(middle(a) // cell) for place in x for a in place)


def _is_inside(after: State, origin: State, targets: tuple[int, ...], square: fmpq) -> bool | None:
    """Whether all tokens are in their tubes; None where a box meets the edge. Only those that moved are asked."""
    answer: bool | None = True
    for i, j in enumerate(targets):
        if i == j:
            continue
        offset = tuple(a - b for a, b in zip(after[i], origin[i], strict=True))
        beyond = inner(offset, offset) - square
        if beyond > 0:
            return False
        if not beyond <= 0:
            answer = None
    return answer


def _needed(x: State, origin: State, chain: AttentionChain) -> int:
    """At least so many moves lead from the state x inside the tubes out of them.

    Each brings a token by gamma nearer to some token, and no token is farther from its start than the farthest one now.
    """
    eps, kept, least = arb(chain.eps.item()), 1 - chain.gamma.item(), None
    for i, start in enumerate(origin):
        distances = [_length(minus(place, start)) for place in x]
        farthest = max(one.upper() for one in distances)
        gone, moves = distances[i].upper(), 0
        while gone <= eps and (least is None or moves < least):
            gone, moves = (farthest - kept * (farthest - gone)).upper(), moves + 1
            if moves > MOST_NEEDED:
                break
        least = moves if least is None else min(least, moves)
    assert least is not None
    return max(least, 1)


MOST_NEEDED = 1000


def _length(x: Place) -> arb:
    square = arb(inner(x, x))
    return square.sqrt() if square > 0 else square.upper().sqrt()


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
    fastest = fastest.upper()
    return Pace(moves, slowest, fastest if fastest < 1 else arb(1)) if slowest > 0 else None


def _largest(values: list[arb]) -> arb:
    return max(value.upper() for value in values)
