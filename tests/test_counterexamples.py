"""The published counterexamples: each refutes its statement again, and every refuted statement of the paper has one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claims.catalogue import catalogue
from claims.instances.drawing import unmet
from claims.instances.files import read_instance
from claims.statement import Standing
from claims.verdict import Outcome
from claims.verifying.deciding import check

DOCS = Path(__file__).parent.parent / "docs"
PAPERS = ("clusters", "polarization")
PUBLISHED = [
    entry
    for paper in PAPERS
    for entry in json.loads((DOCS / "counterexamples" / f"{paper}.json").read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("entry", PUBLISHED, ids=[entry["claim"] for entry in PUBLISHED])
def test_counterexample_refutes_its_statement_within_the_assumptions(entry):
    claim = catalogue()[entry["claim"]]
    (conclusion,) = (conclusion for conclusion in claim.conclusions if conclusion.name == entry["conclusion"])
    system = read_instance(json.dumps(entry["instance"]))[0]
    assert unmet(claim, conclusion, system) == []
    assert check(conclusion, system).outcome is Outcome.VIOLATED


@pytest.mark.parametrize("paper", PAPERS)
def test_every_refuted_statement_of_the_paper_has_a_published_counterexample(paper):
    refuted = {c.id for c in catalogue().values() if c.standing is Standing.FALSE and c.paper.key == paper}
    assert {entry["claim"] for entry in PUBLISHED if entry["claim"].startswith(paper)} == refuted
    table = (DOCS / f"{paper}.md").read_text(encoding="utf-8")
    assert all(f"[{name.split('.')[1]}](" in table for name in refuted)


BY_CHANCE = (
    "escape_takes_exponentially_long",
    "escape_takes_exponentially_long_at_unit_diameter",
    "escape_takes_exponentially_long_at_unit_radius",
    "group_jumps_are_rare_by_diameter",
)
"""Refuted in a space too large, or by a chance too small, for a file of the gallery."""


@pytest.mark.parametrize("paper", ["frank_wolfe", "localmax"])
def test_every_refuted_statement_is_in_the_table_of_its_paper_and_in_the_gallery(paper):
    refuted = {c.id for c in catalogue().values() if c.standing is Standing.FALSE and c.paper.key == paper}
    names = {name.split(".")[1] for name in refuted}
    table = (DOCS / f"{paper}.md").read_text(encoding="utf-8")
    assert all(f"| [{name}](../claims/{paper}/{name}.py) -> [" in table for name in names)
    shown = {path.stem for path in (DOCS / "counterexamples" / paper).glob("*.json")}
    assert names - shown <= set(BY_CHANCE)
