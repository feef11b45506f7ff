"""Workflows for continuous integration: they parse, their commands exist, and the one to copy is run, step by step."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from claims.cli import COMMANDS, loaded
from tests.calling import run
from tests.planting import LONG

yaml = pytest.importorskip("yaml")
ROOT = Path(__file__).parents[2]
TO_COPY = re.search(r"```yaml\n(name: claims\n.*?)```", (ROOT / "docs/commands.md").read_text(encoding="utf-8"), re.DOTALL)
WORKFLOWS = {path.name: path.read_text(encoding="utf-8") for path in sorted((ROOT / ".github/workflows").glob("*.yml"))}


def steps(text):
    """What the jobs of a workflow run, job by job."""
    jobs = yaml.safe_load(text)["jobs"]
    return {name: [step["run"] for step in job["steps"] if "run" in step] for name, job in jobs.items()}


def lines_of(text):
    return [line for lines in steps(text).values() for line in lines]


@pytest.mark.parametrize("name", [*WORKFLOWS, "to copy"])
def test_commands_and_files_of_a_workflow_exist(name):
    assert TO_COPY is not None
    lines = lines_of(WORKFLOWS.get(name, TO_COPY[1]))
    assert any("claims " in line for line in lines)
    for line in lines:
        for command, options in re.findall(r"(?:^|\s)claims ([a-z]+)((?:\s[^\n;&|]*)?)", line):
            known = {option for param in loaded(command).params for option in (*param.opts, *param.secondary_opts)}
            assert command in COMMANDS
            assert set(re.findall(r"(?<=\s)--[a-z-]+", options.partition("$(")[0])) <= known, line
        for module in re.findall(r"python -m (claims[.\w]*)", line):
            place = ROOT / module.replace(".", "/")
            assert place.with_suffix(".py").is_file() or place.is_dir(), line
        for path in re.findall(r"\btests/[\w/.]+", line):
            assert (ROOT / path).exists(), line


def test_the_workflow_to_copy_runs(tmp_path, monkeypatch):
    """In a repository with one claim: parts, all but one of them empty, and their report; then without one of them."""
    assert TO_COPY is not None
    (tmp_path / "claims").mkdir()
    text = (ROOT / "docs/examples/my_corrected_claim.py").read_text(encoding="utf-8")
    (tmp_path / "claims/mine.py").write_text(text, encoding="utf-8")
    jobs = steps(TO_COPY[1])
    monkeypatch.chdir(tmp_path)

    def printed_by(line, code=0):
        # The shell expands the words, loops and stars among them; the command runs here, where all is loaded.
        words = ["/bin/bash", "-ec", f"""claims() {{ printf '%q ' "$@"; }}\n{line}"""]
        expanded = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        return run(*shlex.split(expanded), code=code).output

    (part,) = (line for line in jobs["part"] if "claims verify" in line)
    for number in range(1, 5 if LONG else 3):
        printed_by(part.replace("${{ matrix.part }}", str(number)) + " --examples 4 --jobs 1")
    (report,) = (line for line in jobs["report"] if "claims report" in line)
    assert "1 of 1 standings borne out" in printed_by(report)
    assert (tmp_path / "junit.xml").is_file()
    first = next(path for path in sorted(tmp_path.glob("part-*.json")) if '"standing"' in path.read_text())
    first.unlink()
    assert "missing: mine is in none of the files" in printed_by(report, code=1)
