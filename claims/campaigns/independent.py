"""A plan of tasks that do not depend on each other: all are handed out at once, and each result is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from claims.campaigns.ledger import task_key


@dataclass
class Independent:
    """The tasks by their keys, and what came of them. `fits` says whether a result is one of the task."""

    specs: Iterable[dict[str, Any]]
    fits: Callable[[dict[str, Any], dict[str, Any]], bool]
    tasks: dict[str, dict[str, Any]] = field(init=False)
    results: dict[str, dict[str, Any]] = field(init=False, default_factory=dict)
    lost: dict[str, str] = field(init=False, default_factory=dict)
    work: float = field(init=False, default=0.0)
    handed: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.tasks = {task_key(spec): spec for spec in self.specs}

    def ready(self) -> list[dict[str, Any]]:
        """All tasks, at once."""
        if self.handed:
            return []
        self.handed = True
        return list(self.tasks.values())

    def take(self, spec: dict[str, Any], result: dict[str, Any], seconds: float) -> None:
        """Keep a result. Raises ValueError for that of another task."""
        if not self.fits(spec, result):
            raise ValueError("the result is of another task")
        self.results[task_key(spec)] = result
        self.work += seconds

    def lose(self, spec: dict[str, Any], reason: str) -> None:
        """Keep why there is no result."""
        self.lost[task_key(spec)] = reason

    def done(self) -> bool:
        """Whether every task has a result or has none."""
        return not self.left

    @property
    def left(self) -> int:
        """Tasks that are still to do."""
        return len(self.tasks) - len(self.results) - len(self.lost)

    @property
    def found(self) -> list[dict[str, Any]]:
        """The results so far, in the order of the tasks."""
        return [self.results[key] for key in self.tasks if key in self.results]
