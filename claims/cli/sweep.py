"""The command `claims sweep`: small transformers trained in many settings and from many seeds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from claims.campaigns.campaign import Event
from claims.campaigns.durations import in_words
from claims.campaigns.engines import fingerprint
from claims.cli.ledgers import refuse_both, refuse_resuming, run_independent, way_on
from claims.cli.terminal import keep_stdout_for_json, refuse, refuse_missing_folder, terminal, write_json
from claims.sweeps.designs import DESIGNS, DesignError, sweep, sweep_of_ledger
from claims.sweeps.training import WORK
from dynamics.transformers.libraries import missing


def sweep_designs(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[DESIGN]...", help="What to train; none lists them.")
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(min=1, help="Seeds of each setting, in place of the design's own number.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(min=1, help="Local processes; as many as cores by default.")] = None,
    cluster: Annotated[str | None, typer.Option(metavar="tcp://HOST:PORT", help="A running Dask scheduler.")] = None,
    out: Annotated[Path | None, typer.Option(help="A folder for the ledger.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Continue the sweep in this folder.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write every run to this file.")] = None,
) -> None:
    """Train small transformers as the polarization paper does, for its claims about attention sinks and flipped labels.

    Every task, a few seeds of one setting, is recorded in a ledger: --resume continues a sweep that was stopped or killed.
    `python -m claims.sweeps.record DIR` puts its runs among those that the claims are judged by.

    Exits 0 when the sweep is over, 2 on bad usage, 3 if work was lost.
    """
    keep_stdout_for_json(json_file)
    console = terminal()
    refuse_missing_folder(json_file)
    if not names and resume is None:
        for design in DESIGNS.values():
            runs = f"{len(design.settings)} settings, {seeds or design.seeds} seeds"
            console.print(Text.assemble((f"{design.name:20}", "bold"), f"{runs:25}", design.about), soft_wrap=True)
        return
    try:
        sweep(names or (), seeds)  # what no design is called is told before anything else, and leaves no folder behind
    except DesignError as error:
        raise refuse(str(error)) from None
    if lacking := missing():
        raise refuse(f"transformers cannot be trained here: {lacking}")
    refuse_both(jobs, cluster)
    if resume is not None:
        refuse_resuming("sweep", resume, {"DESIGN": names, "--seeds": seeds, "--out": out})
    elif out is None:
        raise refuse("where to? give --out DIR, a folder for the ledger")
    settings = None if resume is not None else {"designs": names, "seeds": seeds, "code": fingerprint()}
    folder = resume or out
    assert folder is not None
    raise typer.Exit(_run(folder, settings, jobs or os.cpu_count() or 1, cluster, json_file))


def _run(folder: Path, settings: dict[str, Any] | None, jobs: int, cluster: str | None, json_file: Path | None) -> int:
    """Do what is left of the sweep in a folder; returns the exit code."""

    def told(event: Event) -> str:
        setting = event.spec["setting"]
        return f"{setting['task']}, {setting['attention']}"

    try:
        ended = run_independent("sweep", folder, settings, sweep_of_ledger, WORK, (cluster, jobs), told)
    except DesignError as error:
        raise refuse(str(error)) from None
    plan = ended.plan
    runs = sum(len(result["runs"]) for result in plan.found)
    terminal().print(f"{runs} runs in {len(plan.results)} of {len(plan.tasks)} tasks, {in_words(plan.work)} of work")
    if json_file is not None:
        write_json(json_file, {"tasks": [plan.tasks[key] | plan.results[key] for key in plan.tasks if key in plan.results]})
    return ended.code(way_on("sweep", folder))
