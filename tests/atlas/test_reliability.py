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
    told, there = attacks.record()["counted"], attacks.counted()
    assert told.keys() == there.keys()
    assert set(told["planted"]) == set(there["planted"]) == set(reliability.ROOMS)
    counts = [(told["planted"][room], there["planted"][room]) for room in reliability.ROOMS]
    counts += [(told[name], there[name]) for name in told if name != "planted"]
    assert all(0 < said <= number for said, number in counts), counts
    assert sum(number for _, number in counts) < 1.1 * sum(said for said, _ in counts), "run python -m tests.attacks"


def test_what_is_written_is_what_is_counted_and_audits_stay(tmp_path, monkeypatch):
    counted, audits = attacks.record()["counted"] | {"falsehoods": 1}, attacks.record()["audits"]
    copy = tmp_path / "attacks.json"
    copy.write_text(
        attacks.RECORD.read_text(encoding="utf-8").replace('"falsehoods": ', '"falsehoods": 9'), encoding="utf-8"
    )
    monkeypatch.setattr(attacks, "RECORD", copy)
    monkeypatch.setattr(attacks, "counted", lambda: counted)
    attacks.main()
    assert attacks.record() == {"counted": counted, "audits": audits}


def test_audits_leave_no_more_than_they_missed():
    for one in reliability.figures().audits:
        assert 0 <= one["left"] <= one["missed"] <= one["tried"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", one["day"])


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
