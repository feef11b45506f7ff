"""The certified step: a polynomial that nearly solves x' = F(x), and a bound on its distance to the solution.

Written out with its hypotheses in docs/certified_trajectories.md; in short, on [0, h], with polynomials p,

*defect*    r(t) = p'(t) - F(p(t)). With G(t) = F(p(t)), Taylor's theorem with Lagrange's remainder gives, around c = h/2,
            G(t) = sum_{k<N} G^[k](c) (t - c)^k + G^[N](xi) (t - c)^N, one xi in [0, h] per coordinate, and G^[N] over
            [0, h] is the N-th coefficient of F(p(T + .)) for the ball T = [0, h].
*growth*    coordinates fall into blocks b (tokens, or single numbers) with weights w_b; |e| = max_b |e_b| / w_b with the
            Euclidean norm in each block. Let M bound the logarithmic norm of DF over a box that contains p +- e with
            |e| <= E on a part of the step. As long as |x - p| <= E, Dahlquist's inequality D+|x - p| <= M |x - p| + |r|
            holds there (the box is convex). From part to part this gives |x - p| <= (|x(0) - p(0)| + t sup|r|) G with
            G = prod exp(max(M, 0) h_part), and at the end a bound that keeps the contraction where M < 0.
*tube*      if that bound at h is below E, the solution exists on [0, h] and never leaves the tube: at the first time it
            would, the bound holds and contradicts it.

Where the logarithmic norm is too weak there is the textbook step: an a priori box and Lagrange's remainder.

Every number here is a ball (flint.arb) or an exact rational. A pole gives a non-finite ball, which no test accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import flint
from flint import arb, arb_poly, arb_series, fmpq

Rows = list[list[arb]]
"""`rows[i][k]` is, or encloses, the k-th Taylor coefficient of entry i."""

SeriesMap = Callable[[list[Any]], Sequence[Any]]
"""A formula from the coordinates of the state to numbers, evaluated on power series of balls, or on balls."""


Blocks = Sequence[range]
"""Consecutive ranges of coordinates that together are all of them."""


class Bounds(Protocol):
    """The two bounds a step rests on, where a field has sharper ones than its formula gives in general."""

    def defect(self, polynomials: Rows, h: fmpq, order: int) -> list[arb]:
        """Upper bounds, one per coordinate, of |p'(t) - F(p(t))| over [0, h]."""

    def growth(self, polynomials: Rows, begin: fmpq, end: fmpq, weights: Sequence[arb], width: arb, blocks: Blocks) -> arb:
        """A ball at least the logarithmic norm of DF at p(t) + e, for t in [begin, end] and |e_b| <= w_b width.

        Infinite in blocks it does not know.
        """


@dataclass(frozen=True)
class CertifiedStep:
    """On [0, length]: |x_b(t) - p_b(t)| <= weights[i] (error + t slope) for each block b and i in b.

    At the end the bound is weights[i] `final`. All this from |x_b(0) - p_b(0)| <= weights[i] `start` or, where a box of
    `starts` is given, only from x(0) in that box.
    """

    polynomials: Rows
    length: fmpq
    weights: list[arb]
    error: arb
    slope: arb
    final: arb
    start: arb
    method: str = "logarithmic norm"
    blocks: Blocks | None = None
    starts: list[arb] | None = None


def coefficient(value: object, k: int) -> arb:
    """The k-th coefficient of a power series, or of a constant. Raises ValueError beyond what the series knows."""
    if isinstance(value, arb_series):
        # Beyond its length flint answers 0, which is no coefficient of anything: a remainder of 0 would certify all.
        if k >= value.prec:
            raise ValueError(f"a series of length {value.prec} has no known coefficient {k}")
        return value[k]
    if isinstance(value, fmpq | arb | int):
        return arb(value) if k == 0 else arb(0)
    raise TypeError(f"{type(value).__name__} is no power series of balls")


def evaluate(row: Sequence[arb], t: arb) -> arb:
    """sum_k row[k] t^k by Horner's rule, for a ball t."""
    total = arb(0)
    for value in reversed(row):
        total = total * t + value
    return total


def span(low: fmpq, high: fmpq) -> arb:
    """A ball that contains the interval [low, high]."""
    return arb(low).union(arb(high))


def upper(value: arb) -> arb:
    """An exact number at least every |x| of the ball; infinite when the ball is."""
    return value.abs_upper()


def euclidean(values: Sequence[arb]) -> arb:
    """A ball that contains a number at least the Euclidean norm of every member of a vector of balls."""
    if len(values) == 1:
        return upper(values[0])
    total = arb(0)
    for value in values:
        # Upper ends first: a ball around 0 squared as a ball has a lower end below 0, and the root of that is NaN.
        total += upper(value) * upper(value)
    return total.sqrt()


def largest_size(values: Sequence[arb]) -> arb:
    """A ball at least as large as each of the given ones."""
    total = values[0]
    for value in values[1:]:
        total = total.max(value)
    return total


def series_at(row: Sequence[arb], t: arb, length: int) -> arb_series:
    """The power series of the polynomial around t (a point, or a ball of points), to `length` coefficients."""
    # flint cuts silently at its global cap: coefficients that were cut would be read as zeros.
    if flint.ctx.cap < length:
        raise ValueError(f"series are cut at length {flint.ctx.cap}: length {length} is impossible")
    shifted = arb_poly(list(row))(arb_poly([t, 1]))
    return arb_series(shifted, length)


def expansion(
    formula: SeriesMap, polynomials: Rows, low: fmpq, high: fmpq, center: fmpq, order: int, pieces: int = 1
) -> Rows:
    """Rows c with formula(p(t)) = sum_{k<=order} c_k (t - center)^k for each t in [low, high], which holds the center.

    The last coefficient is a ball over the whole interval, taken as the hull of those over equal pieces of it.
    """
    at_center = formula([series_at(row, arb(center), order + 1) for row in polynomials])
    rows = [[coefficient(point, k) for k in range(order)] for point in at_center]
    width = (high - low) / pieces
    for piece in range(pieces):
        times = span(low + piece * width, low + (piece + 1) * width)
        on_piece = formula([series_at(row, times, order + 1) for row in polynomials])
        for row, ball in zip(rows, on_piece, strict=True):
            # Only the last coefficient has to hold on all of the interval: it is Lagrange's G^[N](xi), the others are at
            # the center.
            last = coefficient(ball, order)
            row[order:] = [last.union(row[order]) if piece else last]
    return rows


def defect(field: SeriesMap, polynomials: Rows, h: fmpq, order: int, pieces: int = 1) -> list[arb]:
    """Upper bounds, one per coordinate, of |p'(t) - F(p(t))| over [0, h]."""
    bounds = []
    center = h / 2
    for row, image in zip(polynomials, expansion(field, polynomials, fmpq(0), h, center, order, pieces), strict=True):
        # Around the center |t - c| is at most h/2: the last term is 2^-N of what it would be around 0.
        shifted = arb_poly(list(row))(arb_poly([arb(center), 1])).coeffs()
        derivative = [(k + 1) * value for k, value in enumerate(shifted[1:])]
        length = max(len(derivative), len(image))
        bound = arb(0)
        for k in range(length):
            difference = (derivative[k] if k < len(derivative) else arb(0)) - (image[k] if k < len(image) else arb(0))
            # Term by term: of polynomials the triangle inequality, of the last coefficient all that Lagrange's remainder
            # is.
            bound += upper(difference) * arb(h / 2) ** k
        bounds.append(upper(bound))
    return bounds


def jacobian_over_box(formula: SeriesMap, box: Sequence[arb]) -> Rows:
    """Enclosures over the box of the derivative of each number in each coordinate, as rows [number][coordinate]."""
    own: Callable[[Sequence[arb]], Rows] | None = getattr(formula, "jacobian", None)
    if own is not None:  # a straight line knows its derivative
        return own(box)
    columns = []
    for j in range(len(box)):
        perturbed = [arb_series([value, 1 if i == j else 0], 2) for i, value in enumerate(box)]
        columns.append([coefficient(value, 1) for value in formula(perturbed)])
    return [list(row) for row in zip(*columns, strict=True)]


def symmetric_norm(matrix: Rows) -> arb:
    """A ball at least the largest eigenvalue of the symmetric part B, for every member of a square matrix of balls.

    The smaller of Gershgorin's bound and, with m the mean of the k diagonal entries, m + sqrt((k - 1)/k |B - m I|_F^2):
    the trace bound, exact for k = 2 and for multiples of I plus a matrix of rank one.
    """
    size = len(matrix)
    if size == 1:
        return matrix[0][0]
    mean = arb(0)
    for i in range(size):
        mean += matrix[i][i] / size
    rows, squares = [], arb(0)
    for i in range(size):
        total = matrix[i][i]
        squares += upper(matrix[i][i] - mean) ** 2
        for j in range(size):
            if j != i:
                entry = upper((matrix[i][j] + matrix[j][i]) / 2)
                total += entry
                squares += entry**2
        rows.append(total)
    # Both hold for every member, so the smaller does: flint's min encloses the minimum of the two.
    return largest_size(rows).min(mean + (squares * (size - 1) / size).sqrt())


def operator_norm(matrix: Rows) -> arb:
    """A ball at least |A|_2 for every member of a matrix of balls: the smaller of |A|_F and sqrt(|A|_1 |A|_inf)."""
    if len(matrix) == len(matrix[0]) == 1:
        return upper(matrix[0][0])
    columns = list(zip(*matrix, strict=True))
    # Two bounds, neither of which is always the better: the first is sharp for rank one, the second for the identity.
    frobenius = euclidean([value for row in matrix for value in row])
    sums = [largest_size([sum((upper(value) for value in line), arb(0)) for line in lines]) for lines in (matrix, columns)]
    return frobenius.min((sums[0] * sums[1]).sqrt())


def logarithmic_norm(derivative: Rows, weights: Sequence[arb], blocks: Blocks) -> arb:
    """A ball at least the logarithmic norm in max_b |e_b| / w_b: max_b mu_2(J_bb) + sum_{c != b} |J_bc|_2 w_c / w_b.

    Coordinates of weight 0 carry no error and do not count.
    """
    rows = []
    # A weight of 0 would divide by 0: such a coordinate is a clock, whose error is none and stays none.
    counted = [block for block in blocks if not weights[block.start].is_zero()]
    for block in counted:
        total = symmetric_norm([[derivative[i][j] for j in block] for i in block])
        for other in counted:
            if other != block:
                coupling = operator_norm([[derivative[i][j] for j in other] for i in block])
                total += coupling * weights[other.start] / weights[block.start]
        rows.append(total)
    return largest_size(rows) if rows else arb(0)


def tube_around(polynomials: Rows, begin: fmpq, end: fmpq, weights: Sequence[arb], width: arb) -> list[arb]:
    """A box that contains p(t) + e for every t in [begin, end] and |e_i| <= w_i width."""
    middle, half = (begin + end) / 2, span((begin - end) / 2, (end - begin) / 2)
    box = []
    for row, weight in zip(polynomials, weights, strict=True):
        # Around the middle of the part: a ball [begin, end] put into powers of t would forget that all are of one t.
        around_middle = arb_poly(list(row))(arb_poly([arb(middle), 1]))
        box.append(evaluate(around_middle.coeffs() or [arb(0)], half) + weight * arb(0, upper(width)))
    return box


def are_weights(weights: Sequence[arb], blocks: Blocks) -> bool:
    """Whether these are exact, finite, nonnegative weights, equal within blocks that partition the coordinates in order."""
    # In order and each once: a coordinate in no block would carry an error that nothing bounds.
    if [i for block in blocks for i in block] != list(range(len(weights))):
        return False
    if not all(weight.is_exact() and weight.is_finite() and weight >= 0 for weight in weights):
        return False
    return all(weights[i] == weights[block.start] for block in blocks for i in block)


def relative_size(sizes: Sequence[arb], weights: Sequence[arb], blocks: Blocks) -> arb:
    """A ball at least max_b |v_b| / w_b over the blocks that carry errors, for vectors v with |v_i| at most the sizes."""
    norms = [
        euclidean([sizes[i] for i in block]) / weights[block.start]
        for block in blocks
        if not weights[block.start].is_zero()
    ]
    return largest_size(norms) if norms else arb(0)


def are_clocks(field: SeriesMap, polynomials: Rows, coordinates: Sequence[int]) -> bool:
    """Whether each of the coordinates moves at an exact constant speed, the same for p and for every solution.

    Such a coordinate carries no error: x_i(t) - p_i(t) stays what it is at 0, which is nothing for the member of the ball
    p_i(0) that is meant.
    """
    speeds = field([row[0] for row in polynomials]) if coordinates else []
    for i in coordinates:
        speed, row = speeds[i], polynomials[i]
        slope = row[1] if len(row) > 1 else arb(0)
        # An exact rational from the field is the same at every state: a ball of width 0 is so at this state alone.
        if not (isinstance(speed, fmpq) and slope == arb(speed) and all(value.is_zero() for value in row[2:])):
            return False
    return True


def certify_step(
    field: SeriesMap,
    polynomials: Rows,
    h: fmpq,
    order: int,
    weights: Sequence[arb],
    error: arb,
    width: arb,
    blocks: Blocks | None = None,
    parts: int = 1,
    own: Bounds | None = None,
) -> CertifiedStep | None:
    """Certify one step from |x_b(0) - p_b(0)| <= w_b error, inside the tube of relative width `width`; None if it fails.

    Weights, one per coordinate and equal within a block, and `error` are exact numbers; the polynomials may be balls, and
    then every member of them is meant. Weight 0 marks a clock, whose start lies in the ball p_i(0). The growth of errors
    is bounded on `parts` equal parts of the step. Defect and growth come from the field's `own` bounds, if it has any.
    """
    blocks = [range(i, i + 1) for i in range(len(polynomials))] if blocks is None else blocks
    if not (h > 0 and error >= 0 and parts >= 1 and are_weights(weights, blocks)):
        return None
    # A ball for an error would stand for several, and comparisons with it could be open.
    if not (error.is_exact() and error.is_finite() and all(value.is_finite() for row in polynomials for value in row)):
        return None
    if not are_clocks(field, polynomials, [i for i, weight in enumerate(weights) if weight.is_zero()]):
        return None
    bounds = defect(field, polynomials, h, order, min(parts, 2)) if own is None else own.defect(polynomials, h, order)
    relative = relative_size(bounds, weights, blocks)
    if not relative * arb(h) < width:  # as the end would be
        return None
    total, final, part = arb(1), error, h / parts
    for k in range(parts):
        low, high = k * part, (k + 1) * part
        if own is None:
            # Over the whole tube of the part, not along p: Dahlquist's inequality needs the bound on all that lies between
            # x and p.
            box = tube_around(polynomials, low, high, weights, width)
            norm = logarithmic_norm(jacobian_over_box(field, box), weights, blocks)
        else:
            norm = own.growth(polynomials, low, high, weights, width, blocks)
        if not norm.is_finite():
            return None
        # max(M, 0) within the part: an error made at its end has not been contracted yet.
        swell = (norm.max(arb(0)) * arb(part)).exp()
        # At the end M < 0 has acted on what was there before, so that contraction is kept; what the part adds is swollen.
        final = upper(final * (norm * arb(part)).exp() + relative * arb(part) * swell)
        total *= swell
        if error * total > 2 * width:  # as it stays, or more: a step that fails costs no further parts
            return None
    start, slope = upper(error * total), upper(relative * total)
    end = start + slope * arb(h)
    # Strictly inside: the first time at which the solution would leave the tube then contradicts the bound.
    if not (end.is_finite() and end < width and final.is_finite()):
        return None
    return CertifiedStep(polynomials, h, list(weights), start, slope, final, error, blocks=blocks)


def solution_series(field: SeriesMap, start: Sequence[arb], order: int) -> Rows:
    """Rows of the Taylor coefficients 0..order at 0 of the solutions through each point of a box."""
    rows = [[value] for value in start]
    for k in range(order):
        # x' = F(x) gives the coefficient k + 1 from those up to k: one more in each round (Moore).
        derivative = field([arb_series(row, k + 1) for row in rows])
        for row, value in zip(rows, derivative, strict=True):
            row.append(coefficient(value, k) / (k + 1))
    return rows


def certify_step_by_remainder(
    field: SeriesMap,
    start: Sequence[arb],
    h: fmpq,
    order: int,
    box: Sequence[arb],
    weights: Sequence[arb],
    blocks: Blocks,
) -> CertifiedStep | None:
    """Certify one step from x(0) in `start` by Taylor's formula with its remainder over an a priori box; None if it fails.

    If start + [0, h] F(box) lies inside the box, solutions exist on [0, h] and stay in it (Picard-Lindelof), and
    x(t) = sum_{k<N} x^[k] t^k + x^[N](xi) t^N with the coefficients taken over `start` and, the last, over `box`. Weights
    and blocks are those of :func:`certify_step`.
    """
    if not (h > 0 and order >= 1 and are_weights(weights, blocks)):
        return None
    speeds = field(list(box))
    for value, speed, bounds in zip(start, speeds, box, strict=True):
        reached = value + span(fmpq(0), h) * arb(speed)
        if not (bounds.is_finite() and reached.is_finite() and bounds.contains_interior(reached)):
            return None
    rows, last = solution_series(field, start, order - 1), solution_series(field, box, order)
    polynomials, starts, slopes = [], [], []
    for i, (row, beyond) in enumerate(zip(rows, last, strict=True)):
        # A clock is exactly linear: a remainder over the box would make a ball of it.
        coefficients = [start[i], arb(speeds[i])] if weights[i].is_zero() else [*row, beyond[order]]
        away = arb(0)
        for k, value in enumerate(coefficients[1:]):
            # What the middles leave out of each coefficient, divided by t: the bound is error + t slope.
            away += value.rad() * arb(h) ** k
        polynomials.append(coefficients if weights[i].is_zero() else [value.mid() for value in coefficients])
        starts.append(coefficients[0].rad())
        slopes.append(away)
    if not are_clocks(field, polynomials, [i for i, weight in enumerate(weights) if weight.is_zero()]):
        return None
    error, slope = upper(relative_size(starts, weights, blocks)), upper(relative_size(slopes, weights, blocks))
    final = upper(error + slope * arb(h))
    if not (final.is_finite() and all(value.is_finite() for row in polynomials for value in row)):
        return None
    return CertifiedStep(polynomials, h, list(weights), error, slope, final, error, "remainder", blocks, list(start))


def along(step: CertifiedStep, formula: SeriesMap, low: fmpq, high: fmpq, center: fmpq, order: int) -> Rows:
    """Rows c with g(x(t)) in sum_k c_k (t - center)^k for t in [low, high], g each number of the formula, x the solution.

    Mean value theorem on the convex tube: |g(x) - g(p)| <= sum_i sup|dg/dx_i| |x_i - p_i|. Raises ValueError for order 0,
    where there is no coefficient of t to widen, and outside the step.
    """
    if order < 1:
        raise ValueError("a function along a step needs at least its value and one coefficient of t")
    if not 0 <= low <= center <= high <= step.length:
        raise ValueError(f"[{low}, {high}] around {center} is no part of a step of length {step.length}")
    tube = tube_around(step.polynomials, low, high, step.weights, step.error + step.slope * arb(high))
    rows = []
    for row, gradient in zip(
        expansion(formula, step.polynomials, low, high, center, order), jacobian_over_box(formula, tube), strict=True
    ):
        reach = arb(0)
        for value, weight in zip(gradient, step.weights, strict=True):
            reach += upper(value) * weight
        widened = list(row)
        widened[0] += arb(0, upper(reach * (step.error + step.slope * arb(center))))
        # The error grows as error + t slope: its part in t - center goes into the coefficient of t, the rest into the
        # value.
        widened[1] += arb(0, upper(reach * step.slope))
        rows.append(widened)
    return rows


def sign_on(row: Sequence[arb], low: fmpq, high: fmpq, center: fmpq) -> int | None:
    """1, 0 or -1 when sum_k row[k] (t - center)^k has that sign at each t > 0 of [low, high]; None when this does not tell.

    Around center 0, leading coefficients that vanish exactly are divided out, so that a function that starts at zero can
    be decided.
    """
    k = 0
    while k < len(row) and row[k].is_zero():
        k += 1
    if k == len(row):
        return 0
    value = evaluate(row[k:] if center == 0 else row, span(low - center, high - center))
    if not value.is_finite():
        return None
    return 1 if value > 0 else -1 if value < 0 else None
