"""Proposes polynomials that nearly solve x' = F(x) on a step: in float64 first, then to the digits required.

Nothing here is trusted. The formula of a flow runs on a batch of complex times at once, so one Picard iteration costs one
call of it: on a circle around the middle of the step, x(u) = x(-h/2) + int F(x), where a Fourier transform turns values
into Taylor coefficients without loss. Further digits come from iterative refinement: the residual p' - F(p) in balls
at full precision, the correction e' = DF(p) e - residual again in float64.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import flint
import numpy as np
from flint import arb, arb_poly, arb_series, fmpq

from dynamics.arithmetic import FLOAT64, Array, working_precision
from dynamics.system import Flow
from dynamics.trusted.straight_line import SMOOTH, StraightLine
from dynamics.trusted.taylor import Rows, SeriesMap, coefficient, jacobian_over_box, solution_series

RATIO = 1.5
"""The circle's radius in half steps: beyond the step, well inside the disc where the solution is analytic."""

NOISE = 1e-13
"""Terms on the circle below this, relative to the solution, do not show how fast its coefficients fall."""

FLOAT_GOAL = 1e-17
"""Goals above this are met by float64 alone."""

BATCH = 2**18
"""Numbers in a batch of states, times the coordinates of one: larger ones leave the processor's cache."""

NOT_BATCHED = (TypeError, ValueError, IndexError, AttributeError, OverflowError)
"""What a formula raises that does not run on batches of complex numbers: its Taylor series is then taken in balls."""


IN_FLOAT64: dict[Callable[..., Any], Callable[..., Any]] = {
    operator.neg: np.negative,
    **{SMOOTH[name]: getattr(np, name) for name in ("exp", "log", "sqrt", "sin", "cos", "tan")},
    **{binary: binary for binary in (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow)},
}
"""What stands on columns of numbers for the operations of a straight line."""


def _in_float64(line: StraightLine) -> StraightLine | None:
    """The line on columns of float64 or complex numbers; None where it has an operation that NumPy has not."""
    if not all(operation in IN_FLOAT64 for operation, _ in line.program):
        return None
    program = [(IN_FLOAT64[operation], at) for operation, at in line.program]
    return StraightLine([float(one) for one in line.constants], program, line.results)


class NoProposalError(ArithmeticError):
    """Picard's iteration does not converge on this step: take a shorter one."""


@dataclass
class Circle:
    """Times on a circle around the middle of a step, and the maps between values there and Taylor coefficients."""

    half: float
    count: int

    def __post_init__(self) -> None:
        """Lay out the upper half of the circle: values at conjugate times are conjugate."""
        self.times = RATIO * self.half * np.exp(2j * np.pi * np.arange(self.count // 2 + 1) / self.count)
        self.terms = self.count // 2
        self.powers = self.times[:, None] ** np.arange(self.terms)

    def coefficients(self, values: Array) -> Array:
        """Taylor coefficients around the middle of functions given on the circle, shape (terms, size)."""
        # Real on the real axis, so that half of the circle is enough.
        transformed = np.fft.irfft(values.conj(), n=self.count, axis=0)[: self.terms]
        return np.asarray(transformed / (RATIO * self.half) ** np.arange(self.terms)[:, None])

    def integrated(self, coefficients: Array, start: Array) -> Array:
        """Coefficients of the integral that begins with `start` at the beginning of the step."""
        whole = np.zeros_like(coefficients)
        whole[1:] = coefficients[:-1] / np.arange(1, self.terms)[:, None]
        whole[0] = start - ((-self.half) ** np.arange(1, self.terms)) @ whole[1:]
        return whole

    def values(self, coefficients: Array) -> Array:
        """Values on the circle, shape (times, size)."""
        return np.asarray(self.powers[:, : len(coefficients)] @ coefficients)


def units(largest: Array) -> Array:
    """The units of coordinates with these largest values: at least a thousandth of a typical one."""
    return np.asarray(largest + 1e-3 * min(largest.max(), 1.0) + 1e-300)


Rate = Callable[[Array], Array]


def picard(circle: Circle, rate: Rate, start: Array, guess: Array, digits: int = 15, most: int = 80) -> Array:
    """Coefficients around the middle of the solution of x' = rate(x) through `start`, from values `guess` on the circle.

    Raises NoProposalError when the iteration does not come to rest near the last of the digits.
    """
    values, best, rest = guess, np.inf, 0
    for _ in range(most):
        with np.errstate(all="ignore"):
            velocity = rate(values)
            solution = circle.integrated(circle.coefficients(velocity), start)
            moved = circle.values(solution)
            scale = np.abs(moved).max(axis=0)
            change = float((np.abs(moved - values).max(axis=0) / units(scale)).max())
        if not np.isfinite(moved).all():
            break
        values = moved
        # Near the last digit changes are noise: two that do not halve are taken for rest, if they are small enough.
        rest = rest + 1 if change >= best / 2 else 0
        best = min(best, change)
        if change < 10.0**-digits or (best < 20 * 10.0**-digits and rest >= 2):
            return solution
        if not change < 1e6:
            break
    raise NoProposalError("Picard's iteration does not converge")


class Proposer:
    """Polynomials for one flow at one order, step after step. `field` is the same formula on balls and power series."""

    def __init__(self, system: Flow, field: SeriesMap, order: int, goal: float) -> None:
        self.formula = self.field = field
        self.order, self.goal = order, goal
        self.columns: StraightLine | None = None
        self.floats = system.to(FLOAT64)
        self.batched = True
        self._latest: Array | None = None
        self._before: tuple[Array, float] | None = None

    def follow(self, line: StraightLine | None) -> None:
        """Evaluate the field as this line from here on, in balls and in float64; as the formula where there is none."""
        self.field = line or self.formula
        self.columns = line and _in_float64(line)

    def rate(self, states: Array) -> Array:
        """F on a batch of flat states, real or complex: a few at a time, for pairs of tokens take the square of a state."""
        if self.columns is not None:
            found = np.empty_like(states)
            for k, column in enumerate(self.columns(list(states.T))):
                found[:, k] = column  # a number where the speed is constant
            return found
        most = max(1, BATCH // states.shape[1] ** 2)
        parts = [states[k : k + most] for k in range(0, len(states), most)]
        return np.concatenate([self.floats.with_states(part).velocities() for part in parts])

    def jacobian(self, rows: Rows) -> Array:
        """DF at the start of a step in float64, by imaginary increments, shape (size, size); NaN where that overflows."""
        start, tiny = np.array([float(row[0]) for row in rows]), 1e-100
        states = np.tile(start.astype(complex), (len(start), 1)) + 1j * tiny * np.eye(len(start))
        with np.errstate(all="ignore"):
            try:
                return np.asarray(self.rate(states).imag.T / tiny)
            except NOT_BATCHED:
                derivative = jacobian_over_box(self.field, [row[0] for row in rows])
                return np.array([[float(value) for value in row] for row in derivative])

    def accept(self, h: fmpq) -> None:
        """Remember the latest proposal, of length h, as the first guess for the next step."""
        self._before = None if self._latest is None else (self._latest, float(h))

    def polynomials(self, start: list[arb], h: fmpq) -> tuple[Rows, float]:
        """Rows of a polynomial that begins at `start`, and the step length at which its last terms would meet the goal.

        Raises NoProposalError where the solution has singularities too near for this step.
        """
        if self.batched:
            try:
                with np.errstate(all="ignore"):  # what overflows is no proposal
                    return self._by_picard(start, h)
            except NOT_BATCHED:
                self.batched = False
        series = solution_series(self.field, [value.mid() for value in start], self.order)
        rows = [[value, *(c.mid() for c in row[1:])] for value, row in zip(start, series, strict=True)]
        self._latest = None
        return rows, self._wanted(np.array([[magnitude(value) for value in row] for row in rows]).T, 1.0)

    def _by_picard(self, start: list[arb], h: fmpq) -> tuple[Rows, float]:
        begin, length = np.array([float(value) for value in start]), float(h)
        circle = Circle(length / 2, 2 * (self.order + 8))
        coefficients = self._solved(circle, begin)
        wanted = 2 * self._wanted(coefficients, RATIO * length / 2)
        if wanted < 0.6 * length:
            return [[value] for value in start], wanted  # too long a step: no digits are refined in vain
        self._latest = coefficients
        rows = [[arb(float(value)) for value in column] for column in coefficients.T]
        if self.goal <= FLOAT_GOAL:
            (slopes, scale), before = self._slopes(rows, circle, coefficients), 1.0
            for k in range(12):
                # As many bits as this round can use: sixteen digits, twelve more each round, and some to spare.
                with working_precision(min(flint.ctx.prec, 80 + 48 * (k + 1))):
                    rows, size = self._refined(rows, start, h, circle, slopes, scale)
                # What the next round would change, if it gains as much as this one did, at most twelve digits.
                if size * min(max(size / before, 1e-12), 1.0) < self.goal:
                    break
                before = size
        return start_based(self._trimmed(rows, RATIO * length / 2), start, h), wanted

    def _solved(self, circle: Circle, begin: Array) -> Array:
        """Coefficients in float64: from the last proposal carried on, or else from a straight line."""
        if self._before is not None and circle.half <= self._before[1]:
            old, before = self._before
            # Terms that are noise on its own circle would be all there is on this one.
            terms = (np.abs(old) * (RATIO * before / 2) ** np.arange(len(old))[:, None]).max(axis=1) > NOISE * np.abs(
                old[0]
            ).max()
            shifted = circle.times + before / 2 + circle.half
            guess = (shifted[:, None] ** np.arange(len(old))) @ (old * terms[:, None])
            with suppress(NoProposalError):
                return picard(circle, self.rate, begin, guess)[: self.order + 1]
        guess = begin + (circle.times[:, None] + circle.half) * self.rate(begin[None, :].astype(complex))
        return picard(circle, self.rate, begin, guess)[: self.order + 1]

    def _trimmed(self, rows: Rows, radius: float) -> Rows:
        """Rows without terms that are noise on the circle: harmless on the step, they would spoil bounds further out."""
        floor = arb(self.goal / 10)
        powers = [arb(radius) ** k for k in range(self.order + 1)]
        sizes = [max(float(abs(value) * power) for value, power in zip(row, powers, strict=False)) for row in rows]
        least = [floor * max(size, 1e-3 * max(sizes)) for size in sizes]
        return [
            [value if abs(value) * power > limit else arb(0) for value, power in zip(row, powers, strict=False)]
            for row, limit in zip(rows, least, strict=True)
        ]

    def _wanted(self, coefficients: Array, radius: float) -> float:
        """The distance at which the terms of highest order that stand out of the noise fall, extrapolated, to the goal."""
        sizes = np.abs(coefficients) * radius ** np.arange(len(coefficients))[:, None]
        # What starts at zero throughout is as large as it becomes.
        largest = np.abs(coefficients[0]).max() or sizes[1:2].max(initial=0.0)
        scale = np.maximum(np.abs(coefficients[0]), 1e-3 * largest) + 1e-300
        relative = (sizes / scale).max(axis=1)
        orders = [k for k in range(2, len(relative)) if relative[k] > NOISE]
        if not orders:
            return 8.0 * radius
        reach = min(relative[k] ** (-1.0 / k) for k in orders[-4:])
        return float(radius * reach * self.goal ** (1.0 / self.order))

    def _slopes(self, rows: Rows, circle: Circle, coefficients: Array) -> tuple[Array, Array]:
        """DF on the circle by differences of fourth order, shape (times, size, size), in units that are given with it."""
        states = circle.values(coefficients)
        scale = units(np.abs(states).max(axis=0))
        relative = np.abs(self.jacobian(rows)) * scale / scale[:, None]
        steepness = 1 + float(np.nan_to_num(relative.sum(axis=1).max(), nan=1e6))
        size = states.shape[1]
        # Real differences, as states are complex here: of fourth order they are good to some ten digits, a round's worth.
        steps = 1e-3 / steepness * np.diag(scale)
        shifted = np.concatenate([(states[:, None, :] + k * steps).reshape(-1, size) for k in (1, -1, 2, -2)])
        images = self.rate(shifted).reshape(4, len(states), size, size)
        slopes = (images[0] - images[1]) * (2 / 3) - (images[2] - images[3]) / 12
        return np.asarray(slopes.swapaxes(-1, -2) / np.diag(steps) * scale / scale[:, None]), scale

    def _refined(
        self, rows: Rows, start: list[arb], h: fmpq, circle: Circle, slopes: Array, scale: Array
    ) -> tuple[Rows, float]:
        """One round of refinement of rows around the middle, some ten further digits, and how large the error was."""
        images = self.field([arb_series(row, self.order) for row in rows])
        misses = [(value - arb_poly(row)(arb(-h / 2))).mid() for value, row in zip(start, rows, strict=True)]
        residuals = [
            [((k + 1) * row[k + 1] - coefficient(image, k)).mid() for k in range(self.order)]
            for row, image in zip(rows, images, strict=True)
        ]
        exponents = [_exponent(value) for value in [*misses, *(v for r in residuals for v in r)] if not value.is_zero()]
        if not exponents:
            return rows, 0.0
        # Residuals of 1e-300 are floats only in units of the largest of them.
        unit = arb(2) ** -max(exponents)
        forcing = np.zeros((circle.terms, len(rows)))
        forcing[: self.order] = np.array([[float(value * unit) for value in residual] for residual in residuals]).T
        forced = circle.values(forcing / scale)

        def rate(error: Array) -> Array:
            return np.asarray((slopes @ error[:, :, None])[:, :, 0] - forced)

        start_miss = np.array([float(value * unit) for value in misses]) / scale
        correction = picard(circle, rate, start_miss, 0 * forced, digits=11)
        size = float(np.abs(circle.values(correction)).max())
        correction = correction * scale
        refined = [
            [(value + arb(float(correction[k, i])) / unit).mid() for k, value in enumerate(row)]
            for i, row in enumerate(rows)
        ]
        return refined, size * 2.0 ** max(*exponents, -1000)


def magnitude(value: arb) -> float:
    """|value|, at most 1e300: enough to judge how fast coefficients fall."""
    return min(float(abs(value.mid())), 1e300)


def _exponent(value: arb) -> int:
    """e with |value| about 2^e."""
    mantissa, exponent = value.man_exp()
    return int(exponent) + int(mantissa).bit_length()


def start_based(rows: Rows, start: list[arb], h: fmpq) -> Rows:
    """Rows around the middle, rewritten in powers of the time since the start of the step, there equal to `start`."""
    # At the start the given ball itself stands, so that the step begins without an error of its own.
    shifted = [arb_poly(row)(arb_poly([arb(-h / 2), 1])).coeffs() for row in rows]
    return [[begin, *(value.mid() for value in row[1:])] for begin, row in zip(start, shifted, strict=True)]
