"""Writes a decided violation as a certificate that can be checked without the code that found it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from claims.certificates.decimals import enclosing_decimals
from claims.certificates.format import (
    FORMAT,
    METHODS,
    VERSION,
    as_text,
    check_structure,
    constant_text,
    digest,
    exact_number,
    hypotheses,
    statement,
)
from claims.certificates.provenance import versions_in_use, write_whole
from claims.stating.statement import Conclusion
from claims.stating.verdict import Known, Outcome, Verdict, Witness, is_certain
from claims.targets.target import Target
from dynamics.system import System


def certificate(
    target: Target, system: System, verdict: Verdict, seed: int, versions: dict[str, str] | None = None
) -> dict[str, Any]:
    """The certificate of a violation that `verdict` decided on the exact instance; its witness is what is written.

    `seed` is the seed of the hunt that found it: with the target it gives the command, which names no machine.
    Raises ValueError when the verdict is no decided violation, when it has no witness with facts whose decimals break the
    relation, and when the instance breaks an assumption that is kept or satisfies one that is dropped.
    """
    variant = target.resolve()
    if verdict.outcome is not Outcome.VIOLATED or verdict.known is None or not is_certain(verdict):
        raise ValueError(f"{target}: a certificate is of a decided violation, not of {verdict.outcome}")
    witness = verdict.witness
    if witness is None or witness.facts is None:
        raise ValueError(f"{target}: the verdict does not say where it is violated, or on what facts that rests")
    # The same three answers as in the check: an assumption that is open is neither kept nor dropped.
    for assumption in variant.kept:
        if not assumption.satisfies(system):
            raise ValueError(f"{target}: the instance breaks {assumption.name}")
    for assumption in variant.without:
        if not assumption.is_broken(system):
            raise ValueError(f"{target}: the instance does not certainly break {assumption.name}, which is dropped")
    printed, changed = variant.printed, dict(target.sharpened)
    constants = {
        name: {"value": constant_text(changed.get(name, value)), "printed": constant_text(value)}
        for name, value in printed.constants.items()
    }
    data: dict[str, Any] = {"format": FORMAT, "version": VERSION} | statement(variant.claim, printed)
    data |= {
        "constants": constants,
        "assumptions": hypotheses(variant.claim, printed, target.dropped),
        "instance": system.to_json(),
        "violation": _violation(variant.conclusion, witness, verdict.known),
        "facts": list(witness.facts),
        "source": None if target.source is None else {"file": target.file_name, "text": target.source},
        "versions": versions if versions is not None else versions_in_use(),
        "command": target.command(seed),
    }
    data["digest"] = digest(data)
    check_structure(data)
    return data


def _violation(conclusion: Conclusion, witness: Witness, known: Known) -> dict[str, Any]:
    """The witness, in decimals around its slack. Raises ValueError unless every number between them breaks the relation."""
    lower, upper = enclosing_decimals(witness.slack)
    ends = [exact_number(end, "violation.slack", decimal=True) for end in (lower, upper)]
    # Rounded outwards the enclosure may reach zero though the slack does not.
    if not conclusion.relation.is_broken_between(*ends):
        raise ValueError(f"{conclusion.name}: no violation is certain between {lower} and {upper}")
    return {
        # As instances are written: whole numbers as such.
        "times": [int(time.p) if time.q == 1 else str(time) for time in witness.times],
        "entry": list(witness.entry),
        "slack": {"lower": lower, "upper": upper},
        "known": known.value,
        "method": METHODS[conclusion.form.value, known.value],
        "bits": witness.bits,
    }


def file_name(data: dict[str, Any]) -> str:
    """A name that says what is refuted, and that differs if the content differs."""
    dropped = [assumption["name"] for assumption in data["assumptions"]["dropped"]]
    parts = [data["claim"]["id"], data["conclusion"]["name"], *(f"without_{name}" for name in dropped)]
    # Certificates of one conclusion would overwrite one another.
    mark = data["digest"].removeprefix("sha256:")[:8]
    return re.sub(r"[^A-Za-z0-9_.-]", "_", ".".join([*parts, mark])) + ".json"


def save_certificate(data: dict[str, Any], path: Path) -> None:
    """Write the certificate as JSON, lists of numbers on one line. Raises OSError."""
    write_whole(path, as_text(data))
