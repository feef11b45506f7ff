"""The command line, called in this process, and pytest in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from claims.cli import app
from claims.cli.terminal import Plain

ROOT = Path(__file__).parents[1]


def run(*arguments: object, code: int = 0) -> Any:
    """The result of a command, which must end with this exit code."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result


def refused(*arguments: object) -> str:
    """The one sentence on standard error of a refused call."""
    result = run(*arguments, code=2)
    assert result.stdout == ""
    # Progress that is taken down leaves an empty line.
    (sentence,) = result.stderr.strip().splitlines()
    assert sentence.startswith("error: ")
    return sentence


def lines_printed(tell: Callable[[Console], object], width: int = 400, *, narrow: bool = False) -> list[str]:
    """The lines that are printed on a console so wide; a terminal that is `narrow` is not widened for what it shows."""
    console = Plain(file=StringIO(), width=width, force_terminal=narrow, color_system=None)
    tell(console)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def printed_by(module: ModuleType, tell: Callable[[], object], width: int = 400) -> list[str]:
    """The lines that a module of the command line prints at its terminal."""

    def on(console: Console) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "terminal", lambda: console)
            tell()

    return lines_printed(on, width)


def pytest_in(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """What pytest says of tests in a folder, with the plugin of this tree, in a process of its own."""
    # Hypothesis reads the constants of each module that it takes for one's own, and keeps them by the module's text:
    # without those kept in the repository that is half of a run elsewhere.
    if folder != ROOT:
        (folder / ".hypothesis").mkdir(exist_ok=True)
        kept = folder / ".hypothesis/constants"
        if not kept.is_symlink():
            kept.symlink_to(ROOT / ".hypothesis/constants")
    command = [sys.executable, "-m", "pytest", "-p", "claims.pytest_plugin", "-p", "no:cacheprovider", *map(str, arguments)]
    variables = {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1", "HYPOTHESIS_EXPERIMENTAL_OBSERVABILITY_NOCOVER": "1"}
    return subprocess.run(command, cwd=folder, env=os.environ | variables, capture_output=True, text=True, check=False)
