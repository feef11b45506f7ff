"""What commands with a ledger share: a campaign is begun in a folder, or resumed as it was begun."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any, TypeVar

import typer
from rich.text import Text

from claims.campaigns.campaign import Event, run_campaign
from claims.campaigns.dask_engine import DaskEngine, cluster_engine, local_engine
from claims.campaigns.durations import in_words
from claims.campaigns.engines import CampaignError, LostError, fingerprint
from claims.campaigns.independent import Independent
from claims.campaigns.ledger import Ledger, LedgerError
from claims.certificates import writing as certificates
from claims.certificates.provenance import write_whole
from claims.cli.stopping import Stopped
from claims.cli.terminal import refuse, terminal, writing
from claims.hunting.hunt import enclosure_path
from claims.stating.plain_text import one_line
from claims.targets.target import TargetError
from claims.targets.user_claims import OwnFileError
from dynamics.checker.trajectory_format import as_text

Plan = TypeVar("Plan")


def refuse_both(jobs: int | None, cluster: str | None) -> None:
    """Raises typer.Exit where processes are asked for here and elsewhere."""
    if cluster is not None and jobs:
        raise refuse("--jobs are local processes: with --cluster the scheduler's workers do the work")


def refuse_resuming(campaign: str, folder: Path, given: Mapping[str, Any]) -> None:
    """Raises typer.Exit where the folder holds no campaign, or options are given again that it was begun with."""
    # A campaign is reproduced by its settings: changed midway, its ledger would be of none.
    if extra := [name for name, value in given.items() if value]:
        raise refuse(f"--resume continues a {campaign} as it was begun: {', '.join(extra)} cannot be given again")
    if not (folder / "ledger.sqlite").is_file():
        raise refuse(f"{folder} holds no {campaign}: there is no ledger.sqlite in it")


def new_folder(above: Path, words: Sequence[str], seed: int) -> Path:
    """A folder that is not there yet, named by what is asked and the seed."""
    # Patterns have stars and spaces; and no file system takes names of any length.
    name = re.sub(r"[^\w.-]+", "_", "-".join(words) or "all")[:60]
    plain = above / f"{name}-seed{seed}"
    others = (above / f"{plain.name}-{k}" for k in count(2))
    return next(path for path in chain([plain], others) if not path.exists())


def write_certificate(folder: Path, found: dict[str, Any], enclosure: dict[str, Any] | None = None) -> Path:
    """The file of a certificate in a campaign's folder, with the enclosure of its trajectory, if any, beside it.

    Raises typer.Exit for a folder that cannot be written.
    """
    path = folder / "certificates" / certificates.file_name(found)
    with writing(path):
        path.parent.mkdir(exist_ok=True)
        certificates.save_certificate(found, path)
        if enclosure is not None:
            write_whole(enclosure_path(path), as_text(enclosure))
    return path


def way_on(campaign: str, folder: Path) -> str:
    """The command that continues a campaign."""
    return f"claims {campaign} --resume {shlex.quote(str(folder))}"


@contextmanager
def begun(
    campaign: str, folder: Path, settings: dict[str, Any] | None, plan_of: Callable[[dict[str, Any]], Plan]
) -> Iterator[tuple[Ledger, dict[str, Any], Plan]]:
    """The ledger in a folder, its settings and the plan of these; without settings the campaign there is resumed.

    Raises typer.Exit where it cannot begin or go on, the block included: with 3 for work that was lost, else with 2.
    """
    kept = f" (what was recorded is kept: {way_on(campaign, folder)})"
    # Who resumes knows that it is kept, until more has been recorded.
    also = kept if settings else ""
    try:
        with Ledger(folder) as ledger:
            if settings is not None:
                # How the command was spelled changes no result: the same campaign may be begun again in other words.
                ledger.begin(settings, ("command",))
            found = ledger.settings or {}
            # Before anything of another campaign's ledger is forgotten: its settings make no plan of this one.
            plan = plan_of(found)
            also = kept
            # A failure may have been the machine's: who resumes wants it tried once more.
            if settings is None and (again := ledger.forget_failures()):
                terminal().print(f"{again} tasks that failed are tried again")
            # Results of two versions stand in one ledger then, and may differ: it goes on all the same, as told.
            if found.get("code") != fingerprint():
                text = f"begun with {one_line(str(found.get('code')))}, continued with {fingerprint()}"
                terminal().print(Text(text, "yellow"))
            yield ledger, found, plan
    except LostError as error:  # no fault of who asked: another code than that of bad usage
        refuse(f"{error}{also}")
        raise typer.Exit(3) from None
    except (LedgerError, CampaignError, TargetError, OwnFileError) as error:
        raise refuse(f"{error}{also}") from None


def engine_of(cluster: str | None, jobs: int, folder: Path) -> AbstractContextManager[DaskEngine]:
    """The workers of a scheduler, or so many local processes. Raises CampaignError."""
    log = folder / "dask.log"
    return cluster_engine(cluster, log) if cluster is not None else local_engine(jobs, log)


QUIET = 15.0
"""Seconds between two lines that say how far independent tasks are."""


@dataclass
class Ended:
    """How a campaign of independent tasks ended; `stopped` is the request that ended it early."""

    plan: Independent
    stopped: Stopped | None

    def code(self, kept: str) -> int:
        """The exit code: 3 where tasks were lost; says what was lost, and how to go on with what was stopped."""
        # Once each: a machine that fails loses many tasks for one reason.
        for reason in sorted(set(self.plan.lost.values())):
            terminal().print(Text(f"lost: {one_line(reason)}", "bold yellow"))
        if self.stopped is not None:
            terminal().print(f"stopped; continue with: {kept}", soft_wrap=True)
            return self.stopped.code
        return 3 if self.plan.lost else 0


def run_independent(
    campaign: str,
    folder: Path,
    settings: dict[str, Any] | None,
    plan_of: Callable[[dict[str, Any]], Independent],
    work: str,
    engine: tuple[str | None, int],
    told: Callable[[Event], str],
) -> Ended:
    """Do what is left of a campaign of independent tasks in a folder; `engine` is the cluster, if any, and local processes.

    Now and then, and at once for the first, a line says how far it is: `told` names the task that came in. Raises
    typer.Exit where it cannot begin or go on; what was recorded is kept.
    """
    console, stopped = terminal(), None
    with begun(campaign, folder, settings, plan_of) as (ledger, _, plan):
        began = last = time.monotonic()
        console.print(f"{len(plan.tasks)} tasks; the ledger is in {one_line(str(folder))}", soft_wrap=True)

        def show(event: Event) -> None:
            nonlocal last
            now = time.monotonic()
            if event.kind in ("waiting", "failed"):
                console.print(Text(one_line(event.text), "yellow"))
            # The first at once: it shows that workers answer, and what one task takes.
            elif event.kind == "recorded" and (now - last >= QUIET or len(plan.results) == 1):
                last = now
                far = f"{len(plan.tasks) - plan.left} of {len(plan.tasks)} tasks in {in_words(now - began)}"
                console.print(Text(f"{far}; the last: {one_line(told(event))}"), soft_wrap=True)

        # Caught within the ledger: what was recorded until then is what the caller tells.
        try:
            with engine_of(*engine, folder) as running:
                run_campaign(ledger, plan, work, running, show)
        except Stopped as request:
            stopped = request
        return Ended(plan, stopped)
