"""An engine without workers, on which campaigns are tried out."""

from __future__ import annotations

import random
from contextlib import nullcontext
from typing import Any

import pytest

from claims.campaigns.engines import Landed, answer
from claims.campaigns.ledger import canonical
from claims.cli import hunt


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


class Shuffled(InProcess):
    """Takes several tasks at once and gives them back in any order; after so many of them Ctrl-C is pressed."""

    def __init__(self, seed: int, slots: int = 4, limit: int | None = None) -> None:
        super().__init__()
        self.random, self.slots, self.left, self.abandoned = random.Random(seed), slots, limit, False

    @property
    def room(self) -> int:
        """As many as there are slots."""
        return self.slots - len(self._next)

    def landed(self, timeout: float) -> list[Landed]:  # noqa: ARG002
        """Run one of the tasks."""
        if self.left == 0:
            raise KeyboardInterrupt
        self.left = None if self.left is None else self.left - 1
        # Results may come back in any order: nothing may depend on which task is the first.
        self.random.shuffle(self._next)
        key, work, spec = self._next.pop()
        return [Landed(key, answer(work, spec))]

    def abandon(self) -> None:
        """Forget them, and note that."""
        super().abandon()
        self.abandoned = True


def computed_here(patch: pytest.MonkeyPatch) -> None:
    """Hunts run in this process for as long as the patch lasts: the engines have tests of their own."""
    patch.setattr(hunt, "engine_of", lambda *_: nullcontext(InProcess()))
