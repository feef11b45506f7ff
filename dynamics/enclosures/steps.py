"""Certified trajectories: proposes polynomials, steps and tubes for :mod:`dynamics.trusted` to certify."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import flint
import numpy as np
from flint import arb, arb_poly, fmpq

from dynamics.arithmetic import Array, fraction
from dynamics.choices import UndecidedError
from dynamics.enclosures.bounds import bounds_of
from dynamics.enclosures.forecast import Forecast, forecast
from dynamics.enclosures.proposal import NOT_BATCHED, NoProposalError, Proposer, magnitude
from dynamics.enclosures.remembered import once
from dynamics.system import Flow
from dynamics.trusted.straight_line import straight_line
from dynamics.trusted.taylor import (
    Blocks,
    Bounds,
    CertifiedStep,
    Rows,
    certify_step,
    certify_step_by_remainder,
    evaluate,
    upper,
)
from dynamics.trusted.trajectory import Decision, Slack, Trajectory, field_of, series_precision, start_error, state_at

__all__ = ["LADDER", "Decision", "EnclosureError", "Rung", "Slack", "Trajectory", "enclose", "enclose_at", "enclosures"]


class EnclosureError(ArithmeticError):
    """No certified step could be found at this precision and order."""


@dataclass(frozen=True)
class Rung:
    """A precision in bits, an order, and the size of the last Taylor terms, relative to the solution."""

    bits: int
    order: int
    goal: float


LADDER = (Rung(64, 32, 1e-15), Rung(128, 48, 1e-30), Rung(192, 46, 1e-51))
"""Tried in turn: a long or unstable trajectory, or a slack close to zero, needs the later ones."""

SAFE, LEAST, SHRINK, GROW = 0.9, 0.6, 0.85, 1.3
"""Next lengths: this much of what the last defect suggests; at least, at most after a failure, at most after a success."""

OUT_OF_FLOATS = (OverflowError, np.linalg.LinAlgError)
"""What is raised where a proposal leaves float64."""

LOSS, MOST_PARTS = 1.15, 64
"""The growth of errors is bounded on more parts of a step where this factor is lost to what is foreseen, up to so many."""

LOST = 1e-3
"""With a relative error above this a step that fails is the last: in shorter and shorter ones it would only grow."""

AHEAD = 6
"""Weights are chosen for this many steps of the same kind: changing them costs once, good ones pay again and again."""

HOPELESS = -4.0
"""A rung is abandoned if the forecast growth of errors, in logarithms, exceeds its digits by this much."""


def enclose(
    system: Flow, horizon: fmpq, radius: fmpq | None = None, most_steps: int = 2000, most_bits: int = 256
) -> Trajectory:
    """Certify the flow from an exact start up to time `horizon`, in the clock of its `velocity`, within `radius` if given.

    Raises EnclosureError when every rung of the ladder up to `most_bits` ends in steps too short or too many or in too
    large a radius, ValueError for a horizon that is not positive.
    """
    for trajectory in enclosures(system, horizon, most_steps, most_bits):
        if radius is None or trajectory.radius < arb(radius):
            return trajectory
    raise EnclosureError(f"no rung of the ladder comes within {radius}")


def enclosures(system: Flow, horizon: fmpq, most_steps: int = 2000, most_bits: int = 256) -> Iterator[Trajectory]:
    """Enclosures at increasing precision, by :func:`enclose` on each rung of the ladder; rungs that fail are skipped.

    Raises EnclosureError when all of them fail.
    """
    failure = EnclosureError(f"no rung of the ladder works within {most_bits} bits: the lowest takes {LADDER[0].bits}")
    found = False
    for rung in LADDER:
        if rung.bits <= most_bits:
            try:
                trajectory = once(
                    system, (horizon, rung, most_steps), partial(enclose_at, system, horizon, rung, most_steps)
                )
            except EnclosureError as error:
                failure = error
                continue
            found = True
            yield trajectory
    if not found:
        raise failure


def enclose_at(system: Flow, horizon: fmpq, rung: Rung, most_steps: int = 2000, seconds: float | None = None) -> Trajectory:
    """:func:`enclose` on one rung, within so many seconds of processor time if given."""
    begun = time.process_time()
    if not horizon > 0:
        raise ValueError(f"the horizon must be positive, not {horizon}")
    if rung.order < 4:
        raise ValueError(f"the order must be at least 4, not {rung.order}")
    try:
        march = _March(system, rung)
    except OverflowError:
        raise EnclosureError("steps are proposed in float64, and a number of the start is beyond it") from None
    with series_precision(rung.bits, rung.order):
        state = [arb(entry) for name in system.moving for entry in getattr(system, name).flat]
        times, steps = [fmpq(0)], list[CertifiedStep]()
        while times[-1] < horizon:
            if len(steps) == most_steps:
                raise EnclosureError(f"{most_steps} steps reached only t = {short(times[-1])} of {short(horizon)}")
            if seconds is not None and time.process_time() - begun > seconds:
                raise EnclosureError(f"the time allowed reached only t = {short(times[-1])} of {short(horizon)}")
            try:
                steps.append(march.step(steps[-1] if steps else None, state, times[-1], horizon - times[-1]))
            except OUT_OF_FLOATS:
                raise EnclosureError(f"no step can be proposed in float64 at t = {short(times[-1])}") from None
            # Step lengths are short dyadic numbers, so that times stay short and exact.
            times.append(times[-1] + steps[-1].length)
            state = state_at(steps[-1], steps[-1].length)
    trajectory = Trajectory(system, times, steps, rung.bits, rung.order)
    # What was proposed here is asked of the trusted code as a whole: this module is not believed.
    if not trajectory.joins():
        raise RuntimeError("steps that do not join are no trajectory")
    return trajectory


class _Observed:
    """A field's own bounds, passed on as they are; the latest defect is noted, from which the next length is chosen."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.latest = np.inf

    def defect(self, polynomials: Rows, h: fmpq, order: int) -> list[arb]:
        """What the bounds say."""
        self.latest = np.inf
        sizes = self.bounds.defect(polynomials, h, order)
        self.latest = max(magnitude(size) for size in sizes)
        return sizes

    def growth(self, polynomials: Rows, begin: fmpq, end: fmpq, weights: Sequence[arb], width: arb, blocks: Blocks) -> arb:
        """What the bounds say."""
        return self.bounds.growth(polynomials, begin, end, weights, width, blocks)

    def reach(self, h: float, rung: Rung, most: float) -> float:
        """The length at which the latest defect, that on length h, would have used up what a step may add."""
        margin = 100 * rung.goal / (self.latest * h + 1e-300)
        return h * float(np.clip(SAFE * margin ** (1 / rung.order), LEAST, most))


class _March:
    """Proposes step after step, each as long as the Taylor terms and the trusted code allow."""

    def __init__(self, system: Flow, rung: Rung) -> None:
        self.system, self.rung = system, rung
        self.formula = self.field = field_of(system)
        self.proposer = Proposer(system, self.field, rung.order, rung.goal)
        bounds = bounds_of(system)
        self.blocks, self.bounds = system.blocks(), None if bounds is None else _Observed(bounds)
        # What has bounds of its own evaluates its formula seldom.
        self.is_straight = self.bounds is None
        self.latest: Array | None = None
        self.limit = np.inf
        self.spoilt = False
        self.length, self.parts, self.rate, self.error = 0.25, 1, 0.0, 0.0
        self.foreseen: Forecast | None = None
        self.foreseen_since = self.foreseen_until = fmpq(0)

    def foresee(self, state: list[arb], begin: fmpq, remaining: fmpq, clocks: list[bool]) -> None:
        """Forecast the best weights from here on, where the last forecast ends, if there are bounds as sharp as it.

        Raises EnclosureError if the forecast errors exceed this rung by far.
        """
        if self.bounds is None or begin < self.foreseen_until:
            return
        ahead = float(fraction(remaining))
        try:
            self.foreseen = forecast(self.proposer.rate, np.array([float(v) for v in state]), ahead, self.blocks, clocks)
        except (*NOT_BATCHED, *OUT_OF_FLOATS):
            self.foreseen = None
        until = ahead if self.foreseen is None else self.foreseen.until
        self.foreseen_since = begin
        self.foreseen_until = begin + (remaining if until >= ahead else _dyadic(until))
        if self.foreseen is not None and self.foreseen.growth > HOPELESS - np.log(self.rung.goal):
            digits = self.foreseen.growth / np.log(10)
            raise EnclosureError(f"errors are foreseen to grow by {digits:.0f} digits from t = {short(begin)} on")

    def straighten(self, state: list[arb], speeds: Sequence[object]) -> None:
        """Evaluate the field as a straight line from here on, where it is one; drawn anew, it chooses best here."""
        line = straight_line(self.formula, state, speeds) if self.is_straight else None
        self.is_straight = line is not None
        self.field = line or self.formula
        self.proposer.follow(line)

    def step(self, before: CertifiedStep | None, state: list[arb], begin: fmpq, remaining: fmpq) -> CertifiedStep:
        """A certified step from the box `state`.

        The first step starts at the origin, whose balls are its rounding and no error; later ones start at midpoints.
        """
        try:
            speeds = self.formula(state)
        except (ZeroDivisionError, ValueError) as pole:
            raise EnclosureError(f"the field is not analytic at t = {short(begin)}: {pole}") from None
        except UndecidedError as choice:
            raise EnclosureError(f"the field makes a choice at t = {short(begin)}: {choice}") from None
        self.straighten(state, speeds)
        clocks = [isinstance(speed, fmpq) and arb(speed).is_exact() for speed in speeds]
        self.foresee(state, begin, remaining, clocks)
        points = state if before is None else [v if clock else v.mid() for v, clock in zip(state, clocks, strict=True)]
        # The first attempts look for the length that costs least for the way, the last ones for any that is certified.
        for attempt in range(16):
            h = min(remaining, _dyadic(self.length))
            try:
                rows, wanted = self.proposer.polynomials(points, h)
            except (NoProposalError, UndecidedError):
                self.length = float(h) / 3
                continue
            if wanted < 0.6 * float(h) and attempt < 8:
                self.length = max(wanted, float(h) / 64)  # Taylor terms that leave float64 tell no length
                continue
            for i in (i for i, clock in enumerate(clocks) if clock):
                rows[i] = [points[i], arb(speeds[i])]
            step = self.certified(before, state, rows, clocks, begin, h)
            # It tells less far, and needs no logarithmic norm: only where shorter steps have not helped.
            if step is None and attempt >= 4 and self.bounds is None:
                step = self.by_remainder(state, rows, clocks, h)
            if step is not None:
                # What the step adds to the error, in units of what a step may add: shorter steps while that is too much.
                excess = float(step.slope) * float(h) / (100 * self.rung.goal + float(step.start) / 4)
                if excess <= 1 or attempt >= 8:
                    self.proposer.accept(h)
                    self.limit *= 1.15  # what failed once may do on another part of the way
                    self.length = (
                        self.bounds.reach(float(h), self.rung, GROW) if self.bounds else min(self.limit, 1.5 * float(h))
                    )
                    return step
                self.length = float(h) * max(0.3, 0.9 * min(excess, 1e30) ** (-1 / self.rung.order))
            else:
                if self.error > LOST:
                    raise EnclosureError(f"errors have grown to {self.error:.1g} at t = {short(begin)}")
                self.length = (
                    self.bounds.reach(float(h), self.rung, SHRINK) if self.bounds and self.spoilt else float(h) / 2
                )
            self.limit = self.length
        raise EnclosureError(f"no certified step at t = {short(begin)}")

    def certified(
        self, before: CertifiedStep | None, state: list[arb], rows: Rows, clocks: list[bool], begin: fmpq, h: fmpq
    ) -> CertifiedStep | None:
        """The step as the trusted code certifies it, in the narrower of two tubes, if it does."""
        weights = self.weights(state, rows, clocks, h)
        begins_exactly = before is None and all(value is row[0] for value, row in zip(state, rows, strict=True))
        error = arb(0) if begins_exactly else start_error(before, state, rows, weights, self.blocks)
        self.spoilt, self.error = False, float(error)
        # The narrow tube bounds the growth best; where the error does not stay in it the wide one is asked, in more parts.
        for widening, parts in ((8, self.parts), (1000, max(8, self.parts))):
            width = upper(widening * (error + 100 * arb(self.rung.goal)))
            try:
                step = certify_step(
                    self.field, rows, h, self.rung.order, weights, error, width, self.blocks, parts, self.bounds
                )
            except (ZeroDivisionError, ValueError, UndecidedError):  # a pole inside the tube, or a choice
                step = None
            if step is None and self.bounds is not None and not self.bounds.latest * float(h) < 100 * float(width):
                self.spoilt = True  # no tube is wide enough for this defect
                break
            if step:
                swollen = float(step.error / step.start) if step.start > 0 else 1.0
                # What is foreseen, or seen at the middle of the step, no number of parts would save.
                swollen /= np.exp(self._growth(float(fraction(begin - self.foreseen_since)), float(h)))
                if swollen > LOSS:
                    self.parts = min(MOST_PARTS, 2 * parts)
                else:
                    self.parts = max(1, parts // 2) if swollen < LOSS**0.25 else parts
                return step
        return None

    def _growth(self, since: float, h: float) -> float:
        """The logarithm of the growth of errors that a step has in float64, in the weights in use."""
        return self.rate * h if self.foreseen is None else self.foreseen.growth_over(since, since + h)

    def by_remainder(self, state: list[arb], rows: Rows, clocks: list[bool], h: fmpq) -> CertifiedStep | None:
        """The step by an a priori box around the polynomials, for fields whose logarithmic norm tells too little."""
        box = []
        for value, row in zip(state, rows, strict=True):
            # Somewhat more than the polynomials reach, or no box would hold what its own derivative leads to.
            reached = value.union(arb_poly(row)(arb(h / 2, h / 2)))
            box.append(reached + arb(0, reached.rad() / 8 + arb(2) ** -(flint.ctx.prec // 2)))
        try:
            weights = [arb(0) if clock else arb(1) for clock in clocks]
            return certify_step_by_remainder(self.field, state, h, self.rung.order, box, weights, self.blocks)
        except (ZeroDivisionError, ValueError, UndecidedError):
            return None

    def weights(self, state: list[arb], rows: Rows, clocks: list[bool], h: fmpq) -> list[arb]:
        """Exact weights under which errors should grow least: those foreseen, or else the best by the Jacobian in float64.

        In the comparison matrix (logarithmic norms of the diagonal blocks, norms of the others) the eigenvector of
        Perron's eigenvalue is best for growth on this step alone, the old weights hand errors over without loss: of these
        and mixtures of them the best is taken.
        """
        with np.errstate(all="ignore"):  # what overflows is no proposal
            scale = np.array([max(1.0, *(abs(float(rows[i][0])) for i in block)) for block in self.blocks])
            best = self._greedy(state, rows, clocks, h, scale) if self.foreseen is None else self.foreseen.weights
            # In units in which no coordinate is asked for more than the goal, relative to its size.
            counted = [k for k, block in enumerate(self.blocks) if not clocks[block.start]]
            best = best / 2.0 ** np.floor(np.log2(min((best[k] / scale[k] for k in counted), default=1.0)))
        if not np.isfinite(best).all():
            raise OverflowError("the weights are not finite")
        weights = [arb(0)] * len(rows)
        for size, block in zip(best, self.blocks, strict=True):
            for i in block:
                if not (clocks[i] and len(block) == 1):
                    weights[i] = arb(float(size))
        return weights

    def _greedy(self, state: list[arb], rows: Rows, clocks: list[bool], h: fmpq, scale: Array) -> Array:
        """The best weights by the Jacobian now, where nothing is foreseen: powers of two."""
        matrix = self._comparison(rows, arb(h / 2), clocks)
        sizes = np.array([float(upper(state[block.start] - rows[block.start][0])) for block in self.blocks])
        perron = _perron(matrix * scale / scale[:, None])
        # Perron's vector may be tiny for who follows nobody, and a tiny weight makes much of what is handed over.
        candidates = [scale * np.maximum(perron, floor) for floor in (0.5, 1e-1, 1e-2, 1e-4, 1e-8)]
        if self.latest is not None:
            candidates += [self.latest, *(np.sqrt(self.latest * candidate) for candidate in candidates)]

        def cost(weights: Array) -> float:
            start = np.log(max((sizes / weights).max(), 1e-300)) if sizes.any() else 0.0
            growth = ((matrix @ weights) / weights).max() * AHEAD * float(h)
            return float(start + max(growth, 0.0) + np.log((weights / scale).max()))

        best = min(candidates, key=cost)
        if not np.isfinite(best).all():
            raise OverflowError("the weights are not finite")
        # Powers of two, so that weights are carried without rounding.
        self.latest = 2.0 ** np.clip(np.round(np.log2(best)), -1000, 1000)
        self.rate = min(max(float(((matrix @ self.latest) / self.latest).max()), 0.0), 100.0 / float(h))
        return self.latest

    def _comparison(self, rows: Rows, time: arb, clocks: list[bool]) -> Array:
        """Logarithmic norms of the diagonal blocks of the Jacobian and norms of the others, in float64."""
        jacobian = np.nan_to_num(
            self.proposer.jacobian([[evaluate(row, time)] for row in rows]), nan=0.0, posinf=1e30, neginf=-1e30
        )
        size = len(self.blocks)
        matrix = np.zeros((size, size))
        for a, block in enumerate(self.blocks):
            for b, other in enumerate(self.blocks):
                part = jacobian[block.start : block.stop, other.start : other.stop]
                if a == b:
                    matrix[a, b] = np.linalg.eigvalsh((part + part.T) / 2)[-1]
                elif not (clocks[other.start] or clocks[block.start]):
                    matrix[a, b] = np.linalg.norm(part)
        return matrix


def _perron(matrix: Array) -> Array:
    """The eigenvector of the largest eigenvalue of a matrix with nonnegative entries off the diagonal, largest entry 1."""
    # A tiny coupling of all with all makes the eigenvector positive where coordinates do not attend to one another.
    values, vectors = np.linalg.eig(matrix + 1e-12 * (1 + np.abs(matrix).max()))
    vector = np.abs(vectors[:, np.argmax(values.real)])
    return np.asarray(vector / vector.max())


def short(time: fmpq) -> str:
    """A time of any size in six digits."""
    try:
        return f"{float(fraction(time)):.6g}"
    except OverflowError:
        return str(arb(time).str(6, radius=False))


def _dyadic(value: float) -> fmpq:
    """A short dyadic number just below a positive float: step lengths stay cheap to carry exactly.

    Raises OverflowError where there is none.
    """
    if not 0 < value < np.inf:
        raise OverflowError(f"a step of length {value}")
    exponent = int(np.floor(np.log2(value))) - 3
    return fmpq(int(value / 2.0**exponent)) * fmpq(2) ** exponent
