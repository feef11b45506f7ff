"""The plan of a sweep: every task of its designs, each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from claims.campaigns.ledger import LedgerError, task_key
from claims.sweeps.designs import design_of


@dataclass
class Sweep:
    """All tasks of some designs; `seeds` in place of the number that each design asks for. Raises DesignError."""

    names: Sequence[str]
    seeds: int | None = None
    tasks: dict[str, dict[str, Any]] = field(init=False)
    results: dict[str, dict[str, Any]] = field(init=False, default_factory=dict)
    lost: dict[str, str] = field(init=False, default_factory=dict)
    work: float = field(init=False, default=0.0)
    handed: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.tasks = {task_key(spec): spec for name in self.names for spec in design_of(name).specs(self.seeds)}

    def ready(self) -> list[dict[str, Any]]:
        """All tasks, at once."""
        if self.handed:
            return []
        self.handed = True
        return list(self.tasks.values())

    def take(self, spec: dict[str, Any], result: dict[str, Any], seconds: float) -> None:
        """Keep a task's runs."""
        if [run["seed"] for run in result["runs"]] != spec["seeds"]:
            raise ValueError("the runs are of other seeds")
        self.results[task_key(spec)] = result
        self.work += seconds

    def lose(self, spec: dict[str, Any], reason: str) -> None:
        """Keep why there is no result."""
        self.lost[task_key(spec)] = reason

    def done(self) -> bool:
        """Whether every task has a result or has none."""
        return len(self.results) + len(self.lost) == len(self.tasks)

    @property
    def left(self) -> int:
        """Tasks that are still to do."""
        return len(self.tasks) - len(self.results) - len(self.lost)


def plan_of(settings: dict[str, Any]) -> Sweep:
    """The sweep that a ledger was begun with. Raises LedgerError, DesignError."""
    if "designs" not in settings:
        raise LedgerError("the ledger is of another campaign than a sweep")
    return Sweep(settings["designs"], settings["seeds"])
