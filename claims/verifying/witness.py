"""Where an exact instance violates a conclusion: the entry, the time and the enclosure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from flint import arb, fmpq

from claims.certificates.decimals import DIGITS, enclosure
from claims.certificates.format import (
    METHODS,
)
from claims.statement import Conclusion, Form, Tail
from claims.target import Variant
from claims.verdict import Known, Verdict
from claims.verifying.deciding import Effort, limit_readings
from dynamics.arithmetic import Array, UndecidedError, numbers, sign, working_precision
from dynamics.enclosures.steps import EnclosureError, Trajectory, enclosures
from dynamics.system import System

ROOM, ROOM_FOR_LIMITS, ROOM_FOR_CHANCES = 36, 20, 12
"""Bits to which the enclosure of a slack along a trajectory, of a limit, or of a chance, is stated, relative to its size.

Who decides it again by another method needs room for the width of its own enclosure.
"""

CHAIN_BITS = 128
"""The precision at which a chance is enumerated."""

GRID = 64
"""Simple times that are tried for one at which the violation shows."""


def violation_of(
    variant: Variant, system: System, verdict: Verdict, horizon: fmpq | None, effort: Effort
) -> dict[str, Any]:
    """The entry that is violated, when, and between which decimals: the slack is enclosed again. Raises ValueError."""
    conclusion = variant.conclusion
    if conclusion.form is Form.PROBABILITY:
        return _of_chance(conclusion, system, verdict)
    if conclusion.form in (Form.TRAJECTORY, Form.RATE):
        return _on_trajectory(conclusion, system, horizon, effort)
    if conclusion.form is Form.LIMIT:
        return _for_ever(conclusion, system, effort)
    return _at_state(conclusion, system, effort)


def _of_chance(conclusion: Conclusion, system: System, verdict: Verdict) -> dict[str, Any]:
    """log bound - log P: the verdict counts some ways to escape, so its slack is the upper end; P <= 1 is the lower."""
    with working_precision(CHAIN_BITS):
        tail: Tail = conclusion.slack(system)
        slack = _with_room(arb(tail.log_bound).union(arb(verdict.slack)), ROOM_FOR_CHANCES)
    return _described(conclusion, [], (), slack, Known.CERTIFIED, CHAIN_BITS)


def _with_room(slack: Any, bits: int) -> arb:
    """The ball and a little around it, of the same sign: an end moves by 2^-bits of itself."""
    room = 1 + arb(0, arb(2) ** -bits)
    ball = arb(slack)
    return (ball.lower() * room).union(ball.upper() * room)


def _described(
    conclusion: Conclusion, times: list[fmpq], entry: tuple[int, ...], slack: Any, known: Known, bits: int
) -> dict[str, Any]:
    lower, upper = enclosure(slack)
    return {
        "times": [int(time.p) if time.q == 1 else str(time) for time in times],
        "entry": [int(index) for index in entry],
        "slack": {"lower": lower, "upper": upper},
        "known": known.value,
        "method": METHODS[conclusion.form.value, known.value],
        "bits": bits,
    }


def _worst(values: Array, relation: str) -> tuple[tuple[int, ...], Any] | None:
    """Where the slack is violated for certain, and most: the index and the entry; None where no violation is certain."""
    forbidden = {">= 0": (-1,), "> 0": (-1, 0), "== 0": (-1, 1)}[relation]
    bad = [index for index in np.ndindex(values.shape) if sign(_at(values, index)) in forbidden]
    if not bad:
        return None

    def height(index: tuple[int, ...]) -> Any:
        middle = _middle(_at(values, index))
        return -abs(middle) if relation == "== 0" else middle

    index = min(bad, key=height)
    return index, _at(values, index)


def _at(values: Array, index: tuple[int, ...]) -> Any:
    return np.asarray(values)[index] if index else values.item()


def _middle(value: Any) -> Any:
    return value.mid() if isinstance(value, arb) else value


def _is_narrow(value: Any) -> bool:
    """Whether the number is known to more digits than are written."""
    return not isinstance(value, arb) or bool(value.rad() * 10 ** (DIGITS + 2) < abs(value.mid()))


def _ladder(most: int) -> Iterator[int]:
    bits = 64
    while bits <= most:
        yield bits
        bits *= 2


def _at_state(conclusion: Conclusion, system: System, effort: Effort) -> dict[str, Any]:
    """The violated entry at the least precision that shows it, with more bits where that leaves fewer than 12 digits."""
    found: tuple[tuple[int, ...], Any, Known, int] | None = None
    for bits in _ladder(effort.bits):
        with working_precision(bits):
            try:
                values = numbers(conclusion.slack(system))
            except UndecidedError:
                continue
            worst = _worst(values, conclusion.relation)
            if worst is None:
                continue
            known = Known.EXACT if all(isinstance(value, fmpq) for value in values.flat) else Known.CERTIFIED
            found = *worst, known, bits
            if _is_narrow(worst[1]):
                break
    if found is None:
        raise ValueError(f"{conclusion.name}: no violation is certain at {effort.bits} bits")
    entry, slack, known, bits = found
    return _described(conclusion, [], entry, slack, known, bits)


def _on_trajectory(conclusion: Conclusion, system: Any, horizon: fmpq | None, effort: Effort) -> dict[str, Any]:
    """The violated entry at a time, a simple one where that shows a violation too."""
    assert conclusion.horizon is not None
    until = horizon if horizon is not None else conclusion.horizon(system)
    strict = conclusion.relation == "> 0"
    reason = "it holds"
    try:
        for trajectory in enclosures(system, until, most_bits=min(effort.bits, effort.trajectory_bits)):
            decision = trajectory.decide(lambda now: conclusion.slack(now, system), strict=strict)
            if decision.sign != -1:
                continue
            for times in [*_simple_times(until), [decision.time]]:
                found = _most_violated(conclusion, system, trajectory, times)
                if found is not None:
                    time, (entry, slack) = found
                    stated = _with_room(slack, ROOM)
                    return _described(conclusion, [time], entry, stated, Known.CERTIFIED, trajectory.bits)
            reason = f"no entry is certain at time {decision.time}"
    except EnclosureError as error:
        reason = str(error)
    raise ValueError(f"{conclusion.name}: no violation up to time {until}: {reason}")


def _simple_times(horizon: fmpq) -> Iterator[list[Any]]:
    """Multiples of 1, 1/2, 1/4, ... up to the horizon, coarse before fine, while there are few."""
    for power in range(GRID):
        unit = fmpq(1, 1 << power)
        count = int((horizon / unit).floor())
        if count > GRID:
            return
        yield [unit * k for k in range(1, count + 1)]


def _most_violated(
    conclusion: Conclusion, system: Any, trajectory: Trajectory, times: list[Any]
) -> tuple[fmpq, tuple[tuple[int, ...], Any]] | None:
    found: list[tuple[fmpq, tuple[tuple[int, ...], Any]]] = []
    with working_precision(trajectory.bits):
        for time in times:
            try:
                worst = _worst(numbers(conclusion.slack(trajectory.at(time), system)), conclusion.relation)
            except (ArithmeticError, ValueError):
                continue
            if worst is not None:
                found.append((time, worst))
    return min(found, key=lambda pair: _middle(pair[1][1]), default=None)


def _for_ever(conclusion: Conclusion, system: Any, effort: Effort) -> dict[str, Any]:
    """The violated entry of what a trap shows, with the time at which it caught the state.

    Raises ValueError where no trap decides a violation: a limit is not decided by finitely many times.
    """
    reason = "a limit is not decided by finitely many times"
    try:
        for reading in limit_readings(conclusion, system, effort) if conclusion.trap else ():
            with working_precision(reading.bits):
                worst = _worst(reading.values, conclusion.relation)
                if worst is not None:
                    entry, slack = worst
                    stated = _with_room(slack, ROOM_FOR_LIMITS) if isinstance(slack, arb) else slack
                    return _described(conclusion, [reading.when], entry, stated, Known.CERTIFIED, reading.bits)
            reason = "it holds"
    except (EnclosureError, UndecidedError) as error:
        reason = str(error)
    raise ValueError(f"{conclusion.name}: no violation for ever: {reason}")
