"""What the commands share at the terminal: a console, a refusal, a JSON file written whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from flint import arb
from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.segment import Segment
from rich.text import Text

from claims.catalogue import UnknownClaimError, claims_by_id, matching
from claims.certificates.provenance import write_whole
from claims.plain_text import one_line, visible
from claims.statement import Claim
from claims.user_claims import OwnFileError
from claims.verifying.tallies import Tally
from claims.verifying.trial import read_own

NARROWEST = 180
"""Columns assumed when the output is not a terminal."""

LONGEST_REPLAY = 600
"""Instances of up to this many characters are printed for pasting; longer ones are in the JSON file."""

LONGEST_SENTENCE = 4000
"""Characters of an error message: what it quotes of the input may be of any length."""


class Plain(Console):
    """A console that prints text without markup or control characters: only our own styles reach the terminal."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments to print, with hidden characters made visible."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            seen = "\n".join(map(visible, text.split("\n")))
            yield segment if control or seen == text else Segment(seen, style)


STANDARD_OUTPUT = Path("-")
"""The file that stands for standard output."""

_results = {"stderr": False}


def keep_stdout_for_json(file: Path | None) -> None:
    """Print results on standard error if JSON goes to standard output, that is, if the file is `-`."""
    _results["stderr"] = file == STANDARD_OUTPUT


def terminal() -> Console:
    """The console for results."""
    console = Plain(**_results)
    return console if console.is_terminal else Plain(width=NARROWEST, **_results)


def refuse(message: str) -> typer.Exit:
    """Print what is wrong with the input, on one line; the caller raises the returned exception."""
    Plain(stderr=True, soft_wrap=True).print(Text(f"error: {one_line(message, LONGEST_SENTENCE)}"))
    return typer.Exit(2)


def write_json(path: Path, data: Any) -> None:
    """Write JSON whole or not at all; `-` is standard output."""
    if path == STANDARD_OUTPUT:
        typer.echo(json.dumps(data, indent=2))
        return
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


def chosen(patterns: Sequence[str] | None, own: Sequence[Claim] = (), everywhere: bool = False) -> list[Claim]:
    """The claims that match, :func:`claims.catalogue.matching`. Raises typer.Exit for a pattern that matches nothing."""
    try:
        return matching(patterns or (), own, everywhere)
    except UnknownClaimError as error:
        raise refuse(str(error)) from None


BORNE_OUT = {True: ("borne out", "green"), False: ("NOT BORNE OUT", "bold red"), None: ("nothing to check", "dim")}


def progress_bar() -> Progress:
    """A bar on stderr, gone at the end."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Plain(stderr=True), transient=True)


def compact(instance: dict[str, Any], longest: int) -> str:
    """An instance on one line of at most `longest` characters."""
    parts = (f"{key}={json.dumps(value, separators=(',', ':'))}" for key, value in instance.items() if key != "system")
    text = " ".join(parts).replace('"', "")
    return text if len(text) <= longest else text[: longest - 1] + "…"


def brief(slack: str | None) -> str:
    """A slack to four digits; short rationals as they are."""
    return slack or "" if slack is None or len(slack) <= 9 or "/" in slack else str(arb(slack).str(4, radius=False))


def how_decided(tally: Tally) -> str:
    """The number of verdicts for each way in which they are known."""
    return ", ".join(f"{count} {known}" for known, count in sorted(tally.decided_by.items()))


def verdict_text(tally: Tally) -> Text:
    """The counts of each outcome, coloured."""
    parts = [
        (tally.violated, "VIOLATED", "red"),
        (tally.holds, "survived", "green"),
        (tally.undecided, "UNDECIDED", "yellow"),
        (tally.vacuous, "vacuous", "dim"),
    ]
    text = Text()
    for count, word, style in parts:
        if count:
            text.append(f"{', ' if text else ''}{word} {count}", style)
    return text


def print_violation(console: Console, claim: Claim, name: str, violation: dict[str, Any]) -> None:
    """The slack of a violating instance, and a command that replays it."""
    how = ", ".join(filter(None, (violation["known"], violation["reason"])))
    console.print(Text(f"  {name} = {violation['slack']}, {one_line(how)}"))
    text = json.dumps(violation["instance"], separators=(",", ":"))
    if len(text) <= LONGEST_REPLAY:
        console.print(Text(f"    claims verify {claim.named} --instance '{text}'"), soft_wrap=True)
    else:
        console.print(Text(f"    an instance of {len(text)} characters: run with --json FILE to keep it"))
