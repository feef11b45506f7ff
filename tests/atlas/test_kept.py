"""What builds keep: a value comes back while nothing that it was made from has changed, and never when it is damaged."""

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from claims.atlas import checked, kept
from claims.atlas.drawing import Kept, drawn_pictures, instance_of_certificate
from claims.atlas.evidence import gathered
from claims.certificates.published import published
from claims.stating import statement
from claims.stating.catalogue import catalogue
from tests.test_walls import HOUSE, reached

ONE = "frank_wolfe.vertices_are_stationary"
NAME = "frank_wolfe/vertices_are_stationary.json"
WHAT_FINDS = ("formal", "hunting", "proving", "verifying", "campaigns")
PAPERS = tuple(f"claims.{key}" for key in statement.PAPERS)


@pytest.fixture
def store(tmp_path):
    return Kept(tmp_path / "kept")


def files(store):
    return [path for path in store.folder.glob("??/*") if path.is_file()]


def test_a_value_comes_back_and_a_damaged_one_is_thrown_away(store):
    key = kept.key_of("kind", ("claims/stating/verdict.py",), 1)
    assert store.recall(key) is None
    store.keep(key, {"a": [1, "é"]})
    assert store.recall(key) == {"a": [1, "é"]}
    (path,) = files(store)
    # Another value, nothing, no digest, and cut short.
    for harm in (path.read_text().replace("1", "2"), "", "no digest", path.read_text()[:-1]):
        store.keep(key, {"a": [1, "é"]})
        path.write_text(harm)
        assert store.recall(key) is None
        assert not path.exists()
    path.write_bytes(b"\xff\xfe")
    assert store.recall(key) is None
    assert len(store.damaged) == 5


def test_without_a_folder_nothing_is_kept_and_one_that_cannot_be_written_is_no_fault(tmp_path):
    (tmp_path / "file").write_text("")
    for store in (Kept(), Kept(tmp_path / "file")):
        store.keep("a" * 64, 1)
        store.sweep()
        assert store.recall("a" * 64) is None


def test_what_was_not_used_for_long_is_swept(store):
    store.keep("a" * 64, 1)
    store.keep("b" * 64, 2)
    old = time.time() - 2 * kept.KEPT_FOR
    os.utime(store.folder / "aa" / ("a" * 64), (old, old))
    store.sweep()
    assert [path.name[0] for path in files(store)] == ["b"]


def test_keys_differ_where_code_or_parts_do(monkeypatch, tmp_path):
    given = ("kind", ("claims/stating/verdict.py",), 1)
    first = kept.key_of(*given)
    assert first == kept.key_of(*given)
    assert first not in (kept.key_of("kind", given[1], 2), kept.key_of("kind", ("claims/stating/defects.py",), 1))
    (tmp_path / "claims" / "stating").mkdir(parents=True)
    # A key is of the text of the code, not of its version or its date.
    (tmp_path / "claims" / "stating" / "verdict.py").write_text("changed = 1")
    monkeypatch.setattr(kept, "ROOT", tmp_path)
    kept.code_digest.cache_clear()
    changed = kept.key_of(*given)
    kept.code_digest.cache_clear()
    assert first != changed


@pytest.mark.parametrize(
    ("start", "code", "apart"),
    [
        ("claims.checker.__main__", kept.CHECKING, ()),
        # What these found is part of the wish for a picture, and processes only run what draws.
        (
            "claims.atlas.drawing",
            kept.DRAWING,
            tuple(f"claims.{name}" for name in (*WHAT_FINDS, "atlas.kept", "atlas.relations", "atlas.places")),
        ),
    ],
)
def test_a_key_holds_all_code_that_has_a_part_in_the_value(start, code, apart):
    # What is imported and not held would leave an old value in place after it has changed.
    root = Path(kept.ROOT)
    held = {path for pattern in code for path in root.glob(pattern)}
    left = [
        name
        for name in reached(start)
        if HOUSE[name] not in held
        and not name.startswith(apart or "-")
        and not (name.startswith(PAPERS) and ".setting" not in name)
        and HOUSE[name].name != "__init__.py"
    ]
    assert left == []


def test_pictures_are_kept_and_drawn_anew_for_another_instance_or_module(store, monkeypatch):
    claims = {ONE: catalogue()[ONE]}
    (certificate,) = [one for one in gathered(claims.values(), [], {})[ONE].certificates if not one.dropped]
    wish = instance_of_certificate(claims[ONE], certificate)
    first = drawn_pictures([wish], claims, 1, store)
    assert len(files(store)) == 1
    assert first[ONE]
    again = drawn_pictures([wish], claims, 1, store)
    assert [json.dumps(asdict(one)) for one in again[ONE]] == [json.dumps(asdict(one)) for one in first[ONE]]
    # The second time nothing was drawn.
    assert store.found == 1
    drawn_pictures([replace(wish, is_violated=False)], claims, 1, store)
    assert len(files(store)) == 2
    monkeypatch.setattr("claims.atlas.drawing.source_of", lambda claim: "another text")
    drawn_pictures([wish], claims, 1, store)
    assert len(files(store)) == 3


def test_an_answer_of_the_checker_is_kept_for_its_certificate_and_formulas(store, monkeypatch):
    monkeypatch.setattr(checked, "recorded_answers", dict)
    asked = []

    def ask(names, jobs, told):
        asked.extend(names)
        return [(name, {"verdict": "CONFIRMED", "reason": ""}) for name in names]

    monkeypatch.setattr(checked, "ask_checker", ask)
    assert checked.answers_on([NAME], 1, store)[NAME]["when"].endswith("in this build")
    assert "in an earlier build" in checked.answers_on([NAME], 1, store)[NAME]["when"]
    assert asked == [NAME]
    checked.answers_on([NAME], 1, Kept())
    assert asked == [NAME, NAME], "what asks to keep nothing uses nothing"
    basis = checked.basis_of(published()[NAME])
    monkeypatch.setattr(checked, "statement_digest", lambda target: "another formula")
    assert checked.basis_of(published()[NAME]) != basis
    checked.answers_on([NAME], 1, store)
    assert len(asked) == 3
    assert checked.basis_of(published()[NAME] | {"digest": "sha256:other"}) != basis


def test_an_answer_of_the_record_is_told_with_its_day_and_whether_the_code_has_changed(monkeypatch):
    basis = checked.basis_of(published()[NAME])
    text = checked.recorded_text({NAME: {"verdict": "CONFIRMED", "reason": "0"}}, {})
    one = json.loads(text)[NAME]
    monkeypatch.setattr(checked, "recorded_answers", lambda: {NAME: one})
    assert "changed" not in checked._recorded(NAME, basis)["when"]
    monkeypatch.setattr(checked, "recorded_answers", lambda: {NAME: one | {"code": "older"}})
    assert checked._recorded(NAME, basis)["when"].endswith("the checker's code has changed since")
    assert checked._recorded(NAME, "another") is None
    told = {"a": {"verdict": "CONFIRMED", "when": "x"}, "b": {"verdict": "NOT CONFIRMED", "when": "y"}}
    assert checked.summary(told).startswith("1 of 2 CONFIRMED")


def test_the_record_confirms_what_is_published_and_hardly_any_has_changed_since():
    known = [name for name, data in published().items() if checked._recorded(name, checked.basis_of(data))]
    assert len(known) > 0.95 * len(published()), "python -m claims.atlas.checked"
    assert all(one["verdict"] == "CONFIRMED" for one in checked.recorded_answers().values())
