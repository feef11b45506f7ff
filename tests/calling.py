"""The command line, called in this process."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from types import ModuleType
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from claims.cli import app
from claims.cli.terminal import Plain


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
