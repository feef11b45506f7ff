"""The plan of `claims sharpen`: a bracket for each named constant, each a task of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from claims.campaigns.engines import fingerprint
from claims.campaigns.independent import Independent
from claims.campaigns.ledger import LedgerError
from claims.certificates.published import certificate_of, name_of
from claims.hunting.hunt import constant_of
from claims.hunting.necessity import MAP, known_instances
from claims.instances.drawing import is_costly
from claims.sharpening.brackets import spec_of
from claims.statement import Claim, Form, Relation
from claims.target import Target, TargetError

STARTS = {False: 3000, True: 400}
"""Evaluations of a search, where nothing else is asked: of formulas in one state, and along paths and over orbits."""


NOTHING = "the chosen claims have no inequality with a named constant"


def named_constants(claims: Sequence[Claim]) -> Iterator[tuple[Target, str]]:
    """Every named constant of an inequality, with its target."""
    for claim in claims:
        for conclusion in claim.conclusions:
            if conclusion.relation is not Relation.ZERO and conclusion.form is not Form.EXPERIMENT:
                for name in conclusion.constants:
                    yield replace(Target.of(claim, conclusion), file=claim.file), name


def settings_of(
    claims: Sequence[Claim],
    only: Sequence[str],
    around: Sequence[str],
    size: Mapping[str, int] | None,
    budget: float | None,
    starts: int | None,
    seed: int,
    command: str,
    width: str = "1/1000",
) -> dict[str, Any]:
    """All settings as plain data, kept in the ledger; `around` gives constants other values to begin from, NAME=VALUE.

    A bracket of at most this `width` is called sharp.

    Raises ValueError and TargetError where there is nothing to bracket.
    """
    other = dict(constant_of(text) for text in around)
    known = known_instances(MAP.stored)
    specs = []
    there = {name for _, name in named_constants(claims)}
    if missing := sorted({*only, *other} - there):
        raise TargetError(
            f"no inequality chosen has a constant {', '.join(missing)}: there are {', '.join(sorted(there))}"
            if there
            else NOTHING
        )
    for target, name in named_constants(claims):
        if (only and name not in only) or (other and name not in other):
            continue
        _refuse_size(target, size or {})
        begun = replace(target, sharpened=((name, other[name]),)) if other else target
        near = [*known.get(str(target), ()), *_published(target)]
        specs.append(spec_of(begun, name, seed, starts or STARTS[_is_long(target)], budget, size, near, width))
    if not specs:
        raise TargetError(
            f"no constant is in both --constant and --around: {', '.join([*only, *other])}" if there else NOTHING
        )
    return {"constants": specs, "command": command, "code": fingerprint()}


def _refuse_size(target: Target, size: Mapping[str, int]) -> None:
    """Raises TargetError for a size that instances of the claim do not have."""
    axes = sorted({axis for one in target.resolve().claim.system.fields().values() for axis in one.axes})
    for name, length in size.items():
        if name not in axes or length < 1:
            raise TargetError(f"{target.claim} has no size {name}={length}: its sizes are {', '.join(axes)}, at least 1")


def _published(target: Target) -> list[dict[str, Any]]:
    """The instance of the published counterexample to a false statement."""
    found = certificate_of(name_of(target.claim, ())) if target.source is None else None
    return [found["instance"]] if found and found["conclusion"]["name"] == target.conclusion else []


def _is_long(target: Target) -> bool:
    conclusion = target.resolve().conclusion
    return is_costly(conclusion) or conclusion.form is Form.ORBIT


def _fits(spec: Mapping[str, Any], result: Mapping[str, Any]) -> bool:
    target = spec["target"]
    wanted = (target["claim"], target["conclusion"], spec["constant"])
    return (result["claim"], result["conclusion"], result["constant"]) == wanted


def plan_of(settings: Mapping[str, Any]) -> Independent:
    """The plan that a ledger was begun with. Raises LedgerError."""
    if "constants" not in settings:
        raise LedgerError("the ledger is of another campaign than brackets of constants")
    return Independent(settings["constants"], _fits)
