"""Which claim has to do with which: corrections, formulas taken from another claim, a label or a printed place shared."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from claims.formulas import parts
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


def relations(claims: Mapping[str, Claim]) -> dict[str, Relations]:
    """The relations among these claims, by id."""
    stated_by: dict[Callable[..., Any], str] = {}
    for name, claim in claims.items():
        for conclusion in claim.conclusions:
            # The first that states a formula is the one that others take it from: claims are in the paper's order.
            stated_by.setdefault(inspect.unwrap(conclusion.slack), name)
    used = {}
    for name, claim in claims.items():
        functions = (one for conclusion in claim.conclusions for one in parts(conclusion.slack))
        used[name] = list(dict.fromkeys(stated_by[one] for one in functions if stated_by.get(one, name) != name))
    by_label: dict[tuple[str, str], list[str]] = {}
    for name, claim in claims.items():
        for label in claim.refs:
            by_label.setdefault((claim.paper.key, label), []).append(name)
    found = {}
    for name, claim in claims.items():
        alike = dict.fromkeys(other for label in claim.refs for other in by_label[claim.paper.key, label] if other != name)
        found[name] = Relations(
            corrects=[other for other, one in claims.items() if one.corrected_by == name],
            uses=used[name],
            used_by=[other for other, ones in used.items() if name in ones],
            same_label=list(alike),
            labels=claim.refs,
        )
    return found
