"""The command `claims verify`: claims decided on many instances, and their standings."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from math import floor
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from claims.certificates.provenance import versions_in_use
from claims.cli.choosing import OwnFiles, Patterns, chosen_claims, offering, own_claims
from claims.cli.drop import print_drops, run_without
from claims.cli.formats import Format, github, junit, markdown_report, print_papers, print_table, step_summary
from claims.cli.instance import verify_instance
from claims.cli.stopping import Stopped
from claims.cli.terminal import (
    keep_stdout_for_json,
    left,
    progress_bar,
    refuse,
    refuse_missing_folder,
    terminal,
    ticking,
    write_json,
)
from claims.cli.wording import WORDS, print_objection, print_violation, published_violation
from claims.stating.experiments import Word
from claims.stating.plain_text import one_line
from claims.stating.statement import Claim, Form, Origin, Standing
from claims.stating.verdict import Known
from claims.verifying import anew
from claims.verifying.deciding import Effort
from claims.verifying.dropping import DropError, DropFinding, targets_without
from claims.verifying.report import drop_json, report_json
from claims.verifying.shards import ShardError, part_of, shard_of
from claims.verifying.tallies import ENOUGH, EXPERIMENT_STEPS, PROFILES
from claims.verifying.tasks import BRIEFLY, Report, verify

PRINTED = {Format.GITHUB: github, Format.JUNIT: junit, Format.MARKDOWN: markdown_report}


def printed(shown: Format, data: dict[str, Any], reports: list[Report]) -> str:
    """What was found, as text in a format that is no table."""
    return json.dumps(data, indent=2) if shown is Format.JSON else PRINTED[shown](reports)


MOST_IN_FULL = 12
"""Claims whose conclusions are printed one by one without being asked for: more fill no screen."""

Shown = Annotated[Format, typer.Option("--format", help="How results are printed.")]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help=f"Print every conclusion, of more than {MOST_IN_FULL} claims, too.")
]

FEW = 16
"""Conclusions that are looked at briefly in this process alone."""


def verify_claims(
    patterns: Patterns = None,
    examples: Annotated[int | None, typer.Option(min=1, help="Instances of each state or step conclusion.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Reproduces a run exactly.")] = 0,
    profile: Annotated[
        str, typer.Option(help=f"How many instances: {', '.join(PROFILES)}.", autocompletion=offering(lambda: PROFILES))
    ] = "ci",
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
    shard: Annotated[
        str | None, typer.Option(metavar="i/n", help="Only the i-th of n parts, with --json FILE for `claims report`.")
    ] = None,
    costs: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With --shard: parts of equal cost, by the JSON of an earlier run.")
    ] = None,
    shown: Shown = Format.TABLE,
    verbose: Verbose = False,
) -> None:
    """Decide claims on many instances, or on one of your own, and compare the verdicts with the standings.

    With --drop, decide them on instances that break this assumption and no other, and say whether it is needed.

    Exits 0 if the verdicts bear the standings out, 1 if not, or if an open claim is violated or a formula fails, 2 on bad
    usage. Runs with --drop change no standing.
    """
    # What a formula keeps between two calls is seen by a process that has made none of them.
    if files and instance is None and not dropped:
        anew.start()  # before they are read: it takes a second
    claims = chosen_claims(patterns, own_claims(files))
    keep_stdout_for_json(json_file)
    if shown is not Format.TABLE and (dropped or instance is not None):
        raise refuse("--format is of a run over drawn instances: with --instance or --drop there is --json FILE")
    # All that were asked for, in every part: by it `claims report` sees what is in none of the parts.
    asked = [claim.id for claim in claims]
    # After the choice: a part is of what all parts were asked, in one order.
    claims = _part(claims, shard, costs, bool(dropped) or instance is not None)
    if profile not in PROFILES:
        raise refuse(f"unknown profile {profile!r}: there are {', '.join(PROFILES)}")
    try:
        effort = Effort(bits=precision, steps=EXPERIMENT_STEPS[profile])
    except ValueError as error:
        raise refuse(str(error)) from None
    refuse_missing_folder(json_file, enclosure)
    if dropped and instance is not None:
        raise refuse("--drop builds its own instances: with --instance, what the instance breaks is named in the verdict")
    if instance is not None:
        raise typer.Exit(verify_instance(claims, instance, effort, json_file, conclusion, enclosure))
    if conclusion is not None or enclosure is not None:
        raise refuse("--conclusion and --enclosure are of one instance: name it with --instance")
    began = time.perf_counter()
    # Whoever names a number of examples wants so many, also of the shortest look.
    briefly = profile == "smoke" and examples is None and not dropped
    # A process takes a second to begin: as long as it takes to look at some conclusions.
    few = briefly and sum(len(claim.conclusions) for claim in claims) <= FEW
    examples, jobs = BRIEFLY if briefly else examples or PROFILES[profile], jobs or (1 if few else os.cpu_count() or 1)
    if dropped:
        raise typer.Exit(_verify_without(dropped, claims, examples, seed, effort, jobs, json_file))
    reports, stopped = _run(claims, examples, seed, effort, jobs)
    data: dict[str, Any] = {"seed": seed, "versions": versions_in_use(), "examples": examples, "precision": precision}
    data |= {"asked": asked, "shard": shard, "claims": [report_json(report) for report in reports]}
    data |= {"stopped": str(stopped)} if stopped else {}
    if shown is Format.TABLE:
        in_full = verbose or len(claims) <= MOST_IN_FULL
        print_reports(reports, claims, time.perf_counter() - began, in_full=in_full)
        if briefly:
            text = "a small instance of each conclusion, or its published counterexample, and falsehoods planted in a tenth"
            terminal().print(f"smoke: {text} (others at another --seed); no search. --profile ci searches")
    else:
        typer.echo(printed(shown, data, reports))
    if shown is Format.GITHUB:  # annotations are a few lines; the table stands on the page of the run
        step_summary(reports)
    if json_file is not None:
        write_json(json_file, data)
    if stopped is not None:
        whole = sum(not report.unfinished for report in reports)
        raise left(stopped, f"{whole} of {len(claims)} claims were decided")
    raise typer.Exit(1 if any(report.borne_out is False for report in reports) else 0)


def _part(claims: list[Claim], shard: str | None, costs: Path | None, of_one: bool) -> list[Claim]:
    # Parts of what a user asks about one instance would be of nothing: a part is of a run that takes long.
    if shard is not None and of_one:
        raise refuse("--shard is of a run over drawn instances, without --instance or --drop")
    if shard is None and costs is not None:
        raise refuse("--costs is of parts of a run: name one with --shard i/n")
    if shard is None:
        return claims
    try:
        earlier = [] if costs is None else json.loads(costs.read_text(encoding="utf-8"))["claims"]
        seconds = {str(one["id"]): float(one["seconds"]) for one in earlier}
    except (OSError, ValueError, KeyError, TypeError):
        raise refuse(f"{costs} is not what `claims verify --json` writes") from None
    try:
        return part_of(claims, *shard_of(shard), seconds)
    except ShardError as error:
        raise refuse(str(error)) from None


def _verify_without(
    dropped: list[str], claims: list[Claim], examples: int, seed: int, effort: Effort, jobs: int, json_file: Path | None
) -> int:
    """Print what is found without the dropped assumptions; the exit code. Raises typer.Exit where nothing assumes them."""
    began = time.perf_counter()
    try:
        targets = targets_without(claims, dropped)
    except DropError as error:
        raise refuse(str(error)) from None
    drops, stopped = run_without(targets, examples, seed, effort, jobs)
    print_drops(drops, claims, time.perf_counter() - began)
    if json_file is not None:
        found = [drop_json(found) for found in drops]
        data = {"seed": seed, "versions": versions_in_use(), "drops": found}
        write_json(json_file, data | ({"stopped": str(stopped)} if stopped else {}))
    if stopped is not None:
        raise left(stopped, f"{len(drops)} of {len(targets)} searches were finished")
    return 1 if any(found.finding is DropFinding.FAILED for found in drops) else 0


def _run(claims: list[Claim], examples: int, seed: int, effort: Effort, jobs: int) -> tuple[list[Report], Stopped | None]:
    """What was found, claim by claim, and the request that stopped the run, if one did."""
    reports: dict[str, Report] = {}
    total, decided, stopped = sum(len(claim.conclusions) for claim in claims), 0, None
    with progress_bar() as progress, ticking(lambda: f"verifying: {decided} of {total} conclusions decided"):
        task = progress.add_task("verifying", total=total)
        events = verify(claims, examples, seed, effort, jobs)
        try:
            for event in events:
                if isinstance(event, Report):
                    reports[event.claim] = event
                else:
                    decided += 1
                    progress.update(task, advance=1, description=event)
        except Stopped as request:
            stopped = request
        finally:
            events.close()  # its workers end here, and not when it is collected
    return [reports[claim.id] for claim in claims if claim.id in reports], stopped


def print_reports(reports: list[Report], claims: list[Claim], seconds: float, *, in_full: bool) -> None:
    """Print what was found, each conclusion where it is asked for `in_full`, and whether the standings are borne out."""
    console = terminal()
    if in_full:
        print_table(console, reports)
    else:
        print_papers(console, reports, claims)
        _print_false(console, reports, claims)
    # Nobody looks for what is wrong where all is said to be as expected: that is told whatever was asked for.
    loud = [one for one in reports if one.borne_out is False or any(tally.objection for tally in one.tallies)]
    _print_standings(console, reports if in_full else loud, claims)
    tallies = [tally for report in reports for tally in report.tallies]
    known = sum((tally.decided_by for tally in tallies), Counter[str]())
    undecided, vacuous, screened = (sum(getattr(t, name) for t in tallies) for name in ("undecided", "vacuous", "screened"))
    # A comparison of trained models is no instance that more bits would decide.
    measured = sum(tally.undecided for tally in tallies if tally.form == Form.EXPERIMENT)
    decided = ", ".join(f"{known[how.value]} {how}" for how in Known)
    console.print(f"decided: {decided}; UNDECIDED: {undecided - measured}; vacuous: {vacuous}; float64 starts: {screened}")
    if in_full:
        _print_undecided(console, reports)
    if measured:
        console.print(f"experiments that do not bear out what is printed, or were not run: {measured}")
    if any(tally.violated == ENOUGH for tally in tallies):
        console.print(f"a statement held false is left after {ENOUGH} violations")
    if in_full:
        kinds = sum((tally.kinds for tally in tallies), Counter[str]())
        console.print(f"kinds of start: {', '.join(f'{kind} {count}' for kind, count in kinds.most_common())}")
    _print_agreement(console, reports)
    borne, waiting = (sum(report.borne_out is verdict for report in reports) for verdict in (True, None))
    empirical = sum(report.standing is Standing.EMPIRICAL and report.borne_out is None for report in reports)
    later = f", {empirical} empirical" if empirical else ""
    later += f", {waiting - empirical} not yet checked," if waiting > empirical else ""
    console.print(f"{borne} of {len(reports) - waiting} standings borne out{later} in {seconds:.1f} s")
    if not in_full:
        console.print("-v prints every conclusion; `claims verify ID` those of one claim, `claims show ID` what it says")


def _print_undecided(console: Console, reports: list[Report]) -> None:
    for report in reports:
        for tally in report.tallies:
            if tally.undecided and tally.form != Form.EXPERIMENT and tally.reasons:
                ((reason, count),) = tally.reasons.most_common(1)
                told = one_line(f"UNDECIDED: {report.claim}.{tally.name}: {reason} ({count} of {tally.undecided})")
                console.print(Text(told, "yellow"), soft_wrap=True)


def _print_agreement(console: Console, reports: list[Report]) -> None:
    """To how many digits mpmath and the balls agree, and where to the fewest: there the slack is small beside its terms."""
    digits = {
        f"{report.claim}.{tally.name}": tally.agreement
        for report in reports
        for tally in report.tallies
        if tally.agreement is not None and tally.objection is None
    }
    if digits:
        # The fewest and not the most or a mean: one slack that is all cancellation is where an error would hide.
        fewest = min(digits, key=lambda name: digits[name])
        text = f"mpmath agrees with the balls to {floor(digits[fewest])} digits or more on {len(digits)} tightest instances"
        console.print(Text(f"{text}, in none outside of a ball; to the fewest on {fewest}"), soft_wrap=True)


def _print_false(console: Console, reports: list[Report], claims: list[Claim]) -> None:
    # One by one those in the paper's own words, which a reader has before him; of the others how many there are.
    by_id = {claim.id: claim for claim in claims}
    refuted = [by_id[one.claim] for one in reports if one.standing is Standing.FALSE and one.borne_out]
    printed = [claim for claim in refuted if claim.origin is Origin.PRINTED]
    for claim in printed:
        console.print(Text(f"{claim.standing_word}: {claim.id}", "red"), Text(f"(corrected: {claim.corrected_by})"))
    others = Counter(str(claim.origin) for claim in refuted if claim.origin is not Origin.PRINTED)
    if others:
        text = ", ".join(f"{count} {origin}" for origin, count in others.items())
        console.print(f"{'further ' if printed else ''}false statements, refuted again: {text} (`claims list` shows them)")


def _print_standings(console: Console, reports: list[Report], claims: list[Claim]) -> None:
    by_id = {claim.id: claim for claim in claims}
    for report in reports:
        violations = [(tally, tally.violation) for tally in report.tallies if tally.violation]
        if report.is_news:
            console.print(Text(f"NEWS: {report.claim} is open, and VIOLATED: it is false", "bold red"))
        elif report.borne_out is False:
            told = f"NOT BORNE OUT: {report.claim} is held to be {report.standing_word}"
            console.print(Text(f"{told}; {one_line(report.why)}", "bold red"), soft_wrap=True)
        elif report.standing is Standing.FALSE:
            fix = by_id[report.claim].corrected_by
            console.print(Text(f"{report.standing_word}: {report.claim}" + (f" (corrected: {fix})" if fix else ""), "red"))
        for tally in report.tallies:
            if tally.objection is not None:
                print_objection(console, by_id[report.claim], tally.name, tally.objection)
            for reading in tally.readings:
                if reading["word"] != Word.NOT_RECORDED:
                    told = one_line(f"{tally.name}: {reading['name']}: {reading['text']}")
                    console.print(Text(told, WORDS[Word(reading["word"])]), soft_wrap=True)
        published = published_violation(by_id[report.claim]) if report.standing is Standing.FALSE else None
        for tally, found in violations:
            # One counterexample of a statement everywhere: what this run found is in its JSON.
            shown = published[1] if published and published[0] == tally.name else found
            print_violation(console, by_id[report.claim], tally.name, shown)
