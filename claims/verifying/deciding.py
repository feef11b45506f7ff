"""One instance, one conclusion, up the ladder of precisions to a verdict.

Nothing here compares floats. A slack is evaluated on exact rationals, which become balls where a transcendental function
needs them, and numbers in closed form where balls leave a zero open; undecided comparisons raise the precision until the
cap, then the verdict is UNDECIDED.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np
from flint import arb, arb_series, fmpq

from claims.stating.experiments import Comparison, Majority, RecordError, Word
from claims.stating.statement import ALONG_A_FLOW, ClaimError, Conclusion, Form, Relation
from claims.stating.verdict import Known, Outcome, Verdict, Witness
from claims.verifying.chances import check_tail
from dynamics.arithmetic import (
    FLOAT64,
    MULTIPRECISION,
    Array,
    UndecidedError,
    fraction,
    numbers,
    precisions,
    rational,
    sign,
    working_precision,
)
from dynamics.choices import check_result, height, plain
from dynamics.enclosures.steps import EnclosureError, Trajectory, enclosures, short
from dynamics.integrate import integrate
from dynamics.system import System
from dynamics.trusted.closed_forms import closed_forms

LOWEST_BITS = 64
HIGHEST_BITS = 1 << 24
IDENTITY_BITS = 256
OPINION_BITS = 256  # of a ball that mpmath is asked about: far more than the digits that are told of it
IDENTITY_RADIUS = fmpq(1, 10**60)
"""An identity holds, *to 60 digits*, when every entry that is not exactly zero is a ball around zero narrower than this."""


@dataclass(frozen=True)
class Effort:
    """The effort for one verdict: caps on bits, a trajectory's coordinates and halvings, a chain's picks, and steps run.

    Trajectories have a lower cap of their own: a slack still open at 128 bits mostly vanishes, and the next rung of the
    ladder costs ten times as much.
    """

    bits: int = 1 << 16
    trajectory_bits: int = 128
    halvings: int = 10
    branches: int = 12000
    coordinates: int = 24
    steps: int = 1_000_000

    def __post_init__(self) -> None:
        if self.bits < LOWEST_BITS:
            raise ValueError(f"a precision cap of {self.bits} bits is too low: the ladder starts at {LOWEST_BITS}")
        if self.bits > HIGHEST_BITS:
            raise ValueError(f"a precision cap of {self.bits} bits is too high: no comparison ends beyond {HIGHEST_BITS}")


def check(conclusion: Conclusion, system: Any, effort: Effort = Effort()) -> Verdict:
    """Decide one conclusion on one exact instance; the caller decides whether its assumptions hold there."""
    if conclusion.form is Form.PROBABILITY:
        return check_tail(conclusion, system, effort.branches)
    if conclusion.form in (Form.TRAJECTORY, Form.RATE):
        return _check_trajectory(conclusion, system, effort)
    if conclusion.form is Form.LIMIT:
        return _check_limit(conclusion, system, effort)
    if conclusion.form is Form.EXPERIMENT:
        return check_experiment(conclusion, effort)
    return _check_slack(conclusion, system, effort)


# ---------------------------------------------------------------------------------------------------------------------
# Slacks at a state or of a step


def lowest_entry(values: Array) -> Any:
    """The entry whose lower end is smallest, which bounds them all: a rational where that is exact, else a ball."""
    return min(values.flat, key=lambda value: ball.lower() if isinstance(ball := plain(value), arb) else ball)


def most_violated(values: Array, relation: Relation, bits: int, times: tuple[fmpq, ...] = ()) -> Witness | None:
    """Of the entries that certainly break the relation, the one with the worst midpoint; None if there is none."""
    entries, forbidden = list(values.flat), relation.forbidden
    bad = [place for place, value in enumerate(entries) if sign(value) in forbidden]
    if not bad:
        return None
    middles = {place: height(entries[place]) for place in bad}
    worst = min(bad, key=lambda place: -abs(middles[place]) if relation is Relation.ZERO else middles[place])
    return Witness(_place(worst, values.shape), entries[worst], bits, times)


def _place(index: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(k) for k in np.unravel_index(index, shape))


def _enclosed(slack: Any) -> Array:
    # An entry that is rounded without a bound decides nothing: check_result raises UndecidedError, and names it.
    values = numbers(slack)
    for value in values.flat:
        if not isinstance(value, arb | arb_series):
            check_result(value)
    return values


def values_of(conclusion: Conclusion, system: Any, closed: bool) -> Array:
    """The slack in rationals and balls, where it is `closed` by way of numbers in closed form. Raises UndecidedError."""
    with closed_forms() if closed else nullcontext():
        return _enclosed(conclusion.slack(system))


def _check_slack(conclusion: Conclusion, system: Any, effort: Effort) -> Verdict:
    identity = conclusion.relation is Relation.ZERO
    lowest = max(LOWEST_BITS, min(IDENTITY_BITS, effort.bits)) if identity else LOWEST_BITS
    reason = ""
    for bits in precisions(lowest, effort.bits):
        # Inequalities are decided by few bits, but for those where two sides are equal: closed forms cost more.
        closed = identity or bits > IDENTITY_BITS
        with working_precision(bits):
            try:
                values = values_of(conclusion, system, closed)
            except UndecidedError as error:
                if not error.precision_helps:
                    return Verdict(Outcome.UNDECIDED, None, None, str(error))
                reason = f"{error} at {bits} bits"
                continue
            if values.size == 0:
                return Verdict(Outcome.HOLDS, None, None, "nothing to compare")
            witness = most_violated(values, conclusion.relation, bits)
            if witness is not None and closed:
                # What balls show as well rests on them alone.
                with suppress(UndecidedError):
                    balls = values_of(conclusion, system, closed=False)
                    shown = most_violated(balls, conclusion.relation, bits)
                    values, witness = (values, witness) if shown is None else (balls, shown)
            known = Known.EXACT if all(isinstance(value, fmpq) for value in values.flat) else Known.CERTIFIED
            if witness is not None:
                return Verdict(Outcome.VIOLATED, known, witness.slack, witness=witness)
            signs = [sign(value) for value in values.flat]
            if identity:
                if all(s == 0 or value.rad() < IDENTITY_RADIUS for s, value in zip(signs, values.flat, strict=True)):
                    worst = max(values.flat, key=lambda value: abs(height(value)))
                    return Verdict(Outcome.HOLDS, Known.EXACT if known is Known.EXACT else Known.TO_DIGITS, worst)
            elif None not in signs:
                return Verdict(Outcome.HOLDS, known, lowest_entry(values))
            reason = f"the sign of {lowest_entry(values)} is open at {bits} bits"
    return Verdict(Outcome.UNDECIDED, None, None, reason)


@dataclass(frozen=True)
class Opinion:
    """What mpmath says of a slack: to how many digits it agrees with the balls, and its objection if it has one.

    Digits are limited by the widest ball: nothing is said of what lies in it.
    """

    digits: float
    objection: str = ""


def second_opinion(conclusion: Conclusion, system: Any) -> Opinion | None:
    """What mpmath says of a slack whose entries are enclosed at OPINION_BITS bits; None where there is no such ball.

    Evaluates the same formula on mpmath numbers, which share no code with the balls: a number outside its ball is an
    objection. What mpmath rounds is seen at twice the bits. Rational slacks are not compared: rounded numbers may break the
    ties that decide an exact slack.
    """
    if conclusion.exact_only or conclusion.form in (*ALONG_A_FLOW, Form.PROBABILITY):
        return None
    with working_precision(OPINION_BITS):
        balls = numbers(conclusion.slack(system))
        if not any(isinstance(ball, arb) for ball in balls.flat):
            return None
        if any(isinstance(ball, arb) and not ball.is_finite() for ball in balls.flat):
            return None  # an elimination, for one, that needs more bits than these
        rounded = numbers(conclusion.slack(system.to(MULTIPRECISION)))
        digits = float(mpmath.mp.dps)
    with working_precision(2 * OPINION_BITS):
        finer = numbers(conclusion.slack(system.to(MULTIPRECISION)))
        for place, (ball, near, number) in enumerate(zip(balls.flat, rounded.flat, finer.flat, strict=True)):
            middle, radius = _to_mpmath(height(ball)), _to_mpmath(ball.rad() if isinstance(ball, arb) else 0)
            size = max(abs(middle), mpmath.mpf(1))
            off, error = abs(number - middle), abs(number - near) + mpmath.ldexp(size, 8 - OPINION_BITS)
            if not off <= radius + error:  # a NaN is not
                text = f"entry {_place(place, balls.shape)} is {mpmath.nstr(number, 12)}, outside of {ball}"
                return Opinion(0.0, text)
            if off + radius > 0:
                digits = min(digits, max(0.0, float(-mpmath.log10((off + radius) / size))))
    return Opinion(digits)


def _to_mpmath(value: Any) -> Any:
    if isinstance(value, arb):
        mantissa, exponent = value.man_exp()
        return mpmath.ldexp(mpmath.mpf(int(mantissa)), int(exponent))
    value = rational(value)
    return mpmath.mpf(int(value.p)) / int(value.q)


# ---------------------------------------------------------------------------------------------------------------------
# Along trajectories


def _check_trajectory(conclusion: Conclusion, system: Any, effort: Effort) -> Verdict:
    assert conclusion.horizon is not None
    with suppress(UndecidedError):  # where its value is open there is something to compare
        if numbers(conclusion.slack(system, system)).size == 0:
            return Verdict(Outcome.HOLDS, None, None, "nothing to compare")
    coordinates = sum(getattr(system, name).size for name in system.moving)
    if coordinates > effort.coordinates:
        return _sample_trajectory(conclusion, system, f"{coordinates} coordinates: sampled in float64, not certified")
    undecided = Verdict(Outcome.UNDECIDED, None, None, "")
    try:
        for trajectory in enclosures(
            system, conclusion.horizon(system), most_bits=min(effort.bits, effort.trajectory_bits)
        ):
            strict = conclusion.relation is Relation.POSITIVE
            try:
                decision = trajectory.decide(lambda now: _enclosed(conclusion.slack(now, system)), strict, effort.halvings)
            except UndecidedError as error:  # at the start itself: more bits may tell
                undecided = Verdict(Outcome.UNDECIDED, None, None, str(error))
                continue
            others = sum(step.method != "logarithmic norm" for step in trajectory.steps)
            # A priori boxes are wide: a reader who wonders at a wide slack is to see why it is.
            how = f"; {others} of {len(trajectory.steps)} steps by a priori boxes" if others else ""
            if decision.sign == 1:
                text = f"for all times in (0, {short(trajectory.horizon)}]{how}"
                return Verdict(Outcome.HOLDS, Known.CERTIFIED, decision.least, text, trajectory=trajectory)
            assert decision.time is not None
            when = f"at time {short(decision.time)}"
            if decision.sign == -1:
                assert decision.entry is not None
                with working_precision(trajectory.bits):
                    shape = numbers(conclusion.slack(system, system)).shape
                place = _place(decision.entry, shape)
                witness = Witness(place, decision.least, trajectory.bits, (decision.time,))
                return Verdict(Outcome.VIOLATED, Known.CERTIFIED, decision.least, when + how, witness, trajectory)
            undecided = Verdict(Outcome.UNDECIDED, None, decision.least, f"the sign is open {when}")
    except (EnclosureError, UndecidedError) as error:
        return Verdict(Outcome.UNDECIDED, None, None, str(error))
    return undecided


@dataclass(frozen=True)
class LimitReading:
    """The slack of a limit: decided by a trap `when` it caught the state, or read from states at times up to `when`."""

    when: fmpq
    values: Array
    trajectory: Trajectory
    decided: bool

    @property
    def basis(self) -> str:
        """What the slack rests on."""
        return f"for ever from t = {short(self.when)} on" if self.decided else f"read at times up to {short(self.when)}"


def limit_readings(conclusion: Conclusion, system: Any, effort: Effort) -> Iterator[LimitReading]:
    """The slack of a limit, later and later, in more and more bits. Raises UndecidedError or EnclosureError for none."""
    assert conclusion.times is not None
    times, trap = list(conclusion.times(system)), conclusion.trap
    # Each time by a trajectory of its own: most starts are caught at the first, long before the last. A slack that is
    # still open then is looked at later before it is looked at in more bits, which cost more.
    most_bits = min(effort.bits, effort.trajectory_bits)
    pending = [
        (when, enclosures(system, when, most_bits=most_bits)) for when in (times if trap is not None else [max(times)])
    ]
    failure: ArithmeticError = UndecidedError("no time was tried")
    found = False
    while pending:
        asked, pending = pending, []
        for when, finer in asked:
            try:
                trajectory = next(finer, None)
            except EnclosureError as error:
                failure = error
                break  # what cannot be followed so far cannot be followed farther
            if trajectory is None:
                continue
            with working_precision(trajectory.bits):
                try:
                    if trap is None:
                        seen: Any = [trajectory.at(time) for time in times]
                    else:
                        seen = conclusion.shown(trajectory.end(), system)
                        _refuse_what_passes(conclusion, seen)
                    values = _enclosed(conclusion.slack(seen, system))
                except UndecidedError as error:
                    failure = error
                    if error.precision_helps:
                        pending.append((when, finer))
                    continue
            found = True
            pending.append((when, finer))
            yield LimitReading(when, values, trajectory, decided=trap is not None)
    if not found:
        raise failure


def _refuse_what_passes(conclusion: Conclusion, caught: Any) -> None:
    # A state is known at one time only, and would be taken for the limit; so would a trap that has not been asked.
    if isinstance(caught, System):
        raise ClaimError(f"{conclusion.name}: the trap returns a state: it must return what holds for ever after it")
    if callable(caught):
        name = getattr(conclusion.trap, "__name__", "name")
        raise ClaimError(f"{conclusion.name}: {name} makes a trap of what it is given: write trap={name}(...)")


def _check_limit(conclusion: Conclusion, system: Any, effort: Effort) -> Verdict:
    # What a trap shows holds for ever; states at finitely many times are evidence, and never violate a limit.
    reason = ""
    try:
        for reading in limit_readings(conclusion, system, effort):
            with working_precision(reading.trajectory.bits):
                verdict = _of_limit(conclusion.relation, reading)
            if verdict is not None:
                return verdict
            reason = f"the sign of {lowest_entry(reading.values)} is open {reading.basis}"
    except (EnclosureError, UndecidedError) as error:
        reason = str(error)
    return Verdict(Outcome.UNDECIDED, None, None, reason)


def _of_limit(relation: Relation, reading: LimitReading) -> Verdict | None:
    """The verdict on the slack of a limit, None where a sign is open: numerical at best unless a trap decided it."""
    values, basis = reading.values, reading.basis
    if values.size == 0:
        return Verdict(Outcome.HOLDS, None, None, "nothing to compare")
    witness = most_violated(values, relation, reading.trajectory.bits, (reading.when,))
    if witness is not None:
        if reading.decided:
            return Verdict(Outcome.VIOLATED, Known.CERTIFIED, witness.slack, basis, witness, reading.trajectory)
        return Verdict(Outcome.UNDECIDED, None, None, f"the slack {witness.slack} {basis} decides no limit")
    if any(sign(value) is None for value in values.flat):
        return None
    known = Known.CERTIFIED if reading.decided else Known.NUMERICAL
    return Verdict(Outcome.HOLDS, known, lowest_entry(values), basis, trajectory=reading.trajectory)


def check_experiment(conclusion: Conclusion, effort: Effort) -> Verdict:
    """HOLDS, numerically, when every reading agrees with the printed number, statistically when every comparison does."""
    try:
        readings = conclusion.slack(effort.steps)
    except (ModuleNotFoundError, RecordError) as error:
        return Verdict(Outcome.UNDECIDED, None, None, f"not run: {error}")
    if not readings:
        return Verdict(Outcome.UNDECIDED, None, None, f"no reading within {effort.steps} steps")
    if isinstance(readings[0], (Comparison, Majority)):
        return _in_words(readings)
    for reading in readings:
        # Asked in this way NaN does not agree.
        if not reading.slack >= 0:
            return Verdict(Outcome.UNDECIDED, None, None, f"{reading.name}: {reading.text}, not {reading.printed}")
    texts = ", ".join(f"{reading.name} {reading.text}" for reading in readings)
    return Verdict(Outcome.HOLDS, Known.NUMERICAL, rational(min(reading.slack for reading in readings)), texts)


def _in_words(readings: Sequence[Comparison | Majority]) -> Verdict:
    """The verdict on printed comparisons: those that were run, however many were not."""
    data = tuple({"name": one.name, "word": one.word.value, "text": one.text} for one in readings)
    run = [reading for reading in readings if reading.word is not Word.NOT_RECORDED]
    if not run:
        reason = "not recorded: nothing of this is in the record of trained runs"
        return Verdict(Outcome.UNDECIDED, None, None, reason, readings=data)
    words = Counter(reading.word for reading in run)
    text = ", ".join(f"{words[word]} {word}" for word in Word if words[word])
    if words[Word.BORNE_OUT] < len(run):
        return Verdict(Outcome.UNDECIDED, None, None, text, readings=data)
    least_of_all = rational(min(reading.slack for reading in run))
    return Verdict(Outcome.HOLDS, Known.STATISTICAL, least_of_all, text, readings=data)


def _sample_trajectory(conclusion: Conclusion, system: Any, reason: str) -> Verdict:
    # Evidence only: it may fail to find a violation, and never decides one. Two tolerances, since the step control of the
    # coarse one may miss what the fine one sees.
    assert conclusion.horizon is not None
    try:
        # Without the start, of which a conclusion about later times says nothing.
        times = np.linspace(0, float(fraction(conclusion.horizon(system))), 65)[1:]
        start = system.to(FLOAT64)
    except OverflowError:
        return Verdict(Outcome.UNDECIDED, None, None, f"{reason}; its numbers are beyond float64")
    lowest = np.inf
    for tolerance in (1e-9, 1e-12):
        try:
            path = integrate(system, times.tolist(), tolerance)
        except ArithmeticError as error:
            return Verdict(Outcome.UNDECIDED, None, None, str(error))
        with np.errstate(all="ignore"):
            lowest = float(np.min([lowest, *(np.min(conclusion.slack(now, start)) for now in path)]))
    if not np.isfinite(lowest):
        return Verdict(Outcome.UNDECIDED, None, None, f"{reason}; the slack is not finite")
    if lowest > 0 or (lowest == 0 and conclusion.relation is Relation.NONNEGATIVE):
        return Verdict(Outcome.HOLDS, Known.NUMERICAL, rational(lowest), reason)
    return Verdict(Outcome.UNDECIDED, None, None, f"{reason}; least slack {lowest:.3g}")
