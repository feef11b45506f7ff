"""The plan of `claims sharpen`: a bracket for each named constant, each a task of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from claims.campaigns.engines import fingerprint
from claims.campaigns.independent import Independent
from claims.campaigns.ledger import LedgerError
from claims.certificates.necessity import MAP, known_instances
from claims.certificates.published import certificate_of, name_of
from claims.hunting.hunt import constant_of
from claims.sharpening.brackets import SHARP, spec_of
from claims.stating.statement import Claim, Form, Relation, is_costly
from claims.targets.target import Target, TargetError

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
    width: str = SHARP,
) -> dict[str, Any]:
    """All settings as plain data, kept in the ledger; `around` gives constants other values to begin from, NAME=VALUE.

    A bracket of at most this `width` is called sharp.

    Raises ValueError and TargetError where there is nothing to bracket.
    """
    other = dict(constant_of(text) for text in around)
    known = known_instances(MAP.stored)
    specs = []
    # A name that no constant has is a slip of the pen, not a wish for nothing.
    there = {name for _, name in named_constants(claims)}
    if missing := sorted({*only, *other} - there):
        names = f"no inequality chosen has a constant {', '.join(missing)}: there are {', '.join(sorted(there))}"
        raise TargetError(names if there else NOTHING)
    for target, name in named_constants(claims):
        if (only and name not in only) or (other and name not in other):
            continue
        variant = target.resolve()
        axes = sorted({axis for one in variant.claim.system.fields().values() for axis in one.axes})
        for axis, length in (size or {}).items():
            if axis not in axes or length < 1:
                raise TargetError(
                    f"{target.claim} has no size {axis}={length}: its sizes are {', '.join(axes)}, at least 1"
                )
        begun = replace(target, sharpened=((name, other[name]),)) if other else target
        near = [*known.get(str(target), ())]
        # What refutes a false statement is not in the map of what is needed: it is published by itself.
        found = certificate_of(name_of(target.claim, ())) if target.source is None else None
        near += [found["instance"]] if found and found["conclusion"]["name"] == target.conclusion else []
        is_long = is_costly(variant.conclusion) or variant.conclusion.form is Form.ORBIT
        specs.append(spec_of(begun, name, seed, starts or STARTS[is_long], budget, size, near, width))
    if not specs:
        both = f"no constant is in both --constant and --around: {', '.join([*only, *other])}"
        raise TargetError(both if there else NOTHING)
    return {"constants": specs, "command": command, "code": fingerprint()}


# Another result would be kept under the key of this task, and come back whenever it is resumed.
def _fits(spec: Mapping[str, Any], result: Mapping[str, Any]) -> bool:
    target = spec["target"]
    wanted = (target["claim"], target["conclusion"], spec["constant"])
    return (result["claim"], result["conclusion"], result["constant"]) == wanted


def plan_of(settings: Mapping[str, Any]) -> Independent:
    """The plan that a ledger was begun with. Raises LedgerError."""
    if "constants" not in settings:
        raise LedgerError("the ledger is of another campaign than brackets of constants")
    return Independent(settings["constants"], _fits)
