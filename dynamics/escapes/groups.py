"""Two-sided bounds of E T_2 for groups of several tokens, whose displacements may return (section 9 of docs/escapes.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import flint
from flint import arb, fmpq

from dynamics.arithmetic import UndecidedError, numbers, working_precision
from dynamics.escapes.boxes import Boxes, Line, line_of, lower_bound, upper_bound
from dynamics.escapes.counting import MOST_PICKS, counted_bound, strays
from dynamics.escapes.departures import inner, minus
from dynamics.escapes.exponents import Between
from dynamics.escapes.proposals import bits_of, cells_of, proposal, states_of
from dynamics.escapes.times import Enclosure
from dynamics.tokens.attention_chain import AttentionChain


class NoExponentError(UndecidedError):
    """The exponent of the mean is not known."""

    precision_helps = False


class TooManyBoxesError(UndecidedError):
    """The displacements need more boxes than are allowed."""

    precision_helps = False


MOST_TOKENS = 5
"""Of so many tokens at most boxes are made: n tokens have up to n^n combinations of picks."""

COARSE = 4
"""Intervals for each group but the one whose displacements are resolved."""

NEGLIGIBLE_SHARE = fmpq(1, 2**30)
"""Combinations of picks are not listed below this share of the least chance to pick outside the group at the start."""


def bounded_mean(chain: AttentionChain, most_states: int = 3000, told: Callable[[str], None] = lambda _: None) -> Enclosure:
    """E T_2 between the best of what counts of picks, runs of one token and boxes of displacements say.

    Boxes are made of tokens on one line, of as many states as are allowed. The upper bound is infinite where nothing
    leads out of a tube from everywhere.
    """
    found = counted_mean(chain)
    try:
        return found if most_states <= 0 else _within(found, boxed_mean(chain, most_states, told))
    except UndecidedError as error:
        told(str(error))
        return found


def _within(one: Enclosure, other: Enclosure) -> Enclosure:
    return Enclosure(max(one.low, other.low), min(one.high, other.high))


def boxed_mean(chain: AttentionChain, most_states: int, told: Callable[[str], None] = lambda _: None) -> Enclosure:
    """E T_2 by boxes: each of the largest groups in turn is resolved as finely as the number of states allows.

    Raises NotOnALineError, and TooManyBoxesError where the number of states is too small for any boxes.
    """
    labels = chain.group.tolist()
    line = line_of(chain)
    if len(labels) > MOST_TOKENS:
        raise TooManyBoxesError(f"boxes are made for {MOST_TOKENS} tokens at most, not for {len(labels)}")
    found = Enclosure(arb(1), arb("inf"))
    largest = max(map(labels.count, labels))
    for fine in [label for label in _labels(chain) if labels.count(label) == largest]:
        for counts in _partitions(chain, line, fine, most_states):
            boxes = Boxes(chain, line, cells_of(chain, line, counts), _negligible(chain))
            told(f"{len(boxes.states)} boxes")
            with working_precision(max(flint.ctx.prec, bits_of(boxes))):
                # With others anywhere in their tubes stray picks may be far more likely than they are at first.
                low = arb(1) if 0 in counts.values() else lower_bound(boxes, proposal(boxes, False))
                ends = Enclosure(low, upper_bound(boxes, proposal(boxes, True)))
            found = _within(found, ends)
    return found


def _partitions(chain: AttentionChain, line: Line, fine: int, most_states: int) -> Iterator[dict[int, int]]:
    """Intervals for each group, as many for the one as are allowed: the others in one cell each, and in several."""
    whole = dict.fromkeys(_labels(chain), 0) | {fine: 1}
    least = states_of(chain, cells_of(chain, line, whole))
    if least > most_states:
        raise TooManyBoxesError(f"the coarsest boxes have {least} states: allow more than {most_states}")
    several = (dict.fromkeys(whole, count) for count in (COARSE, 1))
    for counts in (whole, *[one for one in several if states_of(chain, cells_of(chain, line, one)) <= most_states][:1]):
        found = counts
        while states_of(chain, cells_of(chain, line, found | {fine: found[fine] + 1})) <= most_states:
            found = found | {fine: found[fine] + 1}
        yield found


def _negligible(chain: AttentionChain) -> arb:
    picks = chain.replace(beta=numbers(chain.beta)).attention()
    others = chain.group[:, None] != chain.group[None, :]
    # Tokens at 0 pick all with the same chance, a rational.
    return (min(arb(value).lower() for value in (picks * others).sum(axis=-1).flat) * NEGLIGIBLE_SHARE).lower()


def counted_mean(chain: AttentionChain) -> Enclosure:
    """E T_2 between max_t t P[T_2 >= t], or the wait for the first stray, and the wait for runs of picks."""
    low = max(arb(1), (1 / first_stray(chain)).lower())
    # Doubling t loses a factor of 2 at most; beyond 2^1200 the wait for the first stray alone bounds the mean.
    for k in range(1, 1200):
        bound = 1 - counted_bound(chain, 1 << k)
        if not bound > 0:
            break
        low = max(low, ((1 << k) * bound).lower())
    runs = [run for run in (_run(chain, a, b) for a in _labels(chain) for b in _labels(chain) if a != b) if run is not None]
    return Enclosure(low, min([*runs, *(shrinking_bound(side) for side in sides_of(chain))], default=arb("inf")))


def first_stray(chain: AttentionChain) -> arb:
    """At most the chance that a token picks outside its group in a step, as long as none has."""
    # Until then all are in their first hulls.
    still = chain.replace(eps=chain.eps * 0)
    return sum((stray.chance for stray in strays(still)), arb(0)).upper()


def chance_at_most(chain: AttentionChain, t: int) -> arb:
    """An upper bound of P[T_2 < t]: by the count of picks outside, or by the first of them among t - 1 steps."""
    return min(counted_bound(chain, t), ((t - 1) * first_stray(chain)).upper())


# ---------------------------------------------------------------------------------------------------------------------
# Two groups on a line: the hull of all tokens shrinks


@dataclass(frozen=True)
class Side:
    """The upper one of two groups on a line, by heights z: <x, y - y'> = z_x (z_y - z_y').

    `size` tokens between `lowest` and `highest` at the start, the tubes `apart`, and `bottom` the least of all heights.
    Heights are in units of the length of w, `unit`.
    """

    chain: AttentionChain
    size: int
    lowest: fmpq
    highest: fmpq
    bottom: fmpq
    other: fmpq
    square: fmpq

    @property
    def cost(self) -> fmpq:
        """The most that a stray pick of a token of the group costs."""
        return self.highest * (self.highest - self.bottom) * self.square

    @property
    def least_cost(self) -> fmpq:
        """The least <x, x - y> for x and y in the first hulls of the group and of the other: before the first stray."""
        # Convex in the height of x, linear in that of y.
        nearest = [(min(max(y / 2, self.lowest), self.highest), y) for y in (self.bottom, self.other)]
        return min(x * (x - y) * self.square for x, y in nearest)


def sides_of(chain: AttentionChain) -> list[Side]:
    """The groups whose bound is known: two groups on a line, the one above the other, its scores highest at its top."""
    try:
        line = line_of(chain)
    except UndecidedError:
        return []
    labels = chain.group.tolist()
    if len(set(labels)) != 2:
        return []
    found = []
    for sign in (1, -1):
        heights = [sign * (line.offset / line.square + s) for s in line.coordinates]
        upper = labels[heights.index(max(heights))]
        own = [z for z, label in zip(heights, labels, strict=True) if label == upper]
        others = [z for z, label in zip(heights, labels, strict=True) if label != upper]
        found.append(Side(chain, len(own), min(own), max(own), min(heights), max(others), line.square))
    return found


@dataclass(frozen=True)
class Phase:
    """From everywhere inside the tubes, in so many `steps` with a `chance`: the top of a group falls so far, or one leaves.

    The top is nowhere more than `room` above the lower edge of its tube.
    """

    fall: arb
    steps: int
    chance: arb
    room: arb


def phase_of(side: Side) -> Phase | None:
    """One stray, picks of the top by the token that strayed, and one pick of it by all others of its group (section 9).

    None where the tubes are too near to each other or to the origin.
    """
    chain, n, k = side.chain, len(side.chain.x), side.size
    unit = arb(side.square).sqrt()
    beta, gamma, eps = chain.beta.item(), chain.gamma.item(), chain.eps.item()
    top, least = side.highest * unit, side.lowest * unit - eps
    apart = least - (side.other * unit + eps)
    if not (least > 0 and apart > 0):
        return None
    chance, width = arb(-beta * side.cost).exp() / n, top - least
    fall, steps = gamma * apart, 1
    if k > 1:
        near = 1 / (beta * top)
        # The token that strayed comes as near as that to the top, and not much nearer.
        count = ((width / near).log() / -arb(1 - gamma).log()).upper().ceil().unique_fmpz()
        if count is None:  # gamma is too small for the precision
            return None
        back = max(int(count), 0)
        fall = gamma * min((gamma * apart).lower(), ((1 - gamma) * near).lower())
        steps, chance = back + 2, chance / n / arb(n) ** (2 * back) * (arb(-1).exp() / n) ** k
    return Phase(fall.lower(), steps, chance.lower(), width.upper())


def shrinking_bound(side: Side) -> arb:
    """An upper bound of E T_2 whose exponent is that of one stray pick; infinite where no phase is known."""
    phase = phase_of(side)
    if phase is None:
        return arb("inf")
    # The top never rises: after so many phases that succeed some token has left.
    return ((phase.room / phase.fall + 1) * phase.steps / phase.chance).upper()


def exponent_of_groups(chain: AttentionChain) -> Between:
    """lim (1/beta) log E T_2 for two groups on a line, exactly where each starts at one point, else between two numbers.

    Raises NoExponentError for other groups.
    """
    sides = sides_of(chain)
    known = [side.cost for side in sides if shrinking_bound(side).is_finite()]
    if not known:
        raise NoExponentError("known for two groups on a line, tubes apart and one of them on its own side of the origin")
    return Between(max(min(side.least_cost for side in sides), fmpq(0)), min(known))


def _labels(chain: AttentionChain) -> list[int]:
    return sorted(set(chain.group.tolist()))


def _run(chain: AttentionChain, own: int, other: int) -> arb | None:
    """m/p^m, where from every state inside the tubes m picks in a row, each of a chance of at least p, lead out.

    One token of the group `own` picks one and the same token of `other`, which stays within its tube or has left it.
    """
    hull, target = chain.x[chain.group == own], chain.x[chain.group == other]
    eps, kept = chain.eps.item(), 1 - chain.gamma.item()
    # <l, .> separates the two hulls, l from a vertex to a vertex; the picked token is eps nearer at most.
    best: arb | None = None
    for a in hull.tolist():
        for b in target.tolist():
            direction = minus(tuple(b), tuple(a))
            top = max(inner(direction, tuple(place)) for place in hull.tolist())
            beyond = min(inner(direction, tuple(place)) for place in target.tolist()) - top
            if beyond > 0:
                room = (beyond / arb(inner(direction, direction)).sqrt() - eps).lower()
                best = room if best is None else max(best, room)
    if best is None or not best > eps:
        return None
    # Before the run the token may be eps on the other side of the hull's edge, or deeper by the hull's width.
    differences = hull[:, None] - hull[None]
    width = arb(max((differences * differences).sum(axis=-1).flat)).sqrt() + eps
    share, steps = arb(1), 0
    while not best - share * (best + width) > eps:
        share, steps = share * kept, steps + 1
        if steps > MOST_PICKS:
            return None
    # No pick costs more than max <x, y - z> over the first hull, which is largest at its tokens.
    cost = arb(max(max(row) - min(row) for row in (chain.x @ chain.x.T).tolist()))
    chance = (-chain.beta.item() * cost).exp() / len(chain.x)
    # The wait for m successes in a row of a chance of at least p is at most that for a block of m of them.
    return (steps / chance**steps).upper()
