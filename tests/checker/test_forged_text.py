"""Text that comes from a file writes no line, moves no cursor and turns no word around, wherever it is printed."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.progress import Progress, TextColumn
from rich.table import Table
from rich.text import Text

from claims.checker.__main__ import as_line
from claims.cli.terminal import Plain
from claims.stating.plain_text import one_line, visible
from tests.checker.genuine import at, changed, forged, leaves

HOSTILE = {
    "a line of its own": "x\nCONFIRMED  good.json: all is well",
    "a line over this one": "x\r\x1b[2KCONFIRMED  good.json",
    "a line above": "x\x1b[1A\x1b[2KCONFIRMED",
    "a colour": "\x1b[8mhidden\x1b[0m",
    "another colour": "\x9b8mhidden",
    "a title": "\x1b]0;CONFIRMED\x07",
    "a deletion": "NOT \b\b\b\bCONFIRMED",
    "words turned around": "\u202edemrifnoc ton\u202c",
    "isolates": "\u2066CONFIRMED\u2069",
    "other ends of lines": "x\u2028CONFIRMED\u2029y\x0bz\x0cw\x85v",
    "nothing to see": "polari\u200bzation\u00ad\ufeff",
    "half a character": "\ud800",
    "no character": "\U000e0041\uffff",
    "markup": "[bold]x[/bold] [/] :smile: [link=file:///]y[/link]",
    "a line that wraps": "x" + " " * 300 + "CONFIRMED  good.json",
}


def is_plain(text: str) -> bool:
    return all(one == " " or unicodedata.category(one)[0] not in "CZ" for one in text)


@given(st.text(st.characters()))
def test_nothing_hidden_is_left_and_nothing_seen_is_changed(text):
    assert is_plain(visible(text))
    # What is spelt out once is not spelt out again: the backslash of the spelling is seen as it is.
    assert visible(visible(text)) == visible(text)
    if is_plain(text):
        assert visible(text) == text
    assert "  " not in one_line(text)
    assert len(one_line(text, 20)) <= 20


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_finding_is_one_line_that_begins_with_its_verdict(text):
    for field in ("file", "about", "reason"):
        line = as_line({"verdict": "MALFORMED", "file": "a.json", "about": None, "reason": "none"} | {field: text})
        assert is_plain(line)
        assert line.startswith("MALFORMED  ")
        # A reason of any length stays one line on a screen.
        assert len(line) < 500


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_console_prints_text_as_it_is_but_for_what_is_hidden(text):
    kept = io.StringIO()
    console = Plain(file=kept, width=2000)
    table = Table("x")
    table.add_row(text)
    for printed in (text, Text(text), table):
        console.print(printed)
    with Progress(TextColumn("{task.description}", markup=False), console=console) as progress:
        progress.add_task(text)
    assert all(is_plain(line.replace("\u00a0", " ")) for line in kept.getvalue().split("\n"))
    # Markup of Rich is text here: it is printed three times as it was given.
    if "[" in text and "\x1b" not in text:
        assert kept.getvalue().count(text) >= 3


def test_no_text_of_a_certificate_forges_a_finding(genuine, tmp_path):
    genuine = genuine["sharpened"]
    places = [path for path in leaves(genuine) if path != ("digest",) and isinstance(at(genuine, path), str)]
    assert len(places) > 25
    files = []
    for path in places:
        for text in HOSTILE.values():
            files.append(tmp_path / f"{len(files)}.json")
            files[-1].write_text(json.dumps(changed(genuine, path, text)), encoding="utf-8")
    named = forged(genuine, constants=dict.fromkeys(HOSTILE.values(), genuine["constants"]["rate"]))
    files.append(tmp_path / "x\nCONFIRMED  good.json")
    # The last file's own name is hostile: names come from whoever packed the files.
    files[-1].write_text(json.dumps(named), encoding="utf-8")
    kept = tmp_path / "findings"
    command = [sys.executable, "-m", "claims.checker", "--json", str(kept), *map(str, files)]
    # A terminal that knows ASCII alone: what cannot be printed is spelt, and does not end the run.
    run = subprocess.run(command, capture_output=True, check=False, env={"PYTHONIOENCODING": "ascii"})
    findings = json.loads(kept.read_text(encoding="utf-8"))
    lines = run.stdout.decode("ascii").split("\n")[:-1]
    assert len(lines) == len(findings) == len(files)
    for line, finding, file in zip(lines, findings, files, strict=True):
        assert line.startswith(f"{finding['verdict']}  {one_line(str(file))}: ")
        assert is_plain(line)
    # Nobody can check where a certificate comes from: with any text there it is confirmed, and the line stays one line.
    confirmed = [finding for finding in findings if finding["verdict"] == "CONFIRMED"]
    assert len(confirmed) == len(HOSTILE) * sum(path[0] in ("versions", "command") for path in places)


def test_findings_that_cannot_be_written_are_refused_before_anything_is_checked(tmp_path):
    """Other places are refused alike: `test_command` asks without a process."""
    (tmp_path / "kept").write_text("a file", encoding="utf-8")
    where = tmp_path / "kept/findings.json"
    command = [sys.executable, "-m", "claims", "check", str(tmp_path / "no.json"), "--json", str(where)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith(f"error: {where} cannot be written: ")
    assert run.stderr.count("\n") == 1
