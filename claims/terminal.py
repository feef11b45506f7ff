"""What the commands share at the terminal: a console, a refusal, a JSON file written whole."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.text import Text

NARROWEST = 180
"""Columns assumed when the output is no terminal."""

LONGEST_REPLAY = 600
"""Characters of an instance that is still printed to be pasted; longer ones are in the JSON file."""


def terminal() -> Console:
    """The console for results."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=NARROWEST)


def refuse(message: str) -> typer.Exit:
    """Say what is wrong with the input; the caller raises what is returned."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(Text(f"error: {message}"))
    return typer.Exit(2)


def write_json(path: Path, data: Any) -> None:
    """Write JSON whole or not at all."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(data, file, indent=2)
            file.write("\n")
        Path(name).replace(path)
    except OSError as error:
        raise refuse(f"{path} cannot be written: {error.strerror}") from None
