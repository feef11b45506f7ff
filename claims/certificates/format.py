"""How a counterexample certificate is written: its fields, its numbers, its digest, and the statement it refutes.

Shared by the code that writes certificates and the code that checks them, so it decides nothing. The format is published
in claims/certificates/schema.json and explained in docs/counterexamples.md.
"""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from importlib.resources import files
from typing import Any

from claims.stating.formulas import formula
from dynamics.strict_reading import UnreadableError, read_json, read_number, shown

FORMAT = "attention-claims counterexample"
VERSION = 2
"""The version written, and the only one read."""

MOST_DIGITS = 100_000
"""Digits of one number: more would take minutes to read."""

MOST_EXPONENT = 1_000_000
"""The largest decimal exponent of a slack."""

METHODS = {
    **{(form, "exact"): "rational arithmetic" for form in ("identity", "state", "step", "orbit")},
    **{(form, "certified"): "ball arithmetic" for form in ("identity", "state", "step", "orbit")},
    **{(form, "certified"): "validated Taylor steps" for form in ("trajectory", "rate", "limit")},
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
    # Fraction reads more than this, such as spaces and underscores: one number would have many texts.
    if not (_NUMBER.fullmatch(value) or (decimal and _DECIMAL.fullmatch(value))):
        raise MalformedError(f"{where} must be an exact number such as 3 or '-7/2', not {shown(value)}")
    try:
        return read_number(value, MOST_DIGITS, MOST_EXPONENT)
    except UnreadableError as error:
        raise MalformedError(f"{where} {error}: {shown(value)}") from None


# ---------------------------------------------------------------------------------------------------------------------
# Structure: what schema.json uses of JSON Schema, with sentences that name the field

SCHEMA: dict[str, Any] = json.loads((files("claims") / "certificates" / "schema.json").read_text(encoding="utf-8"))

TYPES: dict[str, tuple[type, str]] = {
    "object": (dict, "an object"),
    "array": (list, "a list"),
    "string": (str, "text"),
    "integer": (int, "an integer"),
    "null": (type(None), "null"),
}


def _check(value: Any, schema: dict[str, Any], where: str) -> None:
    """Raises MalformedError unless the value is as the schema says."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name in ("number", "end"):  # more than a pattern: no division by zero, no exponent that fills the memory
            _check(value, {"type": "string"}, where) if name == "end" else None
            exact_number(value, where, decimal=name == "end")
        else:
            _check(value, SCHEMA["$defs"].get(name) or SCHEMA["properties"][name], where)
        return
    # One of them, by its type: a list of all that did not fit would tell nobody which field is wrong.
    if "anyOf" in schema:
        _check(value, _option(value, schema["anyOf"]), where)
        return
    if "oneOf" in schema:
        _check(value, {"type": "object"}, where)
        kinds = {option["properties"]["kind"]["const"]: option for option in schema["oneOf"]}
        _check(value.get("kind"), {"enum": list(kinds)}, f"{where}.kind")
        schema = kinds[value["kind"]]
    allowed = schema.get("enum", [schema["const"]] if "const" in schema else None)
    # True equals 1 in Python.
    if allowed is not None and (isinstance(value, bool) or value not in allowed):
        told = " or ".join(json.dumps(one) for one in allowed)
        raise MalformedError(f"{where} must be {told}, not {shown(value)}")
    name = schema.get("type", "")
    kind, told = TYPES.get(name, (object, ""))
    fits: bool = isinstance(value, kind) and not (name and isinstance(value, bool))
    if not fits or ("minimum" in schema and value < schema["minimum"]):
        lowest = f" from {schema['minimum']} on" if "minimum" in schema else ""
        raise MalformedError(f"{where or 'the certificate'} must be {told}{lowest}, not {shown(value)}")
    if "pattern" in schema and not re.fullmatch(schema["pattern"], value):
        raise MalformedError(f"{where} must match {schema['pattern']}, not {shown(value)}")
    if name == "object":
        _check_fields(value, schema, where)
    if name == "array":
        for place, entry in enumerate(value):
            _check(entry, schema["items"], f"{where}[{place}]")


def _option(value: Any, options: list[dict[str, Any]]) -> dict[str, Any]:
    """Which of several schemas a value is held against: by its type, else the last that is not null."""
    fitting = [one for one in options if "type" in one and isinstance(value, TYPES[one["type"]][0])]
    return (fitting or [one for one in options if one.get("type") not in ("null", "array")])[-1]


def _check_fields(value: dict[str, Any], schema: dict[str, Any], where: str) -> None:
    prefix = f"{where}." if where else ""
    fields, others = schema.get("properties", {}), schema.get("additionalProperties")
    for name in schema.get("required", ()):
        if name not in value:
            raise MalformedError(f"{prefix}{name} is missing")
    for name in value:
        if name not in fields and others is False:
            raise MalformedError(f"{prefix}{name} is no field of a certificate")
    # In the schema's order, so that the first complaint is about what a reader meets first.
    for name in (*(name for name in fields if name in value), *(name for name in value if name not in fields)):
        if name in fields or others:
            _check(value[name], fields.get(name, others), f"{prefix}{name}")


def check_structure(data: Any) -> None:
    """Check that all fields and no others are there, each of its type. Raises MalformedError, naming the first bad one."""
    _check(data, SCHEMA, "")


def read_data(text: str) -> Any:
    """What the JSON text of a certificate of any format holds. Raises MalformedError."""
    try:
        # A float has been rounded by whoever wrote it.
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
    return any(isinstance(line, str) and line.startswith("    ") for line in lines)


# ---------------------------------------------------------------------------------------------------------------------
# Digest and statement


def digest(data: dict[str, Any]) -> str:
    """The digest, sha256: and the hash of the certificate without its digest, as compact JSON with sorted keys."""
    # Keys sorted and ASCII: the same bytes on every machine.
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


def writing_cost(counterexample: dict[str, Any]) -> tuple[int, str]:
    """Sort key: the cost of writing an instance down; ties are broken by its text."""
    text = json.dumps(counterexample["instance"], separators=(",", ":"))
    return len(text), text
