"""Derivatives of a formula, computed by running it, in every arithmetic: nothing is derived by hand.

==================  ============================================================================  ====================
numbers             how d/dh g(x + h e) at h = 0 is found                                         error
==================  ============================================================================  ====================
exact, else balls   g on power series x + e h + O(h^2) of balls, coefficient of h                 enclosed
self-answering      g on their own numbers with a slope                                           none
multiprecision      (g(x + h e) - g(x - h e)) / 2h, h = 2^-P, at 3P bits for P bits of precision  about 2^-2P
float64             imaginary part of g(x + i h e) / h, h = 1e-30, over any batch                 rounding of g
==================  ============================================================================  ====================

The methods share nothing but the formula, which must be analytic where it is evaluated: no absolute values, no comparisons.
Along a step of a flow numbers are power series in time, which flint cannot tell from those in h: derivatives are refused
there, and so is one of balls within another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mpmath
import numpy as np
from flint import arb_series, fmpq

from dynamics.arithmetic import Array, answers_itself, elementwise, indicator, numbers, working_precision
from dynamics.choices import Series, ball, guarding, numbers_are_closed, own_series, plain
from dynamics.moving import Moving
from dynamics.system import Flow, System

# The error is of the order h^2 and nothing cancels: so h may be far below the rounding of x, and h^2 far below that of g.
COMPLEX_STEP = 1e-30


def directional_derivative(formula: Callable[..., Any], point: Sequence[Array], direction: Sequence[Array]) -> Array:
    """d/dh formula(*(point + h direction)) at h = 0, of the shape of the formula's value.

    `point` and `direction` are arrays of equal shapes in one arithmetic. Raises LookError along a step of a flow.
    """
    # One float64 array makes a float64 point: its other arrays may be rationals that nothing has touched.
    if any(array.dtype != object for array in point):
        moved = [x + 1j * COMPLEX_STEP * e for x, e in zip(point, direction, strict=True)]
        return numbers(np.imag(np.asarray(formula(*moved))) / COMPLEX_STEP)
    if any(type(value) is mpmath.mpf for array in point for value in array.flat):
        return _central_difference(formula, point, direction)
    if any(answers_itself(x) for x in point):
        # Of a derivative within a derivative each takes its own slopes alone.
        mark = object()
        moving = np.frompyfunc(lambda v, w: v.moving(w, mark), 2, 1)
        moved = [numbers(moving(x, e)) for x, e in zip(point, direction, strict=True)]
        # What did not grow from the point is an exact number, and knows of no slope.
        return elementwise(lambda x: x.slope(mark) if hasattr(type(x), "slope") else fmpq(0), numbers(formula(*moved)))
    if numbers_are_closed():
        with own_series():
            moved = [numbers(np.frompyfunc(Moving, 2, 1)(x, e)) for x, e in zip(point, direction, strict=True)]
            return elementwise(_slope, numbers(formula(*moved)))
    with own_series():
        return elementwise(_slope, numbers(formula(*map(_to_series, point, direction))))


def _central_difference(formula: Callable[..., Any], point: Sequence[Array], direction: Sequence[Array]) -> Array:
    bits = mpmath.mp.prec
    with working_precision(3 * bits):
        # The difference is wrong by h^2 = 2^-2P and loses P of its 3P bits: 2P are left either way.
        h = mpmath.mpf(2) ** -bits
        ahead = numbers(formula(*(x + h * e for x, e in zip(point, direction, strict=True))))
        behind = numbers(formula(*(x - h * e for x, e in zip(point, direction, strict=True))))
        difference = (ahead - behind) / (2 * h)
    return numbers(difference * mpmath.mpf(1))  # rounded to the precision asked for


def _to_series(x: Array, e: Array) -> Array:
    values = np.empty(x.shape, dtype=object)
    for index in np.ndindex(x.shape):
        coefficients: list[Any] = [x[index], e[index]]
        series = arb_series([plain(value) for value in coefficients], 2)
        values[index] = Series(series) if guarding() else series
    return numbers(values)


def _slope(value: Any) -> Any:
    if isinstance(value, Moving):
        return value.slope
    if isinstance(value, Series):
        return ball(value.plain[1])
    return value[1] if isinstance(value, arb_series) else fmpq(0)


def jacobian(formula: Callable[[Array], Any], x: Array, axes: int = 1) -> Array:
    """The derivatives of formula(x) in every entry of the last `axes` axes of x, which are appended to its shape."""
    shape = x.shape[x.ndim - axes :]
    columns = []
    for index in np.ndindex(shape):
        here = np.zeros(shape, dtype=bool)
        here[index] = True
        columns.append(directional_derivative(formula, [x], [np.broadcast_to(indicator(here, x), x.shape)]))
    return numbers(np.stack(columns, axis=-1).reshape(*columns[0].shape, *shape))


def gradient(formula: Callable[[Any], Any], system: System, name: str) -> Array:
    """The derivatives of formula(system) in every entry of its array `name`; batch axes are kept."""
    axes = len(system.fields()[name].axes)
    return jacobian(lambda x: formula(system.replace(**{name: x})), getattr(system, name), axes)


def time_derivative(formula: Callable[[Any], Any], flow: Flow) -> Array:
    """d/dt formula(flow) along the flow, in the flow's clock."""

    def moved(*arrays: Array) -> Any:
        return formula(flow.replace(**dict(zip(flow.moving, arrays, strict=True))))

    return directional_derivative(moved, [getattr(flow, name) for name in flow.moving], flow.velocity())
