"""Limits of averaging orbits, decided again for the checker: Fractions in plain lists, nothing imported.

Written from docs/final_neighbours.md, not from :mod:`dynamics.orbits.final_neighbours`: the limits by another method, the
margins afresh.

A step is z' = M z with M = (1 - gamma) I + gamma W, W stochastic. R^n is the sum of the kernel and of the range of I - W,
for 1 is a semisimple eigenvalue of a stochastic matrix; M keeps both and is the identity on the kernel. On the range its
powers tend to 0, for its diagonal is positive. So the limit s of M^k z is the one point with W s = s and z - s = (I - W) y
for some y: that is (I - W)^2 y = (I - W) z, and s = z - (I - W) y. The same holds of a product of steps in the place of W.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from dynamics.checker.matrices import is_definite, negative, plus, product, solution, unit
from dynamics.checker.steps import Rows, image, inner, minus

S = TypeVar("S")
Rates = list[Fraction | None]


class OpenError(Exception):
    """The limit of the orbit is not shown within the allowed steps."""


@dataclass(frozen=True)
class Averages:
    """z_i <- (1 - gamma) z_i + gamma sum_j W_ij z_j; i attends to whoever scores <A z_i, z_j> within delta of the best."""

    z: Rows
    A: Rows
    gamma: Fraction
    delta: Fraction
    W: Rows

    def attended(self) -> list[list[int]]:
        """The tokens that each token attends to."""
        return [[j for j, weight in enumerate(row) if weight != 0] for row in self.W]


@dataclass(frozen=True)
class Ending:
    """Neighbour sets that are eventually periodic: from a step on, those of each phase, with its limits and rates."""

    since: int
    attended: list[list[list[int]]]
    classes: list[list[list[int]]]
    limits: list[Rows]
    rates: list[Rates]


@dataclass(frozen=True)
class Drift:
    """Neighbours that stay from a step on, with z^k = limits + (1 - gamma)^k (offsets + k drift) from there."""

    since: int
    attended: list[list[int]]
    limits: Rows
    offsets: Rows
    drift: Rows


# ---------------------------------------------------------------------------------------------------------------------
# Limits


def limits_of(W: Rows, z: Rows) -> Rows:
    """The limits of the tokens z under powers of (1 - gamma) I + gamma W, or of W itself where its diagonal is positive."""
    away = plus(unit(len(W)), negative(W))
    y = solution(product(away, away), product(away, z))
    assert y is not None  # R^n is the sum of the kernel and of the range of I - W
    return plus(z, negative(product(away, y)))


def closed_classes(W: Rows) -> list[list[int]]:
    """The closed communicating classes of tokens."""
    reached = []
    for i in range(len(W)):
        seen, waiting = {i}, [i]
        while waiting:
            new = {j for j, weight in enumerate(W[waiting.pop()]) if weight != 0} - seen
            seen |= new
            waiting.extend(new)
        reached.append(seen)
    return [sorted(seen) for i, seen in enumerate(reached) if min(seen) == i and all(reached[j] == seen for j in seen)]


# ---------------------------------------------------------------------------------------------------------------------
# Rates


def _multiple(image_: Sequence[Fraction], of: Sequence[Fraction]) -> Fraction | None:
    """The number c with image = c of, 0 where both vanish, None where there is none."""
    place = next((a for a, value in enumerate(of) if value != 0), None)
    c = Fraction(0) if place is None else image_[place] / of[place]
    return c if all(a == c * b for a, b in zip(image_, of, strict=True)) else None


def _thinned(rates: Rates, lasts: Callable[[int, Rates], bool]) -> Rates:
    """The largest set of tokens with a rate in which the rate of each lasts as long as those of the others do."""
    found = list(rates)
    while lost := [i for i, rate in enumerate(found) if rate is not None and not lasts(i, found)]:
        for i in lost:
            found[i] = None
    return found


def step_rates(now: Averages, offsets: Rows) -> Rates:
    """What multiplies the offset of each token in every step: 0 at its limit, None where nothing is known for certain."""
    omegas = [_multiple(inner_, e) for inner_, e in zip(product(now.W, offsets), offsets, strict=True)]
    attended = now.attended()
    rates: Rates = []
    for omega, e in zip(omegas, offsets, strict=True):
        rate = None if omega is None else (1 - now.gamma) + now.gamma * omega
        # At its limit a token stays, whatever 0 is multiplied by.
        if rate is not None and not any(e):
            rate = Fraction(0)
        # Powers of a negative rate change their sign, and no t = rate^k runs through (0, 1].
        elif rate is not None and rate <= 0:
            rate = None
        rates.append(rate)

    def lasts(i: int, known: Rates) -> bool:
        # W e mixes the offsets of those attended to: a multiple of e for ever only if these shrink alike, or are 0.
        met = {known[j] for j in attended[i]}
        if None in met:
            return False
        moving = met - {Fraction(0)}
        return len(moving) <= 1 and (omegas[i] == 0 or moving <= {known[i]})

    return _thinned(rates, lasts)


def turn_rates(turn: Rows, offsets: Rows) -> Rates:
    """The same for a turn of several steps, whose product is `turn`: what multiplies the offsets in every turn."""
    rates: Rates = []
    for after, e in zip(product(turn, offsets), offsets, strict=True):
        rate = _multiple(after, e)
        rates.append(rate if rate is not None and (rate > 0 or not any(e)) else None)

    def lasts(i: int, known: Rates) -> bool:
        met = {known[j] for j, weight in enumerate(turn[i]) if weight != 0}
        return None not in met and len(met - {Fraction(0)}) <= 1

    return _thinned(rates, lasts)


# ---------------------------------------------------------------------------------------------------------------------
# Neighbours that stay


def positive_on_unit_interval(coefficients: Sequence[Fraction], strictly: bool = True) -> bool:
    """Whether c_0 + c_1 t + c_2 t^2 > 0, or >= 0 unless strictly, for every t in (0, 1]; it may vanish at 0."""
    q = list(coefficients)
    while q and q[0] == 0:
        q = q[1:]  # divided by t > 0
    if not q:
        return not strictly
    if q[0] < 0 or sum(q) < 0 or (strictly and sum(q) == 0):
        return False
    # Only a parabola whose minimum is inside (0, 1) can be lower there than at both ends.
    if len(q) < 3 or not 0 < -q[1] < 2 * q[2]:
        return True
    discriminant = q[1] * q[1] - 4 * q[0] * q[2]
    return discriminant < 0 if strictly else discriminant <= 0


class Future:
    """Bounds, good at all visits of this state, on f = <A z_i, z_l - z_j> - delta."""

    def __init__(self, now: Averages, limits: Rows, rates: Rates) -> None:
        self.A, self.delta, self.s, self.rates = now.A, now.delta, limits, rates
        self.e = offsets_from(limits, now)
        turned = [image(self.A, e) for e in self.e]
        self.turned = turned
        coordinates = range(len(self.A))
        # Coordinate by coordinate: both factors stay averages of what they are now.
        self.both = sum(
            (max(abs(t[a]) for t in turned) * (max(e[a] for e in self.e) - min(e[a] for e in self.e)) for a in coordinates),
            Fraction(0),
        )

    def score(self, x: Sequence[Fraction], y: Sequence[Fraction]) -> Fraction:
        """<A x, y>."""
        value: Fraction = inner(image(self.A, x), y)
        return value

    def polynomial(self, i: int, l: int, j: int) -> list[Fraction] | None:
        """f as a polynomial in t = rate^k where the three tokens have one rate between them, else None."""
        met = {self.rates[i], self.rates[l], self.rates[j]}
        if None in met or len(met - {Fraction(0)}) > 1:
            return None
        e, s = self.e, self.s
        apart, spread = minus(s[l], s[j]), minus(e[l], e[j])
        return [
            self.score(s[i], apart) - self.delta,
            self.score(s[i], spread) + self.score(e[i], apart),
            self.score(e[i], spread),
        ]

    def at_limit(self, i: int, l: int, j: int) -> Fraction:
        """f at the limits."""
        return self.score(self.s[i], minus(self.s[l], self.s[j])) - self.delta

    def swing(self, i: int, l: int, j: int) -> Fraction:
        """How far f may ever be from its value at the limits: linear forms of the offsets stay between their extremes."""
        form = image(self.A, self.s[i])
        along = [inner(form, e) for e in self.e]
        apart = minus(self.s[l], self.s[j])
        across = max(abs(inner(t, apart)) for t in self.turned)
        total: Fraction = max(along) - min(along) + across + self.both
        return total

    def at_most_zero(self, i: int, l: int, j: int) -> bool:
        """Whether f <= 0 is certain."""
        terms = self.polynomial(i, l, j)
        if terms is None:
            return self.at_limit(i, l, j) + self.swing(i, l, j) <= 0
        return positive_on_unit_interval([-c for c in terms], strictly=False)

    def above_zero(self, i: int, l: int, j: int) -> bool:
        """Whether f > 0 is certain."""
        # Without a common rate only the limit is known, and how far from it f may ever be.
        terms = self.polynomial(i, l, j)
        return positive_on_unit_interval(terms) if terms else self.at_limit(i, l, j) - self.swing(i, l, j) > 0


def neighbours_stay(now: Averages, stays: Callable[[int, int, int], bool], leaves: Callable[[int, int, int], bool]) -> bool:
    """Whether every neighbour of a token i stays one beside each other l, and any other j is behind some neighbour l.

    `stays(i, l, j)` and `leaves(i, l, j)` say so for certain, of this and all later visits of the state.
    """
    tokens = range(len(now.z))
    return all(
        all(stays(i, l, j) for l in tokens if l != j) if j in attended else any(leaves(i, l, j) for l in attended)
        for i, attended in enumerate(now.attended())
        for j in tokens
    )


def together(now: Averages, cycle: Sequence[Averages], l: int, j: int) -> bool:
    """Whether two tokens are at one place now and at all visits of this phase of a cycle: they take all averages alike."""
    return now.z[l] == now.z[j] and all(phase.W[l] == phase.W[j] for phase in cycle)


# ---------------------------------------------------------------------------------------------------------------------
# Orbits


def offsets_from(limits: Rows, now: Averages) -> Rows:
    """How far each token is from its limit."""
    return [minus(p, q) for p, q in zip(now.z, limits, strict=True)]


def _need_inside(gamma: Fraction) -> None:
    if not 0 < gamma < 1:
        raise ValueError(f"a step size in (0, 1) is needed, not {gamma}")


def step_matrix(now: Averages) -> Rows:
    """(1 - gamma) I + gamma W."""
    return [
        [now.gamma * weight + (1 - now.gamma if i == j else 0) for j, weight in enumerate(row)]
        for i, row in enumerate(now.W)
    ]


def turns(cycle: Sequence[Averages]) -> list[Rows]:
    """The products of the step matrices of a turn, one that begins at each of its phases."""
    found = []
    for r in range(len(cycle)):
        turn = step_matrix(cycle[r])
        for now in [*cycle[r + 1 :], *cycle[:r]]:
            turn = product(step_matrix(now), turn)
        found.append(turn)
    return found


def _ending(cycle: Sequence[Averages], since: int, shown: Callable[[Averages, Rows, Rows], Rates | None]) -> Ending | None:
    """The ending of an orbit whose steps from here on are these in turn, for ever; None where that is not shown.

    `shown` gives the rates of a phase, from the product of a turn that begins there and the limits; None likewise. Raises
    ValueError for a step size outside (0, 1): the limits need not exist at 1.
    """
    for now in cycle:
        _need_inside(now.gamma)
    limits, rates, classes = [], [], []
    for now, turn in zip(cycle, turns(cycle), strict=True):
        s = limits_of(turn, now.z)
        known = shown(now, turn, s)
        if known is None:
            return None
        limits.append(s)
        rates.append(known)
        classes.append(closed_classes(turn))
    return Ending(since, [now.attended() for now in cycle], classes, limits, rates)


def repeated(cycle: Sequence[Averages], since: int = 0, alone: bool = False) -> Ending | None:
    """The ending by scores alone; of one step that is `alone` by its own rates, of which more is known than of a turn's."""

    def shown(now: Averages, turn: Rows, s: Rows) -> Rates | None:
        e = offsets_from(s, now)
        # Rates of a turn and not of a step: only after all of it the phase is the same again.
        rates = step_rates(now, e) if alone else turn_rates(turn, e)
        future = Future(now, s, rates)

        def stays(i: int, l: int, j: int) -> bool:
            # Of tokens at one place at all visits f is -delta.
            return now.delta >= 0 if together(now, cycle, l, j) else future.at_most_zero(i, l, j)

        return rates if neighbours_stay(now, stays, future.above_zero) else None

    return _ending(cycle, since, shown)


def final(now: Averages, since: int = 0) -> Ending | None:
    """The ending of an orbit whose neighbours never change from here on. None and ValueError as of a cycle."""
    return repeated([now], since, alone=True)


# An orbit is the iterator of its states: each is asked for once, and no step is taken that nobody looks at.


def settled(
    orbit: Iterator[S],
    steps: int,
    averages: Callable[[S], Averages],
    decide: Callable[[Averages, int], Ending | None] = final,
) -> tuple[list[S], Ending]:
    """The states of an orbit up to the first at which its neighbours are seen to be final. Raises OpenError, ValueError.

    A state is looked at where it has the neighbours of the one before, or is the start.
    """
    states, before = list[S](), None
    for k, state in enumerate(islice(orbit, steps + 1)):
        states.append(state)
        now = averages(state)
        if before in (None, now.attended()) and (found := decide(now, k)) is not None:
            return states, found
        before = now.attended()
    raise OpenError(f"the neighbours are not certain to be final after {steps} steps")


def limit_cycle(orbit: Iterator[S], steps: int, longest: int, averages: Callable[[S], Averages]) -> Ending:
    """The cycle, of at most `longest` steps, in which the neighbours of an orbit go round after `steps` steps.

    Raises OpenError where none is shown.
    """
    # Each phase is to be seen twice.
    path = list(map(averages, islice(orbit, steps, steps + 2 * longest)))
    for p in range(1, longest + 1):
        if all(path[k].attended() == path[k + p].attended() for k in range(longest)):
            found = repeated(path[:p], steps)
            if found is not None:
                return found
    raise OpenError(f"neither final neighbours nor a cycle of at most {longest} steps is shown after {steps} steps")


def periodic_turn(
    orbit: Iterator[S], turns_: int, period: int, most_periods: int, averages: Callable[[S], Averages]
) -> tuple[list[S], Ending]:
    """A turn of a periodic step that repeats for ever: its states, and what follows. Raises OpenError.

    Turns of one period and more are looked at after 2, 4, 7, 11, ... periods; a turn must be like the one before it.
    """
    states, done, wait, look_at = list[S](), list[Averages](), 1, 2
    for turn in range(1, turns_ + 1):
        states += islice(orbit, period)
        done += map(averages, states[-period:])
        # Ever rarer, for each look eliminates and the orbit may take long to settle.
        if turn < look_at:
            continue
        for p in range(period, most_periods * period + 1, period):
            if len(done) < 2 * p or any(done[-k].attended() != done[-k - p].attended() for k in range(1, p + 1)):
                continue
            found = repeated(done[-p:], len(done) - p)
            if found is not None:
                return states[-p:], found
        wait, look_at = wait + 1, turn + wait
    raise OpenError(f"no turn of at most {most_periods} periods is certain to repeat after {turns_} periods")


def recurrence(orbit: Iterator[S], steps: int, content: Callable[[S], Any]) -> tuple[int, list[S]]:
    """The first step whose state comes back, and the states from there to just before it does. Raises OpenError."""
    states, contents = list[S](), list[Any]()
    for state in islice(orbit, steps + 1):
        if (now := content(state)) in contents:
            first = contents.index(now)
            return first, states[first:]
        states.append(state)
        contents.append(now)
    raise OpenError(f"no state recurs within {steps} steps")


# ---------------------------------------------------------------------------------------------------------------------
# Hardmax runs that gather at 0 (Lemma O)


def gathers(run: Sequence[Rows], B: Rows, gamma: Fraction, selection: Rows) -> bool:
    """Whether all tokens of a hardmax run tend to 0, by its first states. Raises ValueError for a step outside (0, 1)."""
    _need_inside(gamma)
    first = [value for token in run[0] for value in token]
    for state in run[1:]:
        now = [value for token in state for value in token]
        # One is a multiple of the other where all minors of the two rows are 0.
        alike = all(a * d == b * c for a, b in zip(first, now, strict=True) for c, d in zip(first, now, strict=True))
        if alike and any(now) and sum(v * v for v in now) < sum(v * v for v in first):
            return True
    if not any(first):
        return True
    return is_definite(negative(B)) and any(
        _opposite(state, selection) or (gamma * 3 <= 1 and _balanced(state)) for state in run
    )


def _opposite(x: Rows, selection: Rows) -> bool:
    """Whether x -> -x pairs the tokens, and their selections."""
    # Tokens at one place need partners of their own.
    free, partner = list(range(len(x))), []
    for token in x:
        fitting = [j for j in free if all(a + b == 0 for a, b in zip(token, x[j], strict=True))]
        if not fitting:
            return False
        partner.append(fitting[0])
        free.remove(fitting[0])
    return all(
        selection[p][q] == value
        for p, row in zip(partner, selection, strict=True)
        for q, value in zip(partner, row, strict=True)
    )


def _balanced(x: Rows) -> bool:
    return len(x[0]) == 1 and max(x)[0] + min(x)[0] == 0


# ---------------------------------------------------------------------------------------------------------------------
# Any rule, by boxes


class Box:
    """Bounds on scores while every token is in its box: its limit plus [low, high], coordinate by coordinate.

    Averages of the offsets stay between the least and the largest of each coordinate that they have now, and tend to 0.
    """

    def __init__(self, now: Averages, limits: Rows, joined: Callable[[int, int], bool]) -> None:
        offsets = list(zip(*offsets_from(limits, now), strict=True))
        self.low, self.high = [min(row) for row in offsets], [max(row) for row in offsets]
        self.s, self.joined, self.tokens = limits, joined, range(len(limits))
        reach = [_product(row, row, self.low, self.high) for row in now.A]
        turned = [image(now.A, s) for s in limits]
        self.directions = [
            ([t + r[0] for t, r in zip(row, reach, strict=True)], [t + r[1] for t, r in zip(row, reach, strict=True)])
            for row in turned
        ]

    def place(self, l: int) -> tuple[list[Fraction], list[Fraction]]:
        """The ends of the box of token l."""
        moved = [[s + end for s, end in zip(self.s[l], ends, strict=True)] for ends in (self.low, self.high)]
        return moved[0], moved[1]

    def score(self, i: int, l: int) -> tuple[Fraction, Fraction]:
        """<A z_i, z_l>."""
        return _product(*self.directions[i], *self.place(l))

    def gap(self, i: int, j: int) -> tuple[Fraction, Fraction]:
        """max_l <A z_i, z_l - z_j>."""
        ends = []
        for l in self.tokens:
            apart = minus(self.s[l], self.s[j])
            # Tokens that stay together are 0 apart, not as far as their boxes allow.
            wide = [Fraction(0) if self.joined(l, j) else b - a for a, b in zip(self.low, self.high, strict=True)]
            ends.append(
                _product(*self.directions[i], minus(apart, wide), [a + b for a, b in zip(apart, wide, strict=True)])
            )
        return max(least for least, _ in ends), max(most for _, most in ends)


def _product(
    x_low: Sequence[Fraction], x_high: Sequence[Fraction], y_low: Sequence[Fraction], y_high: Sequence[Fraction]
) -> tuple[Fraction, Fraction]:
    """The ends of <x, y> for entries between these ends."""
    least = most = Fraction(0)
    for a, b, c, d in zip(x_low, x_high, y_low, y_high, strict=True):
        ends = (a * c, a * d, b * c, b * d)
        least, most = least + min(ends), most + max(ends)
    return least, most


def certain(box: Box, delta: Fraction, rule: int, i: int, j: int) -> tuple[bool, bool]:
    """Whether token i certainly attends to token j, and whether it certainly does not, by the rule of that index."""
    low, high = box.gap(i, j)
    if rule == 1:
        # A certain neighbour is within delta times the least that the best may score, a certain stranger beyond the
        # largest. The best are neighbours even where that is negative.
        h = [max(box.score(i, l)[end] for l in box.tokens) for end in (0, 1)]
        return high <= max(delta * h[0], Fraction(0)), low > max(delta * h[1], Fraction(0))
    if rule == 2:
        # Squared: where the own score has no root no gap is below it, but 0.
        r = [max(end, Fraction(0)) for end in box.score(i, i)]
        return high * high <= delta * delta * r[0], low * low > delta * delta * r[1]
    if rule == 3:
        return high < delta or high <= 0, low >= delta and low > 0
    if rule == 4 and i == j:
        return True, False
    return high <= delta, low > delta


def boxed(cycle: Sequence[Averages], rule: int, since: int = 0) -> Ending | None:
    """The ending of an orbit, under any rule, whose steps from here on are these in turn; None where it is open."""

    def shown(now: Averages, _: Rows, s: Rows) -> Rates | None:
        box = Box(now, s, partial(together, now, cycle))
        seen = all(
            certain(box, now.delta, rule, i, j)[0 if j in attended else 1]
            for i, attended in enumerate(now.attended())
            for j in box.tokens
        )
        return [None] * len(s) if seen else None

    return _ending(cycle, since, shown)


def boxed_turn(
    orbit: Iterator[S], steps: int, longest: int, rule: int, averages: Callable[[S], Averages]
) -> tuple[list[S], Ending]:
    """The states of a turn of at most `longest` steps that repeats for ever under any rule, and what follows.

    Raises OpenError where none is shown, ValueError for a step size outside (0, 1).
    """
    states, path = list[S](), list[Averages]()
    for state in islice(orbit, steps + longest):
        states.append(state)
        path.append(averages(state))
        _need_inside(path[0].gamma)
        for p in range(1, longest + 1):
            alike = range(1, min(p, len(path) - p) + 1)
            if len(states) > p and all(path[-k].attended() == path[-k - p].attended() for k in alike):
                found = boxed(path[-p:], rule, len(states) - p)
                if found is not None:
                    return states[-p:], found
    raise OpenError(f"no turn of at most {longest} steps is certain to repeat after {steps} steps")


# ---------------------------------------------------------------------------------------------------------------------
# A sensitivity c / (k + 1)


def harmonic(now: Averages, k: int, since: int = 0) -> Ending | None:
    """Neighbours that are final though delta_k = c / (k + 1) falls for ever, of which `now` has that of step k.

    With one rate r for the tokens in f = c_0 + c_1 t + c_2 t^2, t = r^m, a neighbour stays one where c_0 <= 0, the others
    are together at most delta_k where they are positive, and r <= (k+1)/(k+2): r^m then falls as fast as delta. What is
    none stays none where f is above the largest of the sensitivities to come, the first.
    """

    def shown(_: Averages, turn: Rows, s: Rows) -> Rates | None:
        rates = turn_rates(turn, offsets_from(s, now))
        future = Future(now, s, rates)

        def stays(i: int, l: int, j: int) -> bool:
            if together(now, [now], l, j):
                return True
            terms = future.polynomial(i, l, j)
            if terms is None:
                return False
            rate = max(r for r in (rates[i], rates[l], rates[j]) if r is not None)
            rising = max(terms[1], Fraction(0)) + max(terms[2], Fraction(0))
            return terms[0] + now.delta <= 0 and rising <= now.delta and rate * (k + 2) <= k + 1

        def leaves(i: int, l: int, j: int) -> bool:
            # By the polynomial alone: how far f may swing is measured against a delta that stays.
            terms = future.polynomial(i, l, j)
            return terms is not None and positive_on_unit_interval(terms)

        return rates if neighbours_stay(now, stays, leaves) else None

    return _ending([now], since, shown)


def harmonic_end(orbit: Iterator[S], steps: int, first: int, averages: Callable[[S], Averages]) -> Ending:
    """The end of an orbit under delta_k = c / (k + 1), started at step `first`. Raises OpenError and ValueError."""

    def decide(now: Averages, k: int) -> Ending | None:
        _need_inside(now.gamma)
        # Not at the start, where the suite does not look either: the step that it states is compared.
        return harmonic(now, first + k, k) if k else None

    return settled(orbit, steps, averages, decide)[1]


# ---------------------------------------------------------------------------------------------------------------------
# Offsets that shrink like k (1 - gamma)^k


def drifting(now: Averages, since: int = 0) -> Drift | None:
    """Final neighbours under which offsets are (1 - gamma)^k (e + k b), b = gamma / (1 - gamma) W e; None where not shown.

    (1 - gamma)^-1 M = I + gamma / (1 - gamma) W, whose powers are I + k gamma / (1 - gamma) W on e where W W e = 0.
    """
    # A neighbour is not compared with itself below: its own gap, 0 - delta, must not be positive.
    if not 0 < now.gamma < 1 or now.delta < 0:
        return None
    s = limits_of(now.W, now.z)
    e = offsets_from(s, now)
    pull = product(now.W, e)
    if any(value != 0 for row in product(now.W, pull) for value in row):
        return None
    # The next power of W on e is 0, or the offsets would grow like k^2.
    b = [[now.gamma / (1 - now.gamma) * value for value in row] for row in pull]

    def terms(i: int, l: int, j: int) -> list[Fraction]:
        return drift_terms(now, (s, e, b), i, l, j)

    def stays(i: int, l: int, j: int) -> bool:
        row = [-c for c in terms(i, l, j)]
        return not any(row) or stays_positive(row, 1 - now.gamma)

    def leaves(i: int, _: int, j: int) -> bool:
        # Behind any token, and not behind a neighbour alone: so the suite asks.
        return any(stays_positive(terms(i, l, j), 1 - now.gamma) for l in range(len(s)))

    if not neighbours_stay(now, stays, leaves):
        return None
    return Drift(since, now.attended(), s, e, b)


def drift_terms(now: Averages, parts: tuple[Rows, Rows, Rows], i: int, l: int, j: int) -> list[Fraction]:
    """The coefficients of t^r k^m, (r, m) = (0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2), in <A z_i, z_l - z_j> - delta.

    For z = s + t (e + k b), `parts` = (s, e, b).
    """
    (S, E, B), (x, y, w) = ([image(now.A, part[i]) for part in parts], [minus(part[l], part[j]) for part in parts])
    return [
        inner(S, x) - now.delta,
        inner(S, y) + inner(E, x),
        inner(S, w) + inner(B, x),
        inner(E, y),
        inner(E, w) + inner(B, y),
        inner(B, w),
    ]


def stays_positive(terms: Sequence[Fraction], keep: Fraction) -> bool:
    """Whether it is certain that a_0 + t (a_1 + k b_1) + t^2 (a_2 + k b_2 + k^2 c_2) > 0, t = keep^k, for every k >= 0."""
    # The lowest order that is not zero decides for large k: the others count by the largest they ever are.
    a_0, a_1, b_1, a_2, b_2, c_2 = terms
    if a_0 != 0:
        rest = abs(a_1) + abs(b_1) * highest(1, keep) + abs(a_2)
        return a_0 > rest + abs(b_2) * highest(1, keep * keep) + abs(c_2) * highest(2, keep * keep)
    if a_1 != 0 or b_1 != 0:
        return b_1 >= 0 and a_1 > abs(a_2) + abs(b_2) * highest(1, keep) + abs(c_2) * highest(2, keep)
    return a_2 > 0 and b_2 >= 0 and c_2 >= 0


def highest(m: int, q: Fraction) -> Fraction:
    """max over k >= 0 of k^m q^k, m >= 1, 0 < q < 1: values rise and then fall."""
    k, value = 1, q
    while (after := Fraction(k + 1) ** m * q ** (k + 1)) > value:
        k, value = k + 1, after
    return value
