"""Which claims a command is about: patterns, files of one's own, and what a shell completes."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from claims.catalogue import PAPERS, UnknownClaimError, claims_by_id, matching
from claims.cli.terminal import refuse
from claims.statement import Claim


def completed(incomplete: str) -> list[str]:
    """The papers and the ids that a shell may complete a word to; no claim is loaded."""
    found = list(PAPERS)
    for paper in PAPERS:
        found += [f"{paper}.{name}" for name in importlib.import_module(f"claims.{paper}").CONTENTS]
    return [name for name in found if name.startswith(incomplete)]


Patterns = Annotated[
    list[str] | None,
    typer.Argument(help="Ids, globs, papers or references; all by default.", autocompletion=completed),
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
