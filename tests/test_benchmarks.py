"""The benchmark of steps runs: ours and the loops agree."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_batched_steps_and_loops_agree():
    # Few and small: whether they agree is asked here, not how fast they are.
    command = [sys.executable, "benchmarks/steps.py", "--configurations", "60", "--repeat", "1", "--batch", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert all(f"| {step} |" in done.stdout for step in ("hardmax", "localmax", "softmax"))
    assert "leader sets: 0 of" in done.stdout
