"""The page on how verdicts can be wrong tells figures that are so: recomputed from the tests and the evidence."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from claims.atlas import reliability
from claims.certificates.published import published
from claims.marked_tables import with_tables
from claims.verdict import Known
from tests import attacks

ROOT = Path(__file__).parents[2]


def test_no_attack_is_told_that_is_not_there_and_hardly_any_is_untold():
    told, there = reliability.json.loads((reliability.EVIDENCE / reliability.NAME).read_text()), attacks.planted_bugs()
    assert set(told["planted"]) == set(there) == set(reliability.ROOMS)
    counted = [(told["planted"][room], there[room]) for room in there]
    counted += [(told["falsehoods"], attacks.falsehoods()), (told["hostile_texts"], attacks.hostile_texts())]
    assert all(said <= number for said, number in counted), counted
    assert sum(number for _, number in counted) < 1.1 * sum(said for said, _ in counted), "count anew"


def test_audits_leave_no_more_than_they_missed():
    for one in reliability.figures().audits:
        assert 0 <= one["left"] <= one["missed"] <= one["tried"]


def test_every_word_of_a_verdict_says_what_it_rests_on():
    told = {word for word, _ in reliability.RESTS_ON}
    assert {known.value for known in Known} - told <= {"to 60 digits"}


def test_the_page_and_the_documentation_tell_the_figures(whole):
    found = reliability.figures()
    assert found.certificates == len(published())
    page = unescape(re.sub(r"<[^>]*>", "", whole["reliability.html"]))
    said = [*reliability.sentences_of(found), *(one["what"] for one in found.audits)]
    assert [one for one in said if one not in page] == []
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert with_tables("commands.md", text, reliability.as_tables(), reliability.COMMAND) == text, reliability.COMMAND
