"""The command `claims errata`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from claims.certificates.provenance import write_whole
from claims.cli.choosing import chosen_claims
from claims.cli.terminal import refuse
from claims.stating.statement import PAPERS

NEEDED = "latex2mathml"


def write_errata(
    paper: Annotated[str, typer.Argument(metavar="PAPER", help=f"One of {', '.join(PAPERS)}.")],
    patterns: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATTERN]...", help='Print the text on these statements alone, in Markdown: an id, "Theorem 5.4".'
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="The folder for PAPER.tex, PAPER.md and PAPER.html.")
    ] = None,
) -> None:
    """Write a sheet for the authors of a paper: what stands, what does not and why, checked by hand, and corrected."""
    if paper not in PAPERS:
        raise refuse(f"there is no paper {paper!r}: it is one of {', '.join(PAPERS)}")
    if out is None and not patterns:
        raise refuse("where to? give --out DIR, or name the statements whose text is to be printed")
    if out is not None and patterns:
        raise refuse("--out writes the whole sheet: name statements, or give --out DIR")
    # Asked before the imports, whose own error would be a traceback.
    if find_spec(NEEDED) is None:
        raise refuse(f"the sheets need {NEEDED}, which is not installed: pip install 'attention-claims[atlas]'")
    from claims.atlas.sheets.sheet import SheetError, sheet_of  # noqa: PLC0415 -- slow to import
    from claims.atlas.sheets.writing import as_latex, as_markdown, as_page, row_as_markdown  # noqa: PLC0415 -- an extra

    try:
        sheet = sheet_of(PAPERS[paper])
    except SheetError as error:
        raise refuse(str(error)) from None
    if out is None:
        # Any claim of a row brings the row: several statements may share one false sentence.
        asked = {claim.id for claim in chosen_claims(patterns)}
        rows_of = [row for part in sheet.parts.values() for row in part if any(one.id in asked for one in row.claims)]
        if not rows_of:
            raise refuse(f"{' '.join(patterns or ())}: no false statement in the words of {paper} is among these")
        typer.echo("\n".join("\n".join(row_as_markdown(row)) for row in rows_of).rstrip())
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, text in (("tex", as_latex(sheet)), ("md", as_markdown(sheet)), ("html", as_page(sheet))):
            write_whole(out / f"{paper}.{name}", text)
    except OSError as error:
        raise refuse(f"cannot write to {out}: {error.strerror}") from None
    rows = {part: len(found) for part, found in sheet.parts.items()}
    typer.echo(f"{out / paper}.tex, .md, .html: {rows['A']} printed statements, {rows['B']} at second hand")
