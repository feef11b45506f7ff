"""The pages of all claims: they agree with the list, the certificates and the necessity map, and no link is dead."""

from __future__ import annotations

import inspect
import json
import re
from collections import Counter
from dataclasses import replace
from html import escape, unescape
from importlib.resources import files

import pytest
from typer.testing import CliRunner

from claims import __version__ as version
from claims.atlas.citing import citation_of, lines_of_claim
from claims.atlas.evidence import Evidence, gathered
from claims.atlas.places import address, folder, page_name, place_of, theorem_page
from claims.atlas.relations import source_of
from claims.atlas.sheets.sheet import lines_of
from claims.atlas.typeset import typeset
from claims.certificates.current import is_current
from claims.certificates.necessity import NOT_CERTIFIED, entries_of
from claims.certificates.published import EVIDENCE, certificate_of, name_of, published
from claims.cli import app
from claims.proving.table import PROOFS
from claims.stating.catalogue import catalogue
from claims.stating.coverage import THEIRS, coverage
from claims.stating.notation import marks_in, symbols_in
from claims.stating.statement import PAPERS, Origin, Paper, Standing
from claims.targets.user_claims import claim_in
from tests.atlas.conftest import HOSTILE, with_templates
from tests.atlas.links import Page, dead_links, links_of, words_of
from tests.planting import one_in


def listed():
    return json.loads(CliRunner().invoke(app, ["list", "--json"]).stdout)


def rows(whole):
    """What the search of the index knows, by the id of the claim."""
    return json.loads(whole["assets/search.js"].partition("const SEARCH = ")[2].rstrip(";\n"))


def marked(text, claim):
    """A text of a claim as pages have it, with the symbols of its paper."""
    return typeset(text, marks_in(text, claim.paper.key))


def test_the_index_holds_what_the_list_holds(whole):
    found, index = rows(whole), whole["index.html"]
    assert len(index.encode()) < 200_000, "it is loaded before anything is seen"
    assert list(found) == [entry["id"] for entry in listed()]
    items = [one.given.get("id") for one in Page(index).all("li")]
    assert [name for name in items if name in found] == list(found)
    for entry in listed():
        row = found[entry["id"]]
        assert row["paper"] == entry["paper"]
        assert row["standing"] == entry["standing"]
        assert row["origin"] == entry["origin"]
        assert set(row["form"]) == {one.form.value for one in catalogue()[entry["id"]].conclusions}


def test_the_counts_of_the_index_agree_with_the_list(whole):
    table = re.search(r'<table class="counts">(.*?)</table>', whole["index.html"], re.DOTALL)[1]
    heads = [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<th scope=\"col\".*?</th>", table)]
    for paper in PAPERS:
        row = re.search(rf'<tr><th scope="row"><a href="{paper}/index.html">.*?</tr>', table, re.DOTALL)[0]
        cells = dict(zip(heads[2:-1], map(int, re.findall(r'<td class="number more">(\d+)</td>', row)), strict=True))
        own = [entry for entry in listed() if entry["paper"] == paper]
        standings = Counter(entry["standing"] for entry in own)
        assert cells == {"statements": len(own)} | {word: standings[word] for word in cells if word != "statements"}
        false, printed = standings["false as printed"], sum(entry["origin"] == "printed" for entry in own)
        assert f"<td>{false} of {printed}</td>" in row
        assert sum(standings[word] for word in cells) + false == len(own)
        title = re.search(r'<div class="title">(.*?)</div>', unescape(row))[1]
        # Who wrote it with whom is told elsewhere.
        assert title.startswith(PAPERS[paper].title.partition(" (with ")[0])
        assert PAPERS[paper].arxiv in title


def test_every_claim_has_a_page_that_says_what_it_states_where_and_whether_it_is_true(whole):
    for claim in one_in(4, catalogue().values()):
        assert address(claim) == f"{claim.id.replace('.', '/', 1)}.html"
        page = whole[address(claim)]
        text = words_of(page)
        for words in (claim.id, claim.statement, claim.where, claim.standing_word, str(claim.paper), *claim.refs):
            assert " ".join(words.split()) in text, (claim.id, words)
        for assumption in claim.assumptions:
            assert assumption.name in text
        if claim.corrected_by:
            assert f"../{address(catalogue()[claim.corrected_by])}" in links_of(page)


def test_no_link_is_dead_and_none_leaves_the_site(whole):
    assert dead_links(whole) == []
    # A check that finds nothing anywhere is none.
    moved = '<a href="clusters/gone.html">hull shrinks</a><a href="clusters/hull_shrinks.html#gone">hull shrinks</a>'
    part = {"index.html": moved, "clusters/hull_shrinks.html": whole["clusters/hull_shrinks.html"]}
    assert "index.html: clusters/gone.html" in dead_links(part)
    assert "index.html: clusters/hull_shrinks.html#gone" in dead_links(part)


def test_certificates_are_downloaded_as_they_are_published(whole):
    for name, data in published().items():
        assert json.loads(whole[f"certificates/{name}"]) == data
        page = whole[f"{name.partition('.')[0]}.html"]
        assert f"../certificates/{name}" in links_of(page)
        assert data["digest"] in words_of(page)


def test_chips_say_what_the_necessity_map_says(whole):
    seen = Counter()
    for claim in catalogue().values():
        found = re.findall(r'<li class="chip (\w+)"><div><code>([\w<>]+?)</code>', whole[address(claim)])
        chips = {name.replace("<wbr>", ""): state for state, name in found}
        for name, state in chips.items():
            entries = [entry for entry in entries_of(claim.id) if entry.get("dropped") == [name]]
            # The map is the truth here: it was merged from hunts, and the page only shows it.
            needed = any(entry.get("counterexample") for entry in entries)
            assert (state == "needed") == needed, (claim.id, name)
            violated = any(entry.get("open") == NOT_CERTIFIED for entry in entries)
            decided = any("open" not in entry for entry in entries)
            assert (state == "unneeded") == (decided and not needed and not violated), (claim.id, name)
            seen[state] += 1
    assert seen["needed"] > 100
    assert seen["unneeded"] > 50


def test_proved_sizes_are_those_of_the_table_of_proofs(whole):
    found, sizes = rows(whole), Counter[str]()
    proved = {}
    for entry in filter(is_current, json.loads((EVIDENCE / PROOFS.name).read_text(encoding="utf-8"))["entries"]):
        tried = (*entry["tried"], *entry.get("boxes", ()))
        told = [one["for_all"] for one in tried if one["verdict"] == "PROVED"]
        proved.setdefault(entry["claim"], []).extend((entry["conclusion"], size) for size in told)
    for claim in catalogue().values():
        own = proved.get(claim.id, [])
        assert set(found[claim.id]["proved-sizes"]) == {size for _, size in own}
        text = words_of(whole[address(claim)])
        # Of a better constant it is said that its value "is proved for all".
        assert text.count("proved for all ") - text.count("is proved for all ") == len(own), claim.id
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
    stated = coverage(paper)
    assert [len(re.findall(r'<a href="[^"]+\.html" aria-label', row)) for row in rows] == [
        len(one.claims) for one in stated
    ]
    for row, one in zip(rows, stated, strict=True):
        # A hollow dot is a statement of ours.
        kinds = re.findall(r'class="dot \w+( hollow)?"', row)
        assert kinds == sorted(kinds), "the paper's own words come first"
        if one.claims and re.match(r"(Theorem|Lemma) \S*\d", one.printed):
            assert re.search(r'<th scope="row"><a href="[\w.-]+/index.html">', row), one.printed


@pytest.mark.parametrize("paper", PAPERS)
def test_a_paper_s_page_holds_the_sheet_for_its_authors(whole, paper):
    theirs = (Origin.PRINTED, Origin.REPORTED)
    false = [one for one in catalogue().values() if one.paper.key == paper and one.standing is Standing.FALSE]
    told = [claim for claim in false if claim.origin in theirs]
    markdown, latex, page = whole[f"{paper}/errata.md"], whole[f"{paper}/errata.tex"], whole[f"{paper}/index.html"]
    # A defect that is a name is told in the row of the claim of that name.
    rows = [claim for claim in told if not isinstance(claim.defect, str)]
    assert markdown.count("\n### ") == latex.count(r"\row{") == page.count('class="erratum"') == len(rows) > 0
    for claim in told:
        assert f'<a href="../{address(claim)}"><code>{claim.id}</code></a>' in page
    for line in latex.split("\n"):
        # A brace left open would end the author's own document.
        assert line.count("{") - line.count(r"\{") == line.count("}") - line.count(r"\}"), line


def test_a_theorem_is_found_by_its_number(whole):
    assert 'id="theorem-5.4"' in whole["frank_wolfe/index.html"]
    assert 'id="theorem-3.2"' in whole["polarization/index.html"]
    found = rows(whole)
    for words, name in (("theorem 5.4", "frank_wolfe.escape_takes_exponentially_long"), ("3.2(b)", "polarization.")):
        assert any(key.startswith(name) for key, row in found.items() if words in row["search"]), words


@pytest.mark.parametrize(
    ("where", "statement", "section", "is_step"),
    [
        ("Theorem 3.3(c)", "Theorem 3.3", "section 3", False),
        ("proof of Theorem 3.3, before equation (17)", "Theorem 3.3", "section 3", True),
        # What is said within a proof belongs to its theorem, and is no statement of its own.
        ("claim cl:group.cluster.bound, proof of Theorem 5.4", "Theorem 5.4", "section 5", True),
        ("Lemma D.4, appendix D.2", "Lemma D.4", "appendix D.2", False),
        # The number of a paper is none of a statement.
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
    # A user may call a file as he likes.
    assert page_name(claim_in(HOSTILE, "index.py")) != "index.html", "it is the page of its paper"


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


def test_a_numbered_statement_has_a_page_of_its_own_with_all_claims_about_it(whole):
    by_place = {}
    for claim in catalogue().values():
        if statement := place_of(claim.where).statement:
            by_place.setdefault(theorem_page(claim.paper, statement), []).append(claim)
    assert "polarization/theorem-3.2/index.html" in by_place
    assert "frank_wolfe/theorem-5.4/index.html" in by_place
    for name, claims in by_place.items():
        assert {f"../{page_name(claim)}" for claim in claims} <= links_of(whole[name])
        assert all(marked(claim.statement, claim) in whole[name] for claim in claims)
        assert all(marked(one.statement, claim) in whole[name] for claim in claims for one in claim.assumptions)
        for claim in claims:
            if certificate_of(name_of(claim.id, ())):
                entry = whole[name].partition(f'<section class="entry" id="{claim.id.split(".")[-1]}">')[2]
                assert 'class="certified"' in entry.partition("</section>")[0], claim.id
        shown = re.findall(r'<section class="entry" id="(\w+)">', whole[name])
        theirs = [one for one in claims if one.standing is Standing.FALSE and one.origin in THEIRS]
        assert set(shown[: len(theirs)]) == {one.id.split(".")[-1] for one in theirs}, "false words of theirs come first"
        for claim in claims:
            assert f"../{name}".removeprefix(f"../{folder(claim.paper)}/") in links_of(whole[address(claim)])


def test_symbols_lead_to_the_notation_of_their_paper(whole):
    page = whole["frank_wolfe/escape_takes_exponentially_long.html"]
    link = r'#(symbol-\d+)"><span aria-hidden="true">(.*?)</span><span class="heard">'
    linked = dict(re.findall(link, page))
    assert len(linked) == len(symbols_in(catalogue()["frank_wolfe.escape_takes_exponentially_long"])) > 3
    notation = whole["frank_wolfe/index.html"]
    for anchor, symbol in linked.items():
        assert f'<div id="{anchor}"><dt>{symbol}</dt>' in notation


def test_symbols_of_a_statement_are_told_on_its_page(whole):
    """Whatever can be pointed at is in the list below, which is printed."""
    pointed = 0
    for claim in catalogue().values():
        page = whole[address(claim)]
        told = set(re.findall(r'<dd id="of-symbol-(\d+)">', page))
        shown = page[page.index("<blockquote") : page.index("</blockquote>")]
        # Hypotheses are printed with the statement, so their symbols are told as well.
        shown += "".join(re.findall(r'<p class="assumed">.*?</p>', page))
        numbers = set(re.findall(r'class="sym" data-symbol="(\d+)"', shown))
        assert numbers <= told, claim.id
        pointed += len(numbers)
    assert pointed > 1000


def test_a_page_says_how_it_is_cited_and_its_digest_is_of_what_it_states(whole):
    claim = catalogue()["polarization.score_gaps_grow"]
    cited = citation_of(claim, Evidence(), address(claim), "2026")
    # Neither where it stands nor when it was built changes what is stated.
    assert cited.digest == citation_of(claim, Evidence(), "elsewhere", "2030").digest
    assert cited.digest != citation_of(replace(claim, statement="another"), Evidence(), address(claim), "2026").digest
    assert cited.bibtex.startswith("@misc{polarization.score_gaps_grow,\n  author")
    assert cited.bibtex.count("{") == cited.bibtex.count("}")
    assert r"score\_gaps\_grow" in cited.bibtex
    for name in (address(claim), "polarization/theorem-3.2/index.html"):
        section = re.search(r'<section id="cite">.*?</section>', whole[name], re.DOTALL)[0]
        assert f"version {version}" in section
        assert re.search(r"sha256:[0-9a-f]{32}\b", section)
        assert "@misc{polarization." in section
        assert 'class="copy"' in section


def test_lines_of_a_module_are_those_that_state_the_claim():
    for claim in catalogue().values():
        text = source_of(claim).split("\n")
        message = "\n".join(line for first, last in lines_of_claim(claim) for line in text[first - 1 : last])
        assert f"{claim.name} = section.claim(" in message or "Claim(" in message, claim.id
        own = [one for one in claim.conclusions if inspect.unwrap(one.slack).__module__ == claim.module]
        assert all(
            f"def {one.slack.__name__}(" in message for one in own if f"def {one.slack.__name__}(" in "\n".join(text)
        ), claim.id


def test_lines_are_linked_where_a_revision_is_known_and_told_where_it_is_not(whole):
    claim = catalogue()["polarization.score_gaps_grow"]
    first, last = lines_of_claim(claim)[0]
    assert f"<code>claims/polarization/gaps_grow.py</code>, lines {first}–{last}" in whole[address(claim)]
    pages = with_templates()
    one = {claim.id: claim}
    site = pages.pages(
        pages.Atlas(one, gathered([claim], [], {}), {claim.id: []}, catalogue(), revision="https://example.org/r/1")
    )
    assert f'<a href="https://example.org/r/1/claims/polarization/gaps_grow.py#L{first}-L{last}">' in site[address(claim)]
