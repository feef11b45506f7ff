"""The command `claims hunt`: it prints what is hunted, live progress, and what was found."""

from __future__ import annotations

import os
import shlex
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from claims.campaigns.campaign import run_campaign
from claims.campaigns.dask_engine import cluster_engine
from claims.campaigns.engines import CampaignError
from claims.cli.choosing import OwnFiles, Patterns, chosen_claims, own_claims
from claims.cli.ledgers import begun, engine_of, new_folder, refuse_both, refuse_resuming, way_on, write_certificate
from claims.cli.progress import Progress, finding_of
from claims.cli.stopping import Stopped
from claims.cli.terminal import PLAIN, refuse, refuse_missing_folder, terminal, write_json
from claims.cli.wording import LONGEST_REPLAY, print_replay
from claims.hunting.hunt import (
    WORK,
    contradicts,
    enclosure_path,
    hunt_settings,
    is_unseen,
    outside_in_words,
    report,
    says_nothing,
)
from claims.hunting.plan import Hunt, Hunted, hunt_of
from claims.stating.plain_text import one_line
from claims.stating.statement import Standing
from claims.targets.target import TargetError
from claims.verifying.dropping import DropError
from dynamics.arithmetic import rational
from dynamics.choices import SUITE
from dynamics.decimals import certain

HUNTS = Path("hunts")
"""Where hunts are kept when no folder is given."""


def hunt_claims(
    patterns: Patterns = None,
    files: OwnFiles = None,
    dropped: Annotated[
        list[str] | None,
        typer.Option("--drop", metavar="NAME", help="Hunt without this assumption (repeatable); 'each': one at a time."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="CONCLUSION", help="Hunt for this conclusion alone (repeatable).")
    ] = None,
    sharpen: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Replace a constant of the statement (repeatable).")
    ] = None,
    budget: Annotated[
        str | None, typer.Option(help="How long each claim is hunted, for instance 60s or 2m; 60s by default.")
    ] = None,
    starts: Annotated[
        int | None, typer.Option(min=1, help="Instances of each conclusion that are looked at, in place of a time.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="With --starts, reproduces a hunt exactly.")] = 0,
    jobs: Annotated[int | None, typer.Option(min=1, help="Local processes; as many as cores by default.")] = None,
    cluster: Annotated[str | None, typer.Option(metavar="tcp://HOST:PORT", help="A running Dask scheduler.")] = None,
    out: Annotated[Path | None, typer.Option(help="A folder for the ledger and the certificates.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Continue the hunt in this folder.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write everything found to this file.")] = None,
) -> None:
    """Hunt for counterexamples: search in float64, decide exactly or in balls, shrink, and write certificates.

    Every batch is recorded in a ledger: --resume continues a hunt that was stopped or killed, and repeats nothing.

    Exits 0 when the hunt is over, 1 if it refuted a claim held true or open, 2 on bad usage, 3 if work was lost or nothing
    was decided of a conclusion as it stands.
    """
    refuse_missing_folder(json_file)
    refuse_both(jobs, cluster)
    if resume is not None:
        given: dict[str, Any] = {"PATTERN": patterns, "--file": files, "--drop": dropped, "--only": only}
        given |= {"--sharpen": sharpen, "--budget": budget, "--starts": starts, "--out": out, "--seed": seed}
        refuse_resuming("hunt", resume, given)
        folder, settings = resume, None
    else:
        claims = chosen_claims(patterns, own_claims(files))
        processes, command = jobs or os.cpu_count() or 1, shlex.join(["claims", *sys.argv[1:]])
        try:
            if cluster is not None:  # before there is a folder: where no scheduler answers none is left behind
                with cluster_engine(cluster) as engine:
                    processes = engine.workers
            asked = dropped or [], sharpen or [], budget, starts, seed, processes, command, only or []
            settings = hunt_settings(claims, *asked)
        except (ValueError, DropError, TargetError, CampaignError) as error:
            raise refuse(str(error)) from None
        folder = out or new_folder(HUNTS, [*(patterns or ()), *(file.stem for file in files or ())], seed)
    raise typer.Exit(_run(folder, settings, jobs or os.cpu_count() or 1, cluster, json_file))


def _run(folder: Path, settings: dict[str, Any] | None, jobs: int, cluster: str | None, json_file: Path | None) -> int:
    """Run the hunt in a folder to its end and print what was found; returns the exit code."""
    console, stopped = terminal(), None
    with begun("hunt", folder, settings, hunt_of) as (ledger, asked, hunt):
        progress = Progress(hunt, console, jobs)
        text = f" for {progress.left}" if progress.left and cluster is None else ""
        many = f"{len(hunt.hunted)} conclusion{'s' if len(hunt.hunted) > 1 else ''}"
        console.print(f"hunting {many}{text}; the ledger is in {one_line(str(folder))}")
        try:
            with progress, engine_of(cluster, jobs, folder) as engine:
                progress.workers = max(1, engine.workers)
                # Processes import for seconds: the budget is for hunting, and begins after that.
                engine.prepare(WORK)
                progress.start()
                run_campaign(ledger, hunt, WORK, engine, progress.event, progress.is_over)
                hunt.give_up()
        except Stopped as request:
            stopped = request
        # A worker that was given up may answer after all. Where two answers differ, something is not reproducible.
        if twice := ledger.disagreements():
            console.print(Text(f"{len(twice)} tasks done twice gave two results: the first counts", "bold yellow"))
    paths = dict[int, Path]()
    for k, one in enumerate(hunt.hunted):
        if one.certificate is not None:
            paths[k] = write_certificate(folder, one.certificate, one.enclosure)
    _print_found(console, hunt, paths, progress.seconds)
    if json_file is not None:
        write_json(json_file, report(hunt, asked, paths))
    if stopped is not None:
        console.print(f"stopped; continue with: {one_line(way_on('hunt', folder))}", soft_wrap=True)
        return stopped.code
    # A refutation counts also where other work was lost; nothing decided is no success.
    if any(contradicts(one) for one in hunt.hunted):
        return 1
    return 3 if any(one.failures or says_nothing(one) for one in hunt.hunted) else 0


def _print_found(console: Console, hunt: Hunt, paths: dict[int, Path], seconds: float) -> None:
    counted = ("starts", "proposed", "certified", "rejected", "UNDECIDED", "tightest")
    table = Table(
        Column("claim and its conclusions", max_width=72),
        Column("finding", no_wrap=True),
        *(Column(name, no_wrap=True, justify="right") for name in counted),
        **PLAIN,
    )
    heading = ""
    for one in hunt.hunted:
        if one.target.claim != heading:
            heading = one.target.claim
            table.add_row(Text(heading, "bold"), Text(one.target.resolve().claim.standing_word))
        name = str(one.target).removeprefix(f"{heading}.")
        shown = _slack_of(one.certificate) if one.certificate else one.tightest["slack"] if one.tightest else ""
        counts = (one.evaluations, one.proposed, one.certified, one.rejected, one.undecided)
        table.add_row(Text(f"  {name}"), finding_of(one), *map(str, counts), shown)
    console.print(table)
    for index, one in enumerate(hunt.hunted):
        # A violation without a certificate was decided, and is told as no more than that.
        if one.certificate is not None:
            _print_counterexample(console, one, paths[index])
        elif one.violation is not None:
            console.print(Text(f"{one.target}", "bold"))
            console.print(Text(f"  slack {one.violation['slack']}, decided, but neither made small nor certified"))
            _print_replay(console, one, one.violation["instance"])
        for failure, times in Counter(one.failures).items():
            often = f" ({times} times)" if times > 1 else ""
            console.print(Text(f"{one.target}: lost {one_line(failure)}{often}", "bold yellow"))
        if says_nothing(one) and one.undecided:
            told = f"{one.target}: {one.undecided} decisions came to no end: one takes longer than its share of the time"
            console.print(Text(f"{told}; a larger --budget allows more", "bold yellow"))
        # Silence would be taken for a conclusion that survived.
        if is_unseen(one):
            told = f"{one.target}: a hunt proposes in float64, which sees nothing of what this trap shows"
            console.print(Text(f"{told}: `claims verify` decides such limits", "bold yellow"))
        if told := outside_in_words(one):
            console.print(Text(f"{one.target}: {told}", "bold yellow" if says_nothing(one) else ""))
        if contradicts(one):
            held = "open" if one.target.resolve().claim.standing is Standing.OPEN else "held to be true"
            console.print(Text(f"REFUTED: {one.target} is {held}", "bold red"))
    starts, work = sum(one.evaluations for one in hunt.hunted), sum(one.seconds for one in hunt.hunted)
    console.print(f"{starts} starts in {seconds:.1f} s ({work:.1f} s of work)")


def _slack_of(certificate: dict[str, Any]) -> str:
    # The end that is nearer to zero: no digit told claims more than was decided.
    lower, upper = certificate["violation"]["slack"].values()
    nearer = min(map(Fraction, (lower, upper)), key=abs)
    return str(lower) if lower == upper and len(lower) <= 12 else certain(rational(nearer), 6)


def _print_counterexample(console: Console, one: Hunted, path: Path) -> None:
    """The certificate's instance and slack, and the commands that replay and check it."""
    assert one.certificate is not None
    found = one.certificate
    violation = found["violation"]
    when = f" at time {violation['times'][0]}" if len(violation["times"]) == 1 else ""
    console.print(Text(f"{one.target}", "bold"))
    console.print(Text(f"  slack {_slack_of(found)}{when}, {violation['known']}"))
    _print_replay(console, one, found["instance"])
    # A flow of one's own has no enclosure that is checked apart: its certificate is decided by itself.
    if one.no_enclosure is not None and one.target.resolve().claim.system.__module__.startswith(SUITE):
        console.print(Text(f"    no enclosure of the trajectory is written: {one_line(one.no_enclosure, LONGEST_REPLAY)}"))
    option = "--run-source " if one.target.source is not None else ""
    checked = [path] if one.enclosure is None else [path, enclosure_path(path)]
    console.print(Text(f"    {one_line(f'claims check {option}{shlex.join(map(str, checked))}')}"), soft_wrap=True)


def _print_replay(console: Console, one: Hunted, instance: dict[str, Any]) -> None:
    """The command that decides the instance again, where it is short; with other constants only the instance."""
    # `claims verify` decides what is printed: with another constant the same instance may be no violation.
    named = "" if one.target.sharpened else one.target.resolve().claim.named
    print_replay(console, named, instance, "the instance is {} characters long: it is in the files of the hunt")
