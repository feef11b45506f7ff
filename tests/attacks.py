"""What the suite is attacked with, counted in the tables and lists of its own tests.

`python -m tests.attacks` counts anew and writes the counts into the record that the page on reliability tells. Figures that
an audit measured on a day stand in the same record, are typed by hand and are never counted.
"""

from __future__ import annotations

import importlib
import json
import tomllib
from pathlib import Path
from typing import Any

from claims.atlas.reliability import NAME
from claims.certificates.provenance import write_whole
from claims.mutating.rewriting import mutants_of
from claims.mutating.trial import proof_of
from claims.stating.catalogue import catalogue
from tests.planting import TABLES

RECORD = Path(__file__).parents[1] / "claims" / "evidence" / NAME

CHEATING_CLAIMS = "TEXT PYTHON NUMPY LEAKS FAR CHANGING RESULTS ENDLESS HYPOTHESES"
"""The lists of tests/proving/test_hostile_claims.py whose entries a claim file is made of that must not be proved."""

FORGED_PROOFS = "FOR_EVER FORGED TREES BOXES"
"""The lists of tests/proving/test_proof_files.py whose entries change a proof file that must not be confirmed."""


def planted_bugs() -> dict[str, int]:
    """The number of bugs in the tables of each package."""
    return {
        path.stem: sum(len(bugs) for bugs in tomllib.loads(path.read_text(encoding="utf-8")).values())
        for path in sorted(TABLES.glob("*.toml"))
    }


def counted() -> dict[str, Any]:
    """Every count, by the names of the record."""
    return counted_in_tables() | counted_mutants()


def counted_in_tables() -> dict[str, Any]:
    """All but mutants: entries of the tables and lists of the tests."""
    falsehoods = importlib.import_module("tests.papers.test_planted_falsehoods").EVERY
    hostile = importlib.import_module("tests.checker.test_forged_text").HOSTILE
    mistakes = tomllib.loads((TABLES.parent / "command_line" / "mistakes.toml").read_text(encoding="utf-8"))
    return {
        "planted": planted_bugs(),
        "falsehoods": len(falsehoods),
        "hostile_texts": len(hostile),
        "cheating_claims": _entries("tests.proving.test_hostile_claims", CHEATING_CLAIMS),
        "forged_proofs": _entries("tests.proving.test_proof_files", FORGED_PROOFS),
        "mistakes": len(mistakes),
    }


def counted_mutants() -> dict[str, int]:
    """How many changes of statements there are, and how many are proved to be true as well: every formula is rewritten."""
    mutants = [(claim, mutant) for claim in catalogue().values() for mutant in mutants_of(claim)]
    return {
        "mutants": len(mutants),
        "equivalent_mutants": sum(proof_of(claim, mutant) is not None for claim, mutant in mutants),
    }


def _entries(module: str, names: str) -> int:
    found = importlib.import_module(module)
    return sum(len(getattr(found, name)) for name in names.split())


def record() -> dict[str, Any]:
    """What the package tells: `counted`, and the `audits` with their days."""
    found: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Write today's counts."""
    # One a line: a new one is a line of a difference, and not a page of it.
    audits = ",\n".join(json.dumps(one, ensure_ascii=False) for one in record()["audits"])
    write_whole(RECORD, f'{{\n"counted": {json.dumps(counted())},\n"audits": [\n{audits}\n]}}\n')


if __name__ == "__main__":
    main()
