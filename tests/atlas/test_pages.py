"""The pages of all claims: they agree with the list, the certificates and the necessity map, and no link is dead."""

from __future__ import annotations

import json
import re
from collections import Counter
from html import escape
from importlib.resources import files

import pytest
from typer.testing import CliRunner

from claims.atlas.places import address, folder, page, place_of
from claims.catalogue import catalogue
from claims.certificates.published import EVIDENCE, published
from claims.cli import app
from claims.coverage import coverage
from claims.hunting.necessity import entries_of
from claims.proving.table import NAME, is_current
from claims.sheets.sheet import lines_of
from claims.statement import PAPERS, Origin, Paper, Standing
from claims.user_claims import claim_in
from tests.atlas.conftest import HOSTILE
from tests.atlas.links import Page, dead_links


def listed():
    """What `claims list` lists."""
    return json.loads(CliRunner().invoke(app, ["list", "--json"]).stdout)


def rows(index):
    """The rows of the index, by the id of the claim."""
    return {given["id"]: given for tag, given in Page(index).elements if tag == "tr" and "data-paper" in given}


def test_the_index_holds_what_the_list_holds(whole):
    found = rows(whole["index.html"])
    assert list(found) == [entry["id"] for entry in listed()]
    for entry in listed():
        row = found[entry["id"]]
        assert row["data-paper"] == entry["paper"]
        assert row["data-standing"] == entry["standing"]
        assert row["data-origin"] == entry["origin"]
        assert set(filter(None, row["data-form"].split("|"))) == {
            one.form.value for one in catalogue()[entry["id"]].conclusions
        }


def test_the_counts_of_the_index_agree_with_the_list(whole):
    table = re.search(r'<table class="counts">(.*?)</table>', whole["index.html"], re.DOTALL)[1]
    heads = [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<th scope=\"col\".*?</th>", table)]
    for paper in PAPERS:
        row = re.search(rf'<tr><th scope="row"><a href="{paper}/index.html">.*?</tr>', table, re.DOTALL)[0]
        cells = dict(zip(heads[1:], map(int, re.findall(r'<td class="number">(\d+)</td>', row)), strict=True))
        own = [entry for entry in listed() if entry["paper"] == paper]
        standings = Counter(entry["standing"] for entry in own)
        wanted = {"statements": len(own), "printed": sum(entry["origin"] == "printed" for entry in own)}
        assert cells == wanted | {word: standings[word] for word in cells if word not in wanted}
        assert sum(standings[word] for word in cells) == len(own)


def test_every_claim_has_a_page_that_says_what_it_states_where_and_whether_it_is_true(whole):
    for claim in catalogue().values():
        assert address(claim) == f"{claim.id.replace('.', '/', 1)}.html"
        read = Page(whole[address(claim)])
        text = " ".join("".join(read.text).split())
        for words in (claim.id, claim.statement, claim.where, claim.standing_word, str(claim.paper), *claim.refs):
            assert " ".join(words.split()) in text, (claim.id, words)
        for assumption in claim.assumptions:
            assert assumption.name in text
        if claim.corrected_by:
            assert f"../{address(catalogue()[claim.corrected_by])}" in read.links


def test_no_link_is_dead_and_none_leaves_the_site(whole):
    assert dead_links(whole) == []
    broken = whole | {"index.html": whole["index.html"].replace("clusters/hull_shrinks.html", "clusters/gone.html")}
    assert dead_links(broken) == ["index.html: clusters/gone.html"]


def test_certificates_are_downloaded_as_they_are_published(whole):
    for name, data in published().items():
        assert json.loads(whole[f"certificates/{name}"]) == data
        read = Page(whole[f"{name.partition('.')[0]}.html"])
        assert f"../certificates/{name}" in read.links
        assert data["digest"] in "".join(read.text)


def test_chips_say_what_the_necessity_map_says(whole):
    seen = Counter()
    for claim in catalogue().values():
        found = re.findall(r'<li class="chip (\w+)"><div><code>([\w<>]+?)</code>', whole[address(claim)])
        chips = {name.replace("<wbr>", ""): state for state, name in found}
        for name, state in chips.items():
            entries = [entry for entry in entries_of(claim.id) if entry.get("dropped") == [name]]
            needed = any(entry.get("counterexample") for entry in entries)
            assert (state == "needed") == needed, (claim.id, name)
            assert (state == "unneeded") == (bool(entries) and not needed), (claim.id, name)
            seen[state] += 1
    assert seen["needed"] > 100
    assert seen["unneeded"] > 50


def test_proved_sizes_are_those_of_the_table_of_proofs(whole):
    found, sizes = rows(whole["index.html"]), Counter[str]()
    proved = {}
    for entry in filter(is_current, json.loads((EVIDENCE / NAME).read_text(encoding="utf-8"))["entries"]):
        tried = (*entry["tried"], *entry.get("boxes", ()))
        told = [one["for_all"] for one in tried if one["verdict"] == "PROVED"]
        proved.setdefault(entry["claim"], []).extend((entry["conclusion"], size) for size in told)
    for claim in catalogue().values():
        own = proved.get(claim.id, [])
        assert set(filter(None, found[claim.id]["data-proved-sizes"].split("|"))) == {size for _, size in own}
        text = " ".join("".join(Page(whole[address(claim)]).text).split())
        assert text.count("proved for all ") == len(own), claim.id
        sizes.update(size for _, size in own)
    assert sizes["p = 2"] > 10
    assert '<select data-filter="proved-sizes">' in whole["index.html"]
    assert all(f"<option>{escape(size)}</option>" in whole["index.html"] for size in sizes)


def test_a_page_says_how_to_check_it_by_hand_where_that_is_known(whole):
    by_hand = [claim for claim in catalogue().values() if claim.hand]
    assert len(by_hand) > 30
    for claim in catalogue().values():
        page = whole[address(claim)]
        lines = re.findall(r'<section id="by-hand">.*?</section>', page, re.DOTALL)
        assert [part.count("<li>") for part in lines] == ([len(lines_of(claim))] if claim.hand else [])
        assert "$" not in "".join(lines)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_paper_s_page_begins_with_what_the_paper_states(whole, paper):
    page = whole[f"{paper}/index.html"]
    false = sum(one.paper.key == paper and one.standing is Standing.FALSE for one in catalogue().values())
    assert f" statements, {false} of them false." in page
    assert page.index('id="coverage"') < page.index('id="map"')
    rows = re.findall(
        r"<tr><th scope=\"row\">.*?</tr>", page[page.index('id="coverage"') : page.index('id="map"')], re.DOTALL
    )
    assert [len(re.findall(r'<a href="[^"]+\.html"', row)) for row in rows] == [len(one.claims) for one in coverage(paper)]


@pytest.mark.parametrize("paper", PAPERS)
def test_a_paper_s_page_holds_the_sheet_for_its_authors(whole, paper):
    theirs = (Origin.PRINTED, Origin.REPORTED)
    false = [one for one in catalogue().values() if one.paper.key == paper and one.standing is Standing.FALSE]
    told = [claim for claim in false if claim.origin in theirs]
    markdown, latex, page = whole[f"{paper}/errata.md"], whole[f"{paper}/errata.tex"], whole[f"{paper}/index.html"]
    rows = [claim for claim in told if not isinstance(claim.defect, str)]
    assert markdown.count("\n### ") == latex.count(r"\row{") == page.count('class="erratum"') == len(rows) > 0
    for claim in told:
        assert f'<a href="../{address(claim)}"><code>{claim.id}</code></a>' in page
    for line in latex.split("\n"):
        assert line.count("{") - line.count(r"\{") == line.count("}") - line.count(r"\}"), line


def test_a_theorem_is_found_by_its_number(whole):
    assert 'id="theorem-5.4"' in whole["frank_wolfe/index.html"]
    assert 'id="theorem-3.2"' in whole["polarization/index.html"]
    found = rows(whole["index.html"])
    for words, name in (("theorem 5.4", "frank_wolfe.escape_takes_exponentially_long"), ("3.2(b)", "polarization.")):
        assert any(key.startswith(name) for key, row in found.items() if words in row["data-search"]), words


@pytest.mark.parametrize(
    ("where", "statement", "section", "is_step"),
    [
        ("Theorem 3.3(c)", "Theorem 3.3", "section 3", False),
        ("proof of Theorem 3.3, before equation (17)", "Theorem 3.3", "section 3", True),
        ("claim cl:group.cluster.bound, proof of Theorem 5.4", "Theorem 5.4", "section 5", True),
        ("Lemma D.4, appendix D.2", "Lemma D.4", "appendix D.2", False),
        ("hardmax 2407.01602, abstract", "", "abstract", False),
        ("", "", "no place", False),
    ],
)
def test_where_a_statement_is_printed_is_read_from_its_words(where, statement, section, is_step):
    place = place_of(where)
    assert (place.statement, place.section, place.is_proof_step) == (statement, section, is_step)


@pytest.mark.parametrize("key", ["..", "../up", "a/b", "", "assets", "certificates", "<b>", "C:", "x" * 90])
def test_a_paper_of_any_name_has_a_folder_of_its_own_within_the_site(key):
    assert re.fullmatch(r"paper-[0-9a-f]{8}", folder(Paper(key)))
    assert folder(Paper(key)) != folder(Paper(f"{key} "))


def test_a_claim_called_index_does_not_take_the_page_of_its_paper():
    own = claim_in(HOSTILE, "index.py")
    assert page(own) != "index.html"


def test_the_map_shows_every_claim_once_and_leads_to_it(whole):
    for paper in PAPERS:
        svg = re.search(r'<svg class="map".*?</svg>', whole[f"{paper}/index.html"], re.DOTALL)[0]
        names = re.findall(r'<a href="(\w+)\.html"><circle class="(\w+)"', svg)
        own = {claim.id.split(".")[-1]: claim for claim in catalogue().values() if claim.paper.key == paper}
        assert sorted(name for name, _ in names) == sorted(own)
        for name, kind in names:
            assert kind == own[name].standing.value.replace(" ", "")
        corrected = sum(
            claim.corrected_by in catalogue() and claim.corrected_by.startswith(paper) for claim in own.values()
        )
        assert svg.count('class="arc corrects"') == corrected


def test_the_templates_are_data_of_the_package_and_load_nothing_from_elsewhere():
    for file in (files("claims.atlas") / "templates").iterdir():
        assert not re.search(r"https?://|//[a-z]+\.|@import", file.read_text(encoding="utf-8")), file.name
