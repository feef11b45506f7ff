"""Every field of every kind of proof, changed in every way: nothing but the genuine one is confirmed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from flint import fmpq

from claims.proving import files, recheck
from claims.proving.attempts import attempted
from claims.proving.files import MANIFEST, ProofFileError
from claims.proving.proof import ProofStatus
from claims.proving.recheck import Finding
from claims.stating.catalogue import catalogue
from claims.targets.target import Target
from tests.checker.genuine import at, changed, leaves, other_types, other_values
from tests.planting import LONG, one_in
from tests.proving.claim_texts import HEAD
from tests.proving.solver_processes import solvers_or_skip, target_in

solvers_or_skip()

SOURCE = (
    HEAD
    + '''\
@claim.{form}
def gap({names}):
    """Something of two numbers."""
    x = {x}
    return {formula}
'''
)


def own(form: str, formula: str, hypothesis: str | None = None) -> Target:
    about = "now" if form.startswith("state") else "now, start"
    source = SOURCE.format(form=form, names=about, x="now.x", formula=formula)
    if hypothesis is not None:
        source = source.replace("bool(f.x[0] > f.x[1]) and bool(f.x[1] > 0)", hypothesis)
    return target_in(source, "shrinking.py", "gap")


STATE = 'state(">= 0")'
LATER = 'trajectory(">= 0", horizon=lambda start: fmpq(1))'
EITHER = "bool(f.x[0] * f.x[1] >= 0)"
"""A hypothesis that excludes some paths."""

PROOFS: dict[str, tuple[Target, dict[str, int], dict[str, tuple[fmpq, fmpq]] | None]] = {
    "by sums": (own(STATE, "(x[0] - x[1] if x[0] >= 3 else 3 * (x[0] - x[1])) * x[1] + 1"), {"n": 2}, None),
    "by solvers and renamings": (
        own(STATE, "x[0]**4 * x[1]**2 + x[0]**2 * x[1]**4 + 1 - 3 * x[0]**2 * x[1]**2 if x[0] >= x[1] else 1", EITHER),
        {"n": 2},
        None,
    ),
    "for ever": (own(LATER, "np.array([x[1], start.x[0] - x[0]])"), {"n": 2}, None),
    "on a box": (
        own(STATE, "exp(x[0] / 2) - 1 - x[0] / 2 - x[0] * x[0] / 16", "bool(f.x[0] >= 0)"),
        {"n": 1},
        {"": (fmpq(0), fmpq(1))},
    ),
}


def is_harmless(path: tuple[Any, ...], value: Any, other: Any) -> bool:
    """Whether it says the same: another name of a file, a space at its end, what has no order in another order."""
    if path == ("target", "file") or value == other:
        return True
    if path == ("target", "source"):
        return isinstance(other, str) and value.strip() == other.strip()
    if path[-1] in ("paths", "inside") and isinstance(other, list):
        return {*map(str, value)} == {*map(str, other)} and (path[-1] == "inside" or len(other) == len(value))
    return False


def changes(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each field deleted, of other types, of other values, with more: of those alike the first, in a long run all."""
    seen: set[tuple[Any, ...]] = set()
    for number, path in enumerate(leaves(data)):
        if not path or path[0] in ("versions", "digest"):  # what told of the machine is no part of the proof
            continue
        value = at(data, path)
        types = list(other_types(value))
        others = types if LONG else [types[number % len(types)], *([...] if isinstance(path[-1], str) else [])]
        if isinstance(value, dict):
            others = [*others, value | {"more": "1"}]
        kind = tuple("*" if isinstance(part, int) else part for part in path)
        if LONG or kind not in seen:
            seen.add(kind)
            for other in (*others, *other_values(value)):
                if not is_harmless(path, value, other):
                    yield f"{path} {other!r}", changed(data, path, other)


@pytest.mark.parametrize("name", one_in(2, PROOFS))
def test_no_changed_field_of_a_manifest_is_confirmed(name, tmp_path):
    target, size, box = PROOFS[name]
    made = attempted(target, size, 60, 5, box)
    assert made.word is ProofStatus.PROVED, made.reason
    folder = files.write_proof(made, tmp_path)
    assert recheck.recheck(folder, 5, run_source=True).finding in (Finding.CONFIRMED, Finding.BY_ONE)
    data = json.loads((folder / MANIFEST).read_text())
    found = {}
    for told, other in changes(data):
        (folder / MANIFEST).write_text(json.dumps(other))
        try:
            found[told] = recheck.recheck(folder, 5, run_source=True)
        except ProofFileError:
            continue
    confirmed = [told for told, one in found.items() if one.finding is not Finding.NOT_CONFIRMED]
    assert confirmed == []
    assert len(found) > 20  # besides those that are refused when the manifest is read


def test_a_proof_tells_which_hypotheses_are_kept_and_which_are_dropped():
    claim = catalogue()["polarization.gaps_grow"]
    target = Target.of(claim, claim.conclusions[0])
    names = [one.name for one in claim.assumptions_of(claim.conclusions[0])]
    assert len(names) > 2
    for count in range(len(names) + 1):
        for dropped in combinations(names, count):
            told = files.said(replace(target, dropped=dropped))["hypotheses"]
            assert [one["name"] for one in told["dropped"]] == list(dropped)
            assert [one["name"] for one in told["kept"]] == [name for name in names if name not in dropped]
