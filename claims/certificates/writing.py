"""A decided violation as a certificate that anyone can check again without the code that found it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from flint import fmpq

from claims.certificates.format import (
    FORMAT,
    VERSION,
    check_structure,
    constant_text,
    digest,
    hypotheses,
    statement,
)
from claims.certificates.provenance import versions_in_use, write_whole
from claims.target import Target
from claims.verdict import Known, Outcome, Verdict
from claims.verifying.deciding import Effort
from claims.verifying.witness import violation_of
from dynamics.findings import from_here, listening
from dynamics.system import System

FIRST = ("format", "version", "claim", "conclusion", "constants", "assumptions", "instance", "violation", "facts")
"""The order in which a reader wants to see the fields."""


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
    variant, effort = target.resolve(), effort or Effort()
    if verdict.outcome is not Outcome.VIOLATED or verdict.known not in (Known.EXACT, Known.CERTIFIED):
        raise ValueError(f"{target}: a certificate is of a decided violation, not of {verdict.outcome}")
    for assumption in variant.kept:
        if not assumption.satisfies(system):
            raise ValueError(f"{target}: the instance breaks {assumption.name}")
    for assumption in variant.without:
        if not assumption.is_broken(system):
            raise ValueError(f"{target}: the instance does not certainly break {assumption.name}, which is dropped")
    printed = next(c for c in variant.claim.conclusions if c.name == target.conclusion)
    changed = dict(target.sharpened)
    constants = {
        name: {"value": constant_text(changed.get(name, value)), "printed": constant_text(value)}
        for name, value in printed.constants.items()
    }
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION} | statement(variant.claim, printed)
    with listening() as facts:
        violation = violation_of(variant, system, verdict, horizon, effort)
    data |= {
        "constants": constants,
        "assumptions": hypotheses(variant.claim, printed, target.dropped),
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
