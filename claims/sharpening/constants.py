"""What is known of the suite's named constants: data of the package, and how it is read.

One entry for each constant of an inequality, with the instance that refutes a stronger value. An entry is of the formulas
that were searched: where a slack or a hypothesis has changed since, it is no longer read.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any

from claims.certificates.published import EVIDENCE
from claims.certificates.tables import Entry, as_table, entries_in
from claims.proving.table import statement_digest
from claims.sharpening.derived import derivations
from claims.target import Target, TargetError
from dynamics.arithmetic import rational

FORMAT = "attention-claims brackets of constants 1"
NAME = "constants.json"

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


@cache
def entries() -> dict[Key, Entry]:
    """The entries of the package as they are stored; none where there is no file."""
    file = EVIDENCE / NAME
    return parsed(file.read_text(encoding="utf-8")) if file.is_file() else {}


def parsed(text: str) -> dict[Key, Entry]:
    """The entries that :func:`written` wrote. Raises ValueError if it is not JSON or has another format."""
    return {constant_key(entry): entry for entry in entries_in(text, FORMAT, "brackets")}


def written(table: Mapping[Key, Entry], versions: Mapping[str, str]) -> str:
    """The entries as text."""
    return as_table((table[key] for key in sorted(table)), FORMAT, versions)


def is_searched_today(entry: Mapping[str, Any]) -> bool:
    """Whether today's statement is the one that was searched."""
    try:
        return statement_digest(Target(entry["claim"], entry["conclusion"])) == entry["text"]
    except TargetError:
        return False


@cache
def brackets_of(claim: str) -> dict[tuple[str, str], Entry]:
    """The brackets of a claim's constants by conclusion and name, those of today's formulas."""
    return {key[1:]: entry for key, entry in entries().items() if key[0] == claim and is_searched_today(entry)}


def bracket_in_words(entry: Mapping[str, Any]) -> str:
    """What is known of the constant, derivations by hand too, in a few words: "sharp: 19/10 is refuted"."""
    word = ConstantStatus(entry["word"])
    if word is ConstantStatus.NONE:
        return f"{word}: {entry['reason']}"
    by_hand = derivations().get(constant_key(entry)) if "claim" in entry else None
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
