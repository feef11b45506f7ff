"""Exponents of the escape time as beta grows, in rationals: of its mean, of its tail, and the cheapest way out.

A pick of token i costs max_j <x_i, x_j> - <x_i, x_pick>; its chance is e^{-beta cost} up to a factor n. With one
token per tube every state is left for good, and exponents in beta are read off the graph of states
(section 8 of docs/escapes.md). Nothing here is rounded.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, product

from flint import fmpq

from dynamics.arithmetic import UndecidedError
from dynamics.escapes.counting import MOST_PICKS
from dynamics.escapes.departures import State, inner, minus, moved, start_of
from dynamics.escapes.histories import pace
from dynamics.tokens.attention_chain import AttentionChain

MOST_MOVES = 256
"""Of so many combinations of picks at most each state is left in the search."""


class TooFarError(UndecidedError):
    """The cheapest way out is longer than the search may be."""

    precision_helps = False


@dataclass(frozen=True)
class Pick:
    """Token `token` picks token `picked`."""

    token: int
    picked: int


@dataclass(frozen=True)
class Between:
    """A number that is at least `low` and at most `high`."""

    low: fmpq
    high: fmpq


@dataclass(frozen=True)
class WayOut:
    """The least cost of picks that lead out of the tubes, between two numbers, and picks of the higher of the two costs.

    `potential` certifies the lower one where it is not empty: a function of states that no move raises by more than it
    costs, 0 at the start and `cost.low` outside.
    """

    cost: Between
    picks: tuple[tuple[Pick, ...], ...]
    potential: dict[State, fmpq]


def costs_at(x: State) -> list[list[fmpq]]:
    """What token i pays for a pick of token j, by i and j."""
    scores = [[inner(a, b) for b in x] for a in x]
    return [[max(row) - score for score in row] for row in scores]


def is_out(x: State, chain: AttentionChain) -> bool:
    """Whether some token of a chain of one token per tube is outside its tube."""
    square = chain.eps.item() ** 2
    return any(inner(minus(a, b), minus(a, b)) > square for a, b in zip(x, start_of(chain), strict=True))


def moves_from(x: State, gamma: fmpq) -> Iterator[tuple[tuple[Pick, ...], fmpq, State]]:
    """All combinations of picks in one step, the empty one left out, with what they cost and where they lead.

    A token that picks itself, or another one at its place, makes no move; it pays for that where another score is higher.
    Raises TooFarError for more than MOST_MOVES combinations.
    """
    n, costs = len(x), costs_at(x)
    if n**n > MOST_MOVES:
        raise TooFarError(f"{n} tokens have {n}^{n} combinations of picks in a step, more than {MOST_MOVES}")
    for targets in product(range(n), repeat=n):
        picks = tuple(Pick(i, j) for i, j in enumerate(targets) if x[i] != x[j])
        if picks:
            cost = sum((costs[i][j] for i, j in enumerate(targets)), fmpq(0))
            yield picks, cost, tuple(moved(x, i, j, gamma) for i, j in enumerate(targets))


def cheapest_way(chain: AttentionChain, most_states: int = 3000) -> WayOut:
    """The way out of least total cost, whatever time it takes: exactly by Dijkstra's search, else between two bounds."""
    try:
        return _searched(chain, most_states)
    except TooFarError:
        return _straight(chain)


def _searched(chain: AttentionChain, most_states: int) -> WayOut:
    gamma, start = chain.gamma.item(), start_of(chain)
    found: dict[State, fmpq] = {}
    known: dict[State, tuple[fmpq, State | None, tuple[Pick, ...]]] = {start: (fmpq(0), None, ())}
    # Without the number the heap would compare coordinates of states where costs are equal, as they are by symmetry.
    heap, numbers = [(fmpq(0), 0, start)], count(1)
    while heap:
        spent, _, x = heapq.heappop(heap)
        if x in found:
            continue
        if is_out(x, chain):
            steps: list[tuple[Pick, ...]] = []
            place = x
            while (before := known[place][1]) is not None:
                steps.append(known[place][2])
                place = before
            # What was settled before the first state outside is no farther than it: those distances are the potential.
            return WayOut(Between(spent, spent), tuple(reversed(steps)), found)
        found[x] = spent
        if len(found) > most_states:
            raise TooFarError(f"the cheapest way out is beyond {most_states} states")
        # A state in which a token may only wait at a price has no cost of its own: it grows with the time spent there.
        if any(row[i] > 0 for i, row in enumerate(costs_at(x))):
            raise TooFarError("some token pays for staying: its time matters, not its picks alone")
        for picks, cost, after in moves_from(x, gamma):
            total = spent + cost
            if after not in known or total < known[after][0]:
                known[after] = (total, x, picks)
                heapq.heappush(heap, (total, next(numbers), after))
    raise TooFarError("no picks lead out")


def is_potential(chain: AttentionChain, potential: dict[State, fmpq], height: fmpq) -> bool:
    """Whether the function is 0 at the start, and no move raises it by more than it costs; then no way out costs less.

    It is `height` outside, and at all states that it does not name.
    """
    if potential.get(start_of(chain)) != 0 or any(is_out(x, chain) for x in potential):
        return False
    return all(
        value <= height
        and all(potential.get(after, height) <= value + cost for _, cost, after in moves_from(x, chain.gamma.item()))
        for x, value in potential.items()
    )


def _straight(chain: AttentionChain) -> WayOut:
    """Between the least number of picks at the least price, and the cheapest of the ways of one token to one other."""
    gamma, start, square = chain.gamma.item(), start_of(chain), chain.eps.item() ** 2
    best: tuple[fmpq, tuple[tuple[Pick, ...], ...]] | None = None
    for i in range(len(start)):
        for j in range(len(start)):
            way = minus(start[i], start[j])
            if inner(way, way) <= square:
                continue  # all of it is inside
            x, spent, picks = start, fmpq(0), 0
            while not is_out(x, chain) and picks < MOST_PICKS:
                # The others pay for staying where another token scores higher.
                costs = costs_at(x)
                spent += costs[i][j] + sum((costs[k][k] for k in range(len(x)) if k != i), fmpq(0))
                x = tuple(moved(x, i, j, gamma) if k == i else a for k, a in enumerate(x))
                picks += 1
            if is_out(x, chain) and (best is None or spent < best[0]):
                best = spent, ((Pick(i, j),),) * picks
    if best is None:
        raise TooFarError("no token gets out on its way to one other token")
    return WayOut(Between(fmpq(0), best[0]), best[1], {})


def longest_wait(chain: AttentionChain, most_states: int = 2000) -> Between:
    """lim (1/beta) log E T_2 for one token per tube, exactly or between bounds of its lower and upper limits.

    E T_2 is the sum over states of the expected visits over the chance to leave them. Where the number of moves is bounded
    its exponent is the largest of the cost of the cheapest move less the cost to come there, where a move costs what it
    exceeds the cheapest one by: exactly, if the search ends within `most_states` states. Where displacement may return
    visits may be many, and what is found is a lower bound only; section 8 of docs/escapes.md derives the upper one.
    Raises TooFarError where no two tokens start more than 2 eps apart: all may meet in their tubes, the mean be infinite.
    """
    strays = _strays_from_anywhere(chain)
    best, dearest, ended = _longest_found(chain, most_states)
    if not moves_are_bounded(chain):
        return Between(best, max(best, 2 * strays * dearest))
    return Between(best, best if ended else dearest)


def _longest_found(chain: AttentionChain, most_states: int) -> tuple[fmpq, fmpq, bool]:
    """The longest wait among so many states at most, what a cheapest move may cost, and whether no other wait is longer."""
    gamma, start = chain.gamma.item(), start_of(chain)
    # No state's cheapest move costs more: within the first hull <x, y - z> is largest at tokens of the start.
    dearest = max(inner(x, minus(y, z)) for x in start for y in start for z in start)
    best, found = fmpq(0), set[State]()
    heap, numbers = [(fmpq(0), 0, start)], count(1)
    while heap:
        spent, _, x = heapq.heappop(heap)
        if spent >= dearest - best:
            return best, dearest, True  # what is left waits for less
        if x in found or is_out(x, chain):
            continue
        found.add(x)
        try:
            moves = list(moves_from(x, gamma))
        except TooFarError:
            moves = []
        if not moves or len(found) > most_states:
            # Cut off here, the wait at the start is a lower bound still: one pick, where every token stays for nothing.
            costs = costs_at(start)
            others = [cost for i, row in enumerate(costs) for j, cost in enumerate(row) if start[i] != start[j]]
            owned = all(row[i] == 0 for i, row in enumerate(costs))
            best = max(best, min(others)) if owned else best
            return best, dearest, best == dearest
        least = min(cost for _, cost, _ in moves)
        best = max(best, least - spent)
        for _, cost, after in moves:
            # Once a state is left at all the cheapest move is sure, up to a factor: only what it costs more is rare.
            heapq.heappush(heap, (spent + cost - least, next(numbers), after))
    return best, dearest, True


def moves_are_bounded(chain: AttentionChain) -> bool:
    """Whether it is known that only so many moves fit into the tubes, so that no state is met twice.

    Two tokens that start more than 2 eps apart come nearer by a share of what is between them at each move. More are asked
    to leave in one direction each: every tube apart from the others in that direction, or a pace.
    """
    start, square = start_of(chain), chain.eps.item() ** 2
    n = len(start)

    def apart(i: int) -> bool:
        away = [minus(start[i], start[m]) for m in range(n) if m != i]
        direction = tuple(sum(column) for column in zip(*away, strict=True))
        least = min(inner(direction, one) for one in away)
        return bool(least > 0 and least**2 > 4 * square * inner(direction, direction))

    return (n > 1 and all(map(apart, range(n)))) or pace(chain) is not None


def _strays_from_anywhere(chain: AttentionChain) -> int:
    """So many picks in a row of one token by another lead out from everywhere inside the tubes, while the one picked stays.

    Two tokens that start L apart are no farther apart than (1 - gamma)^m (L + 2 eps) after m of them, and the one picked
    is within eps of its start.
    """
    start, eps, kept = start_of(chain), chain.eps.item(), 1 - chain.gamma.item()
    square = max(inner(minus(a, b), minus(a, b)) for a in start for b in start)
    if square <= eps * eps:
        raise TooFarError("no picks lead out: the mean is infinite")
    if square <= 4 * eps * eps:
        raise TooFarError(
            "no two tokens start more than 2 eps apart: all may meet in their tubes, and the mean be infinite"
        )
    left, strays = fmpq(1), 0
    # L - eps - left (L + 2 eps) > eps, with L (1 - left) on one side: squared, as L itself may be irrational.
    while not (1 - left) ** 2 * square > (2 * eps * (1 + left)) ** 2:
        left, strays = left * kept, strays + 1
        if strays > MOST_PICKS:
            raise TooFarError(f"more than {MOST_PICKS} picks in a row are needed to lead out from everywhere")
    return strays


def exponent_of_mean(chain: AttentionChain) -> Between:
    """The same, for any number of tokens the cost of the cheapest first pick where section 8 says that no wait is longer.

    That is so if every two tokens start more than 2 eps apart, each scores itself highest, and moves are bounded in number.
    """
    found = longest_wait(chain)
    start, square, costs = start_of(chain), 4 * chain.eps.item() ** 2, costs_at(start_of(chain))
    disjoint = all(inner(minus(a, b), minus(a, b)) > square for i, a in enumerate(start) for b in start[:i])
    owned = all(row[i] == 0 for i, row in enumerate(costs))
    if found.low == found.high or not (disjoint and owned and moves_are_bounded(chain)):
        return found
    first = min(cost for i, row in enumerate(costs) for j, cost in enumerate(row) if i != j)
    return Between(first, first)
