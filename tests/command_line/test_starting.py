"""What a command loads before it does anything, and what a shell completes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from claims.cli import app
from claims.stating.statement import Form

ROOT = Path(__file__).parents[2]

EXTRAS = {"hypothesis", "pytest", "distributed", "dask", "z3", "cvc5", "sympy", "matplotlib", "jinja2"}
"""Never loaded by who lists, shows or verifies."""

NUMBERS = {"numpy", "scipy", "flint", "mpmath", "claims.stating.statement", "claims.stating.catalogue", "dynamics"}
NO_NUMBERS = EXTRAS | NUMBERS
"""Not loaded by who asks for help, or has certificates checked in a process of their own."""

NO_DECISIONS = EXTRAS | {
    "claims.verifying.deciding", "claims.hunting.plan", "claims.hunting.search", "claims.campaigns.engines",
    "claims.proving.symbols", "claims.proving.solvers", "claims.mutating", "sqlite3", "asyncio", "multiprocessing",
    "scipy.linalg", "scipy.optimize", "scipy.sparse.csgraph", "scipy.spatial", "scipy.special", "scipy.stats",
}  # fmt: skip
"""Not loaded by who lists or shows the suite's claims."""

CALLED = """
import json, sys
from claims.cli import app
for calls in {stages!r}:
    for arguments in calls:
        try:
            app(arguments, standalone_mode=False)
        except BaseException as error:
            assert type(error).__name__ == "Exit" and error.exit_code in (0, 2), error
    print(json.dumps(sorted(sys.modules)))
"""
STAGES = (
    ([["--help"], ["check", "nowhere.json"]], NO_NUMBERS, "claims.cli.check"),
    (
        [["list"], ["list", "localmax", "--json"], ["show", "clusters.hull_shrinks"], ["show", "Theorem 5.4"]],
        NO_DECISIONS,
        "claims.stating.catalogue",
    ),
)
"""Calls, those that need the least first, what they do not need, and a module that they do."""


def test_a_command_loads_what_it_needs_alone():
    """In one new process: what the first calls leave out is not there before the later ones."""
    command = [sys.executable, "-c", CALLED.format(stages=[calls for calls, *_ in STAGES])]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = [set(json.loads(line)) for line in run.stdout.splitlines() if line.startswith('["')]
    for loaded, (_, needless, needed) in zip(found, STAGES, strict=True):
        assert needed in loaded
        assert not needless & loaded


def completed(*words):
    """What a shell offers for the last of these words."""
    asked = {"_CLAIMS_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(["claims", *words]), "COMP_CWORD": str(len(words))}
    return CliRunner().invoke(app, [], prog_name="claims", env=asked).stdout.split()


@pytest.mark.parametrize("command", ["list", "show", "verify", "hunt", "mutate", "prove", "atlas"])
def test_a_shell_completes_papers_and_ids_of_claims(command):
    assert completed(command, "localm") == ["localmax", *completed(command, "localmax.")]
    found = completed(command, "clusters.hull_s")
    assert found == ["clusters.hull_shrinks"]


def test_a_shell_completes_what_an_option_takes():
    assert completed("new", "x.py", "--system", "Localmax") == ["LocalmaxStep"]
    assert set(completed("new", "x.py", "--form", "")) == {form.value for form in Form} - {"experiment"}
    assert completed("verify", "--profile", "n") == ["nightly"]
    assert completed("verify", "--format", "j") == ["json", "junit"]
    assert completed("sho") == ["show"]
