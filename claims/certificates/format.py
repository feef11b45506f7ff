"""How a counterexample certificate is written: its fields, its numbers, its digest, and the statement it refutes.

Shared by the code that writes certificates and the code that checks them, so it decides nothing. The format is published
in claims/certificates/schema.json and explained in docs/counterexamples.md.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from claims.formulas import formula
from dynamics.strict_reading import UnreadableError, read_json, read_number, shown

FORMAT = "attention-claims counterexample"
VERSION = 2
"""The version written, and the only one read."""

MOST_DIGITS = 100_000
"""Digits of one number: more would take minutes to read."""

MOST_EXPONENT = 1_000_000
"""The largest decimal exponent of a slack."""

METHODS = {
    ("identity", "exact"): "rational arithmetic",
    ("state", "exact"): "rational arithmetic",
    ("step", "exact"): "rational arithmetic",
    ("orbit", "exact"): "rational arithmetic",
    ("identity", "certified"): "ball arithmetic",
    ("state", "certified"): "ball arithmetic",
    ("step", "certified"): "ball arithmetic",
    ("orbit", "certified"): "ball arithmetic",
    ("trajectory", "certified"): "validated Taylor steps",
    ("rate", "certified"): "validated Taylor steps",
    ("limit", "certified"): "validated Taylor steps",
    ("probability", "certified"): "enumeration of picks",
}
"""The method by which a conclusion is decided, by its form and by how the verdict is known."""


class MalformedError(ValueError):
    """The certificate cannot be read; the message names the field and what is wrong with it."""


# ---------------------------------------------------------------------------------------------------------------------
# Numbers

_NUMBER = re.compile(r"-?[0-9]+(/[0-9]+)?")
_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?")


def exact_number(value: Any, where: str, decimal: bool = False) -> Fraction:
    """The rational that an integer or the text "p/q" denotes, or, if `decimal`, also a text such as "-1.5e-30".

    Raises MalformedError for anything else, floats included, and for numbers too long to be read.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    if not isinstance(value, str):
        raise MalformedError(f"{where} must be an integer or the text of an exact number, not {shown(value)}")
    if not (_NUMBER.fullmatch(value) or (decimal and _DECIMAL.fullmatch(value))):
        raise MalformedError(f"{where} must be an exact number such as 3 or '-7/2', not {shown(value)}")
    try:
        return read_number(value, MOST_DIGITS, MOST_EXPONENT)
    except UnreadableError as error:
        raise MalformedError(f"{where} {error}: {shown(value)}") from None


# ---------------------------------------------------------------------------------------------------------------------
# Structure

Check = Callable[[Any, str], None]


def _text(value: Any, where: str) -> None:
    if not isinstance(value, str):
        raise MalformedError(f"{where} must be text, not {shown(value)}")


def _one_of(*options: Any) -> Check:
    def check(value: Any, where: str) -> None:
        if type(value) is bool or value not in options:
            told = " or ".join(json.dumps(option) for option in options)
            raise MalformedError(f"{where} must be {told}, not {shown(value)}")

    return check


def _count(value: Any, where: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise MalformedError(f"{where} must be an integer from 0 on, not {shown(value)}")


def _number(value: Any, where: str) -> None:
    exact_number(value, where)


def _end(value: Any, where: str) -> None:
    _text(value, where)
    exact_number(value, where, decimal=True)


def _fields(**fields: Check) -> Check:
    def check(value: Any, where: str) -> None:
        _object(value, where)
        prefix = f"{where}." if where else ""
        for name in fields:
            if name not in value:
                raise MalformedError(f"{prefix}{name} is missing")
        for name in value:
            if name not in fields:
                raise MalformedError(f"{prefix}{name} is no field of a certificate")
        for name, check_field in fields.items():
            check_field(value[name], f"{prefix}{name}")

    return check


def _object(value: Any, where: str) -> None:
    if not isinstance(value, dict):
        raise MalformedError(f"{where or 'the certificate'} must be an object, not {shown(value)}")


def _named(check_value: Check) -> Check:
    def check(value: Any, where: str) -> None:
        _object(value, where)
        for name, entry in value.items():
            check_value(entry, f"{where}.{name}")

    return check


def _list_of(check_entry: Check) -> Check:
    def check(value: Any, where: str) -> None:
        if not isinstance(value, list):
            raise MalformedError(f"{where} must be a list, not {shown(value)}")
        for place, entry in enumerate(value):
            check_entry(entry, f"{where}[{place}]")

    return check


def _or_none(check_value: Check) -> Check:
    def check(value: Any, where: str) -> None:
        if value is not None:
            check_value(value, where)

    return check


def _array(value: Any, where: str) -> None:
    if isinstance(value, list):
        _list_of(_array)(value, where)
    else:
        _number(value, where)


def _instance(value: Any, where: str) -> None:
    _object(value, where)
    if "system" not in value:
        raise MalformedError(f"{where}.system is missing")
    for name, entry in value.items():
        (_text if name == "system" else _array)(entry, f"{where}.{name}")


def _digest(value: Any, where: str) -> None:
    _text(value, where)
    if not re.fullmatch(r"sha256:[0-9a-f]{64}", value):
        raise MalformedError(f"{where} must be sha256: and 64 hexadecimal digits, not {shown(value)}")


_ASSUMPTIONS = _list_of(_fields(name=_text, statement=_text))

_CLAIM = _fields(
    id=_text,
    paper=_fields(key=_text, arxiv=_text, title=_text),
    where=_text,
    refs=_list_of(_text),
    origin=_one_of("printed", "reported", "carried over", "ours"),
    statement=_text,
)

_HEARD = _list_of(_list_of(_count))
_ROWS = _list_of(_list_of(_number))

_FACTS: dict[str, dict[str, Check]] = {
    "ending": {
        "start": _or_none(_instance),
        "since": _count,
        "neighbours": _list_of(_HEARD),
        "closed": _list_of(_HEARD),
        "limits": _list_of(_ROWS),
        "rates": _list_of(_list_of(_or_none(_number))),
    },
    "recurrence": {"start": _or_none(_instance), "since": _count, "period": _count},
    "drift": {
        "start": _or_none(_instance),
        "since": _count,
        "neighbours": _HEARD,
        "limits": _ROWS,
        "offsets": _ROWS,
        "drift": _ROWS,
    },
    "separation": {"point": _list_of(_number), "points": _ROWS, "direction": _list_of(_number)},
}
"""The facts that a slack at a state may rest on, by kind: docs/counterexamples.md explains them."""


def _fact(value: Any, where: str) -> None:
    _object(value, where)
    kind = _one_of(*_FACTS)
    kind(value.get("kind"), f"{where}.kind")
    _fields(kind=kind, **_FACTS[value["kind"]])(value, where)


_CERTIFICATE = _fields(
    format=_one_of(FORMAT),
    version=_one_of(VERSION),
    claim=_CLAIM,
    conclusion=_fields(
        name=_text,
        meaning=_text,
        form=_one_of("identity", "state", "step", "orbit", "trajectory", "rate", "limit", "probability"),
        relation=_one_of(">= 0", "> 0", "== 0"),
        formula=_list_of(_text),
    ),
    constants=_named(_fields(value=_text, printed=_text)),
    assumptions=_fields(kept=_ASSUMPTIONS, dropped=_ASSUMPTIONS),
    instance=_instance,
    violation=_fields(
        times=_list_of(_number),
        entry=_list_of(_count),
        slack=_fields(lower=_end, upper=_end),
        known=_one_of("exact", "certified"),
        method=_one_of(*dict.fromkeys(METHODS.values())),
        bits=_count,
    ),
    source=_or_none(_fields(file=_text, text=_text)),
    versions=_named(_text),
    command=_text,
    facts=_list_of(_fact),
    digest=_digest,
)


def check_structure(data: Any) -> None:
    """Check that all fields and no others are there, each of its type. Raises MalformedError, naming the first bad one."""
    _CERTIFICATE(data, "")


def read_data(text: str) -> Any:
    """What the JSON text of a certificate of any format holds. Raises MalformedError."""
    try:
        return read_json(text, _refuse_float, MOST_DIGITS)
    except UnreadableError as error:
        raise MalformedError(f"this {error}") from None


def read_certificate(text: str) -> dict[str, Any]:
    """The certificate that JSON text holds, its structure checked. Raises MalformedError."""
    data: dict[str, Any] = read_data(text)
    check_structure(data)
    return data


def _refuse_float(literal: str) -> Any:
    raise MalformedError(f"the number {literal[:40]} is a float: a certificate holds exact numbers, as integers or text")


# ---------------------------------------------------------------------------------------------------------------------
# Text

FIRST = ("format", "version", "claim", "conclusion", "constants", "assumptions", "instance", "violation", "facts")
"""The fields in the order in which they are best read."""


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
    """Whether this is a list of lines of text."""
    return any(isinstance(line, str) and line.startswith("    ") for line in lines)


# ---------------------------------------------------------------------------------------------------------------------
# Digest and statement


def digest(data: dict[str, Any]) -> str:
    """The digest, sha256: and the hash of the certificate without its digest, as compact JSON with sorted keys."""
    content = {name: value for name, value in data.items() if name != "digest"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return f"sha256:{hashlib.sha256(text.encode('ascii')).hexdigest()}"


def statement(claim: Any, conclusion: Any) -> dict[str, Any]:
    """What a certificate says about a claim and one conclusion as printed: its fields `claim` and `conclusion`."""
    paper = claim.paper
    return {
        "claim": {
            "id": claim.id,
            "paper": {"key": paper.key, "arxiv": paper.arxiv, "title": paper.title},
            "where": claim.where,
            "refs": list(claim.refs),
            "origin": claim.origin.value,
            "statement": claim.statement,
        },
        "conclusion": {
            "name": conclusion.name,
            "meaning": conclusion.meaning,
            "form": conclusion.form.value,
            "relation": conclusion.relation.value,
            "formula": formula(conclusion.slack),
        },
    }


def hypotheses(claim: Any, conclusion: Any, dropped: tuple[str, ...]) -> dict[str, Any]:
    """The field `assumptions`: what the conclusion assumes, by whether it was dropped."""
    assumed = claim.assumptions_of(conclusion)
    return {
        "kept": [{"name": a.name, "statement": a.statement} for a in assumed if a.name not in dropped],
        "dropped": [{"name": a.name, "statement": a.statement} for a in assumed if a.name in dropped],
    }


def constant_text(value: Any) -> str:
    """A constant of a statement as text: an exact number "p/q" where it is one."""
    if isinstance(value, float):
        value = Fraction(value)
    return str(value)


def size(counterexample: dict[str, Any]) -> tuple[int, str]:
    """Sort key: the cost of writing an instance down; ties are broken by its text."""
    text = json.dumps(counterexample["instance"], separators=(",", ":"))
    return len(text), text
