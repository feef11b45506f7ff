"""What :mod:`dynamics.limits.contraction` shows, decided again: Lemmas P and M of docs/flow_limits.md, in intervals.

Nothing is shared with it but the lemmas and the formula. Derivatives come from the record of the formula's operations,
norms from eigenvalues by elimination, identities from :mod:`dynamics.checker.formal`. What contracts is measured either in
one Euclidean norm, of the differences themselves or of their coordinates along eigenvectors, or token by token.

In the checker's process these functions stand in the place of that module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
from mpmath import iv

from dynamics.arithmetic import UndecidedError, numbers
from dynamics.checker.flint_stand_in import arb
from dynamics.checker.formal import (
    ONE,
    Polynomial,
    Quotient,
    UnformalError,
    all_vanish,
    column,
    run,
    slope,
    times,
    variables,
)
from dynamics.checker.integrator import jacobian
from dynamics.checker.intervals import (
    Interval,
    interval,
    is_finite,
    larger,
    logarithmic_norm,
    norm,
    product_sum,
    spectral_norm,
    symmetric,
    upper,
)
from dynamics.checker.matrices import inverse, negative, plus, product, reduced, unit
from dynamics.checker.recording import Own, Record, as_fraction, as_interval, recorded, refuse_choices
from dynamics.checker.traps import UncaughtError

Exact = list[list[Fraction]]
Box = list[Interval]

TRIALS = 16


class Seen(SimpleNamespace):
    """What is shown, by the names by which a claim reads it."""

    def __getattr__(self, name: str) -> Any:
        if name == "number_of_limits":
            raise UndecidedError("two limits are not told apart")
        raise AttributeError(f"the trap shows no {name}")


class Restless:
    """What moves in a system: of a flow its velocity, of a map what a step adds."""

    def __init__(self, system: Any) -> None:
        self.system, self.flows = system, hasattr(system, "velocity")
        if self.flows:
            self.parts = list(system.moving)
        else:
            # A step hands on what it does not move as it is: what shares memory rests.
            after = system.step()
            self.parts = [
                name for name, array in system.arrays().items() if not np.shares_memory(array, getattr(after, name))
            ]
        self.shapes = [getattr(system, name).shape for name in self.parts]

    def numbers(self, system: Any = None) -> list[Any]:
        """The flat state."""
        return [entry for name in self.parts for entry in np.asarray(getattr(system or self.system, name)).flat]

    def box(self) -> Box:
        """The flat state in intervals."""
        found = [(as_interval(value), value) for value in self.numbers()]
        return [interval(exact_entry(value)) if known is None else known for known, value in found]

    def placed(self, values: Sequence[Any]) -> Any:
        """The system at another flat state."""
        arrays, rest = {}, list(values)
        for name, shape in zip(self.parts, self.shapes, strict=True):
            size = int(np.prod(shape, dtype=int))
            arrays[name], rest = numbers(column(rest[:size]).reshape(shape)), rest[size:]
        return self.system.replace(**arrays)

    def pace(self, values: Sequence[Any]) -> list[Any]:
        """The velocity, or what is added, entry by entry."""
        here = self.placed(values)
        if self.flows:
            return [entry for array in here.velocity() for entry in np.asarray(array).flat]
        return [y - x for x, y in zip(self.numbers(here), self.numbers(here.step()), strict=True)]

    def record(self, box: Box) -> Record:
        """The operations of the pace, recorded in the middle of a box, where it makes no choice that matters."""
        middle = [iv.mpf(value.mid.a) for value in box]
        # The record is used over all of the box, where another choice of the formula would be another function.
        refuse_choices(self.pace, middle)
        return recorded(self.pace, middle, Own)


def applied(A: Exact, v: Sequence[Interval]) -> Box:
    """A v, in intervals."""
    return [sum((interval(a) * x for a, x in zip(row, v, strict=True) if a), iv.mpf(0)) for row in A]


# ---------------------------------------------------------------------------------------------------------------------
# Norms


@dataclass(frozen=True)
class Gauge:
    """y = W x - b with W U = I, and |y| = max |y_block|_2 over the blocks."""

    W: Exact
    b: list[Fraction]
    U: Exact
    blocks: list[list[int]]

    def of(self, box: Box) -> Box:
        """y over a box."""
        return [value - interval(c) for value, c in zip(applied(self.W, box), self.b, strict=True)]

    def length(self, y: Sequence[Interval]) -> Interval:
        """A point at least |y|."""
        most = iv.mpf(0)
        for block in self.blocks:
            most = larger(most, norm([y[k] for k in block])).b
        return most

    def reach(self, rows: Sequence[Sequence[Interval]]) -> Box:
        """For each row r a point at least |r y| where |y| <= 1."""
        return [sum((norm([row[k] for k in block]) for block in self.blocks), iv.mpf(0)).b for row in rows]

    def hull(self, box: Box) -> Box:
        """A box with the given one, with x - U y for its members x, and with all between."""
        # Lemma M compares x with its foot x - U y, and the mean value theorem asks for all between them.
        away = plus(unit(len(box)), negative(product(self.U, self.W)))
        shift = [sum((u * c for u, c in zip(row, self.b, strict=True)), Fraction(0)) for row in self.U]
        near = [value + interval(c) for value, c in zip(applied(away, box), shift, strict=True)]
        return [iv.mpf([min(x.a, y.a), max(x.b, y.b)]) for x, y in zip(box, near, strict=True)]

    def falls(self, record: Record, box: Box, flows: bool) -> tuple[Interval, Box]:
        """A point below the rate at which |y| shrinks while x is in a convex box, and points above |pace of x_i|/|y|."""
        rows = jacobian(record, box)
        steps = [[interval(u) for u in row] for row in self.U]
        columns = list(zip(*steps, strict=True))
        dense = [[row.get(j, iv.mpf(0)) for j in range(len(box))] for row in rows]
        moved = [[product_sum(row, column) for column in columns] for row in dense]
        inner = [applied(self.W, column) for column in zip(*moved, strict=True)]
        square = [list(row) for row in zip(*inner, strict=True)]
        if not all(is_finite(value) for row in moved for value in row):
            raise UncaughtError("the derivative is not bounded on the region")
        # A flow contracts by the logarithmic norm of W D U, a map by the norm of I + W D U.
        if not flows:
            square = [[value + int(i == j) for j, value in enumerate(row)] for i, row in enumerate(square)]
        worst: Interval = iv.mpf(-iv.inf)
        for block in self.blocks:
            part = [[square[i][j] for j in block] for i in block]
            total = logarithmic_norm(part) if flows else spectral_norm(part)
            for other in self.blocks:
                if other is not block:
                    total = total + spectral_norm([[square[i][j] for j in other] for i in block])
            worst = larger(worst, total).b
        return iv.mpf((-worst if flows else 1 - worst).a), self.reach(moved)


def _slopes(record: Record, point: Box) -> Any:
    """The derivative of the pace at a point, in float64: to propose by."""
    rows = jacobian(record, point)
    return np.array([[float(row.get(j, iv.mpf(0)).mid.a) for j in range(len(point))] for row in rows])


def _along_eigenvectors(gauge: Gauge, A: Any) -> Iterator[Gauge]:
    """The same y in coordinates along real and imaginary parts of eigenvectors, proposed in float64."""
    values, vectors = np.linalg.eig(A)
    # Of two conjugate eigenvectors one gives both columns.
    columns = [part for value, v in zip(values, vectors.T, strict=True) if value.imag >= 0 for part in _parts(value, v)]
    if len(columns) != len(A):
        return
    # Short Fractions: that they are near eigenvectors only makes the norm good, that S inverts T makes it one.
    T = [[Fraction(round(entry * 2**22), 2**22) for entry in row] for row in np.array(columns).T.tolist()]
    S = inverse(T)
    if S is not None:
        b = [row[0] for row in product(S, [[c] for c in gauge.b])]
        every = list(range(len(T)))
        # Together, which suits complex eigenvalues, and each for itself, which is sharper for real ones.
        yield Gauge(product(S, gauge.W), b, product(gauge.U, T), [every])
        yield Gauge(product(S, gauge.W), b, product(gauge.U, T), [[k] for k in every])


def _parts(value: Any, vector: Any) -> list[Any]:
    return [vector.real] if value.imag == 0 else [vector.real, vector.imag]


def gauges(gauge: Gauge, motion: Restless, record: Record, box: Box) -> Iterator[Gauge]:
    """Norms to try: all at once, token by token, and along eigenvectors."""
    yield Gauge(gauge.W, gauge.b, gauge.U, [list(range(len(gauge.W)))])
    yield gauge
    D = _slopes(record, [iv.mpf(value.mid.a) for value in box])
    W, U = (np.array([[float(v) for v in row] for row in part]) for part in (gauge.W, gauge.U))
    A = W @ D @ U + (0 if motion.flows else np.eye(len(W)))
    if np.isfinite(A).all():
        yield from _along_eigenvectors(gauge, A)


# ---------------------------------------------------------------------------------------------------------------------
# The lemmas


def gathered(gauge: Gauge, record: Record, box: Box, flows: bool) -> tuple[Interval, Box] | None:
    """Lemma M: the rate at which |y| falls for ever, and how far x_i still moves; None where that is not shown."""
    size = gauge.length(gauge.of(box))
    # A region is guessed, and widened by a third where tokens move beyond it: a wider one lets them move farther.
    radii = [(value * size / 512).b for value in gauge.reach([[interval(u) for u in row] for row in gauge.U])]
    for _ in range(TRIALS):
        wide = [value + symmetric(radius) for value, radius in zip(box, radii, strict=True)]
        rate, paces = gauge.falls(record, gauge.hull(wide), flows)
        if not rate > 0:
            return None
        moves = [(pace * size / rate).b for pace in paces]
        # What rests already, with size 0, moves nowhere and needs no room.
        if all(move < radius or (size == 0 and move == 0) for move, radius in zip(moves, radii, strict=True)):
            return rate, moves
        radii = [(move * 4 / 3 + size / 512).b for move in moves]
    return None


def settled_at(
    gauge: Gauge, record: Record, box: Box, center: list[Fraction], flows: bool
) -> tuple[Interval, Interval, Interval] | None:
    """Lemma P: the rate, the radius of a ball that is not left, how near its center the equilibrium is; None likewise."""
    middle = [interval(c) for c in center]
    pace = gauge.length(applied(gauge.W, record.run(middle)))
    away = gauge.length(gauge.of(box))
    steps = gauge.reach([[interval(u) for u in row] for row in gauge.U])
    # The ball must hold the state; it is widened until the field points in, or no rate is left.
    radius = (away * 33 / 32 + pace).b
    for _ in range(TRIALS):
        wide = [x + symmetric(radius * step) for x, step in zip(middle, steps, strict=True)]
        rate, _unused = gauge.falls(record, wide, flows)
        if not rate > 0:
            return None
        if pace < rate * radius and away <= radius:
            return rate, radius, (pace / rate).b
        radius = larger((3 * pace / rate).b, (away * 33 / 32).b).b
    return None


# ---------------------------------------------------------------------------------------------------------------------
# Identities of the formula


class Laws:
    """What the formula says of all states at once."""

    def __init__(self, motion: Restless, start: Any) -> None:
        self.motion, self.x = motion, variables(len(motion.numbers()))
        # Identities are taken modulo what is kept, which says nothing of an orbit that is not in its zeros.
        if any(exact_entry(value) != 0 for value in numbers(start.kept()).flat):
            raise UnformalError("what is kept at zero is not zero at the start")
        kept = run(lambda values: (motion.placed(values).kept(),), self.x)
        if not all(value.under == ONE and value.over and not _functions(value) for value in kept):
            raise UnformalError("what is kept at zero is no polynomial")
        self.modulo: list[Polynomial] = [value.over for value in kept]
        if kept and not all_vanish(self._rates(kept), self.modulo):
            raise UnformalError("nothing shows that it is kept at zero")

    def _rates(self, kept: Sequence[Quotient]) -> list[Quotient]:
        """The derivatives along the flow, or the values after a step."""
        pace = self._pace(self.x)
        if not self.motion.flows:
            after = [x + v for x, v in zip(self.x, pace, strict=True)]
            return run(lambda values: (self.motion.placed(values).kept(),), after)
        rates = []
        for value in kept:
            rate = value.taken(0)
            for k, speed in enumerate(pace):
                by = slope(value.over, k)
                rate = rate + value.made(times(by, speed.over), speed.under) if by else rate
            rates.append(rate)
        return rates

    def _pace(self, at: Sequence[Any]) -> list[Quotient]:
        return run(lambda values: (column(self.motion.pace(values)),), at)

    def at_rest(self, gauge: Gauge) -> bool:
        """Whether nothing moves where y = 0 and what is kept is 0."""
        return all_vanish(self._pace(self._near(gauge)), self.modulo)

    def invariant(self, gauge: Gauge) -> bool:
        """Whether y = 0 stays so, whatever is kept."""
        pace = self._pace(self._near(gauge))
        return all_vanish([sum((v * w for v, w in zip(pace, row, strict=True) if w), pace[0] * 0) for row in gauge.W])

    def _near(self, gauge: Gauge) -> list[Quotient]:
        y = [
            sum((x * w for x, w in zip(self.x, row, strict=True) if w), self.x[0] * 0) - c
            for row, c in zip(gauge.W, gauge.b, strict=True)
        ]
        return [
            x - sum((v * u for v, u in zip(y, row, strict=True) if u), x * 0)
            for x, row in zip(self.x, gauge.U, strict=True)
        ]


def _functions(value: Quotient) -> bool:
    return any(variable >= value.size for monomial in value.over for variable, _ in monomial)


def exact_entry(value: Any) -> Fraction:
    """A rational of an instance. Raises UnformalError for an interval."""
    if isinstance(value, arb):
        raise UnformalError("a number is no rational")
    return as_fraction(value)


# ---------------------------------------------------------------------------------------------------------------------
# What is tried


def differences(groups: Sequence[int], width: int, size: int) -> Gauge:
    """Each token less the first of its group."""
    # Less the first of its group alone: all differences in the group are differences of these.
    pairs = [(i, groups.index(group)) for i, group in enumerate(groups) if groups.index(group) < i]

    def unit(*signed: tuple[int, int]) -> list[Fraction]:
        return [Fraction(dict(signed).get(j, 0)) for j in range(size)]

    W = [unit((i * width + k, 1), (j * width + k, -1)) for i, j in pairs for k in range(width)]
    U = [list(column) for column in zip(*(unit((i * width + k, 1)) for i, _ in pairs for k in range(width)), strict=True)]
    blocks = [list(range(p * width, (p + 1) * width)) for p in range(len(pairs))]
    return Gauge(W, [Fraction(0)] * len(W), U, blocks)


def affine(motion: Restless, measured: Callable[[Any], Any]) -> Gauge:
    """Named quantities as W x - b. Raises UnformalError for such as are not affine, or depend on one another."""
    x = variables(len(motion.numbers()))
    rows = run(lambda values: (measured(motion.placed(values)),), x)
    if not all(
        value.under == ONE and all(sum(k for _, k in m) <= 1 and not _functions(value) for m in value.over)
        for value in rows
    ):
        raise UnformalError("what is to vanish is not affine")
    W = [[value.over.get(((j, 1),), Fraction(0)) for j in range(len(x))] for value in rows]
    b = [-value.over.get((), Fraction(0)) for value in rows]
    _, chosen = reduced(W)
    found = inverse([[row[j] for j in chosen] for row in W]) if len(chosen) == len(W) else None
    if found is None:
        raise UnformalError("what is to vanish depends on one another")
    U = [found[chosen.index(j)] if j in chosen else [Fraction(0)] * len(W) for j in range(len(x))]
    return Gauge(W, b, U, [[k] for k in range(len(W))])


def _ways(places: Any) -> Iterator[list[int]]:
    """Which tokens may meet: all, or those within a distance that is much less than the next larger one."""
    n = len(places)
    if n < 2:
        return
    yield [0] * n
    far = {pair: float(np.linalg.norm(places[pair[0]] - places[pair[1]])) for pair in combinations(range(n), 2)}
    ordered = sorted(set(far.values()))
    for low, high in pairwise(ordered):
        # A guess at which distances vanish in the limit: what is guessed is shown afterwards.
        if high > 3 * low:
            groups = joined(n, [pair for pair, value in far.items() if value <= low])
            if 1 < len(set(groups)) < n:
                yield groups


def joined(n: int, pairs: Sequence[tuple[int, int]]) -> list[int]:
    """The components of n points with these edges."""
    groups = list(range(n))
    for i, j in pairs:
        a, b = groups[i], groups[j]
        groups = [min(a, b) if group in (a, b) else group for group in groups]
    return groups


def _resting_point(motion: Restless, record: Record, box: Box) -> list[Fraction]:
    """A point near an equilibrium, by Newton's method in float64 and then by steps with its last matrix."""
    here = [iv.mpf(value.mid.a) for value in box]
    for _ in range(12):
        D = _slopes(record, here)
        pace = [value.mid.a for value in record.run(here)]
        # Near the equilibrium the pace falls below any float: it is scaled before floats see it.
        scale = max((abs(float(value)) for value in pace), default=0.0)
        if not scale:
            break
        try:
            away = np.linalg.solve(D, np.array([float((value / scale).mid.a) for value in pace]))
        except np.linalg.LinAlgError:
            break
        if not np.isfinite(away).all():
            break
        here = [iv.mpf((x - scale * iv.mpf(float(v))).mid.a) for x, v in zip(here, away, strict=True)]
    return [_fraction_of(value) for value in here]


def _fraction_of(point: Interval) -> Fraction:
    sign, mantissa, exponent, _ = point.a._mpi_[0]
    return Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** exponent


def decided(state: Any, start: Any, measured: Callable[[Any], Any] | None = None) -> dict[str, Any]:
    """What is shown of a state in intervals. Raises UncaughtError where neither lemma is shown to hold."""
    motion = Restless(state)
    laws, box = Laws(motion, start), motion.box()
    record, shape = motion.record(box), motion.shapes[0]
    n, width = (shape[0], int(np.prod(shape[1:], dtype=int))) if shape else (1, 1)
    if measured is None:
        places = np.array([float(value.mid.a) for value in box[: n * width]]).reshape(n, width)
        asked = [differences(groups, width, len(box)) for groups in _ways(places)]
    else:
        asked = [affine(motion, measured)]
    for gauge in asked:
        # Exact, and cheaper than a norm: where something moves at y = 0 no norm helps.
        if laws.at_rest(gauge):
            ways = [gathered(one, record, box, motion.flows) for one in gauges(gauge, motion, record, box)]
            # Every norm says something true: the one that leaves the least way is the best.
            shown = sorted((way for way in ways if way), key=lambda way: float(max(move.b for move in way[1])))
            for rate, moves in shown[:1]:
                limits = [value + symmetric(move) for value, move in zip(box, moves, strict=True)]
                return _told(limits, n, width, shape, _met(gauge, n, width), rate, moves)
    if measured is None:
        center = _resting_point(motion, record, box)
        blocks = [list(range(i * width, (i + 1) * width)) for i in range(n)] + [[k] for k in range(n * width, len(box))]
        whole = Gauge(unit(len(box)), center, unit(len(box)), blocks)
        for gauge in gauges(whole, motion, record, box):
            at = settled_at(gauge, record, box, center, motion.flows)
            if at is not None:
                rate, radius, error = at
                steps = gauge.reach([[interval(u) for u in row] for row in gauge.U])
                limits = [interval(c) + symmetric(error * step) for c, step in zip(center, steps, strict=True)]
                reach = [((error + gauge.length(gauge.of(box))) * step).b for step in steps]
                groups = _alike(limits, n, width, gauge, radius, center, laws)
                return _told(limits, n, width, shape, groups, rate, reach)
    raise UncaughtError("no region around the state is seen to contract")


def _met(gauge: Gauge, n: int, width: int) -> list[int]:
    """The groups of tokens whose differences vanish with y: those in the row space, seen by projecting."""

    def vanishes(i: int, j: int) -> bool:
        for k in range(width):
            row = [Fraction(int(c == i * width + k) - int(c == j * width + k)) for c in range(len(gauge.U))]
            solved = product([row], gauge.U)
            if product(solved, gauge.W)[0] != row or product(solved, [[c] for c in gauge.b])[0][0] != 0:
                return False
        return True

    return joined(n, [(i, j) for i, j in combinations(range(n), 2) if vanishes(i, j)])


def _overlap(limits: Box, i: int, j: int, width: int) -> bool:
    pairs = [(limits[i * width + k], limits[j * width + k]) for k in range(width)]
    return all(not (x.b < y.a or y.b < x.a) for x, y in pairs)


def _alike(
    limits: Box, n: int, width: int, gauge: Gauge, radius: Interval, center: list[Fraction], laws: Laws
) -> list[int]:
    """The groups of tokens that have one place at the equilibrium."""
    groups = joined(n, [(i, j) for i, j in combinations(range(n), 2) if _overlap(limits, i, j, width)])
    if len(set(groups)) == n:
        return groups
    # Limits that overlap may differ. They are one where y = 0 is never left and meets the ball, for that holds one
    # equilibrium only.
    met = differences(groups, width, len(center))
    apart = product(met.W, [[c] for c in center])
    nearest = [c - step[0] for c, step in zip(center, product(met.U, apart), strict=True)]
    inside = gauge.length(gauge.of([interval(c) for c in nearest])) <= radius
    return groups if inside and laws.invariant(met) else list(range(n))


def _told(
    limits: Box, n: int, width: int, shape: tuple[int, ...], groups: list[int], rate: Interval, reach: Box
) -> dict[str, Any]:
    firsts = sorted(set(groups))
    found: dict[str, Any] = {
        "limits": numbers(column([arb.of(value) for value in limits[: n * width]]).reshape(shape)),
        "classes": np.array([firsts.index(group) for group in groups], dtype=int),
        "rate": arb.of(rate),
        "reach": arb.of(max((upper(value) for value in reach), key=lambda value: value.b)),
    }
    if not any(_overlap(limits, i, j, width) for i, j in combinations(firsts, 2)):
        found |= {"count": len(firsts), "number_of_limits": len(firsts)}
    return found


# ---------------------------------------------------------------------------------------------------------------------
# Under the names that claims use


def contraction(state: Any, start: Any) -> dict[str, Any]:
    """Stands in for the trap of that name."""
    return decided(state, start)


def contraction_to(measured: Callable[[Any], Any]) -> Callable[[Any, Any], dict[str, Any]]:
    """Stands in for the trap of that name."""

    def trap(state: Any, start: Any) -> dict[str, Any]:
        return decided(state, start, measured)

    return trap


def contracted(start: Any, steps: int, trap: Callable[[Any, Any], dict[str, Any]] | None = None) -> Seen:
    """Stands in for the end of an orbit of that name. Raises UndecidedError where no state is caught."""
    motion, reason, found = Restless(start), "no step was tried", None
    state = motion.placed([arb.of(interval(exact_entry(value))) for value in motion.numbers()])
    for step in range(steps + 1):
        # At 0, 1, 2, 4, 8, ...: a look costs as much as many steps.
        if step == steps or (trap is None and step.bit_count() < 2):
            try:
                again, found = found is not None, (trap or decided)(state, start)
                if again:  # the second state that is caught is nearer to the limit
                    break
            except (UncaughtError, UnformalError) as error:
                reason = str(error)
        state = state.step()
    if found is None:
        raise UndecidedError(reason)
    return Seen(**found)


def is_of_any_system(trap: object) -> bool:
    """Whether a trap is given states instead of lists: one of this module, or of those about hulls and sandwiches."""
    return getattr(trap, "__module__", "") in (__name__, "dynamics.checker.hulls", "dynamics.checker.sandwich")
