"""Which claims a command is about: patterns, files of one's own, and what a shell completes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from claims.certificates.format import MalformedError, read_certificate
from claims.cli.terminal import refuse, ticking
from claims.stating.catalogue import UnknownClaimError, claims_by_id, ids, matching
from claims.stating.statement import PAPERS, Claim


def offering(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """What a shell may complete a word to: those of the names that begin with it."""

    # Asked for when a shell completes, and never on import: to list names takes time that no command need spend.
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
    from claims.targets.user_claims import OwnFileError  # noqa: PLC0415 -- only who brings a file needs what tries it
    from claims.verifying.trial import read_own  # noqa: PLC0415

    try:
        with ticking(lambda: "trying the file on a few instances"):
            own = [read_own(file) for file in files]
        claims_by_id(own)  # two files of one name would be one claim in tables and ledgers
    except (OwnFileError, UnknownClaimError) as error:
        raise refuse(str(error)) from None
    return own


RunSource = Annotated[
    bool, typer.Option("--run-source", help="Run the claim's own source that a certificate carries: it is code.")
]


def own_of_certificate(named: str, run_source: bool) -> tuple[dict[str, Any], Claim] | None:
    """The counterexample in a file, and the claim whose text it carries; None for anything else.

    Raises typer.Exit where that text may not be run, or is no claim.
    """
    # Asked in this order, cheap first: what may be JSON text is no name of a file, however long.
    if named.lstrip().startswith("{") or not named.endswith(".json") or not Path(named).is_file():
        return None
    try:
        found = read_certificate(Path(named).read_text(encoding="utf-8"))
    except (MalformedError, OSError, UnicodeDecodeError):
        return None  # arrays, or what those who read them complain of
    if found["source"] is None:
        return None
    # A certificate may come from anyone: its text is run where someone has said so, and never by opening it.
    if not run_source:
        raise refuse(f"{named} carries the text of its claim, which is code: read it, then allow it with --run-source")
    from claims.targets.user_claims import OwnFileError, claim_in  # noqa: PLC0415 -- only who brings a file needs it

    try:
        return found, claim_in(found["source"]["text"], found["source"]["file"])
    except OwnFileError as error:
        raise refuse(f"{named}: {error}") from None


def chosen_claims(patterns: Sequence[str] | None, own: Sequence[Claim] = (), everywhere: bool = False) -> list[Claim]:
    """The claims that match, :func:`matching`. Raises typer.Exit for a pattern that matches nothing."""
    try:
        return matching(patterns or (), own, everywhere)
    except UnknownClaimError as error:
        raise refuse(str(error)) from None
