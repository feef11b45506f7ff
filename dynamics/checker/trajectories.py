"""A slow checker of trajectory certificates, independent of the code that made them.

It reads exact data (:mod:`dynamics.checker.trajectory_format`), knows the flows by its own statement of them
(:mod:`dynamics.checker.flows`) and computes with mpmath's intervals (:mod:`dynamics.checker.intervals`): nothing of flint,
of `dynamics.trusted` or of the formulas of the flows is used. The method differs as well. A step [0, h] is cut into equal
pieces, finer and finer. On each piece [a, b] around its middle c, with e = x - p,

*defect*    r = p' - F(p) is sum_{k<N} r_k(c) (t - c)^k + r_N(T) (t - c)^N by Taylor and Lagrange, T = [a, b].
*growth*    M bounds the logarithmic norm of DF over the stated tube, a little widened, from dual numbers: largest
            eigenvalues of the symmetric diagonal blocks, proved by elimination, and spectral norms of the others.
*marching*  |e(b)| <= |e(a)| exp(M s) + s sup|r| exp(max(M, 0) s), s = b - a, for as long as x stays in the tube; with
            max(M, 0) throughout, the bound is convex in time, so that below error + t slope at both ends of the piece it is
            so in between. Hence x never reaches the edge of the widened tube.

Where that fails, the stated bounds may be certainly false, which is tested as well: along coordinate i,
e_i(t) = e_i(0) - int r_i + int (F_i(x) - F_i(p)), the last at most int sum_j sup|DF_ij| w_j |e|. If for e_i(0) = 0 or
+-w_i start, or +-box_i if that is less, the stated bound is then exceeded, no solution that starts there can satisfy it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from mpmath import iv

from dynamics.checker.answers import Answer, Verdict
from dynamics.checker.flows import Statement, UnknownFlowError, restate
from dynamics.checker.intervals import (
    Dual,
    Interval,
    Series,
    at_most,
    comparison,
    interval,
    interval_exp,
    interval_precision,
    is_finite,
    larger,
    lower,
    norm,
    residuals,
    shifted,
    symmetric,
    upper,
)
from dynamics.checker.trajectory_format import Certificate, CertificateError, StepRecord, load

REFINEMENTS = ((4, 12), (16, 10), (64, 8), (256, 6))
"""Numbers of pieces of a step, each with the order of Taylor's formula on a piece for 64 bits, tried in turn."""

WIDENING = Fraction(1, 1 << 10)
"""How much wider than stated the tube is over which growth is bounded, relative to its size."""


MOST_BITS = 512
"""Beyond this the precision of a certificate does not raise that of the checker."""


def check_trajectory(source: str | Path | dict[str, Any], finest: int = 64) -> Answer:
    """Whether what a certificate states is true, with steps cut into at most `finest` pieces.

    `source` is a file, or its data as `json` reads them. Raises CertificateError, naming the field, for data that are no
    certificate, OSError where there is no such file.
    """
    certificate = load(source)
    try:
        statement = restate(certificate.system, certificate.instance)
    except UnknownFlowError as error:
        return Answer(Verdict.CANNOT_DECIDE, str(error))
    except ValueError as error:
        raise CertificateError(str(error)) from None
    broken = _structure(certificate, statement)
    # Exact and cheap; no step is worth integrating in a chain that does not hang together.
    if broken:
        return broken
    for k, step in enumerate(certificate.steps):
        verdict, reason = _step(statement, step, certificate.bits, finest)
        if verdict is not Verdict.CONFIRMED:
            return Answer(verdict, reason, k)
    count = len(certificate.decided)
    unread = f"; {count} recorded verdict{'s were' if count > 1 else ' was'} not examined" if count else ""
    steps = f"{len(certificate.steps)} step{'s' * (len(certificate.steps) > 1)}"
    return Answer(Verdict.CONFIRMED, f"{steps} to t = {certificate.horizon}{unread}")


# ---------------------------------------------------------------------------------------------------------------------
# Structure: in exact rationals


def _structure(certificate: Certificate, statement: Statement) -> Answer | None:
    """What is false about times, blocks, weights, clocks, starts and hand-overs, or None."""

    def no(reason: str, step: int | None = None) -> Answer:
        return Answer(Verdict.NOT_CONFIRMED, reason, step)

    times, steps = certificate.times, certificate.steps
    if not steps or len(times) != len(steps) + 1:
        return no("times must be one more than the steps, of which there must be one")
    if times[0] != 0 or times[-1] != certificate.horizon:
        return no("times do not run from 0 to the horizon")
    if certificate.blocks != statement.blocks:
        return no(f"blocks must be {[[block.start, block.stop] for block in statement.blocks]}")
    for k, step in enumerate(steps):
        if times[k] + step.length != times[k + 1]:
            return no("the length is not that of the time between", k)
        if len(step.polynomials) != len(statement.start) or len(step.weights) != len(statement.blocks):
            return no("the numbers of polynomials and weights do not fit the system", k)
        if step.box is not None and len(step.box) != len(statement.start):
            return no("the sides of the box do not fit the system", k)
        for weight, block in zip(step.weights, statement.blocks, strict=True):
            # Errors are bounded in norm; only a clock may be stated to be exact, and it must then be so.
            if weight > 0:
                if statement.time in block:
                    return no("the time must be a clock, of weight 0", k)
                continue
            for i in block:
                if i not in statement.clocks:
                    return no(f"coordinate {i} has weight 0 but is no clock", k)
                row, speed = step.polynomials[i], statement.clocks[i]
                if row[0] != statement.start[i] + speed * times[k] or _degree_one(row) != speed:
                    return no(f"the clock {i} does not run exactly", k)
        reached = statement.start if k == 0 else [_value(row, steps[k - 1].length) for row in steps[k - 1].polynomials]
        for b, block in enumerate(statement.blocks):
            misses = [abs(reached[i] - step.polynomials[i][0]) for i in block]
            reach = steps[k - 1].weights[b] * steps[k - 1].final if k else Fraction(0)
            # A triangle: as far as the last step may end, and its polynomial from the next one.
            room = step.weights[b] * step.start - reach
            if room < 0 or sum(miss**2 for miss in misses) > room**2:
                return no(f"the start of block {b} is farther from what was reached before than stated", k)
            if step.box is not None and any(miss + reach > step.box[i] for miss, i in zip(misses, block, strict=True)):
                return no(f"what was reached before in block {b} is not in the box of starts", k)
    return None


def _degree_one(row: Sequence[Fraction]) -> Fraction | None:
    return None if any(row[2:]) else row[1] if len(row) > 1 else Fraction(0)


def _value(row: Sequence[Fraction], t: Fraction) -> Fraction:
    result = Fraction(0)
    for value in reversed(row):
        result = result * t + value
    return result


# ---------------------------------------------------------------------------------------------------------------------
# One step


@dataclass(frozen=True)
class _Piece:
    """Bounds on a piece [begin, begin + length] of a step; `moves` are the integrals of the defects."""

    begin: Fraction
    length: Fraction
    defect: Interval
    moves: list[Interval]
    growth: Interval
    couplings: list[Interval]


def _step(statement: Statement, step: StepRecord, bits: int, finest: int) -> tuple[Verdict, str]:
    if step.error < step.start and step.box is None:
        return Verdict.NOT_CONFIRMED, "the error at the start is below that from which the step starts"
    reason = "no number of pieces was allowed"
    precision = min(bits, MOST_BITS)
    for count, base in REFINEMENTS:
        if count > finest:
            break
        # Coarse pieces need a high order, fine ones few terms; more bits need more of both.
        order = base * max(precision, 64) // 64
        # Twice the bits, for p' and F(p) agree to as many as the certificate's own numbers have.
        with interval_precision(2 * precision + 64):
            pieces = [_piece(statement, step, step.length * k / count, step.length / count, order) for k in range(count)]
            reason = _march(step, pieces)
            if not reason:
                return Verdict.CONFIRMED, ""
            # Only what is certainly false is refuted: else finer pieces may still show it.
            false = _refuted(statement, step, pieces)
            if false:
                return Verdict.NOT_CONFIRMED, false
    return Verdict.CANNOT_DECIDE, reason


def _piece(statement: Statement, step: StepRecord, begin: Fraction, length: Fraction, order: int) -> _Piece:
    middle, radius = interval(begin + length / 2), interval(length / 2)
    around = symmetric(radius)
    size, weights = len(statement.start), _weights(statement, step)
    centered = [shifted([interval(value) for value in row], middle, max(len(row), order + 2)) for row in step.polynomials]
    spread = [shifted(row, around, order + 2) for row in centered]
    at_middle = residuals(statement.field, centered, order)
    over_piece = residuals(statement.field, spread, order + 1)
    sizes, moves = [], []
    for i in range(size):
        bound, move, power = iv.mpf(0), iv.mpf(0), iv.mpf(1)
        for k in range(order):
            bound += upper(at_middle[i][k]) * power
            power *= radius
            # Around the middle odd powers integrate to 0.
            if k % 2 == 0:
                move += 2 * at_middle[i][k] * power / (k + 1)
        last = upper(over_piece[i][order]) * power
        sizes.append((bound + last).b)
        moves.append(move + symmetric(2 * last * radius))
    defect = iv.mpf(0)
    for b, block in enumerate(statement.blocks):
        if step.weights[b] > 0:
            defect = larger(defect, norm([sizes[i] for i in block]) / interval(step.weights[b]))
    # The stated tube where it is widest on the piece, and a little wider: to leave it a solution would have to cross that.
    reach = interval((step.error + step.slope * (begin + length)) * (1 + WIDENING)) + iv.mpf(2) ** -iv.prec
    tube = [symmetric(interval(weight) * reach) for weight in weights]
    derivative = _jacobian(statement, tube, weights, centered, spread, around)
    couplings = [sum((upper(value) * interval(weights[j]) for j, value in row.items()), iv.mpf(0)) for row in derivative]
    return _Piece(begin, length, defect.b, moves, _growth(statement, step, derivative), couplings)


def _weights(statement: Statement, step: StepRecord) -> list[Fraction]:
    return [weight for weight, block in zip(step.weights, statement.blocks, strict=True) for _ in block]


def _jacobian(
    statement: Statement,
    tube: list[Interval],
    weights: list[Fraction],
    centered: list[list[Interval]],
    spread: list[list[Interval]],
    around: Interval,
) -> list[dict[int, Interval]]:
    """DF at p(t) + e on a piece, e in the tube, row by row, in the coordinates that carry errors.

    For each e it is DF(p(c) + e) + (t - c) d/dt DF(p + e) at some time of the piece.
    """
    at_middle, over_piece = (
        statement.field(
            [
                Dual(
                    Series([row[0] + tube[i], *row[1:length]]),
                    {i: Series([iv.mpf(1), *[iv.mpf(0)] * (length - 1)])} if weights[i] > 0 else {},
                )
                for i, row in enumerate(rows)
            ]
        )
        for rows, length in ((centered, 1), (spread, 2))
    )
    nothing = Series([iv.mpf(0)] * 2)
    return [
        {
            j: still.gradient.get(j, nothing).c[0] + moving.gradient.get(j, nothing).c[1] * around
            for j in still.gradient.keys() | moving.gradient.keys()
        }
        for still, moving in zip(at_middle, over_piece, strict=True)
    ]


def _growth(statement: Statement, step: StepRecord, derivative: list[dict[int, Interval]]) -> Interval:
    """A point at least the logarithmic norm in max_b |e_b| / w_b; minus infinity for clocks alone."""
    counted = [(tuple(block), weight) for block, weight in zip(statement.blocks, step.weights, strict=True) if weight > 0]
    matrix = comparison(derivative, [block for block, _ in counted])
    growth = iv.mpf(-iv.inf)
    # In max_b |e_b| / w_b each row of blocks bounds the growth by its sum.
    for k, (_, weight) in enumerate(counted):
        row = sum((matrix[k][j] * interval(other / weight) for j, (_, other) in enumerate(counted)), iv.mpf(0))
        growth = larger(growth, row.b)
    return growth.b


def _swollen(piece: _Piece, error: Interval, time: Interval) -> Interval:
    """A bound that is convex in time, `time` after the piece begins with an error."""
    growth = interval_exp(larger(piece.growth, iv.mpf(0)) * time)
    return ((error + piece.defect * time) * growth).b


def _after(piece: _Piece, error: Interval) -> Interval:
    time = interval(piece.length)
    moved = piece.defect * time * interval_exp(larger(piece.growth, iv.mpf(0)) * time)
    return (error * interval_exp(piece.growth * time) + moved).b


def _march(step: StepRecord, pieces: Sequence[_Piece]) -> str:
    """Why the stated bounds do not follow from these pieces, or nothing."""
    error = interval(step.start).b
    for k, piece in enumerate(pieces):
        place = f"piece {k + 1} of {len(pieces)}"
        if not (is_finite(piece.defect) and piece.growth < iv.inf):
            return f"no finite bounds on {place}"
        time = interval(piece.length)
        begin, end = piece.begin, piece.begin + piece.length
        if not at_most(error, interval(step.error + step.slope * begin)):
            return f"error + t slope is not seen to hold where {place} begins"
        # Convex in time and below a line at both ends: below it in between.
        if not at_most(_swollen(piece, error, time), interval(step.error + step.slope * end)):
            return f"error + t slope is not seen to hold on {place}"
        error = _after(piece, error)
    return "" if at_most(error, interval(step.final)) else "final is not seen to hold"


def _refuted(statement: Statement, step: StepRecord, pieces: Sequence[_Piece]) -> str:
    """What stated bound is false for certain, or nothing."""
    weights = _weights(statement, step)
    # From the middle of the starts and from both ends of each coordinate: one solution that leaves its bound refutes it.
    for sign in (0, 1, -1):
        moves = [iv.mpf(0)] * len(weights)
        drifts = [iv.mpf(0)] * len(weights)
        error = interval(abs(sign) * step.start)
        for k, piece in enumerate(pieces):
            time, end = interval(piece.length), piece.begin + piece.length
            stated = step.error + step.slope * end
            reach, derived = interval(stated).b, _swollen(piece, error, time)
            error = _after(piece, error)
            # Were the statement true both would bound the error: so the smaller may be used against it.
            reach = min(reach, derived)
            last = step.final if end == step.length else stated
            for i, weight in enumerate(weights):
                moves[i] += piece.moves[i]
                drifts[i] += piece.couplings[i] * time * reach
                if weight > 0 and is_finite(moves[i]) and is_finite(drifts[i]):
                    begins = weight * step.start if step.box is None else min(weight * step.start, step.box[i])
                    least = lower(sign * interval(begins) - moves[i]) - drifts[i]
                    if least.a > interval(weight * min(last, stated)).b:
                        return f"coordinate {i} leaves its bound on piece {k + 1} of {len(pieces)}"
    return ""
