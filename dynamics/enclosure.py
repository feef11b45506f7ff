"""Certified trajectories: proposes polynomials, steps and tubes for :mod:`dynamics.trusted.taylor` to certify."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import flint
import numpy as np
from flint import arb, arb_series, fmpq

from dynamics.arithmetic import Array, numbers, working_precision
from dynamics.system import Flow
from dynamics.trusted.taylor import (
    CertifiedStep,
    Rows,
    SeriesMap,
    along,
    certify_step,
    coefficient,
    evaluate,
    jacobian,
    sign_on,
    upper,
)

Slack = Callable[[Flow], Array]


class EnclosureError(ArithmeticError):
    """No certified step could be found at this precision and order."""


@dataclass(frozen=True)
class Decision:
    """Whether a slack keeps its sign on [0, T]: `sign` 1 yes, -1 certainly violated at `time`, None undecided there.

    `least` is the smallest value met at the ends of steps.
    """

    sign: int | None
    time: fmpq | None
    least: arb | None


@dataclass(frozen=True)
class Trajectory:
    """A certified solution on [0, T] from an exact start: step k runs from times[k] to times[k + 1]."""

    origin: Flow
    times: list[fmpq]
    steps: list[CertifiedStep]
    bits: int
    order: int

    @property
    def horizon(self) -> fmpq:
        """T, in the clock of the system."""
        return self.times[-1]

    @property
    def radius(self) -> arb:
        """An upper bound on the error of the polynomials, over all coordinates and times."""
        bounds = [weight * (step.error + step.slope * arb(step.length)) for step in self.steps for weight in step.weights]
        return max(upper(bound) for bound in bounds)

    def at(self, time: fmpq) -> Flow:
        """The system at a time of [0, T], enclosed in balls. Raises ValueError outside."""
        for begin, step in zip(self.times, self.steps, strict=False):
            if begin <= time <= begin + step.length:
                with _series(self.bits, self.order):
                    return self.origin.with_state(_state_at(step, time - begin))
        raise ValueError(f"time {time} is outside [0, {self.horizon}]")

    def end(self) -> Flow:
        """The system at time T, enclosed in balls."""
        return self.at(self.horizon)

    def decide(self, slack: Slack, strict: bool, refinements: int = 10) -> Decision:
        """Whether `slack` is >= 0 (or > 0 if `strict`, at every t > 0) on the whole of [0, T], between steps too."""
        formula: SeriesMap = lambda state: _flat((slack(self.origin.with_state(state)),))  # noqa: E731
        least: arb | None = None
        undecided: fmpq | None = None
        with _series(self.bits, self.order):
            origin = list(numbers(slack(self.origin)).flat)
            for begin, step in zip(self.times, self.steps, strict=False):
                for row, at_origin in zip(along(step, formula, self.order), origin, strict=True):
                    if begin == 0 and step.error.is_zero():
                        # The polynomials start at the origin itself, where exact data may give an exact slack.
                        row[0] = arb(at_origin)
                    value = evaluate(row, arb(step.length))
                    if value.is_finite() and (least is None or value.mid() < least):
                        least = value.mid()
                    sign, time = _sign_over(row, step.length, strict, refinements)
                    if sign == -1:
                        return Decision(-1, begin + time, evaluate(row, arb(time)))
                    if sign is None and undecided is None:
                        undecided = begin + time
        return Decision(1 if undecided is None else None, undecided, least)


def _state_at(step: CertifiedStep, time: fmpq) -> list[arb]:
    """Balls that contain the solution at a time of the step."""
    t = arb(time)
    reach = arb(0, upper(step.error + step.slope * t))
    return [evaluate(row, t) + weight * reach for row, weight in zip(step.polynomials, step.weights, strict=True)]


@contextmanager
def _series(bits: int, order: int) -> Iterator[None]:
    """Precision and series length, restored afterwards: both are global in flint."""
    cap = flint.ctx.cap
    flint.ctx.cap = order + 2
    try:
        with working_precision(bits):
            yield
    finally:
        flint.ctx.cap = cap


def _flat(arrays: tuple[Array, ...]) -> list[object]:
    return [entry for array in arrays for entry in numbers(array).flat]


def _sign_over(row: list[arb], length: fmpq, strict: bool, refinements: int) -> tuple[int | None, fmpq]:
    """The sign of one slack on one step by bisection in time: 1, or -1 or None with a time where it fails."""
    pending = [(fmpq(0), length, refinements)]
    undecided: fmpq | None = None
    while pending:
        low, high, depth = pending.pop()
        sign = sign_on(row, low, high)
        if sign == 1 or (sign == 0 and not strict):
            continue
        if sign is not None or sign_on(row, high, high) == -1:
            return -1, high
        if depth == 0:
            undecided = low if undecided is None else undecided
            continue
        middle = (low + high) / 2
        pending += [(low, middle, depth - 1), (middle, high, depth - 1)]
    return (1, fmpq(0)) if undecided is None else (None, undecided)


LADDER = ((128, 20, 1e-18), (256, 30, 1e-45))
"""(bits, order, size of the last Taylor terms) tried in turn: a long or unstable trajectory needs the later ones."""


def enclose(system: Flow, horizon: fmpq, most_steps: int = 1000, most_bits: int = 256) -> Trajectory:
    """Certify the flow from an exact start up to time `horizon`, in the clock of its `velocity`.

    Raises EnclosureError when every rung of the ladder up to `most_bits` ends in steps too short or too many,
    ValueError for a horizon that is not positive.
    """
    failure = EnclosureError(f"no rung of the ladder works within {most_bits} bits: the lowest takes {LADDER[0][0]}")
    for bits, order, goal in LADDER:
        if bits <= most_bits:
            try:
                return enclose_at(system, horizon, bits, order, goal, most_steps)
            except EnclosureError as error:
                failure = error
    raise failure


def enclose_at(system: Flow, horizon: fmpq, bits: int, order: int, goal: float, most_steps: int = 1000) -> Trajectory:
    """:func:`enclose` at one precision, Taylor order and size of the last terms."""
    if not horizon > 0:
        raise ValueError(f"the horizon must be positive, not {horizon}")
    if order < 2:
        raise ValueError(f"the order must be at least 2, not {order}")
    field: SeriesMap = lambda state: _flat(system.with_state(state).velocity())  # noqa: E731
    with _series(bits, order):
        state = [arb(entry) for name in system.moving for entry in getattr(system, name).flat]
        times, steps = [fmpq(0)], list[CertifiedStep]()
        while times[-1] < horizon:
            if len(steps) == most_steps:
                raise EnclosureError(f"{most_steps} steps reached only t = {times[-1]} of {horizon}")
            steps.append(_certified(field, state, times[-1], horizon - times[-1], order, goal))
            step = steps[-1]
            times.append(times[-1] + step.length)
            state = _state_at(step, step.length)
    return Trajectory(system, times, steps, bits, order)


def _certified(field: SeriesMap, start: list[arb], begin: fmpq, remaining: fmpq, order: int, goal: float) -> CertifiedStep:
    """A certified step from the box `start`, the longest of a halving sequence that the trusted code accepts.

    The first step starts at the origin, whose balls are its rounding and no error; later ones start at midpoints.
    """
    points = start if begin == 0 else [value.mid() for value in start]
    try:
        polynomials = _taylor_polynomials(field, points, order)
        weights = _proposed_weights(field, polynomials)
    except (ZeroDivisionError, ValueError) as pole:
        raise EnclosureError(f"the field is not analytic at t = {begin}: {pole}") from None
    error = upper(max((upper(v - c) / w for v, c, w in zip(start, points, weights, strict=True)), key=upper))
    error = arb(0) if begin == 0 else error
    h = min(remaining, _dyadic(_proposed_length(polynomials, weights, goal)))
    tiny = arb(2) ** -(flint.ctx.prec // 2)
    for _ in range(12):
        for widening in (4, 1000):
            try:
                step = certify_step(field, polynomials, h, order, weights, error, upper(widening * error + tiny))
            except (ZeroDivisionError, ValueError):  # a pole inside the tube
                step = None
            if step:
                return step
        h = h / 2
    raise EnclosureError(f"no certified step at t = {begin}")


def _taylor_polynomials(field: SeriesMap, start: list[arb], order: int) -> Rows:
    """Taylor polynomials of the solution through a point, coefficients rounded to exact numbers."""
    rows = [[value] for value in start]
    for k in range(order):
        derivative = field([arb_series(row, k + 1) for row in rows])
        for row, value in zip(rows, derivative, strict=True):
            row.append((coefficient(value, k) / (k + 1)).mid())
    return rows


def _proposed_weights(field: SeriesMap, polynomials: Rows) -> list[arb]:
    """Exact weights that balance the rows of the Jacobian: a coordinate that only listens may carry a larger error."""
    derivative = jacobian(field, [row[0] for row in polynomials])
    size = len(polynomials)
    strength = np.array([[float(upper(value)) for value in row] for row in derivative])
    np.fill_diagonal(strength, 0.0)
    weights = np.ones(size)
    for _ in range(3):
        weights = np.maximum(1.0, np.minimum(strength @ weights, 1e30))
    return [arb(2) ** int(np.round(np.log2(weight))) for weight in weights]


def _dyadic(value: float) -> fmpq:
    """A short dyadic number just below a positive float: step lengths stay cheap to carry exactly."""
    exponent = int(np.floor(np.log2(value))) - 3
    return fmpq(int(value / 2.0**exponent)) * fmpq(2) ** exponent


def _proposed_length(polynomials: Rows, weights: list[arb], goal: float) -> float:
    """The length at which the last Taylor terms fall to the goal, relative to the weights."""
    length = 8.0
    for row, weight in zip(polynomials, weights, strict=True):
        for k in (len(row) - 2, len(row) - 1):
            tail = upper(row[k]) / weight
            if tail > 0:
                length = min(length, float((arb(goal) / tail).root(k)))
    return length
