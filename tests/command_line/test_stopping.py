"""Ctrl-C and SIGTERM stop a run: what is decided is printed, and no process is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.planting import LONG

ROOT = Path(__file__).parents[2]

RUN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background is begun with it ignored
import sys
from claims.cli import terminal
from claims.cli import main
terminal.TICK = 0.2
sys.argv = ["claims", *{arguments!r}]
main()
"""


def begun(*arguments):
    """A run in a process group of its own."""
    command = [sys.executable, "-c", RUN.format(arguments=[*map(str, arguments)])]
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip


def started(*arguments):
    """Such a run, once it has told of progress."""
    run = begun(*arguments)
    for line in run.stderr:
        if " 0 of " not in line and "conclusions decided" in line:
            return run
    pytest.fail("the run ended before it was stopped")


def group_is_empty(run):
    """Whether soon no process of the run's group is left, itself included; zombies count until they are reaped."""
    # Fifteen seconds: who is killed is reaped by its parent, which may be slow on a busy machine.
    for _ in range(150):
        try:
            os.killpg(run.pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize(("number", "jobs"), [(signal.SIGINT, 2), (signal.SIGTERM, 1)])
def test_a_run_stops_at_once_and_tells_what_is_decided(number, jobs, tmp_path):
    file = tmp_path / "found.json"
    # So many examples take minutes: the run is stopped long before its end.
    run = started("verify", "localmax.hull_shrinks", "clusters.pairwise_distances_grow", "polarization",
                  "--examples", 200, "--jobs", jobs, "--json", file)  # fmt: skip
    began = time.perf_counter()
    # The terminal sends Ctrl-C to the whole group; what is sent by `kill` reaches one process.
    os.killpg(run.pid, number) if number == signal.SIGINT else run.send_signal(number)
    output, errors = run.communicate(timeout=30)
    assert time.perf_counter() - began < 10, "on a busy machine; a quiet one takes less than two seconds"
    assert run.returncode == 128 + number
    assert f"stopped by {number.name}" in errors
    assert "Traceback" not in errors
    assert "localmax.hull_shrinks" in output or "clusters.pairwise_distances_grow" in output
    assert json.loads(file.read_text(encoding="utf-8"))["stopped"] == number.name
    assert group_is_empty(run)


def test_a_killed_run_leaves_no_worker_behind_and_nothing_that_could_be_taken_for_a_part(tmp_path):
    part = ("--shard", "1/1", "--json", tmp_path / "1.json")
    run = started("verify", "localmax.hull_shrinks", "polarization", "--examples", 200, "--jobs", 2, *part)
    run.kill()
    run.communicate(timeout=30)
    assert group_is_empty(run)
    assert list(tmp_path.iterdir()) == []


OTHERS = {
    "drop": ("verify", "localmax", "--drop", "each", "--jobs", 2),
    "mutate": ("mutate", "localmax", "--jobs", 2),
    "prove": ("prove", "localmax", "--size", "n=3,d=2", "--jobs", 2),
    "hunt": ("hunt", "localmax", "--out", "HERE/hunt", "--jobs", 2),
    "atlas": ("atlas", "--out", "HERE/atlas", "--jobs", 2),
    "escape": ("escape", '{"v":[[2],[-2]],"x":[["17/9"],["-17/9"]],"group":[0,1],"gamma":"1/64","eps":"1/3"}'),
}
SLEEP = {"check": 0, **dict.fromkeys(OTHERS, 20)} if LONG else {"check": 0}
"""Seconds until the signal; `check` tells when it has begun."""


@pytest.mark.parametrize("number", [signal.SIGTERM, *([signal.SIGINT] if LONG else [])])
@pytest.mark.parametrize("name", SLEEP)
def test_every_command_that_takes_long_stops_at_once(name, number, tmp_path):
    run = begun(*(str(one).replace("HERE", str(tmp_path)) for one in OTHERS.get(name, ("check", "--published"))))
    if name == "check":
        assert "CONFIRMED" in run.stdout.readline(), "the other process has begun"
    time.sleep(SLEEP[name])
    began = time.perf_counter()
    os.killpg(run.pid, number) if number == signal.SIGINT else run.send_signal(number)
    # Who is left behind holds the pipes open.
    output, errors = run.communicate(timeout=30)
    assert time.perf_counter() - began < 10, "on a busy machine; a quiet one takes less than two seconds"
    assert run.returncode == 128 + number
    assert "stopped" in output + errors or "interrupted" in output + errors
    assert "Traceback" not in output + errors
    assert group_is_empty(run)
