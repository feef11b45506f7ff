"""The recorded run is of the suite as it stands, and says nothing of a claim that has changed since."""

import json

import pytest

from claims.atlas import recorded as record
from claims.catalogue import catalogue
from claims.verifying.report import FindingsError

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


def test_a_run_of_some_claims_is_not_recorded():
    with pytest.raises(FindingsError, match=r"clusters\.\w+ and \d+ others are missing"):
        record.record_of({"seed": 0, "versions": {}, "claims": [{"id": NAME}]})


def test_a_record_is_written_as_it_is_read_with_the_texts_of_today():
    head, reports = record._read()
    written = json.loads(record.record_of(head | {"claims": list(reports.values())}))
    assert {key: value for key, value in written.items() if key != "claims"} == head
    assert [one["id"] for one in written["claims"]] == list(reports)
    for one in written["claims"]:
        # A claim that has changed since is written with what it says now: only then is it another.
        assert one | {"texts": ()} == reports[one["id"]] | {"texts": ()}
        assert (one["texts"] == reports[one["id"]]["texts"]) == (record.recorded(one["id"]) is not None)
