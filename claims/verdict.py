"""What is said of one conclusion on one instance, and how it is known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """The three values of a verdict: undecided is not true."""

    HOLDS = "HOLDS"
    VIOLATED = "VIOLATED"
    UNDECIDED = "UNDECIDED"


class Known(StrEnum):
    """How a verdict is known, strongest first."""

    EXACT = "exact"
    CERTIFIED = "certified"
    TO_DIGITS = "to 60 digits"
    """An identity: every ball holds zero and is narrower than 1e-60. A smaller defect would not be seen."""
    STATISTICAL = "statistical"
    NUMERICAL = "numerical"


@dataclass(frozen=True)
class Verdict:
    """One conclusion on one exact instance. `slack` is the smallest margin met, as exact as it is known."""

    outcome: Outcome
    known: Known | None
    slack: Any = None
    reason: str = ""
