"""The ledger: what is recorded stays, once; other campaigns, other writers and broken files are refused."""

from __future__ import annotations

import math
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from claims.campaigns.ledger import Ledger, LedgerError, Taken, task_key

SPEC = {"target": {"claim": "a.b", "conclusion": "c", "dropped": ["d"]}, "seed": 7, "generation": 1, "shard": 3}
RESULT = {"starts": 10, "evaluations": 250, "best_slack": -0.25, "proposed": 4, "certified": 1, "rejected": 3, "more": [1]}


def test_what_is_recorded_is_forced_to_disk_and_found_again_by_the_next_process(tmp_path):
    """The columns repeat what spec and result say, where they say it."""
    with Ledger(tmp_path) as ledger:
        ledger.begin({"seed": 7})
        assert ledger.record(SPEC, RESULT, 1.5, "w1") is Taken.NEW
        assert (ledger.query("PRAGMA journal_mode"), ledger.query("PRAGMA synchronous")) == ([("wal",)], [(2,)])
    with Ledger(tmp_path) as ledger:
        assert ledger.settings == {"seed": 7}
        (entry,) = ledger.entries()
        assert entry == ledger.entry(task_key(SPEC))
        assert (entry.spec, entry.result, entry.seconds, entry.worker) == (SPEC, RESULT, 1.5, "w1")
        ledger.record({"other": "task"}, {}, 1.0, "w1")
        names = "claim conclusion dropped seed generation shard starts evaluations best_slack proposed certified rejected"
        rows = ledger.query(f"SELECT {', '.join(names.split())} FROM tasks ORDER BY number")  # noqa: S608
    assert rows == [("a.b", "c", '["d"]', 7, 1, 3, 10, 250, -0.25, 4, 1, 3), (None,) * 12]


def test_a_key_names_the_content_not_the_writing():
    assert task_key({"a": 1, "b": [2, "x"]}) == task_key({"b": [2, "x"], "a": 1})
    assert len({task_key(spec) for spec in ({"a": 1}, {"a": 2}, {"a": "1"}, {"b": 1}, {"a": [1]})}) == 5


def test_the_first_result_stays_and_a_different_one_is_kept_beside_it(tmp_path):
    with Ledger(tmp_path) as ledger:
        assert ledger.record({"n": 1}, {"x": 1, "y": 2}, 1.0, "w1") is Taken.NEW
        assert ledger.record({"n": 1}, {"y": 2, "x": 1}, 2.0, "w2") is Taken.SAME
        assert ledger.disagreements() == []
        assert ledger.record({"n": 1}, {"x": 9}, 3.0, "w3") is Taken.DIFFERENT
        assert ledger.record({"n": 1}, {"x": 9}, 4.0, "w3") is Taken.DIFFERENT
        assert ledger.entry(task_key({"n": 1})).result == {"x": 1, "y": 2}
        (other,) = ledger.disagreements()
        assert (other.spec, other.result, other.worker) == ({"n": 1}, {"x": 9}, "w3")


def test_a_failure_is_kept_until_there_is_a_result(tmp_path):
    with Ledger(tmp_path) as ledger:
        ledger.fail({"n": 1}, "raised", "ValueError: no", "w1")
        ledger.fail({"n": 2}, "killed", "out of memory", "w1")
        assert ledger.failure(task_key({"n": 1})).reason == "ValueError: no"
        assert sorted(failure.kind for failure in ledger.failures()) == ["killed", "raised"]
        ledger.record({"n": 1}, {}, 1.0, "w2")
        ledger.fail({"n": 1}, "raised", "ValueError: too late", "w1")
        assert [failure.spec for failure in ledger.failures()] == [{"n": 2}]
        assert ledger.forget_failures() == 1
        assert ledger.failures() == []


@pytest.mark.parametrize("result", [{"x": math.nan}, {"x": math.inf}, {"x": {1, 2}}])
def test_only_plain_numbers_are_recorded(tmp_path, result):
    with Ledger(tmp_path) as ledger:
        with pytest.raises((TypeError, ValueError)):
            ledger.record({"n": 1}, result, 1.0, "w1")
        assert list(ledger.entries()) == []


def test_other_settings_are_refused_by_name(tmp_path):
    with Ledger(tmp_path) as ledger:
        ledger.begin({"seed": 7, "target": "a", "sharpened": (1, 2)})
        ledger.begin({"sharpened": [1, 2], "target": "a", "seed": 7})
        with pytest.raises(LedgerError, match=r"seed is 7 there, 8 now$"):
            ledger.begin({"seed": 8, "target": "a", "sharpened": [1, 2]})
        with pytest.raises(LedgerError, match=r"extra is null there, 1 now; target is \"a\" there, null now"):
            ledger.begin({"seed": 7, "sharpened": [1, 2], "extra": 1})
        assert ledger.settings == {"seed": 7, "target": "a", "sharpened": [1, 2]}


def test_one_writes_while_others_read(tmp_path):
    with Ledger(tmp_path) as ledger:
        ledger.record({"n": 1}, {"x": 1}, 1.0, "w1")
        with Ledger(tmp_path, reading=True) as reader:
            assert reader.entry(task_key({"n": 1})).result == {"x": 1}
            ledger.record({"n": 2}, {"x": 2}, 1.0, "w1")
            assert reader.entry(task_key({"n": 2})).result == {"x": 2}
            with pytest.raises(LedgerError, match="readonly"):
                reader.record({"n": 3}, {"x": 3}, 1.0, "w1")
        with pytest.raises(LedgerError, match=f"is being written by process {os.getpid()} on"):
            Ledger(tmp_path)
    with Ledger(tmp_path) as ledger:
        assert len(list(ledger.entries())) == 2


HOLD = """
import sys, pathlib
from claims.campaigns.ledger import Ledger
ledger = Ledger(pathlib.Path(sys.argv[1]))
ledger.begin({})
for n in range(50):
    ledger.record({"n": n}, {"n": n}, 0.0, "w")
print("recorded", flush=True)
sys.stdin.read()
"""


def test_the_lock_goes_with_its_process_and_what_was_recorded_stays(tmp_path):
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout.readline() == "recorded\n"
        with pytest.raises(LedgerError, match=f"is being written by process {holder.pid} on"):
            Ledger(tmp_path)
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.communicate(timeout=60)
    with Ledger(tmp_path) as ledger:
        assert [entry.spec["n"] for entry in ledger.entries()] == list(range(50))


def filled(tmp_path, tasks=20):
    with Ledger(tmp_path) as ledger:
        ledger.begin({"seed": 7})
        for n in range(tasks):
            ledger.record({"n": n}, {"text": "x" * 2000}, 0.0, "w")
    return tmp_path / "ledger.sqlite"


@pytest.mark.parametrize("reading", [True, False])
def test_broken_and_foreign_files_are_told_apart(tmp_path, reading):
    file = filled(tmp_path)
    whole = file.read_bytes()
    middle = len(whole) // 2
    for broken, said in [
        (b"", "is empty"),
        (whole[:middle], "is damaged"),
        (whole[: middle + 100], "is damaged"),
        (whole[:50], "is no ledger of a campaign"),
        (whole[:middle] + b"\xff" * 4096 + whole[middle + 4096 :], "is damaged"),
        (b"claim,slack\n" * 1000, "is damaged or no ledger"),
    ]:
        file.write_bytes(broken)
        with pytest.raises(LedgerError, match=said) as caught:
            Ledger(tmp_path, reading=reading)
        assert str(file) in str(caught.value)
        assert file.read_bytes() == broken, "a broken ledger is evidence: it is left as it is"
    file.unlink()
    with closing(sqlite3.connect(file)) as foreign:
        foreign.execute("CREATE TABLE tasks (x)")
    with pytest.raises(LedgerError, match="is no ledger of a campaign"):
        Ledger(tmp_path, reading=reading)
    file.write_bytes(whole)
    with Ledger(tmp_path, reading=reading) as ledger:
        assert len(list(ledger.entries())) == 20


@pytest.mark.parametrize("version", [1, 3])
def test_another_version_is_refused(version, tmp_path):
    with closing(sqlite3.connect(filled(tmp_path))) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(LedgerError, match=f"has version {version}; this program knows version 2"):
        Ledger(tmp_path)


def test_a_directory_without_a_ledger_is_not_read_and_one_half_made_is_made_again(tmp_path):
    with pytest.raises(LedgerError, match="holds no campaign"):
        Ledger(tmp_path / "none", reading=True)
    assert not (tmp_path / "none").exists()
    (tmp_path / "ledger.part").write_bytes(b"half")
    with Ledger(tmp_path) as ledger:
        assert ledger.settings is None
    with pytest.raises(LedgerError, match="cannot hold a ledger"):
        Ledger(tmp_path / "ledger.sqlite" / "below")


@pytest.mark.parametrize(("kept", "told"), [("[1]", "is no object"), ("{", "what it keeps")])
def test_what_is_kept_has_to_be_an_object(tmp_path, kept, told):
    with Ledger(tmp_path) as ledger:
        with ledger._connection as connection:
            ledger._insert(connection, "campaign", kept, "now")
        with pytest.raises(LedgerError, match=told):
            _ = ledger.settings


@pytest.mark.parametrize("back", [1, 2, 3])
def test_of_a_damaged_log_the_last_transaction_alone_may_be_lost(tmp_path, back):
    killed = tmp_path / "killed"
    with Ledger(tmp_path / "whole") as ledger:
        for n in range(4):
            ledger.record({"n": n}, {}, 0.0, "w")
        shutil.copytree(ledger.directory, killed)  # as a kill leaves it: what is closed has no log
    file = killed / "ledger.sqlite-wal"
    log = bytearray(file.read_bytes())
    frame = 24 + int.from_bytes(log[8:12])
    commits = [place for place in range(32, len(log), frame) if any(log[place + 4 : place + 8])]
    log[commits[-back] + 24] ^= 1
    file.write_bytes(log)
    if back > 1:
        with pytest.raises(LedgerError, match="results that were recorded cannot be read"):
            Ledger(killed)
        assert file.read_bytes() == log
        return
    with Ledger(killed) as ledger:
        assert [entry.spec["n"] for entry in ledger.entries()] == [0, 1, 2]
