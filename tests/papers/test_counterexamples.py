"""The published counterexamples: each refutes its statement again, every refuted statement has one, and docs tell it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from claims.catalogue import catalogue
from claims.certificates.published import certificate_of, published
from claims.cli import app
from claims.hunting import gallery, tables
from claims.instances.drawing import unmet
from claims.instances.files import read_instance
from claims.statement import PAPERS, Standing
from claims.verdict import Outcome
from claims.verifying.deciding import check

DOCS = Path(__file__).parents[2] / "docs"
STATED = [name for name in published() if ".without_" not in name]
"""Certificates of statements as they stand; those without an assumption are decided again by test_gallery.py."""

TOO_LARGE = ("group_jumps_are_rare_by_diameter",)
"""Refuted in a space too large for a file."""


@pytest.mark.parametrize("name", STATED)
def test_counterexample_refutes_its_statement_within_the_assumptions(name):
    data = certificate_of(name)
    claim = catalogue()[data["claim"]["id"]]
    (conclusion,) = (conclusion for conclusion in claim.conclusions if conclusion.name == data["conclusion"]["name"])
    system = read_instance(json.dumps(data["instance"]))[0]
    assert unmet(claim, conclusion, system) == []
    assert check(conclusion, system).outcome is Outcome.VIOLATED


@pytest.mark.parametrize("paper", PAPERS)
def test_every_refuted_statement_has_a_certificate_and_a_row_in_the_table_of_its_paper(paper):
    refuted = {claim.id for claim in catalogue().values() if claim.standing is Standing.FALSE and claim.paper.key == paper}
    names = {name.split(".")[1] for name in refuted}
    shown = {name.split("/")[1].removesuffix(".json") for name in STATED if name.startswith(f"{paper}/")}
    assert shown <= names
    assert names - shown <= set(TOO_LARGE)
    page = (DOCS / tables.PAGES[paper]).read_text(encoding="utf-8")
    assert all(f"| [{name}](../claims/{paper}/{name}.py) -> [" in page for name in names)
    assert all(f"(../claims/evidence/{paper}/{name}.json)" in page for name in shown)


def test_what_is_wrong_is_said_where_a_table_says_it():
    assert all(claim.note for claim, _ in tables.refuted("polarization"))
    shown = CliRunner().invoke(app, ["show", "polarization.increasing_map_keeps_order"]).stdout
    assert "what is wrong: f(x) = x - 1 is increasing" in shown


# ---------------------------------------------------------------------------------------------------------------------
# The tables


@pytest.mark.parametrize("page", tables.EVERY_PAGE)
def test_tables_are_up_to_date(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    stale = f"docs/{page} is out of date: run python -m claims.hunting.gallery --tables"
    assert tables.brought_up_to_date(page, text) == text, stale


@pytest.mark.parametrize(
    ("page", "said", "otherwise"),
    [
        ("frank_wolfe.md", "| -2/3, [exact]", "| -1/3, [exact]"),
        ("localmax.md", "delta = 29/4", "delta = 7"),
        ("polarization.md", "the inequality turns round", "the inequality stays"),
        ("counterexamples.md", "| *clusters* |", "| *cluster* |"),
    ],
)
def test_a_page_that_says_otherwise_is_stale_and_is_written_anew(page, said, otherwise, tmp_path):
    for name in tables.EVERY_PAGE:
        (tmp_path / name).write_text((DOCS / name).read_text(encoding="utf-8"), encoding="utf-8")
    text = (DOCS / page).read_text(encoding="utf-8")
    assert said in text
    (tmp_path / page).write_text(text.replace(said, otherwise), encoding="utf-8")
    assert tables.write_tables(tmp_path) == [page]
    assert (tmp_path / page).read_text(encoding="utf-8") == text
    assert tables.write_tables(tmp_path) == []


def test_a_row_follows_its_certificate(monkeypatch):
    changed = certificate_of("localmax/every_limit_is_aligned.json")
    changed["instance"]["z"][0] = ["9/2"]
    monkeypatch.setattr(tables, "certificate_of", lambda name: changed if "every_limit" in name else certificate_of(name))
    assert "z = [[9/2], [-3], [0]]" in tables.table("localmax")
    page = (DOCS / "localmax.md").read_text(encoding="utf-8")
    assert tables.brought_up_to_date("localmax.md", page) != page


def test_an_instance_is_the_one_that_its_row_shows():
    """What is left out of a row is what the system takes by default."""
    for paper in PAPERS:
        for row in tables.refuted(paper):
            claim, certificate = row
            cell = tables.COLUMNS[paper]["counterexample"](row)
            if certificate is None or "..." in cell:
                continue
            system, instance = claim.system, certificate["instance"]
            given = {name: instance[name] for name in system.fields() if f", {name} = " in f", {cell}"}
            assert system.instance(**given).to_json() == instance, (claim.id, cell)


def test_a_page_without_its_marks_is_refused_and_no_page_is_written(tmp_path, monkeypatch, capsys):
    (tmp_path / "docs").mkdir()
    (tmp_path / "claims/evidence").mkdir(parents=True)
    (tmp_path / "claims/evidence/necessity.json").write_text("{}", encoding="utf-8")
    for name in tables.EVERY_PAGE:
        (tmp_path / "docs" / name).write_text("no table\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        gallery.main(["--tables"])
    assert ended.value.code == 2
    assert "has no table" in capsys.readouterr().err
    assert {path.read_text(encoding="utf-8") for path in (tmp_path / "docs").iterdir()} == {"no table\n"}


def test_show_tells_how_many_starts_stand_behind_each_line():
    shown = CliRunner().invoke(app, ["show", "clusters.hull_shrinks"]).stdout
    lines = [line.split() for line in shown.splitlines() if "edges_move_inward " in line and "concludes" not in line]
    assert [line[:5] for line in lines] == [
        ["(as", "it", "is)", "edges_move_inward", "none"],
        ["identity_value", "edges_move_inward", "counterexample", "8", "-8"],
    ]
    assert lines[0][5:7] == ["found", "31816"]
