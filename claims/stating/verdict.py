"""The verdict on one conclusion at one instance, and how it is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from dynamics.showing import as_table


class Outcome(StrEnum):
    """The three values of a verdict: undecided is not true."""

    HOLDS = "HOLDS"
    VIOLATED = "VIOLATED"
    UNDECIDED = "UNDECIDED"


class Known(StrEnum):
    """How a verdict is known, strongest first; what is `certain` was decided by rationals or balls."""

    certain: bool

    def __new__(cls, word: str, certain: bool = False) -> Self:
        """A member that is its word."""
        made = str.__new__(cls, word)
        made._value_, made.certain = word, certain
        return made

    EXACT = "exact", True
    CERTIFIED = "certified", True
    TO_DIGITS = "to 60 digits"
    """An identity that no closed form tells: every ball holds zero and is narrower than 1e-60. Less would not be seen."""
    STATISTICAL = "statistical"
    NUMERICAL = "numerical"


@dataclass(frozen=True)
class Witness:
    """Where a violation was decided: one entry of the slack, at one time if time matters, and its enclosure.

    `entry` is its index, () of a slack that is one number. `slack` is a rational, or a ball that holds no number allowed.
    `times` holds the time of a violation along a trajectory, or the time from which on a limit's violation holds for ever.
    `facts` are what the slack used about orbits and hulls; None if they were not recorded.
    """

    entry: tuple[int, ...]
    slack: Any
    bits: int
    times: tuple[Any, ...] = ()
    facts: tuple[dict[str, Any], ...] | None = None


@dataclass(frozen=True)
class Verdict:
    """One conclusion on one exact instance. `slack` is the smallest margin met, as exact as it is known.

    `witness` says where a violation was decided in rationals or balls; other verdicts have none. `trajectory` is the
    certified one on which a slack along a flow, or a limit, was decided. `readings` are an experiment's on trained models,
    plain data: name, word and text of each comparison.
    """

    outcome: Outcome
    known: Known | None
    slack: Any = None
    reason: str = ""
    witness: Witness | None = None
    trajectory: Any = field(default=None, compare=False, repr=False)
    readings: tuple[dict[str, str], ...] = field(default=(), compare=False, repr=False)

    def _repr_html_(self) -> str:
        """The outcome and how it is known, for a notebook."""
        rows = [("known", self.known or ""), ("slack", "" if self.slack is None else self.slack), ("reason", self.reason)]
        if self.witness is not None:
            rows += [("entry", self.witness.entry), ("times", ", ".join(map(str, self.witness.times)))]
        return as_table(self.outcome, ((name, value) for name, value in rows if value not in ("", ())))


def is_certain(verdict: Verdict) -> bool:
    """Whether rationals or balls decided it: nothing else is written into a certificate."""
    return verdict.known is not None and verdict.known.certain
