"""Groups on a line: one step of the chain from every box of displacements, and what it certifies of the mean of T_2.

Tokens of one group may go back to each other, so that histories do not end. Here each token is in one of finitely many
cells of the line, a state is a cell for every token, and a function of states is certified as a super- or a sub-solution,
state by state. Section 9 of docs/escapes.md derives it. Whatever proposed the function and the cells, the bounds hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations_with_replacement, pairwise, product

from flint import arb, fmpq

from dynamics.arithmetic import UndecidedError
from dynamics.escapes.departures import inner, minus
from dynamics.tokens.attention_chain import AttentionChain

State = tuple[int, ...]
"""A cell for each token, sorted within each group: tokens of a group have the same law."""


class NotOnALineError(UndecidedError):
    """The tokens do not lie on one line."""

    precision_helps = False


@dataclass(frozen=True)
class Cell:
    """A closed interval of the line; a point where the ends agree."""

    low: fmpq
    high: fmpq


@dataclass(frozen=True)
class Line:
    """Tokens at p + s_i w: <x_i, x_l - x_j> = (s_l - s_j) (<p, w> + s_i <w, w>)."""

    coordinates: tuple[fmpq, ...]
    offset: fmpq
    square: fmpq


def line_of(chain: AttentionChain) -> Line:
    """The line through all tokens, the first at 0. Raises NotOnALineError where there is none, or only one point."""
    x = list(map(tuple, chain.x.tolist()))
    away = [minus(place, x[0]) for place in x]
    w = max(away, key=lambda one: inner(one, one))
    square = inner(w, w)
    if square == 0:
        raise NotOnALineError("all tokens start at one point")
    found = tuple(inner(one, w) / square for one in away)
    if any(one != tuple(s * b for b in w) for s, one in zip(found, away, strict=True)):
        raise NotOnALineError("the tokens do not lie on one line, and boxes are made for a line")
    return Line(found, inner(x[0], w), square)


@dataclass(frozen=True)
class Term:
    """Some picks, which have a chance from `low` to `high` everywhere in the box, and where they lead.

    The image lies in the union of the states `inside` and of what no cells hold; `is_surely_inside` if in the former alone.
    """

    low: arb
    high: arb
    inside: tuple[State, ...]
    is_surely_inside: bool


@dataclass(frozen=True)
class BoxDeparture:
    """The terms of a step from a box that may leave it, and an upper bound of the chance of all that are not listed."""

    terms: tuple[Term, ...]
    dropped: arb


Option = tuple[tuple[int, ...], bool, arb, arb]
"""Cells in which a token may be after its pick, whether it is surely in one of them, and bounds of the chance."""


class Boxes:
    """The cells of each group on a line, and one step from each state.

    `cells` are, for each group, closed intervals in ascending order, each from where the one before ends; points may stand
    between. They hold every place within eps of the first hull of the group and within the first hull of all tokens.
    Picks of a `negligible` chance are not listed. Raises ValueError for cells that leave something out.
    """

    def __init__(self, chain: AttentionChain, line: Line, cells: dict[int, list[Cell]], negligible: arb) -> None:
        self.line, self.cells, self.negligible = line, cells, negligible
        self.beta, self.gamma, self.eps = chain.beta.item(), chain.gamma.item(), chain.eps.item()
        self.labels = tuple(int(label) for label in chain.group.tolist())
        for label, found in cells.items():
            if any(one.high != other.low for one, other in pairwise(found)) or any(one.low > one.high for one in found):
                raise ValueError(f"the cells of group {label} do not follow each other")
            reached = min(line.coordinates), max(line.coordinates)
            ends = (found[0].low, found[-1].high)
            # An end that is inside the tube has places beyond it, unless no token gets there.
            if (ends[0] > reached[0] and self._beyond(label, ends[0]) < 0) or (
                ends[1] < reached[1] and self._beyond(label, ends[1]) < 0
            ):
                raise ValueError(f"the cells of group {label} do not hold its tube")
        # Bounds are asked for again for each h that is certified, and the same two cells stand in many states.
        self.weight, self.departure = cache(self._weight), cache(self._departure)

    def _beyond(self, label: int, place: fmpq) -> fmpq:
        """The squared distance of a place of the line from the first hull of a group, less eps^2."""
        own = [s for s, other in zip(self.line.coordinates, self.labels, strict=True) if other == label]
        away = max(min(own) - place, place - max(own), fmpq(0))
        return away * away * self.line.square - self.eps**2

    def is_inside(self, state: State) -> bool:
        """Whether all of the box is inside the tubes."""
        return all(
            self._beyond(label, end) <= 0
            for label, k in set(zip(self.labels, state, strict=True))
            for end in (self.cells[label][k].low, self.cells[label][k].high)
        )

    @cached_property
    def states(self) -> list[State]:
        """All of them."""
        of_groups = [
            combinations_with_replacement(range(len(self.cells[label])), self.labels.count(label)) for label in self._groups
        ]
        return [self._from_groups(parts) for parts in product(*map(list, of_groups))]

    @cached_property
    def _groups(self) -> list[int]:
        return sorted(set(self.labels))

    def _from_groups(self, parts: Sequence[Sequence[int]]) -> State:
        left = {label: iter(part) for label, part in zip(self._groups, parts, strict=True)}
        return tuple(next(left[label]) for label in self.labels)

    def _sorted(self, picked: Sequence[int]) -> State:
        parts = [
            sorted(cell for cell, other in zip(picked, self.labels, strict=True) if other == label)
            for label in self._groups
        ]
        return self._from_groups(parts)

    def at(self, coordinates: Sequence[fmpq]) -> State:
        """A state whose box holds the point, points before intervals."""
        found = []
        for s, label in zip(coordinates, self.labels, strict=True):
            cells = self.cells[label]
            holding = [k for k, cell in enumerate(cells) if cell.low <= s <= cell.high]
            found.append(min(holding, key=lambda k: cells[k].high - cells[k].low))
        return self._sorted(found)

    def _weight(self, own: Cell, other: Cell) -> tuple[arb, arb]:
        """Bounds of e^{beta <x, y - x>} for x in one cell and y in another."""
        x, y = (arb(cell.low).union(arb(cell.high)) for cell in (own, other))
        # The end of a wide ball is taken before its exponential: that of the ball may reach below 0.
        exponent = self.beta * (y - x) * (self.line.offset + x * self.line.square)
        return exponent.lower().exp().lower(), exponent.upper().exp().upper()

    def _departure(self, state: State) -> BoxDeparture:
        """One step from anywhere in the box of a state."""
        options = [self._options(state, i) for i in range(len(state))]
        terms: list[Term] = []
        dropped = arb(0)
        # Picks token after token: cells so far, whether surely inside, bounds of the chance, whether any may have moved.
        found: list[tuple[list[tuple[int, ...]], bool, arb, arb, bool]] = [([], True, arb(1), arb(1), False)]
        for i, choices in enumerate(options):
            grown = []
            for targets, is_inside, low, high, moved in found:
                for after, is_surely, least, most in choices:
                    # Picks of a step are independent. What is dropped here stands for all ways to go on from it.
                    chance = (high * most).upper()
                    if chance < self.negligible:
                        dropped += chance
                    else:
                        grown.append(
                            (
                                [*targets, after],
                                is_inside and is_surely,
                                (low * least).lower(),
                                chance,
                                moved or not is_surely or after != (state[i],),
                            )
                        )
            found = grown
        for targets, is_inside, low, high, moved in found:
            if moved:
                inside = tuple({self._sorted(picked): None for picked in product(*targets)})
                terms.append(Term(low, high, inside, is_inside))
        return BoxDeparture(tuple(terms), dropped.upper())

    def _options(self, state: State, i: int) -> list[Option]:
        """Where the pick of token i leads; picks with the same cells are one option, and its own place is the first."""
        boxes = [self.cells[label][k] for label, k in zip(self.labels, state, strict=True)]
        weights = [(arb(1), arb(1)) if j == i else self.weight(boxes[i], box) for j, box in enumerate(boxes)]
        found: dict[tuple[tuple[int, ...], bool], tuple[arb, arb]] = {((state[i],), True): (arb(0), arb(0))}
        for j, (low, high) in enumerate(weights):
            key = ((state[i],), True) if j == i else self._covered(self.labels[i], state[i], boxes[i], boxes[j])
            before = found.get(key, (arb(0), arb(0)))
            found[key] = before[0] + low, before[1] + high
        # A chance is one weight over all of them, and grows with its own weight alone: those of one option are added first.
        options = []
        for key, (low, high) in found.items():
            others_low = sum((one[0] for other, one in found.items() if other != key), arb(0))
            others_high = sum((one[1] for other, one in found.items() if other != key), arb(0))
            options.append((*key, (low / (low + others_high)).lower(), (high / (high + others_low)).upper()))
        return options

    def _covered(self, label: int, own: int, box: Cell, other: Cell) -> tuple[tuple[int, ...], bool]:
        """Cells that hold every place (1 - gamma) x + gamma y inside them, x in the box and y in the other one."""
        cells, kept = self.cells[label], 1 - self.gamma
        low, high = kept * box.low + self.gamma * other.low, kept * box.high + self.gamma * other.high
        if box.low <= low and high <= box.high:
            return (own,), True
        if high < cells[0].low or cells[-1].high < low:
            return (), False
        whole = [k for k, cell in enumerate(cells) if cell.low <= low and high <= cell.high]
        if whole:
            return (min(whole, key=lambda k: cells[k].high - cells[k].low),), True
        # No cell holds it all: the first that begins before it comes before the last, which ends after it.
        first = max((k for k, cell in enumerate(cells) if cell.low <= low), default=0)
        last = min((k for k, cell in enumerate(cells) if high <= cell.high), default=len(cells) - 1)
        return tuple(range(first, last + 1)), cells[0].low <= low and high <= cells[-1].high


# ---------------------------------------------------------------------------------------------------------------------
# What is certified


def least_gain(departure: BoxDeparture, state: State, h: dict[State, arb], greatest: arb) -> arb:
    """A lower bound of h - P h in the box of a state; `greatest` is an upper bound of h."""
    here = h[state]
    # What was dropped may lead where h is largest; of each other term the end of its chance is taken that gains least.
    total = -departure.dropped * (greatest - here)
    for term in departure.terms:
        fall = here - max((h[after] for after in term.inside), default=arb(0))
        total += (term.low if fall > 0 else term.high) * fall
    return total.lower()


def greatest_gain(departure: BoxDeparture, state: State, h: dict[State, arb]) -> arb:
    """An upper bound of h - P h in the box of a state."""
    here = h[state]
    # Outside h counts as 0, the least there is: what was dropped may lead there, and so may all that is not surely inside.
    total = departure.dropped * here
    for term in departure.terms:
        least = min((h[after] for after in term.inside), default=arb(0)) if term.is_surely_inside else arb(0)
        fall = here - least
        total += (term.high if fall > 0 else term.low) * fall
    return total.upper()


def upper_bound(boxes: Boxes, h: dict[State, arb]) -> arb:
    """An upper bound of E T_2 by a number h for each state; infinite if h - P h is not positive everywhere.

    Then no h is negative: at the least of them h - P h is not positive.
    """
    # Any numbers will do, so the middles of what was proposed are taken as exact: then they can be compared.
    h = {state: value.mid() for state, value in h.items()}
    if not all(value.is_finite() for value in h.values()):
        return arb("inf")
    greatest = max(h.values())
    least = min(least_gain(boxes.departure(state), state, h, greatest) for state in boxes.states)
    return (h[boxes.at(boxes.line.coordinates)] / least).upper() if least > 0 else arb("inf")


def lower_bound(boxes: Boxes, h: dict[State, arb]) -> arb:
    """A lower bound of E T_2 by a number h for each state, 0 or less for those of which a part lies outside."""
    h = {state: max(value.mid(), arb(0)) for state, value in h.items()}
    if any(not value.is_finite() or (value > 0 and not boxes.is_inside(state)) for state, value in h.items()):
        return arb(0)
    gains = [greatest_gain(boxes.departure(state), state, h) for state in boxes.states if h[state] > 0]
    if not gains or not max(gains) > 0:
        return arb(0)
    return (h[boxes.at(boxes.line.coordinates)] / max(gains)).lower()
