"""A decided violation as a certificate that anyone can check again without the code that found it."""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterator
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, fmpq

from claims.certificate_format import (
    FORMAT,
    METHODS,
    MOST_EXPONENT,
    VERSION,
    check_structure,
    constant_text,
    digest,
    hypotheses,
    statement,
)
from claims.checking import Effort, limit_readings
from claims.hunting.target import Quarry, Target
from claims.statement import Conclusion, Form, Known, Outcome, Tail, Verdict
from dynamics.arithmetic import Array, UndecidedError, fraction, numbers, sign, working_precision
from dynamics.enclosure import EnclosureError, Trajectory, enclosures
from dynamics.findings import from_here, listening
from dynamics.system import System

DIGITS = 12
"""Decimal digits of an enclosure: what a person still reads."""

SHORT = 40
"""An exact slack longer than this is written as an enclosure."""

ROOM, ROOM_FOR_LIMITS, ROOM_FOR_CHANCES = 36, 20, 12
"""Bits to which the enclosure of a slack along a trajectory, of a limit, or of a chance, is stated, relative to its size.

Who decides it again by another method needs room for the width of its own enclosure.
"""

CHAIN_BITS = 128
"""The precision at which a chance is enumerated."""

FIRST = ("format", "version", "claim", "conclusion", "constants", "assumptions", "instance", "violation", "facts")
"""The order in which a reader wants to see the fields."""

GRID = 64
"""Simple times that are tried for one at which the violation shows."""


def versions_in_use() -> dict[str, str]:
    """Versions of Python and of every package that computes."""
    packages = ("attention-claims", "numpy", "scipy", "mpmath", "python-flint", "hypothesis")
    return {"python": platform.python_version()} | {name: version(name) for name in packages}


def certificate(
    target: Target,
    system: System,
    verdict: Verdict,
    horizon: fmpq | None,
    seed: int,
    versions: dict[str, str] | None = None,
    effort: Effort | None = None,
) -> dict[str, Any]:
    """The certificate of a violation that `verdict` decided on the exact instance, up to `horizon` along a trajectory.

    `seed` is that of the hunt which found it: with the target it names the command, and nothing of the machine is told.
    The slack is enclosed again, to say which entry of it is violated, when, and between which decimals. Raises ValueError
    when the verdict is no decided violation, when the instance breaks an assumption that is kept or satisfies one that is
    dropped, and where the violation is not found again within the effort.
    """
    quarry, effort = target.resolve(), effort or Effort()
    if verdict.outcome is not Outcome.VIOLATED or verdict.known not in (Known.EXACT, Known.CERTIFIED):
        raise ValueError(f"{target}: a certificate is of a decided violation, not of {verdict.outcome}")
    for assumption in quarry.kept:
        if not assumption.satisfies(system):
            raise ValueError(f"{target}: the instance breaks {assumption.name}")
    for assumption in quarry.without:
        if not assumption.is_broken(system):
            raise ValueError(f"{target}: the instance does not certainly break {assumption.name}, which is dropped")
    printed = next(c for c in quarry.claim.conclusions if c.name == target.conclusion)
    changed = dict(target.sharpened)
    constants = {
        name: {"value": constant_text(changed.get(name, value)), "printed": constant_text(value)}
        for name, value in printed.constants.items()
    }
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION} | statement(quarry.claim, printed)
    with listening() as facts:
        violation = _violation(quarry, system, verdict, horizon, effort)
    data |= {
        "constants": constants,
        "assumptions": hypotheses(quarry.claim, printed, target.dropped),
        "instance": system.to_json(),
        "violation": violation,
        "facts": from_here(facts, system),
        "source": None if target.source is None else {"file": target.file_name, "text": target.source},
        "versions": versions if versions is not None else versions_in_use(),
        "command": target.command(seed),
    }
    data["digest"] = digest(data)
    check_structure(data)
    return data


def file_name(data: dict[str, Any]) -> str:
    """A name that says what is refuted, and differs where the content does."""
    dropped = [assumption["name"] for assumption in data["assumptions"]["dropped"]]
    parts = [data["claim"]["id"], data["conclusion"]["name"], *(f"without_{name}" for name in dropped)]
    mark = data["digest"].removeprefix("sha256:")[:8]
    return re.sub(r"[^A-Za-z0-9_.-]", "_", ".".join([*parts, mark])) + ".json"


def write(data: dict[str, Any], path: Path) -> None:
    """Write the certificate as JSON, lists of numbers on one line. Raises OSError."""
    write_whole(path, as_text(data))


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all. Raises OSError."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def as_text(data: dict[str, Any]) -> str:
    """The certificate as JSON text, the statement first."""
    return _written({name: data[name] for name in (*FIRST, *data) if name in data}, 0) + "\n"


def _written(value: Any, depth: int) -> str:
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict) and value:
        entries = [f"{inner}{json.dumps(name)}: {_written(entry, depth + 1)}" for name, entry in value.items()]
    elif isinstance(value, list) and (any(isinstance(entry, list | dict) for entry in value) or _is_text(value)):
        entries = [inner + _written(entry, depth + 1) for entry in value]
    else:
        return json.dumps(value, ensure_ascii=False)
    left, right = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return left + "\n" + ",\n".join(entries) + f"\n{outer}{right}"


def _is_text(lines: list[Any]) -> bool:
    """Whether these are lines to be read one below the other."""
    return any(isinstance(line, str) and line.startswith("    ") for line in lines)


# ---------------------------------------------------------------------------------------------------------------------
# The violation once more


def _violation(quarry: Quarry, system: System, verdict: Verdict, horizon: fmpq | None, effort: Effort) -> dict[str, Any]:
    conclusion = quarry.conclusion
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


# ---------------------------------------------------------------------------------------------------------------------
# Enclosures in decimals


def enclosure(slack: Any) -> tuple[str, str]:
    """Two exact numbers around the slack as text, rounded outward to 12 digits; twice the slack where it is short.

    Raises ValueError where the slack is not finite or too small or large to be written.
    """
    if not isinstance(slack, arb):
        exact = fraction(slack)
        if len(str(exact)) <= SHORT:
            return str(exact), str(exact)
        return decimal(exact, up=False), decimal(exact, up=True)
    if not slack.is_finite():
        raise ValueError(f"the slack {slack} is not finite")
    return decimal(_dyadic(slack.lower()), up=False), decimal(_dyadic(slack.upper()), up=True)


def _dyadic(point: arb) -> Fraction:
    """The end of a ball as the dyadic number it is."""
    mantissa, exponent = (int(part) for part in point.man_exp())
    if abs(exponent) > 3 * MOST_EXPONENT:
        raise ValueError(f"a slack of size 2^{exponent} is too small or too large to be written")
    return Fraction(mantissa) * Fraction(2) ** exponent


def decimal(value: Fraction, up: bool) -> str:
    """The nearest number of 12 significant decimal digits that is not below `value` (not above it, unless `up`)."""
    if value == 0:
        return "0"
    size = abs(value)
    exponent = len(str(size.numerator)) - len(str(size.denominator)) if size.denominator < 10**4000 > size.numerator else 0
    if not exponent:
        exponent = int((size.numerator.bit_length() - size.denominator.bit_length()) * 0.30103)
    exponent -= DIGITS
    scaled = value * Fraction(10) ** -exponent
    while abs(scaled) >= 10**DIGITS:
        scaled, exponent = scaled / 10, exponent + 1
    while abs(scaled) < 10 ** (DIGITS - 1):
        scaled, exponent = scaled * 10, exponent - 1
    mantissa = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    return _placed(mantissa, exponent)


def _placed(mantissa: int, exponent: int) -> str:
    """The decimal mantissa * 10^exponent as people write it."""
    digits, sign_ = str(abs(mantissa)).rstrip("0"), "-" if mantissa < 0 else ""
    exponent += len(str(abs(mantissa))) - len(digits)
    point = len(digits) + exponent  # digits before the decimal point
    if 0 < point <= DIGITS:
        digits = digits.ljust(point, "0")
        return f"{sign_}{digits[:point]}.{digits[point:]}" if digits[point:] else f"{sign_}{digits}"
    if -4 < point <= 0:
        return f"{sign_}0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if digits[1:] else ""
    return f"{sign_}{digits[0]}{rest}e{point - 1}"
