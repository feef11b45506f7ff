"""Answers of the independent checker."""

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
    """A verdict, its reason, and the step concerned.

    NOT CONFIRMED means that something stated is certainly false, CANNOT DECIDE that this method is too weak.
    """

    verdict: Verdict
    reason: str
    step: int | None = None

    def __str__(self) -> str:
        where = "" if self.step is None else f" (step {self.step})"
        return f"{self.verdict}{where}: {self.reason}"
