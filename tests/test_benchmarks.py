"""The benchmarks of steps and of limits run: ours and the loops agree, and what is recorded is not done again."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_batched_steps_and_loops_agree():
    command = [sys.executable, "benchmarks/steps.py", "--configurations", "60", "--repeat", "1", "--batch", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert all(f"| {step} |" in done.stdout for step in ("hardmax", "localmax", "softmax"))
    assert "leader sets: 0 of" in done.stdout


def test_starts_that_are_recorded_are_not_settled_again(tmp_path):
    record = tmp_path / "settled.jsonl"
    command = [sys.executable, "benchmarks/flow_limits.py", "--starts", "2", "--only", "T5", "--record", str(record)]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        assert done.returncode == 0, done.stderr
        assert "| T5 | 2 of 2 | 0 |" in done.stdout
        found = [json.loads(line) for line in record.read_text().splitlines()]
        assert [one["start"] for one in found] == ["0", "1"]
    record.write_text(json.dumps(found[0] | {"settled": False, "helps": "more seconds", "allowed": 1.0}) + "\nno record\n")
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert "line 2: no record" in done.stderr
    record.write_text(json.dumps(found[0] | {"settled": False, "helps": "more seconds", "allowed": 1.0}) + "\n")
    done = subprocess.run([*command, "--seconds", "1"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert "| T5 | 1 of 2 | 1 (more seconds may help) |" in done.stdout
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert "| T5 | 2 of 2 | 0 |" in done.stdout
