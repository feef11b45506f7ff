"""Which claim has to do with which: corrections, formulas taken from another claim, a label or a printed place shared."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from claims.statement import Claim


@dataclass(frozen=True)
class Relations:
    """Ids of claims that have to do with one claim."""

    corrects: Sequence[str] = ()
    uses: Sequence[str] = ()
    used_by: Sequence[str] = ()
    same_label: Sequence[str] = ()
    labels: Sequence[str] = field(default_factory=tuple)


def source_of(claim: Claim) -> str:
    """The text of the module, or file, that states the claim."""
    return claim.source if claim.source is not None else inspect.getsource(sys.modules[claim.module])


def used_by(claim: Claim, known: Mapping[str, Claim]) -> list[str]:
    """The claims whose modules the claim's own text imports from."""
    found = []
    for node in ast.walk(ast.parse(source_of(claim))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            found += [name.removeprefix("claims.") for name in names if name.removeprefix("claims.") in known]
    return list(dict.fromkeys(one for one in found if one != claim.id))


def relations(claims: Mapping[str, Claim]) -> dict[str, Relations]:
    """The relations among these claims, by id."""
    uses = {name: used_by(claim, claims) for name, claim in claims.items()}
    by_label: dict[tuple[str, str], list[str]] = {}
    for name, claim in claims.items():
        for label in claim.refs:
            by_label.setdefault((claim.paper.key, label), []).append(name)
    found = {}
    for name, claim in claims.items():
        alike = dict.fromkeys(other for label in claim.refs for other in by_label[claim.paper.key, label] if other != name)
        found[name] = Relations(
            corrects=[other for other, one in claims.items() if one.corrected_by == name],
            uses=uses[name],
            used_by=[other for other, used in uses.items() if name in used],
            same_label=list(alike),
            labels=claim.refs,
        )
    return found
