"""What the commands share at the terminal: a console, a refusal, a JSON file written whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from claims.catalogue import UnknownClaimError, claims_by_id, matching
from claims.hunting.certificates import write_whole
from claims.own_files import OwnFileError, read_own
from claims.statement import Claim

NARROWEST = 180
"""Columns assumed when the output is no terminal."""

LONGEST_REPLAY = 600
"""Characters of an instance that is still printed to be pasted; longer ones are in the JSON file."""

LONGEST_SENTENCE = 4000
"""Characters of a refusal: what it repeats of the input may be of any length."""


def terminal() -> Console:
    """The console for results."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=NARROWEST)


def refuse(message: str) -> typer.Exit:
    """Say what is wrong with the input, on one line; the caller raises what is returned."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(Text(f"error: {on_one_line(message)}"))
    return typer.Exit(2)


def on_one_line(text: str) -> str:
    """The text with characters that are no print, line breaks among them, escaped, and of bearable length."""
    escaped = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return escaped if len(escaped) <= LONGEST_SENTENCE else f"{escaped[:LONGEST_SENTENCE]}..."


def write_json(path: Path, data: Any) -> None:
    """Write JSON whole or not at all."""
    try:
        write_whole(path, json.dumps(data, indent=2) + "\n")
    except OSError as error:
        raise refuse(f"{path} cannot be written: {error.strerror}") from None


OwnFiles = Annotated[
    list[Path] | None,
    typer.Option("--file", metavar="FILE", help="A claim of your own, in a file (repeatable); without PATTERN only these."),
]


def own_claims(files: Sequence[Path] | None) -> list[Claim]:
    """The claims of a user's files. Raises typer.Exit where one cannot be used, or two have the same id."""
    try:
        own = [read_own(file) for file in files or ()]
        claims_by_id(own)
    except (OwnFileError, UnknownClaimError) as error:
        raise refuse(str(error)) from None
    return own


def chosen(patterns: Sequence[str] | None, own: Sequence[Claim] = ()) -> list[Claim]:
    """The claims that match, :func:`claims.catalogue.matching`. Raises typer.Exit for a pattern that matches nothing."""
    try:
        return matching(patterns or (), own)
    except UnknownClaimError as error:
        raise refuse(str(error)) from None
