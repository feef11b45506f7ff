"""The certified step: a polynomial that nearly solves x' = F(x), and a bound on its distance to the solution.

Written out with its hypotheses in docs/certified_trajectories.md; in short, on [0, h], with polynomials p,

*defect*    r(t) = p'(t) - F(p(t)). With G(t) = F(p(t)), Taylor's theorem with Lagrange's remainder gives
            G(t) = sum_{k<N} G^[k](0) t^k + G^[N](xi) t^N, one xi in [0, h] per coordinate, and G^[N] over [0, h] is
            the N-th coefficient of F(p(T + .)) for the ball T = [0, h].
*growth*    in the norm |e| = max_i |e_i| / w_i let M bound the logarithmic norm of DF over a box that contains p +- e
            with |e| <= E on the whole step. As long as |x - p| <= E, Dahlquist's inequality D+|x - p| <= M |x - p| + |r|
            holds (the box is convex), so with M+ = max(M, 0)
            |x(t) - p(t)| <= (|x(0) - p(0)| + t sup|r|) exp(M+ t).
*tube*      if that bound at h is below E, the solution exists on [0, h] and never leaves the tube: at the first time it
            would, the bound holds and contradicts it.

Every number here is a ball (flint.arb) or an exact rational. A pole gives a non-finite ball, which no test accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import flint
from flint import arb, arb_poly, arb_series, fmpq

Rows = list[list[arb]]
"""`rows[i][k]` is, or encloses, the k-th Taylor coefficient of entry i."""

SeriesMap = Callable[[list[arb_series]], Sequence[object]]
"""A formula from the coordinates of the state to numbers, evaluated on power series of balls."""


@dataclass(frozen=True)
class CertifiedStep:
    """On [0, length]: |x_i(t) - p_i(t)| <= weights[i] (error + t slope), and x(t) lies in `tube`."""

    polynomials: Rows
    length: fmpq
    weights: list[arb]
    error: arb
    slope: arb
    tube: list[arb]


def coefficient(value: object, k: int) -> arb:
    """The k-th coefficient of a power series, or of a constant. Raises ValueError beyond what the series knows."""
    if isinstance(value, arb_series):
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


def largest(values: Sequence[arb]) -> arb:
    """A ball at least as large as each of the given ones."""
    total = values[0]
    for value in values[1:]:
        total = total.max(value)
    return total


def series_at(row: Sequence[arb], t: arb, length: int) -> arb_series:
    """The power series of the polynomial around t (a point, or a ball of points), to `length` coefficients."""
    if flint.ctx.cap < length:
        raise ValueError(f"series are cut at length {flint.ctx.cap}: length {length} is impossible")
    shifted = arb_poly(list(row))(arb_poly([t, 1]))
    return arb_series(shifted, length)


def expansion(formula: SeriesMap, polynomials: Rows, h: fmpq, order: int) -> Rows:
    """Rows c with formula(p(t)) = sum_{k<=order} c_k t^k for each t in [0, h], the last coefficient a ball over [0, h]."""
    at_zero = formula([series_at(row, arb(0), order + 1) for row in polynomials])
    on_step = formula([series_at(row, span(fmpq(0), h), order + 1) for row in polynomials])
    return [
        [coefficient(point, k) for k in range(order)] + [coefficient(ball, order)]
        for point, ball in zip(at_zero, on_step, strict=True)
    ]


def defect(field: SeriesMap, polynomials: Rows, h: fmpq, order: int) -> list[arb]:
    """Upper bounds, one per coordinate, of |p'(t) - F(p(t))| over [0, h]."""
    bounds = []
    for row, image in zip(polynomials, expansion(field, polynomials, h, order), strict=True):
        derivative = [(k + 1) * value for k, value in enumerate(row[1:])]
        length = max(len(derivative), len(image))
        bound = arb(0)
        for k in range(length):
            difference = (derivative[k] if k < len(derivative) else arb(0)) - (image[k] if k < len(image) else arb(0))
            bound += upper(difference) * arb(h) ** k
        bounds.append(upper(bound))
    return bounds


def jacobian(formula: SeriesMap, box: Sequence[arb]) -> Rows:
    """Enclosures over the box of the derivative of each number in each coordinate, as rows [number][coordinate]."""
    columns = []
    for j in range(len(box)):
        perturbed = [arb_series([value, 1 if i == j else 0], 2) for i, value in enumerate(box)]
        columns.append([coefficient(value, 1) for value in formula(perturbed)])
    return [list(row) for row in zip(*columns, strict=True)]


def logarithmic_norm(derivative: Rows, weights: Sequence[arb]) -> arb:
    """A ball at least the logarithmic norm in max_i |e_i| / w_i: max_i J_ii + sum_{j != i} |J_ij| w_j / w_i."""
    rows = []
    for i, row in enumerate(derivative):
        total = row[i]
        for j, value in enumerate(row):
            if j != i:
                total += upper(value) * weights[j] / weights[i]
        rows.append(total)
    return largest(rows)


def tube_around(polynomials: Rows, h: fmpq, weights: Sequence[arb], width: arb) -> list[arb]:
    """A box that contains p(t) + e for every t in [0, h] and |e_i| <= w_i width."""
    middle, half = h / 2, span(-h / 2, h / 2)
    box = []
    for row, weight in zip(polynomials, weights, strict=True):
        around_middle = arb_poly(list(row))(arb_poly([arb(middle), 1]))
        box.append(evaluate(around_middle.coeffs() or [arb(0)], half) + weight * arb(0, upper(width)))
    return box


def certify_step(
    field: SeriesMap, polynomials: Rows, h: fmpq, order: int, weights: Sequence[arb], error: arb, width: arb
) -> CertifiedStep | None:
    """Certify one step from |x_i(0) - p_i(0)| <= w_i error, inside the tube of relative width `width`; None if it fails.

    Weights and `error` are exact numbers; the polynomials may be balls, and then every member of them is meant.
    """
    if not (h > 0 and error >= 0 and all(weight > 0 for weight in weights)):
        return None
    if not all(value.is_exact() and value.is_finite() for value in [*weights, error]):
        return None
    if not all(value.is_finite() for row in polynomials for value in row):
        return None
    tube = tube_around(polynomials, h, weights, width)
    bounds = defect(field, polynomials, h, order)
    relative = largest([bound / weight for bound, weight in zip(bounds, weights, strict=True)])
    growth = (logarithmic_norm(jacobian(field, tube), weights).max(arb(0)) * arb(h)).exp()
    start, slope = upper(error * growth), upper(relative * growth)
    end = start + slope * arb(h)
    if not (end.is_finite() and end < width):
        return None
    return CertifiedStep(polynomials, h, list(weights), start, slope, tube)


def along(step: CertifiedStep, formula: SeriesMap, order: int) -> Rows:
    """Rows c with g(x(t)) in sum_k c_k t^k for each t in [0, length], g each number of the formula, x the solution.

    Mean value theorem on the convex tube: |g(x) - g(p)| <= sum_i sup|dg/dx_i| |x_i - p_i|. Raises ValueError for order 0,
    where there is no coefficient of t to widen.
    """
    if order < 1:
        raise ValueError("a function along a step needs at least its value and one coefficient of t")
    rows = []
    for row, gradient in zip(
        expansion(formula, step.polynomials, step.length, order), jacobian(formula, step.tube), strict=True
    ):
        reach = arb(0)
        for value, weight in zip(gradient, step.weights, strict=True):
            reach += upper(value) * weight
        widened = list(row)
        widened[0] += arb(0, upper(reach * step.error))
        widened[1] += arb(0, upper(reach * step.slope))
        rows.append(widened)
    return rows


def sign_on(row: Sequence[arb], low: fmpq, high: fmpq) -> int | None:
    """1, 0 or -1 when sum_k row[k] t^k has that sign at every t > 0 in [low, high]; None when this does not tell.

    Leading coefficients that vanish exactly are divided out, so that a function that starts at zero can be decided.
    """
    k = 0
    while k < len(row) and row[k].is_zero():
        k += 1
    if k == len(row):
        return 0
    value = evaluate(row[k:], span(low, high))
    if not value.is_finite():
        return None
    return 1 if value > 0 else -1 if value < 0 else None
