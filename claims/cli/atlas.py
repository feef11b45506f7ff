"""The command `claims atlas`."""

from __future__ import annotations

import datetime as dt
import os
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from claims.cli.choosing import OwnFiles, Patterns, RunSource, chosen_claims, own_claims, own_of_certificate
from claims.cli.terminal import refuse, telling
from claims.stating.catalogue import claims_by_id
from claims.stating.statement import PAPERS, Claim

if TYPE_CHECKING:
    from claims.atlas.evidence import Certificate  # slow to import

NEEDED = ("jinja2",)

FEW = 2
"""Examples of each conclusion, of which a false claim gets as many more as it takes."""

LONGER = "`claims verify --json FILE` looks longer, and --verdicts FILE shows what it found"


def build_atlas(
    patterns: Patterns = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="The folder to write; index.html is its front page.")
    ] = None,
    papers: Annotated[
        list[str] | None, typer.Option("--paper", metavar="PAPER", help="The claims of this paper alone (repeatable).")
    ] = None,
    ids: Annotated[
        list[str] | None,
        typer.Option(
            "--claim", metavar="ID", help="This claim alone, by its id; with PATTERN or --paper: too (repeatable)."
        ),
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
    revision: Annotated[
        str | None,
        typer.Option(
            "--revision",
            metavar="URL",
            help="What addresses of modules begin with, as https://HOST/REPOSITORY/blob/COMMIT: pages link to lines.",
        ),
    ] = None,
    no_cache: Annotated[
        bool,
        typer.Option(
            "--no-cache",
            help="Ask the checker and draw anew: use nothing that earlier builds kept, nor the package's record of checks.",
        ),
    ] = False,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes.")] = min(os.cpu_count() or 1, 8),
) -> None:
    """Build a static site: a page for each statement with pictures, counterexamples and errata. Open DIR/index.html."""
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise refuse(f"the atlas needs {missing[0]}, which is not installed: pip install 'attention-claims[atlas]'")
    # An option and no argument: words without a name are patterns of claims.
    if out is None:
        raise refuse("where to? give --out DIR, a folder that does not exist yet")
    if checked is not None and unchecked:
        raise refuse("--checked and --unchecked contradict each other")
    if strange := [paper for paper in papers or () if paper not in PAPERS]:
        raise refuse(f"--paper: there is no paper {strange[0]!r}: it is one of {', '.join(PAPERS)}")
    if revision is not None and not revision.startswith(("https://", "http://")):
        raise refuse(f"--revision takes an address that begins with https://, not {revision!r}")
    begun = time.perf_counter()
    with telling("reading the claims") as told:
        from claims.atlas.building import FolderError, check_place, write_folder  # noqa: PLC0415 -- an extra
        from claims.atlas.checked import answers_on, summary  # noqa: PLC0415
        from claims.atlas.citing import repository  # noqa: PLC0415
        from claims.atlas.drawing import drawn_pictures, wanted  # noqa: PLC0415
        from claims.atlas.evidence import gathered, names_for  # noqa: PLC0415
        from claims.atlas.kept import Kept, folder_of_user  # noqa: PLC0415
        from claims.atlas.pages import Atlas, pages  # noqa: PLC0415
        from claims.atlas.pictures import NothingToShowError  # noqa: PLC0415
        from claims.stating.experiments import RecordError  # noqa: PLC0415
        from claims.verifying.report import FindingsError  # noqa: PLC0415

        own, brought = _own(files, certificates, run_source)
        claims = {claim.id: claim for claim in chosen_claims([*(patterns or ()), *(papers or ()), *(ids or ())], own)}
        # Pictures and answers are kept by digests of what they were made from: an edit makes anew what it touches alone.
        kept = Kept(None if no_cache else folder_of_user())
        try:
            check_place(out)  # before minutes of work are spent on a folder that may not be written
            reports, unseen = _reports(claims, verdicts)
            answers = _answers_in(checked) if checked is not None else {}
            if checked is None and not unchecked:
                answers = answers_on(names_for(claims.values()), jobs, kept, told)
            evidence = gathered(claims.values(), reports, answers, brought)
            wishes = [wish for claim in claims.values() for wish in wanted(claim, evidence[claim.id])]
            pictures = drawn_pictures(wishes, claims, jobs, kept, told)
            address = (revision or repository()).rstrip("/")
            site = pages(Atlas(claims, evidence, pictures, claims_by_id(own), summary(answers), address), told)
            size = write_folder(out, site)
        except (FindingsError, FolderError, NothingToShowError, RecordError) as error:
            raise refuse(str(error)) from None
        kept.sweep()  # only after a build that was whole: one that failed may be tried again
    count = sum(len(found) for found in pictures.values())
    html = sum(name.endswith(".html") for name in site)
    typer.echo(
        f"{out / 'index.html'}: {html} pages, {count} pictures, {size / 1e6:.1f} MB in {time.perf_counter() - begun:.0f} s"
        + (f", {kept.found} parts kept from earlier builds" if kept.found else "")
    )
    if kept.damaged:
        typer.echo(f"thrown away and made again: {len(kept.damaged)} damaged files in {kept.folder}")
    if unseen:
        typer.echo(f"looked at briefly: {', '.join(unseen)}; {LONGER}")
    if wrong := [name for name, answer in answers.items() if answer["verdict"] != "CONFIRMED"]:
        typer.echo(f"not CONFIRMED: {', '.join(wrong)}")


def _answers_in(file: Path) -> dict[str, dict[str, str]]:
    """What the file says that the checker found, and when. Raises FindingsError."""
    from claims.atlas.evidence import read_answers  # noqa: PLC0415

    found = read_answers(file)
    day = dt.datetime.fromtimestamp(file.stat().st_mtime, dt.UTC)
    return {name: one | {"when": f"on {day:%Y-%m-%d}, as {file.name} says"} for name, one in found.items()}


def _own(
    files: list[Path] | None, certificates: list[str] | None, run_source: bool
) -> tuple[list[Claim], list[Certificate]]:
    """A user's own claims, from their files and from certificates that carry them, and these certificates."""
    from claims.atlas.evidence import Certificate  # noqa: PLC0415

    own, brought = own_claims(files), list[Certificate]()
    for name in certificates or ():
        found = own_of_certificate(name, run_source)
        if found is None:
            raise refuse(f"{name} is no certificate that carries the text of a claim of one's own")
        brought.append(Certificate(Path(name).name, found[0], file=Path(name).read_text(encoding="utf-8")))
        own += [found[1]] if found[1].id not in [claim.id for claim in own] else []
    return own, brought


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


def _reports(claims: Mapping[str, Claim], verdicts: list[Path] | None) -> tuple[list[dict[str, Any]], list[str]]:
    """What runs found, and the claims of one's own that were looked at briefly because no file says anything of them.

    Of claims of the suite of which the files say nothing it is what the recorded run found.
    """
    from claims.atlas.evidence import read_verdicts  # noqa: PLC0415
    from claims.atlas.recorded import recorded  # noqa: PLC0415

    reports = [report for file in verdicts or () for report in read_verdicts(file)]
    given = {report["id"] for report in reports}
    suites = [name for name, claim in claims.items() if claim.source is None and name not in given]
    reports += [report for name in suites if (report := recorded(name))]
    unseen = [claim for name, claim in claims.items() if claim.source is not None and name not in given]
    return reports + _looked_at(unseen), [claim.id for claim in unseen]
