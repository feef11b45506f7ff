"""Encloses the state of a flow at a time by an independent method, which needs no data but the instance.

Written apart from flint, from :mod:`dynamics.trusted` and from :mod:`dynamics.enclosures.steps`. The formula of the flow is
run once on numbers that record the operations; the record is then run on mpmath's numbers and intervals. From the point c,
which the solution is near, a step of length h goes

*proposal*    p, the Taylor polynomial of degree N of the solution from c, in multiprecision numbers, rounding ignored.
*defect*      r = p' - F(p) = sum_{k<N} r_k t^k + r_N(T) t^N by Taylor and Lagrange, T = [0, h], in intervals.
*comparison*  In the box p(T) +- tube, A bounds the logarithmic norms of the diagonal blocks of DF and the norms of the
              others. The error e = x - p has D+|e_b| <= sum_c A_bc |e_c| + |r_b| as long as it stays in the tube, hence
              |e(t)| <= exp(A t) |e(0)| + t exp(A+ t) sup |r|, block by block, A+ with no negative entry. With A+ in
              both places the bound grows with t: below the tube at h, it always was.

No norm is chosen, so no weights are: each block keeps its own bound from step to step. This is done for two partitions
into blocks at once, and the better bound is taken coordinate by coordinate.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from mpmath import iv, mp

from dynamics.checker.flows import Field, Statement, UnknownFlowError, matrix_exponential, restate
from dynamics.checker.intervals import (
    Blocks,
    Dual,
    Interval,
    Number,
    Series,
    comparison,
    interval,
    interval_exp,
    interval_precision,
    is_finite,
    is_zero,
    larger,
    norm,
    product_sum,
    residuals,
    shifted,
    symmetric,
    upper,
)
from dynamics.checker.recording import Noting, Own, Record, Restated, as_fraction, recorded, refuse_choices

BOUND_BITS = 64
"""Bounds on errors need few digits: only the defect's own coefficients, which nearly cancel, are taken to all bits."""


class CannotDecideError(ArithmeticError):
    """This method is too weak for this flow; the message says where it stopped."""


class TooLongError(CannotDecideError):
    """The steps or the seconds are used up; more bits would take more of them."""


@dataclass(frozen=True)
class Rung:
    """Bits of the numbers, degree of the polynomials, and the size of the last Taylor terms relative to the state."""

    bits: int
    degree: int
    goal: int


LADDER = (Rung(64, 14, 44), Rung(106, 20, 68), Rung(192, 36, 140), Rung(320, 56, 256))

MOST_STEPS = 400
LEAST, GROW, MOST_TRIALS = 1e-9, 1.5, 16
LOST = 2.0**-7
"""The integration gives up at errors of this size, relative to the state."""

ROOM, WASTEFUL = 8, 1e4
"""Bits by which a step's defect may add more than the last Taylor terms, and how many times this it is tried again at."""


# ---------------------------------------------------------------------------------------------------------------------
# Proposal: Taylor coefficients of the solution from a point, in multiprecision numbers


def _point(value: Interval) -> Any:
    return mp.make_mpf(value.mid.a._mpi_[0])


def proposal(record: Record, point: Sequence[Interval], degree: int) -> list[list[Any]]:
    """Rows of degree + 1 coefficients, coordinate by coordinate: those of the solution but for rounding.

    Order after order, every operation gives one more coefficient, and x' = F(x) the next ones of the inputs.
    """
    # Whatever is rounded here the defect finds again.
    rows = [[_point(value)] for value in point]
    constants = [None if constant is None else _point(constant) for *_, constant in record.operations]
    values: list[list[Any]] = [[] for _ in record.operations]
    for k in range(degree):
        for place, (kind, i, j, _) in enumerate(record.operations):
            values[place].append(
                rows[i][k] if kind == "input" else _NEXT[kind](values[i], values[j], values[place], k, constants[place])
            )
        for row, output in zip(rows, record.outputs, strict=True):
            slope = values[output][k] if isinstance(output, int) else _point(output) if k == 0 else mp.zero
            row.append(slope / (k + 1))
    return rows


def _product(x: list[Any], y: list[Any], k: int, first: int = 0) -> Any:
    """sum_{j >= first} x_j y_{k-j}, as far as there are both."""
    return mp.fsum(x[j] * y[k - j] for j in range(first, k + 1) if j < len(x) and k - j < len(y))


def _next_quotient(x: list[Any], y: list[Any], q: list[Any], k: int, c: Any) -> Any:
    return (x[k] - _product(y, q, k, 1)) / y[0]


def _next_inverse(x: list[Any], y: list[Any], q: list[Any], k: int, c: Any) -> Any:
    return 1 / x[0] if k == 0 else -_product(x, q, k, 1) / x[0]


def _next_exp(x: list[Any], y: list[Any], e: list[Any], k: int, c: Any) -> Any:
    return mp.exp(x[0]) if k == 0 else mp.fsum(j * x[j] * e[k - j] for j in range(1, k + 1)) / k


def _next_log(x: list[Any], y: list[Any], g: list[Any], k: int, c: Any) -> Any:
    return mp.log(x[0]) if k == 0 else (x[k] - mp.fsum(j * g[j] * x[k - j] for j in range(1, k)) / k) / x[0]


def _next_sqrt(x: list[Any], y: list[Any], r: list[Any], k: int, c: Any) -> Any:
    return mp.sqrt(x[0]) if k == 0 else (x[k] - mp.fsum(r[j] * r[k - j] for j in range(1, k))) / (2 * r[0])


_NEXT: dict[str, Callable[[list[Any], list[Any], list[Any], int, Any], Any]] = {
    "add": lambda x, y, z, k, c: x[k] + y[k],
    "sub": lambda x, y, z, k, c: x[k] - y[k],
    "mul": lambda x, y, z, k, c: _product(x, y, k),
    "div": _next_quotient,
    "inverse": _next_inverse,
    "scale": lambda x, y, z, k, c: x[k] * c,
    "move": lambda x, y, z, k, c: x[k] + c if k == 0 else x[k],
    "exp": _next_exp,
    "log": _next_log,
    "sqrt": _next_sqrt,
}


def _reach(rows: list[list[Any]], goal: int) -> float:
    """The length at which the last two Taylor terms are 2^-goal relative to the state."""
    length = math.inf
    for row in rows:
        scale = max(mp.one, abs(row[0]))
        # Two terms, for those of an odd or even solution vanish in turn.
        for k in (len(row) - 2, len(row) - 1):
            if row[k]:
                length = min(length, float(mp.ldexp(scale / abs(row[k]), -goal) ** (mp.one / k)))
    return length


# ---------------------------------------------------------------------------------------------------------------------
# One step


def defects(record: Record, rows: Sequence[Sequence[Interval]], length: Fraction, bits: int) -> list[Interval]:
    """Points at least |p' - F(p)| on [0, length], coordinate by coordinate, for polynomials given by their rows."""
    degree = len(rows[0]) - 1
    h = interval(length)
    # Here p' and F(p) nearly cancel, and here alone all bits are needed.
    with interval_precision(bits):
        low = residuals(record.run, rows, degree)
    around = iv.mpf([0, h.b])
    image = record.run([Series(shifted(row, around, degree + 1)) for row in rows])
    bounds = []
    for i, series in enumerate(image):
        bound, power = iv.mpf(0), iv.mpf(1)
        for value in (*low[i], series.c[degree]):
            bound += upper(value) * power
            power *= h
        bounds.append(bound.b)
    return bounds


def jacobian(record: Record, box: Sequence[Interval]) -> list[dict[int, Interval]]:
    """DF over a box, row by row, without what vanishes."""
    image = record.run([Dual(value, {i: iv.mpf(1)}) for i, value in enumerate(box)])
    return [{j: entry for j, entry in value.gradient.items() if not is_zero(entry)} for value in image]


def propagate(matrix: list[list[Interval]], h: Interval, vector: Sequence[Interval]) -> list[Interval]:
    """Points at least exp(A h) v, for a vector without negative entries and A with none off the diagonal.

    exp(A h) = e^{-c h} exp((A + c) h) with no negative entry in A + c: Taylor's series and a bound on its rest.
    """
    size = range(len(matrix))
    shift = iv.mpf(0)
    for i in size:
        shift = larger(shift, -matrix[i][i]).b
    raised = [[(matrix[i][j] + (shift if i == j else 0)) * h for j in size] for i in size]
    q = iv.mpf(0)
    for row in raised:
        q = larger(q, sum(row, iv.mpf(0))).b
    if not is_finite(q) or q > 64:
        return [iv.mpf(iv.inf) for _ in vector]  # this partition tells nothing
    term = [value.b for value in vector]
    result = list(term)
    # So many that each further term is at most half of the one before.
    terms = 2 * math.ceil(float(q.b)) + 12
    for k in range(1, terms):
        term = [(product_sum(row, term) / k).b for row in raised]
        result = [(old + new).b for old, new in zip(result, term, strict=True)]
    largest = iv.mpf(0)
    for value in term:
        largest = larger(largest, value).b
    # Every further term is at most q / terms <= 1/2 of the one before.
    rest = largest * q / (terms - q)
    return [((value + rest) * interval_exp(-shift * h)).b for value in result]


@dataclass(frozen=True)
class Near:
    """The solution is near the points: within `errors`, partition by partition and block by block."""

    points: list[Interval]
    errors: list[list[Interval]]


def _rounded(values: Sequence[Interval], errors: Sequence[Sequence[Interval]], partitions: Sequence[Blocks]) -> Near:
    """The midpoints, with the distance to them added to the errors."""
    middles = [iv.mpf(value.mid.a) for value in values]
    away = [upper(value - middle) for value, middle in zip(values, middles, strict=True)]
    return Near(middles, [_sums(known, _norms(away, blocks)) for known, blocks in zip(errors, partitions, strict=True)])


def _norms(sizes: Sequence[Interval], blocks: Blocks) -> list[Interval]:
    return [norm([sizes[i] for i in block]).b for block in blocks]


def _sums(x: Sequence[Interval], y: Sequence[Interval]) -> list[Interval]:
    return [(a + b).b for a, b in zip(x, y, strict=True)]


def single(errors: Sequence[Sequence[Interval]], partitions: Sequence[Blocks]) -> list[Interval]:
    """What the best of the partitions says of each coordinate."""
    best = [iv.mpf(iv.inf) for block in partitions[0] for _ in block]
    for known, blocks in zip(errors, partitions, strict=True):
        for error, block in zip(known, blocks, strict=True):
            for i in block:
                best[i] = min(best[i], error.b)
    return best


def step(
    record: Record,
    rows: Sequence[Sequence[Interval]],
    sizes: Sequence[Interval],
    errors: Sequence[Sequence[Interval]],
    length: Fraction,
    shape: Shape,
    parts: int = 1,
) -> Near | None:
    """Where the solution is after a time of this length, or None where this method does not hold it in any tube.

    The solution starts within `errors` of the first coefficients; `sizes` are those of the defects. In shorter parts of
    the step the growth of errors is seen more sharply.
    """
    with interval_precision(BOUND_BITS):
        carried = [list(known) for known in errors]
        for k in range(parts):
            around = symmetric(interval(length / (2 * parts)))
            middle = interval(length * (2 * k + 1) / (2 * parts))
            path = [shifted(shifted(row, middle, len(row)), around, 1)[0] for row in rows]
            following = _part(record, path, sizes, carried, interval(length / parts), shape)
            if following is None:
                return None
            carried = following
    return _rounded([shifted(row, interval(length), 1)[0] for row in rows], carried, shape.partitions)


def _part(
    record: Record,
    path: Sequence[Interval],
    sizes: Sequence[Interval],
    errors: Sequence[Sequence[Interval]],
    h: Interval,
    shape: Shape,
) -> list[list[Interval]] | None:
    """The errors after a time h in which the polynomials stay on the path, or None where no tube holds them.

    Until the error first leaves the tube, a box, the bounds of every partition hold; so it never leaves if the best of
    them is inside.
    """
    partitions = shape.partitions
    moves = [(size * h).b for size in sizes]
    added = [_norms(moves, blocks) for blocks in partitions]
    sources = [_sums(known, more) for known, more in zip(errors, added, strict=True)]
    # Wider than what must fit, for errors grow while they are in it; and coupled coordinates start from nothing.
    tube = _wider(single(sources, partitions), 4, shape.least)
    # What four tubes do not hold runs away: a shorter step is cheaper than a fifth.
    for _ in range(4):
        if not all(is_finite(value) for value in (*tube, *path)):
            return None
        derivative = jacobian(record, [value + symmetric(radius) for value, radius in zip(path, tube, strict=True)])
        if not all(is_finite(entry) for line in derivative for entry in line.values()):
            return None
        matrices = [comparison(derivative, blocks) for blocks in partitions]
        grown = [_raised(matrix) for matrix in matrices]
        reached = single([propagate(A, h, v) for A, v in zip(grown, sources, strict=True)], partitions)
        if all(bound < radius for bound, radius in zip(reached, tube, strict=True)):
            # At the end errors may have shrunk; what is added on the way comes too late to shrink as much.
            final = [
                _sums(propagate(A, h, known), propagate(B, h, more))
                for A, B, known, more in zip(matrices, grown, errors, added, strict=True)
            ]
            best = single(final, partitions)
            # What one partition says of single coordinates sharpens the other.
            return [
                [min(bound, other) for bound, other in zip(known, _norms(best, blocks), strict=True)]
                for known, blocks in zip(final, partitions, strict=True)
            ]
        tube = _wider(reached, 2, shape.least)
    return None


def _raised(matrix: list[list[Interval]]) -> list[list[Interval]]:
    return [[larger(entry, iv.mpf(0)).b for entry in line] for line in matrix]


def _wider(radii: Sequence[Interval], factor: int, least: Interval) -> list[Interval]:
    """Wider radii; none a small part of the largest, for errors that couple in."""
    largest = least
    for radius in radii:
        largest = larger(largest, radius).b
    return [(factor * radius + largest / 4).b for radius in radii]


@dataclass(frozen=True)
class Shape:
    """What stays the same from step to step: the rung, the least width of a tube, and how fields are recorded.

    Each partition of the coordinates gives bounds of its own: one may be sharp where another is not.
    """

    partitions: list[Blocks]
    rung: Rung
    least: Interval
    kind: type[Noting]


# ---------------------------------------------------------------------------------------------------------------------
# From the start to a time


def enclosures(
    statement: Statement,
    times: Sequence[Fraction],
    rung: Rung,
    most_steps: int = MOST_STEPS,
    seconds: float = math.inf,
    kind: type[Noting] = Restated,
    start: Sequence[Interval] | None = None,
) -> list[list[Interval]]:
    """Intervals that contain each coordinate of the solution, at each of some exact times.

    It begins at the statement's start, or anywhere in the intervals `start`.
    Raises CannotDecideError, saying where, when steps become too short, too many or too slow, ValueError unless the times
    are positive and grow.
    """
    if any(late <= early for early, late in pairwise([Fraction(0), *times])):
        raise ValueError("times must be positive and grow")
    until = clock.process_time() + seconds
    found = []
    with interval_precision(rung.bits), mp.workprec(rung.bits):
        begin = [interval(value) for value in statement.start] if start is None else list(start)
        partitions = _partitions(statement, begin, kind)
        shape = Shape(partitions, rung, iv.mpf(2) ** -(rung.bits - 8), kind)
        near = _rounded(begin, [[iv.mpf(0) for _ in blocks] for blocks in partitions], partitions)
        now, pace, steps = Fraction(0), _Pace(), 0
        for time in times:
            while now < time:
                if steps == most_steps or clock.process_time() > until:
                    spent = f"{steps} steps" if steps == most_steps else f"{seconds:.3g} seconds of computing"
                    raise TooLongError(f"{spent} reached only t = {float(now):.6g} of {float(times[-1]):.6g}")
                near, length = _advance(statement.field, near, now, time - now, pace, shape)
                now, steps = now + length, steps + 1
                # No further step brings such errors back: more bits are needed.
                for point, radius in zip(near.points, single(near.errors, partitions), strict=True):
                    if not radius < LOST * larger(upper(point), iv.mpf(1)).b:
                        raise CannotDecideError(f"errors have grown to {float(radius):.2g} at t = {float(now):.6g}")
            radii = single(near.errors, partitions)
            found.append([point + symmetric(radius) for point, radius in zip(near.points, radii, strict=True)])
    return found


def _recorded_at(formula: Field, point: Sequence[Interval], now: Fraction, kind: type[Noting]) -> Record:
    """:func:`recorded`, or CannotDecideError where the field has no value or does something that is not noted."""
    try:
        if kind is Own:
            # Another turn at every step, and the same in every run.
            refuse_choices(formula, point, now.numerator % 997)
        return recorded(formula, point, kind)
    except (ZeroDivisionError, ValueError) as pole:
        raise CannotDecideError(f"the field is not analytic at t = {float(now):.6g}: {pole}") from None
    except (AttributeError, TypeError) as unknown:
        raise CannotDecideError(f"the field cannot be recorded: {unknown}") from None


def _partitions(statement: Statement, point: Sequence[Interval], kind: type[Noting]) -> list[Blocks]:
    """The blocks as stated, and with all coordinates together that move one another: best for gradient flows.

    Coordinates that move no other stand alone in the second.
    """
    derivative = jacobian(_recorded_at(statement.field, point, Fraction(0), kind), point)
    movers = sorted({j for i, line in enumerate(derivative) for j in line if j != i})
    links: dict[int, set[int]] = {i: {i} for i in range(len(point))}
    for i, line in enumerate(derivative):
        for j in line:
            if i in movers and j in movers and links[i] is not links[j]:
                links[i] |= links[j]
                for k in links[j]:
                    links[k] = links[i]
    together = sorted({tuple(sorted(group)) for group in links.values()})
    stated: Blocks = [tuple(block) for block in statement.blocks]
    return [stated] if together == stated else [stated, together]


@dataclass
class _Pace:
    """How long steps are: this part of what the Taylor terms suggest, and at most so long; and in how many parts."""

    part: float = 0.9
    longest: float = math.inf
    parts: int = 1

    def adapt(self, before: Near, after: Near) -> None:
        """More parts where errors grew much."""
        old, new = (max((float(e) for known in near.errors[:1] for e in known), default=0.0) for near in (before, after))
        # The two thresholds are apart, or the number of parts would swing.
        if old > 0:
            self.parts = (
                min(8, 2 * self.parts) if new > 4 * old else max(1, self.parts // 2) if new < 2 * old else self.parts
            )


def _advance(
    formula: Field, near: Near, now: Fraction, remaining: Fraction, pace: _Pace, shape: Shape
) -> tuple[Near, Fraction]:
    rung = shape.rung
    record = _recorded_at(formula, near.points, now, shape.kind)
    try:
        proposed = proposal(record, near.points, rung.degree)
    except ZeroDivisionError:
        raise CannotDecideError(f"the field is not analytic at t = {float(now):.6g}") from None
    rows = [[iv.mpf(value) for value in row] for row in proposed]
    length = min(remaining, _dyadic(min(pace.part * _reach(proposed, rung.goal), pace.longest)))
    for _ in range(MOST_TRIALS):
        if length < LEAST * remaining:
            break
        try:
            sizes = defects(record, rows, length, rung.bits)
            excess = _excess(sizes, rows, length, rung.goal)
            # A defect far beyond the goal is not worth a tube.
            if excess < WASTEFUL:
                after = step(record, rows, sizes, near.errors, length, shape, pace.parts)
                if after is not None:
                    # A last step that is cut short tells nothing of the length that would do.
                    if length < remaining or excess > 1:
                        pace.part *= min(1.2, max(0.7, (excess + 1e-30) ** (-1 / rung.degree)))
                    pace.longest = GROW * float(length)
                    pace.adapt(near, after)
                    return after, length
                # Parts first: the polynomial is there already, a shorter step needs its defects anew.
                if pace.parts < 8:
                    pace.parts *= 2
                else:
                    length /= 2
                continue
        except (ZeroDivisionError, ValueError):  # a pole inside the tube
            excess = math.inf
        # The last term grows like the length to the power of the degree.
        factor = max(0.3, 0.9 * min(excess, 1e300) ** (-1 / rung.degree))
        pace.part *= factor
        length = _dyadic(float(length) * factor)
    raise CannotDecideError(f"no step holds the solution at t = {float(now):.6g}")


def _excess(sizes: Sequence[Interval], rows: Sequence[Sequence[Interval]], length: Fraction, goal: int) -> float:
    """What the defects add to the error, in units of what a step may add, relative to the state."""
    most = iv.mpf(0)
    with interval_precision(BOUND_BITS):
        for size, row in zip(sizes, rows, strict=True):
            most = larger(most, size * interval(length) / larger(upper(row[0]), iv.mpf(1)))
        most = most * iv.mpf(2) ** (goal - ROOM)
    return float(most.b) if most < 1e300 else math.inf


def _dyadic(value: float) -> Fraction:
    """A short dyadic number just below a positive float."""
    if not value < 2.0**60:
        return Fraction(1 << 60)
    # Few bits, so that times stay short Fractions.
    unit = Fraction(2) ** (math.frexp(value)[1] - 5)
    return max(Fraction(value) // unit, 1) * unit


# ---------------------------------------------------------------------------------------------------------------------
# Flows


def statement_of(flow: Any) -> tuple[Statement, type[Noting]]:
    """The flow of an instance: as the checker states it, else by the flow's own formula.

    Also the kind of number that its field is recorded with. The flow's own formula needs the stand-in for flint.
    """
    arrays = {key: _fractions(array.tolist()) for key, array in flow.arrays().items()}
    try:
        return restate(_name(flow), arrays), Restated
    except UnknownFlowError:
        start = [as_fraction(entry) for part in flow.moving for entry in getattr(flow, part).flat]

        def field(state: Sequence[Number]) -> list[Number]:
            return [entry for array in flow.with_state(state).velocity() for entry in np.asarray(array).flat]

        return Statement(start, flow.blocks(), {}, field), Own


def _name(flow: Any) -> str:
    """The name of one of the suite's flows; empty for a user's own, which may have the same."""
    return type(flow).__name__ if type(flow).__module__.startswith("dynamics.") else ""


def _fractions(value: Any) -> Any:
    return [_fractions(entry) for entry in value] if isinstance(value, list) else as_fraction(value)


def states_at(
    flow: Any, times: Sequence[Fraction], rung: Rung, most_steps: int = MOST_STEPS, seconds: float = math.inf
) -> list[list[Interval]]:
    """Intervals that contain each coordinate of the flow's state, at each of some growing exact times of its clock.

    Raises as :func:`enclosures` does.
    """
    if _name(flow) == "RescaledFlow":
        return _rescaled_at(flow, times, rung, most_steps, seconds)
    statement, kind = statement_of(flow)
    return enclosures(statement, times, rung, most_steps, seconds, kind)


def _rescaled_at(flow: Any, times: Sequence[Fraction], rung: Rung, most_steps: int, seconds: float) -> list[list[Interval]]:
    """z = e^{-tV} x from the tokens x, in the same clock."""
    data = {key: _fractions(array.tolist()) for key, array in flow.arrays().items()}
    V, z, begin = data["V"], [entry for token in data["z"] for entry in token], data["t"]
    # The tokens x move without a clock: no e^{tV} in the field, which would be squared and multiplied at every operation.
    tokens = restate("SelfAttentionFlow", {"x": data["z"], "B": data["B"], "V": V})
    with interval_precision(rung.bits):
        start = _mapped(V, begin, [interval(value) for value in z])
    states = []
    for time, x in zip(times, enclosures(tokens, times, rung, most_steps, seconds, start=start), strict=True):
        with interval_precision(rung.bits):
            states.append([*_mapped(V, -begin - time, x), interval(begin + time)])
    return states


def _mapped(V: list[list[Fraction]], time: Fraction, tokens: Sequence[Interval]) -> list[Interval]:
    d = len(V)
    growth = matrix_exponential(V, interval(time))
    return [product_sum(growth[k], tokens[i : i + d]) for i in range(0, len(tokens), d) for k in range(d)]
