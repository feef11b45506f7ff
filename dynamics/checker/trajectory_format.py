"""The certificate of a trajectory as plain exact data: what docs/counterexamples.md describes, read and written.

Only rationals occur here, so that a checker can read a certificate without any of the code that made it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from dynamics.strict_reading import MOST_BYTES, MOST_DIGITS, UnreadableError, read_json, read_text

FORMAT = "trajectory certificate 1"
LARGEST_EXPONENT = 1 << 20
"""Dyadic numbers beyond 2^(+-this) are refused: nobody certifies them, and they would take all memory."""

MOST_BITS_IN_ALL = 1 << 31
"""Bits of all exponents together: a few characters each are numbers that fill the memory."""

MOST_STEPS, MOST_ORDER, MOST_ENTRIES = 10_000, 1_000, 4_000
"""Of a certificate, of a polynomial and of an instance: a check of more would not end."""

METHODS = ("logarithmic norm", "remainder")
"""How the bounds of a step were found. Nothing rests on it: a step's statement is the same."""

BOUNDS = ("start", "error", "slope", "final")
"""The sizes of errors that a step states."""

_DYADIC = re.compile(r"(-?[0-9]+)\*2\^(-?[0-9]{1,8})")
_RATIONAL = re.compile(r"(-?[0-9]+)(?:/([0-9]+))?")

T = TypeVar("T")

Nested = Any
"""A Fraction, or lists of these."""


class CertificateError(ValueError):
    """The data are no certificate; the message names the field."""


@dataclass(frozen=True)
class StepRecord:
    """On [0, length]: |x_b(t) - p_b(t)| <= weights[b] (error + t slope) for each block b, weights[b] final at the end.

    This is stated of every solution with |x_b(0) - p_b(0)| <= weights[b] start, and, where there is a `box`, with
    |x_i(0) - p_i(0)| <= box[i] for each coordinate i, too; weight 0 marks clocks, where x = p. `polynomials[i][k]` is the
    k-th Taylor coefficient of coordinate i. Everything is exact.
    """

    length: Fraction
    polynomials: list[list[Fraction]]
    weights: list[Fraction]
    start: Fraction
    error: Fraction
    slope: Fraction
    final: Fraction
    method: str
    box: list[Fraction] | None = None


@dataclass(frozen=True)
class Decided:
    """A verdict that was reached on a slack along the trajectory; the certificate records it and does not prove it."""

    claim: str
    conclusion: str
    verdict: str


@dataclass(frozen=True)
class Certificate:
    """A trajectory: an exact instance, the times between steps, blocks [begin, end) of coordinates, and the steps."""

    system: str
    instance: dict[str, Nested]
    bits: int
    order: int
    horizon: Fraction
    times: list[Fraction]
    blocks: list[range]
    steps: list[StepRecord]
    versions: dict[str, str]
    decided: list[Decided]

    def to_json(self) -> dict[str, Any]:
        """The data of the file."""
        data: dict[str, Any] = {
            "format": FORMAT,
            "instance": {"system": self.system} | {name: _plain(value) for name, value in self.instance.items()},
            "bits": self.bits,
            "order": self.order,
            "horizon": str(self.horizon),
            "times": [str(time) for time in self.times],
            "blocks": [[block.start, block.stop] for block in self.blocks],
            "steps": [
                {
                    "length": str(step.length),
                    "polynomials": [[exact_text(value) for value in row] for row in step.polynomials],
                    "weights": [exact_text(value) for value in step.weights],
                    **{name: exact_text(getattr(step, name)) for name in BOUNDS},
                    "method": step.method,
                }
                | ({} if step.box is None else {"box": [exact_text(value) for value in step.box]})
                for step in self.steps
            ],
            "versions": self.versions,
        }
        if self.decided:
            data["decided"] = [vars(decided) for decided in self.decided]
        return data


def exact_text(value: Fraction) -> str:
    """A dyadic number as "m*2^e" with m odd ("0" for zero), another rational as "p/q"."""
    if value == 0:
        return "0"
    denominator = value.denominator
    # Not a power of 2.
    if denominator & (denominator - 1):
        return str(value)
    # An odd mantissa, so that one number has one text.
    mantissa = value.numerator
    zeros = (mantissa & -mantissa).bit_length() - 1
    return f"{mantissa >> zeros}*2^{zeros - denominator.bit_length() + 1}"


def load(source: str | Path | dict[str, Any]) -> Certificate:
    """A certificate from a file, or from data as `json` reads them.

    Raises CertificateError naming the field that is missing, unknown or no exact number of the right kind; OSError where
    there is no such file.
    """
    if isinstance(source, dict):
        return _certificate(source)
    try:
        data = read_json(read_text(Path(source), MOST_BYTES), _no_float)
    except UnreadableError as error:
        raise CertificateError(f"{source} {error}") from None
    return _certificate(data)


def dump(certificate: Certificate, path: str | Path) -> None:
    """Write a certificate to a file."""
    Path(path).write_text(as_text(certificate.to_json()), "utf-8")


def as_text(data: dict[str, Any]) -> str:
    """The data of a certificate as the text of its file."""
    return json.dumps(data, indent=1) + "\n"


# ---------------------------------------------------------------------------------------------------------------------
# Reading


def _certificate(data: object) -> Certificate:
    fields = _fields(
        data,
        "certificate",
        ("format", "instance", "bits", "order", "horizon", "times", "blocks", "steps", "versions"),
        ("decided",),
    )
    # Of another format nothing that follows need mean the same.
    if fields["format"] != FORMAT:
        raise CertificateError(f"format: {fields['format']!r} is not {FORMAT!r}")
    # Counted before one is built: "1*2^1000000" is short, and a megabit.
    if sum(_exponent(leaf) for leaf in _leaves(data) if isinstance(leaf, str)) > MOST_BITS_IN_ALL:
        raise CertificateError(f"its numbers have more than {MOST_BITS_IN_ALL} bits in all")
    instance = fields["instance"]
    if not isinstance(instance, dict) or not all(isinstance(key, str) for key in instance):
        raise CertificateError("instance: must be an object")
    system = _text(instance.get("system"), "instance.system")
    if sum(1 for _ in _leaves(instance)) > MOST_ENTRIES:
        raise CertificateError(f"instance: has more than {MOST_ENTRIES} entries")
    # Before they are read, each of which takes time.
    if isinstance(fields["steps"], list) and len(fields["steps"]) > MOST_STEPS:
        raise CertificateError(f"steps: there are more than {MOST_STEPS}")
    versions = fields["versions"]
    if not isinstance(versions, dict):
        raise CertificateError("versions: must be an object")
    return Certificate(
        system,
        {name: _nested(value, f"instance.{name}") for name, value in instance.items() if name != "system"},
        _natural(fields["bits"], "bits", 2),
        _natural(fields["order"], "order", 1),
        _positive(fields["horizon"], "horizon"),
        _each(fields["times"], "times", _number),
        _each(fields["blocks"], "blocks", _block),
        _each(fields["steps"], "steps", _step),
        {str(name): _text(value, f"versions.{name}") for name, value in versions.items()},
        _each(fields.get("decided", []), "decided", _decided),
    )


def _step(data: object, where: str) -> StepRecord:
    fields = _fields(data, where, ("length", "polynomials", "weights", *BOUNDS, "method"), ("box",))
    method = _text(fields["method"], f"{where}.method")
    if method not in METHODS:
        raise CertificateError(f"{where}.method: {method!r} is none of {', '.join(METHODS)}")
    return StepRecord(
        length=_positive(fields["length"], f"{where}.length"),
        polynomials=_each(fields["polynomials"], f"{where}.polynomials", _row),
        weights=_each(fields["weights"], f"{where}.weights", _size),
        method=method,
        box=_each(fields["box"], f"{where}.box", _size) if "box" in fields else None,
        **{name: _size(fields[name], f"{where}.{name}") for name in BOUNDS},
    )


def _decided(data: object, where: str) -> Decided:
    fields = _fields(data, where, ("claim", "conclusion", "verdict"))
    return Decided(**{name: _text(value, f"{where}.{name}") for name, value in fields.items()})


def _fields(data: object, where: str, needed: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise CertificateError(f"{where}: must be an object")
    for name in needed:
        if name not in data:
            raise CertificateError(f"{where}: {name} is missing")
    # What is not understood might change what is stated.
    for name in data:
        if name not in needed and name not in optional:
            raise CertificateError(f"{where}: unknown field {name!r}")
    return data


def _each(data: object, where: str, read: Callable[[object, str], T]) -> list[T]:
    if not isinstance(data, list):
        raise CertificateError(f"{where}: must be a list")
    return [read(entry, f"{where}[{k}]") for k, entry in enumerate(data)]


def _row(data: object, where: str) -> list[Fraction]:
    row = _each(data, where, _number)
    if not 0 < len(row) <= MOST_ORDER:
        raise CertificateError(f"{where}: a polynomial needs a coefficient, and at most {MOST_ORDER}")
    return row


def _block(data: object, where: str) -> range:
    ends = _each(data, where, lambda entry, place: _natural(entry, place, 0))
    if len(ends) != 2 or not ends[0] < ends[1]:
        raise CertificateError(f"{where}: must be [begin, end] with begin < end")
    return range(ends[0], ends[1])


def _nested(data: object, where: str) -> Nested:
    if isinstance(data, list):
        # Recursion ends here, not where Python's does.
        if where.count("[") > 8:
            raise CertificateError(f"{where}: nested too deeply for an array")
        return _each(data, where, _nested)
    return _number(data, where)


def _number(data: object, where: str) -> Fraction:
    """An exact number: an integer, "p/q" or "m*2^e"."""
    # JSON's true is an int to Python.
    if isinstance(data, int) and not isinstance(data, bool):
        return Fraction(data)
    # Longer text would keep the expression busy before it is refused.
    if isinstance(data, str) and len(data) <= 2 * MOST_DIGITS:
        try:
            if match := _DYADIC.fullmatch(data):
                exponent = int(match[2])
                if abs(exponent) <= LARGEST_EXPONENT:
                    return int(match[1]) * (Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent))
            elif match := _RATIONAL.fullmatch(data):
                return Fraction(int(match[1]), int(match[2] or 1))
        except (ValueError, ZeroDivisionError):  # more digits than Python reads, or a zero denominator
            pass
    shown = repr(data) if len(repr(data)) < 60 else repr(data)[:57] + "..."
    raise CertificateError(f'{where}: {shown} is no exact number: an integer, "p/q" or "m*2^e"')


def _exponent(text: str) -> int:
    # What is too long is refused when it is read, with its name.
    match = _DYADIC.fullmatch(text) if len(text) <= 2 * MOST_DIGITS else None
    return abs(int(match[2])) if match else 0


def _leaves(data: object) -> Iterator[object]:
    """All that is neither list nor object."""
    # A list and not recursion: the data may be nested as deeply as a file can.
    waiting = [data]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
        else:
            yield one


def _size(data: object, where: str) -> Fraction:
    value = _number(data, where)
    if value < 0:
        raise CertificateError(f"{where}: must not be negative")
    return value


def _positive(data: object, where: str) -> Fraction:
    value = _number(data, where)
    if value <= 0:
        raise CertificateError(f"{where}: must be positive")
    return value


def _natural(data: object, where: str, least: int) -> int:
    if not isinstance(data, int) or isinstance(data, bool) or not least <= data <= LARGEST_EXPONENT:
        raise CertificateError(f"{where}: must be an integer from {least} to {LARGEST_EXPONENT}, not {str(data)[:60]!r}")
    return data


def _text(data: object, where: str) -> str:
    if not isinstance(data, str):
        raise CertificateError(f"{where}: must be a string")
    return data


def _no_float(literal: str) -> Any:
    raise CertificateError(f"{literal[:40]} is no exact number")


def _plain(value: Nested) -> Any:
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    # Longer integers are text: many readers of JSON take them for floats.
    return int(value) if value.denominator == 1 and abs(value) < 10**1000 else str(value)
