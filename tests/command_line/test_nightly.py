"""A night on two machines: each decides a part in a process of its own, the parts are merged, and one of them dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.calling import run

ROOT = Path(__file__).parents[2]
PARTS = 2
ASKED = ("localmax.hull_shrinks", "localmax.norms*", "frank_wolfe.hull_shrinks", "--jobs", "1")
BEYOND = "1000000"
"""More examples than any machine decides before it is killed."""


def started(part, examples, folder):
    """A process that decides a part and writes it, as a machine of its own does."""
    command = [sys.executable, "-m", "claims", "verify", *ASKED, "--examples", examples]
    return subprocess.Popen(
        [*command, "--shard", f"{part}/{PARTS}", "--json", f"{part}.json"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def told(file):
    """What a run found, but for its seconds."""
    data = json.loads(Path(file).read_text(encoding="utf-8"))
    for claim in data["claims"]:
        claim.pop("seconds")
    return data


@pytest.fixture(scope="module")
def night(tmp_path_factory):
    """The folder of the parts, and of a part whose machine was killed midway."""
    folder = tmp_path_factory.mktemp("night")
    (folder / "killed").mkdir()
    machines = [started(part, "2", folder) for part in range(1, PARTS + 1)]
    dying = started(2, BEYOND, folder / "killed")
    for machine in machines:
        _, said = machine.communicate(timeout=300)
        assert machine.returncode == 0, said
    time.sleep(0.2)
    assert dying.poll() is None, "it decided all before it could be killed"
    dying.send_signal(signal.SIGKILL)
    assert dying.wait(timeout=60) == -signal.SIGKILL
    dying.stderr.close()
    return folder


def test_the_parts_are_the_whole(night, monkeypatch):
    monkeypatch.chdir(night)
    run("verify", *ASKED, "--examples", 2, "--json", "whole.json")
    files = [f"{part}.json" for part in range(1, PARTS + 1)]
    said = run("report", *files, "--json", "merged.json", "--junit", "junit.xml").stdout
    assert told("merged.json") == told("whole.json")
    whole = told("whole.json")["claims"]
    assert len(whole) >= PARTS
    assert f"{len(whole)} of {len(whole)} standings borne out" in said
    assert not list(ET.parse("junit.xml").getroot().iter("error"))  # noqa: S314 -- written by the line above


def test_a_part_whose_machine_was_killed_is_missed(night, monkeypatch):
    monkeypatch.chdir(night)
    # It was killed before it wrote anything that could be taken for a part.
    assert list((night / "killed").iterdir()) == []
    lacking = run("report", "1.json", "--json", "rest.json", "--junit", "rest.xml", code=1)
    missing = [claim["id"] for claim in told("2.json")["claims"]]
    assert missing
    for claim in missing:
        assert f"missing: {claim} is in none of the files" in lacking.stderr
    assert lacking.stderr.count("missing: ") == len(missing)
    assert len(list(ET.parse("rest.xml").getroot().iter("error"))) == len(missing)  # noqa: S314 -- as above
    assert {claim["id"] for claim in told("rest.json")["claims"]}.isdisjoint(missing)
