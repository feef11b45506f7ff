"""Engines compute the tasks of a campaign; their processes are in :mod:`claims.campaigns.dask_engine`.

A task is a pure function of plain data, found by its import path; its result is plain data, too.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import platform
import socket
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol

from claims.campaigns.deadlines import OutOfTimeError, within
from claims.campaigns.ledger import canonical


class CampaignError(Exception):
    """The campaign cannot go on; what was recorded stays, and it can be resumed. The message says why."""


class LostError(CampaignError):
    """The workers are gone, or must not go on, although they were fit at first: work was lost."""


@dataclass(frozen=True)
class WorkerAnswer:
    """What a worker returns: the result as JSON text, or why there is none. Plain data.

    `failure` is the last line of a traceback; `unfit` says why this worker must not compute for this campaign.
    """

    text: str | None = None
    failure: str | None = None
    unfit: str | None = None
    seconds: float = 0.0
    worker: str = ""


@dataclass(frozen=True)
class Landed:
    """A task that came back to the engine; `killed` is set instead of an answer when it killed its workers."""

    key: str
    answer: WorkerAnswer
    killed: bool = False


class Engine(Protocol):
    """Computes tasks."""

    @property
    def room(self) -> int:
        """How many more tasks it can use now."""
        ...

    def submit(self, key: str, work: str, spec: dict[str, Any]) -> None:
        """Start a task under its name."""
        ...

    def landed(self, timeout: float) -> list[Landed]:
        """The tasks that came back; waits up to `timeout` seconds for the first. Raises CampaignError."""
        ...

    def abandon(self) -> None:
        """Forget all tasks in flight."""
        ...

    def trouble(self) -> str:
        """Why nothing moves, in words; empty while all is well."""
        ...


@lru_cache
def fingerprint() -> str:
    """The code and the libraries that results depend on: where the text is equal, the same spec gives the same result."""
    root = Path(__file__).parents[2]
    digest = hashlib.sha256()
    # All of the code: what a result depends on cannot be told from outside. Sorted, as file systems list in any order.
    for path in sorted(path for package in ("claims", "dynamics") for path in (root / package).rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "python-flint", "scipy"))
    python = ".".join(platform.python_version_tuple()[:2])
    try:
        own = version("attention-claims")
    except PackageNotFoundError:
        own = "not installed"
    return f"attention-claims {own} ({digest.hexdigest()[:12]}), python {python}, {libraries}"


def work_at(path: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The function at "module:name". Raises CampaignError."""
    module, _, name = path.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise CampaignError(f"there is no work {path!r}: {error}") from None


# Seconds: a formula that does not terminate on some start would block its worker for ever. Work that takes longer says so
# by an attribute `longest` of its function.
LONGEST = 600.0


def answer(work: str, spec: str) -> WorkerAnswer:
    """Run one task here: the result of the function at `work` for a spec given as JSON text."""
    began = time.perf_counter()  # a budget is of the user's time: on a busy machine a second of work takes several
    worker = f"{socket.gethostname()}:{os.getpid()}"
    try:
        function = work_at(work)
        with within(getattr(function, "longest", LONGEST)):
            # As text already here: what is no plain data fails where it was made, with the task's own name.
            text = canonical(function(json.loads(spec)))
        return WorkerAnswer(text, seconds=time.perf_counter() - began, worker=worker)
    except (Exception, SystemExit, OutOfTimeError) as error:  # noqa: BLE001 -- whatever a task raises is reported, and the others go on
        line = traceback.format_exception_only(error)[-1].strip()
        return WorkerAnswer(failure=line, seconds=time.perf_counter() - began, worker=worker)
