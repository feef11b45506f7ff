"""Reads untrusted text, JSON and exact numbers, and checks limits before building anything.

One reader for all files of unknown origin: instances, certificates, trajectories, ledgers. What it
refuses, it refuses with a phrase that goes on from the name of the file: "tokens.json" + "holds an integer of ...".
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

MOST_BYTES = 64 << 20
"""Bytes of one file."""

MOST_DEPTH = 32
"""Levels of lists and objects. An array has at most four."""

MOST_DIGITS = 4_000
"""Digits of one number. Python itself writes at most 4300; what is computed from longer ones could not be told."""

MOST_EXPONENT = 4_000
"""The largest decimal exponent of one number, either way: 1e999999999 is ten characters and fills the memory."""

DIGITS_AT_ONCE = 4_000


class UnreadableError(ValueError):
    """The text cannot be read. The message is a phrase that follows the name of what was read."""


class TooLargeError(UnreadableError):
    """A valid number beyond the limits."""


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """The text of a UTF-8 file of limited size; an endless file is not read to its end. Raises UnreadableError, OSError."""
    with path.open("rb") as file:
        data = file.read(most + 1)
    # One byte more than allowed was asked for: that it came is how a file of any length is known to be too long.
    if len(data) > most:
        raise UnreadableError(f"is larger than {most >> 20} MiB")
    try:
        return io.TextIOWrapper(io.BytesIO(data), "utf-8").read()
    except UnicodeDecodeError as error:
        raise UnreadableError(f"is not UTF-8 text: {error.reason}") from None


def binary64(literal: str) -> float:
    """The float64 nearest to a decimal of JSON. Raises UnreadableError beyond its range, where nothing is near."""
    value = float(literal)
    # A decimal other than 0 that becomes 0, or infinite, is not near the number that was written.
    if value in (float("inf"), -float("inf")) or (value == 0 and re.search("[1-9]", re.split("[eE]", literal)[0])):
        raise UnreadableError(f"holds {_cut(literal)}, which float64 has no number near: write it as text, in quotes")
    return value


def read_json(text: str, decimal: Callable[[str], Any] = binary64, digits: int = MOST_DIGITS) -> Any:
    """The data in JSON text. Decimals and NaN are passed to `decimal`, which refuses what it does not accept.

    Raises UnreadableError for what is not JSON, for a name given twice, lists nested too deeply and numbers too long.
    """

    def whole(literal: str) -> int:
        if len(literal) > digits:
            raise UnreadableError(f"holds an integer of more than {digits} digits")
        return _whole(literal)

    def float_or_not(literal: str) -> Any:
        if len(literal) > digits:
            raise UnreadableError(f"holds a decimal of more than {digits} digits")
        return decimal(literal)

    def no_number(literal: str) -> Any:
        if decimal is not binary64:
            return decimal(literal)
        raise UnreadableError(f"holds {literal}, which is not a finite number")

    try:
        data = json.loads(
            text,
            parse_int=whole,
            parse_float=float_or_not,
            parse_constant=no_number,
            object_pairs_hook=_without_repetition,
        )
    except json.JSONDecodeError as error:
        raise UnreadableError(f"is not JSON: {error}") from None
    except (RecursionError, MemoryError):
        raise UnreadableError("holds lists that are nested too deeply") from None
    # json itself gives up at Python's recursion limit, which differs from process to process: what passes here passes
    # everywhere.
    if _depth(data) > MOST_DEPTH:
        raise UnreadableError("holds lists that are nested too deeply")
    return data


_EXACT = re.compile(
    r"(?P<sign>[-+]?)(?:(?P<over>[0-9]+)/(?P<under>[0-9]+)"
    r"|(?=\.?[0-9])(?P<whole>[0-9]*)(?:\.(?P<part>[0-9]*))?(?:[eE](?P<exponent>[-+]?[0-9]+))?)"
)


def read_number(text: str, digits: int = MOST_DIGITS, exponent: int = MOST_EXPONENT) -> Fraction:
    """The rational that "-7/2", "12", "0.125" or "1.5e-30" denotes.

    Raises UnreadableError for a text that is no number, divides by zero, or is beyond the limits, which are looked at
    before anything is computed.
    """
    found = _EXACT.fullmatch(text.strip())
    if found is None:
        raise UnreadableError("is no number")
    over, under, whole, part, power = (group or "" for group in found.group("over", "under", "whole", "part", "exponent"))
    if max(len(over), len(under), len(whole) + len(part)) > digits:
        raise TooLargeError(f"is a number of more than {digits} digits")
    sign = -1 if found["sign"] == "-" else 1
    if over:
        denominator = _whole(under)
        if denominator == 0:
            raise UnreadableError("divides by zero")
        return Fraction(sign * _whole(over), denominator)
    # By the length of its text first: int() of a million digits is what the limit is there to prevent.
    if len(power.lstrip("+-0")) > len(str(exponent)) or abs(int(power or 0)) > exponent:
        raise TooLargeError(f"has an exponent beyond {exponent}")
    mantissa, places = sign * _whole(whole + part), int(power or 0) - len(part)
    return Fraction(mantissa * 10**places) if places >= 0 else Fraction(mantissa, 10**-places)


def shown(value: Any) -> str:
    """A value of any kind on one short line."""
    try:
        return _cut(json.dumps(value, default=lambda other: type(other).__name__))
    except (ValueError, RecursionError):
        return f"a {type(value).__name__}"


def _cut(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def _whole(literal: str) -> int:
    """The integer of any number of digits: Python alone reads 4300, and how many it reads is one setting per process."""
    if len(literal) <= DIGITS_AT_ONCE:
        return int(literal)
    if literal[0] in "+-":
        return _whole(literal[1:]) * (-1 if literal[0] == "-" else 1)
    low = len(literal) // 2
    # Halves, not digit by digit: so the cost stays below the square of the length.
    return _whole(literal[:-low]) * 10**low + _whole(literal[-low:])


def _depth(data: Any) -> int:
    level, depth = [data], 0
    while True:
        level = [one for one in level if isinstance(one, dict | list)]
        if not level:
            return depth
        depth += 1
        level = [entry for one in level for entry in (one.values() if isinstance(one, dict) else one)]


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        name = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise UnreadableError(f"is ambiguous: {_cut(name)} is given twice")
    return found
