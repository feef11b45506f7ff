"""The command `claims verify`: claims decided on many instances, and their standings."""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from claims.certificates.provenance import versions_in_use
from claims.cli.drop import print_drops, run_without
from claims.cli.instance import verify_instance
from claims.cli.terminal import (
    BORNE_OUT,
    NARROWEST,
    OwnFiles,
    brief,
    chosen,
    compact,
    how_decided,
    own_claims,
    print_violation,
    progress_bar,
    refuse,
    terminal,
    verdict_text,
    write_json,
)
from claims.statement import Claim, Standing
from claims.verdict import Known
from claims.verifying.deciding import Effort
from claims.verifying.dropping import DropError, targets_without
from claims.verifying.report import drop_json, report_json
from claims.verifying.tallies import EXPERIMENT_STEPS, PROFILES
from claims.verifying.tasks import Report, verify


def verify_claims(
    patterns: Annotated[list[str] | None, typer.Argument(help="Ids, globs, papers or references; all by default.")] = None,
    examples: Annotated[int | None, typer.Option(min=1, help="Instances of each state or step conclusion.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Reproduces a run exactly.")] = 0,
    profile: Annotated[str, typer.Option(help=f"How many instances: {', '.join(PROFILES)}.")] = "ci",
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes; as many as cores by default.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write everything found to this file.")] = None,
    instance: Annotated[str | None, typer.Option(help="Decide one instance: a JSON or .npz file, or JSON text.")] = None,
    conclusion: Annotated[str | None, typer.Option(metavar="NAME", help="With --instance: only this conclusion.")] = None,
    enclosure: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="With --instance: write the enclosure on which one conclusion along a flow was decided."
        ),
    ] = None,
    dropped: Annotated[
        list[str] | None,
        typer.Option(
            "--drop",
            metavar="NAME",
            help="Decide without this assumption; several are dropped together. 'each': every one, one at a time.",
        ),
    ] = None,
    precision: Annotated[int, typer.Option(help="Cap on the precision, in bits.")] = Effort().bits,
    files: OwnFiles = None,
) -> None:
    """Decide claims on many instances, or on one of your own, and compare the verdicts with the standings.

    With --drop, decide them on instances that break this assumption and no other, and say whether it is needed.

    Exits 0 if the verdicts bear the standings out, 1 if not, or if an open claim is violated, 2 on bad usage.
    Runs with --drop change no standing.
    """
    claims = chosen(patterns, own_claims(files))
    if profile not in PROFILES:
        raise refuse(f"unknown profile {profile!r}: there are {', '.join(PROFILES)}")
    try:
        effort = Effort(bits=precision, steps=EXPERIMENT_STEPS[profile])
    except ValueError as error:
        raise refuse(str(error)) from None
    for file in (json_file, enclosure):
        if file is not None and not file.parent.is_dir():
            raise refuse(f"{file} cannot be written: its folder does not exist")
    if dropped and instance is not None:
        raise refuse("--drop builds its own instances: with --instance, what the instance breaks is named in the verdict")
    if instance is not None:
        raise typer.Exit(verify_instance(claims, instance, effort, json_file, conclusion, enclosure))
    if conclusion is not None or enclosure is not None:
        raise refuse("--conclusion and --enclosure are of one instance: name it with --instance")
    began = time.perf_counter()
    examples, jobs = examples or PROFILES[profile], jobs or os.cpu_count() or 1
    if dropped:
        try:
            drops = run_without(targets_without(claims, dropped), examples, seed, effort, jobs)
        except DropError as error:
            raise refuse(str(error)) from None
        print_drops(drops, claims, time.perf_counter() - began)
        if json_file is not None:
            found = [drop_json(found) for found in drops]
            write_json(json_file, {"seed": seed, "versions": versions_in_use(), "drops": found})
        return
    reports = _run(claims, examples, seed, effort, jobs)
    _print_reports(reports, claims, time.perf_counter() - began)
    if json_file is not None:
        write_json(
            json_file, {"seed": seed, "versions": versions_in_use(), "claims": [report_json(report) for report in reports]}
        )
    raise typer.Exit(1 if any(report.borne_out is False for report in reports) else 0)


def _run(claims: list[Claim], examples: int, seed: int, effort: Effort, jobs: int) -> list[Report]:
    reports: dict[str, Report] = {}
    with progress_bar() as progress:
        task = progress.add_task("verifying", total=sum(len(claim.conclusions) for claim in claims))
        for event in verify(claims, examples, seed, effort, jobs):
            if isinstance(event, Report):
                reports[event.claim] = event
            else:
                progress.update(task, advance=1, description=event)
    return [reports[claim.id] for claim in claims]


def _print_reports(reports: list[Report], claims: list[Claim], seconds: float) -> None:
    console = terminal()
    wide = console.width >= NARROWEST - 30
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("claim and its conclusions", no_wrap=True, width=58 if wide else 36)
    table.add_column("verdict", no_wrap=True, min_width=27)
    table.add_column("form", no_wrap=True, min_width=11)
    table.add_column("tried", justify="right", min_width=5)
    table.add_column("how decided", no_wrap=True, min_width=22 if wide else 12)
    table.add_column("tightest", justify="right", no_wrap=True, min_width=10)
    if wide:
        table.add_column("attained at", no_wrap=True)
    for report in reports:
        word, style = ("NEWS: VIOLATED", "bold red") if report.is_news else BORNE_OUT[report.borne_out]
        table.add_row(Text(report.claim, "bold"), Text.assemble(f"{report.standing_word}: ", (word, style)))
        for tally in report.tallies:
            shown = tally.tightest or tally.violation or {"slack": None, "instance": {}}
            cells = (f"  {tally.name}", verdict_text(tally), tally.form, str(tally.instances), how_decided(tally))
            attained = (compact(shown["instance"], console.width - 139),) if wide else ()
            table.add_row(*cells, brief(shown["slack"]), *attained)
    console.print(table)
    if not wide:
        console.print("(the instances that attain the slacks need a wider terminal, or --json FILE)")
    _print_standings(console, reports, claims)
    known = sum((tally.decided_by for report in reports for tally in report.tallies), Counter[str]())
    tallies = [tally for report in reports for tally in report.tallies]
    undecided, vacuous, screened = (sum(getattr(t, name) for t in tallies) for name in ("undecided", "vacuous", "screened"))
    decided = ", ".join(f"{known[how.value]} {how}" for how in Known)
    console.print(f"decided: {decided}; UNDECIDED: {undecided}; vacuous: {vacuous}; float64 starts: {screened}")
    kinds = sum((tally.kinds for tally in tallies), Counter[str]())
    console.print(f"kinds of start: {', '.join(f'{kind} {count}' for kind, count in kinds.most_common())}")
    digits = [tally.agreement for tally in tallies if tally.agreement is not None]
    if digits:
        console.print(
            f"mpmath agrees with the balls to {min(digits):.0f} digits or more on {len(digits)} tightest instances"
        )
    borne, waiting = (sum(report.borne_out is verdict for report in reports) for verdict in (True, None))
    later = f", {waiting} not yet checked," if waiting else ""
    console.print(f"{borne} of {len(reports) - waiting} standings borne out{later} in {seconds:.1f} s")


def _print_standings(console: Console, reports: list[Report], claims: list[Claim]) -> None:
    by_id = {claim.id: claim for claim in claims}
    for report in reports:
        violations = [(tally, tally.violation) for tally in report.tallies if tally.violation]
        if report.is_news:
            console.print(Text(f"NEWS: {report.claim} is open, and VIOLATED: it is false", "bold red"))
        elif report.borne_out is False:
            console.print(Text(f"NOT BORNE OUT: {report.claim} is held to be {report.standing_word}", "bold red"))
        elif report.standing is Standing.FALSE:
            fix = by_id[report.claim].corrected_by
            console.print(Text(f"{report.standing_word}: {report.claim}" + (f" (corrected: {fix})" if fix else ""), "red"))
        for tally, found in violations:
            print_violation(console, by_id[report.claim], tally.name, found)
