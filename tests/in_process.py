"""An engine without workers, on which campaigns are tried out."""

from __future__ import annotations

from typing import Any

from claims.campaigns.engines import Landed, answer
from claims.campaigns.ledger import canonical


class InProcess:
    """Computes in this process, one task at a time, when its result is waited for."""

    workers = 1

    def __init__(self) -> None:
        self._next: list[tuple[str, str, str]] = []

    def prepare(self, work: str) -> None:
        """All is imported."""

    @property
    def room(self) -> int:
        """One task, then none."""
        return 1 - len(self._next)

    def submit(self, key: str, work: str, spec: dict[str, Any]) -> None:
        """Keep the task until :meth:`landed`."""
        self._next.append((key, work, canonical(spec)))

    def landed(self, timeout: float) -> list[Landed]:  # noqa: ARG002
        """Run the task, however long it takes."""
        done = [Landed(key, answer(work, spec)) for key, work, spec in self._next]
        self._next.clear()
        return done

    def abandon(self) -> None:
        """Forget the task."""
        self._next.clear()

    def trouble(self) -> str:
        """Nothing."""
        return ""
