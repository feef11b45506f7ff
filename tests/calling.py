"""The command line, called in this process."""

from __future__ import annotations

from typing import Any

from typer.testing import CliRunner

from claims.cli import app


def run(*arguments: object, code: int = 0) -> Any:
    """The result of a command, which must end with this exit code."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result


def refused(*arguments: object) -> str:
    """The one sentence on standard error of a refused call."""
    result = run(*arguments, code=2)
    assert result.stdout == ""
    (sentence,) = result.stderr.splitlines()
    assert sentence.startswith("error: ")
    return sentence
