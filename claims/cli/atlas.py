"""The command `claims atlas`."""

from __future__ import annotations

import datetime as dt
import os
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claims.catalogue import claims_by_id
from claims.cli.choosing import OwnFiles, Patterns, RunSource, chosen, own_claims, own_of_certificate
from claims.cli.terminal import refuse
from claims.statement import Claim

if TYPE_CHECKING:
    from claims.atlas.evidence import Certificate

NEEDED = ("jinja2",)

FEW = 2
"""Examples of each conclusion, of which a false claim gets as many more as it takes."""

LONGER = "`claims verify --json FILE` looks longer, and --verdicts FILE shows what it found"


def _brought(names: Sequence[str], run_source: bool) -> list[tuple[Certificate, Claim]]:
    """The certificates in files, with the claims whose texts they carry. Raises typer.Exit."""
    from claims.atlas.evidence import Certificate  # noqa: PLC0415

    found = []
    for name in names:
        one = own_of_certificate(name, run_source)
        if one is None:
            raise refuse(f"{name} is no certificate that carries the text of a claim of one's own")
        found.append((Certificate(Path(name).name, Path(name).read_text(encoding="utf-8"), one[0]), one[1]))
    return found


def _looked_at(claims: list[Claim]) -> list[dict[str, Any]]:
    """What the shortest look finds about claims of one's own, of which nothing is published: their pages show it."""
    from claims.verifying.deciding import Effort  # noqa: PLC0415 -- of the suite's own claims no page needs it
    from claims.verifying.report import report_json  # noqa: PLC0415
    from claims.verifying.tasks import BRIEFLY, Report, verify  # noqa: PLC0415

    found = [one for one in verify(claims, BRIEFLY, 0, Effort(), 1) if isinstance(one, Report)]
    # What is held false and was not refuted at once is searched as it is elsewhere.
    doubtful = [claim for claim, one in zip(claims, found, strict=True) if one.borne_out is False and not one.is_news]
    longer = {one.claim: one for one in verify(doubtful, FEW, 0, Effort(), 1) if isinstance(one, Report)}
    return [report_json(longer.get(one.claim, one)) for one in found]


def build_atlas(
    patterns: Patterns = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="The folder to write; index.html is its front page.")
    ] = None,
    files: OwnFiles = None,
    verdicts: Annotated[
        list[Path] | None,
        typer.Option(
            "--verdicts",
            metavar="FILE",
            help="What `claims verify --json FILE` wrote: evidence for the pages (repeatable).",
        ),
    ] = None,
    checked: Annotated[
        Path | None,
        typer.Option(
            "--checked",
            metavar="FILE",
            help="What `claims check --published --json FILE` wrote, in place of asking the checker now.",
        ),
    ] = None,
    unchecked: Annotated[
        bool, typer.Option("--unchecked", help="Do not ask the independent checker; the pages say so.")
    ] = False,
    certificates: Annotated[
        list[str] | None,
        typer.Option(
            "--certificate", metavar="FILE", help="The certificate of a claim of your own: its page (repeatable)."
        ),
    ] = None,
    run_source: RunSource = False,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes.")] = min(os.cpu_count() or 1, 8),
) -> None:
    """Build a static site: a page for each statement with pictures, counterexamples and errata. Open DIR/index.html."""
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise refuse(f"the atlas needs {missing[0]}, which is not installed: pip install 'attention-claims[atlas]'")
    if out is None:
        raise refuse("where to? give --out DIR, a folder that does not exist yet")
    if checked is not None and unchecked:
        raise refuse("--checked and --unchecked contradict each other")
    from claims.atlas.building import FolderError, check_place, write_folder  # noqa: PLC0415 -- an extra
    from claims.atlas.drawing import drawn, wanted  # noqa: PLC0415
    from claims.atlas.evidence import (  # noqa: PLC0415
        ask_checker,
        gathered,
        names_for,
        read_answers,
        read_verdicts,
    )
    from claims.atlas.pages import Atlas, pages  # noqa: PLC0415
    from claims.atlas.recorded import recorded  # noqa: PLC0415
    from claims.experiments import RecordError  # noqa: PLC0415
    from claims.verifying.report import FindingsError  # noqa: PLC0415

    begun = time.perf_counter()
    own = own_claims(files)
    brought = _brought(certificates or (), run_source)
    own += {claim.id: claim for _, claim in brought if claim.id not in [one.id for one in own]}.values()
    claims = {claim.id: claim for claim in chosen(patterns, own)}
    try:
        check_place(out)
        reports = [report for file in verdicts or () for report in read_verdicts(file)]
        given = {report["id"] for report in reports}
        suites = [name for name, claim in claims.items() if claim.source is None and name not in given]
        reports += [report for name in suites if (report := recorded(name))]
        unseen = [claim for name, claim in claims.items() if claim.source is not None and name not in given]
        reports += _looked_at(unseen)
        if checked is not None:
            answers = read_answers(checked)
            day = dt.datetime.fromtimestamp(checked.stat().st_mtime, dt.UTC)
            told = f"checked on {day:%Y-%m-%d}, as {checked.name} says"
        else:
            answers = {} if unchecked else ask_checker(names_for(claims.values()), jobs)
            told = f"checked on {dt.datetime.now(dt.UTC):%Y-%m-%d}, in this build" if answers else ""
        evidence = gathered(claims.values(), reports, answers, [one for one, _ in brought])
        wishes = [wish for claim in claims.values() for wish in wanted(claim, evidence[claim.id])]
        pictures = drawn(wishes, claims, jobs)
        site = pages(Atlas(claims, evidence, pictures, claims_by_id(own), told))
        size = write_folder(out, site)
    except (FindingsError, FolderError, RecordError) as error:
        raise refuse(str(error)) from None
    count = sum(len(found) for found in pictures.values())
    html = sum(name.endswith(".html") for name in site)
    typer.echo(
        f"{out / 'index.html'}: {html} pages, {count} pictures, {size / 1e6:.1f} MB in {time.perf_counter() - begun:.0f} s"
    )
    if unseen:
        typer.echo(f"looked at briefly: {', '.join(claim.id for claim in unseen)}; {LONGER}")
    wrong = [name for name, answer in answers.items() if answer["verdict"] != "CONFIRMED"]
    if wrong:
        typer.echo(f"not CONFIRMED: {', '.join(wrong)}")
