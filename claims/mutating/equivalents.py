"""Proofs that mutants are equivalent: of the catalogue in the tables of its papers, of a claim of a user in the claim."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from claims.statement import Claim

PAPERS = Path(__file__).parents[1]


@cache
def table_of(paper: str) -> dict[str, dict[str, list[str]]]:
    """By claim and proof the names of mutants; empty for what is no paper of the catalogue."""
    file = PAPERS / paper / "equivalent.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def equivalents(claim: Claim) -> dict[str, str]:
    """By the names of mutants the proofs that they are equivalent."""
    known = table_of(claim.paper.key).get(claim.id, {}) if claim.file is None else {}
    return claim.equivalent | {name: proof for proof, names in known.items() for name in names}
