"""What `claims hunt` and `claims sweep` share: a campaign on a ledger is begun in a folder, or resumed as it was begun."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from rich.text import Text

from claims.campaigns.dask_engine import DaskEngine, cluster_engine, local_engine
from claims.campaigns.engines import fingerprint
from claims.campaigns.ledger import Ledger
from claims.cli.terminal import refuse, terminal
from claims.plain_text import one_line

Plan = TypeVar("Plan")


def refuse_both(jobs: int | None, cluster: str | None) -> None:
    """Raises typer.Exit where processes are asked for here and elsewhere."""
    if cluster is not None and jobs:
        raise refuse("--jobs are local processes: with --cluster the scheduler's workers do the work")


def refuse_resuming(campaign: str, folder: Path, given: Mapping[str, Any]) -> None:
    """Raises typer.Exit where the folder holds no campaign, or options are given again that it was begun with."""
    if extra := [name for name, value in given.items() if value]:
        raise refuse(f"--resume continues a {campaign} as it was begun: {', '.join(extra)} cannot be given again")
    if not (folder / "ledger.sqlite").is_file():
        raise refuse(f"{folder} holds no {campaign}: there is no ledger.sqlite in it")


def way_on(campaign: str, folder: Path) -> str:
    """The command that continues a campaign."""
    return f"claims {campaign} --resume {shlex.quote(str(folder))}"


@contextmanager
def begun(
    folder: Path,
    settings: dict[str, Any] | None,
    plan_of: Callable[[dict[str, Any]], Plan],
    cosmetic: Collection[str] = (),
) -> Iterator[tuple[Ledger, dict[str, Any], Plan]]:
    """The ledger in a folder, its settings and the plan of these; without settings the campaign there is resumed.

    Raises LedgerError, and what `plan_of` raises, before anything of another campaign's ledger is forgotten.
    """
    console = terminal()
    with Ledger(folder) as ledger:
        if settings is not None:
            ledger.begin(settings, cosmetic)
        found = ledger.settings or {}
        plan = plan_of(found)
        if settings is None and (again := ledger.forget_failures()):
            console.print(f"{again} tasks that failed are tried again")
        if found.get("code") != fingerprint():
            told = f"begun with {one_line(str(found.get('code')))}, continued with {fingerprint()}"
            console.print(Text(told, "yellow"))
        yield ledger, found, plan


def engine_of(cluster: str | None, jobs: int, folder: Path) -> AbstractContextManager[DaskEngine]:
    """The workers of a scheduler, or so many local processes. Raises CampaignError."""
    log = folder / "dask.log"
    return cluster_engine(cluster, log) if cluster is not None else local_engine(jobs, log)
