"""Proofs that mutants are equivalent: of the catalogue in the tables of its papers, of a claim of a user in the claim."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from functools import cache
from pathlib import Path

from claims.stating.derived import derivations
from claims.stating.statement import Claim

PAPERS = Path(__file__).parents[1]

MOVED = re.compile(r"(?P<conclusion>\w+): (?P<constant>\w+) = (?P<old>[-\d/]+) => (?P<new>[-\d/]+)")
"""The name of a mutant that gives a named constant another value."""


@cache
def table_of(paper: str) -> dict[str, dict[str, list[str]]]:
    """By claim and proof the names of mutants; empty for what is no paper of the catalogue."""
    file = PAPERS / paper / "equivalent.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def equivalents(claim: Claim) -> dict[str, str]:
    """By the names of mutants the proofs that they are equivalent."""
    # A user's file may bear the id of a claim of the catalogue.
    known = table_of(claim.paper.key).get(claim.id, {}) if claim.file is None else {}
    return claim.equivalent | {name: proof for proof, names in known.items() for name in names}


def derivation_of(claim: Claim, name: str) -> str | None:
    """Why a mutant of this name is true as well, if it moves a constant towards the better value of `improved.toml`."""
    moved = MOVED.fullmatch(name)
    if moved is None or claim.file is not None:
        return None
    derivation = derivations().get((claim.id, moved["conclusion"], moved["constant"]))
    if derivation is None:
        return None
    try:
        better = derivation.value({})
    except ValueError:  # there is none, or another one at each size
        return None
    old, new, best = Fraction(moved["old"]), Fraction(moved["new"]), Fraction(int(better.p), int(better.q))
    return derivation.why if min(old, best) <= new <= max(old, best) else None
