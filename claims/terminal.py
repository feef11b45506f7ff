"""What the commands share at the terminal: a console, a refusal, a JSON file written whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from claims.catalogue import UnknownClaimError, claims_by_id, matching
from claims.hunting.certificates import write_whole
from claims.own_files import OwnFileError, read_own
from claims.plain_text import one_line, visible
from claims.statement import Claim

NARROWEST = 180
"""Columns assumed when the output is no terminal."""

LONGEST_REPLAY = 600
"""Characters of an instance that is still printed to be pasted; longer ones are in the JSON file."""

LONGEST_SENTENCE = 4000
"""Characters of a refusal: what it repeats of the input may be of any length."""


class Plain(Console):
    """A console on which text is no markup and holds no control character: only styles of our own reach the terminal."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of what is printed, what is hidden in them made visible."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            seen = "\n".join(map(visible, text.split("\n")))
            yield segment if control or seen == text else Segment(seen, style)


def terminal() -> Console:
    """The console for results."""
    console = Plain()
    return console if console.is_terminal else Plain(width=NARROWEST)


def refuse(message: str) -> typer.Exit:
    """Say what is wrong with the input, on one line; the caller raises what is returned."""
    Plain(stderr=True, soft_wrap=True).print(Text(f"error: {one_line(message, LONGEST_SENTENCE)}"))
    return typer.Exit(2)


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
