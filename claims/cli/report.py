"""The command `claims report`: what several runs of `claims verify` found, as one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from claims.cli.formats import Format, junit, step_summary
from claims.cli.terminal import Plain, keep_stdout_for_json, refuse, write_json, writing
from claims.cli.verify import MOST_IN_FULL, Shown, Verbose, print_reports, printed
from claims.stating.catalogue import catalogue
from claims.stating.plain_text import one_line
from claims.stating.statement import Claim
from claims.verifying.report import FindingsError, read_output
from claims.verifying.shards import SAME, ShardError, merged, report_of
from claims.verifying.tasks import Report
from dynamics.system import System

MOST_READ = 256 << 20
"""Bytes of a file of verdicts."""


def report_runs(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="What `claims verify --shard i/n --json` wrote.")],
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the whole run to this file.")] = None,
    junit_file: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit's XML to this file.")
    ] = None,
    shown: Shown = Format.TABLE,
    verbose: Verbose = False,
) -> None:
    """Print the parts of a run of `claims verify --shard` as one run, and say what is missing.

    Exits 0 if all is there and the verdicts bear the standings out, 1 if not, 2 on files that are not parts of one run.
    """
    keep_stdout_for_json(json_file)
    try:
        data, missing = merged({str(file): _read(file) for file in files})
        reports = [report_of(one) for one in data["claims"]]
    except ShardError as error:
        raise refuse(str(error)) from None
    # A file of another version, or one typed by hand, fails wherever it differs.
    except (AttributeError, KeyError, StopIteration, TypeError, ValueError) as error:
        told = f"{type(error).__name__}: {error}"
        raise refuse(f"these files are not what this version's `claims verify --json` writes: {one_line(told)}") from None
    if shown is Format.TABLE:
        claims = [_claim_of(one) for one in reports]
        in_full = verbose or len(reports) <= MOST_IN_FULL
        print_reports(reports, claims, sum(one.seconds for one in reports), in_full=in_full)
    else:
        typer.echo(printed(shown, data, reports))
    if shown is Format.GITHUB:
        step_summary(reports)
    if json_file is not None:
        write_json(json_file, data)
    if junit_file is not None:
        with writing(junit_file):
            junit_file.write_text(junit(reports, missing), encoding="utf-8")
    # On standard error: what is printed is of the parts that are there.
    for told in missing:
        Plain(stderr=True).print(f"missing: {one_line(told)}", style="yellow", soft_wrap=True)
    raise typer.Exit(1 if missing or any(one.borne_out is False for one in reports) else 0)


def _read(file: Path) -> dict[str, Any]:
    """What is in a file of verdicts. Raises typer.Exit."""
    try:
        data = read_output(file, "claims verify --json", MOST_READ)
    except FindingsError as error:
        raise refuse(str(error)) from None
    if not isinstance(data, dict) or not {*SAME, "claims"} <= set(data):
        raise refuse(f"{file} is not what this version's `claims verify --json` writes")
    return data


def _claim_of(report: Report) -> Claim:
    """The claim of the suite, or for one in a user's own file what is printed of it."""
    if report.file is None and report.claim in catalogue():
        return catalogue()[report.claim]
    # The machine that merges parts need not have the file, nor run it.
    own = Claim(report.claim, statement="", system=System, standing=report.standing)
    own.file = report.file
    return own
