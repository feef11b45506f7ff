"""Every false statement says in plain words why it fails, at its published counterexample, and what holds instead."""

from __future__ import annotations

import re
from dataclasses import replace

from claims.atlas.places import address
from claims.atlas.spoken import spoken
from claims.atlas.typeset import typeset
from claims.catalogue import catalogue
from claims.certificates.published import certificate_of, name_of
from claims.notation import marks_in
from claims.plain_text import sentences
from claims.statement import Standing
from tests.atlas.links import Page

FALSE = [claim for claim in catalogue().values() if claim.standing is Standing.FALSE]

# Seven tokens near a circle: their coordinates would say less.
SAID_IN_WORDS = ("clusters.double_eigenvalues_give_three_lines",)
LONGEST = 400  # characters of a note: it is read before the counterexample, not in its place


def numbers(value):
    """The exact numbers in nested lists, as they are written."""
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
    of_instance = {one for value in spoken(claim, certificate["instance"]).values() for one in numbers(value)}
    telling = of_instance - {"0", "1", "-1"} or of_instance
    return None if telling & set(re.findall(r"-?\d+(?:/\d+)?", claim.note)) else "the counterexample"


def test_every_false_statement_says_what_is_wrong_at_its_counterexample_and_what_holds():
    assert len(FALSE) > 100
    assert {claim.id: what_is_missing(claim) for claim in FALSE if what_is_missing(claim)} == {}


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
    for claim in FALSE:
        wrong = re.search(r'<section id="wrong">.*?</section>', whole[address(claim)], re.DOTALL)[0]
        assert f"<p>{typeset(claim.note, marks_in(claim.note, claim.paper.key))}</p>" in wrong, claim.id
        if certificate_of(name_of(claim.id, ())):
            assert 'class="certified"' in wrong, "what is certified stands beside it"
        if claim.corrected_by:
            assert f"../{address(catalogue()[claim.corrected_by])}" in Page(wrong).links
