"""The command of the checker: what it says of each file, and how it ends, in every situation.

Here it runs in this process, on flint: what a certificate is found to be is said beforehand.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from claims.certificates.format import FORMAT, MalformedError
from claims.checker import __main__ as command
from claims.stating.patterns import UnmatchedError
from dynamics.checker.trajectory_format import FORMAT as TRAJECTORY
from dynamics.checker.trajectory_format import CertificateError
from dynamics.strict_reading import UnreadableError

VERDICTS = ("CONFIRMED", "NOT CONFIRMED", "MALFORMED", "CANNOT DECIDE")


def code_of(verdicts: tuple[str, ...]) -> int:
    if "NOT CONFIRMED" in verdicts:
        return 1
    if "MALFORMED" in verdicts:
        return 2
    return 3 if "CANNOT DECIDE" in verdicts else 0


@pytest.fixture
def said(monkeypatch):
    """What the checker finds of a file named by its verdict."""

    def finding(name: str, source: object, run_source: bool) -> dict[str, object]:
        return {"file": name, "about": None, "verdict": Path(name).name.partition(".")[0], "reason": f"{run_source}"}

    monkeypatch.setattr(command, "forbid_deciding_code", lambda: None)
    monkeypatch.setattr(command, "_finding", finding)


@pytest.mark.parametrize("count", range(1, 4))
@pytest.mark.parametrize("is_published", [False, True])
def test_each_file_has_a_line_and_the_worst_finding_is_the_exit_code(
    count, is_published, said, capsys, tmp_path, monkeypatch
):
    kept = tmp_path / "findings.json"
    # Every order: the worst is not the last.
    for verdicts in product(VERDICTS, repeat=count):
        names = [f"{verdict}.{k}" for k, verdict in enumerate(verdicts)]
        monkeypatch.setattr(command, "published", lambda patterns, names=names: {name: {} for name in names})
        # Told of the findings alone, and by a whole run.
        assert command.exit_code(verdicts) == code_of(verdicts)
        arguments = ["--published"] if is_published else names
        assert command.main([*arguments, "--json", str(kept)]) == code_of(verdicts)
        lines = capsys.readouterr().out.splitlines()
        assert lines == [f"{verdict}  {name}: False" for verdict, name in zip(verdicts, names, strict=True)]
        assert [(one["verdict"], one["file"]) for one in json.loads(kept.read_text())] == list(
            zip(verdicts, names, strict=True)
        )


def test_the_source_of_a_claim_is_run_where_that_is_allowed(said, capsys):
    command.main(["CONFIRMED"])
    command.main(["CONFIRMED", "--run-source"])
    assert [line.rpartition(" ")[2] for line in capsys.readouterr().out.splitlines()] == ["False", "True"]


def refused(arguments: list[str], capsys) -> str:
    assert command.main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("error: ")
    assert told.err.count("\n") == 1
    return told.err


def failing(error: BaseException):
    def fail(*_: object) -> None:
        raise error

    return fail


def test_what_cannot_be_asked_is_refused_and_nothing_is_checked(said, capsys, tmp_path, monkeypatch):
    assert "name certificates" in refused([], capsys)
    assert "say --published, too" in refused(["a.json", "--out", str(tmp_path)], capsys)
    assert "is a folder" in refused(["a.json", "--json", str(tmp_path)], capsys)
    assert "does not exist" in refused(["a.json", "--json", str(tmp_path / "no" / "a.json")], capsys)
    monkeypatch.setattr(command, "published", lambda patterns: {"CONFIRMED": {}})
    monkeypatch.setattr(command, "_write", failing(OSError(28, "No space left")))
    assert "No space left" in refused(["--published", "--out", str(tmp_path)], capsys)
    for found, word in (
        (lambda patterns: {}, "holds no published certificates"),
        (failing(MalformedError("line 3")), "damaged: line 3"),
        (failing(UnmatchedError("x", "near")), "did you mean near?"),
        (failing(UnmatchedError("x", None)), "matches 'x'\n"),
    ):
        monkeypatch.setattr(command, "published", found)
        assert word in refused(["--published"], capsys)


def test_what_is_published_is_written_and_checked(said, capsys, tmp_path, monkeypatch):
    given = {"CONFIRMED.a": {"format": FORMAT, "x": [1]}, "CANNOT DECIDE.b": {"format": FORMAT}}
    asked = []
    monkeypatch.setattr(command, "published", lambda patterns: asked.append(list(patterns)) or given)
    assert command.main(["--published", "one", "two", "--out", str(tmp_path)]) == 3
    assert asked == [["one", "two"]]
    assert {path.name: json.loads(path.read_text()) for path in tmp_path.iterdir()} == given
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_a_file_is_read_by_its_format_and_what_cannot_be_read_is_malformed(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    monkeypatch.setattr(command, "check_structure", lambda data: None)
    monkeypatch.setattr(command, "_about", lambda data: "something")
    monkeypatch.setattr(command, "_check_counterexample", lambda data, run: {"verdict": f"counterexample {run}"})
    monkeypatch.setattr(command, "_check_trajectory", lambda data: {"verdict": "trajectory"})
    for data, word in (
        ({"format": FORMAT}, "counterexample True"),
        ({"format": TRAJECTORY}, "trajectory"),
        ({}, "counterexample True"),
        ([], "counterexample True"),  # the structure, which is not looked at here, refuses it
        ({"format": "another"}, "MALFORMED"),
        ({"format": 1}, "MALFORMED"),
    ):
        path.write_text(json.dumps(data))
        assert command.check_file(path, True)["verdict"] == word, data
    for error, reason in (
        (MalformedError("m"), "m"),
        (CertificateError("c"), "c"),
        (UnreadableError("u"), "this u"),
        (OSError(5, "o"), "cannot be read: o"),
    ):
        # Wherever it fails the file is named.
        for place in ("read_text", "check_structure"):
            with monkeypatch.context() as patch:
                patch.setattr(command, place, failing(error))
                path.write_text("{}")
                found = command.check_file(path, False)
        assert (found["verdict"], found["reason"], found["file"]) == ("MALFORMED", reason, str(path))
    assert command.check_file(tmp_path / "none", False)["verdict"] == "MALFORMED"


def certificate(dropped: list[str], constants: dict[str, tuple[str, str]]) -> dict:
    return {
        "claim": {"id": "a.b"},
        "conclusion": {"name": "c"},
        "assumptions": {"kept": [{"name": "k"}], "dropped": [{"name": one} for one in dropped]},
        "constants": {name: {"value": value, "printed": printed} for name, (value, printed) in constants.items()},
    }


def test_a_finding_tells_what_was_dropped_and_changed():
    """Else a verdict on a variant would be read as one on the paper."""
    assert command._about(certificate([], {"r": ("1", "1")})) == "a.b.c"
    assert command._about(certificate(["d", "e"], {})) == "a.b.c without d, e"
    assert command._about(certificate([], {"r": ("2", "1"), "s": ("3", "3"), "t": ("4", "5")})) == "a.b.c with r = 2, t = 4"
    assert command._about(certificate(["d"], {"r": ("2", "1")})) == "a.b.c without d with r = 2"
    assert command._about(certificate(["x y"], {})) == 'a.b.c without "x y"'


def test_what_is_refused_is_what_decides_and_all_below_it():
    for root in command.REFUSED:
        assert command.is_refused(root)
        assert command.is_refused(f"{root}.inside")
        # A name that only begins alike is another module.
        assert not command.is_refused(f"{root}s")
    assert not command.is_refused("claims")
    assert not command.is_refused("dynamics")
