"""What is known of the suite's named constants: data of the package, and how it is read.

One entry for each constant of an inequality, with the instance that refutes a stronger value. An entry is of the formulas
that were searched: where a slack or a hypothesis has changed since, it is no longer read.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any

from claims.certificates.current import is_current
from claims.certificates.tables import Entry, Table
from claims.stating.derived import derivations
from dynamics.arithmetic import rational

Key = tuple[str, str, str]


class ConstantStatus(StrEnum):
    """What is known of a constant."""

    SHARP = "sharp"
    """A value that is stronger by next to nothing is refuted."""
    IN_THE_LIMIT = "sharp in the limit"
    """As sharp, but no instance met attains it: along a sequence the room closes."""
    IMPROVABLE = "improvable"
    """A stronger value is proved at the small sizes that are named, and no instance met refutes it."""
    UNKNOWN = "unknown"
    NONE = "no bracket"
    """It is no constant of an inequality, or has no stronger side."""
    REFUTED = "refuted as printed"
    """The statement is false with the printed value."""


def constant_key(entry: Mapping[str, Any]) -> Key:
    """The claim, the conclusion and the constant of an entry."""
    return entry["claim"], entry["conclusion"], entry["constant"]


BRACKETS = Table("constants.json", "attention-claims brackets of constants 1", "brackets", constant_key)


@cache
def brackets_of(claim: str) -> dict[tuple[str, str], Entry]:
    """The brackets of a claim's constants by conclusion and name, those of today's formulas."""
    return {key[1:]: entry for key, entry in BRACKETS.stored.items() if key[0] == claim and is_current(entry)}


def bracket_in_words(entry: Mapping[str, Any]) -> str:
    """What is known of the constant, derivations by hand too, in a few words: "sharp: 19/10 is refuted"."""
    word = ConstantStatus(entry["word"])
    if word is ConstantStatus.NONE:
        return f"{word}: {entry['reason']}"
    by_hand = derivations().get(constant_key(entry)) if "claim" in entry else None
    # What holds at every size counts more than what a solver proved at small ones, or could not.
    if by_hand is not None and by_hand.better is not None:
        word = ConstantStatus.IMPROVABLE
    parts = []
    if entry.get("attained"):
        parts.append("it is attained")
    elif "refuted" in entry and word is not ConstantStatus.REFUTED:
        parts.append(f"{entry['refuted']} is refuted")
    if word is ConstantStatus.IN_THE_LIMIT:
        parts.append(f"as {entry['along']}")
    if entry.get("sides") and word is not ConstantStatus.REFUTED:
        parts.append("on the nearer of two sides")
    if "proved" in entry:
        parts.append(f"{entry['proved']['value']} is proved for all {'; '.join(entry['proved']['for_all'])}")
    if by_hand is not None:
        parts.append(by_hand.told)
    # Between two values says more than that the constant is unknown.
    is_between = word is ConstantStatus.UNKNOWN and "refuted" in entry
    shown = "between " + value_of(entry).replace(" .. ", " and ") if is_between else word.value
    return f"{shown}: {', '.join(parts)}" if parts else shown


def value_of(bracket: Mapping[str, Any]) -> str:
    """The bracket in words: from the value in the statement, or the best one proved, to the one that is refuted."""
    held = bracket.get("proved", {}).get("value", bracket["value"])
    refuted = bracket.get("refuted")
    if refuted is None:
        return f"{held} .. ?"
    return f"{held} .. {refuted}" if rational(refuted) != rational(held) else str(refuted)
