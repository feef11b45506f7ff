"""The picture of what a test drew is drawn from Hypothesis's records and from nothing else."""

from __future__ import annotations

import json
import re

import pytest

from claims.atlas.observed import RecordsError, main, picture_text, read_examples

NAME = "tests/papers/test_claims.py::test_claim[localmax.hull_shrinks.supports_contract]"


def record(**changed):
    """A record as our tests have Hypothesis write it."""
    features = {
        "start": "n = 2, d = 1, ties",
        "size": "n = 2 d = 1",
        "verdict": "HOLDS",
        "decided": "exact",
        "slack": "1/4",
    }
    features |= {"instance": "{}"} | changed.pop("features", {})
    return {"type": "test_case", "property": NAME, "features": features, "timing": {"execute:test": 0.01}} | changed


RECORDS = [
    record(features={"start": None} | {"slack": "5.38094e-96"}),
    record(features={"decided": "certified", "size": "n = 3 d = 2", "slack": "2"}),
    record(features={"decided": "no", "verdict": "vacuous", "slack": ""}),
    record(features={"verdict": "VIOLATED", "slack": "-3"}),
    record(type="info"),
    record() | {"features": {}},  # rejected before anything was decided
    {"type": "alert"},
]


@pytest.fixture
def file(tmp_path):

    def write(*records):
        path = tmp_path / "observed.jsonl"
        path.write_text("".join(f"{json.dumps(one)}\n" for one in records), encoding="utf-8")
        return path

    return write


def test_records_are_read_one_by_one_and_told_in_words(file):
    name, examples = read_examples([file(*RECORDS)])
    assert name == NAME
    assert [one.slack for one in examples] == [5.38094e-96, 2.0, None, -3.0]
    assert [one.decided for one in examples] == ["exact", "certified", "no", "exact"]
    words = picture_text("it", examples)
    assert "4 examples of it: 2 exact, 1 certified, 1 vacuous or undecided; 1 violated." in words
    assert "Sizes: 3 n = 2 d = 1, 1 n = 3 d = 2." in words
    assert "The least positive slack is 5.38e-96, the largest 2." in words
    assert picture_text("it", examples[1:]) != words


def test_the_picture_says_what_it_shows_and_has_a_dot_for_each_example(file, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    out = tmp_path / "draws.svg"
    assert main([str(file(*RECORDS)), "--out", str(out)]) == 0
    svg = out.read_text(encoding="utf-8")
    said = capsys.readouterr().out
    assert "4 examples of localmax.hull_shrinks.supports_contract: " in said
    assert f'<desc id="draws-text">{said.strip()}</desc>' in svg
    assert "prefers-color-scheme: dark" in svg
    assert not re.search(r"(?:stroke|fill): #(?:1f6fb4|15803d|1b1f24)", svg), "a colour that does not follow the reader"
    # The picture is one file, looked at from disk.
    assert not re.search(r'(?:href|src)="(?!#)', svg), "something is loaded from elsewhere"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no record of a property test"),
        ("{", "line 1 is not one of Hypothesis's records"),
        ("[]", "line 1 is not one of Hypothesis's records"),
        (
            json.dumps(record()) + "\n" + json.dumps(record(property="other")),
            "records of 2 tests: choose one with --property",
        ),
        (json.dumps({"type": "test_case", "features": {"event": ""}}), "no record of a property test"),
    ],
)
def test_a_file_of_something_else_is_refused_in_one_sentence(tmp_path, capsys, text, why):
    path = tmp_path / "given.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordsError, match=re.escape(why)):
        read_examples([path])
    assert main([str(path), "--out", str(tmp_path / "x.svg")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert not (tmp_path / "x.svg").exists()


def test_files_that_cannot_be_read_or_written_are_named(file, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("claims.atlas.observed._as_svg", lambda name, examples: "")  # what is drawn is seen above
    assert main([str(tmp_path / "none.jsonl"), "--out", str(tmp_path / "x.svg")]) == 2
    assert "none.jsonl cannot be read" in capsys.readouterr().err
    assert main([str(file(*RECORDS)), "--out", str(tmp_path / "gone" / "x.svg")]) == 2
    assert "x.svg cannot be written" in capsys.readouterr().err
