"""A false statement has one counterexample, the published one, everywhere; its note says why it fails there."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

from claims.atlas.drawing import wanted
from claims.atlas.evidence import gathered
from claims.atlas.places import address
from claims.atlas.recorded import recorded
from claims.atlas.sheets.sheet import lines_of
from claims.atlas.sheets.writing import html
from claims.atlas.spoken import spoken
from claims.atlas.typeset import typeset
from claims.certificates.necessity import MAP
from claims.certificates.published import certificate_of, name_of
from claims.cli.wording import published_violation
from claims.stating.catalogue import catalogue
from claims.stating.notation import marks_in
from claims.stating.plain_text import sentences
from claims.stating.statement import Standing
from tests.atlas.links import links_of
from tests.calling import run

ROOT = Path(__file__).parents[2]
FALSE = {name: claim for name, claim in catalogue().items() if claim.standing is Standing.FALSE}
ROW = re.compile(r"^\| \*(\w+)\* (.*?) \| (.*?) \| (.*?) \| (.*?) \| (.*\(claims/.*\).*) \|$", re.MULTILINE)
NUMBER = re.compile(r"\d+(?:/\d+)?")


def replayed(text):
    """The claims and instances of the commands in a text that decide a claim on one."""
    for name, instance in re.findall(r"claims verify ([\w.]+) --instance '(\{.*?\})'", text):
        yield name, json.loads(instance)


def certificate(name):
    return certificate_of(name_of(name, ()))


def test_commands_in_the_documentation_replay_the_published_counterexample():
    found = [
        (path.name, name, instance)
        for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
        for name, instance in replayed(path.read_text(encoding="utf-8"))
        if name in FALSE
    ]
    assert {path for path, *_ in found} >= {"README.md", "commands.md"}
    for path, name, instance in found:  # what is so by default may be left out
        assert spoken(FALSE[name], instance) == spoken(FALSE[name], certificate(name)["instance"]), path


def test_a_run_shows_the_published_counterexample_and_not_its_own():
    name = "frank_wolfe.vertices_are_stationary"
    told = dict(replayed(run("verify", name, "--examples", 3).stdout))
    assert told == {name: certificate(name)["instance"]}


def test_what_a_run_shows_is_the_certificate():
    for name, claim in FALSE.items():
        shown, published = published_violation(claim), certificate(name)
        assert (shown is None) == (published is None)
        if published is not None:
            assert (shown[0], shown[1]["instance"]) == (published["conclusion"]["name"], published["instance"])


def test_pages_show_the_certificate_and_draw_it_first(whole):
    reports = [report for name in FALSE if (report := recorded(name))]
    evidence = gathered(FALSE.values(), reports, {})
    for name, claim in FALSE.items():
        if (published := certificate(name)) is None:
            continue
        assert published["digest"] in whole[address(claim)]
        wishes = [wish for wish in wanted(claim, evidence[name]) if wish.is_violated and not wish.dropped]
        assert wishes[0].instance == published["instance"], name
        others = [wish.conclusion for wish in wishes[1:]]
        assert published["conclusion"]["name"] not in others, "a violation of the same conclusion is drawn twice"


def test_what_is_checked_by_hand_is_the_published_counterexample_or_the_page_says_why_not(whole):
    of_another, decided = [], 0
    for name, claim in FALSE.items():
        if claim.hand is None or (published := certificate(name)) is None:
            continue
        decided += 1
        assert claim.hand.instance, f"{name}: the lines name no instance"
        if claim.hand.beside:
            assert f'<p class="quiet">{html(claim.hand.beside)}</p>' in whole[address(claim)]
        if claim.system.instance(**claim.hand.instance).to_json() != published["instance"]:
            of_another.append(name)
            assert claim.hand.beside, f"{name}: {published['instance']} is published, run python -m claims.hunting.gallery"
    assert decided > 25
    # Tokens in the plane stand for all of the statement, their first coordinates are what is decided.
    assert of_another == [
        "clusters.tokens_leave_the_inside_of_the_polytope",
        "clusters.limits_of_projections_lie_in_the_projected_set",
    ]


def test_the_necessity_map_has_no_other_counterexample_to_what_a_certificate_refutes():
    for entry in MAP.stored.values():
        name = name_of(entry["claim"], entry.get("dropped", ()))
        found = certificate_of(name)
        if found and entry.get("counterexample") and found["conclusion"]["name"] == entry["conclusion"]:
            assert entry["counterexample"] == {"certificate": name}


def test_the_readme_tells_counterexamples_by_their_numbers():
    rows = ROW.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(rows) > 10
    unknown = []
    for paper, statement, _, _, told, corrected in rows:
        modules = {path.replace("/", ".") for path in re.findall(r"\((claims/\w+/\w+)\.py\)", corrected)}
        # A row names the module of the correction, which may hold several.
        meant = [one for name, one in FALSE.items() if one.corrected_by and catalogue()[one.corrected_by].module in modules]
        texts = [
            json.dumps([(certificate(one.id) or {}).get("instance"), one.note, lines_of(one) if one.hand else ()])
            for one in meant
        ]
        numbers = set(NUMBER.findall(told))
        if not any(numbers <= set(NUMBER.findall(text.replace("tfrac", ""))) for text in texts):
            unknown.append((paper, statement, told, [one.id for one in meant]))
    assert unknown == []


# ---------------------------------------------------------------------------------------------------------------------
# Why a false statement fails, at its published counterexample, and what holds instead


# Seven tokens near a circle: their coordinates would say less.
SAID_IN_WORDS = ("clusters.double_eigenvalues_give_three_lines",)
LONGEST = 400  # characters of a note: it is read before the counterexample, not in its place


def numbers(value):
    if isinstance(value, list):
        return {one for each in value for one in numbers(each)}
    return {str(value)} if re.fullmatch(r"-?\d+(/\d+)?", str(value)) else set()


def what_is_missing(claim):
    """What the note of a claim does not say, None where it says everything."""
    parts = sentences(claim.note)
    if len(parts) != 2 or not all(part.endswith(".") and len(part.split()) > 3 for part in parts):
        return "two sentences"
    if len(claim.note) > LONGEST:
        return "brevity"
    certificate = certificate_of(name_of(claim.id, ()))
    if certificate is None or claim.id in SAID_IN_WORDS:
        return None
    # 0 and 1 are in every note: they tell nothing of the instance, unless it has no other number.
    of_instance = {one for value in spoken(claim, certificate["instance"]).values() for one in numbers(value)}
    telling = of_instance - {"0", "1", "-1"} or of_instance
    return None if telling & set(re.findall(r"-?\d+(?:/\d+)?", claim.note)) else "the counterexample"


def test_every_false_statement_says_what_is_wrong_at_its_counterexample_and_what_holds():
    assert len(FALSE) > 100
    assert {name: what_is_missing(claim) for name, claim in FALSE.items() if what_is_missing(claim)} == {}


def test_a_note_that_says_less_is_noticed():
    claim = catalogue()["polarization.score_gaps_grow"]
    for note, missing in (
        ("", "two sentences"),
        ("gaps between losing scores close again", "two sentences"),
        (claim.note.replace("From u(0) = (2, 1, 0)", "From some start").replace("a_2", "a_j"), "the counterexample"),
        (claim.note.replace("again.", f"again{', and again' * 40}."), "brevity"),
    ):
        assert what_is_missing(replace(claim, note=note)) == missing


def test_the_page_says_it_and_leads_to_the_correction(whole):
    for claim in FALSE.values():
        wrong = re.search(r'<section id="wrong">.*?</section>', whole[address(claim)], re.DOTALL)[0]
        assert f"<p>{typeset(claim.note, marks_in(claim.note, claim.paper.key))}</p>" in wrong, claim.id
        if certificate_of(name_of(claim.id, ())):
            assert 'class="certified"' in wrong, "what is certified stands beside it"
        if claim.corrected_by:
            assert f"../{address(catalogue()[claim.corrected_by])}" in links_of(wrong)
