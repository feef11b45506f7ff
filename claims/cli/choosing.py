"""Which claims a command is about: patterns, files of one's own, and what a shell completes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from claims.catalogue import UnknownClaimError, claims_by_id, ids, matching
from claims.cli.terminal import refuse
from claims.statement import PAPERS, Claim


def offering(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """What a shell may complete a word to: those of the names that begin with it."""

    def completed(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return completed


def papers_and_ids() -> Iterator[str]:
    """The papers and the ids of the suite's claims, none of which is loaded."""
    yield from PAPERS
    yield from ids()


Patterns = Annotated[
    list[str] | None,
    typer.Argument(help="Ids, globs, papers or references; all by default.", autocompletion=offering(papers_and_ids)),
]

OwnFiles = Annotated[
    list[Path] | None,
    typer.Option("--file", metavar="FILE", help="A claim of your own, in a file (repeatable); without PATTERN only these."),
]


def own_claims(files: Sequence[Path] | None) -> list[Claim]:
    """The claims of a user's files. Raises typer.Exit where one cannot be used, or two have the same id."""
    if not files:
        return []
    from claims.user_claims import OwnFileError  # noqa: PLC0415 -- only who brings a file needs what tries it
    from claims.verifying.trial import read_own  # noqa: PLC0415

    try:
        own = [read_own(file) for file in files]
        claims_by_id(own)
    except (OwnFileError, UnknownClaimError) as error:
        raise refuse(str(error)) from None
    return own


def chosen(patterns: Sequence[str] | None, own: Sequence[Claim] = (), everywhere: bool = False) -> list[Claim]:
    """The claims that match, :func:`claims.catalogue.matching`. Raises typer.Exit for a pattern that matches nothing."""
    try:
        return matching(patterns or (), own, everywhere)
    except UnknownClaimError as error:
        raise refuse(str(error)) from None
