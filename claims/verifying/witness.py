"""Prepares the witness of a violation for a certificate: at a simple time, to many digits, with room for another method."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from flint import arb, fmpq

from claims.campaigns.deadlines import OutOfTimeError, within
from claims.stating.statement import Conclusion, Form
from claims.stating.verdict import Verdict, Witness
from claims.verifying.deciding import IDENTITY_BITS, LOWEST_BITS, Effort, most_violated, values_of
from dynamics.arithmetic import UndecidedError, numbers, precisions, sign, working_precision
from dynamics.choices import height
from dynamics.enclosures.steps import EnclosureError, enclosures
from dynamics.findings import from_here, listening
from dynamics.system import System

DIGITS = 14  # of a slack at a state where precision allows: two more than are printed

# Bits, relative to its size, to which the enclosure of a slack along a trajectory, of a limit, or of a chance is widened:
# another method that decides it again needs room for the width of its own enclosure.
ROOM, ROOM_FOR_LIMITS, ROOM_FOR_CHANCES = 36, 20, 12

SPARE_SECONDS = 1.0  # for a simpler time where the time is over: a certificate is read more often than written
GRID = 64  # simple times at most of one kind: one among more is no simpler than the time found


def witnessed(
    conclusion: Conclusion,
    system: System,
    verdict: Verdict,
    effort: Effort,
    horizon: fmpq | None = None,
    deadline: float = math.inf,
) -> Verdict:
    """The same verdict with its witness ready for a certificate; `horizon` is a time by which a trajectory violates.

    The violation is what it was, and of the same entry but along a trajectory, which is the one of the verdict: there a
    simple time may show another. After the `deadline`, of the monotonic clock, none is looked for any more. Raises
    ValueError for a verdict without a witness.
    """
    witness = verdict.witness
    if witness is None:
        raise ValueError(f"{conclusion.name}: the verdict does not say where it is violated")
    if conclusion.form in (Form.TRAJECTORY, Form.RATE):
        with suppress(OutOfTimeError), within(max(deadline - time.monotonic(), SPARE_SECONDS)):
            verdict = _at_a_simple_time(conclusion, system, verdict, effort, horizon)
        witness = _with_room(verdict.witness or witness, ROOM)
    elif conclusion.form is Form.LIMIT:
        # What holds for ever may be exact, and is found exactly again; a state at a later time never is.
        witness = _with_room(witness, ROOM_FOR_LIMITS) if isinstance(witness.slack, arb) else replace(witness, facts=())
    elif conclusion.form is Form.PROBABILITY:
        witness = _with_room(witness, ROOM_FOR_CHANCES)
    else:
        witness = _to_digits(conclusion, system, witness, effort)
    return replace(verdict, witness=witness)


def _with_room(witness: Witness, bits: int) -> Witness:
    """The slack and a little around it, of the same sign: an end moves by 2^-bits of itself."""
    with working_precision(witness.bits):
        room, ball = 1 + arb(0, arb(2) ** -bits), arb(witness.slack)
        slack = (ball.lower() * room).union(ball.upper() * room)
    return replace(witness, slack=slack, facts=())


def _to_digits(conclusion: Conclusion, system: System, witness: Witness, effort: Effort) -> Witness:
    found = witness
    # In steps of two, not of four: whoever checks it again pays for every bit.
    ladder = precisions(LOWEST_BITS, max(witness.bits, effort.bits), factor=2)
    for bits, closed in (
        (bits, closed) for bits in ladder for closed in (False, True) if bits > IDENTITY_BITS or not closed
    ):
        with working_precision(bits), listening() as facts:
            try:
                values = values_of(conclusion, system, closed)
            except UndecidedError:
                continue
        slack = values[witness.entry] if witness.entry else values.item()
        if sign(slack) not in conclusion.relation.forbidden:
            continue
        found = Witness(witness.entry, slack, bits, facts=tuple(from_here(facts, system)))
        if not isinstance(slack, arb) or slack.rad() * 10**DIGITS <= abs(slack.mid()):
            break
    return found


def _at_a_simple_time(
    conclusion: Conclusion, system: Any, verdict: Verdict, effort: Effort, horizon: fmpq | None
) -> Verdict:
    """With the most violated entry at simple times up to the horizon; as it is where none of them shows the violation."""
    assert conclusion.horizon is not None
    assert verdict.witness is not None
    until = horizon if horizon is not None else conclusion.horizon(system)
    try:
        for trajectory in enclosures(system, until, most_bits=min(effort.bits, effort.trajectory_bits)):
            for times in _simple_times(until):
                found: list[Witness | None] = []
                with working_precision(trajectory.bits):
                    for time in times:
                        with suppress(ArithmeticError, ValueError):  # a formula may have no value at some time
                            values = numbers(conclusion.slack(trajectory.at(time), system))
                            found.append(most_violated(values, conclusion.relation, trajectory.bits, (time,)))
                    violated = [one for one in found if one is not None]
                    worst = min(violated, key=lambda one: height(one.slack), default=None)
                if worst is not None:
                    return replace(verdict, witness=worst, trajectory=trajectory)
            if trajectory.bits >= verdict.witness.bits:
                break
    except EnclosureError:
        pass
    return verdict


def _simple_times(horizon: fmpq) -> Iterator[list[fmpq]]:
    # Coarse before fine: what is shown is to be a time one would write down.
    for power in range(GRID):
        unit = fmpq(1, 1 << power)
        count = int((horizon / unit).floor())
        if count > GRID:
            return
        yield [unit * k for k in range(1, count + 1)]
