"""Certified steps joined to a trajectory, its enclosure at any time, and the sign of a slack between the times.

Sections 10 and 11 of docs/certified_trajectories.md. Nothing here proposes: steps come certified, are handed over by
:func:`start_error`, and a slack is decided over whole steps.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import flint
from flint import arb, arb_series, fmpq

from dynamics.arithmetic import Array, numbers, working_precision
from dynamics.choices import KinkError, UndecidedError, decided_choices, guarded, guarded_numbers, looks, plain
from dynamics.showing import as_table
from dynamics.system import Flow
from dynamics.trusted.straight_line import straight_line
from dynamics.trusted.taylor import Blocks, CertifiedStep, Rows, SeriesMap, along, euclidean, evaluate, sign_on, upper

Slack = Callable[[Flow], Array]


@dataclass(frozen=True)
class Decision:
    """Whether a slack keeps its sign on [0, T]: `sign` 1 yes, -1 certainly violated at `time`, None undecided there.

    `least` encloses the smallest value met at the ends of steps. Where the slack is violated it is that of `entry`, its
    place in the flat slack, at `time`.
    """

    sign: int | None
    time: fmpq | None
    least: arb | None
    entry: int | None = None


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

    def joins(self) -> bool:
        """Whether the steps begin at the origin, follow one another and hand over all that they end with."""
        before: CertifiedStep | None = None
        lengths = [end - begin for begin, end in itertools.pairwise(self.times)]
        if self.times[0] != 0 or lengths != [step.length for step in self.steps]:
            return False
        with series_precision(self.bits, self.order):
            state = [arb(entry) for name in self.origin.moving for entry in getattr(self.origin, name).flat]
            for step in self.steps:
                if not takes_over(before, state, step):
                    return False
                before = step
        return True

    def at(self, time: fmpq) -> Flow:
        """The system at a time of [0, T], enclosed in balls. Raises ValueError outside."""
        for begin, step in zip(self.times, self.steps, strict=False):
            if begin <= time <= begin + step.length:
                with series_precision(self.bits, self.order):
                    return self.origin.with_state(state_at(step, time - begin))
        raise ValueError(f"time {time} is outside [0, {self.horizon}]")

    def end(self) -> Flow:
        """The system at time T, enclosed in balls."""
        return self.at(self.horizon)

    def _repr_html_(self) -> str:
        """What it encloses, for a notebook."""
        rows = (("certified up to", self.horizon), ("steps", len(self.steps)), ("radius", self.radius), ("bits", self.bits))
        return as_table(f"Trajectory of {type(self.origin).__name__}", rows)

    def decide(self, slack: Slack, strict: bool, refinements: int = 10) -> Decision:
        """Whether `slack` is >= 0 (or > 0 if `strict`, at every t > 0) on the whole of [0, T], between steps too."""
        formula: SeriesMap = lambda state: flat((slack(self.origin.with_state(state)),))  # noqa: E731
        least: arb | None = None
        undecided: fmpq | None = None
        with series_precision(self.bits, self.order):
            origin = list(numbers(slack(self.origin)).flat)
            function: SeriesMap | None = formula
            for begin, step in zip(self.times, self.steps, strict=False):
                # Drawn anew at every step: which operations a formula makes may depend on where it is.
                function = function and _straight(formula, [row[0] for row in step.polynomials])
                # Once a sign is open only a violation can still decide, and it needs no refinement to be found.
                pending = [(fmpq(0), step.length, refinements if undecided is None else 1)]
                while pending:
                    low, high, depth = pending.pop()
                    # From the start itself sign_on may divide by t, and a slack that begins at 0 can be decided.
                    starts = begin == 0 and low == 0
                    center = fmpq(0) if starts else (low + high) / 2
                    doubt: fmpq | None = None
                    rows = _rows(step, function or formula, low, high, center, self.order, len(origin))
                    for entry, (row, at_origin) in enumerate(zip(rows, origin, strict=True)):
                        if starts and step.error.is_zero():
                            # The polynomials start at the origin itself, where exact data may give an exact slack.
                            row[0] = arb(at_origin)
                        value = evaluate(row, arb(high - center))
                        # By upper ends: a wide enclosure gives way to the sharper one of a half of its piece.
                        if value.is_finite() and (least is None or value.upper() < least.upper()):
                            least = value
                        sign, time = sign_over(row, low, high, center, strict, min(depth, 3))
                        if sign == -1:
                            return Decision(-1, begin + time, evaluate(row, arb(time - center)), entry)
                        if sign is None and doubt is None:
                            doubt = time
                    if doubt is None:
                        continue
                    if depth == 0:
                        undecided = begin + doubt if undecided is None else undecided
                        continue
                    # Expanding again on each half is dearer than bisecting the sign, and sharper.
                    pending += [((low + high) / 2, high, depth - 1), (low, (low + high) / 2, depth - 1)]
        return Decision(1 if undecided is None else None, undecided, least)


def _straight(formula: SeriesMap, state: Sequence[arb]) -> SeriesMap | None:
    """The formula as a straight line, drawn at a state; None where it is none."""
    try:
        return straight_line(formula, state, formula(list(state)))
    except (ZeroDivisionError, ValueError, UndecidedError):
        return None


def _rows(step: CertifiedStep, formula: SeriesMap, low: fmpq, high: fmpq, center: fmpq, order: int, count: int) -> Rows:
    """:func:`along`, to first order where a maximum may switch between two functions.

    The rows tell nothing where the formula has a pole in the tube, or makes a choice that is not the same in all of it.
    """
    # A maximum has a first derivative almost everywhere and no second one: to first order its hull is an enclosure.
    for length in (order, 1):
        try:
            return along(step, formula, low, high, center, length)
        except KinkError:
            continue
        except (ZeroDivisionError, ValueError, UndecidedError):
            break
    return [[arb("nan"), arb("nan")] for _ in range(count)]


def field_of(system: Flow) -> SeriesMap:
    """The velocity as a map of flat states, on balls or power series of them: on guarded numbers where it compares any.

    A velocity that makes no comparison on guarded numbers makes the same operations on all numbers of a kind, and runs on
    flint's own: section 13. Raises UndecidedError where a choice between states in the balls stays open.
    """

    def guarded_field(state: list[object]) -> list[object]:
        with guarded_numbers(), decided_choices():
            return [plain(entry) for entry in flat(system.with_state([guarded(entry) for entry in state]).velocity())]

    def bare_field(state: list[object]) -> list[object]:
        return flat(system.with_state(state).velocity())

    return bare_field if _never_looks(guarded_field, system) else guarded_field


def _never_looks(field: SeriesMap, system: Flow) -> bool:
    """Whether the field compares nothing on balls, nor on series: then it compares nothing on any."""
    start = [arb(entry) for name in system.moving for entry in getattr(system, name).flat]
    before = looks()
    try:
        with series_precision(64, 2):
            # Both kinds: a formula may branch on what it is given, and compare series alone.
            field(start)
            field([arb_series([value, 1], 2) for value in start])
    except (ArithmeticError, ValueError, TypeError):
        return False
    return looks() == before


@contextmanager
def series_precision(bits: int, order: int) -> Iterator[None]:
    """Precision and series length, restored afterwards: both are global in flint."""
    cap = flint.ctx.cap
    flint.ctx.cap = order + 2
    try:
        with working_precision(bits):
            yield
    finally:
        flint.ctx.cap = cap


def flat(arrays: tuple[Array, ...]) -> list[object]:
    """The entries of several arrays, one after the other."""
    return [entry for array in arrays for entry in numbers(array).flat]


def state_at(step: CertifiedStep, time: fmpq) -> list[arb]:
    """Balls that contain the solution at a time of the step."""
    t = arb(time)
    # At the end the bound that keeps the contraction; inside only the one that holds at all times.
    bound = step.final if time == step.length else upper(step.error + step.slope * t)
    return [evaluate(row, t) + weight * arb(0, bound) for row, weight in zip(step.polynomials, step.weights, strict=True)]


def start_error(
    before: CertifiedStep | None, state: Sequence[arb], polynomials: Rows, weights: Sequence[arb], blocks: Blocks
) -> arb:
    """An exact error with which polynomials may start where a step ends, or at the exact `state` before the first.

    In each block at least (|q_b(h) - p_b(0)| + old w_b final) / w_b, q the step's own polynomials: a box around the block
    would cost a factor sqrt(d) each time. Nothing where the balls p_b(0) hold all that the solution may be, for then one
    of their members begins with it; infinite where those of a clock (weight 0) do not, or where the blocks change.
    """
    # Errors are known in the old norm: what they are in the new one would have to be shown.
    if before is not None and before.blocks != blocks:
        return arb("inf")
    centers = list(state) if before is None else [evaluate(row, arb(before.length)) for row in before.polynomials]
    error = arb(0)
    for block in blocks:
        i = block.start
        reach = arb(0) if before is None else before.weights[i] * before.final
        # Every member of the polynomials' balls is certified: one of them starts where the solution is.
        if all(polynomials[k][0].contains(centers[k] + arb(0, upper(reach))) for k in block):
            continue
        if weights[i].is_zero():
            return arb("inf")
        away = euclidean([centers[k] - polynomials[k][0] for k in block])
        # |x - p| <= |x - q| + |q - p|, both in the norm of the block: no box is put around it.
        error = error.max((away + reach) / weights[i])
    return upper(error)


def takes_over(before: CertifiedStep | None, state: Sequence[arb], step: CertifiedStep) -> bool:
    """Whether a step is certified from all that the step before it ends with, or from the exact `state` at the start."""
    if step.starts is not None:
        reached = list(state) if before is None else state_at(before, before.length)
        return all(ball.contains(value) for ball, value in zip(step.starts, reached, strict=True))
    if step.blocks is None:
        return False
    return bool(start_error(before, state, step.polynomials, step.weights, step.blocks) <= step.start)


def sign_over(
    row: list[arb], low: fmpq, high: fmpq, center: fmpq, strict: bool, refinements: int
) -> tuple[int | None, fmpq]:
    """The sign of one slack on [low, high] by bisection in time: 1, or -1 or None with a time where it fails."""
    pending = [(low, high, refinements)]
    undecided: fmpq | None = None
    while pending:
        begin, end, depth = pending.pop()
        sign = sign_on(row, begin, end, center)
        if sign == 1 or (sign == 0 and not strict):
            continue
        # An open sign on the piece may be a certain violation at its end: a point decides what an interval does not.
        if sign is not None or sign_on(row, end, end, center) == -1:
            return -1, end
        if depth == 0:
            undecided = begin if undecided is None else undecided
            continue
        middle = (begin + end) / 2
        pending += [(begin, middle, depth - 1), (middle, end, depth - 1)]
    return (1, low) if undecided is None else (None, undecided)
