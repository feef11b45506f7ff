"""The moves of the attention chain until a token leaves its tube, one token per tube: a graph without cycles.

A node is the positions of all tokens after so many moves; steps in which nothing moves are the loop at the node. Positions
are rational. With `cell` positions that are reached by the same picks in another order, and are that near, become one
node: a box that holds them all. What is not followed is kept as mass of the node from which it left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flint import arb, fmpq

from dynamics.arithmetic import UndecidedError
from dynamics.escapes.departures import Place, State, departure, inner, middle, minus, moved
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
    """Nodes in the order of their number of moves, the start first. No `pace` is known where picks lead to and fro."""

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
    origin: State = tuple(map(tuple, chain.x.tolist()))
    start, apart = origin, None
    if cell is not None:
        start = tuple(tuple(map(arb, place)) for place in origin)
        apart = minus(*origin) if len(origin) == 2 else None
    nodes: list[Node] = []
    layer: dict[Any, _Waiting] = {origin: _Waiting(0, start, 1.0, (0,) * len(origin) ** 2, apart)}
    while layer:
        following: dict[Any, _Waiting] = {}
        first = len(nodes) + len(layer)
        for waiting in layer.values():
            assert waiting.index == len(nodes)
            nodes.append(_followed(chain, origin, waiting, negligible, cell, following, first))
            if first + len(following) > most_states:
                raise TooManyStatesError(f"more than {most_states} states can be reached inside the tubes")
        layer = following
    return Histories(nodes, pace(chain), cell is not None)


@dataclass
class _Waiting:
    """A node that is reached: its index, where it is, and how likely a visit is, a float that only says what to cut.

    `picked` counts who picked whom: boxes join what differs by the order of the picks alone. Of two tokens in boxes
    `apart` is x_0 - x_1, which the counts determine.
    """

    index: int
    x: State
    chance: float
    picked: tuple[int, ...]
    apart: Place | None

    def after(self, targets: tuple[int, ...], gamma: fmpq) -> tuple[State, Place | None]:
        """Where the tokens are after a move, and how far apart."""
        after = tuple(
            place if i == j else moved(self.x, i, j, gamma)
            for (i, j), place in zip(enumerate(targets), self.x, strict=True)
        )
        if self.apart is None:
            return after, None
        movers = sum(i != j for i, j in enumerate(targets))
        apart = tuple((1 - movers * gamma) * a for a in self.apart)
        first = after[0] if targets[0] == 0 else minus(self.x[0], tuple(gamma * a for a in self.apart))
        return (first, minus(first, apart)), apart

    def counted(self, targets: tuple[int, ...]) -> tuple[int, ...]:
        """Who picked whom how often after a move."""
        picked = list(self.picked)
        for i, j in enumerate(targets):
            picked[i * len(targets) + j] += i != j
        return tuple(picked)

    def join(self, x: State) -> None:
        """Grow the box to one that holds x, too."""
        self.x = tuple(tuple(a.union(b) for a, b in zip(p, q, strict=True)) for p, q in zip(self.x, x, strict=True))


def _followed(
    chain: AttentionChain,
    origin: State,
    waiting: _Waiting,
    negligible: float,
    cell: float | None,
    following: dict[Any, _Waiting],
    first: int,
) -> Node:
    """The node, and where it leads among the `following` ones, the first of which has the index `first`."""
    visited = waiting.chance
    if visited < negligible:
        return Node(arb(0), arb(1), is_cut=True, needed=_needed(waiting.x, origin, chain))
    gamma, square = chain.gamma.item(), chain.eps.item() ** 2
    left = departure(waiting.x, chain.beta.item(), lambda chance: visited * chance < negligible, waiting.apart)
    node = Node(left.stay, left.leave, dropped=left.dropped)
    if not left.dropped.is_zero():
        node.needed = _needed(waiting.x, origin, chain)
    for targets, chance in left.moves:
        after, apart = waiting.after(targets, gamma)
        inside = _is_inside(after, origin, targets, square)
        if inside is False:
            node.out += chance
            continue
        picked = waiting.counted(targets)
        key: Any = after
        if cell is not None:
            key = (picked, apart, _cell_of(after if apart is None else after[:1], cell))
        child = following.get(key)
        if child is None:
            child = following[key] = _Waiting(first + len(following), after, 0.0, picked, apart)
        elif cell is not None:
            child.join(after)
        child.chance += visited * float(chance.mid())
        (node.edges if inside else node.unsure).append((child.index, chance))
    return node


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


def pace(chain: AttentionChain) -> Pace | None:
    """Bounds for a chain of one token per tube; None where a token's picks do not all lead the same way.

    Section 2 of docs/escapes.md derives them.
    """
    x, gamma, eps, beta = list(map(tuple, chain.x.tolist())), chain.gamma.item(), chain.eps.item(), chain.beta.item()
    n = len(x)
    # x_i = x_i^0 - sum_m w_im (x_i^0 - x_m^0) with w_im >= 0 of sum at most weights[i].
    away = [[minus(x[i], x[m]) for m in range(n)] for i in range(n)]
    directions = [tuple(sum(column) / (n - 1) for column in zip(*away[i], strict=True)) for i in range(n)]
    lengths = [arb(inner(one, one)).sqrt() for one in directions]
    least = [min(inner(directions[i], away[i][m]) for m in range(n) if m != i) for i in range(n)]
    if not all(gap > 0 for gap in least):
        return None
    weights = [(lengths[i] * eps / least[i]).upper() for i in range(n)]
    boxes = [
        tuple(
            a - sum((_between(min(fmpq(0), b), max(fmpq(0), b)) * weights[i] for b in steps), arb(0))
            for a, *steps in zip(x[i], *away[i], strict=True)
        )
        for i in range(n)
    ]
    moves = 1
    for i in range(n):
        gap = min(inner(directions[i], minus(boxes[i], boxes[m])).lower() for m in range(n) if m != i)
        if not gap > 0:
            return None
        moves += int((lengths[i] * eps / (gamma * gap)).upper().floor().unique_fmpz())
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


def _between(low: fmpq, high: fmpq) -> arb:
    return arb(low).union(arb(high))
