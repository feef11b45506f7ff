"""The command `claims atlas`: what it writes and says, one clear sentence for bad input; the questions of an author."""

from __future__ import annotations

import importlib.util
import json
from functools import partial
from pathlib import Path

import pytest

from claims.atlas.checked import ask_checker
from claims.atlas.evidence import by_name, read_answers, read_verdicts
from claims.verifying.report import FindingsError
from tests import calling
from tests.atlas.conftest import HOSTILE, REPORT, TALLY
from tests.planting import LONG

run = partial(calling.run, "atlas")
refused = partial(calling.refused, "atlas")

pytest.importorskip("jinja2", reason="the atlas is an extra: pip install '.[atlas]'")

ONE = "frank_wolfe.vertices_are_stationary"


def test_it_writes_a_site_of_the_chosen_claims_and_of_a_user_s_own(tmp_path):
    own = tmp_path / "my_words.py"
    own.write_text(HOSTILE, encoding="utf-8")
    out = tmp_path / "site"
    said = run(ONE, "my_words", "--file", own, "--out", out, "--unchecked", "--jobs", 1).stdout
    assert "7 pages" in said
    assert (out / "frank_wolfe" / "vertices_are_stationary.html").is_file()
    assert (out / "own" / "my_words.html").is_file()
    assert "my_words" not in (out / "frank_wolfe" / "errata.md").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["my_words.py", "site"]


def test_certificates_are_checked_in_a_process_of_their_own():
    name = "frank_wolfe/vertices_are_stationary.json"
    assert dict(ask_checker([name], 1))[name]["verdict"] == "CONFIRMED"


def test_findings_of_the_checker_and_verdicts_are_read(tmp_path):
    name = "localmax/every_token_converges.json"
    finding = {"file": name, "verdict": "CONFIRMED", "reason": "", "about": ""}
    assert by_name([finding, finding | {"file": "elsewhere.json"}]) == {name: {"verdict": "CONFIRMED", "reason": ""}}
    path = tmp_path / "findings.json"
    path.write_text(json.dumps([finding]))
    assert read_answers(path) == by_name([finding])
    path.write_text(report())
    assert read_verdicts(path) == [REPORT]


def report(**changes):
    """Verdicts of one claim, with something changed in its conclusion."""
    return json.dumps({"claims": [REPORT | {"conclusions": [TALLY | changes]}]})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1]",
        '{"claims": [{}]}',
        '{"claims": 3}',
        '{"claims": [{"id": "a", "borne_out": true, "conclusions": [{}]}]}',
        '{"claims": [{"id": [], "borne_out": true, "conclusions": []}]}',
        report(tightest=7),
        report(tightest={"slack": 1, "instance": {}}),
        report(counterexample={"slack": "1"}),
        report(instances="3"),
    ],
)
def test_files_that_are_no_verdicts_nor_findings_are_refused(tmp_path, text):
    path = tmp_path / "file.json"
    path.write_text(text)
    with pytest.raises(FindingsError, match=r"file\.json is not what `claims verify --json`"):
        read_verdicts(path)
    with pytest.raises(FindingsError, match=r"file\.json is not what `claims check --published --json`"):
        read_answers(path)


def test_bad_input_is_refused_in_one_sentence(tmp_path):
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "thesis.tex").write_text("years of work")
    assert "give --out DIR" in refused(ONE)
    assert "other files than an atlas" in refused(ONE, "--out", taken, "--unchecked")
    assert "cannot be read" in refused(ONE, "--out", tmp_path / "site", "--verdicts", tmp_path / "none.json", "--unchecked")
    assert "contradict" in refused(ONE, "--out", tmp_path / "site", "--checked", tmp_path / "none.json", "--unchecked")
    assert "no claim matches" in refused("nonsense", "--out", tmp_path / "site")
    assert "--paper: there is no paper 'polarisation'" in refused("--paper", "polarisation", "--out", tmp_path / "site")
    assert "--revision takes an address" in refused(ONE, "--revision", "main", "--out", tmp_path / "site")
    # Nothing was begun before it was refused.
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_without_the_extra_it_says_what_to_install(tmp_path, monkeypatch):
    find = importlib.util.find_spec
    # Only Jinja is missing: everything else must still be found.
    monkeypatch.setattr("claims.cli.atlas.find_spec", lambda name: None if name == "jinja2" else find(name))
    assert "pip install 'attention-claims[atlas]'" in refused(ONE, "--out", tmp_path / "site")


def test_a_second_build_uses_what_the_first_kept_and_says_what_was_damaged(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "kept"))
    options = ("--claim", ONE, "--jobs", 1, "--out", tmp_path / "site")
    assert "kept" not in run(*options).stdout
    assert " parts kept from earlier builds" in run(*options).stdout
    page = (tmp_path / "site" / "frank_wolfe" / "vertices_are_stationary.html").read_text()
    assert "recorded with version" in page
    kept = [path for path in (tmp_path / "kept").rglob("*") if path.is_file()]
    # Any of them: each says itself whether it is whole.
    kept[0].write_text("harmed")
    assert "thrown away and made again: 1 damaged files" in run(*options).stdout
    run(*options, "--no-cache", "--unchecked", "--revision", "https://example.org/blob/1")
    page = (tmp_path / "site" / "frank_wolfe" / "vertices_are_stationary.html").read_text()
    assert "https://example.org/blob/1/claims/frank_wolfe/" in page
    assert "Not checked in this build" in page


# ---------------------------------------------------------------------------------------------------------------------
# The six questions of an author, each answered by one command; `test_browser.py` asks them of the front page


NAME = "frank_wolfe.escape_takes_exponentially_long"
COMMANDS = (
    (["show", "What is wrong with Theorem 5.4?"], "what is wrong: One pick moves a token"),
    (["list", "--coverage", "frank_wolfe"], "Theorem 5.4"),
    (["plot", "a picture of Theorem 5.4", "--out", "{folder}/picture.svg"], "The chance to escape, against its bound"),
    (["errata", "frank_wolfe", "Theorem 5.4"], "*What is wrong.* One pick moves"),
    (["show", NAME], "check it by hand: 1. Take d = 1, v = +-2, so D(K) = 4"),
    (["list", "--proved", "frank_wolfe"], "PROVED for all"),
)


@pytest.mark.parametrize(
    ("command", "told"), COMMANDS, ids=lambda part: " ".join(part[:2]) if isinstance(part, list) else ""
)
def test_one_command_answers(command, told, tmp_path):
    said = calling.run(*(word.format(folder=tmp_path) for word in command)).stdout
    assert told in " ".join(said.split())


# ---------------------------------------------------------------------------------------------------------------------
# The examples of docs/examples as pages, with pictures of their systems; all of them in a long run


EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.mark.parametrize("name", ["sphere", *(["sigmoid_attention", "causal_attention"] if LONG else [])])
def test_an_example_has_a_page_with_a_picture(name, tmp_path):
    run("--file", EXAMPLES / f"{name}.py", "--out", tmp_path / "atlas", "--unchecked", "--jobs", 1)
    (page,) = (tmp_path / "atlas").rglob(f"{name}*.html")
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") >= (3 if name == "sphere" else 1)
    assert "all_tokens_meet" in text or name != "sphere"
