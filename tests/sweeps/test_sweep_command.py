"""The command `claims sweep`: what it lists and refuses, and a sweep that is killed, stopped or fails and goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from claims.campaigns.ledger import Ledger
from claims.cli import ledgers
from claims.cli import sweep as command
from claims.sweeps import training
from claims.sweeps.designs import DESIGNS, Design
from dynamics.transformers import libraries
from tests import calling
from tests.in_process import InProcess
from tests.planting import LONG
from tests.sweeps.pretended import DESIGN, GATE, NOTES, RAISES, STOPS, noted

run = partial(calling.run, "sweep")
refused = partial(calling.refused, "sweep")

ALL = [(task, str(first)) for first in (0, 2, 4) for task in ("induction", "classification")]


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """A folder for a sweep of a design that is not trained at all, in this process."""
    monkeypatch.setitem(DESIGNS, "tiny", DESIGN)
    monkeypatch.setenv(NOTES, str(tmp_path / "notes"))
    monkeypatch.setenv(RAISES, str(tmp_path / "raises"))
    monkeypatch.setattr(command, "missing", lambda: "")
    monkeypatch.setattr(command, "WORK", "tests.sweeps.pretended:train")

    @contextmanager
    def here(jobs, log):
        yield InProcess()

    monkeypatch.setattr(ledgers, "local_engine", here)
    return tmp_path / "sweep"


def test_without_names_it_lists_the_designs(monkeypatch):
    monkeypatch.setattr(command, "missing", lambda: "jax is not installed")
    said = run().stdout
    lines = {line.split()[0]: line for line in said.splitlines()}
    assert lines.keys() == DESIGNS.keys()
    assert "36 settings, 20 seeds" in lines["figure-6"]
    assert "2 settings, 3 seeds" in lines["figure-4"]
    assert "2 settings, 7 seeds" in next(line for line in run("--seeds", 7).stdout.splitlines() if "figure-4 " in line)


def test_a_sweep_is_trained_kept_and_written(tiny, tmp_path):
    said = run("tiny", "--out", tiny, "--json", tmp_path / "runs.json").stdout
    assert "6 tasks; the ledger is in" in said
    assert "10 runs in 6 of 6 tasks" in said
    assert noted() == ALL
    written = json.loads((tmp_path / "runs.json").read_text())["tasks"]
    assert [(one["setting"]["task"], one["seeds"]) for one in written] == [
        (spec["setting"]["task"], spec["seeds"]) for spec in DESIGN.specs()
    ]
    assert all(one["runs"][0]["epochs"]["accuracy"] == [one["seeds"][0] / 7] for one in written)
    # Once more, either way: nothing is trained again.
    for again in (("tiny", "--out", tiny), ("--resume", tiny)):
        assert "10 runs in 6 of 6 tasks" in run(*again).stdout
    assert noted() == ALL
    assert "6 runs in 4 of 4 tasks" in run("tiny", "--seeds", 3, "--out", tiny.with_name("three")).stdout


def test_tasks_that_fail_are_lost_and_tried_again(tiny):
    raises = Path(os.environ[RAISES])
    raises.touch()
    said = run("tiny", "--out", tiny, code=3).stdout
    assert "lost: FloatingPointError: nothing is finite" in said
    assert "5 runs in 3 of 6 tasks" in said
    # A sweep's ledger is no hunt's, and is left as it is.
    calling.refused("hunt", "--resume", tiny)
    with Ledger(tiny, reading=True) as ledger:
        assert len(ledger.failures()) == 3
    raises.unlink()
    said = run("--resume", tiny).stdout
    assert "3 tasks that failed are tried again" in said
    assert "10 runs in 6 of 6 tasks" in said
    assert sorted(noted()) == sorted(ALL + ALL[::2])


def test_a_sweep_that_is_stopped_repeats_nothing_that_it_recorded(tiny, tmp_path, monkeypatch):
    run("tiny", "--out", tmp_path / "whole", "--json", tmp_path / "whole.json")
    (tmp_path / "notes").unlink()
    monkeypatch.setenv(STOPS, str(tmp_path / "stops"))
    (tmp_path / "stops").touch()
    said = run("tiny", "--out", tiny, "--json", tmp_path / "stopped.json", code=130).stdout
    assert "6 runs in 3 of 6 tasks" in said
    assert f"stopped; continue with: claims sweep --resume {tiny}" in said
    assert len(json.loads((tmp_path / "stopped.json").read_text())["tasks"]) == 3
    (tmp_path / "stops").unlink()
    assert "10 runs in 6 of 6 tasks" in run("--resume", tiny, "--json", tmp_path / "resumed.json").stdout
    assert noted() == [*ALL[:4], *ALL[3:]]
    assert (tmp_path / "resumed.json").read_text() == (tmp_path / "whole.json").read_text()


def test_another_campaign_s_ledger_is_refused_and_left_as_it_is(tiny):
    with Ledger(tiny) as ledger:
        ledger.begin({"targets": [], "seed": 1, "code": "any"})
        ledger.fail({"n": 1}, "raised", "out of memory", "w1")
    said = refused("--resume", tiny)
    assert "the ledger is of another campaign than a sweep" in said
    with Ledger(tiny, reading=True) as ledger:
        assert [failure.reason for failure in ledger.failures()] == ["out of memory"], "its failures are forgotten"
    assert "holds a campaign with other settings" in refused("tiny", "--out", tiny)


def test_a_folder_keeps_one_sweep_and_code_that_changed_since_is_told(tiny, monkeypatch):
    run("tiny", "--seeds", 1, "--out", tiny)
    assert "holds a campaign with other settings: seeds is 1 there, null now" in refused("tiny", "--out", tiny)
    for module in (command, ledgers):
        monkeypatch.setattr(module, "fingerprint", lambda: "other code")
    assert "continued with other code" in run("--resume", tiny).stdout
    assert "other settings: code is" in refused("tiny", "--seeds", 1, "--out", tiny)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["figure-7", "--out", "new"], "there is no design 'figure-7': there are figure-6, "),
        (["tiny", "figure 6", "--out", "new"], "there is no design 'figure 6'"),
        (["tiny"], "where to? give --out DIR"),
        (["tiny", "--resume", "new"], "--resume continues a sweep as it was begun: DESIGN cannot be given again"),
        (["--resume", "new", "--seeds", "3", "--out", "x"], "as it was begun: --seeds, --out cannot be given again"),
        (["--resume", "new"], "holds no sweep: there is no ledger.sqlite in it"),
        (["tiny", "--out", "new", "--json", "nowhere/runs.json"], "its folder does not exist"),
        (["tiny", "--out", "new", "--jobs", "2", "--cluster", "tcp://127.0.0.1:1"], "--jobs are local processes"),
        (["tiny", "--out", "notes"], ""),
    ],
)
def test_bad_usage_is_one_sentence_and_leaves_no_folder(tiny, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").write_text("")
    assert words in refused(*arguments)
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]
    assert noted() == []


def test_without_the_extra_it_says_what_to_install(tmp_path, monkeypatch):
    for absent in libraries.PACKAGES:
        monkeypatch.setattr(libraries, "find_spec", lambda name, absent=absent: None if name == absent else "there")
        text = f"cannot be trained here: {absent} is not installed: pip install 'attention-claims[transformers]'"
        assert text in refused("figure-6", "--out", tmp_path / "new")
        assert not (tmp_path / "new").exists()
    monkeypatch.setattr(libraries, "find_spec", lambda name: "there")
    assert libraries.missing() == ""


def test_a_paper_sized_run_may_take_longer_than_other_tasks():
    assert training.train.longest > 3600
    module, _, name = training.WORK.partition(":")
    assert getattr(sys.modules[module], name) is training.train


# ---------------------------------------------------------------------------------------------------------------------
# Killed

CLIENT = """
import sys
from claims.cli import main, sweep
from claims.sweeps import training
from claims.sweeps.designs import DESIGNS
from tests.sweeps.pretended import DESIGN
from tests.sweeps.test_sweep_command import TRAINED
DESIGNS.update({"tiny": DESIGN, "trained": TRAINED})
if sys.argv[2] == "tiny":
    sweep.WORK, sweep.missing = "tests.sweeps.pretended:train", lambda: ""
main()
"""

TRAINED = Design("trained", "settings that are really trained", DESIGN.settings, seeds=4, together=1)


def started(*arguments):
    return subprocess.Popen(
        [sys.executable, "-c", CLIENT, "sweep", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def recorded(folder):
    if not (folder / "ledger.sqlite").exists():
        return 0
    with Ledger(folder, reading=True) as ledger:
        return ledger.query("SELECT count(*) FROM tasks")[0][0]


def killed(client, folder, least):
    """Kill a client, and nothing else, once so many tasks are recorded."""
    deadline = time.monotonic() + 300
    while recorded(folder) < least:
        assert client.poll() is None, client.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    client.send_signal(signal.SIGKILL)
    client.communicate()
    return recorded(folder)


@pytest.mark.skipif(not LONG, reason="every night: a client and a worker of their own")
def test_a_sweep_that_is_killed_repeats_nothing_that_it_recorded(tiny, tmp_path, monkeypatch):
    """The last task waits for a gate when its client is killed."""
    run("tiny", "--out", tmp_path / "whole", "--json", tmp_path / "whole.json")
    (tmp_path / "notes").unlink()
    monkeypatch.setenv(GATE, str(tmp_path / "gate"))
    client = started("tiny", "--out", tiny, "--jobs", 1)
    assert killed(client, tiny, least=5) == 5
    (tmp_path / "gate").touch()
    run("--resume", tiny, "--json", tmp_path / "resumed.json")
    assert noted() == [*ALL, ALL[-1]]
    assert json.loads((tmp_path / "resumed.json").read_text()) == json.loads((tmp_path / "whole.json").read_text())


@pytest.mark.skipif(not LONG, reason="every night: transformers are trained in processes of their own")
def test_trained_transformers_are_the_same_after_a_kill(tmp_path):
    for package in libraries.PACKAGES:
        pytest.importorskip(package, reason=f"{package} is not installed: pip install '.[transformers]'")
    out, err = started("trained", "--out", tmp_path / "whole", "--jobs", 2, "--json", tmp_path / "whole.json").communicate()
    assert "8 runs in 8 of 8 tasks" in out, err
    folder = tmp_path / "killed"
    before = killed(started("trained", "--out", folder, "--jobs", 1), folder, least=2)
    assert 2 <= before < 8
    with Ledger(folder, reading=True) as ledger:
        kept = {entry.key: entry.recorded for entry in ledger.entries()}
    out, err = started("--resume", folder, "--jobs", 1, "--json", tmp_path / "resumed.json").communicate()
    assert "8 runs in 8 of 8 tasks" in out, err
    with Ledger(folder, reading=True) as ledger:
        entries = {entry.key: entry.recorded for entry in ledger.entries()}
        assert ledger.disagreements() == []
    assert entries.items() >= kept.items()
    assert len(entries) == 8
    assert json.loads((tmp_path / "resumed.json").read_text()) == json.loads((tmp_path / "whole.json").read_text())
