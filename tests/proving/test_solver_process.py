"""A solver's process ends with the one that asked, whatever it is busy with."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.proving.solver_processes import solvers_or_skip

solvers_or_skip()

ROOT = Path(__file__).parents[2]

BUSY = """
import sys
from claims.proving import solver_process as process
process.SOLVERS["z3"] = process.Backend("z3-solver", "z3", lambda: lambda request: sum(range(10 ** 13)))
{more}
process.main(sys.argv[1], int(sys.argv[2]))
"""
"""A solver that never answers and, as solvers may, never lets another thread run."""

ASKING = """
import subprocess
from claims.proving import solvers
started = subprocess.Popen
def busy(command, **given):
    process = started([command[0], "-c", {busy!r}, *command[3:]], **given)
    print(process.pid, flush=True)
    return process
solvers.subprocess.Popen = busy
solvers.GRACE = 1000.0
solvers.Solver("z3").decide("", {seconds})
"""


def ended(process: int, seconds: float) -> bool:
    """Whether a process ends in time: it is gone, or nobody has taken note yet."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            os.kill(process, 0)
            if sys.platform == "linux" and Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    os.kill(process, signal.SIGKILL)
    return False


@pytest.mark.parametrize(
    ("more", "asked"),
    [
        pytest.param("", 1000, marks=pytest.mark.skipif(sys.platform != "linux", reason="told of its parent's death")),
        # Elsewhere nobody tells it: it ends by itself a while after the time it was given.
        ("process._end_with_parent, process.GRACE = lambda parent: None, 0.1", 0.3),
    ],
)
def test_a_busy_solver_does_not_outlive_who_asked(more, asked):
    source = ASKING.format(busy=BUSY.format(more=more), seconds=asked)
    with subprocess.Popen([sys.executable, "-c", source], cwd=ROOT, stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        solver = int(asking.stdout.readline())
        # Not before it is busy: while it starts it would hear of its parent's death like any other process.
        while asking.poll() is None and not spent(solver):
            time.sleep(0.05)
        asking.kill()
    assert ended(solver, 30)


def spent(process: int) -> bool:
    """Whether a process is busy with its question: it has computed for longer than it takes to start."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return True
    return int(fields[11]) > os.sysconf("SC_CLK_TCK") // 2


def test_a_solver_whose_parent_died_first_ends_at_once():
    command = [sys.executable, "-m", "claims.proving.solver_process", "z3", "1"]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
