"""What the page on reliability tells is so, recomputed from tests and evidence; so is what is told of the recorded run."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from claims.atlas import recorded as record
from claims.atlas import reliability
from claims.certificates.marked_tables import with_tables
from claims.certificates.published import published
from claims.stating.catalogue import catalogue
from claims.stating.verdict import Known
from claims.verifying.report import FindingsError
from tests import attacks
from tests.planting import LONG

ROOT = Path(__file__).parents[2]


def test_no_attack_is_told_that_is_not_there_and_hardly_any_is_untold():
    # Mutants take seconds to count: they are counted in long runs.
    told, there = attacks.record()["counted"], attacks.counted() if LONG else attacks.counted_in_tables()
    assert told.keys() == there.keys() | {"mutants", "equivalent_mutants"}
    assert set(told["planted"]) == set(there["planted"]) == set(reliability.ROOMS)
    counts = [(told["planted"][room], there["planted"][room]) for room in reliability.ROOMS]
    counts += [(told[name], there[name]) for name in there if name != "planted"]
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


# ---------------------------------------------------------------------------------------------------------------------
# The recorded run is of the suite as it stands, and says nothing of a claim that has changed since


NAME = "localmax.hull_shrinks"


def test_every_claim_was_run_and_hardly_any_has_changed_since():
    head, reports = record._read()
    assert set(reports) == set(catalogue())
    changed = [name for name in catalogue() if record.recorded(name) is None]
    assert len(changed) < len(catalogue()) // 20, changed
    assert set(head) == {"seed", "versions"}


def test_standings_are_borne_out_and_no_instance_is_lost():
    for report in record._read()[1].values():
        assert report["borne_out"] is not False, report["id"]
        for one in report["conclusions"]:
            decided = sum(one[outcome] for outcome in ("holds", "violated", "undecided", "vacuous"))
            assert decided == one["instances"] or one["form"] == "experiment", report["id"]


def test_a_changed_formula_or_hypothesis_is_not_told_of_the_old_run(monkeypatch):
    assert record.recorded(NAME)["of"].startswith("a recorded run of every claim: seed ")
    assert record.recorded("localmax.no_such_claim") is None
    monkeypatch.setattr(record, "statement_digest", lambda target: "another")
    assert record.recorded(NAME) is None


def test_a_run_of_some_claims_is_no_record_but_renews_one_of_the_same_seed_and_versions():
    head, reports = record._read()
    before = head | {"claims": list(reports.values())}
    with pytest.raises(FindingsError, match=r"clusters\.\w+ and \d+ others are missing"):
        record.record_of({"seed": 0, "versions": {}, "claims": [{"id": NAME}]})
    one = reports[NAME] | {"borne_out": False}
    written = json.loads(record.record_of(head | {"claims": [one]}, before))["claims"]
    changed = [report for report in written if report != reports[report["id"]]]
    assert changed == [one | {"texts": record._texts(catalogue()[NAME])}]
    assert len(written) == len(reports)
    for part, other in (("seed", 1), ("versions", {})):
        with pytest.raises(FindingsError, match=f"the same {part}"):
            record.record_of(head | {part: other, "claims": [one]}, before)
    # What nobody has run is missing still.
    few = head | {"claims": [report for report in reports.values() if report["id"] != NAME]}
    with pytest.raises(FindingsError, match=f"{NAME} and 0 others are missing"):
        record.record_of(head | {"claims": []}, few)


def test_a_record_is_written_as_it_is_read_with_the_texts_of_today():
    head, reports = record._read()
    written = json.loads(record.record_of(head | {"claims": list(reports.values())}))
    assert {key: value for key, value in written.items() if key != "claims"} == head
    assert [one["id"] for one in written["claims"]] == list(reports)
    for one in written["claims"]:
        # A claim that has changed since is written with what it says now: only then is it another.
        assert one | {"texts": ()} == reports[one["id"]] | {"texts": ()}
        assert (one["texts"] == reports[one["id"]]["texts"]) == (record.recorded(one["id"]) is not None)
