"""What the independent checker answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What the checker found."""

    CONFIRMED = "CONFIRMED"
    NOT_CONFIRMED = "NOT CONFIRMED"
    CANNOT_DECIDE = "CANNOT DECIDE"


@dataclass(frozen=True)
class Answer:
    """A verdict, why, and at which step.

    NOT CONFIRMED means that something stated is false for certain, CANNOT DECIDE that this method is too weak.
    """

    verdict: Verdict
    reason: str
    step: int | None = None

    def __str__(self) -> str:
        where = "" if self.step is None else f" (step {self.step})"
        return f"{self.verdict}{where}: {self.reason}"
